/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HCC_HELPER_H
#define ROCE_HCC_HELPER_H

#include "roce-congestion-domains.h"
#include "roce-congestion-stack.h"

#include "ns3/object-factory.h"
#include "ns3/roce-hcc-tuning.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

class Fabric;
class RoceHelper;

/**
 * Gives a fabric hierarchical congestion control.
 *
 * Models: all that belongs to it, as
 * \code
 * HccHelper hcc;
 * hcc.SetDomains("spine");
 * hcc.Configure(roceHelper);
 * \endcode
 * the law at senders, a congestion point at each switch port with its domain, tier and stage from
 * the graph, marking, flag leave, and CNPs of switches or of receivers. Base RTTs come with
 * Fabric::Connect. RoceHelper::SetCongestionControl("hcc") is the same with the defaults of all.
 *
 * Source: doc/hcc.rst. Marking is from 80 to 320 KB at 100 Gb/s, for the article's law 100 to 400.
 *
 * Invariants: switches, receivers and senders agree on the CNP intervals.
 *
 * Leaves out: rates of links, buffers, load balancing.
 */
class HccHelper
{
  public:
    HccHelper();

    /** \param policy what makes a congestion domain; at first PER_SPINE */
    void SetDomains(CongestionDomains::Policy policy);

    /** \param policy port, spine, pod, switch or tier; std::invalid_argument names these */
    void SetDomains(const std::string& policy);

    /** \param rule gives the domain of each switch port */
    void SetDomains(CongestionDomains::Rule rule);

    /** \param name attribute of Hcc \param value its value */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of HccTuning \param value its value */
    void SetTuningAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param name attribute of all congestion points; refused are FirstPoint, which the graph
     * gives, and CnpInterval and CnpIntervalStage3, which the law must know: SetTuningAttribute
     * \param value its value
     */
    void SetPointAttribute(const std::string& name, const AttributeValue& value);

    /**
     * \param path CNP: switches notify senders (at first); TAG: receivers do, by the tags of marked
     * packets
     */
    void SetNotification(CongestionPoint::Path path);

    /** \param byDomain whether a tag stands for a congestion domain, not for a congestion point; 63
     *  tags is all there are */
    void SetTagsByDomain(bool byDomain);

    /** Choose the law and its attributes, and what it needs around it, at a helper that is to build
     * one fabric. Refuses what cannot work. \param roce the helper */
    void Configure(RoceHelper& roce) const;

    /** \return what senders with the default attributes, or with those set here, need */
    CongestionStack MakeStack() const;

    /** \return what such senders need. \param control makes an Hcc */
    CongestionStack MakeStack(const ObjectFactory& control) const;

    /** \return the domains of a graph. \param graph the plan */
    CongestionDomains MakeDomains(const FabricGraph& graph) const;

    /**
     * Find ports whose sender is paused before any queue is marked: an ingress port that fills, at
     * its rate, the queues of slower ports up to Kmin has all these bytes to its account.
     * \param fabric a fabric that is built
     * \return a line for each such rate at a switch; empty if there is none
     */
    static std::vector<std::string> CheckMarking(const Fabric& fabric);

  private:
    class Stages;

    ObjectFactory MakeControl() const;
    Ptr<HccTuning> MakeTuning() const;
    ObjectFactory MakePoint(const HccParameters& law) const;

    CongestionStack::Values m_control;
    CongestionStack::Values m_tuning;
    CongestionStack::Values m_point;
    CongestionDomains::Policy m_policy{CongestionDomains::PER_SPINE};
    CongestionDomains::Rule m_rule; //!< if not empty, instead of the policy
    CongestionPoint::Path m_path{CongestionPoint::CNP};
    bool m_tagsByDomain{false};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HCC_HELPER_H
