/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CONGESTION_STACK_H
#define ROCE_CONGESTION_STACK_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/roce-switch.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

class FabricGraph;

/**
 * What a congestion control needs around it.
 *
 * Models: marking, notification, telemetry and pacing that a law of senders rests on, as values
 * that RoceHelper gives to the parts of a fabric before those of the user.
 *
 * Source: doc/congestion.rst has a row a law.
 *
 * Invariants: what the user sets at the helper, or as a default of an attribute (command line,
 * Config::SetDefault), counts instead.
 *
 * Leaves out: the law itself.
 */
struct CongestionStack
{
    /** Names of attributes and their values. */
    using Values = std::vector<std::pair<std::string, Ptr<AttributeValue>>>;

    Values cnp;       //!< of notification points
    Values ecn;       //!< of ECN markers
    Values transport; //!< of TransportOptions
    /** Called for each switch, with the plan and its id, before it is frozen; may be empty. */
    std::function<void(Ptr<Switch>, const FabricGraph&, uint32_t)> stages;

    /** \return whether the user gave an attribute another default. \param type has it \param name
     *  of the attribute; one that does not exist has not changed */
    static bool IsDefaultChanged(TypeId type, const std::string& name);

    /** Give an object values, but where the user set another default. \param values attributes
     *  \param object has them */
    static void Apply(const Values& values, Object& object);

    /** \return what a law needs. \param control makes the law \param namedPorts whether telemetry
     *  shall come back that names ports (INT-MD), which laws that need none do without */
    static CongestionStack Of(const ObjectFactory& control, bool namedPorts = false);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CONGESTION_STACK_H
