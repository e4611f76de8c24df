/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_PROBE_H
#define ROCE_VALIDATE_PROBE_H

#include "roce-validate-series.h"

#include "ns3/nstime.h"
#include "ns3/roce-fabric.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Samples one queue and the flows that share it.
 *
 * Models: periodic reading of a port's queue, of the law of each flow, of the packets its NIC has
 * sent, and of the marks that receivers have seen. One flow a sending NIC.
 *
 * Invariants: reads only, so a run is the same with it; the last sample is at the end.
 *
 * Leaves out: what happens between two samples, but for packets and marks, which are counted.
 */
class ValidateProbe
{
  public:
    /**
     * \param fabric what to watch
     * \param node id of a switch
     * \param port its port, whose queue is sampled
     * \param interval time between samples
     * \param end time of the last sample
     */
    ValidateProbe(Ptr<Fabric> fabric, uint32_t node, uint32_t port, Time interval, Time end);

    /** Watch a flow. \param connection its queue pairs \param start when it begins
     *  \param packetBytes what a full packet occupies on the link */
    void AddFlow(const Connection& connection, Time start, uint32_t packetBytes);

    /** Begin to sample. */
    void Start();

    /** Let go of the fabric after the run; samples are kept. */
    void Detach();

    /** \return bytes of the queue. \param from begin \param to end */
    ValidateSeries GetQueue(Time from, Time to) const;

    /** \return part of the packets that arrived with CE. \param from begin \param to end */
    double GetMarking(Time from, Time to) const;

    /** \return bit/s a flow has sent, on the link. \param flow its index \param from begin \param
     * to end */
    double GetRate(std::size_t flow, Time from, Time to) const;

    /** \return bit/s of payload that receivers took. \param from begin \param to end */
    double GetGoodput(Time from, Time to) const;

    /** \return mean of the rate of a flow's law, bit/s. \param flow its index \param from begin
     *  \param to end */
    double GetLawRate(std::size_t flow, Time from, Time to) const;

    /** \return what a flow has sent more than the mean of all others, as a part of the fair share.
     *  \param flow its index \param from begin \param to end */
    double GetLead(std::size_t flow, Time from, Time to) const;

    /**
     * \param flow its index
     * \param from begin of the first window
     * \param window length of each
     * \param limit greatest difference, as a part of the fair share
     * \return seconds until the first window in which the rate it has sent differs by no more from
     *         the mean of all others; infinite if there is none
     */
    double GetConvergence(std::size_t flow, Time from, Time window, double limit) const;

    /** \return seconds until the queue is below a level and stays so. \param from begin \param
     * level bytes */
    double GetDrain(Time from, double level) const;

    /** Write time, queue, and the mean rates of all flows since the row before. \param path where
     *  \param rows about how many */
    void WriteCsv(const std::string& path, std::size_t rows) const;

  private:
    /** A flow that is watched. */
    struct Flow
    {
        Connection connection;
        Time start;
        uint32_t packetBytes;
        std::vector<uint64_t> sent; //!< packets, by sample
        std::vector<double> law;    //!< bit/s, by sample
    };

    /** What is read once. */
    struct Sample
    {
        Time at;
        uint64_t queue;
        uint64_t marks;
        uint64_t received;
        uint64_t delivered;
    };

    void Take();
    std::size_t IndexOf(Time at) const;

    Ptr<Fabric> m_fabric;
    Ptr<Port> m_port;
    Time m_interval;
    Time m_end;
    std::vector<Flow> m_flows;
    std::vector<Ptr<Nic>> m_receivers;
    std::vector<Sample> m_samples;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_PROBE_H
