/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TEST_REFUSAL_H
#define ROCE_TEST_REFUSAL_H

#include <functional>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

/** \return the message with which an action is refused, or "". \param action what it is; throws on
 *  what is no E */
template <typename E = std::invalid_argument>
std::string
Refusal(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const E& error)
    {
        return error.what();
    }
    return "";
}

/** \return whether an action is refused, by std::invalid_argument with a text. \param action it */
inline bool
Refuses(const std::function<void()>& action)
{
    return !Refusal(action).empty();
}

} // namespace roce
} // namespace ns3

#endif // ROCE_TEST_REFUSAL_H
