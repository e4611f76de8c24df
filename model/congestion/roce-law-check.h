/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LAW_CHECK_H
#define ROCE_LAW_CHECK_H

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Refuse a parameter of a congestion control law that cannot work.
 * \param good whether the parameter lies where it must
 * \param law name of the law
 * \param qpn queue pair number
 * \param name name of the parameter
 * \param value its value
 * \param limit where it must lie, and how to get there
 * \throw std::invalid_argument naming all of them, unless good
 */
template <typename T>
void
RequireParameter(bool good,
                 const std::string& law,
                 uint32_t qpn,
                 const char* name,
                 const T& value,
                 const std::string& limit)
{
    if (!good)
    {
        std::ostringstream text;
        text << law << " of QP " << qpn << ": " << name << " is " << value << ", must be " << limit;
        throw std::invalid_argument(text.str());
    }
}

} // namespace roce
} // namespace ns3

#endif // ROCE_LAW_CHECK_H
