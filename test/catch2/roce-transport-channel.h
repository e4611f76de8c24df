/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRANSPORT_CHANNEL_H
#define ROCE_TRANSPORT_CHANNEL_H

#include "roce-transport-test.h"

#include "ns3/roce-receive-queue.h"

#include <algorithm>
#include <deque>
#include <random>

namespace roce_test
{

/** How bad a channel is; in thousandths of the frames. */
struct Weather
{
    unsigned loss{0};
    unsigned twice{0};
    unsigned reorder{0};
    unsigned earlyTimer{0}; //!< steps in which the timer expires without need
};

/**
 * A sender and a responder with two lines between them that lose, double and reorder frames. It
 * does what a NIC does around them; there is no time, only steps.
 */
class Channel
{
  public:
    /** \param config of the requester \param loss recovery \param reads the responder remembers
     *  \param there memory of the responder, or nullptr \param seed of the dice */
    Channel(const RequesterConfig& config,
            ns3::Ptr<LossRecovery> loss,
            uint32_t reads,
            ns3::Ptr<ProtectionDomain> there,
            uint32_t seed,
            const Weather& weather)
        : sender(config, loss, 7, weather.reorder == 0),
          receives(ns3::CreateObject<ReceiveQueue>()),
          random(seed),
          m_weather(weather)
    {
        responderConfig.mtu = config.mtu;
        responderConfig.initialPsn = config.initialPsn;
        responderConfig.maxReads = reads;
        responderConfig.early = loss->GetEarlyPolicy();
        responderConfig.domain = ns3::PeekPointer(there);
        responder.Configure(responderConfig, ns3::PeekPointer(receives));
    }

    ~Channel()
    {
        while (Frame* frame = responder.DropKept())
        {
            FramePtr(frame).reset();
        }
    }

    /** The responder tells its credits from now on. */
    void TellCredits()
    {
        responderConfig.credits = true;
        responder.Configure(responderConfig, ns3::PeekPointer(receives));
    }

    /** The responder's application has room for a message. \param request room */
    void PostReceive(const ReceiveRequest& request)
    {
        receives->Post(request);
        if (responderConfig.credits && receives->GetDepth() == 1 && responder.GetExpected() > 0)
        {
            Answer(responder.Acknowledge(responder.GetExpected() - 1));
        }
    }

    /** One thing happens. \param window bytes that may be outstanding */
    void Step(uint64_t window)
    {
        const bool sends = sender.requester.CanSend(window);
        const bool answers = responder.IsAnswering();
        const bool waits = sender.requester.GetHolds() & SendQueue::HOLD_RNR;
        const unsigned what = random() % 8;
        if (what < 3 && sends)
        {
            FramePtr frame(new Frame{});
            REQUIRE(sender.requester.Build(*frame));
            resent += (frame->flags & FRAME_RETRANSMIT) != 0;
            Put(m_forth, std::move(frame));
        }
        else if (what == 3 && answers)
        {
            Respond();
        }
        else if (what < 6 && !m_forth.empty())
        {
            Arrive(Take(m_forth));
        }
        else if (!m_back.empty())
        {
            Hear(*Take(m_back));
        }
        else if (waits && random() % 4 == 0)
        {
            sender.completer.Resume();
        }
        else if (!waits && sender.requester.IsWaiting() &&
                 ((!sends && !answers && m_forth.empty()) || Happens(m_weather.earlyTimer)))
        {
            sender.completer.Timeout();
            ++timeouts;
        }
    }

    Sender sender;
    Responder responder;
    ResponderConfig responderConfig;
    ns3::Ptr<ReceiveQueue> receives;
    std::mt19937 random;
    std::vector<std::pair<uint64_t, uint64_t>> done; //!< id and what an atomic found
    std::vector<Completion> received;
    uint64_t resent{0};
    uint64_t timeouts{0};
    uint64_t rnrs{0};

  private:
    bool Happens(unsigned thousandths)
    {
        return random() % 1000 < thousandths;
    }

    void Put(std::deque<FramePtr>& line, FramePtr frame)
    {
        if (Happens(m_weather.twice))
        {
            line.push_back(Copy(*frame));
        }
        if (!Happens(m_weather.loss))
        {
            line.push_back(std::move(frame));
        }
    }

    FramePtr Take(std::deque<FramePtr>& line)
    {
        std::size_t index = 0;
        if (Happens(m_weather.reorder))
        {
            index = random() % std::min<std::size_t>(line.size(), 12);
        }
        FramePtr frame = std::move(line[index]);
        line.erase(line.begin() + static_cast<std::ptrdiff_t>(index));
        return frame;
    }

    void Respond()
    {
        FramePtr frame(new Frame{});
        REQUIRE(responder.BuildResponse(*frame));
        Put(m_back, std::move(frame));
        PendingAnswer answer;
        while (responder.TakeDeferred(answer))
        {
            SendAnswer(answer);
        }
    }

    void Arrive(FramePtr frame)
    {
        auto result = responder.Receive(*frame, 0);
        Account(result);
        if (result.kept)
        {
            (void)frame.release();
            return;
        }
        while (result.accepted && responder.HasKept())
        {
            FramePtr kept(responder.TakeKept());
            if (!kept)
            {
                break;
            }
            result = responder.Receive(*kept, 0);
            REQUIRE(!result.kept);
            Account(result);
        }
    }

    void Account(const Responder::Result& result)
    {
        REQUIRE(!result.failed);
        if (result.received)
        {
            received.push_back(responder.GetReceived());
        }
        Answer(result);
    }

    void Answer(const Responder::Result& result)
    {
        if (result.answer == Responder::Answer::NONE || result.answer == Responder::Answer::READ)
        {
            return;
        }
        rnrs += (result.syndrome & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_RNR;
        PendingAnswer answer;
        answer.psn = result.psn;
        answer.aeth = uint32_t(result.syndrome) << 24 | result.msn;
        answer.atomic = result.answer == Responder::Answer::ATOMIC;
        answer.original = responder.GetOriginal();
        responder.IsAnswering() ? responder.Defer(answer) : SendAnswer(answer);
    }

    void SendAnswer(const PendingAnswer& answer)
    {
        FramePtr frame(new Frame(Sender::Acknowledge(answer.psn)));
        frame->aeth = answer.aeth;
        if (answer.atomic)
        {
            frame->opcode = Opcode::RC_ATOMIC_ACKNOWLEDGE;
            frame->flags = FRAME_EXTENDED;
            frame->atomicOriginal = answer.original;
        }
        Put(m_back, std::move(frame));
    }

    void Hear(const Frame& frame)
    {
        const auto outcome = sender.completer.Receive(frame);
        REQUIRE(!outcome.failed);
        SendQueue::OpenRequest open;
        while (sender.requester.Retire(open))
        {
            REQUIRE(outcome.progress);
            done.emplace_back(open.request.id, sender.completer.GetOriginal());
        }
    }

    Weather m_weather;
    std::deque<FramePtr> m_forth;
    std::deque<FramePtr> m_back;
};

} // namespace roce_test

#endif // ROCE_TRANSPORT_CHANNEL_H
