/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_BODY_H
#define ROCE_CNP_BODY_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * What a congestion point says in the 16 reserved bytes of a CNP.
 *
 * Models: the state of one egress queue, for hierarchical congestion control. Bytes, numbers in
 * network order: 0 version (6 bits), flags clear and leave (bits 1 and 0); 1-2 congestion domain;
 * 3-4 congestion point; 5 tier; 6 hops from the sender; 7 stage; 8-9 share of marked packets in
 * units of 2^-15; 10-11 flows; 12 code of the port's rate; 13-15 zero. The rate code is a
 * number of 8 bits with exponent and fraction: (16 + low 4 bits) x 2^(high 4 bits - 5) Gb/s.
 *
 * Clause: IBTA A17.9.3 leaves the bytes to zeros, which receivers ignore; the layout is ours.
 *
 * Invariants: Decode(Encode(b)) has the fields of b, the share rounded to its unit and the rate,
 * from 1 Gb/s to 31.7 Tb/s, to the nearest code, at most 1 part in 32 away; the rates of Ethernet
 * have codes of their own. No body encodes to 16 zeros, which mean a plain CNP.
 *
 * Leaves out: what a sender makes of it.
 */
struct CnpBody
{
    static constexpr uint8_t VERSION = 1;           //!< of this layout
    static constexpr uint32_t SHARE_ONE = 1u << 15; //!< units of a share of 1

    bool clear{false};   //!< the queue has become short: all clear
    bool leave{false};   //!< the flow has been moved away from the domain
    uint16_t domain{0};  //!< id of the congestion domain
    uint16_t point{0};   //!< id of the congestion point
    uint8_t tier{0};     //!< 1: leaf, 2: pod spine, 3: super-spine
    uint8_t hops{0};     //!< links between the sender and this switch
    uint8_t stage{0};    //!< 1: in the node, 2: in a pod, 3: between pods
    double share{0};     //!< marked packets among the last ones, 0..1
    uint16_t flows{0};   //!< flows that use the queue now
    uint64_t rateBps{0}; //!< bit/s of the port; 0: not known

    /** \param bytes gets the 16 bytes */
    void Encode(uint8_t* bytes) const;

    /**
     * \param bytes 16 bytes, or nullptr
     * \param body filled in if they can be read
     * \return false if they are not of this version: a plain CNP, or one of somebody else
     */
    static bool Decode(const uint8_t* bytes, CnpBody& body);

    /** \return code of the nearest rate that has one, 0 below 1 Gb/s. \param rateBps bit/s */
    static uint8_t RateCode(uint64_t rateBps);

    /** \return bit/s, 0 for codes below that of 1 Gb/s. \param code as RateCode gives */
    static uint64_t RateOf(uint8_t code);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_BODY_H
