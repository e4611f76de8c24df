/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hcc-helper.h"

#include "roce-helper.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-hcc.h"
#include "ns3/roce-leave-notifier.h"
#include "ns3/roce-nic.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t REFERENCE_RATE = 100000000000; //!< of the thresholds, bit/s
constexpr uint64_t KMIN = 80000;                  //!< exploration: with window and all-clear
constexpr uint64_t KMAX = 320000;                 //!< "
constexpr uint64_t ARTICLE_KMIN = 100000;         //!< first exploration
constexpr uint64_t ARTICLE_KMAX = 400000;         //!< "
constexpr uint64_t ALL_CLEAR = 10000;             //!< exploration, at 100 Gb/s

/** \return an attribute of a type as it would be now. */
TypeId::AttributeInformation
Lookup(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    return info;
}

/** Set an attribute unless the user gave it another default. */
void
SetUnlessChanged(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    if (!CongestionStack::IsDefaultChanged(factory.GetTypeId(), name))
    {
        factory.Set(name, value);
    }
}

/** Add a value. */
void
Put(CongestionStack::Values& values, const std::string& name, const AttributeValue& value)
{
    values.emplace_back(name, value.Copy());
}

/** Add a value unless the user gave the attribute another default. */
void
PutUnlessChanged(CongestionStack::Values& values,
                 TypeId type,
                 const std::string& name,
                 const AttributeValue& value)
{
    if (!CongestionStack::IsDefaultChanged(type, name))
    {
        Put(values, name, value);
    }
}

/** \return an attribute of an object */
template <typename V>
V
Get(const ObjectBase& object, const std::string& name)
{
    V value;
    object.GetAttribute(name, value);
    return value;
}

/**
 * Compare what an ingress port may hold before XOFF with Kmin of the slower ports that it can fill.
 * Alone on the switch, the port is paused when its shared bytes s reach alpha (pool - s).
 * \return what is wrong, or an empty string
 */
std::string
CheckPort(const Switch& device, uint32_t in)
{
    const SwitchMmu& mmu = device.GetMmu();
    const uint64_t rate = device.GetPort(in)->GetRate();
    unsigned priority = 0;
    while (priority < NUM_PRIORITIES && !((mmu.GetLosslessMask() >> priority) & 1))
    {
        ++priority;
    }
    std::vector<std::pair<uint64_t, uint64_t>> slower; // Kmin, rate
    for (uint32_t out = 0; out < device.GetNumPorts(); ++out)
    {
        const uint64_t other = device.GetPort(out)->GetRate();
        if (other < rate)
        {
            slower.emplace_back(device.GetEcnMarker()->GetThresholds(other).kmin, other);
        }
    }
    std::sort(slower.begin(), slower.end(), std::greater<>());
    double sum = 0;
    uint64_t used = 0;
    std::size_t count = 0;
    while (count < slower.size() && used + slower[count].second <= rate)
    {
        sum += static_cast<double>(slower[count].first);
        used += slower[count].second;
        ++count;
    }
    if (priority == NUM_PRIORITIES || count < 2)
    {
        return "";
    }
    const double alpha = mmu.GetAlpha(in, priority);
    const double xoff = alpha / (1 + alpha) * static_cast<double>(mmu.GetPool(true).size);
    if (sum < xoff)
    {
        return "";
    }
    std::ostringstream line;
    line << "switch " << device.GetId() << ": a port of " << rate / 1e9 << " Gb/s fills " << count
         << " slower queues up to " << sum << " bytes before one is marked, but is paused at "
         << xoff << "; lower KminBytes or give the switch more buffer";
    return line.str();
}

/** Refuse intervals of points that the law does not know. */
void
CheckInterval(const std::string& name, Time point, const std::string& tuning, Time law)
{
    if (point != law)
    {
        throw std::invalid_argument(
            "CongestionPoint " + name + " is " + std::to_string(point.GetNanoSeconds()) +
            " ns, but the senders' law takes it for " + std::to_string(law.GetNanoSeconds()) +
            " ns; set " + tuning + " of HccTuning (HccHelper::SetTuningAttribute) instead");
    }
}

} // namespace

/** Adds the stages of each switch, and keeps the domains of the graph meanwhile. */
class HccHelper::Stages
{
  public:
    /** What it works by. */
    struct Plan
    {
        ObjectFactory point;
        bool leaves{false};
        std::function<CongestionDomains(const FabricGraph&, uint32_t)> domains;
        Ptr<CnpTagTable> tags; //!< or nullptr
    };

    explicit Stages(Plan plan)
        : m_plan(std::move(plan))
    {
    }

    /** Add the stages of a switch. */
    void Add(Ptr<Switch> device, const FabricGraph& graph, uint32_t id)
    {
        const Ptr<CongestionPoint> point = m_plan.point.Create<CongestionPoint>();
        const auto priorities = Get<UintegerValue>(*point, "Priorities").Get();
        const auto classes = static_cast<uint32_t>(__builtin_popcount(unsigned(priorities)));
        Renew(graph, id, classes);
        point->SetAttribute("FirstPoint", UintegerValue(m_domains->GetFirstPoint(id)));
        std::vector<CnpBody> places;
        for (const FabricNeighbour& port : graph.Neighbours(id))
        {
            const CongestionPoint::Place& place = m_domains->GetPlace(id, port.port);
            point->SetPlace(port.port, place);
            CnpBody& body = places.emplace_back();
            body.domain = place.domain;
            body.point = static_cast<uint16_t>(m_domains->GetFirstPoint(id) + port.port * classes);
            body.tier = place.tier;
            body.stage = place.stage;
            body.rateBps = graph.Link(port.link).rateBps;
        }
        if (m_plan.tags)
        {
            point->SetTags(m_plan.tags);
        }
        device->AddStage(point);
        if (m_plan.leaves)
        {
            const Ptr<LeaveNotifier> notifier = CreateObject<LeaveNotifier>();
            notifier->SetPlaces(std::move(places));
            device->AddStage(notifier);
        }
    }

  private:
    /** Switches come one by one; one that comes again begins another fabric. */
    void Renew(const FabricGraph& graph, uint32_t id, uint32_t classes)
    {
        if (m_domains && m_graph == &graph && m_done.insert(id).second)
        {
            return;
        }
        if (m_plan.tags && m_domains)
        {
            throw std::invalid_argument("the tags of HccHelper are of one fabric; call Configure "
                                        "again for the next one");
        }
        m_domains.emplace(m_plan.domains(graph, classes));
        m_graph = &graph;
        m_done = {id};
    }

    Plan m_plan;
    std::optional<CongestionDomains> m_domains;
    const FabricGraph* m_graph{nullptr};
    std::set<uint32_t> m_done;
};

HccHelper::HccHelper() = default;

void
HccHelper::SetDomains(CongestionDomains::Policy policy)
{
    m_policy = policy;
    m_rule = nullptr;
}

void
HccHelper::SetDomains(const std::string& policy)
{
    SetDomains(CongestionDomains::PolicyOf(policy));
}

void
HccHelper::SetDomains(CongestionDomains::Rule rule)
{
    m_rule = std::move(rule);
}

void
HccHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    Put(m_control, name, value);
}

void
HccHelper::SetTuningAttribute(const std::string& name, const AttributeValue& value)
{
    Put(m_tuning, name, value);
}

void
HccHelper::SetPointAttribute(const std::string& name, const AttributeValue& value)
{
    if (name == "FirstPoint")
    {
        throw std::invalid_argument("CongestionPoint FirstPoint: HccHelper numbers the points of a "
                                    "fabric, as their ids must be unique");
    }
    if (name == "CnpInterval" || name == "CnpIntervalStage3")
    {
        throw std::invalid_argument("CongestionPoint " + name +
                                    ": the senders' law must know it; set " +
                                    (name == "CnpInterval" ? "CnpInterval2" : "CnpInterval3") +
                                    " of HccTuning (HccHelper::SetTuningAttribute)");
    }
    if (name == "Notify")
    {
        throw std::invalid_argument("CongestionPoint Notify: use HccHelper::SetNotification, which "
                                    "also tells receivers");
    }
    Put(m_point, name, value);
}

void
HccHelper::SetNotification(CongestionPoint::Path path)
{
    m_path = path;
}

void
HccHelper::SetTagsByDomain(bool byDomain)
{
    m_tagsByDomain = byDomain;
}

ObjectFactory
HccHelper::MakeControl() const
{
    ObjectFactory control;
    control.SetTypeId(Hcc::GetTypeId());
    for (const auto& value : m_control)
    {
        control.Set(value.first, *value.second);
    }
    if (const Ptr<HccTuning> tuning = MakeTuning())
    {
        control.Set("Tuning", PointerValue(tuning));
    }
    return control;
}

Ptr<HccTuning>
HccHelper::MakeTuning() const
{
    if (m_tuning.empty())
    {
        return nullptr;
    }
    ObjectFactory tuning;
    tuning.SetTypeId(HccTuning::GetTypeId());
    for (const auto& value : m_tuning)
    {
        tuning.Set(value.first, *value.second);
    }
    return tuning.Create<HccTuning>();
}

ObjectFactory
HccHelper::MakePoint(const HccParameters& law) const
{
    ObjectFactory point;
    point.SetTypeId(CongestionPoint::GetTypeId());
    const auto priority = Lookup(Nic::GetTypeId(), "Priority").initialValue;
    const uint64_t data = 1u << DynamicCast<const UintegerValue>(priority)->Get();
    SetUnlessChanged(point, "Priorities", UintegerValue(data));
    SetUnlessChanged(point, "AllClearBytes", UintegerValue(law.allClear ? ALL_CLEAR : 0));
    if (law.law == HccParameters::ARTICLE_LAW)
    {
        SetUnlessChanged(point, "FlowsPerInterval", UintegerValue(0)); // one a flow and interval
    }
    SetUnlessChanged(point, "CnpInterval", TimeValue(law.stage2.cnpInterval));
    SetUnlessChanged(point, "CnpIntervalStage3", TimeValue(law.stage3.cnpInterval));
    for (const auto& value : m_point)
    {
        point.Set(value.first, *value.second);
    }
    point.Set("Notify", CompatEnumValue<CongestionPoint::Path>(m_path));
    const Ptr<CongestionPoint> made = point.Create<CongestionPoint>();
    const HccParameters::Stage* stages[] = {&law.stage2, &law.stage3};
    const char* points[] = {"CnpInterval", "CnpIntervalStage3"};
    const char* tunings[] = {"CnpInterval2", "CnpInterval3"};
    for (int i = 0; i < 2; ++i)
    {
        const Time interval = Get<TimeValue>(*made, points[i]).Get();
        CheckInterval(points[i], interval, tunings[i], stages[i]->cnpInterval);
    }
    return point;
}

CongestionDomains
HccHelper::MakeDomains(const FabricGraph& graph) const
{
    return m_rule ? CongestionDomains(graph, m_rule) : CongestionDomains(graph, m_policy);
}

CongestionStack
HccHelper::MakeStack() const
{
    return MakeStack(MakeControl());
}

CongestionStack
HccHelper::MakeStack(const ObjectFactory& control) const
{
    const HccParameters law = control.Create<Hcc>()->GetParameters();
    const bool article = law.law == HccParameters::ARTICLE_LAW;
    const bool tags = m_path & CongestionPoint::TAG;
    Stages::Plan plan;
    plan.point = MakePoint(law);
    plan.leaves = law.pathBinding && (m_path & CongestionPoint::CNP);
    plan.domains = [policy = m_policy, rule = m_rule](const FabricGraph& graph, uint32_t classes) {
        return rule ? CongestionDomains(graph, rule, classes)
                    : CongestionDomains(graph, policy, classes);
    };
    CongestionStack stack;
    if (tags)
    {
        plan.tags = CreateObject<CnpTagTable>(m_tagsByDomain);
        Put(stack.cnp, "Tags", PointerValue(plan.tags));
        Put(stack.cnp, "TagInterval", TimeValue(law.stage2.cnpInterval));
        Put(stack.cnp, "TagIntervalStage3", TimeValue(law.stage3.cnpInterval));
    }
    else if (m_path == CongestionPoint::CNP)
    {
        PutUnlessChanged(stack.cnp, CnpGenerator::GetTypeId(), "Enabled", BooleanValue(false));
    }
    const TypeId marker = EcnMarker::GetTypeId();
    const UintegerValue kmin(article ? ARTICLE_KMIN : KMIN);
    const UintegerValue kmax(article ? ARTICLE_KMAX : KMAX);
    PutUnlessChanged(stack.ecn, marker, "ReferenceRate", DataRateValue(DataRate(REFERENCE_RATE)));
    PutUnlessChanged(stack.ecn, marker, "KminBytes", kmin);
    PutUnlessChanged(stack.ecn, marker, "KmaxBytes", kmax);
    PutUnlessChanged(stack.ecn, marker, "Pmax", DoubleValue(1));
    const TypeId options = TransportOptions::GetTypeId();
    PutUnlessChanged(stack.transport, options, "Pacing", StringValue("interval"));
    const auto stages = std::make_shared<Stages>(std::move(plan));
    stack.stages = [stages](Ptr<Switch> device, const FabricGraph& graph, uint32_t id) {
        stages->Add(device, graph, id);
    };
    return stack;
}

void
HccHelper::Configure(RoceHelper& roce) const
{
    roce.SetCongestionControl(Hcc::GetTypeId().GetName());
    for (const auto& value : m_control)
    {
        roce.SetCongestionControlAttribute(value.first, *value.second);
    }
    if (const Ptr<HccTuning> tuning = MakeTuning())
    {
        roce.SetCongestionControlAttribute("Tuning", PointerValue(tuning));
    }
    roce.SetCongestionStack(MakeStack());
}

std::vector<std::string>
HccHelper::CheckMarking(const Fabric& fabric)
{
    std::vector<std::string> found;
    for (uint32_t id : fabric.GetGraph().Switches())
    {
        const Ptr<Switch> device = fabric.GetSwitch(id);
        std::set<uint64_t> seen;
        for (uint32_t in = 0; in < device->GetNumPorts(); ++in)
        {
            if (seen.insert(device->GetPort(in)->GetRate()).second)
            {
                const std::string line = CheckPort(*device, in);
                if (!line.empty())
                {
                    found.push_back(line);
                }
            }
        }
    }
    return found;
}

} // namespace roce
} // namespace ns3
