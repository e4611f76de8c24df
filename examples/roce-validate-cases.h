/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_CASES_H
#define ROCE_VALIDATE_CASES_H

#include "roce-validate-bench.h"

/**
 * \file
 * The cases of roce-validate; doc/validation.rst has source, set-up and bounds of each. They differ
 * in what they need, so each is a function that runs plans and fills the report.
 */

namespace ns3
{
namespace roce
{

/** D1: queue and marks of DCQCN at rest. \param bench runs \param quick whether to leave runs out
 */
void ValidateDcqcnFixedPoint(ValidateBench& bench, bool quick);

/** D2: a flow that joins others gets its share. \param bench runs \param quick as above */
void ValidateDcqcnConvergence(ValidateBench& bench, bool quick);

/** D3: which numbers of flows are stable at which delay. \param bench runs \param quick as above */
void ValidateDcqcnStability(ValidateBench& bench, bool quick);

/** D4: TIMELY and patched TIMELY. \param bench runs \param quick as above */
void ValidateTimely(ValidateBench& bench, bool quick);

/** D9: a burst that harms a flow it does not meet. \param bench runs \param quick as above */
void ValidateInnocentFlow(ValidateBench& bench, bool quick);

/** D10: HPCC over one link. \param bench runs \param quick as above */
void ValidateHpcc(ValidateBench& bench, bool quick);

/** D11: shares of PowerTCP as flows join. \param bench runs \param quick as above */
void ValidatePowerTcp(ValidateBench& bench, bool quick);

/** \return short names of all laws. \param quick one of them only */
std::vector<std::string> GetValidateLaws(bool quick);

/** A33: a fast link into a slow one, all laws. \param bench runs \param quick as above */
void ValidateSlowLink(ValidateBench& bench, bool quick);

/** A34: a flow over two links in series, all laws. \param bench runs \param quick as above */
void ValidateTwoLinks(ValidateBench& bench, bool quick);

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_CASES_H
