/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-runner.h"

#include "roce-experiment-message-table.h"
#include "roce-experiment-topology.h"
#include "roce-monitor-helper.h"

#include "ns3/data-rate.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-json-source.h"
#include "ns3/roce-quantity.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = ExperimentDocument::Json;

/** First random stream of traffic; those of fabrics are below. */
constexpr int64_t TRAFFIC_STREAM = 1000000000;

/** \return a time. \param text with a unit */
Time
TimeOf(const std::string& text)
{
    const int64_t ps = Quantity::DelayPs(text);
    return NanoSeconds(ps / 1000) + PicoSeconds(ps % 1000);
}

/** Destroys the simulation of a run that ended by an exception. */
class Cleaner
{
  public:
    /** \param clear forgets what the run had */
    explicit Cleaner(std::function<void()> clear)
        : m_clear(std::move(clear))
    {
    }

    ~Cleaner()
    {
        m_clear();
    }

    Cleaner(const Cleaner&) = delete;
    Cleaner& operator=(const Cleaner&) = delete;

  private:
    std::function<void()> m_clear;
};

} // namespace

/** Begins and ends runs without a program. */
class ExperimentRunner::OwnFrame
{
  public:
    /** \param runner what is run \param progress whether to tell stderr how far it is
     *  \param observer sees each run */
    OwnFrame(const ExperimentRunner& runner, bool progress, const Observer& observer)
        : m_pcap(runner.GetOutput("pcap")),
          m_progress(progress),
          m_observer(observer),
          m_writer(ResultHeader{"roce-run",
                                ROCE_VERSION,
                                ROCE_NS3_VERSION,
                                runner.GetSeed(),
                                runner.GetFirstRun()})
    {
        m_writer.SetConfig("experiment", ResultWriter::Json(runner.GetDocument().GetGiven()));
    }

    ~OwnFrame()
    {
        if (m_run)
        {
            m_kept.reset();
            m_run.reset();
            Simulator::Destroy();
        }
    }

    OwnFrame(const OwnFrame&) = delete;
    OwnFrame& operator=(const OwnFrame&) = delete;

    /** \return the three functions */
    Frame Get()
    {
        return {[this](const std::string& label, Ptr<Fabric> fabric) -> ExperimentRun& {
                    return Begin(label, fabric);
                },
                [this]() { return m_nextStream; },
                [this]() { End(); }};
    }

    /** \return what was written */
    const ResultWriter& GetWriter() const
    {
        return m_writer;
    }

  private:
    ExperimentRun& Begin(const std::string& label, Ptr<Fabric> fabric)
    {
        m_run = std::make_unique<ExperimentRun>(label, fabric, m_progress);
        m_nextStream = RoceHelper().AssignStreams(fabric, 0);
        if (!m_pcap.empty())
        {
            const std::filesystem::path folder = std::filesystem::path(m_pcap).parent_path();
            if (!folder.empty())
            {
                std::filesystem::create_directories(folder);
            }
            std::string name = label;
            std::replace(name.begin(), name.end(), '/', '-');
            std::replace(name.begin(), name.end(), ' ', '-');
            RoceHelper().EnablePcap(m_pcap + "-" + name,
                                    NodeContainer(fabric->GetHosts(), fabric->GetSwitches()),
                                    true);
        }
        if (m_observer.begun)
        {
            m_kept = m_observer.begun(*m_run, fabric);
        }
        return *m_run;
    }

    void End()
    {
        if (m_observer.ended)
        {
            m_observer.ended(*m_run);
        }
        m_kept.reset();
        m_writer.AddRun(m_run->GetResult(), m_run->GetExtra());
        m_run.reset();
        Simulator::Destroy();
    }

    std::string m_pcap;
    bool m_progress;
    Observer m_observer;
    ResultWriter m_writer;
    std::unique_ptr<ExperimentRun> m_run;
    std::shared_ptr<void> m_kept; //!< of the run
    int64_t m_nextStream{0};
};

ExperimentRunner::ExperimentRunner(const ExperimentDocument& document)
    : m_document(document),
      m_fabric(ExperimentTopology::Build(document)),
      m_setups(ExperimentSetup::MakeAll(document)),
      m_links(std::make_unique<ExperimentLinks>(document, m_fabric.graph))
{
    MakeTraffic();
}

ExperimentRunner::~ExperimentRunner() = default;

GpuMap
ExperimentRunner::MakeMap(const FabricGraph& graph) const
{
    const Json gpus = m_document.GetJson().value("gpus", Json::object());
    const uint32_t perServer = gpus.value("per_server", 1U);
    return gpus.value("shared_nic", false) ? GpuMap::SharedNic(graph, perServer)
                                           : GpuMap::NicPerGpu(graph, perServer);
}

void
ExperimentRunner::MakeTraffic()
{
    const Json& traffic = m_document.GetJson().at("traffic");
    ExperimentPlan plan{m_document, m_fabric.graph};
    m_needsGpus = std::any_of(traffic.begin(), traffic.end(), [](const Json& entry) {
        return ExperimentTraffic::NeedsGpus(entry.at("type").get<std::string>());
    });
    if (m_needsGpus || m_document.GetJson().contains("gpus"))
    {
        try
        {
            plan.gpus = MakeMap(m_fabric.graph).GetGpus();
        }
        catch (const std::invalid_argument& error)
        {
            JsonSource(m_document.GetName()).Fail("/gpus/per_server", error.what());
        }
    }
    for (std::size_t i = 0; i < traffic.size(); ++i)
    {
        m_traffic.push_back(ExperimentTraffic::Make(plan, i));
    }
}

std::vector<std::string>
ExperimentRunner::GetLabels() const
{
    std::vector<std::string> labels;
    for (const ExperimentSetup& setup : m_setups)
    {
        labels.push_back(setup.GetLabel());
    }
    return labels;
}

uint32_t
ExperimentRunner::GetNRuns() const
{
    return static_cast<uint32_t>(m_setups.size()) *
           m_document.GetJson().at("repeats").get<uint32_t>();
}

uint32_t
ExperimentRunner::GetSeed() const
{
    return m_document.GetJson().value("seed", RngSeedManager::GetSeed());
}

uint64_t
ExperimentRunner::GetFirstRun() const
{
    return m_document.GetJson().value("run", RngSeedManager::GetRun());
}

bool
ExperimentRunner::IsOn(const char* object, const char* key) const
{
    const Json& json = m_document.GetJson();
    return json.contains(object) && json.at(object).value(key, false);
}

std::string
ExperimentRunner::GetOutput(const char* key) const
{
    return m_document.GetJson().value("output", Json::object()).value(key, std::string());
}

ResultWriter::Json
ExperimentRunner::Run(bool progress)
{
    OwnFrame frame(*this, progress, {});
    return RunIn(frame);
}

ResultWriter::Json
ExperimentRunner::Run(const Observer& observer)
{
    OwnFrame frame(*this, false, observer);
    return RunIn(frame);
}

ResultWriter::Json
ExperimentRunner::RunIn(OwnFrame& frame)
{
    const std::string path = GetOutput("json");
    if (!path.empty())
    {
        ResultWriter::CheckPath(path);
    }
    Run(frame.Get());
    if (!path.empty())
    {
        frame.GetWriter().Write(path);
    }
    return frame.GetWriter().GetJson();
}

void
ExperimentRunner::Run(const Frame& frame)
{
    TryFabrics();
    const std::string path = GetOutput("fct");
    std::ofstream fct;
    if (!path.empty())
    {
        ResultWriter::CheckPath(path);
        fct.open(path, std::ios::binary);
        ExperimentMessageTable::WriteHead(fct);
    }
    const auto repeats = m_document.GetJson().at("repeats").get<uint32_t>();
    for (const ExperimentSetup& setup : m_setups)
    {
        for (uint32_t i = 0; i < repeats; ++i)
        {
            RunOne(frame, setup, i, path.empty() ? nullptr : &fct);
        }
    }
    if (!path.empty() && !fct.flush())
    {
        throw std::runtime_error(path + " cannot be written");
    }
}

Ptr<Fabric>
ExperimentRunner::Build(const ExperimentSetup& setup) const
{
    RoceHelper roce;
    setup.Configure(roce);
    try
    {
        Ptr<Fabric> fabric = roce.Install(m_fabric.graph);
        const auto delay = m_document.GetJson().at("route_delay").get<std::string>();
        fabric->SetRouteDelay(TimeOf(delay));
        return fabric;
    }
    catch (const std::invalid_argument& error)
    {
        JsonSource(m_document.GetName()).Fail(setup.GetPath(), error.what());
    }
}

void
ExperimentRunner::TryFabrics() const
{
    for (const ExperimentSetup& setup : m_setups)
    {
        if (setup.HasOwnAttributes())
        {
            ScopedDefaults defaults;
            setup.SetDefaults(defaults);
            Build(setup);
            Simulator::Destroy();
        }
    }
}

void
ExperimentRunner::RunOne(const Frame& frame,
                         const ExperimentSetup& setup,
                         uint32_t repeat,
                         std::ostream* fct)
{
    const Json& json = m_document.GetJson();
    const uint64_t number = GetFirstRun() + repeat;
    const bool repeated = json.at("repeats") != 1;
    ScopedDefaults defaults;
    const Cleaner cleaner([this]() { Clear(); });
    defaults.SetSeed(GetSeed(), number);
    setup.SetDefaults(defaults);
    Ptr<Fabric> fabric = Build(setup);
    ExperimentRun& run =
        frame.begin(setup.GetLabel() + (repeated ? "/" + std::to_string(number) : ""), fabric);
    SetMonitors(run, fabric);
    Install(run, fabric, frame.nextStream());
    run.Run(json.contains("stop") ? TimeOf(json.at("stop").get<std::string>()) : Time(0));
    run.GetExtra()["rng_run"] = number;
    Report(run, fabric);
    if (fct)
    {
        ExperimentMessageTable::WriteRows(*fct, run, fabric);
    }
    frame.end();
}

void
ExperimentRunner::SetMonitors(ExperimentRun& run, Ptr<Fabric> fabric)
{
    const Json monitors = m_document.GetJson().value("monitors", Json::object());
    const Json expect = m_document.GetJson().value("expect", Json::object());
    if (monitors.contains("queues"))
    {
        run.EnableQueueMonitor(TimeOf(monitors.at("queues").get<std::string>()));
    }
    if (monitors.contains("rates"))
    {
        run.EnableRateMonitor(TimeOf(monitors.at("rates").get<std::string>()));
    }
    if (IsOn("monitors", "pauses"))
    {
        run.EnablePauseMonitor();
    }
    if (IsOn("monitors", "links"))
    {
        run.EnableLinks();
    }
    if (IsOn("monitors", "deadlock"))
    {
        m_deadlocks = MonitorHelper().InstallDeadlockDetector(fabric);
    }
    run.SetExpectedFailures(expect.value("failures", uint64_t(0)));
    if (IsOn("expect", "stall"))
    {
        run.ExpectStall();
    }
}

Ptr<GpuNetwork>
ExperimentRunner::MakeNetwork(Ptr<Fabric> fabric) const
{
    auto network = Create<GpuNetwork>(fabric, MakeMap(fabric->GetGraph()));
    if (!m_document.GetJson().contains("gpus"))
    {
        return network;
    }
    const Json& gpus = m_document.GetJson().at("gpus");
    network->SetQueuePairs(gpus.at("queue_pairs").get<uint32_t>());
    network->SetChannelAttribute("Policy", StringValue(gpus.at("policy").get<std::string>()));
    network->SetNvlink(gpus.at("nvlink").get<bool>());
    const uint64_t rate = Quantity::RateBps(gpus.at("nvlink_rate").get<std::string>());
    network->SetNvlinkAttribute("Bandwidth", DataRateValue(DataRate(rate)));
    network->SetPxn(gpus.at("pxn").get<bool>());
    if (gpus.at("admission").get<bool>())
    {
        network->EnableAdmission();
    }
    return network;
}

void
ExperimentRunner::Install(ExperimentRun& run, Ptr<Fabric> fabric, int64_t stream)
{
    ExperimentSite site;
    site.fabric = fabric;
    if (m_needsGpus)
    {
        site.network = MakeNetwork(fabric);
        m_placement = std::make_unique<JobPlacement>(site.network->GetGpus());
        stream += m_placement->AssignStreams(stream);
        site.placement = m_placement.get();
    }
    m_links->Install(fabric, stream);
    uint64_t bytes = 0;
    bool known = true;
    for (std::size_t i = 0; i < m_traffic.size(); ++i)
    {
        site.stream = TRAFFIC_STREAM + static_cast<int64_t>(i) * ExperimentTraffic::STREAMS;
        m_traffic[i]->Install(site);
        bytes += m_traffic[i]->GetBytes();
        known = known && m_traffic[i]->GetBytes() > 0;
    }
    if (known)
    {
        run.SetExpectedBytes(bytes);
    }
}

void
ExperimentRunner::Report(ExperimentRun& run, Ptr<Fabric> fabric) const
{
    ResultWriter::Json& extra = run.GetExtra();
    uint64_t peak = 0;
    for (const uint32_t id : m_fabric.graph.Switches())
    {
        peak = std::max<uint64_t>(peak, fabric->GetSwitch(id)->GetMmu().GetTotal().peak);
    }
    extra["peak_buffer_bytes"] = peak;
    extra["traffic"] = ResultWriter::Json::array();
    for (const auto& traffic : m_traffic)
    {
        extra["traffic"].push_back(traffic->Report());
    }
    if (IsOn("monitors", "messages"))
    {
        extra["message_list"] = ExperimentMessageTable::Columns(run, fabric);
    }
    if (m_deadlocks)
    {
        extra["deadlocks"] = ResultWriter::Json::array();
        for (const DeadlockReport& report :
             DynamicCast<DeadlockDetector>(m_deadlocks)->GetReports())
        {
            extra["deadlocks"].push_back(
                {{"at_s", FromTick(report.at).GetSeconds()}, {"cycle", report.GetCycleText()}});
        }
    }
}

void
ExperimentRunner::Clear()
{
    for (const auto& traffic : m_traffic)
    {
        traffic->Clear();
    }
    m_placement.reset();
    if (m_deadlocks)
    {
        m_deadlocks->Dispose();
        m_deadlocks = nullptr;
    }
}

} // namespace roce
} // namespace ns3
