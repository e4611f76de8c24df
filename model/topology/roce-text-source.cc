/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-text-source.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace ns3
{
namespace roce
{

namespace
{

/** \return true for what separates words. \param c a byte */
bool
IsBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

} // namespace

TextSource::TextSource(const std::string& name, const std::string& text)
    : m_name(name),
      m_text(text)
{
    size_t begin = m_text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0; // byte order mark
    uint32_t number = 0;
    while (begin < m_text.size())
    {
        number++;
        size_t end = m_text.find('\n', begin);
        end = end == std::string::npos ? m_text.size() : end;
        for (size_t i = begin; i < end; i++)
        {
            if (!IsBlank(m_text[i]))
            {
                m_places.push_back({number, begin, end});
                break;
            }
        }
        begin = end + 1;
    }
    m_lastLine = number == 0 ? 1 : number;
}

TextSource
TextSource::FromFile(const std::string& path)
{
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in)
    {
        const int error = errno;
        throw std::runtime_error(
            path + ": cannot be opened: " + (error ? std::strerror(error) : "unknown reason") +
            "; expected a readable text file");
    }
    errno = 0;
    // a directory opens but does not read
    if (in.peek() != std::ifstream::traits_type::eof())
    {
        text << in.rdbuf();
    }
    if (in.bad() || errno == EISDIR)
    {
        throw std::runtime_error(
            path + ": cannot be read: " + (errno ? std::strerror(errno) : "unknown reason") +
            "; expected a readable text file");
    }
    return TextSource(path, text.str());
}

TextSource
TextSource::FromString(const std::string& name, const std::string& text)
{
    return TextSource(name, text);
}

const std::string&
TextSource::Name() const
{
    return m_name;
}

size_t
TextSource::Count() const
{
    return m_places.size();
}

TextLine
TextSource::At(size_t index) const
{
    const Place& place = m_places.at(index);
    TextLine line;
    line.number = place.number;
    for (size_t i = place.begin; i < place.end;)
    {
        if (IsBlank(m_text[i]))
        {
            i++;
            continue;
        }
        const size_t first = i;
        while (i < place.end && !IsBlank(m_text[i]))
        {
            i++;
        }
        line.words.push_back(m_text.substr(first, i - first));
    }
    return line;
}

uint32_t
TextSource::LastLine() const
{
    return m_lastLine;
}

void
TextSource::Fail(uint32_t line, const std::string& message) const
{
    throw std::invalid_argument(m_name + ":" + std::to_string(line) + ": " + message);
}

} // namespace roce
} // namespace ns3
