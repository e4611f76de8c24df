/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HPCC_H
#define ROCE_HPCC_H

#include "roce-int-path.h"
#include "roce-window-control.h"

namespace ns3
{
namespace roce
{

/**
 * HPCC as in its paper: a window that follows the bytes in flight on the fullest link.
 *
 * Models: of each hop u = min(queue, queue before) / (B T) + txRate / B; the largest one goes with
 * weight tau / T into U, tau being the time between the two records of that hop, at most T. Each
 * ACK sets W = Wc / (U / eta) + W_AI if U >= eta or the last MaxStage rounds were additive, else
 * W = Wc + W_AI. Once a round W becomes the reference Wc.
 *
 * Source: Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, section 3 and
 * Algorithm 1: eta = 95 %, maxStage = 5, W_AI = Winit (1 - eta) / N; with N = 100, 100 Gb/s and
 * T = 13 us that is the paper's 80 bytes.
 *
 * Choices: the first record is only a reference, and so is the first of another path. U is 1 in the
 * beginning, as a flow begins with a full link.
 *
 * Invariants: those of WindowControl; Wc changes at most once a round; an ACK without a usable
 * record changes nothing; U >= 0.
 *
 * Leaves out: reaction to loss (HPCC has none), the path ID, PINT. Without IntStamper in the
 * switches it never reacts.
 */
class Hpcc : public WindowControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    Hpcc();
    ~Hpcc() override;

    /** \return U */
    double GetUtilization() const
    {
        return m_u;
    }

    /** \return Wc, bytes on the link */
    double GetReferenceWindow() const
    {
        return m_wc;
    }

    /** \return additive rounds in a row */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return W_AI, bytes on the link */
    double GetAdditiveBytes() const
    {
        return m_wai;
    }

    /** \return what it knows of the path */
    const IntPath& GetPath() const
    {
        return m_path;
    }

  private:
    void DoStart(Tick now) override;
    void DoAck(const AckInfo& ack, Tick now) override;
    /** Take the samples into U. \return whether there was one */
    bool MeasureInflight();
    /** \return W by Wc and U. \param update whether the round is over */
    double ComputeWindow(bool update);

    IntPath m_path;
    double m_u{1};       //!< U
    double m_wc{0};      //!< Wc
    double m_wai{0};     //!< W_AI
    uint32_t m_stage{0}; //!< incStage

    double m_eta;             //!< attribute
    uint32_t m_maxStage;      //!< attribute
    uint32_t m_flows;         //!< attribute
    uint64_t m_additiveBytes; //!< attribute
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HPCC_H
