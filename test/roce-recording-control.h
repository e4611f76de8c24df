/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECORDING_CONTROL_H
#define ROCE_RECORDING_CONTROL_H

#include "ns3/roce-cnp-body.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/roce-int-record.h"

#include <vector>

namespace ns3
{
namespace roce
{

/** A congestion control that sends at line rate and notes what it is told. */
class RecordingControl : public CongestionControl
{
  public:
    /** \return the object TypeId */
    static TypeId GetTypeId();

    std::vector<CnpBody> bodies;    //!< of CNPs with a body
    uint32_t plain{0};              //!< CNPs without
    std::vector<IntRecord> records; //!< that came with ACKs
    uint64_t acks{0};               //!< ACKs
    bool keep{true};                //!< whether all records are kept, or only the last

  private:
    void DoStart(Tick now) override;
    void DoCnp(const CnpInfo& cnp, Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RECORDING_CONTROL_H
