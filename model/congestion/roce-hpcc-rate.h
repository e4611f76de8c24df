/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HPCC_RATE_H
#define ROCE_HPCC_RATE_H

#include "roce-int-path.h"
#include "roce-window-control.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * HPCC as in its published simulator: a rate, and by default one for each hop.
 *
 * Models: a reference rate Rc, an estimate u and a stage for each hop (MultiRate) or for the
 * fullest one. R = Rc / (u / TargetUtil) + RateAi if u >= TargetUtil or the stage is MiThresh, else
 * R = Rc + RateAi; the least R of all hops is the rate. Once a round R becomes Rc.
 *
 * Source: the simulator that HPCC's authors published (High-Precision-Congestion-Control on
 * GitHub): TargetUtil 0.95, MultiRate, FastReact, no SampleFeedback; 50 Mb/s of RateAi and MiThresh
 * 0 are those of its configuration file, 5 is the default of its class.
 *
 * Differences from the paper's law (Hpcc): the state is a rate, and the window is that times T;
 * each hop has its own Rc, u and stage, so that a hop with room does not lower the pace of one
 * without; each hop has its own weight tau / T; the step is a rate, the same at all T; without
 * FastReact, ACKs within a round are not read at all; with SampleFeedback, they skip hops without
 * a queue.
 *
 * Differences from the simulator: rates are not cut to whole bit/s; another path or too long a gap
 * makes a new reference, with u = 1, stage 0 and Rc = the present rate for all hops if their number
 * changes; a hop whose time did not move is skipped.
 *
 * Invariants: those of WindowControl but for Window = false, where GetWindow() is unlimited; Rc in
 * [MinRateBps, line rate]; an ACK without a usable record changes nothing.
 *
 * Leaves out: reaction to loss, PINT, the modes of RateBound and VarWin other than those above.
 */
class HpccRate : public WindowControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    HpccRate();
    ~HpccRate() override;

    /** What it keeps of a hop. */
    struct HopState
    {
        double u{1};       //!< estimate
        double rc{0};      //!< reference rate, bit/s
        uint32_t stage{0}; //!< additive rounds in a row
    };

    /** \param i a hop; 0 without MultiRate \return its state */
    const HopState& GetHop(unsigned i) const
    {
        return m_hops[i];
    }

    /** \return what it knows of the path */
    const IntPath& GetPath() const
    {
        return m_path;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
    /** Make a state for each hop, if their number changed. */
    void Resize();
    /** Take a sample into the state. */
    void Smooth(HopState& state, double u, double nanoseconds) const;
    /** \return R of a state. \param update whether it becomes Rc */
    double React(HopState& state, bool update) const;
    /** One rate for each hop. \param update whether the round is over \return the least of them */
    double ReactPerHop(bool update);
    /** One rate by the fullest hop. \param update whether the round is over \return the rate */
    double ReactOnce(bool update);
    /** \return u of a sample */
    double Load(const IntPath::Sample& sample) const;
    /** Set rate and window. \param rate bit/s */
    void SetRate(double rate);

    IntPath m_path;
    std::vector<HopState> m_hops; //!< one a hop, or one

    double m_targetUtil;   //!< attribute
    uint32_t m_miThresh;   //!< attribute
    uint64_t m_rateAi;     //!< attribute
    bool m_multiRate;      //!< attribute
    bool m_fastReact;      //!< attribute
    bool m_sampleFeedback; //!< attribute
    bool m_limitWindow;    //!< attribute
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HPCC_RATE_H
