/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PY_RESULT_ARRAYS_H
#define PY_RESULT_ARRAYS_H

#include "py-result.h"

#include <pybind11/pybind11.h>

namespace ns3
{
namespace roce
{
namespace python
{

/** Add what a result has as arrays and frames. \param result the class */
void BindResultArrays(pybind11::class_<PyResult>& result);

} // namespace python
} // namespace roce
} // namespace ns3

#endif // PY_RESULT_ARRAYS_H
