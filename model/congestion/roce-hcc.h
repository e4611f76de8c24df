/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HCC_H
#define ROCE_HCC_H

#include "roce-cnp-processor.h"
#include "roce-congestion-control.h"
#include "roce-hcc-entry.h"
#include "roce-hcc-parameters.h"
#include "roce-hcc-tuning.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Hierarchical congestion control of one queue pair.
 *
 * Models: a rate for each congestion point (or domain) that has sent a CNP; R is the least of
 * them. A cut multiplies by 1 - alpha P and stops at phi C / N, the flow's fair share there. After
 * T without a CNP the rate rises by kappa x line x base RTT / T / N, the k-th time in a row by
 * min(k, Acc) of that. R limits the flow as a rate, or as a window which grows with the round trip
 * that the wanted queues make; see HccParameters::Enforce.
 *
 * Source: "RoCE v2 and the Art of Not Crashing the Datacenter" (hierarchical congestion control),
 * which is prose; doc/hcc.rst says what was added. HccParameters::ARTICLE_LAW is the article alone.
 *
 * Order in one tick: timers, then the CNP. Cuts of the whole domain come as one more CNP.
 *
 * Laziness: see HccEntry; when and how often Advance() is called does not change any rate.
 *
 * Invariants: minRate <= R <= line rate; a new rate begins at line rate; cuts never raise; a rate
 * that has come back to the line rate is given up, never one that is merely silent; before the
 * first CNP the only limit is the cap.
 *
 * Path: telemetry names node and port, a CNP its hop. The node and port that the first ACK after a
 * CNP names at that hop, of a packet sent before it, is taken for the point; when an ACK of a later
 * packet names another one there, the flow has left the point.
 *
 * Leaves out: reaction to loss and to CE in ACKs; phase and slots of pacing, which are the NIC's.
 */
class Hcc : public CongestionControl, public CnpProcessor::Listener
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** So many points or domains are kept; of more the least limiting ones are forgotten. */
    static constexpr size_t MAX_ENTRIES = 32;
    /** Key of CNPs without body. */
    static constexpr uint32_t PLAIN_KEY = 0x20000;

    Hcc();
    ~Hcc() override;

    /**
     * Take a named profile. Counts from the next Start().
     * \param name default, fast or steady
     * \throw std::invalid_argument if the name is unknown
     */
    void SetProfile(std::string name);

    /** \return name of the profile */
    std::string GetProfile() const;

    /** Take numbers of one's own instead of a profile. Counts from the next Start(). \param
     * parameters the numbers; attributes still override them */
    void SetParameters(const HccParameters& parameters);

    /** \return the parameters that count: profile, tuning, law and attributes */
    HccParameters GetParameters() const;

    /** \return R, bit/s */
    double GetFairRate() const
    {
        return m_fairRate;
    }

    /** \return one entry a point or domain, some of which may not limit */
    const std::vector<HccEntry>& GetEntries() const
    {
        return m_entries;
    }

    /** \return the processor of CNPs that it uses, since Start() */
    Ptr<CnpProcessor> GetProcessor() const
    {
        return m_processor;
    }

    /** \param domain id \param point id \return key of its entry under the present RateKey */
    uint32_t KeyOf(uint16_t domain, uint16_t point) const
    {
        return m_p.rateKey == HccParameters::POINT ? point : 0x10000u + domain;
    }

    /** \param key as KeyOf gives \return its entry, or nullptr. Good until the next call */
    const HccEntry* Find(uint32_t key) const;

    Ptr<Object> MakeShared() const override;
    bool OnDomainLimit(const CnpProcessor::Notice& notice, Tick now) override;

  private:
    void DoDispose() override;
    void DoStart(Tick now) override;
    void DoAdvance(Tick now) override;
    void DoCnp(const CnpInfo& cnp, Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;

    /** Add the attributes that are numbers. \param tid the type \return the type */
    static TypeId AddNumbers(TypeId tid);
    /** Run the timers of all entries up to and with now. */
    void RunTimers(Tick now);
    /** A CNP with a body. */
    void Heed(CnpProcessor::Notice& notice, Tick now);
    /** A congestion point says that its queue is long. */
    void React(CnpProcessor::Notice& notice, Tick now);
    /** A CNP without a body. */
    void HeedPlain(Tick now);
    /** Cut the rate of an entry. */
    void Cut(const CnpProcessor::Notice& notice, Tick now);
    /** The queue of an entry is short. */
    void Clear(const CnpProcessor::Notice& notice);
    /** The flow has left a domain. */
    void Forget(uint16_t domain);
    /** The flow has left a point. */
    void End(HccEntry& entry);
    /** \return the entry of a key, a new one if need be */
    HccEntry& Open(uint32_t key);
    /** Set N, port rate, timer and step of an entry as a body says. */
    void Update(HccEntry& entry, const CnpBody& body);
    /** \return T of a stage */
    Tick GetPeriod(const HccParameters::Stage& stage) const;
    /** Give an entry a rate, at line rate none. */
    void SetRate(HccEntry& entry, double bps);
    /** Leave the processor. */
    void Quit();
    /** Tell the base class rate, window and deadline. */
    void Publish();

    HccEntry* FindEntry(uint32_t key)
    {
        return const_cast<HccEntry*>(Find(key));
    }

    // State
    std::vector<HccEntry> m_entries;
    Ptr<CnpProcessor> m_processor;
    double m_fairRate{0}; //!< R
    Tick m_lastBody{-1};  //!< last CNP with a body, -1: none

    // As used
    HccParameters m_p;
    double m_line{0};       //!< bit/s
    double m_min{1};        //!< bit/s
    Tick m_rtt{0};          //!< base RTT, or what stands for it
    double m_rttSeconds{0}; //!< base RTT
    double m_capBytes{0};   //!< most in flight; infinite without a cap
    double m_packet{1};     //!< payload bytes of a full packet

    // Set by the user
    HccParameters m_base;             //!< profile
    Ptr<HccTuning> m_tuning;          //!< or nullptr
    HccParameters::Law m_law;         //!< attributes
    HccParameters::Enforce m_enforce; //!< "
    HccParameters::Scope m_scope;     //!< "
    HccParameters::RateKey m_rateKey; //!< "
    bool m_allClear;                  //!< "
    bool m_pathBinding;               //!< "
    double m_setCapBdp;               //!< ", negative = as profile and law say
    double m_setCableFactor;          //!< "
    int64_t m_setSlackBytes;          //!< "
    int64_t m_setMinRate;             //!< "
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HCC_H
