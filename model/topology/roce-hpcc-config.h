/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_HPCC_CONFIG_H
#define ROCE_HPCC_CONFIG_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/// A key that was read but changes nothing here.
struct HpccIgnoredKey
{
    std::string key;   //!< the key
    std::string value; //!< its value as written
    uint32_t line{0};  //!< line in the file
    std::string why;   //!< why it has no effect
};

/// LINK_DOWN: a link that fails during the run.
struct HpccLinkDown
{
    uint64_t timeUs{0}; //!< microseconds after the 2 s at which the originals start; 0 = never
    uint32_t a{0};      //!< id of one end
    uint32_t b{0};      //!< id of the other end
};

/**
 * \brief The settings of an HPCC-style config file.
 *
 * Models the config.txt of alibaba-edu HPCC and of its relatives astra-network-ns3, SimAI and
 * conweave-ns3. Field order and units are those of the file: intervals in microseconds, thresholds
 * in units of 1000 bytes, the buffer in MiB.
 *
 * Defaults are what HPCC's third.cc uses for a missing key. Where it has none (RP_TIMER, RATE_AI,
 * RATE_HAI) or an integer division makes it 0 (EWMA_GAIN), they are those of its class RdmaHw.
 *
 * Invariants: a config that the reader returned has each number in the range of its key; the three
 * ECN maps have the same rates.
 *
 * Left out: meaning. Helpers decide what a setting does in this module.
 */
struct HpccConfig
{
    // ---- files
    std::string topologyFile;             //!< TOPOLOGY_FILE
    std::string flowFile;                 //!< FLOW_FILE
    std::string fctOutputFile{"fct.txt"}; //!< FCT_OUTPUT_FILE
    std::string pfcOutputFile{"pfc.txt"}; //!< PFC_OUTPUT_FILE
    std::string qlenMonFile;              //!< QLEN_MON_FILE
    uint64_t qlenMonStartNs{2000000000};  //!< QLEN_MON_START
    uint64_t qlenMonEndNs{2100000000};    //!< QLEN_MON_END

    // ---- run
    double simulatorStopTimeS{3.01}; //!< SIMULATOR_STOP_TIME, seconds; may be beyond any clock
    uint64_t randomSeed{0};          //!< RANDOM_SEED; 0 = not given

    // ---- links and packets
    uint32_t packetPayloadBytes{1000}; //!< PACKET_PAYLOAD_SIZE
    double errorRatePerLink{0};        //!< ERROR_RATE_PER_LINK, chance for a packet
    HpccLinkDown linkDown;             //!< LINK_DOWN

    // ---- switches
    bool enableQcn{true};                //!< ENABLE_QCN: mark ECN
    bool enablePfc{true};                //!< ENABLE_PFC (conweave)
    bool useDynamicPfcThreshold{true};   //!< USE_DYNAMIC_PFC_THRESHOLD
    uint64_t bufferSizeMiB{16};          //!< BUFFER_SIZE
    std::map<uint64_t, uint64_t> kminKb; //!< KMIN_MAP: bits a second to 1000 bytes
    std::map<uint64_t, uint64_t> kmaxKb; //!< KMAX_MAP: bits a second to 1000 bytes
    std::map<uint64_t, double> pmax;     //!< PMAX_MAP: bits a second to probability

    // ---- transport
    uint64_t l2ChunkBytes{0};         //!< L2_CHUNK_SIZE
    uint32_t l2AckIntervalPackets{0}; //!< L2_ACK_INTERVAL, an ACK each so many packets; 0 = none
    bool l2BackToZero{false};         //!< L2_BACK_TO_ZERO
    bool hasWin{true};                //!< HAS_WIN: window of one bandwidth-delay product
    bool globalT{true};               //!< GLOBAL_T: the window and RTT of the longest pair for all
    bool varWin{false};               //!< VAR_WIN: the window shrinks with the rate
    bool ackHighPrio{false};          //!< ACK_HIGH_PRIO, acts in the host only

    // ---- congestion control
    uint32_t ccMode{1};                  //!< CC_MODE: 1 DCQCN, 3 HPCC, 7 TIMELY, 8 DCTCP, 12 none
    double alphaResumeIntervalUs{55};    //!< ALPHA_RESUME_INTERVAL
    double rateDecreaseIntervalUs{4};    //!< RATE_DECREASE_INTERVAL
    bool clampTargetRate{false};         //!< CLAMP_TARGET_RATE
    double rpTimerUs{1500};              //!< RP_TIMER
    double ewmaGain{1.0 / 16};           //!< EWMA_GAIN
    uint32_t fastRecoveryTimes{5};       //!< FAST_RECOVERY_TIMES
    uint64_t rateAiBps{5000000};         //!< RATE_AI
    uint64_t rateHaiBps{50000000};       //!< RATE_HAI
    uint64_t minRateBps{100000000};      //!< MIN_RATE
    uint64_t dctcpRateAiBps{1000000000}; //!< DCTCP_RATE_AI
    bool fastReact{true};                //!< FAST_REACT
    double uTarget{0.95};                //!< U_TARGET
    uint32_t miThresh{5};                //!< MI_THRESH
    uint32_t intMulti{1};                //!< INT_MULTI
    bool multiRate{true};                //!< MULTI_RATE
    bool rateBound{true};                //!< RATE_BOUND

    std::vector<HpccIgnoredKey> ignored; //!< keys without effect, for the caller to print
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_HPCC_CONFIG_H */
