/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_JSON_SOURCE_H
#define ROCE_JSON_SOURCE_H

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Takes values out of a JSON text and words the errors.
 *
 * Models: the input of every reader of JSON, as TextSource is that of lines: "NAME: /links/3/rate:
 * what is wrong".
 *
 * Source: JSON is RFC 8259; paths in messages are JSON pointers, RFC 6901.
 *
 * Invariants: all that is wrong is std::invalid_argument that begins with the name; keys that come
 * twice in an object are refused.
 *
 * Leaves out: comments.
 */
class JsonSource
{
  public:
    using Json = nlohmann::json; //!< a value

    /** \param name what messages call the text */
    explicit JsonSource(const std::string& name);

    /** \return the name in messages */
    const std::string& Name() const;

    /** \return the document; std::invalid_argument if it is none. \param text the bytes */
    Json Parse(const std::string& text) const;

    /** Throw. \param path of the value \param message what is wrong */
    [[noreturn]] void Fail(const std::string& path, const std::string& message) const;

    /** Throw, with our name once only. \param path of the value \param why a message that may have
     *  the name already */
    [[noreturn]] void Rethrow(const std::string& path, const std::string& why) const;

    /** \return a value as errors show it. \param value any */
    static std::string Shown(const Json& value);

    /** \return a key as paths show it. \param key of an object */
    static std::string KeyText(const std::string& key);

    /** Refuse what is no object, and keys that are not known. \param value any \param path of it
     *  \param known the keys */
    void KnowKeys(const Json& value,
                  const std::string& path,
                  std::initializer_list<const char*> known) const;

    /** \return a member; refused if missing. \param object it is in \param path of the object
     *  \param key of it */
    const Json& Member(const Json& object, const std::string& path, const char* key) const;

    /** \return a text. \param object it is in \param path of that \param key of it */
    std::string Text(const Json& object, const std::string& path, const char* key) const;

    /** \return a text, "" if missing. \param object it is in \param path of that \param key of it
     */
    std::string Optional(const Json& object, const std::string& path, const char* key) const;

    /** \return a list. \param object it is in \param path of that \param key of it */
    const Json& Array(const Json& object, const std::string& path, const char* key) const;

    /** \return a whole number below 2^32. \param value any \param path of it */
    uint32_t Whole(const Json& value, const std::string& path) const;

    /** \return a number. \param value any \param path of it \param max largest, from 0 */
    double Number(const Json& value, const std::string& path, double max) const;

    /** Refuse another schema. \param root the document \param schema what it must name */
    void Schema(const Json& root, const std::string& schema) const;

  private:
    std::string m_name; //!< of the text
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_JSON_SOURCE_H */
