/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RUN_RESULT_H
#define ROCE_RUN_RESULT_H

#include "roce-distribution.h"
#include "roce-stall-report.h"

#include "ns3/roce-drop-reason.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/** What one run came to; one entry of "runs" in a result file. Units are in the names. */
struct RunResult
{
    std::string label; //!< name of the run

    double simTimeS{0};    //!< simulated time of the last completion; of the end if there is none
    double wallS{0};       //!< elapsed time of Simulator::Run
    uint64_t events{0};    //!< events of the module (EventCore), not those of ns-3
    uint64_t frameHops{0}; //!< frames received by any port, data and control

    uint64_t posted{0};         //!< work requests posted
    uint64_t completed{0};      //!< of those, ended with success
    uint64_t failed{0};         //!< of those, ended with an error
    uint64_t bytesCompleted{0}; //!< bytes of the completed ones
    uint64_t lost{0};           //!< over UC: of the completed ones, not arrived

    Distribution fctNs;    //!< from post to completion at the sender (last ACK), ns
    Distribution slowdown; //!< that time / time of the same message alone
    Distribution ttdNs;    //!< time to data: from post until whole at the receiver, ns

    double goodputBps{0};      //!< 8 (bytesCompleted - lost bytes) / (last completion - first post)
    double utilizationMean{0}; //!< over the link directions that carried data
    double utilizationBottleneck{0}; //!< of the busiest link direction

    std::array<uint64_t, NUM_DROP_REASONS> drops{}; //!< frames, by reason

    uint64_t xoff{0};        //!< transitions of switches into the paused state
    uint64_t xon{0};         //!< transitions out of it
    double pausedS{0};       //!< sum over ports and priorities of time paused by received frames
    uint64_t storms{0};      //!< PFC storms found by a watchdog
    uint64_t pauseFrames{0}; //!< pause frames received by any port, refreshes too
    std::vector<std::pair<double, double>> xoffPerS; //!< begin in s, XOFFs a second

    uint64_t cnpSent{0};                            //!< CNPs sent, those of switches too
    uint64_t cnpReceived{0};                        //!< CNPs received
    std::vector<std::pair<double, double>> cnpPerS; //!< begin in s, CNPs received a second

    uint64_t rateChanges{0};   //!< of all congestion controls, those of destroyed queue pairs too
    uint64_t windowChanges{0}; //!< of the same
    uint64_t intAcks{0};       //!< ACKs with telemetry that a congestion control heard

    uint64_t ecnMarked{0};     //!< frames marked CE by switches
    uint64_t retransmitted{0}; //!< request packets sent again
    uint64_t readResponses{0}; //!< READ responses sent, repeated ones included
    uint64_t naks{0};          //!< NAKs sent, RNR NAKs included
    uint64_t rnrNaks{0};       //!< RNR NAKs that arrived: a receive request was missing
    uint64_t timeouts{0};      //!< retransmission timers that expired

    StallReport stalled; //!< what has not finished

    /** \return whether congestion control has limited anybody */
    bool IsControlActive() const
    {
        return rateChanges + windowChanges > 0;
    }

    /** \return frames dropped. \param reason why */
    uint64_t GetDrops(DropReason reason) const
    {
        return drops[static_cast<unsigned>(reason)];
    }

    /** \return frames dropped for any reason but full buffers and the watchdog */
    uint64_t GetErrorDrops() const
    {
        return GetDrops(DropReason::CORRUPT) + GetDrops(DropReason::TTL) +
               GetDrops(DropReason::NO_ROUTE) + GetDrops(DropReason::LINK_DOWN) +
               GetDrops(DropReason::NO_QP);
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RUN_RESULT_H
