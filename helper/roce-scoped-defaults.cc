/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scoped-defaults.h"

#include "ns3/rng-seed-manager.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

ScopedDefaults::ScopedDefaults()
    : m_seed(RngSeedManager::GetSeed()),
      m_run(RngSeedManager::GetRun())
{
}

ScopedDefaults::~ScopedDefaults()
{
    for (auto saved = m_saved.rbegin(); saved != m_saved.rend(); ++saved)
    {
        saved->type.SetAttributeInitialValue(saved->index, saved->value);
    }
    RngSeedManager::SetSeed(m_seed);
    RngSeedManager::SetRun(m_run);
}

void
ScopedDefaults::Set(TypeId type, const std::string& name, const AttributeValue& value)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        if (type.GetAttribute(i).name == name)
        {
            m_saved.push_back({type, i, type.GetAttribute(i).initialValue});
            type.SetAttributeInitialValue(i, value.Copy());
            return;
        }
    }
    throw std::invalid_argument(type.GetName() + " has no attribute " + name + " of its own");
}

void
ScopedDefaults::SetSeed(uint32_t seed, uint64_t run)
{
    RngSeedManager::SetSeed(seed);
    RngSeedManager::SetRun(run);
}

} // namespace roce
} // namespace ns3
