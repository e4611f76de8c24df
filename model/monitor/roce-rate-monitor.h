/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RATE_MONITOR_H
#define ROCE_RATE_MONITOR_H

#include "roce-heartbeat.h"

#include "ns3/object.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a law allowed at a time, and what had been done by then. */
struct RateSample
{
    Tick at{0};        //!< when
    uint64_t beat{0};  //!< beats of the monitor before it, this one included
    double rateBps{0}; //!< what the law allows
    uint64_t bytes{0}; //!< payload acknowledged since the monitor began; 0 for congestion points
};

/** The rates of a queue pair, or of one congestion point or domain that limits it. */
struct RateTrack
{
    static constexpr uint32_t OWN = UINT32_MAX;       //!< the queue pair itself
    static constexpr uint32_t PLAIN = UINT32_MAX - 1; //!< CNPs that name no point
    static constexpr uint32_t ANY = UINT32_MAX;       //!< all points of the domain together

    uint32_t host{0};                     //!< index of the host
    uint32_t peer{HostDirectory::NOBODY}; //!< index of the other one, or NOBODY
    uint32_t qpn{0};                      //!< queue pair at the first one
    uint32_t domain{OWN};                 //!< congestion domain, OWN or PLAIN
    uint32_t point{ANY};                  //!< congestion point, or ANY
    std::vector<RateSample> samples;      //!< in order of time

    /** \return whether it is of the queue pair itself */
    bool IsOwn() const
    {
        return domain == OWN;
    }
};

/**
 * Samples what congestion control allows queue pairs, and what they get.
 *
 * Models: periodic reading of the rate of the law and of the payload that is acknowledged; under
 * hierarchical congestion control also of the rate for each congestion point or domain, which is
 * line rate while it does not limit. A queue pair is read while requests are open, once more when
 * they have ended, and when it begins again.
 *
 * Invariants: it stops by itself when the fabric is idle (Heartbeat); with it and without it a run
 * gives the same results; a track has at most 3 x MAX_SAMPLES samples, whatever the length of the
 * run: when there are more, every second beat goes, in all tracks alike.
 *
 * Leaves out: what happens between two samples; queue pairs beyond the first QueuePairs.
 */
class RateMonitor : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** Samples are kept of so many beats at most. */
    static constexpr uint64_t MAX_SAMPLES = 512;

    RateMonitor();
    ~RateMonitor() override;

    /**
     * Begin to sample.
     * \param hosts nodes with a Nic each
     * \param ids what reports call the hosts; empty: the ids of the nodes
     */
    void Install(const NodeContainer& hosts, const std::vector<uint32_t>& ids = {});

    /** \return the hosts */
    const HostDirectory& GetHosts() const;

    /** \return time between samples, as asked for */
    Time GetInterval() const;

    /** \return queue pairs in the order in which they were seen, each with its points behind it */
    std::vector<RateTrack> GetTracks() const;

    /** \return queue pairs that were not followed, as there were too many */
    uint64_t GetIgnored() const;

  private:
    /** A queue pair that is followed. */
    struct Followed
    {
        Ptr<QueuePair> qp;
        uint64_t ended{0}; //!< bytes of requests that have ended
        bool idle{false};  //!< nothing was open at the last sample
        RateTrack own;
        std::vector<std::pair<uint32_t, RateTrack>> points; //!< by key of the law
    };

    static void OnPosted(RateMonitor* self,
                         uint32_t host,
                         uint32_t qpn,
                         const WorkRequest& request);
    static void OnCompleted(RateMonitor* self, uint32_t host, const Completion& completion);
    void DoDispose() override;
    void Disconnect();
    void Follow(uint32_t host, Ptr<QueuePair> qp, Tick now);
    void Beat(Tick now);
    void Read(Followed& one, Tick now, bool open);
    void ReadPoints(Followed& one, Tick now);
    void Thin();
    static uint64_t BytesOf(const Followed& one);

    HostDirectory m_hosts;
    std::unique_ptr<Heartbeat> m_heartbeat;
    std::vector<std::unique_ptr<Followed>> m_followed;
    std::unordered_map<uint64_t, Followed*> m_byKey; //!< by host and queue pair; nullptr: ignored
    std::vector<Callback<void, uint32_t, const WorkRequest&>> m_onPosted;
    std::vector<Callback<void, const Completion&>> m_onCompleted;
    uint64_t m_beats{0};
    uint64_t m_stride{1}; //!< beats between samples
    uint64_t m_ignored{0};

    // attributes
    Time m_interval;
    uint32_t m_limit;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RATE_MONITOR_H
