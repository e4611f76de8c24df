/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FABRIC_MONITOR_H
#define ROCE_FABRIC_MONITOR_H

#include "roce-host-directory.h"
#include "roce-run-result.h"
#include "roce-time-series.h"

#include "ns3/roce-switch.h"
#include "ns3/simple-ref-count.h"

#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * One request that has ended with success.
 *
 * WRITE and SEND stand for their forms with immediate data or invalidation too. READs and atomics
 * bring their data to `host`: arrived = completed. A request over UC has no acknowledgement: it
 * gets its record when it has arrived, and completed = arrived.
 */
struct MessageRecord
{
    Operation operation{Operation::WRITE};          //!< what was asked for
    TransportService service{TransportService::RC}; //!< of the queue pair
    uint32_t host{0};                               //!< index of the host that posted it
    uint32_t peer{0};  //!< index of the other one, or HostDirectory::NOBODY
    uint32_t qpn{0};   //!< queue pair at the first one
    uint64_t id{0};    //!< WorkRequest::id
    uint64_t bytes{0}; //!< length
    Tick posted{0};    //!< when it was posted
    Tick arrived{0};   //!< when its data was whole where it goes; `completed` if not known
    Tick completed{0}; //!< when it ended at the sender
};

/**
 * Watches a fabric and says what a run came to.
 *
 * Models: the counters of all NICs, switches and ports, read once at the end, and traces of
 * completions, arrivals, CNPs and PFC transitions. FCT is from post to the completion at the
 * sender; time to data (TTD) from post until the message is whole at the receiver. UC requests
 * complete when they are sent: their FCT ends with the arrival, which is found by the number of
 * the last packet; those that do not arrive are lost. Utilization of a link direction is the bits
 * of its frames with preamble and gap / (rate * time from the first post to the last completion);
 * its mean is over the directions that carried data, told by a mean frame, pause frames aside,
 * that is longer than a CNP or READ request (78 bytes); atomics count as data.
 *
 * Invariants: watching changes no result; messages = requests of RC completed with success + of UC
 * that arrived, since it was made; TTD <= FCT. LINK_DOWN drops are those of ports (which count
 * queued frames too), so none counts twice.
 *
 * Leaves out: what happened before it was made, but counters start with the fabric; times of
 * datagrams (UD), whose arrival tells nobody which of them it is; holes in the first parts of a UC
 * request above 2^31 bytes.
 */
class FabricMonitor : public SimpleRefCount<FabricMonitor>
{
  public:
    /** Time of a message alone, in ns: of its record, both hosts known. */
    using IdealTime = std::function<double(const MessageRecord&)>;

    /**
     * \param hosts nodes with a Nic each
     * \param switches nodes with a Switch each
     * \param ids what reports call the hosts; empty: the ids of the nodes
     */
    FabricMonitor(const NodeContainer& hosts,
                  const NodeContainer& switches,
                  const std::vector<uint32_t>& ids = {});
    ~FabricMonitor();

    /**
     * Ask for slowdowns.
     * \param ideal time of a message alone. A difference of up to one tick is none: slowdown 1
     */
    void SetIdealTime(IdealTime ideal);

    /** \return requests that have ended with success, in order of completion; not those of UD */
    const std::vector<MessageRecord>& GetMessages() const;

    /** \return the hosts */
    const HostDirectory& GetHosts() const;

    /** \return tick of the first post of a message that is done or under way; NEVER if none */
    Tick GetFirstPost() const;

    /** \return tick of the last completion, failed ones included; 0 if none */
    Tick GetLastCompletion() const;

    /** \return seconds from the first post to the last completion, or to now if requests are open
     */
    double GetWorkSeconds() const;

    /** \return utilization of the link direction that ends at a port; 0 if nothing but pause frames
     *  came. \param port the port \param seconds of work, as GetWorkSeconds gives */
    static double GetUtilization(const Port& port, double seconds);

    /**
     * \param label name of the run
     * \return all but wall and CPU time and the stall report
     */
    RunResult Collect(const std::string& label) const;

  private:
    static void OnCompleted(FabricMonitor* self, uint32_t host, const Completion& completion);
    static void OnArrived(FabricMonitor* self, uint32_t host, const Completion& completion);
    static void OnState(FabricMonitor* self, uint32_t host, uint32_t qpn, QueuePairState state);
    static void OnCnp(FabricMonitor* self, uint32_t qpn, Tick now);
    static void OnPfc(FabricMonitor* self, uint32_t port, uint32_t priority, bool xoff);

    /** Arrivals of one queue pair that have not been matched with completions. */
    struct Arrivals
    {
        std::vector<Tick> ticks;
        std::size_t head{0};
    };

    /** A UC request that is sent and has not arrived. */
    struct Unconfirmed
    {
        uint64_t end; //!< number behind its last packet
        MessageRecord record;
    };

    Tick TakeArrival(uint32_t host, const QueuePair& qp, const Completion& completion);
    void Confirm(uint64_t key, uint64_t end, Tick now);
    void CollectMessages(RunResult& result) const;
    void CollectNics(RunResult& result) const;
    void CollectSwitches(RunResult& result) const;
    void CollectPorts(RunResult& result) const;
    void CollectPort(const Port& port, RunResult& result, Tick end) const;
    static bool CarriesData(const Port& port);

    HostDirectory m_hosts;
    std::vector<Ptr<Switch>> m_switches;
    std::vector<Ptr<Port>> m_ports; //!< of hosts, then of switches
    Ptr<EventCore> m_core;
    uint64_t m_eventsBefore{0};
    uint64_t m_hopsBefore{0};
    IdealTime m_ideal;
    std::vector<MessageRecord> m_messages;
    std::unordered_map<uint64_t, Arrivals> m_arrivals; //!< by host and qpn of the sender
    std::unordered_map<uint64_t, std::deque<Unconfirmed>> m_unconfirmed; //!< UC, by the same
    uint64_t m_notArrived{0};      //!< UC requests sent and not arrived, so far
    uint64_t m_notArrivedBytes{0}; //!< their bytes
    Tick m_firstPost{NEVER};
    Tick m_lastCompletion{0};
    TimeSeries m_cnps{TimeSeries::Merge::SUM};
    TimeSeries m_xoffs{TimeSeries::Merge::SUM};
    std::vector<Callback<void, const Completion&>> m_onCompleted;
    std::vector<Callback<void, const Completion&>> m_onArrived;
    std::vector<Callback<void, uint32_t, QueuePairState>> m_onState;
    Callback<void, uint32_t, Tick> m_onCnp;
    Callback<void, uint32_t, uint32_t, bool> m_onPfc;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FABRIC_MONITOR_H
