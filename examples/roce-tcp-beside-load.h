/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TCP_BESIDE_LOAD_H
#define ROCE_TCP_BESIDE_LOAD_H

#include "roce-tcp-beside-setup.h"

#include "ns3/roce-completion-queue.h"
#include "ns3/roce-distribution.h"

#include <array>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What came of RoCE or of TCP in one run. Counts are those of the window. */
struct BesideFigures
{
    std::string row;           //!< name in the table
    Distribution ttdNs;        //!< time to data of the counted messages
    double goodputBps{0};      //!< payload that arrived in order
    uint64_t lossyDrops{0};    //!< frames, whole fabric
    uint64_t losslessDrops{0}; //!< frames, whole fabric
    uint64_t resent{0};        //!< packets or segments sent again
    uint64_t timeouts{0};      //!< retransmission timers
    uint64_t marks{0};         //!< CE set on frames of its priority
    uint64_t xoff{0};          //!< transitions into the paused state, whole fabric
    double queueMean{0};       //!< bytes of its priority at the port of the receiver
    double queueMax{0};        //!< largest of the samples
    bool failed{false};        //!< a TCP connection was given up
};

/**
 * Senders of RoCE, of TCP or of both, each with one message after the other to the same host.
 *
 * Models: a sender goes on with the next message when the one before is acknowledged, until the
 * window ends; what is under way then is finished. Warm-up and window last as long as --warmup and
 * --messages of each sender take at line rate. Counted are messages that arrive after the warm-up
 * and were sent before the end, however long they take: one that waits for a timer is not left out.
 *
 * Invariants: the same seed draws the same hosts and begins for each label; all senders send
 * throughout the window, so that no one gets the share of those who are done.
 *
 * Leaves out: an end of the competition after the window for what is under way then.
 */
class BesideLoad
{
  public:
    /** Connect. Keep until the run has ended. \param settings what was chosen \param setup made the
     *  fabric \param label of the run \param seed draws hosts and begins \param fabric the fabric
     */
    BesideLoad(const BesideSettings& settings,
               const BesideSetup& setup,
               const std::string& label,
               uint32_t seed,
               Ptr<Fabric> fabric);
    ~BesideLoad();

    /** Schedule the first messages. */
    void Start();

    /** \return one entry for RoCE, one for TCP. \param run the run, after Run */
    std::vector<BesideFigures> Measure(const ExperimentRun& run) const;

    /** \return bytes that TCP shares in the switch of the receiver, its reserves not among them */
    uint64_t GetLossyPool() const;

  private:
    /** A sender. */
    struct Loop
    {
        Time begin;
        Connection connection;
        Ptr<CompletionQueue> completions;
        Ptr<TcpMessageStream> stream; //!< TCP only
    };

    /** Counters at one time. */
    struct Counts
    {
        uint64_t lossy{0}, lossless{0}, xoff{0};
        std::array<uint64_t, 2> bytes{}, resent{}, timeouts{}, marks{}; //!< RoCE, TCP
    };

    void AddRoce(uint32_t host, Time begin);
    void AddTcp(uint32_t host, Time begin, uint16_t port, const TcpOptions& options);
    void OnMark(const Frame& frame, uint32_t port);
    void Post(Loop& loop);
    void Begin();
    void Sample();
    void End();
    bool HasFailed() const;
    Counts Read() const;
    BesideFigures Fill(bool tcp) const;
    void FillRoce(BesideFigures& figures, const ExperimentRun& run) const;
    void FillTcp(BesideFigures& figures) const;

    BesideSettings m_settings;
    std::string m_label;
    uint64_t m_bytes;
    Ptr<Fabric> m_fabric;
    std::vector<Loop> m_roce;
    std::vector<Loop> m_tcp;
    Time m_begin; //!< of the window
    Time m_end;   //!< of it
    Counts m_before;
    Counts m_after;
    std::array<uint64_t, 2> m_marks{};
    std::array<Distribution, 2> m_queues; //!< samples in the window
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TCP_BESIDE_LOAD_H
