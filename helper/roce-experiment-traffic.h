/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_TRAFFIC_H
#define ROCE_EXPERIMENT_TRAFFIC_H

#include "roce-experiment-document.h"
#include "roce-fabric.h"
#include "roce-gpu-network.h"
#include "roce-job-placement.h"

#include "ns3/nstime.h"
#include "ns3/roce-result-writer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What traffic is checked against. */
struct ExperimentPlan
{
    const ExperimentDocument& document; //!< for names and files
    const FabricGraph& graph;           //!< the fabric
    uint32_t gpus{0};                   //!< of the fabric; 0: no traffic needs them
    uint32_t placed{0};                 //!< of those, given to traffic before
};

/** What a run has for its traffic. */
struct ExperimentSite
{
    Ptr<Fabric> fabric;               //!< built
    Ptr<GpuNetwork> network;          //!< nullptr: no traffic needs it
    JobPlacement* placement{nullptr}; //!< as network
    int64_t stream{0};                //!< the first random stream for this traffic
};

/**
 * One entry of "traffic" in an experiment.
 *
 * Models: made and checked with the experiment; installed anew for each run.
 *
 * Source: none.
 *
 * Invariants: what an entry asks for that cannot be is refused by Make, with the path of the key;
 * Install of the same entry with the same seed and run is the same traffic.
 *
 * Leaves out: nothing.
 */
class ExperimentTraffic
{
  public:
    using Json = nlohmann::json; //!< a value

    static constexpr int64_t STREAMS = 16; //!< random streams of an entry

    virtual ~ExperimentTraffic();

    /** \return an entry; std::invalid_argument or std::runtime_error say what is wrong.
     *  \param plan what it is checked against; GPUs it takes are noted there
     *  \param index of the entry */
    static std::unique_ptr<ExperimentTraffic> Make(ExperimentPlan& plan, std::size_t index);

    /** \return whether a type of traffic needs GPUs. \param type of an entry */
    static bool NeedsGpus(const std::string& type);

    /** Begin it in a run. \param site where */
    virtual void Install(const ExperimentSite& site) = 0;

    /** \return figures of the run, an object */
    virtual ResultWriter::Json Report() const = 0;

    /** \return payload bytes of the run, for progress; 0: not known. After Install */
    virtual uint64_t GetBytes() const = 0;

    /** Forget the run. */
    virtual void Clear() = 0;

  protected:
    /** Call a function; put name and path in front of what it refuses. \param plan has the name
     *  \param path of the key \param call the function */
    template <typename F>
    static void Refusing(const ExperimentPlan& plan, const std::string& path, F call);

    /** \return a time, exact to a tick. \param text with a unit */
    static Time TimeOf(const std::string& text);
};

template <typename F>
void
ExperimentTraffic::Refusing(const ExperimentPlan& plan, const std::string& path, F call)
{
    try
    {
        call();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(plan.document.GetName() + ": " + path + ": " + error.what());
    }
    catch (const std::runtime_error& error)
    {
        throw std::runtime_error(plan.document.GetName() + ": " + path + ": " + error.what());
    }
}

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_TRAFFIC_H
