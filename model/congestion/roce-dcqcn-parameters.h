/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DCQCN_PARAMETERS_H
#define ROCE_DCQCN_PARAMETERS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/** When the reaction point of DCQCN cuts its rate, and in which order it moves alpha. */
enum class DcqcnLaw
{
    /**
     * Zhu et al., Algorithm 1: each CNP cuts at once, then raises alpha, and restarts both timers.
     * The notification point paces the CNPs.
     */
    CUT_ON_CNP,
    /**
     * NIC vendor and HPCC artifact: alpha moves each alphaInterval, up if a CNP came in the
     * interval, else down; a check each decreaseInterval cuts if a CNP came since the last cut.
     * Alpha has moved before the cut uses it.
     */
    PERIODIC_CUT,
};

/**
 * The numbers of a DCQCN reaction point, with the presets found in the field.
 *
 * Models: a parameter set. Source: see each preset. Invariant: every preset passes Validate() at
 * 100 Gb/s. Leaves out: thresholds of the switch (Kmin, Kmax, Pmax), which belong to its marker.
 *
 * R_AI and R_HAI were published as fixed rates and the presets keep them: rateReference is 0, so
 * they do not scale with the link. Set rateReference to the link rate at which they were tuned to
 * make them grow in proportion to the line rate.
 */
struct DcqcnParameters
{
    std::string name;                   //!< preset this set came from
    DcqcnLaw law{DcqcnLaw::CUT_ON_CNP}; //!< order of steps
    double gain{0};                     //!< g, in (0, 1]
    double initialAlpha{1};             //!< alpha before the first CNP, in (0, 1]
    Time alphaInterval;                 //!< alpha timer, > 0
    Time decreaseInterval;              //!< check of PERIODIC_CUT, > 0; 0 with CUT_ON_CNP
    Time increaseInterval;              //!< rate increase timer; 0 = off
    uint64_t byteCounterBytes{0};       //!< bytes sent between two increases; 0 = off
    uint32_t fastRecoverySteps{0};      //!< F
    uint64_t rateAiBps{0};              //!< R_AI, bit/s
    uint64_t rateHaiBps{0};             //!< R_HAI, bit/s
    uint64_t minRateBps{1};             //!< floor of the rate, bit/s, in [1, line rate]
    uint64_t rateReferenceBps{0};       //!< link rate for which R_AI, R_HAI hold; 0 = no scaling
    double minDecreaseFactor{0};        //!< a cut keeps at least this share of the rate
    bool clampTarget{true};             //!< each cut sets Rt to Rc (CLAMP_TGT_RATE)
    bool clampTargetAfterTimeIncrease{true}; //!< else: also after an increase by the timer
    bool limitTarget{true};                  //!< Rt never exceeds the line rate
    bool hyperByTimerAlone{false};           //!< hyper increase if T > F, not if min(T, BC) > F
    bool integerRates{false};                //!< rates are whole bit/s, cut off after each step
    Time cnpInterval;                        //!< what the notification point should use
    bool echoInAck{false};                   //!< what the notification point should use

    /** \return SIGCOMM 2015, order and numbers of the paper; see the source for each number */
    static DcqcnParameters Paper();

    /** \return the factory settings of ConnectX NICs */
    static DcqcnParameters ConnectX();

    /** \return what the HPCC artifact does and the comparison runs at 100G set */
    static DcqcnParameters HpccArtifact();

    /**
     * \param name paper, connectx or hpcc-artifact
     * \return that preset
     * \throw std::invalid_argument if the name is unknown; the message lists the known ones
     */
    static DcqcnParameters FromName(const std::string& name);

    /**
     * Refuse what cannot work.
     * \param lineRateBps rate of the NIC port, bit/s
     * \throw std::invalid_argument naming the parameter, its value and its limit
     */
    void Validate(uint64_t lineRateBps) const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DCQCN_PARAMETERS_H
