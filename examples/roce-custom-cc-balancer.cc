/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A load balancer of one's own; see roce-custom-cc.cc

#include "ns3/roce-load-balancer.h"

#include <algorithm>
#include <unordered_map>

// [balancer]
namespace ns3
{

using namespace roce;

/** Gives each new flow the member that was given the fewest, and keeps it there. */
class MyBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::MyBalancer").SetParent<LoadBalancer>().AddConstructor<MyBalancer>();
        return tid;
    }

  private:
    void DoAssemble(uint32_t, const std::vector<const Transmitter*>& transmitters) override
    {
        m_flows.assign(transmitters.size(), 0);
    }

    uint32_t DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick) override
    {
        uint16_t& port = m_ports.try_emplace(frame->hash, NONE).first->second;
        if (std::find(members, members + count, port) == members + count)
        {
            // a new flow, or its link is down
            port = *std::min_element(members, members + count, [this](uint16_t a, uint16_t b) {
                return m_flows[a] < m_flows[b];
            });
            ++m_flows[port];
        }
        return port;
    }

    static constexpr uint16_t NONE = 0xffff;
    std::unordered_map<uint32_t, uint16_t> m_ports; //!< by hash of the flow
    std::vector<uint32_t> m_flows;                  //!< given so far, by port
};

NS_OBJECT_ENSURE_REGISTERED(MyBalancer);

} // namespace ns3

// [end of balancer]
