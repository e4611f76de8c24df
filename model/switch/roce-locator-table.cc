/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-locator-table.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

void
LocatorTable::Set(uint32_t address, uint32_t leaf, uint32_t port)
{
    const uint32_t index = Index(address);
    if (index >= MAX_SIZE)
    {
        std::ostringstream message;
        message << "host address 0x" << std::hex << address << " is not 0x" << BASE_ADDRESS
                << " + 256 * i with i below " << std::dec << MAX_SIZE;
        throw std::invalid_argument(message.str());
    }
    if (port > UINT16_MAX)
    {
        std::ostringstream message;
        message << "port " << port << " of leaf " << leaf << " is above 65535";
        throw std::invalid_argument(message.str());
    }
    if (index >= m_locators.size())
    {
        m_locators.resize(index + 1, Locator{NO_LEAF, 0, 0});
    }
    m_locators[index] = Locator{leaf, static_cast<uint16_t>(port), 0};
}

} // namespace roce
} // namespace ns3
