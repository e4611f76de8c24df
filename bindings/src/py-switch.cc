/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-bind.h"

#include "ns3/roce-drop-reason.h"
#include "ns3/roce-event-core.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-switch.h"

#include <pybind11/stl.h>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

template <typename T>
py::dict
Drops(const T& dropper)
{
    py::dict drops;
    for (unsigned i = 0; i < NUM_DROP_REASONS; ++i)
    {
        const auto reason = static_cast<DropReason>(i);
        drops[DropReasonName(reason)] = dropper.GetDrops(reason);
    }
    return drops;
}

py::list
PausedNs(const Port& port)
{
    RequireAlive(port.GetNode());
    const Tick now = EventCore::Get()->Now();
    py::list list;
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        list.append(FromTick(port.GetPauseState().GetPaused(p, now)).GetNanoSeconds());
    }
    return list;
}

} // namespace

void
BindSwitch(py::module_& m)
{
    py::class_<Port, Object, Held<Port>>(
        m,
        "Port",
        "A port of a NIC or switch; trace sources FrameSent, FrameReceived, PauseReceived, Drop.")
        .def_property_readonly("rate_bps", &Port::GetRate, "Rate, bit/s.")
        .def_property_readonly("index", &Port::GetIndex, "Its index at its owner.")
        .def_property_readonly("paused_ns",
                               &PausedNs,
                               "For how long received pause frames have stopped each priority so "
                               "far, ns:\na list of eight.")
        .def(
            "enable_pcap",
            [](Ptr<Port> port, const std::string& path) {
                RequireAlive(port->GetNode());
                RoceHelper().EnablePcap(path, port, true, true);
            },
            py::arg("path"),
            "Write the frames that leave and arrive from now on to a pcap file that Wireshark "
            "reads.\n\nIt is closed when the simulation is destroyed. RuntimeError names the file "
            "if it cannot be\nwritten.")
        .def_property_readonly("drops", &Drops<Port>, "Frames it dropped: a dict by reason.");
    py::class_<Switch, Object, Held<Switch>>(
        m,
        "Switch",
        "An Ethernet switch with PFC, ECN and a shared buffer; trace sources Drop, EcnMark, "
        "PfcState.")
        .def_property_readonly("ports", &Switch::GetNumPorts, "Number of ports.")
        .def("port", &Switch::GetPort, py::arg("index"), "One of its ports.")
        .def_property_readonly("drops", &Drops<Switch>, "Frames dropped: a dict by reason.")
        .def_property_readonly("ecn_marks", &Switch::GetEcnMarks, "Frames marked CE.")
        .def_property_readonly("frames_in", &Switch::GetFramesIn, "Frames that arrived.")
        .def_property_readonly("frames_out", &Switch::GetFramesOut, "Frames that left.")
        .def_property_readonly(
            "buffer_peak",
            [](const Switch& s) { return s.GetMmu().GetTotal().peak; },
            "Most bytes that were in the buffer at a time.")
        .def_property_readonly(
            "buffer_used",
            [](const Switch& s) { return s.GetMmu().GetTotal().used; },
            "Bytes in the buffer now.");
}

} // namespace python
} // namespace roce
} // namespace ns3
