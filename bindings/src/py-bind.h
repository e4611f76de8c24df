/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_BIND_H
#define PY_BIND_H

#include "py-holder.h"

#include "ns3/node.h"
#include "ns3/object.h"

#include <pybind11/pybind11.h>

namespace ns3
{
namespace roce
{
namespace python
{

// the parts of the module, in the order in which they are bound
void BindObjects(pybind11::module_& m);     //!< Object, attributes, config
void BindSimulator(pybind11::module_& m);   //!< simulator, seeds, logging
void BindGraph(pybind11::module_& m);       //!< FabricGraph
void BindClosFabrics(pybind11::module_& m); //!< ClosHelper, FatTreeHelper
void BindTopologies(pybind11::module_& m);  //!< other helpers
void BindNic(pybind11::module_& m);         //!< Nic, Connection, Completion
void BindSwitch(pybind11::module_& m);      //!< Switch, Port
void BindFabric(pybind11::module_& m);      //!< Fabric, HccHelper
void BindWatchdogs(pybind11::module_& m);   //!< PauseStorm, WatchdogHelper
void BindMonitors(pybind11::module_& m);    //!< DeadlockDetector
void BindTraces(pybind11::module_& m);      //!< connect
void BindCollectives(pybind11::module_& m); //!< GpuMap, GpuNetwork, CollectiveHelper
void BindTaskGraph(pybind11::module_& m);   //!< TaskGraph
void BindJobs(pybind11::module_& m);        //!< JobHelper, load_workload
void BindResults(pybind11::module_& m);     //!< run, Result
void BindExperiment(pybind11::module_& m);  //!< Experiment

/** Throws std::runtime_error if the simulation of a node was destroyed. \param node a node */
void RequireAlive(Ptr<Node> node);

/** The same for what is aggregated to a node. \param object such as a Nic or a Switch */
inline void
RequireAlive(const Object& object)
{
    RequireAlive(object.GetObject<Node>());
}

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_BIND_H
