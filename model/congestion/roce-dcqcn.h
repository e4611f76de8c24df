/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DCQCN_H
#define ROCE_DCQCN_H

#include "roce-congestion-control.h"
#include "roce-dcqcn-parameters.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * The reaction point of DCQCN.
 *
 * Models: current rate Rc, target rate Rt and congestion estimate alpha of one queue pair; cut by
 * CNPs; raised by a timer and a byte counter through fast recovery, additive and hyper increase.
 *
 * Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section
 * 3.1 and Algorithm 1 (law CUT_ON_CNP); NIC vendor's periodic law and the HPCC artifact's as
 * variants (law PERIODIC_CUT). DcqcnParameters names all differences; one attribute, Preset, picks
 * a set and the others override single values. Phases: with T timer events and BC byte counter
 * events *before* this one, max(T, BC) < F is fast recovery, min(T, BC) > F is hyper increase, else
 * additive; R_HAI is added once an event. So F events halve the distance after a cut.
 *
 * Order in one tick: increase timer, rate decrease check, CNP, alpha timer (PERIODIC_CUT), sends.
 * A CNP that arrives with an alpha update counts for it. With CUT_ON_CNP the alpha timer goes
 * before the CNP, whose arrival restarts it.
 *
 * Laziness: alpha matters only at a cut, so it has no deadline and is brought up to date by CNPs
 * and cuts alone; checks without a CNP do nothing, so only the one that will cut has a deadline.
 * Alpha of up to 4096 quiet updates is multiplied out one by one, as the step-by-step law rounds
 * it; more use a power (relative difference below n * 2^-53). As Advance() never touches alpha,
 * results do not depend on when or how often it is called. The increase timer and the byte counter
 * stop when no further event could change Rc or what the next cut does, that is at line rate;
 * the deadline then is NEVER until the next CNP.
 *
 * Invariants: minRate <= Rc <= line rate; 0 <= alpha <= 1; Rt >= Rc; Rt <= line rate if limited;
 * before the first CNP the rate is the line rate and no timer runs; between CNPs the rate never
 * falls (after the pending cut of PERIODIC_CUT).
 *
 * Leaves out: reaction to loss (DCQCN has none), a window, the vendor's rate limiter set-up
 * (RATE_TO_SET_ON_FIRST_CNP), QCN's growth of R_HAI with the cycle number.
 */
class Dcqcn : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Dcqcn();
    ~Dcqcn() override;

    /**
     * Take a named parameter set. Attributes that were set still override it. Counts from the next
     * Start().
     * \param name paper, connectx or hpcc-artifact
     * \throw std::invalid_argument if the name is unknown
     */
    void SetPreset(std::string name);

    /** \return name of the parameter set */
    std::string GetPreset() const;

    /**
     * Take a parameter set of one's own. Attributes that were set still override it. Counts from
     * the next Start().
     * \param parameters the set
     */
    void SetParameters(const DcqcnParameters& parameters);

    /** \return the parameters that count: the set with the attributes' overrides */
    DcqcnParameters GetParameters() const;

    /** \return Rc, bit/s */
    double GetCurrentRate() const
    {
        return m_rc;
    }

    /** \return Rt, bit/s */
    double GetTargetRate() const
    {
        return m_rt;
    }

    /**
     * \param now present tick
     * \return alpha after all updates up to and with now; never changes the state
     */
    double GetAlpha(Tick now) const;

    /** \return increases by the timer since the last cut (T) */
    uint32_t GetTimerStage() const
    {
        return m_timerStage;
    }

    /** \return increases by the byte counter since the last cut (BC) */
    uint32_t GetByteStage() const
    {
        return m_byteStage;
    }

    /** \return rate cuts so far */
    uint64_t GetCuts() const
    {
        return m_cuts;
    }

    /** \return rate increase events so far (none are counted once the timers stopped) */
    uint64_t GetIncreases() const
    {
        return m_increases;
    }

  protected:
    /** Start at the line rate. \param now present tick */
    void DoStart(Tick now) override;
    /** Cut, or note the CNP for the next check. \param cnp the CNP \param now present tick */
    void DoCnp(const CnpInfo& cnp, Tick now) override;

  private:
    void DoAdvance(Tick now) override;
    void DoSent(uint32_t bytes, Tick now) override;

    /** Add the attributes about time and stages. \param tid the type \return the type */
    static TypeId AddTimers(TypeId tid);
    /** Add the attributes about rates and alpha. \param tid the type \return the type */
    static TypeId AddRates(TypeId tid);
    /** Take over the parameters, in ticks and doubles. */
    void Configure();
    /** Run increases and cuts up to and with now. */
    void RunTimers(Tick now);
    /** One event of rate increase. */
    void Increase(bool byTimer);
    /** Stop timer and byte counter if they cannot change anything any more. */
    void StopIfSettled(double oldRc);
    /** Cut the rate at tick t and restart the increase. */
    void Cut(Tick t);
    /** CNP under CUT_ON_CNP. */
    void CnpCuts(Tick now);
    /** CNP under PERIODIC_CUT. */
    void CnpWaits(Tick now);
    /** \return alpha updates due up to and with the tick */
    uint64_t AlphaSteps(Tick upTo) const;
    /** \return alpha after n updates, the first of which counts a waiting CNP */
    double AlphaAfter(uint64_t n) const;
    /** Do the alpha updates up to and with the tick. */
    void SettleAlpha(Tick upTo);
    /** Tell the base class rate and deadline. */
    void Publish();

    // State
    double m_rc{0};           //!< current rate, bit/s
    double m_rt{0};           //!< target rate, bit/s
    double m_alpha{1};        //!< alpha after the update before m_alphaAt
    Tick m_alphaAt{NEVER};    //!< next alpha update
    Tick m_increaseAt{NEVER}; //!< next increase by the timer
    Tick m_decreaseAt{NEVER}; //!< the check that will cut; NEVER without a CNP
    Tick m_decreaseGrid{0};   //!< a tick at which a check falls
    uint64_t m_bytes{0};      //!< bytes sent since the last byte counter event
    uint32_t m_timerStage{0}; //!< T
    uint32_t m_byteStage{0};  //!< BC
    bool m_active{false};     //!< a CNP came
    bool m_alphaCnp{false};   //!< a CNP waits for the next alpha update
    bool m_retarget{false};   //!< an increase that counts came since the last cut
    uint64_t m_cuts{0};       //!< cuts
    uint64_t m_increases{0};  //!< increases

    // Parameters as used
    double m_line{0};          //!< line rate, bit/s
    double m_min{1};           //!< floor, bit/s
    double m_gain{0};          //!< g
    double m_rateAi{0};        //!< R_AI, scaled
    double m_rateHai{0};       //!< R_HAI, scaled
    double m_minFactor{0};     //!< least factor of a cut
    double m_initialAlpha{1};  //!< alpha at the first CNP
    Tick m_alphaTicks{1};      //!< alpha timer
    Tick m_decreaseTicks{0};   //!< decrease check
    Tick m_increaseTicks{0};   //!< increase timer, 0 = off
    uint64_t m_byteCounter{0}; //!< byte counter, 0 = off
    uint32_t m_steps{0};       //!< F
    DcqcnLaw m_law{DcqcnLaw::CUT_ON_CNP};
    bool m_clampTarget{true};    //!< as DcqcnParameters
    bool m_clampAfterTime{true}; //!< as DcqcnParameters
    bool m_limitTarget{true};    //!< as DcqcnParameters
    bool m_hyperByTimer{false};  //!< as DcqcnParameters
    bool m_integer{false};       //!< as DcqcnParameters

    // Set by the user
    DcqcnParameters m_base;                  //!< the set
    double m_setGain{-1};                    //!< attributes; negative = as the set says
    Time m_setAlphaInterval{Seconds(-1)};    //!< "
    Time m_setDecreaseInterval{Seconds(-1)}; //!< "
    Time m_setIncreaseInterval{Seconds(-1)}; //!< "
    int64_t m_setByteCounter{-1};            //!< "
    int64_t m_setSteps{-1};                  //!< "
    int64_t m_setRateAi{-1};                 //!< "
    int64_t m_setRateHai{-1};                //!< "
    int64_t m_setMinRate{-1};                //!< "
    int64_t m_setReference{-1};              //!< "
    int64_t m_setClampTarget{-1};            //!< "
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DCQCN_H
