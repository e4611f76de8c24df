/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TEXT_SOURCE_H
#define ROCE_TEXT_SOURCE_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/// One line of a text that has words.
struct TextLine
{
    uint32_t number{0};             //!< from 1
    std::vector<std::string> words; //!< split at blanks; never empty
};

/**
 * \brief A text, from a file or a string, as numbered lines of words.
 *
 * Models the input of every reader of this folder, and words their errors: "FILE:LINE: ...".
 *
 * Not from a standard. Accepts LF and CRLF and a UTF-8 byte order mark.
 *
 * Invariants: lines come in order with the number an editor shows; lines without words are left
 * out; each error of Fail() begins with name and line.
 *
 * Left out: comments, quotes, continuation lines; the formats have none.
 */
class TextSource
{
  public:
    /** \return the text of a file; std::runtime_error with the reason if it cannot be read.
     *  \param path the file */
    static TextSource FromFile(const std::string& path);

    /** \return a text. \param name what errors call it \param text its bytes */
    static TextSource FromString(const std::string& name, const std::string& text);

    /** \return the name in errors. */
    const std::string& Name() const;

    /** \return the number of lines with words. */
    size_t Count() const;

    /** \return a line with words. \param index from 0, below Count() */
    TextLine At(size_t index) const;

    /** \return the number of the last line of the text, 1 if it is empty. */
    uint32_t LastLine() const;

    /** Throw std::invalid_argument "NAME:LINE: message". \param line line \param message text */
    [[noreturn]] void Fail(uint32_t line, const std::string& message) const;

    /**
     * Run a function; put name and line in front of the message of a std::invalid_argument.
     * \param line the line
     * \param what what is read, named in the message
     * \param read the function
     * \return what it returns
     */
    template <typename F>
    auto Read(uint32_t line, const std::string& what, F read) const -> decltype(read());

  private:
    /** Split the text. \param name name \param text bytes */
    TextSource(const std::string& name, const std::string& text);

    /// Where a line with words is.
    struct Place
    {
        uint32_t number{0}; //!< line number
        size_t begin{0};    //!< first byte
        size_t end{0};      //!< one beyond the last byte
    };

    std::string m_name;          //!< in errors
    std::string m_text;          //!< all bytes
    std::vector<Place> m_places; //!< lines with words
    uint32_t m_lastLine{1};      //!< number of the last line
};

template <typename F>
auto
TextSource::Read(uint32_t line, const std::string& what, F read) const -> decltype(read())
{
    std::string why;
    try
    {
        return read();
    }
    catch (const std::invalid_argument& e)
    {
        why = e.what();
    }
    Fail(line, what + ": " + why);
}

} // namespace roce
} // namespace ns3

#endif /* ROCE_TEXT_SOURCE_H */
