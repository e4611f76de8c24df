/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_FLAGS_H
#define ROCE_EXPERIMENT_FLAGS_H

#include "ns3/command-line.h"
#include "ns3/roce-quantity.h"

#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Flags of a program, on top of ns-3's CommandLine.
 *
 * Models: --name=value flags with defaults. ns-3's own flags (--RngRun, --help, attributes) work.
 *
 * Invariants: an unknown flag, a value that is no value of its type and an argument that is no
 * flag are refused with std::invalid_argument before anything runs; GetValues() holds the value
 * of each flag that was added, and each attribute that was given.
 *
 * Leaves out: what ns-3 checks itself (it ends the program for an unknown attribute).
 */
class ExperimentFlags
{
  public:
    /** \param usage one sentence: what the program does */
    explicit ExperimentFlags(const std::string& usage);

    /**
     * \param name of the flag, without dashes
     * \param help one line
     * \param value a number, a bool or a std::string; holds the default, then what was given
     */
    template <typename T>
    void Add(const std::string& name, const std::string& help, T& value)
    {
        m_line.AddValue(name, help, value);
        m_checks[name] = [name](const std::string& text) { CheckValue<T>(name, text); };
        m_values[name] = [&value]() {
            std::ostringstream text;
            text << std::boolalpha << value;
            return text.str();
        };
    }

    /**
     * Read the flags.
     * \param argc of main
     * \param argv of main
     */
    void Parse(int argc, char* argv[]);

    /** \return whether the user gave this flag. \param name without dashes */
    bool IsGiven(const std::string& name) const;

    /** \return name and value of each flag added and each attribute given */
    std::map<std::string, std::string> GetValues() const;

  private:
    template <typename T>
    static void CheckValue(const std::string& name, const std::string& text)
    {
        if constexpr (std::is_same_v<T, bool>)
        {
            CheckBool(name, text);
            return;
        }
        if (text.empty())
        {
            throw std::invalid_argument("--" + name + " needs a value: --" + name + "=...");
        }
        if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
        {
            CheckNumber(name, text, [](const std::string& t) {
                Quantity::Unsigned(t, std::numeric_limits<T>::max());
            });
        }
        else if constexpr (std::is_arithmetic_v<T>)
        {
            CheckNumber(name, text, [](const std::string& t) {
                Quantity::Real(t, std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
            });
        }
    }

    static void CheckBool(const std::string& name, const std::string& text);
    static void CheckNumber(const std::string& name,
                            const std::string& text,
                            const std::function<void(const std::string&)>& check);
    void CheckFlag(const std::string& name, const std::string& text, bool hasValue) const;

    CommandLine m_line;
    std::map<std::string, std::function<void(const std::string&)>> m_checks;
    std::map<std::string, std::function<std::string()>> m_values;
    std::map<std::string, std::string> m_given;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_FLAGS_H
