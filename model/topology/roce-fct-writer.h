/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FCT_WRITER_H
#define ROCE_FCT_WRITER_H

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{
namespace roce
{

/// One row of fct.txt.
struct FctRecord
{
    uint32_t sourceAddress{0};      //!< IPv4, host order
    uint32_t destinationAddress{0}; //!< IPv4, host order
    uint16_t sourcePort{0};         //!< from 10000 up for the flows of a pair
    uint16_t destinationPort{0};    //!< the dport column of the flow file
    uint64_t sizeBytes{0};          //!< message size
    uint64_t startNs{0};            //!< creation of the queue pair
    uint64_t fctNs{0};              //!< until the ACK of the last byte
    uint64_t standaloneNs{0};       //!< see ArtifactBaseline
};

/**
 * \brief Writes fct.txt as the HPCC artifact does, byte for byte.
 *
 * Models the flow completion file: "sip dip sport dport size start fct standalone", addresses as 8
 * hex digits, times in nanoseconds, one row a flow in order of completion.
 *
 * Format of alibaba-edu HPCC, also inet-tub, astra-network-ns3 and ns-3-alibabacloud.
 *
 * Invariants: one line a record; nothing is rounded or cut.
 *
 * Left out: conweave's variant with decimal node ids.
 */
class FctWriter
{
  public:
    /** \param out where rows go; must outlive this object */
    explicit FctWriter(std::ostream& out);

    /** Write a row; std::runtime_error if the stream fails. \param record the row */
    void Write(const FctRecord& record);

    /** \return a row without the line end. \param record the row */
    static std::string Format(const FctRecord& record);

  private:
    std::ostream* m_out; //!< where rows go
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FCT_WRITER_H */
