/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOCATOR_TABLE_H
#define ROCE_LOCATOR_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/** Where an address hangs. */
struct Locator
{
    uint32_t leaf;  //!< leaf index; LocatorTable::NO_LEAF: nowhere
    uint16_t port;  //!< port of that leaf
    uint16_t spare; //!< fills the struct up to 8 bytes
};

/**
 * Which leaf and port each host address hangs on. One table serves all switches of a fabric.
 *
 * Models: the host routes of a fabric, folded. Host addresses are 0x0b000001 + 256 * index
 * (11.x.y.1), so a dense array holds them.
 *
 * Invariants: Find gives what Set put there; an address that was not set, or is not of that form,
 * has none.
 *
 * Leaves out: prefixes, other address plans.
 */
class LocatorTable
{
  public:
    /** The address of index 0, host order: 11.0.0.1. */
    static constexpr uint32_t BASE_ADDRESS = 0x0b000001;
    /** Leaf index of addresses that hang nowhere. */
    static constexpr uint32_t NO_LEAF = 0xffffffff;
    /** Largest number of entries: all addresses from the base up to 255.x.y.1. */
    static constexpr uint32_t MAX_SIZE = ((UINT32_MAX - BASE_ADDRESS) >> 8) + 1;

    /**
     * Throws std::invalid_argument for an address that is not 0x0b000001 + 256 * index, or a port
     * above 65535.
     * \param address IPv4, host order
     * \param leaf leaf index
     * \param port port of the leaf
     */
    void Set(uint32_t address, uint32_t leaf, uint32_t port);

    /**
     * \param address IPv4, host order
     * \return where it hangs, or nullptr
     */
    const Locator* Find(uint32_t address) const
    {
        const uint32_t index = Index(address);
        if (__builtin_expect(index >= m_locators.size(), 0))
        {
            return nullptr;
        }
        return &m_locators[index];
    }

    /** \return entries, holes included */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_locators.size());
    }

  private:
    /** \return index of an address; past all tables if the address has another form */
    static uint32_t Index(uint32_t address)
    {
        const uint32_t offset = address - BASE_ADDRESS;
        return (offset >> 8) | (offset << 24);
    }

    std::vector<Locator> m_locators;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOCATOR_TABLE_H
