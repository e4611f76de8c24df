/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_OPTIONS_H
#define ROCE_TRAFFIC_OPTIONS_H

#include "roce-traffic-pairs.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** What TrafficGenerator makes. Sizes come apart, as FlowSizeDistribution. */
struct TrafficOptions
{
    double loadPercent{50};                          //!< of the links; 0: no background
    TrafficPattern pattern{TrafficPattern::UNIFORM}; //!< who sends to whom
    uint32_t hotHosts{1};                            //!< of HOTSPOT
    double hotFraction{0.5};                         //!< of HOTSPOT
    int64_t startPs{0};                              //!< of the first arrivals
    int64_t durationPs{1000000000};                  //!< arrivals come for so long
    uint32_t incastFanIn{0};                         //!< senders of an incast; 0: none
    uint64_t incastBytes{0};                         //!< from each of them
    int64_t incastEveryPs{0};                        //!< one incast each time
    uint32_t pg{3};                                  //!< priority group of all flows
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAFFIC_OPTIONS_H
