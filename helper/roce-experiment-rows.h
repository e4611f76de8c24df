/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_ROWS_H
#define ROCE_EXPERIMENT_ROWS_H

#include "roce-experiment-key.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Short forms for the rows of ExperimentShapes.
 *
 * Models: functions that make an ExperimentKey.
 *
 * Source: none.
 *
 * Invariants: a default is the example too, if there is no other one.
 *
 * Leaves out: nothing.
 */
class ExperimentRows
{
  public:
    using Json = ExperimentKey::Json; //!< a value

    /** \return a row. \param kind what may stand there \param name of the key \param help for
     *  people \param fallback if it is missing, null: nothing \param example for people */
    static ExperimentKey Row(ExperimentKey::Kind kind,
                             const std::string& name,
                             const std::string& help,
                             const Json& fallback = nullptr,
                             const Json& example = nullptr)
    {
        ExperimentKey key;
        key.name = name;
        key.kind = kind;
        key.help = help;
        key.fallback = fallback;
        key.example = example.is_null() ? fallback : example;
        return key;
    }

    /** \return a row of a key that must be there. \param key the row */
    static ExperimentKey Must(ExperimentKey key)
    {
        key.required = true;
        return key;
    }

    /** \return a row with bounds. \param key of numbers \param least smallest \param most largest
     */
    static ExperimentKey Within(ExperimentKey key, double least, double most = 4294967295.0)
    {
        key.least = least;
        key.most = most;
        return key;
    }

    /** \return a row of words. \param name of the key \param help for people \param words the words
     *  \param fallback one of them, null: nothing */
    static ExperimentKey Word(const std::string& name,
                              const std::string& help,
                              std::vector<std::string> words,
                              const Json& fallback = nullptr)
    {
        ExperimentKey key = Row(ExperimentKey::WORD, name, help, fallback, words.front());
        key.words = std::move(words);
        return key;
    }

    /** \return a row of objects. \param kind OBJECT and so on \param name of the key \param help
     *  for people \param shape of the objects \param example for people */
    static ExperimentKey Object(ExperimentKey::Kind kind,
                                const std::string& name,
                                const std::string& help,
                                const std::string& shape,
                                const Json& example)
    {
        ExperimentKey key = Row(kind, name, help, nullptr, example);
        key.shape = shape;
        return key;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_ROWS_H
