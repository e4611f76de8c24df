/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-setup.h"

#include "roce-attribute-text.h"
#include "roce-experiment-shapes.h"
#include "roce-name-table.h"

#include "ns3/boolean.h"
#include "ns3/roce-buffer-options.h"
#include "ns3/roce-cnp-generator.h"
#include "ns3/roce-ecn-marker.h"
#include "ns3/roce-json-source.h"
#include "ns3/roce-pfc-controller.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-transport-options.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Call a function; put name and path in front of what it refuses. \param document has the name
 *  \param path of the key \param call the function */
template <typename F>
void
Refusing(const ExperimentDocument& document, const std::string& path, F call)
{
    try
    {
        call();
    }
    catch (const std::invalid_argument& error)
    {
        JsonSource(document.GetName()).Fail(path, error.what());
    }
}

/** \return the runs as objects, with their paths; a list of laws is one of short runs.
 *  \param document the experiment */
std::vector<std::pair<ExperimentSetup::Json, std::string>>
ListRuns(const ExperimentDocument& document)
{
    const ExperimentSetup::Json& json = document.GetJson();
    std::vector<std::pair<ExperimentSetup::Json, std::string>> runs;
    if (json.contains("runs"))
    {
        for (std::size_t i = 0; i < json.at("runs").size(); ++i)
        {
            runs.emplace_back(json.at("runs")[i], "/runs/" + std::to_string(i));
        }
        return runs;
    }
    const ExperimentSetup::Json ccs = json.value("cc", ExperimentSetup::Json::array({"dcqcn"}));
    const bool isList =
        document.GetGiven().contains("cc") && document.GetGiven().at("cc").is_array();
    for (std::size_t i = 0; i < ccs.size(); ++i)
    {
        runs.emplace_back(ExperimentSetup::Json::object({{"cc", ccs[i]}}),
                          isList ? "/cc/" + std::to_string(i) : "/cc");
    }
    return runs;
}

/** Make an object once, to hear what it refuses. \param factory of it \param values of it */
template <typename V>
void
TryOne(ObjectFactory factory, const V& values)
{
    if (!factory.IsTypeIdSet())
    {
        return;
    }
    for (const auto& [name, value] : values)
    {
        factory.Set(name, *value);
    }
    factory.Create<Object>();
}

} // namespace

const std::vector<ExperimentSetup::Section>&
ExperimentSetup::Fixed()
{
    static const std::vector<Section> sections = {
        {"nic", &Nic::GetTypeId, &RoceHelper::SetNicAttribute},
        {"switch", &Switch::GetTypeId, &RoceHelper::SetSwitchAttribute},
        {"port", &Port::GetTypeId, &RoceHelper::SetPortAttribute},
        {"buffer", &BufferOptions::GetTypeId, &RoceHelper::SetBufferAttribute},
        {"ecn", &EcnMarker::GetTypeId, &RoceHelper::SetEcnAttribute},
        {"pfc", &PfcController::GetTypeId, &RoceHelper::SetPfcAttribute},
        {"cnp", &CnpGenerator::GetTypeId, &RoceHelper::SetCnpAttribute},
        {"transport", &TransportOptions::GetTypeId, &RoceHelper::SetTransportAttribute}};
    return sections;
}

std::vector<ExperimentSetup>
ExperimentSetup::MakeAll(const ExperimentDocument& document)
{
    std::vector<ExperimentSetup> setups;
    std::set<std::string> labels;
    for (const auto& [run, path] : ListRuns(document))
    {
        setups.push_back(ExperimentSetup(document, run, path));
        if (!labels.insert(setups.back().m_label).second)
        {
            JsonSource(document.GetName())
                .Fail(path + (run.contains("label") ? "/label" : ""),
                      "two runs are called " + Quantity::Shown(setups.back().m_label) +
                          "; give each a label of its own");
        }
    }
    return setups;
}

ExperimentSetup::ExperimentSetup(const ExperimentDocument& document,
                                 const Json& run,
                                 const std::string& path)
    : m_path(path)
{
    ReadParts(document, run, path);
    ReadObjects(document, document.GetJson(), "");
    ReadObjects(document, run, path);
    for (const ExperimentKey& key : ExperimentShapes::Attributes())
    {
        m_isOwn = m_isOwn || run.contains(key.name);
    }
    TryParts(document, run);
}

void
ExperimentSetup::ReadParts(const ExperimentDocument& document,
                           const Json& run,
                           const std::string& path)
{
    m_cc = run.at("cc").get<std::string>();
    m_label = run.value("label", m_cc);
    const bool isShort = path.compare(0, 3, "/cc") == 0;
    Refusing(document, isShort ? path : path + "/cc", [&]() {
        NameTable::CongestionControl(m_cc);
    });
    using Check = ObjectFactory (*)(const std::string&);
    const std::tuple<const char*, std::string*, Check> parts[] = {
        {"lb", &m_lb, &NameTable::LoadBalancer},
        {"recovery", &m_recovery, &NameTable::LossRecovery},
        {"paths", &m_paths, &NameTable::PathChooser},
        {"scheduler", &m_scheduler, &NameTable::Scheduler}};
    for (const auto& [key, text, check] : parts)
    {
        const bool own = run.contains(key);
        *text = own ? run.at(key).get<std::string>() : document.GetJson().value(key, std::string());
        if (!text->empty())
        {
            Refusing(document, (own ? path : "") + "/" + key, [c = check, t = text]() { c(*t); });
        }
    }
}

ExperimentSetup::Values
ExperimentSetup::ReadSection(const ExperimentDocument& document,
                             const Json& object,
                             const std::string& path,
                             const char* key,
                             TypeId type) const
{
    Values values;
    if (!object.contains(key))
    {
        return values;
    }
    for (const auto& item : object.at(key).items())
    {
        const std::string place = path + "/" + key + "/" + JsonSource::KeyText(item.key());
        Refusing(document, place, [&]() {
            try
            {
                values.emplace_back(item.key(),
                                    AttributeText::Make(type, item.key(), item.value()));
            }
            catch (const std::invalid_argument& error)
            {
                throw std::invalid_argument("run " + Quantity::Shown(m_label) + ": " +
                                            error.what());
            }
        });
    }
    return values;
}

void
ExperimentSetup::ReadDefaults(const ExperimentDocument& document,
                              const Json& object,
                              const std::string& path)
{
    if (!object.contains("attributes"))
    {
        return;
    }
    for (const auto& item : object.at("attributes").items())
    {
        Refusing(document, path + "/attributes/" + JsonSource::KeyText(item.key()), [&]() {
            const auto attribute = AttributeText::Split(item.key());
            m_defaults.emplace_back(
                attribute,
                AttributeText::Make(attribute.first, attribute.second, item.value()));
        });
    }
}

void
ExperimentSetup::ReadObjects(const ExperimentDocument& document,
                             const Json& object,
                             const std::string& path)
{
    ReadDefaults(document, object, path);
    for (const Section& section : Fixed())
    {
        m_sections.emplace_back(&section,
                                ReadSection(document, object, path, section.key, section.type()));
    }
    const auto add = [&](Values& values, const char* key, const ObjectFactory& factory) {
        const Values more = ReadSection(document, object, path, key, factory.GetTypeId());
        values.insert(values.end(), more.begin(), more.end());
    };
    add(m_law, "congestion_control", NameTable::CongestionControl(m_cc));
    add(m_balancer, "load_balancer", NameTable::LoadBalancer(m_lb));
    add(m_loss, "loss_recovery", NameTable::LossRecovery(m_recovery));
    for (const auto& [section, values] : m_sections)
    {
        for (const auto& value : values)
        {
            if (std::string(section->key) == "port" && value.first == "Scheduler")
            {
                Refusing(document, path + "/port/Scheduler", []() {
                    throw std::invalid_argument("use the key scheduler");
                });
            }
        }
    }
}

void
ExperimentSetup::TryParts(const ExperimentDocument& document, const Json& run) const
{
    ScopedDefaults defaults;
    SetDefaults(defaults);
    const auto tryOne = [&](const char* key, const ObjectFactory& factory, const Values& values) {
        const bool isOwn = run.contains(key);
        const bool isGiven = isOwn || document.GetJson().contains(key);
        const std::string path = isGiven ? (isOwn ? m_path : "") + "/" + key : m_path;
        Refusing(document, path, [&]() { TryOne(factory, values); });
    };
    tryOne("congestion_control", NameTable::CongestionControl(m_cc), m_law);
    tryOne("load_balancer", NameTable::LoadBalancer(m_lb), m_balancer);
    tryOne("loss_recovery", NameTable::LossRecovery(m_recovery), m_loss);
    for (const auto& [section, values] : m_sections)
    {
        const TypeId type = section->type();
        if (type != Nic::GetTypeId() && type != Switch::GetTypeId() && type != Port::GetTypeId())
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            tryOne(section->key, factory, values);
        }
    }
}

void
ExperimentSetup::SetDefaults(ScopedDefaults& defaults) const
{
    for (const auto& [attribute, value] : m_defaults)
    {
        defaults.Set(attribute.first, attribute.second, *value);
    }
}

void
ExperimentSetup::Configure(RoceHelper& roce) const
{
    roce.SetCongestionControl(m_cc);
    roce.SetLoadBalancer(m_lb);
    roce.SetLossRecovery(m_recovery);
    if (m_cc == "none")
    {
        roce.SetNicAttribute("EcnCapable", BooleanValue(false));
    }
    if (!m_paths.empty())
    {
        roce.SetPathChooser(m_paths);
    }
    if (!m_scheduler.empty())
    {
        roce.SetScheduler(m_scheduler);
    }
    for (const auto& [section, values] : m_sections)
    {
        for (const auto& [name, value] : values)
        {
            (roce.*section->set)(name, *value);
        }
    }
    for (const auto& [name, value] : m_law)
    {
        roce.SetCongestionControlAttribute(name, *value);
    }
    for (const auto& [name, value] : m_balancer)
    {
        roce.SetLoadBalancerAttribute(name, *value);
    }
    for (const auto& [name, value] : m_loss)
    {
        roce.SetLossRecoveryAttribute(name, *value);
    }
}

} // namespace roce
} // namespace ns3
