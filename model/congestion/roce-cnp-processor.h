/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_PROCESSOR_H
#define ROCE_CNP_PROCESSOR_H

#include "roce-cnp-body.h"
#include "roce-congestion-info.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The part of a NIC that reads the CNPs of congestion points, one for all its queue pairs.
 *
 * Models: offload of notifications to the NIC. It decodes the body, learns how far the congestion
 * point is, gives the factor alpha, knows which queue pairs cross which point or domain, cuts them
 * together when a domain is congested, and keeps what each domain said last.
 *
 * Source: hierarchical congestion control: alpha is learned from the distance to the congestion
 * point, high for a ToR and lower for a spine, that is AlphaMax x AlphaDecay^(distance - 1). With
 * TABLE the distance is the tier in the CNP. With LEARNED it is the lesser of the links to the two
 * ends of the flow, smoothed over the CNPs of the point: 1 for a ToR, 2 for a spine of the pod.
 *
 * Invariants: alpha <= AlphaMax; two cuts of one domain are at least a CNP interval apart.
 *
 * Leaves out: rates and timers, which are each queue pair's; the delay of the NIC, which is the
 * NIC's (Nic::CnpHandling).
 */
class CnpProcessor : public Object
{
  public:
    /** Where the distance comes from. */
    enum AlphaMode : uint8_t
    {
        TABLE,   //!< the tier in the CNP
        LEARNED, //!< the links to both ends
    };

    /** What a CNP means to a queue pair. */
    struct Notice
    {
        CnpBody body;            //!< what it says
        uint32_t key{0};         //!< what the queue pair has one rate for
        double alpha{0};         //!< factor of its cut
        bool isNoise{false};     //!< too few marks to count
        Tick cnpInterval{0};     //!< least time between two cuts of the domain
        bool onlyLimited{false}; //!< the domain: only queue pairs that it limits already
    };

    /** A queue pair as the processor knows it. */
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /** A domain that it crosses is congested. \param notice CNP of another queue pair \param
         * now present tick \return whether its rate was cut */
        virtual bool OnDomainLimit(const Notice& notice, Tick now) = 0;
    };

    /** What a domain said. */
    struct DomainState
    {
        uint64_t cnps{0};      //!< CNPs in all, the next two included
        uint64_t clears{0};    //!< all-clear
        uint64_t leaves{0};    //!< flow moved away
        uint64_t limits{0};    //!< cuts of all its flows here
        uint64_t cuts{0};      //!< flows cut by those
        double share{0};       //!< P as last heard
        uint16_t flows{0};     //!< N as last heard
        uint16_t lastPoint{0}; //!< which of its points that was
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    CnpProcessor();
    ~CnpProcessor() override;

    /**
     * Read a CNP.
     * \param cnp as it arrived
     * \param flow the queue pair it is for
     * \param alphaMax the queue pair's AlphaMax, unless the attribute says another
     * \param alphaDecay its AlphaDecay, likewise
     * \param noiseThreshold its NoiseThreshold, likewise
     * \param notice body, alpha and noise are filled in
     * \return false if it is a plain CNP
     */
    bool Receive(const CnpInfo& cnp,
                 const FlowParameters& flow,
                 double alphaMax,
                 double alphaDecay,
                 double noiseThreshold,
                 Notice& notice);

    /** \param key point or domain \param flow begins to be known to cross it; once */
    void Join(uint32_t key, Listener* flow);

    /** \param key as for Join \param flow is no longer known there */
    void Leave(uint32_t key, Listener* flow);

    /**
     * Cut all other queue pairs that cross the domain of a CNP, unless that was done less than a
     * CNP interval ago.
     * \param notice what is told them
     * \param cause the queue pair that got the CNP, which cuts itself
     * \param now present tick
     * \return when that was done last: now, or less than a CNP interval ago
     */
    Tick Limit(const Notice& notice, Listener* cause, Tick now);

    /** \return what each domain said, by its id */
    const std::map<uint16_t, DomainState>& GetDomains() const
    {
        return m_domains;
    }

    /** \return distance of a congestion point, 0 if it is not known. \param point its id */
    double GetDistance(uint16_t point) const;

    /** \return alpha of a congestion point, 0 if it is not known. \param point its id */
    double GetAlpha(uint16_t point) const;

    /** \return CNPs with a body */
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /** \return CNPs without one */
    uint64_t GetPlain() const
    {
        return m_plain;
    }

    /** Tell that a rate changed. \param qpn queue pair \param domain its id \param point its id
     * \param before bit/s \param after bit/s */
    void NoteRate(uint32_t qpn, uint16_t domain, uint16_t point, double before, double after)
    {
        m_rateTrace(qpn, domain, point, before, after);
    }

    /** TracedCallback signature. \param [in] qpn queue pair \param [in] body what it says */
    typedef void (*CnpTracedCallback)(uint32_t qpn, const CnpBody& body);

    /** TracedCallback signature. \param [in] qpn queue pair \param [in] domain its id \param [in]
     * point its id \param [in] before bit/s \param [in] after bit/s */
    typedef void (*DomainRateTracedCallback)(uint32_t qpn,
                                             uint16_t domain,
                                             uint16_t point,
                                             double before,
                                             double after);

    /** TracedCallback signature. \param [in] point its id \param [in] before alpha \param [in]
     * after alpha */
    typedef void (*AlphaTracedCallback)(uint16_t point, double before, double after);

    /** TracedCallback signature. \param [in] domain its id \param [in] point its id \param [in]
     * share P \param [in] cuts queue pairs cut, without the one that got the CNP */
    typedef void (*LimitTracedCallback)(uint16_t domain,
                                        uint16_t point,
                                        double share,
                                        uint32_t cuts);

  private:
    /** A congestion point. */
    struct Point
    {
        double distance{0}; //!< smoothed
        double alpha{0};    //!< as last given
    };

    /** Queue pairs that cross a point or domain. */
    struct Group
    {
        std::vector<Listener*> flows; //!< in the order of joining
        Tick lastLimit{-1};           //!< when they were cut together; -1: never
    };

    void DoDispose() override;
    double Learn(const CnpBody& body, uint32_t linksOfFlow, double alphaMax, double alphaDecay);

    std::unordered_map<uint16_t, Point> m_points;
    std::unordered_map<uint32_t, Group> m_groups;
    std::map<uint16_t, DomainState> m_domains;
    uint64_t m_received{0};
    uint64_t m_plain{0};

    AlphaMode m_mode;
    double m_alphaMax;
    double m_alphaDecay;
    double m_gain;
    double m_noise;

    TracedCallback<uint32_t, const CnpBody&> m_cnpTrace;
    TracedCallback<uint32_t, uint16_t, uint16_t, double, double> m_rateTrace;
    TracedCallback<uint16_t, double, double> m_alphaTrace;
    TracedCallback<uint16_t, uint16_t, double, uint32_t> m_limitTrace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_PROCESSOR_H
