/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HPCC_INT_H
#define ROCE_HPCC_INT_H

#include "roce-codec-error.h"

#include "ns3/roce-hpcc-int-hops.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The INT header of HPCC: what up to five switches say of the ports a packet went through.
 *
 * Models: a header of fixed size, whatever the number of hops, that the sender leaves room for and
 * each switch fills further. In layout ARTIFACT a hop is a 64-bit number, least significant byte
 * first, of which the low 3 bits are a code of the rate and then follow 24 bits of time, 20 of
 * bytes and 17 of queue; five hops and the hop count (16 bits, least significant byte first) make
 * 42 bytes. Layout EXTENDED is ours, for rates without a code: the code is 7, which the simulator
 * does not use, and 32 bits of Mb/s follow each number, least significant byte first; 62 bytes.
 *
 * Clause: HPCC (Li et al., SIGCOMM 2019, section 4); layout of its published simulator.
 *
 * Invariants: Decode(Encode(h)) == h and Encode(Decode(b)) == b for all b that Decode takes;
 * those of HpccIntHops. EXTENDED holds any rate of whole Mb/s from 1 Mb/s to 4294967295 Mb/s.
 *
 * Leaves out: where the header stands in a packet, and who stamps it; the variants PINT and
 * time stamp of the simulator.
 */
class HpccInt : public HpccIntHops
{
  public:
    static constexpr std::size_t ARTIFACT_BYTES = 42; //!< 5 x 8 + 2
    static constexpr std::size_t EXTENDED_BYTES = 62; //!< 5 x 12 + 2

    /** \param layout how hops are packed \return bytes of the header */
    static constexpr std::size_t Bytes(HpccIntLayout layout)
    {
        return layout == HpccIntLayout::ARTIFACT ? ARTIFACT_BYTES : EXTENDED_BYTES;
    }

    /**
     * Check a rate before the run and give it the unit of the header.
     *
     * \param rate bit/s of a port
     * \param layout the layout of the run
     * \return Mb/s; throws std::invalid_argument if the layout cannot say it
     */
    static uint32_t RateOf(uint64_t rate, HpccIntLayout layout);

    /**
     * \param rate bit/s of the fastest port
     * \return the smallest multi with which the count of bytes does not wrap earlier than the time,
     *         so that differences that the time tells apart are right: 1 up to 64 Gb/s, 2 up to 128
     *         Gb/s, 13 at 800 Gb/s
     */
    static uint32_t MultiFor(uint64_t rate);

    /**
     * \param bytes the header is appended here
     * \param layout how to pack; throws std::invalid_argument if a rate has no code in it, or if a
     *        field is wider than the wire
     */
    void Encode(std::vector<uint8_t>& bytes, HpccIntLayout layout) const;

    /**
     * \param bytes first byte of the header
     * \param size bytes that may be read
     * \param layout how it is packed
     * \return the header; throws CodecError if it is cut, has a rate code that the layout does not
     *         know, or has something other than zeros in hops that were not made
     */
    static HpccInt Decode(const uint8_t* bytes, std::size_t size, HpccIntLayout layout);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HPCC_INT_H
