/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The law of the crowd in roce-pacing: a rate that nothing changes.

#include "ns3/double.h"
#include "ns3/roce-congestion-control.h"

#include <algorithm>

namespace ns3
{

/** A fixed part of the line rate. */
class FixedRate : public roce::CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FixedRate")
                                .SetParent<roce::CongestionControl>()
                                .AddConstructor<FixedRate>()
                                .AddAttribute("Share",
                                              "Part of the line rate",
                                              DoubleValue(1),
                                              MakeDoubleAccessor(&FixedRate::m_share),
                                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

  private:
    void DoStart(roce::Tick) override
    {
        const double rate = m_share * double(GetFlow().lineRate);
        m_rate = std::max<uint64_t>(1, static_cast<uint64_t>(rate));
    }

    double m_share;
};

NS_OBJECT_ENSURE_REGISTERED(FixedRate);

} // namespace ns3
