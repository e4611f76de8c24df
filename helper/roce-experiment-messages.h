/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_MESSAGES_H
#define ROCE_EXPERIMENT_MESSAGES_H

#include "roce-experiment-open-loop.h"
#include "roce-experiment-traffic.h"

#include "ns3/roce-work-request.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Traffic of an experiment that is made of messages.
 *
 * Models: the types messages, incast, permutation, all_to_all, flows and open_loop: a queue pair
 * for each pair of hosts or flow, requests posted at their time.
 *
 * Source: none.
 *
 * Invariants: queue pairs are made in the order of the entry, so the same entry gives the same
 * paths; a request that starts at 0 is posted before the simulation begins.
 *
 * Leaves out: SEND, which needs requests of the receiver; memory.
 */
class ExperimentMessages : public ExperimentTraffic
{
  public:
    static constexpr uint64_t MAX_MESSAGES = 20000000; //!< more are refused

    /** Check an entry. \param plan what it is checked against \param entry with its defaults
     *  \param path of it */
    ExperimentMessages(ExperimentPlan& plan, const Json& entry, const std::string& path);

    void Install(const ExperimentSite& site) override;
    ResultWriter::Json Report() const override;
    uint64_t GetBytes() const override;
    void Clear() override;

  private:
    /** Requests to one queue pair. */
    struct Item
    {
        uint32_t from{0};
        uint32_t to{0};
        uint64_t bytes{0};
        Time at;
        Operation operation{Operation::WRITE};
        int priority{-1};
        uint32_t count{1};
    };

    static Item ItemOf(const Json& entry);
    uint32_t HostOf(const ExperimentPlan& plan, const Json& id, const std::string& path) const;
    std::vector<uint32_t> HostsOf(const ExperimentPlan& plan,
                                  const Json& ids,
                                  const std::string& path) const;
    void ReadMessages(const ExperimentPlan& plan, const Json& entry, const std::string& path);
    void ReadIncast(const ExperimentPlan& plan, const Json& entry, const std::string& path);
    std::vector<uint32_t> SendersOf(const ExperimentPlan& plan,
                                    const Json& entry,
                                    const std::string& path,
                                    uint32_t receiver) const;
    void ReadPattern(const ExperimentPlan& plan, const Json& entry, const std::string& path);
    void AddPattern(const Json& entry, const Item& item);
    void ReadFlows(const ExperimentPlan& plan, const Json& entry);
    void AddFlows(const FlowList& list, const Item& item);
    void Shuffle(int64_t stream);
    void Begin(const ExperimentSite& site, const Item& item, uint64_t id);
    void CheckCount(const ExperimentPlan& plan, const std::string& path) const;

    std::string m_type;
    std::vector<Item> m_items;
    std::vector<uint32_t> m_hosts;            //!< of a pattern
    bool m_shuffle{false};                    //!< a permutation at random
    std::optional<ExperimentOpenLoop> m_load; //!< of open_loop
    Item m_like;                              //!< of open_loop: what flows have in common
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_MESSAGES_H
