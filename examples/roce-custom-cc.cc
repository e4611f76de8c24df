/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A congestion control of one's own, MyControl, in this file and nowhere else, beside DCQCN: hosts
// of one leaf write to half as many of another. A load balancer of one's own, MyBalancer, is in
// roce-custom-cc-balancer.cc. doc/own-laws.rst explains both.
//
// build/bin/roce-custom-cc --cc=ns3::MyControl,dcqcn
// build/bin/roce-custom-cc --lb=ns3::MyBalancer --ns3::MyControl::Quiet=20us

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-helper.h"

// [law]
namespace ns3
{

using namespace roce;

/** Halves the rate at a CNP, and adds a part of the line rate after each time without one. */
class MyControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::MyControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<MyControl>()
                                .AddAttribute("Quiet",
                                              "Time without a CNP after which the rate rises",
                                              TimeValue(MicroSeconds(50)),
                                              MakeTimeAccessor(&MyControl::m_quiet),
                                              MakeTimeChecker(NanoSeconds(1)))
                                .AddAttribute("Step",
                                              "What it rises by, as part of the line rate",
                                              DoubleValue(0.02),
                                              MakeDoubleAccessor(&MyControl::m_step),
                                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

  private:
    void DoStart(Tick) override
    {
        // line rate, no window and no timer: the base class has seen to it
    }

    void DoCnp(const CnpInfo&, Tick now) override
    {
        DoAdvance(now); // a timer that is due goes first
        m_rate = std::max(m_rate / 2, GetFlow().lineRate / 1000);
        m_deadline = now + ToTick(m_quiet);
    }

    void DoAdvance(Tick now) override
    {
        const uint64_t line = GetFlow().lineRate;
        while (m_deadline <= now)
        {
            m_rate = std::min(line, m_rate + static_cast<uint64_t>(m_step * double(line)));
            m_deadline = m_rate < line ? m_deadline + ToTick(m_quiet) : NEVER;
        }
    }

    Time m_quiet;
    double m_step;
};

NS_OBJECT_ENSURE_REGISTERED(MyControl);

} // namespace ns3

// [end of law]

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        uint32_t senders = 8;
        uint32_t spines = 8;
        std::string size = "2MB";
        ExperimentHelper experiment("roce-custom-cc", "a congestion control of one's own");
        experiment.SetDefaults("ns3::MyControl,dcqcn");
        experiment.AddFlag("senders", "hosts that send, an even number from 2 on", senders);
        experiment.AddFlag("spines", "spine switches, at least 1", spines);
        experiment.AddFlag("size", "bytes of each message", size);
        experiment.Parse(argc, argv);
        if (senders == 0 || senders % 2)
        {
            throw std::invalid_argument("--senders=" + std::to_string(senders) +
                                        ": two write to one, so an even number is needed");
        }
        ClosHelper clos(2, spines, senders);
        for (const std::string& cc : experiment.GetCcs())
        {
            RoceHelper roce;
            experiment.Configure(roce, cc);
            Ptr<Fabric> fabric = clos.Install(roce);
            ExperimentRun& run = experiment.Begin(cc, fabric);
            for (uint32_t i = 0; i < senders; ++i)
            {
                const Connection connection = fabric->Connect(i, senders + i / 2);
                WorkRequest request;
                request.bytes = ParseBytes(size);
                connection.nic->Post(connection.qp, request);
            }
            run.Run();
            experiment.End();
        }
        return experiment.Finish();
    });
}
