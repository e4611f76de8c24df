/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_MMU_H
#define ROCE_SWITCH_MMU_H

#include "roce-switch-mmu-config.h"

#include "ns3/roce-constants.h"
#include "ns3/roce-frame.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The shared buffer of a switch: who may store how much, and when to pause a sender.
 *
 * Models: ingress accounting per (port, priority). Each has a reserve of its own; what exceeds it
 * comes from a pool (one for lossless, one for lossy priorities) up to a dynamic threshold of
 * alpha times the free bytes of the pool. A lossless frame above the threshold goes as a whole to
 * the headroom of its port and priority and is dropped only if that is full; a lossy one is
 * dropped. Sans-IO.
 *
 * Dynamic thresholds: Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998. Order of the checks as in the
 * HPCC artifact: XOFF if the bytes over the reserve reach the threshold taken after admission, or
 * headroom is in use; XON if no headroom is in use and these bytes plus an offset are within the
 * threshold, or there are none.
 *
 * Invariants: (1) the bytes of all (port, priority) = GetUsed() = bytes of all queues of the
 * switch; (2) bytes over the reserves of a pool = its used bytes <= its size; (3) headroom in use
 * <= headroom of the port, 0 for lossy; (4) GetUsed() <= buffer; (5) bytes admitted - released =
 * GetUsed(); (6) idle means all are zero. CheckInvariants() tests (1) to (5). With cells a frame
 * counts as its cells, in bytes.
 *
 * Leaves out: egress accounting of its own: AdmitsEgress looks at the queue of the transmitter, in
 * bytes of frames.
 */
class SwitchMmu
{
  public:
    /** A number of bytes now and its maximum so far. */
    struct Level
    {
        uint64_t size{0}; //!< limit
        uint64_t used{0}; //!< now
        uint64_t peak{0}; //!< maximum so far
    };

    /** Divide the buffer. Throws std::invalid_argument if it cannot be. \param config how */
    void Configure(const SwitchMmuConfig& config);

    /**
     * Store a frame, if there is room. Sets or clears FRAME_LOSSLESS.
     * \param frame the frame; its size and priority count
     * \param port ingress port
     * \return whether it was stored; if not, it is counted as a drop of its priority
     */
    bool Admit(Frame* frame, uint32_t port)
    {
        const unsigned priority = frame->priority;
        const Class& cls = m_classes[priority];
        Cell& cell = m_cells[port * NUM_PRIORITIES + priority];
        const uint32_t size = Charge(frame->size, cls);
        const uint64_t bytes = cell.bytes + size;
        frame->flags = (frame->flags & ~FRAME_LOSSLESS) | cls.flag;
        if (bytes > cls.reserve)
        {
            const uint64_t over = bytes - cls.reserve;
            const uint64_t added = std::min<uint64_t>(over, size);
            Level& pool = m_pools[cls.pool];
            if (__builtin_expect(over > Threshold(cell, pool) || added > pool.size - pool.used, 0))
            {
                return AdmitToHeadroom(port, priority, size);
            }
            pool.used += added;
            pool.peak = std::max(pool.peak, pool.used);
        }
        cell.bytes = bytes;
        Store(size);
        return true;
    }

    /** A stored frame leaves. \param frame the frame \param port ingress port by which it came */
    void Release(const Frame* frame, uint32_t port)
    {
        const unsigned priority = frame->priority;
        const Class& cls = m_classes[priority];
        Cell& cell = m_cells[port * NUM_PRIORITIES + priority];
        uint32_t size = Charge(frame->size, cls);
        m_total.used -= size;
        m_released += size;
        if (__builtin_expect(cell.headroom != 0, 0))
        {
            const uint32_t part = std::min(cell.headroom, size);
            cell.headroom -= part;
            m_headroom.used -= part;
            size -= part;
        }
        m_pools[cls.pool].used -= std::min<uint64_t>(size, Over(cell, cls));
        cell.bytes -= size;
    }

    /** To be asked before Admit if LimitsEgress(); stops lossy frames only. \return whether the
     *  frame may wait in its output queue; if not, it is counted as a drop of its priority \param
     *  frame the frame \param queueBytes bytes that wait there */
    bool AdmitsEgress(const Frame* frame, uint64_t queueBytes);

    /** \return whether output queues have limits */
    bool LimitsEgress() const;

    /** \return bytes it takes in the buffer: whole cells. \param size bytes of a frame */
    uint32_t GetCharge(uint32_t size) const;

    /** \return factor of a threshold. \param port ingress port \param priority its priority */
    double GetAlpha(uint32_t port, unsigned priority) const;

    /** Change the factor of a threshold, cut to what alpha may be. \param port ingress port \param
     *  priority its priority \param alpha the new one */
    void SetAlpha(uint32_t port, unsigned priority, double alpha);

    /** \return whether the sender at a port is to be paused. \param port ingress port \param
     *  priority its priority */
    bool XoffDue(uint32_t port, unsigned priority) const
    {
        const Class& cls = m_classes[priority];
        const Cell& cell = m_cells[port * NUM_PRIORITIES + priority];
        return cls.flag != 0 &&
               (cell.headroom != 0 || Over(cell, cls) >= Threshold(cell, m_pools[cls.pool]));
    }

    /** \return whether a paused sender may go on. \param port ingress port \param priority its
     *  priority */
    bool XonDue(uint32_t port, unsigned priority) const
    {
        const Class& cls = m_classes[priority];
        const Cell& cell = m_cells[port * NUM_PRIORITIES + priority];
        const uint64_t over = Over(cell, cls);
        return cell.headroom == 0 &&
               (over == 0 || over + m_resumeOffset <= Threshold(cell, m_pools[cls.pool]));
    }

    /** \return present threshold in bytes over the reserve. \param port ingress port \param
     *  priority its priority */
    uint64_t GetThreshold(uint32_t port, unsigned priority) const;

    /** \return bytes stored, without headroom. \param port ingress port \param priority priority */
    uint64_t GetBytes(uint32_t port, unsigned priority) const;

    /** \return its bytes over the reserve. \param port ingress port \param priority priority */
    uint64_t GetShared(uint32_t port, unsigned priority) const;

    /** \return headroom bytes in use. \param port ingress port \param priority its priority */
    uint64_t GetHeadroomUsed(uint32_t port, unsigned priority) const;

    /** \return headroom of each lossless priority of a port in bytes. \param port the port */
    uint64_t GetHeadroom(uint32_t port) const;

    /** \return frames dropped. \param priority their priority */
    uint64_t GetDrops(unsigned priority) const;

    /** \return shared bytes of the pool of lossless (or lossy) priorities. \param lossless which */
    const Level& GetPool(bool lossless) const;

    /** \return headroom of all ports together */
    const Level& GetHeadroomLevel() const;

    /** \return all bytes stored, against the buffer */
    const Level& GetTotal() const;

    /** \return bit p: priority p is lossless */
    uint8_t GetLosslessMask() const;

    /** \return what is wrong with the counters, or an empty string */
    std::string CheckInvariants() const;

  private:
    static constexpr unsigned ALPHA_BITS = 16; //!< alpha is held in units of 2^-16

    /** Ingress counters of one port and priority; half the priorities of a port in a line. */
    struct Cell
    {
        uint64_t bytes{0};    //!< in reserve and pool
        uint32_t headroom{0}; //!< in headroom
        uint32_t alpha{0};    //!< in 2^-16
    };

    struct Class
    {
        uint32_t reserve{0};
        uint16_t flag{0};    //!< FRAME_LOSSLESS or 0
        uint8_t pool{0};     //!< index in m_pools
        uint8_t hasCells{0}; //!< whether m_cellBytes counts
    };

    static uint64_t Threshold(const Cell& cell, const Level& pool)
    {
        return ((pool.size - pool.used) * cell.alpha) >> ALPHA_BITS;
    }

    static uint64_t Over(const Cell& cell, const Class& cls)
    {
        return cell.bytes > cls.reserve ? cell.bytes - cls.reserve : 0;
    }

    uint32_t Charge(uint32_t size, const Class& cls) const
    {
        // a division, but no call: that would cost the usual case registers
        return __builtin_expect(cls.hasCells, 0)
                   ? (size + m_cellBytes - 1) / m_cellBytes * m_cellBytes
                   : size;
    }

    void Store(uint32_t size)
    {
        m_admitted += size;
        m_total.used += size;
        m_total.peak = std::max(m_total.peak, m_total.used);
    }

    bool AdmitToHeadroom(uint32_t port, unsigned priority, uint32_t size);

    Class m_classes[NUM_PRIORITIES];
    Level m_pools[2]; //!< lossless (or common), lossy
    Level m_total;
    Level m_headroom;
    uint64_t m_admitted{0};
    uint64_t m_released{0};
    uint32_t m_resumeOffset{0};
    uint8_t m_losslessMask{0};
    uint32_t m_cellBytes{0};
    uint32_t m_egressAlpha{0};            //!< in 2^-16; 0: no dynamic limit
    uint64_t m_egressBytes{0};            //!< 0: no fixed limit
    std::vector<Cell> m_cells;            //!< port * 8 + priority
    std::vector<uint32_t> m_portHeadroom; //!< by port
    uint64_t m_drops[NUM_PRIORITIES]{};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_MMU_H
