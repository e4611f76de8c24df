/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DRE_H
#define ROCE_DRE_H

#include "ns3/roce-tick.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * The discounting rate estimator of one link, with the metric that CONGA makes of it.
 *
 * Models: a register X that grows by the bytes sent and is multiplied by 1 - alpha at each multiple
 * of the period T; it is brought up to date when it is used. A constant rate R gives X = R x tau,
 * tau = T / alpha, at the end of each period. The metric is X over C x tau (C: rate of the link) in
 * 2^Q steps, rounded to the nearest and at most 2^Q - 1.
 *
 * Clause: Alizadeh et al., CONGA, SIGCOMM 2014, 3.2. It says "quantised to Q bits"; rounding is
 * ours.
 *
 * Invariants: no value depends on how often it is read; a link that sent nothing for long has
 * metric 0; a link at half its rate has metric 2^Q / 2 at the end of a period.
 *
 * Leaves out: integer shifts as an ASIC has them; the register is a double.
 */
class Dre
{
  public:
    /** Most bits of a metric: it travels in four. */
    static constexpr unsigned MAX_BITS = 4;

    /**
     * \param bytesPerTick what the link can send
     * \param period T in ticks, at least 1
     * \param alpha part that is forgotten each period, above 0 and at most 1
     * \param bits Q, from 1 to MAX_BITS
     */
    void Configure(double bytesPerTick, Tick period, double alpha, unsigned bits)
    {
        m_period = std::max<Tick>(period, 1);
        m_keep = 1 - alpha;
        m_top = (1u << bits) - 1;
        // C x tau holds 2^Q steps
        m_stepBytes = bytesPerTick * static_cast<double>(m_period) / alpha / (m_top + 1);
        m_bytes = 0;
        m_turn = 0;
    }

    /** A frame is sent. \param bytes how many \param now present tick */
    void Add(uint32_t bytes, Tick now)
    {
        Discount(now);
        m_bytes += bytes;
    }

    /** \return X in bytes. \param now present tick */
    double GetRegister(Tick now)
    {
        Discount(now);
        return m_bytes;
    }

    /** \return the metric, 0 to 2^Q - 1. \param now present tick */
    uint8_t GetMetric(Tick now)
    {
        const double steps = GetRegister(now) / m_stepBytes + 0.5;
        return static_cast<uint8_t>(steps >= m_top ? m_top : static_cast<uint32_t>(steps));
    }

  private:
    void Discount(Tick now)
    {
        const Tick turn = now / m_period;
        if (turn != m_turn)
        {
            if (m_bytes > 0)
            {
                m_bytes *= std::pow(m_keep, static_cast<double>(turn - m_turn));
            }
            m_turn = turn;
        }
    }

    double m_bytes{0};     //!< X
    Tick m_turn{0};        //!< number of the period in which X was brought up to date
    Tick m_period{1};      //!< T
    double m_keep{0};      //!< 1 - alpha
    double m_stepBytes{1}; //!< X of one step of the metric
    uint32_t m_top{1};     //!< largest metric
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DRE_H
