/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TCP_BESIDE_SETUP_H
#define ROCE_TCP_BESIDE_SETUP_H

#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-tcp-message-stream.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What the user may choose. */
struct BesideSettings
{
    std::string runs{"hcc,dcqcn,pfc,pfc-cap,tcp-dctcp,tcp-cubic,mixed,mixed-dwrr"}; //!< labels
    uint32_t senders{8};         //!< hosts that send to one
    std::string size{"4MB"};     //!< of a message
    uint32_t messages{20};       //!< of each sender at line rate: the window
    uint32_t warmup{4};          //!< the same before it
    uint32_t seeds{3};           //!< runs of each
    uint32_t first{1};           //!< first seed
    uint32_t mss{1448};          //!< payload of a full TCP segment
    std::string minRto{"200ms"}; //!< least retransmission timeout of TCP
    uint32_t ackEvery{1};        //!< TCP segments an ACK
    std::string mark{"100kB"};   //!< K of DCTCP
    std::string buffer{"500kB"}; //!< of a switch, for each 100 Gb/s of its ports
    double lossyPool{0.2};       //!< part of the shared buffer for TCP
};

/**
 * The fabric, and how RoCE and TCP are set for each label.
 *
 * Models: 8 racks of 8 hosts under 8 spines, all links 100 Gb/s, cables of 100 ns to hosts and 400
 * ns to spines, as the headline scenarios. RoCE data have priority 3, lossless; TCP has priority 0,
 * lossy, with a pool of its own.
 *
 * Invariants: the same hosts, begins and buffers for all labels of a seed.
 *
 * Leaves out: traffic.
 */
class BesideSetup
{
  public:
    static constexpr unsigned ROCE_PRIORITY = 3; //!< of RoCE data
    static constexpr unsigned TCP_PRIORITY = 0;  //!< of all of TCP
    static constexpr uint32_t RECEIVER = 0;      //!< host
    static constexpr uint32_t FIRST = 8;         //!< first host of the other racks
    static constexpr uint32_t LAST = 63;         //!< last of them
    static constexpr uint32_t MAX_SENDERS = 28;  //!< of each kind: 7 other racks of 8
    static constexpr double LINE_BPS = 100e9;    //!< of all links

    /** \param settings what was chosen; std::invalid_argument if something is impossible */
    explicit BesideSetup(const BesideSettings& settings);

    /** \return labels, in order */
    const std::vector<std::string>& GetLabels() const;

    /** \return whether RoCE takes part. \param label a label */
    static bool HasRoce(const std::string& label);

    /** \return whether TCP takes part. \param label a label */
    static bool HasTcp(const std::string& label);

    /** \return the fabric. \param label a label \param lb load balancer */
    Ptr<Fabric> Build(const std::string& label, const std::string& lb) const;

    /** \return how TCP is set. \param label a label */
    TcpOptions GetTcp(const std::string& label) const;

    /** \return bytes of a message */
    uint64_t GetBytes() const;

  private:
    static void CheckLabel(const std::string& label);
    void CheckNumbers() const;
    void SetRoce(RoceHelper& roce, const std::string& label) const;
    void SetSwitches(RoceHelper& roce) const;

    BesideSettings m_settings;
    std::vector<std::string> m_labels;
    uint64_t m_bytes;
    uint64_t m_buffer;
    uint64_t m_mark;
    Time m_minRto;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TCP_BESIDE_SETUP_H
