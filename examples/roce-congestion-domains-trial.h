/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_DOMAINS_TRIAL_H
#define ROCE_CONGESTION_DOMAINS_TRIAL_H

#include "ns3/roce-distribution.h"
#include "ns3/roce-experiment-helper.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

class LongFlows;

/** What roce-congestion-domains is asked for. */
struct CongestionDomainsOptions
{
    std::string rate{"100Gbps"}; //!< of all links
    std::string delay{"500ns"};  //!< one way, of each cable
    std::string warmup{"60ms"};  //!< before anything is counted
    std::string measure{"10ms"}; //!< while it is
    uint32_t senders{16};        //!< hosts that send
    uint32_t sharers{4};         //!< bystanders of a host
};

/** A law, and what its congestion domains are. */
struct CongestionDomainsWay
{
    std::string name; //!< of its runs
    std::string cc;   //!< short name or TypeId
    std::string
        domains; //!< hcc: policy by which a flow has one rate a domain; empty: a rate a point
};

/**
 * One congested domain, and flows of the same NICs that do not cross it.
 *
 * Models: leaves 0 to 3. Each sender, half of them on leaf 1 and half on leaf 2, has two flows. One
 * goes over spine 0 to a host of its own on leaf 0: all of these share the link from spine 0 to
 * leaf 0. The other, the bystander, goes over another spine to leaf 3, where some bystanders share
 * a host. With 16 senders and 4 sharers a congested flow can have a sixteenth of the line rate and
 * a bystander a quarter, so both fit into the link of the sender, and what a bystander loses is not
 * its share.
 *
 * Invariants: paths are pinned.
 *
 * Leaves out: load balancing.
 */
class CongestionDomainsTrial
{
  public:
    /** \param experiment the program \param options sizes */
    CongestionDomainsTrial(ExperimentHelper& experiment, const CongestionDomainsOptions& options);

    /** Run it without and with the congestion. \param way the law \param seed starts of flows */
    void Run(const CongestionDomainsWay& way, uint32_t seed);

    /** \return names of laws of HCC that do not behave as doc/hcc-programs.rst says: bystanders
     *  change by less than 1 %, but by more than 5 % if the domain is a tier */
    std::vector<std::string> GetSurprises() const;

    /** Print a line a law: means and standard deviations over the seeds. */
    void Print() const;

  private:
    /** What the seeds of a law came to. */
    struct Row
    {
        Distribution bystander, change, worst, congested, xoff, peakKb;
    };

    Ptr<Fabric> Install(const CongestionDomainsWay& way) const;
    void AddFlow(Ptr<Fabric> fabric, LongFlows& flows, uint32_t sender, bool hot, Time start) const;
    /** \return mean rate of the bystanders, bit/s */
    double RunOnce(const CongestionDomainsWay& way, uint32_t seed, double alone);

    ExperimentHelper& m_experiment;
    CongestionDomainsOptions m_options;
    Time m_warmup;
    Time m_measure;
    std::vector<std::string> m_names; //!< of laws, in order
    std::map<std::string, Row> m_rows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_DOMAINS_TRIAL_H
