/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-helper.h"

#include "ns3/boolean.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse a name that a helper refuses, in words for who typed the flag. */
template <typename F>
void
CheckName(const std::string& flag, const std::string& name, F&& set)
{
    try
    {
        set(name);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument("--" + flag + "=" + name + ": " + error.what());
    }
}

/** \return a number with a comma after each three digits. \param value the number */
std::string
Count(uint64_t value)
{
    std::string text = std::to_string(value);
    for (int64_t i = static_cast<int64_t>(text.size()) - 3; i > 0; i -= 3)
    {
        text.insert(static_cast<std::size_t>(i), ",");
    }
    return text;
}

} // namespace

ExperimentHelper::ExperimentHelper(const std::string& program, const std::string& usage)
    : m_program(program),
      m_flags(usage)
{
    m_flags.Add(
        "cc",
        "Congestion control: none, dcqcn, dctcp, timely, patched-timely, swift, hpcc, hpcc-rate, "
        "powertcp, theta-powertcp, hcc or a TypeId; a list gives one run each",
        m_cc);
    m_flags.Add("lb",
                "Load balancer of switches: ecmp, e-ecmp, hpcc, flowlet, letflow, dlb, spray, "
                "drill, conga or pinned",
                m_lb);
    m_flags.Add("recovery", "Loss recovery: go-back-n, go-back-0 or irn", m_recovery);
    m_flags.Add("json", "Write results to this file (schema roce-result/1)", m_json);
    m_flags.Add("pcap", "Write a pcap file of each port, names begin with this", m_pcap);
    m_flags.Add("progress", "Tell stderr how far a run is", m_showProgress);
    m_flags.Add("quiet", "Print nothing but errors", m_quiet);
}

ExperimentHelper::~ExperimentHelper()
{
    if (m_run)
    {
        m_run.reset();
        Simulator::Destroy();
    }
}

void
ExperimentHelper::SetDefaults(const std::string& cc,
                              const std::string& lb,
                              const std::string& recovery)
{
    m_cc = cc;
    m_lb = lb;
    m_recovery = recovery;
}

void
ExperimentHelper::CheckNames()
{
    m_ccs.clear();
    std::istringstream list(m_cc);
    for (std::string name; std::getline(list, name, ',');)
    {
        CheckName("cc", name, [](const std::string& n) { RoceHelper().SetCongestionControl(n); });
        m_ccs.push_back(name);
    }
    if (m_ccs.empty())
    {
        throw std::invalid_argument("--cc is empty; give none or dcqcn");
    }
    CheckName("lb", m_lb, [](const std::string& n) { RoceHelper().SetLoadBalancer(n); });
    CheckName("recovery", m_recovery, [](const std::string& n) {
        RoceHelper().SetLossRecovery(n);
    });
}

void
ExperimentHelper::Parse(int argc, char* argv[])
{
    m_flags.Parse(argc, argv);
    CheckNames();
    if (!m_json.empty())
    {
        ResultWriter::CheckPath(m_json);
    }
    ResultHeader header;
    header.program = m_program;
    header.version = ROCE_VERSION;
    header.ns3 = ROCE_NS3_VERSION;
    header.seed = RngSeedManager::GetSeed();
    header.run = RngSeedManager::GetRun();
    m_writer = std::make_unique<ResultWriter>(header);
    for (const auto& [name, value] : m_flags.GetValues())
    {
        // where a result goes is no part of it
        if (name != "json" && name != "pcap" && name != "progress" && name != "quiet")
        {
            m_writer->SetConfig(name, value);
        }
    }
}

bool
ExperimentHelper::IsGiven(const std::string& name) const
{
    return m_flags.IsGiven(name);
}

const std::vector<std::string>&
ExperimentHelper::GetCcs() const
{
    return m_ccs;
}

const std::string&
ExperimentHelper::GetLb() const
{
    return m_lb;
}

const std::string&
ExperimentHelper::GetRecovery() const
{
    return m_recovery;
}

bool
ExperimentHelper::IsQuiet() const
{
    return m_quiet;
}

void
ExperimentHelper::Configure(RoceHelper& roce, const std::string& cc) const
{
    const std::string& name = cc.empty() ? m_ccs.at(0) : cc;
    roce.SetCongestionControl(name);
    roce.SetLoadBalancer(m_lb);
    roce.SetLossRecovery(m_recovery);
    if (name == "none")
    {
        roce.SetNicAttribute("EcnCapable", BooleanValue(false));
    }
}

void
ExperimentHelper::AddConfig(const std::string& name, const ResultWriter::Json& value)
{
    m_writer->SetConfig(name, value);
}

void
ExperimentHelper::AddKey(const std::string& key, const ResultWriter::Json& value)
{
    m_writer->AddKey(key, value);
}

void
ExperimentHelper::EnablePcap(const std::string& label, Ptr<Fabric> fabric) const
{
    const std::filesystem::path folder = std::filesystem::path(m_pcap).parent_path();
    if (!folder.empty())
    {
        std::filesystem::create_directories(folder);
    }
    NodeContainer nodes(fabric->GetHosts(), fabric->GetSwitches());
    std::string name = label;
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return c == '/' || c == ' '; },
        '-');
    RoceHelper().EnablePcap(m_pcap + "-" + name, nodes, true);
}

ExperimentRun&
ExperimentHelper::Begin(const std::string& label, Ptr<Fabric> fabric)
{
    if (!m_writer)
    {
        throw std::logic_error("call Parse before Begin");
    }
    if (m_run)
    {
        throw std::logic_error("run \"" + m_run->GetLabel() +
                               "\" is open; call End before the next fabric is built");
    }
    m_run = std::make_unique<ExperimentRun>(label, fabric, m_showProgress);
    // fixed streams: a run must not depend on how many random variables were made before
    m_nextStream = RoceHelper().AssignStreams(fabric, 0);
    if (!m_pcap.empty())
    {
        EnablePcap(label, fabric);
    }
    return *m_run;
}

int64_t
ExperimentHelper::GetNextStream() const
{
    return m_nextStream;
}

void
ExperimentHelper::End()
{
    if (!m_run)
    {
        return;
    }
    if (m_run->IsDone())
    {
        const RunResult& result = m_run->GetResult();
        m_writer->AddRun(result, m_run->GetExtra());
        if (!m_quiet)
        {
            PrintRow(result);
        }
        Judge(result, *m_run);
    }
    m_run.reset();
    Simulator::Destroy();
}

int
ExperimentHelper::Finish()
{
    End();
    if (!m_json.empty())
    {
        m_writer->Write(m_json);
    }
    return m_exit;
}

void
ExperimentHelper::Judge(const RunResult& result, const ExperimentRun& run)
{
    const uint64_t expectedFailures = run.GetExpectedFailures();
    if (result.failed != expectedFailures)
    {
        std::cerr << m_program << ": " << result.label << ": " << result.failed << " of "
                  << result.posted << " requests failed";
        if (expectedFailures)
        {
            std::cerr << ", expected " << expectedFailures;
        }
        std::cerr << "\n";
        m_exit = std::max(m_exit, 1);
    }
    if (run.IsStallExpected())
    {
        if (result.stalled.IsEmpty())
        {
            std::cerr << m_program << ": " << result.label << ": finished, expected a stall\n";
            m_exit = std::max(m_exit, 1);
        }
    }
    else if (!result.stalled.IsEmpty())
    {
        std::cerr << m_program << ": " << result.label << ": cannot finish, "
                  << result.stalled.pairs.size() << " queue pairs wait at "
                  << FromTick(result.stalled.at).As(Time::MS) << "\n";
        for (const std::string& line : result.stalled.GetLines())
        {
            std::cerr << "  " << line << "\n";
        }
        m_exit = 3;
    }
}

void
ExperimentHelper::PrintRow(const RunResult& result)
{
    if (!m_headPrinted)
    {
        m_headPrinted = true;
        std::printf("%-10s %13s %32s %9s %13s %15s %9s %9s %8s %8s\n",
                    "",
                    "",
                    "FCT (us)",
                    "goodput",
                    "utilization",
                    "drops",
                    "",
                    "",
                    "",
                    "");
        std::printf("%-10s %13s %10s %10s %10s %9s %6s %6s %8s %6s %9s %9s %8s %8s\n",
                    "run",
                    "messages",
                    "mean",
                    "p99",
                    "max",
                    "(Gb/s)",
                    "mean",
                    "max",
                    "lossless",
                    "lossy",
                    "XOFF",
                    "CNP",
                    "resent",
                    "timeouts");
    }
    const bool none = result.fctNs.IsEmpty();
    const std::string messages =
        std::to_string(result.completed) + "/" + std::to_string(result.posted);
    std::printf("%-10s %13s %10.2f %10.2f %10.2f %9.2f %6.3f %6.3f %8llu %6llu %9llu %9llu %8llu "
                "%8llu\n",
                result.label.c_str(),
                messages.c_str(),
                none ? 0 : result.fctNs.GetMean() / 1e3,
                none ? 0 : result.fctNs.GetPercentile(99) / 1e3,
                none ? 0 : result.fctNs.GetMax() / 1e3,
                result.goodputBps / 1e9,
                result.utilizationMean,
                result.utilizationBottleneck,
                static_cast<unsigned long long>(result.GetDrops(DropReason::LOSSLESS_BUFFER)),
                static_cast<unsigned long long>(result.GetDrops(DropReason::LOSSY_BUFFER)),
                static_cast<unsigned long long>(result.xoff),
                static_cast<unsigned long long>(result.cnpSent),
                static_cast<unsigned long long>(result.retransmitted),
                static_cast<unsigned long long>(result.timeouts));
    std::printf("  congestion control: %s\n", DescribeControl(result).c_str());
    std::fflush(stdout);
}

std::string
ExperimentHelper::DescribeControl(const RunResult& result)
{
    if (!result.IsControlActive())
    {
        if (result.cnpReceived + result.ecnMarked + result.intAcks == 0)
        {
            return "not active: no CNP, no mark, no rate change";
        }
        return "not active: " + Count(result.cnpReceived) + " CNPs, " + Count(result.ecnMarked) +
               " marks, " + Count(result.intAcks) + " ACKs with telemetry, no rate change";
    }
    std::string text = "active, " + Count(result.rateChanges) + " rate changes, ";
    if (result.windowChanges > 0)
    {
        text += Count(result.windowChanges) + " window changes, ";
    }
    text += Count(result.cnpReceived) + " CNPs";
    if (result.intAcks > 0)
    {
        text += ", " + Count(result.intAcks) + " ACKs with telemetry";
    }
    return text;
}

int
ExperimentHelper::Main(int argc, char* argv[], const std::function<int()>& body)
{
    const std::string program =
        argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "roce";
    try
    {
        return body();
    }
    catch (const std::invalid_argument& error)
    {
        std::cerr << program << ": " << error.what() << "\n";
        return 2;
    }
    catch (const std::runtime_error& error)
    {
        std::cerr << program << ": " << error.what() << "\n";
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << program << ": internal error: " << error.what() << "\n";
        return 1;
    }
}

} // namespace roce
} // namespace ns3
