/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PFC_SPIKE_DETECTOR_H
#define ROCE_PFC_SPIKE_DETECTOR_H

#include "roce-heartbeat.h"

#include "ns3/object.h"
#include "ns3/roce-switch.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/** Many pauses at one port within an interval. */
struct PfcSpike
{
    uint32_t node{0};     //!< Switch::GetId, or what reports call the host
    bool host{false};     //!< whether it is a host
    uint32_t port{0};     //!< the port that was paused
    uint32_t priority{0}; //!< priority
    uint64_t xoffs{0};    //!< pause frames for it in the interval
    Tick at{0};           //!< end of the interval
};

/**
 * Tells when a port is paused often.
 *
 * Models: a monitoring system that reads the counters of received pause frames of all ports every
 * Interval and raises an alarm for each counter that grew by Threshold or more.
 *
 * Clause: none; the practice of operators who watch rates of pause frames.
 *
 * Invariants: it stops by itself when the fabric is idle (Heartbeat); each frame is in one
 * interval; with it and without it a run gives the same results.
 *
 * Leaves out: an interval that has not ended when the fabric is idle.
 */
class PfcSpikeDetector : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PfcSpikeDetector();
    ~PfcSpikeDetector() override;

    /**
     * Begin to watch.
     * \param hosts nodes with a Nic each
     * \param switches nodes with a Switch each
     * \param ids what reports call the hosts; empty: the ids of the nodes
     */
    void Install(const NodeContainer& hosts,
                 const NodeContainer& switches,
                 const std::vector<uint32_t>& ids = {});

    /** Begin again after a quiet time; not needed with NICs that trace "Posted". */
    void Start();

    /** \return spikes so far */
    uint64_t GetSpikes() const;

    /** \return the one with most pause frames; xoffs 0 if there was none */
    const PfcSpike& GetPeak() const;

    /** TracedCallback signature. \param [in] spike what was seen */
    typedef void (*SpikeTracedCallback)(const PfcSpike& spike);

  private:
    /** A port and its counters at the last look. */
    struct Watched
    {
        Ptr<Port> port;
        uint32_t node;
        bool host;
        std::array<uint64_t, NUM_PRIORITIES> xoffs;
    };

    void DoDispose() override;
    void Add(Ptr<Port> port, uint32_t node, bool host);
    void Look(Tick now);

    HostDirectory m_hosts;
    std::vector<Watched> m_ports;
    std::unique_ptr<Heartbeat> m_heartbeat;
    uint64_t m_spikes{0};
    PfcSpike m_peak;

    // attributes
    Time m_interval;
    uint64_t m_threshold;

    TracedCallback<const PfcSpike&> m_spikeTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PFC_SPIKE_DETECTOR_H
