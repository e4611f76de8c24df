/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ADMISSION_HELPER_H
#define ROCE_ADMISSION_HELPER_H

#include "roce-fabric.h"

#include "ns3/object-factory.h"
#include "ns3/roce-admitted-channel.h"

#include <map>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Connects hosts of a fabric by channels on which receivers admit data.
 *
 * Models: one ReceiverAdmission a receiving host, and a factory with attributes for the channels:
 * \code
 * AdmissionHelper admission(fabric);
 * admission.SetLimitBdp(2);
 * Ptr<AdmittedChannel> channel = admission.Connect(0, 4);
 * channel->Expect(1000000);
 * channel->Send(1000000);
 * \endcode
 *
 * Invariants: channels to one host share one accounting; a limit in BDPs is rate of the first port
 * of the receiver x the longest base round trip of its channels, times the factor.
 *
 * Leaves out: congestion control, which the fabric has or has not ("none" is what the scheme runs
 * with).
 */
class AdmissionHelper
{
  public:
    /** \param fabric where */
    explicit AdmissionHelper(Ptr<Fabric> fabric);

    /** Setters of limits throw std::invalid_argument once a channel is there.
     *  \param bytes in flight to a host at most; 0: only slots limit them, as in NCCL */
    void SetLimitBytes(uint64_t bytes);

    /** \param factor above 0, finite: bytes in flight to a host at most, in bandwidth x delay */
    void SetLimitBdp(double factor);

    /** \param name attribute of AdmittedChannel; of channels made from now on \param value its
     *  value */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Connect two hosts. Throws as Fabric::Connect and AdmittedChannel::Connect.
     * \param source id of the sender
     * \param destination id of the receiver, another host
     * \param options of the queue pairs of data
     * \return the channel; keep it while the simulation runs
     */
    Ptr<AdmittedChannel> Connect(uint32_t source,
                                 uint32_t destination,
                                 const ConnectionOptions& options = {});

    /** The same for queue pairs that are connected already. \param connection from Fabric::Connect
     *  \param source id of the sender \param destination id of the receiver \return the channel */
    Ptr<AdmittedChannel> Connect(const Connection& connection,
                                 uint32_t source,
                                 uint32_t destination);

    /** \return accounting of a receiver; nullptr if no channel leads to it. \param destination id
     *  of a host */
    Ptr<ReceiverAdmission> GetAdmission(uint32_t destination) const;

  private:
    void CheckUnused() const;
    Ptr<ReceiverAdmission> Prepare(uint32_t source, uint32_t destination);

    Ptr<Fabric> m_fabric;
    ObjectFactory m_channel;
    uint64_t m_limitBytes{0};
    double m_limitBdp{0}; //!< 0: in bytes
    std::map<uint32_t, Ptr<ReceiverAdmission>> m_admissions;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ADMISSION_HELPER_H
