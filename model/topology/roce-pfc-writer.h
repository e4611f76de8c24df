/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PFC_WRITER_H
#define ROCE_PFC_WRITER_H

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{
namespace roce
{

/// One row of pfc.txt: a pause or resume that arrived at a port.
struct PfcRecord
{
    uint64_t timeNs{0};   //!< arrival, nanoseconds
    uint32_t node{0};     //!< id of the node that received it
    bool isSwitch{false}; //!< written as 1 for a switch, 0 for a host
    uint32_t port{0};     //!< port of the node, from 0; written plus 1 as the originals count
    bool pause{false};    //!< written as 1 for pause, 0 for resume
};

/**
 * \brief Writes pfc.txt as the HPCC artifact does, byte for byte.
 *
 * Models the log of priority flow control: "time node node-type interface type".
 *
 * Format of alibaba-edu HPCC, where interface 0 is the loopback, so port p is interface p + 1.
 *
 * Invariants: one line a record.
 *
 * Left out: the priority; the format has no column for it.
 */
class PfcWriter
{
  public:
    /** \param out where rows go; must outlive this object */
    explicit PfcWriter(std::ostream& out);

    /** Write a row; std::runtime_error if the stream fails. \param record the row */
    void Write(const PfcRecord& record);

    /** \return a row without the line end. \param record the row */
    static std::string Format(const PfcRecord& record);

  private:
    std::ostream* m_out; //!< where rows go
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_PFC_WRITER_H */
