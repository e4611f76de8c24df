/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RAIL_FAILOVER_H
#define ROCE_RAIL_FAILOVER_H

#include "roce-fabric.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What becomes of the queue pairs of a rail whose port, cable or switch fails.
 *
 * Models: the software of hosts with several ports. A detection delay after each change of a link,
 * and after the routes have followed it, it looks at each connected queue pair of the fabric. One
 * whose two ports have no path any more is left to its timers (WAIT), put into state ERROR with its
 * peer (FAIL), or moved with its peer to the two ports that are the fewest links apart (MOVE), as
 * RDMA bonding and the path migration of IBTA 17.2.8 do: numbers, PSNs and requests stay, and it
 * sends again from its oldest unacknowledged packet.
 *
 * Invariants: whatever the policy, a request completes at most once; with MOVE a connection that
 * has a path completes all its requests with success, in order; both ends move at one time.
 *
 * Leaves out: datagrams (UD), which have no connection; how the ends agree, which is part of the
 * delay; queue pairs whose peer is not in the fabric.
 */
class RailFailover : public Object
{
  public:
    /** What happens to a queue pair without a path. */
    enum Policy
    {
        WAIT, //!< nothing: timers retry as often as the NIC says, then it fails
        FAIL, //!< state ERROR: open requests are flushed, later ones at once
        MOVE, //!< another pair of ports, if any has a path; else as WAIT, until links change again
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    RailFailover();
    ~RailFailover() override;

    /** Act for a fabric from now on, until this is destroyed; once only. \param fabric whose;
     *  std::invalid_argument if it has a failover already */
    void Install(Ptr<Fabric> fabric);

    /** \return how often a connection has gone to other ports, back included */
    uint64_t GetMoved() const;

    /** \return connections put into state ERROR */
    uint64_t GetFailed() const;

    /** \return connections without a path that were left to their timers at the last look */
    uint64_t GetStranded() const;

    /** TracedCallback signature. \param [in] host id of it \param [in] qpn queue pair there
     *  \param [in] from port so far \param [in] to port from now on */
    typedef void (*MovedTracedCallback)(uint32_t host, uint32_t qpn, uint32_t from, uint32_t to);

  private:
    /** Two connected queue pairs and the ports they use. */
    struct Pair
    {
        Connection ends;
        HostPort a;
        HostPort b;
    };

    void DoDispose() override;
    void Stop();
    void OnLinks();
    void Look();
    bool Find(uint32_t host, Ptr<QueuePair> qp, Pair& pair) const;
    void Treat(const Pair& pair);
    void Move(const Pair& pair, const HostRoute& way);
    void MoveEnd(Ptr<Nic> nic, Ptr<QueuePair> qp, HostPort here, HostPort there, uint32_t hops);
    uint32_t CountLinks(HostPort a, HostPort b) const;
    std::vector<HostRoute> FindWays(uint32_t a, uint32_t b) const;

    Policy m_policy{MOVE};
    Time m_delay;
    bool m_return{false};
    Ptr<Fabric> m_fabric;
    std::deque<EventId> m_looks;                               //!< to come
    std::map<std::pair<uint32_t, uint32_t>, HostRoute> m_home; //!< by host and QPN, if it moved
    uint64_t m_moved{0};
    uint64_t m_failed{0};
    uint64_t m_stranded{0};
    TracedCallback<uint32_t, uint32_t, uint32_t, uint32_t> m_movedTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RAIL_FAILOVER_H
