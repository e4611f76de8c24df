/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HCC_PARAMETERS_H
#define ROCE_HCC_PARAMETERS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * The numbers of a sender of hierarchical congestion control, with the named profiles.
 *
 * Models: a parameter set; each stage of the fabric has some numbers of its own.
 *
 * Source: the article gives no number but the ratios of delays; all are of an exploration with a
 * simulator of its own. The .cc file says for each which of its experiments it comes from.
 *
 * Invariants: each profile passes Validate() from 1 Gb/s on.
 *
 * Leaves out: the switch's thresholds, its window W and its CNPs, which are of CongestionPoint.
 */
struct HccParameters
{
    /** Which law a sender of hierarchical congestion control follows. */
    enum Law : uint8_t
    {
        DOMAIN_LAW,  //!< ours: flows counted, cuts with a floor, scope by congestion point
        ARTICLE_LAW, //!< the article to the letter
    };

    /** How a sender keeps to its rate R. */
    enum Enforce : uint8_t
    {
        PACING,                //!< R is the limit
        WINDOW,                //!< what R has in flight at the wanted queue is the limit
        WINDOW_WITH_GUARANTEE, //!< the same, and R may be used although the window is full
    };

    /** Whose rate a congested domain cuts. */
    enum Scope : uint8_t
    {
        OFF,      //!< only the flow that got the CNP
        SIBLINGS, //!< also the flows of this NIC that are limited by the same congestion point
        ALL,      //!< also those that were, ever since they took their path
    };

    /** What a flow has one rate for. */
    enum RateKey : uint8_t
    {
        POINT,       //!< each congestion point
        WHOLE_DOMAIN //!< each congestion domain
    };

    /** The numbers of a stage. */
    struct Stage
    {
        Time recovery;             //!< T: the rate rises if no CNP came for so long
        double slope{0};           //!< kappa: what it rises by, as part of the BDP in T
        double domainThreshold{0}; //!< T_d: above this share of marks the domain counts
        Time cnpInterval;          //!< of the congestion points there
    };

    std::string name;         //!< of the profile
    Stage stage2;             //!< in a pod
    Stage stage3;             //!< between pods
    double noiseThreshold{0}; //!< T_g: up to this share of marks a CNP is noise
    uint32_t acceleration{1}; //!< Acc: the step grows to so many times its size
    double phi{1};            //!< part of the fair share C / N below which no cut goes
    double severePhi{1};      //!< the same at a severe share of marks
    double severeShare{1};    //!< from this share of marks on it is severe
    double alphaMax{1};       //!< alpha one tier away
    double alphaDecay{1};     //!< factor of alpha for each further tier
    uint64_t minRateBps{1};   //!< floor of all rates, bit/s, in [1, line rate]
    double capBdp{0};         //!< most bytes in flight, in line rate x base RTT; 0: no cap
    double slackBytes{0};     //!< Wk: queue that the window allows at each congestion point
    double burst{1};          //!< below the window a flow may send at up to burst x R
    double cableFactor{0};    //!< T is at least this times the base RTT
    double clearFactor{1};    //!< R grows by it at an all-clear
    Time unknownRtt;          //!< base RTT if the queue pair's is not known
    Time plainInterval;       //!< of CNPs without body
    double plainCut{0};       //!< part of R that such a CNP takes
    Time plainSilence;        //!< they count if none with body came for so long
    Law law{DOMAIN_LAW};      //!< law
    Enforce enforce{WINDOW_WITH_GUARANTEE}; //!< how R is kept
    Scope scope{OFF};                       //!< whose rate is cut
    RateKey rateKey{POINT};                 //!< what has a rate
    bool countFlows{true};                  //!< steps and floor are a flow's part
    bool heedsNoise{true};                  //!< T_g is used
    bool allClear{true};                    //!< all-clear CNPs count
    bool pathBinding{true};                 //!< leave CNPs count

    /** \return the starting values */
    static HccParameters Default();

    /** \return short recovery time: free bandwidth is taken sooner, with more CNPs */
    static HccParameters Fast();

    /** \return long recovery time: fewest CNPs, most even; for few changes */
    static HccParameters Steady();

    /**
     * \param name default, fast or steady
     * \return that profile
     * \throw std::invalid_argument if the name is unknown; the message lists the known ones
     */
    static HccParameters FromName(const std::string& name);

    /**
     * Follow a law. The article's has no count of flows, floor, cap, noise, acceleration, cable
     * rule, window, all-clear or path: it switches them off, cuts the whole domain and takes the
     * alpha of the first exploration.
     * \param which the law
     */
    void SetLaw(Law which);

    /** \param number as CNPs say it \return its numbers; stages but 3 are like 2 */
    const Stage& GetStage(uint8_t number) const
    {
        return number == 3 ? stage3 : stage2;
    }

    /**
     * Refuse what cannot work.
     * \param lineRateBps rate of the NIC port, bit/s
     * \throw std::invalid_argument naming the parameter, its value and its limit
     */
    void Validate(uint64_t lineRateBps) const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HCC_PARAMETERS_H
