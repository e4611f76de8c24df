/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DEADLOCK_CASE_H
#define ROCE_DEADLOCK_CASE_H

#include "ns3/roce-fabric-graph.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/** Rates, lengths and times of the fabrics. */
struct DeadlockOptions
{
    std::string rate{"40Gbps"};    //!< of links between switches, and of hosts in a ring
    std::string delay{"1us"};      //!< of each cable
    std::string buffer{"1MB"};     //!< of each switch
    std::string size{"4MB"};       //!< of each message
    std::string loopRate{"6Gbps"}; //!< of the host that sends into the loop
    uint32_t ttl{16};              //!< of what it sends
    std::string detection{"2ms"};  //!< of the watchdog; its restoration time as well
    std::string poll{"1ms"};       //!< of the watchdog
};

/** A route against the shortest path. */
struct ForcedRoute
{
    uint32_t device;      //!< id of a switch
    uint32_t destination; //!< id of a host
    uint32_t next;        //!< id of the switch to send to
};

/** One scenario: what is built, who sends, what is to happen. */
struct DeadlockCase
{
    std::string name;                                 //!< of the run
    ns3::roce::FabricGraph graph;                     //!< the fabric
    std::vector<ForcedRoute> routes;                  //!< forced ones
    std::vector<std::pair<uint32_t, uint32_t>> flows; //!< source and destination
    bool datagrams{false};                            //!< over UC, which waits for no answer
    bool freezes{false};                              //!< ends as a stall
    bool watchdog{false};                             //!< each switch has one

    /** \return names that Make knows */
    static std::vector<std::string> Names();

    /** \return a scenario; throws std::invalid_argument naming the known ones. \param name its
     *  name \param options rates and times */
    static DeadlockCase Make(const std::string& name, const DeadlockOptions& options);
};

#endif // ROCE_DEADLOCK_CASE_H
