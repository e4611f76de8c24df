/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_FABRIC_H
#define PY_FABRIC_H

#include "py-holder.h"

#include "ns3/roce-fabric.h"
#include "ns3/roce-helper.h"

#include <pybind11/pybind11.h>
#include <string>

namespace ns3
{
namespace roce
{
namespace python
{

/**
 * Keyword arguments of roce.Fabric as calls of RoceHelper.
 *
 * Models: names of parts, and a dict of attributes for each.
 *
 * Invariants: what ExperimentHelper does for a program is done here too: hosts are not ECN-capable
 * under "none" unless the user says so, and random streams begin at 0.
 *
 * Leaves out: rules of ports by functions.
 */
class FabricArguments
{
  public:
    /** Take one argument. \param name of it \param value of Python; TypeError if there is no such
     *  argument, ValueError if the value is wrong */
    void Take(const std::string& name, pybind11::handle value);

    /** \return the fabric. \param topology a FabricGraph, a helper with graph(), or a name */
    Ptr<Fabric> Build(pybind11::handle topology);

  private:
    void SetAttributes(const std::string& part, pybind11::dict attributes);
    void SetChosen(const std::string& part, pybind11::dict attributes);

    std::string m_cc{"dcqcn"};
    std::string m_lb{"ecmp"};
    std::string m_recovery{"go-back-n"};
    std::string m_scheduler;
    std::string m_paths;
    bool m_partition{false};
    bool m_internet{false};
    pybind11::object m_hcc{pybind11::none()};
    pybind11::dict m_parts; //!< attributes by part
    RoceHelper m_roce;
};

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_FABRIC_H
