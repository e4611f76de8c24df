/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HELPER_H
#define ROCE_HELPER_H

#include "roce-congestion-stack.h"
#include "roce-fabric.h"

#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"

#include <optional>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Builds a fabric from a graph.
 *
 * Models: ns-3's helper pattern: factories with attributes for each part, then Install. Pcap files
 * of any port come through PcapHelperForDevice (link type Ethernet, nanoseconds).
 *
 * Invariants: nodes are made in the order of the graph, so the same graph gives the same node ids.
 *
 * Leaves out: traffic; link and node failures other than Fabric::SetLinkUp.
 */
class RoceHelper : public PcapHelperForDevice
{
  public:
    RoceHelper();

    /**
     * \param name attribute of all ports; Scheduler is refused (std::invalid_argument): see
     *             SetScheduler, which makes one a port
     * \param value its value
     */
    void SetPortAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of all switches \param value its value */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of all NICs \param value its value */
    void SetNicAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of all notification points \param value its value */
    void SetCnpAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of all ECN markers \param value its value */
    void SetEcnAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of all PFC controllers \param value its value */
    void SetPfcAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of BufferOptions, at all switches \param value its value */
    void SetBufferAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Ports of one rate get thresholds of their own.
     * \param rate bit/s
     * \param kmin bytes
     * \param kmax bytes
     * \param pmax probability at kmax
     */
    void SetEcnThresholds(uint64_t rate, uint64_t kmin, uint64_t kmax, double pmax);

    /**
     * Choose the law of senders; what it needs of switches and receivers comes with it.
     * \param type TypeId name of a CongestionControl, or a short name: none, dcqcn, dctcp, timely,
     *             patched-timely, swift, hpcc, hpcc-rate, powertcp, theta-powertcp, hcc; throws
     *             std::invalid_argument naming the known ones
     */
    void SetCongestionControl(const std::string& type);

    /** Replace what SetCongestionControl brought for switches and receivers; call it after that.
     *  \param stack marking, notification and telemetry */
    void SetCongestionStack(const CongestionStack& stack);

    /** \param name attribute of the congestion control \param value its value */
    void SetCongestionControlAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param type TypeId name of a LossRecovery, or the short names go-back-n, go-back-0 and irn
     *             (selective repeat); throws std::invalid_argument naming the known ones
     */
    void SetLossRecovery(const std::string& type);

    /** \param name attribute of the loss recovery \param value its value */
    void SetLossRecoveryAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of TransportOptions, at all NICs \param value its value */
    void SetTransportAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param type TypeId name of a LoadBalancer, or a short name: conga, dlb, drill, e-ecmp, ecmp,
     * flowlet, hpcc, letflow, pinned, spray; throws std::invalid_argument naming the known ones
     */
    void SetLoadBalancer(const std::string& type);

    /** \param name attribute of the load balancers, after SetLoadBalancer \param value its value */
    void SetLoadBalancerAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Let senders pick paths: the UDP source port of each message that finds nothing open. Call it
     * before SetCongestionStack: the stack of the law then brings telemetry that names ports.
     * \param type TypeId name of a PathChooser, or the short names ecmp (none) and int-oracle;
     *             throws std::invalid_argument naming the known ones
     * \param attributes names and values
     */
    void SetPathChooser(const std::string& type, const CongestionStack::Values& attributes = {});

    /**
     * Give each port a transmission selection of its own instead of strict priority.
     * \param type TypeId name of a PortScheduler, or the short names strict and dwrr; throws
     *             std::invalid_argument naming the known ones
     */
    void SetScheduler(const std::string& type);

    /** \param name attribute of all schedulers, after SetScheduler \param value its value */
    void SetSchedulerAttribute(const std::string& name, const AttributeValue& value);

    /** \param order order of equal-cost members */
    void SetMemberOrder(MemberOrder order);

    /** \param sizes bytes frames occupy */
    void SetFrameSizes(const FrameSizes& sizes);

    /**
     * Choose numbers of each switch port by functions.
     * \param headroom bytes of headroom for a rate in bit/s and a delay in ticks; empty: by the
     *        switch's own rule
     * \param alpha dynamic threshold factor for a rate in bit/s; empty: the switch's attribute
     */
    void SetPortRules(std::function<uint32_t(uint64_t rate, Tick delay)> headroom,
                      std::function<double(uint64_t rate)> alpha);

    /**
     * Build the fabric. Throws std::invalid_argument if the graph or the settings are impossible,
     * such as headroom that does not fit; there are no nodes of it then.
     * \param graph the plan
     * \param partition whether hosts without a path between them are a fault
     * \return the fabric
     */
    Ptr<Fabric> Install(const FabricGraph& graph,
                        PartitionPolicy partition = PartitionPolicy::Refuse) const;

    /**
     * Give all hosts an IPv4 stack on their ports, with the addresses of the fabric.
     * \param fabric a fabric
     */
    void InstallInternet(Ptr<Fabric> fabric) const;

    /**
     * \param fabric a fabric
     * \param stream first random stream to use
     * \return streams used
     */
    int64_t AssignStreams(Ptr<Fabric> fabric, int64_t stream) const;

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    Ptr<Port> MakePort(const FabricLink& link) const;

    /** What is built, before there are nodes; in the order of the graph. */
    struct Devices
    {
        std::vector<Ptr<Nic>> nics;
        std::vector<Ptr<Switch>> switches;
    };

    Ptr<Nic> MakeNic(const std::vector<Ptr<Port>>& ports, const CongestionStack& stack) const;
    Ptr<Switch> MakeSwitch(const FabricGraph& graph,
                           uint32_t id,
                           const std::vector<Ptr<Port>>& ports,
                           const CongestionStack& stack) const;
    void MakeDevices(Ptr<Fabric> fabric, const CongestionStack& stack, Devices& devices) const;
    void MakeCables(Ptr<Fabric> fabric) const;
    void MakeRoutes(Ptr<Fabric> fabric, const Devices& devices) const;
    static void MakeNodes(Ptr<Fabric> fabric, const Devices& devices);
    static void Drop(Ptr<Fabric> fabric, const Devices& devices);

    ObjectFactory m_port;
    ObjectFactory m_switch;
    ObjectFactory m_nic;
    ObjectFactory m_control;
    ObjectFactory m_recovery;
    ObjectFactory m_balancer;
    ObjectFactory m_paths;                  //!< without a type: none
    ObjectFactory m_scheduler;              //!< without a type: strict priority
    std::optional<CongestionStack> m_stack; //!< without: that of the law
    CongestionStack::Values m_cnp;
    CongestionStack::Values m_ecn;
    CongestionStack::Values m_pfc;
    CongestionStack::Values m_buffer;
    CongestionStack::Values m_transport;

    struct RateThresholds
    {
        uint64_t rate, kmin, kmax;
        double pmax;
    };

    std::vector<RateThresholds> m_thresholds;
    MemberOrder m_order{MemberOrder::PortOrder};
    FrameSizes m_sizes;
    std::function<uint32_t(uint64_t, Tick)> m_headroom;
    std::function<double(uint64_t)> m_alpha;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HELPER_H
