/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_KEY_H
#define ROCE_EXPERIMENT_KEY_H

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * One key of an object in an experiment: what may stand there.
 *
 * Models: a row of the tables in ExperimentShapes, from which the reader and the JSON Schema are
 * made.
 *
 * Source: none.
 *
 * Invariants: `fallback` and `example` are values that the reader takes, or null for none.
 *
 * Leaves out: what depends on other keys; the classes that use a value say that.
 */
struct ExperimentKey
{
    using Json = nlohmann::json; //!< a value

    /** What may stand there. */
    enum Kind : uint8_t
    {
        TEXT,     //!< a text, not empty
        TEXTS,    //!< a text, or a list of them
        WORD,     //!< one of `words`
        RATE,     //!< text with a unit: "100Gbps"
        TIME,     //!< text with a unit: "1us", not negative
        BYTES,    //!< text: "16MB", "64KiB", "4096B"
        WHOLE,    //!< whole number from `least` to `most`
        NUMBER,   //!< number from `least` to `most`
        BOOL,     //!< true or false
        WHOLES,   //!< list of whole numbers from `least` to `most`
        COUNT,    //!< whole number, or list of them
        ENDS,     //!< two ids of nodes; the second one may be "*"
        OBJECT,   //!< object of `shape`
        PRESET,   //!< object of `shape`, or a text
        OBJECTS,  //!< list of objects of `shape`
        VARIANTS, //!< list of objects, of the shape `shape`.T for "type": "T"
        VALUES,   //!< object of attributes and their values
        INLINE,   //!< object that another reader checks; `shape` is its schema
    };

    std::string name;               //!< of the key
    Kind kind{TEXT};                //!< what may stand there
    std::string help;               //!< for people, units included
    Json fallback;                  //!< if the key is missing; null: nothing
    Json example;                   //!< for people; null: the fallback
    bool required{false};           //!< whether it must be there
    double least{0};                //!< of numbers
    double most{4294967295.0};      //!< of numbers
    std::vector<std::string> words; //!< of WORD
    std::string shape;              //!< of objects
};

/** Of some keys of an object one at most is given, or exactly one. */
struct ExperimentChoice
{
    std::vector<std::string> keys; //!< names
    bool needed{true};             //!< whether one must be given
};

/** An object in an experiment. */
struct ExperimentShape
{
    std::string name;                      //!< by which keys refer to it; "" is the document
    std::string help;                      //!< for people
    std::vector<ExperimentKey> keys;       //!< in the order of the documentation
    std::vector<ExperimentChoice> choices; //!< among keys

    /** \return names of the keys */
    std::vector<std::string> GetNames() const
    {
        std::vector<std::string> names;
        for (const ExperimentKey& key : keys)
        {
            names.push_back(key.name);
        }
        return names;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_KEY_H
