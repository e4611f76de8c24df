/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_HASH_H
#define ROCE_SWITCH_HASH_H

#include "ns3/roce-frame.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/** Hash functions of switches. */
enum HashFunction : uint8_t
{
    HASH_MURMUR3,     //!< finalisers of MurmurHash3: any seed gives an independent choice
    HASH_CRC32,       //!< IEEE 802.3 CRC
    HASH_CRC16_CCITT, //!< polynomial 0x1021
    HASH_XOR,         //!< the 16-bit words, folded
};

/** Header fields a switch may hash; bits. */
enum HashField : uint8_t
{
    HASH_FIVE_TUPLE = 1 << 0,     //!< addresses, UDP or TCP ports, protocol
    HASH_DESTINATION_QP = 1 << 1, //!< BTH destination QP of RoCE frames
    HASH_INGRESS_PORT = 1 << 2,   //!< the port by which the frame came
};

/**
 * The hash by which a switch tells flows apart.
 *
 * Models: selectable fields, named functions and a seed. MURMUR3 mixes the hash that the frame
 * carries; the others go over the bytes of the fields, most significant first, with the seed as
 * start value.
 *
 * Clause: IEEE 802.3 3.2.9 (CRC-32), ITU-T V.41 (CRC-16); MurmurHash3 is public domain.
 *
 * Invariants: equal fields give equal hashes; fields that are not selected do not matter. CRC and
 * XOR are linear: another seed changes the hash of all flows by the same constant, so that switches
 * in a row split flows alike (polarization); MURMUR3 does not.
 *
 * Leaves out: the protocol of frames that are not RoCE in CRC and XOR; symmetric hashes.
 */
class SwitchHash
{
  public:
    /**
     * \param text names joined by +: five-tuple, destination-qp, ingress-port; throws
     *             std::invalid_argument naming them for anything else
     * \return bits of HashField
     */
    static uint8_t ParseFields(const std::string& text);

    /** \return the names of fields, joined by +. \param fields bits of HashField */
    static std::string FieldNames(uint8_t fields);

    /**
     * \param function how
     * \param fields bits of HashField
     * \param seed start value
     */
    void Configure(HashFunction function, uint8_t fields, uint32_t seed);

    /** \return the hash, of 32 bits (16 for CRC16_CCITT and XOR). \param frame the frame */
    uint32_t Of(const Frame* frame) const
    {
        return m_plain ? Mix32(frame->hash ^ m_seed) : OfFields(frame);
    }

    /**
     * \param hash what Of gave
     * \param range at least 1
     * \return a number below range: by scaling for MURMUR3, by remainder for the others
     */
    uint32_t Reduce(uint32_t hash, uint32_t range) const
    {
        return m_function == HASH_MURMUR3 ? static_cast<uint32_t>((uint64_t(hash) * range) >> 32)
                                          : hash % range;
    }

    /** \return a bijective mix of 32 bits. \param x any number */
    static uint32_t Mix32(uint32_t x)
    {
        x = (x ^ (x >> 16)) * 0x85ebca6bu;
        x = (x ^ (x >> 13)) * 0xc2b2ae35u;
        return x ^ (x >> 16);
    }

    /** \return CRC-32. \param data bytes \param size their number \param seed xored to the start
     *  value of all ones */
    static uint32_t Crc32(const uint8_t* data, uint32_t size, uint32_t seed);

    /** \return CRC-16 CCITT. \param data bytes \param size their number \param seed xored to the
     *  start value of all ones */
    static uint16_t Crc16(const uint8_t* data, uint32_t size, uint16_t seed);

    /** \return xor of 16-bit words. \param data bytes \param size their number, even \param seed
     *  start value */
    static uint16_t Xor16(const uint8_t* data, uint32_t size, uint16_t seed);

  private:
    uint32_t OfFields(const Frame* frame) const;
    uint32_t Mixed(const Frame* frame) const;

    HashFunction m_function{HASH_MURMUR3};
    uint8_t m_fields{HASH_FIVE_TUPLE};
    bool m_plain{true}; //!< MURMUR3 of the 5-tuple, the common case
    uint32_t m_seed{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_HASH_H
