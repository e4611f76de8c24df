/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"

PYBIND11_MODULE(_roce, m)
{
    using namespace ns3::roce::python;
    m.doc() = "The C++ part of the package roce.";
    m.attr("version") = ROCE_VERSION;
    m.attr("ns3_version") = ROCE_NS3_VERSION;
    BindObjects(m);
    BindSimulator(m);
    BindGraph(m);
    BindClosFabrics(m);
    BindTopologies(m);
    BindNic(m);
    BindSwitch(m);
    BindFabric(m);
    BindWatchdogs(m);
    BindMonitors(m);
    BindTraces(m);
    BindCollectives(m);
    BindTaskGraph(m);
    BindJobs(m);
    BindResults(m);
    BindExperiment(m);
    // before the interpreter goes: events and traces hold Python functions
    pybind11::module_::import("atexit").attr("register")(m.attr("Simulator").attr("destroy"));
}
