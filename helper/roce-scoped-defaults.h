/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCOPED_DEFAULTS_H
#define ROCE_SCOPED_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Defaults of attributes, seed and run for as long as it lives.
 *
 * Models: Config::SetDefault and RngSeedManager, undone at the end.
 *
 * Source: none.
 *
 * Invariants: after it is destroyed the defaults, the seed and the run number are what they were
 * before.
 *
 * Leaves out: objects that are there already.
 */
class ScopedDefaults
{
  public:
    ScopedDefaults();
    ~ScopedDefaults();
    ScopedDefaults(const ScopedDefaults&) = delete;
    ScopedDefaults& operator=(const ScopedDefaults&) = delete;

    /** \param type has the attribute itself \param name of it \param value from AttributeText */
    void Set(TypeId type, const std::string& name, const AttributeValue& value);

    /** \param seed RngSeed \param run RngRun */
    void SetSeed(uint32_t seed, uint64_t run);

  private:
    struct Saved
    {
        TypeId type;
        std::size_t index;
        Ptr<const AttributeValue> value;
    };

    std::vector<Saved> m_saved; //!< in order
    uint32_t m_seed;
    uint64_t m_run;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCOPED_DEFAULTS_H
