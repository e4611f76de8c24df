/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HCC_TUNING_H
#define ROCE_HCC_TUNING_H

#include "roce-hcc-parameters.h"

#include "ns3/object.h"

namespace ns3
{
namespace roce
{

/**
 * The numbers of the stages, and how a flow comes back, as attributes.
 *
 * Models: a way to change single numbers of an HCC profile, for sweeps.
 *
 * Invariants: what is not set is as the profile says.
 *
 * Leaves out: what is an attribute of Hcc or CnpProcessor.
 */
class HccTuning : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    HccTuning();
    ~HccTuning() override;

    /** \param parameters the profile, in which the numbers that were set are replaced */
    void Apply(HccParameters& parameters) const;

  private:
    static TypeId AddSteps(TypeId tid);

    Time m_recovery2;
    Time m_recovery3;
    Time m_interval2;
    Time m_interval3;
    double m_slope2;
    double m_slope3;
    double m_threshold2;
    double m_threshold3;
    double m_phi;
    double m_severePhi;
    double m_severeShare;
    int64_t m_acceleration;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HCC_TUNING_H
