/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_RUN_H
#define PY_RUN_H

#include "py-holder.h"
#include "py-result.h"

#include <memory>
#include <string>

namespace ns3
{
namespace roce
{
namespace python
{

/** How a run is made. */
struct RunRequest
{
    std::string label;         //!< name in results
    Time stop;                 //!< 0: until the work is done
    Time queues;               //!< 0: queues are not sampled
    Time rates;                //!< 0: rates are not sampled
    bool pauses;               //!< whether pauses are noted
    pybind11::object progress; //!< none, or called now and then
};

/** Run the simulation, as a program of the module does. \param fabric where \param request how
 *  \return what it came to */
std::unique_ptr<PyResult> RunExperiment(Ptr<Fabric> fabric, const RunRequest& request);

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_RUN_H
