/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-no-congestion-control.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G100 = 100000000000;

FlowParameters
Flow()
{
    FlowParameters flow;
    flow.lineRate = G100;
    flow.mtu = 1000;
    flow.frameBytes = 1062;
    return flow;
}

} // namespace

TEST_CASE("No congestion control: line rate and a static window", "[no-congestion-control]")
{
    auto cc = CreateObject<NoCongestionControl>();
    cc->Start(Flow(), 0);
    CHECK(cc->GetWindow() == CongestionControl::UNLIMITED);
    cc->SetAttribute("WindowBytes", UintegerValue(1000)); // exactly one packet
    cc->Start(Flow(), 0);
    cc->OnCnp(CnpInfo(), 1);
    cc->OnLoss(true, 2);
    cc->OnSent(1062, 3);
    cc->Advance(1000000);
    CHECK(cc->GetRate() == G100);
    CHECK(cc->GetWindow() == 1000);
    CHECK(cc->GetDeadline() == NEVER);
}

TEST_CASE("No congestion control: a window below one packet is refused", "[no-congestion-control]")
{
    int fds[2];
    REQUIRE(pipe(fds) == 0);
    const pid_t child = fork();
    if (child == 0)
    {
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        dup2(fds[1], STDERR_FILENO);
        auto cc = CreateObject<NoCongestionControl>();
        cc->SetAttribute("WindowBytes", UintegerValue(999));
        cc->Start(Flow(), 0);
        _exit(0); // not refused
    }
    close(fds[1]);
    std::string text;
    char buffer[512];
    for (ssize_t n = 0; (n = read(fds[0], buffer, sizeof(buffer))) > 0;)
    {
        text.append(buffer, n);
    }
    close(fds[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(!(WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CHECK_THAT(text, Catch::Contains("WindowBytes is 999") && Catch::Contains("1000"));
}
