/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-path-chooser.h"

#include "ns3/abort.h"
#include "ns3/roce-constants.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PathChooser);

TypeId
PathChooser::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::PathChooser")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddTraceSource("Moved",
                                            "A queue pair takes another UDP source port",
                                            MakeTraceSourceAccessor(&PathChooser::m_moved),
                                            "ns3::roce::PathChooser::MovedTracedCallback");
    return tid;
}

uint16_t
PathChooser::Choose(const PathKey& path, Tick now)
{
    const uint16_t port = DoChoose(path, now);
    NS_ABORT_MSG_IF(port < ROCE_UDP_SOURCE_PORT_MIN,
                    GetInstanceTypeId().GetName() << " chose UDP source port " << port
                                                  << ", the least is " << ROCE_UDP_SOURCE_PORT_MIN);
    if (port != path.sourcePort)
    {
        ++m_moves;
        m_moved(path.qpn, path.sourcePort, port);
    }
    return port;
}

int64_t
PathChooser::AssignStreams(int64_t)
{
    return 0;
}

} // namespace roce
} // namespace ns3
