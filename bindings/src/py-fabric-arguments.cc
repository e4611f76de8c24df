/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "py-callback.h"
#include "py-fabric.h"
#include "py-value.h"

#include "ns3/boolean.h"
#include "ns3/roce-buffer-options.h"
#include "ns3/roce-hcc-helper.h"
#include "ns3/roce-name-table.h"
#include "ns3/roce-pfc-controller.h"
#include "ns3/roce-topology-helper.h"

#include <functional>
#include <map>

namespace py = pybind11;

namespace ns3
{
namespace roce
{
namespace python
{

namespace
{

/** How a part is called, and how its attributes are set. */
struct Part
{
    TypeId type;
    void (RoceHelper::*set)(const std::string&, const AttributeValue&);
};

/** \return the parts whose class is fixed */
std::map<std::string, Part>
FixedParts()
{
    return {{"nic", {Nic::GetTypeId(), &RoceHelper::SetNicAttribute}},
            {"switch", {Switch::GetTypeId(), &RoceHelper::SetSwitchAttribute}},
            {"port", {Port::GetTypeId(), &RoceHelper::SetPortAttribute}},
            {"cnp", {CnpGenerator::GetTypeId(), &RoceHelper::SetCnpAttribute}},
            {"ecn", {EcnMarker::GetTypeId(), &RoceHelper::SetEcnAttribute}},
            {"pfc", {PfcController::GetTypeId(), &RoceHelper::SetPfcAttribute}},
            {"buffer", {BufferOptions::GetTypeId(), &RoceHelper::SetBufferAttribute}},
            {"transport", {TransportOptions::GetTypeId(), &RoceHelper::SetTransportAttribute}}};
}

constexpr const char* CHOSEN[] = {"congestion_control",
                                  "load_balancer",
                                  "loss_recovery",
                                  "scheduler_attributes",
                                  "path_attributes"};

std::string
Text(const std::string& name, py::handle value)
{
    if (!py::isinstance<py::str>(value))
    {
        throw py::type_error(name + " must be text, not " + py::repr(value).cast<std::string>());
    }
    return value.cast<std::string>();
}

/** \return the plan that a Python object stands for */
FabricGraph
GraphOf(py::handle topology)
{
    if (py::isinstance<FabricGraph>(topology))
    {
        return topology.cast<FabricGraph>();
    }
    if (py::isinstance<py::str>(topology))
    {
        return TopologyHelper(topology.cast<std::string>()).GetDocument().graph;
    }
    if (py::hasattr(topology, "graph"))
    {
        return topology.attr("graph")().cast<FabricGraph>();
    }
    throw py::type_error("topology must be a FabricGraph, a helper such as ClosHelper, or the name "
                         "of a file or preset, not " +
                         py::repr(topology).cast<std::string>());
}

} // namespace

void
FabricArguments::Take(const std::string& name, py::handle value)
{
    std::map<std::string, std::string*> names{{"cc", &m_cc},
                                              {"lb", &m_lb},
                                              {"recovery", &m_recovery},
                                              {"scheduler", &m_scheduler},
                                              {"path_chooser", &m_paths}};
    if (names.count(name))
    {
        *names[name] = Text(name, value);
        return;
    }
    if (name == "partition" || name == "internet")
    {
        (name == "partition" ? m_partition : m_internet) = value.cast<bool>();
        return;
    }
    if (name == "hcc")
    {
        m_hcc = py::reinterpret_borrow<py::object>(value);
        return;
    }
    bool known = FixedParts().count(name) > 0;
    for (const char* part : CHOSEN)
    {
        known = known || name == part;
    }
    if (!known)
    {
        throw py::type_error("Fabric() has no argument '" + name +
                             "'; see help(roce.Fabric) for those it has");
    }
    if (!py::isinstance<py::dict>(value))
    {
        throw py::type_error(name + " must be a dict of attributes, not " +
                             py::repr(value).cast<std::string>());
    }
    m_parts[name.c_str()] = value;
}

void
FabricArguments::SetAttributes(const std::string& part, py::dict attributes)
{
    const Part fixed = FixedParts().at(part);
    for (const auto& [name, value] : attributes)
    {
        const std::string text = Text("name of an attribute", name);
        (m_roce.*fixed.set)(text, *Values::Make(fixed.type, text, value));
    }
}

void
FabricArguments::SetChosen(const std::string& part, py::dict attributes)
{
    for (const auto& [key, value] : attributes)
    {
        const std::string name = Text("name of an attribute", key);
        if (part == "congestion_control")
        {
            const TypeId type = NameTable::CongestionControl(m_cc).GetTypeId();
            m_roce.SetCongestionControlAttribute(name, *Values::Make(type, name, value));
        }
        else if (part == "load_balancer")
        {
            const TypeId type = NameTable::LoadBalancer(m_lb).GetTypeId();
            m_roce.SetLoadBalancerAttribute(name, *Values::Make(type, name, value));
        }
        else if (part == "loss_recovery")
        {
            const TypeId type = NameTable::LossRecovery(m_recovery).GetTypeId();
            m_roce.SetLossRecoveryAttribute(name, *Values::Make(type, name, value));
        }
        else if (part == "scheduler_attributes")
        {
            const ObjectFactory factory =
                NameTable::Scheduler(m_scheduler.empty() ? "strict" : m_scheduler);
            if (!factory.IsTypeIdSet())
            {
                throw py::value_error("scheduler strict has no attribute " + name +
                                      "; say scheduler=\"dwrr\"");
            }
            m_roce.SetSchedulerAttribute(name, *Values::Make(factory.GetTypeId(), name, value));
        }
    }
}

Ptr<Fabric>
FabricArguments::Build(py::handle topology)
{
    RunGuard::RefuseWhileRunning("a new fabric");
    CongestionStack::Values paths;
    if (m_parts.contains("path_attributes"))
    {
        const ObjectFactory factory = NameTable::PathChooser(m_paths.empty() ? "ecmp" : m_paths);
        for (const auto& [key, value] : m_parts["path_attributes"].cast<py::dict>())
        {
            const std::string name = Text("name of an attribute", key);
            if (!factory.IsTypeIdSet())
            {
                throw py::value_error("path chooser ecmp has no attribute " + name +
                                      "; say path_chooser=\"int-oracle\"");
            }
            paths.emplace_back(name, Values::Make(factory.GetTypeId(), name, value));
        }
    }
    if (!m_paths.empty())
    {
        m_roce.SetPathChooser(m_paths, paths);
    }
    m_roce.SetCongestionControl(m_cc);
    m_roce.SetLoadBalancer(m_lb);
    m_roce.SetLossRecovery(m_recovery);
    if (m_cc == "none")
    {
        m_roce.SetNicAttribute("EcnCapable", BooleanValue(false));
    }
    if (!m_scheduler.empty())
    {
        m_roce.SetScheduler(m_scheduler);
    }
    if (!m_hcc.is_none())
    {
        m_hcc.cast<HccHelper&>().Configure(m_roce);
        m_cc = "hcc";
    }
    for (const auto& [key, value] : m_parts)
    {
        const auto part = key.cast<std::string>();
        const auto attributes = value.cast<py::dict>();
        FixedParts().count(part) ? SetAttributes(part, attributes) : SetChosen(part, attributes);
    }
    Ptr<Fabric> fabric =
        m_roce.Install(GraphOf(topology),
                       m_partition ? PartitionPolicy::Allow : PartitionPolicy::Refuse);
    RoceHelper().AssignStreams(fabric, 0); // as ExperimentHelper does
    if (m_internet)
    {
        m_roce.InstallInternet(fabric);
    }
    KeepUntilDestroy(fabric);
    return fabric;
}

} // namespace python
} // namespace roce
} // namespace ns3
