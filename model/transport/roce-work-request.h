/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORK_REQUEST_H
#define ROCE_WORK_REQUEST_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a work request asks for (IBTA 10.8.2). */
enum class Operation : uint8_t
{
    WRITE,           //!< RDMA WRITE
    WRITE_IMMEDIATE, //!< RDMA WRITE with immediate data: takes a receive request at its end
    SEND,            //!< SEND
    SEND_IMMEDIATE,  //!< SEND with immediate data
    SEND_INVALIDATE, //!< SEND that invalidates a memory key of the receiver
    READ,            //!< RDMA READ
    FETCH_ADD,       //!< add to 64 bits of the other side's memory, get what was there
    COMPARE_SWAP,    //!< replace 64 bits of it if they are as expected, get what was there
};

/** \return whether an operation gets data or a value back. \param operation an operation */
inline bool
IsReadOrAtomic(Operation operation)
{
    return operation >= Operation::READ;
}

/** \return whether an operation is atomic. \param operation an operation */
inline bool
IsAtomic(Operation operation)
{
    return operation >= Operation::FETCH_ADD;
}

/** The part of a work request that each of them needs. */
struct WorkRequestCore
{
    uint64_t id{0};                        //!< the application's own; comes back in the completion
    uint64_t bytes{0};                     //!< length; 0 is legal, more than 4 GiB too; atomics: 8
    uint64_t remoteAddress{0};             //!< where to write or read at the other side
    uint32_t remoteKey{0};                 //!< R_Key there; SEND_INVALIDATE: the key to invalidate
    Operation operation{Operation::WRITE}; //!< what to do
    bool signalled{true};                  //!< success makes a completion; errors always do
    bool solicited{false};                 //!< BTH SE: the receiver's solicited event
    bool fence{false};                     //!< starts after all earlier READs and atomics ended
};

/**
 * What an application asks a queue pair to do (IBTA 10.7.3.1).
 *
 * Models: a send work request with one data segment. A queue pair without a protection domain
 * needs lengths only: its payload is zeros and no memory is read or written.
 *
 * Leaves out: lists of data segments.
 */
struct WorkRequest : WorkRequestCore
{
    uint32_t immediate{0};           //!< ImmDt of the two operations that have it
    uint32_t localKey{0};            //!< L_Key of the local segment
    uint64_t localAddress{0};        //!< where the data is, or where READ and atomics put theirs
    uint64_t swapAdd{0};             //!< FETCH_ADD: the number to add; COMPARE_SWAP: the new one
    uint64_t compare{0};             //!< COMPARE_SWAP: what must be there
    std::vector<uint8_t> inlineData; //!< if not empty: the bytes themselves, instead of a segment
    uint32_t datagramAddress{0};     //!< UD: IPv4 of the destination, host order
    uint32_t datagramQpn{0};         //!< UD: queue pair there
    uint32_t datagramKey{0};         //!< UD: its Q_Key

    /** \return whether all but the core has its default value, so that the core says everything */
    bool IsPlain() const
    {
        return operation == Operation::WRITE && localKey == 0 && inlineData.empty();
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORK_REQUEST_H
