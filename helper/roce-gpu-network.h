/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_GPU_NETWORK_H
#define ROCE_GPU_NETWORK_H

#include "roce-admission-helper.h"
#include "roce-fabric.h"
#include "roce-gpu-map.h"

#include "ns3/object-factory.h"
#include "ns3/roce-communicator.h"
#include "ns3/roce-nvlink-domain.h"
#include "ns3/simple-ref-count.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * How the GPUs of a fabric reach each other, and the channels between them.
 *
 * Models: two GPUs of a server use its NVLink domain; others connections between their NICs, each
 * of one or more queue pairs; with PXN, by way of the GPU of the sender's server that has the slot
 * (rail) of the receiver; with admission, channels on which the receiver grants chunks.
 * \code
 * auto network = Create<GpuNetwork>(fabric, GpuMap::NicPerGpu(graph, 8));
 * network->SetQueuePairs(4);
 * Ptr<Communicator> all = network->MakeCommunicator({0, 1, 2, 3, 8, 9, 10, 11});
 * \endcode
 * Settings count for channels made from then on. Keep it as long as its communicators.
 *
 * Source: NCCL's transports (P2P, NET) and its PXN.
 *
 * Invariants: all channels within a server share one domain; the same calls make the same
 * connections.
 *
 * Leaves out: GPUs of a server without NVLink that share a NIC, which are refused: a NIC does not
 * talk to itself.
 */
class GpuNetwork : public SimpleRefCount<GpuNetwork>
{
  public:
    /** \param fabric where \param gpus of this fabric */
    GpuNetwork(Ptr<Fabric> fabric, const GpuMap& gpus);
    ~GpuNetwork();

    /** \param count queue pairs of a connection, 1 to 1024, else std::invalid_argument */
    void SetQueuePairs(uint32_t count);

    /** \param name attribute of QueuePairChannel, such as Policy or ProxyDelay \param value its
     *  value */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /** \param options of the queue pairs */
    void SetConnectionOptions(const ConnectionOptions& options);

    /** \param use whether GPUs of a server use NVLink (default); else their NICs */
    void SetNvlink(bool use);

    /** \param name attribute of NvlinkDomain, of servers not used yet \param value its value */
    void SetNvlinkAttribute(const std::string& name, const AttributeValue& value);

    /** \param use whether messages to another server take the rail of the receiver; needs NVLink */
    void SetPxn(bool use);

    /** Receivers admit data from now on. \return what to set limits and attributes of channels
     *  with, before the first one is made */
    AdmissionHelper& EnableAdmission();

    /** \param options how the ranks of communicators work that are made from now on */
    void SetEngineOptions(const CollectiveEngineOptions& options);

    /** \return the fabric */
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    /** \return the GPUs */
    const GpuMap& GetGpus() const
    {
        return m_gpus;
    }

    /**
     * \param gpus by rank; std::invalid_argument if one is not there or there twice
     * \return a communicator of these; keep it while the simulation runs
     */
    Ptr<Communicator> MakeCommunicator(const std::vector<uint32_t>& gpus);

    /** \return a new channel; throws as Fabric::Connect. \param from GPU that sends
     *  \param to another GPU, that receives */
    Ptr<MessageChannel> MakeChannel(uint32_t from, uint32_t to);

    /** \return the node of a GPU. \param gpu its number */
    Ptr<Node> GetNode(uint32_t gpu) const
    {
        return m_fabric->GetNode(m_gpus.At(gpu).host);
    }

    /** \return the links of a server; nullptr if none of its channels has needed them.
     *  \param server its number */
    Ptr<NvlinkDomain> GetNvlink(uint32_t server) const;

  private:
    Ptr<NvlinkDomain> UseNvlink(uint32_t server);
    Ptr<MessageChannel> MakeInside(uint32_t from, uint32_t to);
    Ptr<MessageChannel> MakeOutside(uint32_t from, uint32_t to);

    Ptr<Fabric> m_fabric;
    GpuMap m_gpus;
    uint32_t m_queuePairs{1};
    ObjectFactory m_channel;
    ObjectFactory m_nvlink;
    ConnectionOptions m_options;
    bool m_useNvlink{true};
    bool m_pxn{false};
    std::unique_ptr<AdmissionHelper> m_admission;
    CollectiveEngineOptions m_engine;
    std::map<uint32_t, Ptr<NvlinkDomain>> m_domains; //!< by server
};

} // namespace roce
} // namespace ns3

#endif // ROCE_GPU_NETWORK_H
