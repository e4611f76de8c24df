/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Random sequences of frames against a plain second reading of the rules of SwitchMmu
#include "ns3/roce-abm-policy.h"
#include "ns3/roce-switch-mmu.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace ns3::roce;

namespace
{

constexpr uint32_t OPERATIONS = 1000000;
constexpr uint64_t RATE = 100000000000;
constexpr int64_t NS = 1000000000;

/** What the buffer should hold, without regard to speed. */
class PlainBuffer
{
  public:
    explicit PlainBuffer(const SwitchMmuConfig& config)
        : m_config(config),
          m_bytes(config.numPorts * NUM_PRIORITIES),
          m_headroom(config.numPorts * NUM_PRIORITIES)
    {
        uint64_t fixed = 0;
        for (uint32_t i = 0; i < m_bytes.size(); ++i)
        {
            fixed += Reserve(i % NUM_PRIORITIES);
            fixed += Lossless(i % NUM_PRIORITIES) ? config.headroomBytes[i / NUM_PRIORITIES] : 0;
        }
        const uint64_t shared = config.bufferBytes - fixed;
        m_size[1] = static_cast<uint64_t>(std::floor(shared * config.lossyPoolFraction));
        m_size[0] = shared - m_size[1];
    }

    bool Lossless(unsigned priority) const
    {
        return (m_config.losslessMask >> priority) & 1;
    }

    uint64_t Charge(uint64_t size) const
    {
        const uint64_t cell = m_config.cellBytes ? m_config.cellBytes : 1;
        return (size / cell + (size % cell != 0)) * cell;
    }

    /** \return whether a frame of so many bytes is stored. \param alpha its factor just now */
    bool Admit(uint32_t port, unsigned priority, uint64_t size, double alpha)
    {
        const uint32_t i = port * NUM_PRIORITIES + priority;
        const uint64_t charge = Charge(size);
        const uint64_t before = Over(i, m_bytes[i]);
        const uint64_t after = Over(i, m_bytes[i] + charge);
        const unsigned pool = PoolOf(priority);
        const uint64_t free = m_size[pool] - m_used[pool];
        const auto threshold = static_cast<uint64_t>(std::floor(alpha * free));
        if (after == 0 || (after <= threshold && after - before <= free))
        {
            m_bytes[i] += charge;
            m_used[pool] += after - before;
            total += charge;
            return true;
        }
        if (Lossless(priority) && m_headroom[i] + charge <= m_config.headroomBytes[port])
        {
            m_headroom[i] += charge;
            total += charge;
            return true;
        }
        return false;
    }

    void Release(uint32_t port, unsigned priority, uint64_t size)
    {
        const uint32_t i = port * NUM_PRIORITIES + priority;
        uint64_t rest = Charge(size);
        total -= rest;
        const uint64_t part = std::min(rest, m_headroom[i]);
        m_headroom[i] -= part;
        rest -= part;
        const uint64_t before = Over(i, m_bytes[i]);
        m_bytes[i] -= rest;
        m_used[PoolOf(priority)] -= before - Over(i, m_bytes[i]);
    }

    /** \return whether the MMU holds the same. \param mmu the MMU \param port port \param priority
     *  priority */
    bool Same(const SwitchMmu& mmu, uint32_t port, unsigned priority) const
    {
        const uint32_t i = port * NUM_PRIORITIES + priority;
        return mmu.GetBytes(port, priority) == m_bytes[i] &&
               mmu.GetHeadroomUsed(port, priority) == m_headroom[i] &&
               mmu.GetPool(Lossless(priority)).used == m_used[PoolOf(priority)] &&
               mmu.GetTotal().used == total;
    }

    uint64_t total{0};

  private:
    uint64_t Reserve(unsigned priority) const
    {
        return Lossless(priority) ? m_config.reserveBytes : m_config.lossyReserveBytes;
    }

    uint64_t Over(uint32_t i, uint64_t bytes) const
    {
        const uint64_t reserve = Reserve(i % NUM_PRIORITIES);
        return bytes > reserve ? bytes - reserve : 0;
    }

    unsigned PoolOf(unsigned priority) const
    {
        return !Lossless(priority) && m_config.lossyPoolFraction > 0;
    }

    const SwitchMmuConfig m_config;
    std::vector<uint64_t> m_bytes;
    std::vector<uint64_t> m_headroom;
    uint64_t m_size[2]{};
    uint64_t m_used[2]{};
};

/** A switch without a simulator: what is stored waits in queues by output port and priority. */
class RandomSwitch
{
  public:
    RandomSwitch(const SwitchMmuConfig& config, bool abm, uint32_t seed)
        : m_config(config),
          m_plain(config),
          m_policy(m_mmu, 2000, 0.9),
          m_abm(abm),
          m_random(seed),
          m_queues(config.numPorts * NUM_PRIORITIES)
    {
        m_mmu.Configure(config);
        m_policy.Start(std::vector<uint64_t>(config.numPorts, RATE), NS);
    }

    /** \return what went wrong, or an empty string. \param operations how many */
    std::string Run(uint32_t operations)
    {
        for (uint32_t i = 0; i < operations; ++i)
        {
            m_now += m_random() % 300;
            const bool fill = m_random() % 100 < (i / 20000 % 2 ? 40u : 60u);
            if (!(fill || m_stored.empty() ? Arrive() : Leave(m_random() % m_stored.size())))
            {
                return "operation " + std::to_string(i) + " differs";
            }
            if (i % 5000 == 0 && !m_mmu.CheckInvariants().empty())
            {
                return m_mmu.CheckInvariants();
            }
        }
        while (!m_stored.empty())
        {
            if (!Leave(m_stored.size() - 1))
            {
                return "draining differs";
            }
        }
        uint64_t counted = 0;
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            counted += m_mmu.GetDrops(p);
        }
        const bool idle = m_mmu.GetTotal().used == 0 && m_mmu.GetHeadroomLevel().used == 0 &&
                          m_mmu.GetPool(true).used == 0 && m_mmu.GetPool(false).used == 0;
        return counted != bufferDrops + egressDrops ? "drops are not all counted"
               : idle                               ? m_mmu.CheckInvariants()
                                                    : "an idle buffer holds something";
    }

    uint64_t bufferDrops{0};
    uint64_t egressDrops{0};
    uint64_t mostCongested{0};

  private:
    /** A frame in the buffer. */
    struct Stored
    {
        uint32_t out;
        Frame frame;
    };

    /** \return whether the limits of the output queue let a frame in, by the documented rule */
    bool EgressMay(const Frame& frame, uint64_t queued) const
    {
        const uint64_t bytes = queued + frame.size;
        const double free = static_cast<double>(m_config.bufferBytes - m_plain.total);
        const bool dynamic = m_config.egressAlpha == 0 || bytes <= m_config.egressAlpha * free;
        const bool fixed = m_config.egressQueueBytes == 0 || bytes <= m_config.egressQueueBytes;
        return m_plain.Lossless(frame.priority) || (dynamic && fixed);
    }

    /** \return whether the MMU did as the rules say */
    bool Arrive()
    {
        Stored stored{static_cast<uint32_t>(m_random() % m_config.numPorts), Frame{}};
        Frame& frame = stored.frame;
        frame.inPort = static_cast<uint16_t>(m_random() % m_config.numPorts);
        frame.priority = static_cast<uint8_t>(m_random() % NUM_PRIORITIES);
        frame.size = static_cast<uint16_t>(64 + m_random() % 9000);
        if (m_abm)
        {
            m_policy.MayEnqueue(&frame, frame.inPort, stored.out, m_now);
        }
        uint64_t& queued = m_queues[stored.out * NUM_PRIORITIES + frame.priority];
        if (m_mmu.LimitsEgress())
        {
            const bool may = EgressMay(frame, queued);
            if (m_mmu.AdmitsEgress(&frame, queued) != may)
            {
                return false;
            }
            egressDrops += !may;
            if (!may)
            {
                return true;
            }
        }
        const double alpha = m_mmu.GetAlpha(frame.inPort, frame.priority);
        const bool stores = m_plain.Admit(frame.inPort, frame.priority, frame.size, alpha);
        if (m_mmu.Admit(&frame, frame.inPort) != stores)
        {
            return false;
        }
        const bool marked = (frame.flags & FRAME_LOSSLESS) != 0;
        const bool inHeadroom = m_mmu.GetHeadroomUsed(frame.inPort, frame.priority) > 0;
        bufferDrops += !stores;
        if (stores)
        {
            queued += frame.size;
            m_stored.push_back(stored);
        }
        return marked == m_plain.Lossless(frame.priority) &&
               (!inHeadroom || m_mmu.XoffDue(frame.inPort, frame.priority)) &&
               m_plain.Same(m_mmu, frame.inPort, frame.priority);
    }

    /** \return whether the MMU did as the rules say. \param index which frame leaves */
    bool Leave(std::size_t index)
    {
        const Stored gone = m_stored[index];
        m_stored[index] = m_stored.back();
        m_stored.pop_back();
        m_queues[gone.out * NUM_PRIORITIES + gone.frame.priority] -= gone.frame.size;
        m_mmu.Release(&gone.frame, gone.frame.inPort);
        m_plain.Release(gone.frame.inPort, gone.frame.priority, gone.frame.size);
        if (m_abm)
        {
            Frame frame = gone.frame;
            m_policy.OnDeparture(&frame, gone.out, m_now);
            const unsigned p = frame.priority;
            mostCongested = std::max<uint64_t>(mostCongested, m_policy.GetCongested(p));
            const double most = m_plain.Lossless(p) ? m_config.alpha : m_config.alphaLossy;
            if (m_mmu.GetAlpha(frame.inPort, p) > most)
            {
                return false;
            }
        }
        return m_plain.Same(m_mmu, gone.frame.inPort, gone.frame.priority);
    }

    SwitchMmuConfig m_config;
    SwitchMmu m_mmu;
    PlainBuffer m_plain;
    AbmPolicy m_policy;
    bool m_abm;
    std::mt19937 m_random;
    std::vector<uint64_t> m_queues; //!< bytes, by output port * 8 + priority
    std::vector<Stored> m_stored;
    Tick m_now{0};
};

/** \return six ports, 2 MB, two lossless priorities, headroom that differs by port */
SwitchMmuConfig
MakeConfig()
{
    SwitchMmuConfig config;
    config.numPorts = 6;
    config.bufferBytes = 2000000;
    for (uint32_t port = 0; port < config.numPorts; ++port)
    {
        config.headroomBytes.push_back(20000 + 5000 * port);
    }
    return config;
}

} // namespace

TEST_CASE("switch MMU: a million operations follow the rules", "[switch-mmu][random]")
{
    SwitchMmuConfig config = MakeConfig();
    SECTION("dt")
    {
        RandomSwitch device(config, false, 11);
        CHECK(device.Run(OPERATIONS) == "");
        CHECK(device.bufferDrops > 1000);
    }
    SECTION("abm")
    {
        config.alpha = 1;
        RandomSwitch device(config, true, 12);
        CHECK(device.Run(OPERATIONS) == "");
        CHECK(device.bufferDrops > 1000);
        CHECK(device.mostCongested >= 2);
    }
    SECTION("cells")
    {
        config.cellBytes = 254;
        RandomSwitch device(config, false, 13);
        CHECK(device.Run(OPERATIONS) == "");
        CHECK(device.bufferDrops > 1000);
    }
    SECTION("egress limits")
    {
        config.egressAlpha = 1.0 / 64;
        config.egressQueueBytes = 25000;
        RandomSwitch device(config, false, 14);
        CHECK(device.Run(OPERATIONS) == "");
        CHECK(device.egressDrops > 1000);
        CHECK(device.bufferDrops > 1000);
    }
    SECTION("all of them, one pool")
    {
        config.lossyPoolFraction = 0;
        config.cellBytes = 208;
        config.egressAlpha = 1.0 / 32;
        RandomSwitch device(config, true, 15);
        CHECK(device.Run(OPERATIONS) == "");
        CHECK(device.egressDrops > 1000);
    }
}
