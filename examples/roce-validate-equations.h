/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_EQUATIONS_H
#define ROCE_VALIDATE_EQUATIONS_H

#include <cmath>

namespace ns3
{
namespace roce
{

/**
 * Where N flows of DCQCN over one link rest.
 *
 * Models: the fixed point of the fluid model of DCQCN, with each flow at the rate R = link / N:
 *
 *   a^2 alpha / ((b + d) (c + e)) = tau^2 R_AI R
 *   a = 1 - (1 - p)^(tau R)               alpha = 1 - (1 - p)^(tau' R)
 *   b = p / ((1 - p)^(-B) - 1)            c = (1 - p)^(F B) b
 *   d = p / ((1 - p)^(-T R) - 1)          e = (1 - p)^(F T R) d
 *
 * with rates and B in packets, p the probability that a packet is marked, tau the CNP interval,
 * tau' the alpha timer, T the increase timer, B the byte counter, F the fast recovery steps.
 *
 * Source: Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT
 * 2016, section 3 (stability, the equation of p*), fluid model of figure 2. It is solved as it
 * stands, not by the paper's Taylor series, which gives a p* that is higher by 18 to 60 %.
 *
 * Invariants: the left side rises with p, from 0 at p = 0, so there is one solution.
 *
 * Leaves out: hyper increase, PFC, thresholds of the marker but in GetQueueBytes.
 */
class DcqcnFixedPoint
{
  public:
    /** What it depends on. Defaults: section 3 of the paper. */
    struct Input
    {
        double flows{2};           //!< N
        double linkBps{40e9};      //!< rate of the link
        double packetBytes{1000};  //!< bytes of a packet
        double cnpS{50e-6};        //!< tau
        double alphaS{55e-6};      //!< tau'
        double timerS{55e-6};      //!< T
        double counterBytes{10e6}; //!< B
        double steps{5};           //!< F
        double rateAiBps{40e6};    //!< R_AI
    };

    /** \param input what it depends on */
    explicit DcqcnFixedPoint(const Input& input)
        : m_input(input)
    {
        double low = -9; // log10 of p: no flow of a simulation is marked less often
        double high = std::log10(0.9);
        for (int i = 0; i < 200; ++i)
        {
            const double middle = (low + high) / 2;
            (Excess(std::pow(10, middle)) < 0 ? low : high) = middle;
        }
        m_marking = std::pow(10, (low + high) / 2);
    }

    /** \return p*, part of the packets that are marked */
    double GetMarking() const
    {
        return m_marking;
    }

    /** \return alpha* of each flow */
    double GetAlpha() const
    {
        return -std::expm1(m_input.alphaS * Rate() * std::log1p(-m_marking));
    }

    /**
     * \param kmin bytes up to which nothing is marked
     * \param kmax bytes above which all is
     * \param pmax marking probability at kmax
     * \return q*; kmax if p* is above pmax, as the queue then stays near the step
     */
    double GetQueueBytes(double kmin, double kmax, double pmax) const
    {
        return m_marking >= pmax ? kmax : kmin + m_marking / pmax * (kmax - kmin);
    }

  private:
    /** \return rate of a flow, packets a second */
    double Rate() const
    {
        return m_input.linkBps / m_input.flows / (8 * m_input.packetBytes);
    }

    /** \return logarithm of the left over the right side. \param p marking probability */
    double Excess(double p) const
    {
        const double rate = Rate();
        const double unmarked = std::log1p(-p);
        const double counter = m_input.counterBytes / m_input.packetBytes;
        const double timer = m_input.timerS * rate;
        const double a = -std::expm1(m_input.cnpS * rate * unmarked);
        const double alpha = -std::expm1(m_input.alphaS * rate * unmarked);
        const double b = p / std::expm1(-counter * unmarked);
        const double c = std::exp(m_input.steps * counter * unmarked) * b;
        const double d = p / std::expm1(-timer * unmarked);
        const double e = std::exp(m_input.steps * timer * unmarked) * d;
        const double rateAi = m_input.rateAiBps / (8 * m_input.packetBytes);
        return std::log(a * a * alpha / ((b + d) * (c + e))) -
               std::log(m_input.cnpS * m_input.cnpS * rateAi * rate);
    }

    Input m_input;
    double m_marking{0};
};

/**
 * Where N flows of patched TIMELY rest: q* = C Tlow (1 + N delta / (beta C)), the fixed point of
 * the same paper, section 4.3, with q' = C Tlow. \param flows N \param linkBps C \param lowS Tlow
 * \param deltaBps delta
 * \param beta beta
 * \return bytes
 */
inline double
PatchedTimelyQueueBytes(double flows, double linkBps, double lowS, double deltaBps, double beta)
{
    return linkBps * lowS / 8 * (1 + flows * deltaBps / (beta * linkBps));
}

/**
 * How long two flows of patched TIMELY need until their rates differ by less than a tenth of a fair
 * share: their difference falls as exp(-delta t / (2 Seg)), same section.
 * \param difference of the rates in the beginning, as a share of the link
 * \param deltaBps delta
 * \param segmentBytes Seg
 * \return seconds
 */
inline double
PatchedTimelyConvergenceS(double difference, double deltaBps, double segmentBytes)
{
    return std::log(difference / 0.05) * 2 * 8 * segmentBytes / deltaBps;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_EQUATIONS_H
