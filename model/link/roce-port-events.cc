/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port-events.h"

#include "roce-event-core.h"
#include "roce-port.h"

namespace ns3
{
namespace roce
{

namespace
{

/** Adds a call of Port::UpdateWatch to each change of the sinks. */
class WatchedTraceSourceAccessor : public TraceSourceAccessor
{
  public:
    explicit WatchedTraceSourceAccessor(Ptr<const TraceSourceAccessor> inner)
        : m_inner(inner)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return Update(object, m_inner->ConnectWithoutContext(object, sink));
    }

    bool Connect(ObjectBase* object, std::string context, const CallbackBase& sink) const override
    {
        return Update(object, m_inner->Connect(object, context, sink));
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return Update(object, m_inner->DisconnectWithoutContext(object, sink));
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& sink) const override
    {
        return Update(object, m_inner->Disconnect(object, context, sink));
    }

  private:
    static bool Update(ObjectBase* object, bool changed)
    {
        if (changed)
        {
            dynamic_cast<Port*>(object)->UpdateWatch();
        }
        return changed;
    }

    Ptr<const TraceSourceAccessor> m_inner;
};

} // namespace

Ptr<const TraceSourceAccessor>
MakeWatchedTraceSourceAccessor(Ptr<const TraceSourceAccessor> inner)
{
    return Create<WatchedTraceSourceAccessor>(inner);
}

PortTap::PortTap(Port* port)
    : m_port(port)
{
}

void
PortTap::Receive(Frame* frame, uint32_t port, Tick now)
{
    if (m_port->WatchReceived(frame))
    {
        m_port->m_owner->Receive(frame, port, now);
    }
}

PauseDelay::PauseDelay(Port* port)
    : DelayLine(PeekPointer(port->m_core)),
      m_port(port)
{
}

void
PauseDelay::Release(Frame* frame, Tick now)
{
    m_port->ApplyPause(*frame, now);
    m_port->m_core->GetPool().Free(frame);
}

PauseExpiry::PauseExpiry(Port* port)
    : m_port(port)
{
}

PauseExpiry::~PauseExpiry()
{
    if (m_pending)
    {
        m_port->m_core->Forget(this);
    }
}

void
PauseExpiry::Arm(Tick deadline)
{
    if (deadline < m_armed)
    {
        m_armed = deadline;
        ++m_pending;
        m_port->m_core->At(deadline, this, EventPhase::ARRIVAL);
    }
}

void
PauseExpiry::Fire(Tick now)
{
    --m_pending;
    if (now != m_armed)
    {
        return; // an earlier end was armed meanwhile and has armed the rest
    }
    m_armed = NEVER;
    m_port->ExpirePause(now);
}

} // namespace roce
} // namespace ns3
