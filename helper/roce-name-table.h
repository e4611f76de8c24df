/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NAME_TABLE_H
#define ROCE_NAME_TABLE_H

#include "ns3/object-factory.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * The short names by which helpers and flags choose a class.
 *
 * Models: tables from a name to a TypeId, and to attributes where one class has several names.
 *
 * Names are ours.
 *
 * Invariants: each function takes a short name or the TypeId name of a child of its base class,
 * and throws std::invalid_argument that names the short ones for anything else.
 *
 * Leaves out: attributes the user sets afterwards.
 */
class NameTable
{
  public:
    /** \return a CongestionControl. \param name such as dcqcn */
    static ObjectFactory CongestionControl(const std::string& name);

    /** \return a LossRecovery. \param name such as go-back-n */
    static ObjectFactory LossRecovery(const std::string& name);

    /** \return a LoadBalancer. \param name such as ecmp */
    static ObjectFactory LoadBalancer(const std::string& name);

    /** \return a PathChooser, or a factory without type for ecmp. \param name such as int-oracle */
    static ObjectFactory PathChooser(const std::string& name);

    /** \return a PortScheduler, or a factory without type for strict. \param name such as dwrr */
    static ObjectFactory Scheduler(const std::string& name);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NAME_TABLE_H
