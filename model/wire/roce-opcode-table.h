/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_OPCODE_TABLE_H
#define ROCE_OPCODE_TABLE_H

#include "roce-opcode.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** Transport service of an opcode: its three high bits (IBTA 9.2.1). */
enum class OpcodeService : uint8_t
{
    UNKNOWN, //!< reserved, manufacturer specific, RD or XRC
    RC,      //!< reliable connection
    UC,      //!< unreliable connection
    UD,      //!< unreliable datagram
    CNP,     //!< congestion notification (IBTA A17.9.3)
};

/** What a packet asks for or answers. */
enum class OpcodeOperation : uint8_t
{
    NONE, //!< unknown opcodes
    SEND,
    WRITE,
    READ_REQUEST,
    READ_RESPONSE,
    ACKNOWLEDGE,
    ATOMIC_ACKNOWLEDGE,
    ATOMIC, //!< compare and swap, fetch and add
    CNP,
};

/** Place of a packet in its message. */
enum class OpcodePlace : uint8_t
{
    FIRST,
    MIDDLE,
    LAST,
    ONLY,
};

/** Extension headers, in the order in which they follow the BTH (IBTA 9.2, figure 83). */
enum OpcodeExtension : uint16_t
{
    EXTENSION_DETH = 1 << 0,       //!< datagram: Q_Key, source QP; 8 bytes
    EXTENSION_RETH = 1 << 1,       //!< RDMA: address, R_Key, length; 16 bytes
    EXTENSION_ATOMIC = 1 << 2,     //!< atomic operation: 28 bytes
    EXTENSION_AETH = 1 << 3,       //!< acknowledge: syndrome, MSN; 4 bytes
    EXTENSION_ATOMIC_ACK = 1 << 4, //!< original remote data: 8 bytes
    EXTENSION_IMMDT = 1 << 5,      //!< immediate data: 4 bytes
    EXTENSION_IETH = 1 << 6,       //!< R_Key to invalidate: 4 bytes
    EXTENSION_CNP = 1 << 7,        //!< 16 reserved bytes of a CNP
};

/** What the standard says of one opcode. */
struct OpcodeFacts
{
    const char* name{"unknown"};                      //!< as in IBTA table 38
    OpcodeService service{OpcodeService::UNKNOWN};    //!< transport service
    OpcodeOperation operation{OpcodeOperation::NONE}; //!< what it asks or answers
    OpcodePlace place{OpcodePlace::ONLY};             //!< place in its message
    uint16_t extensions{0};                           //!< OpcodeExtension bits
    uint16_t extensionBytes{0};                       //!< bytes of all extension headers
    bool payload{false};                              //!< may carry payload
    bool request{false};                              //!< from requester to responder

    /**
     * \return whether this opcode begins a message
     */
    constexpr bool Begins() const
    {
        return place == OpcodePlace::FIRST || place == OpcodePlace::ONLY;
    }

    /**
     * \return whether this opcode ends a message
     */
    constexpr bool Ends() const
    {
        return place == OpcodePlace::LAST || place == OpcodePlace::ONLY;
    }

    /**
     * \param extension one bit of OpcodeExtension
     * \return whether the header is present
     */
    constexpr bool Has(OpcodeExtension extension) const
    {
        return (extensions & extension) != 0;
    }
};

/**
 * Facts about each of the 256 BTH opcodes.
 *
 * Models: the operation and service encoded in the first byte of a BTH, and what follows it.
 *
 * Clause: IBTA 9.2.1 table 38 (opcodes), table 39 and section 9.3 (extension headers), Annex
 * A17.9.3 (CNP).
 *
 * Invariants: extensionBytes is the sum of the headers in extensions; a packet that is no request
 * is a response or a CNP; no opcode has both ImmDt and IETH.
 *
 * Leaves out: RD (withdrawn from use) and XRC, whose further headers the module does not have,
 * and the memory extensions of IBTA 1.6 (FLUSH, ATOMIC WRITE). All are marked unknown.
 */
class OpcodeTable
{
  public:
    /**
     * \param opcode first byte of a BTH
     * \return its facts; service UNKNOWN when the module does not know it
     */
    static const OpcodeFacts& Get(uint8_t opcode);

    /**
     * \param opcode an opcode
     * \return its facts
     */
    static const OpcodeFacts& Get(Opcode opcode)
    {
        return Get(static_cast<uint8_t>(opcode));
    }

    /**
     * \param opcode first byte of a BTH
     * \return whether the module knows it
     */
    static bool IsKnown(uint8_t opcode)
    {
        return Get(opcode).service != OpcodeService::UNKNOWN;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_OPCODE_TABLE_H
