/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LINK_SCHEDULE_H
#define ROCE_LINK_SCHEDULE_H

#include "roce-fabric.h"

#include "ns3/error-model.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What happens to links of a fabric, and when.
 *
 * Models: links that go down and up, lose lanes, or get bit errors. A text form serves flags and
 * files: entries with semicolons between them, each a time, a link and what happens to it:
 * "1ms 12-20 down; 2ms 12-20 up; 1ms 3 rate 25Gbps; 0s 7 errors 1e-5". A link is its index in the
 * graph, or the ids of both ends; "*" for one end takes all links of the other; parallel links
 * count as one.
 *
 * Invariants: all entries are checked before any of them is scheduled.
 *
 * Leaves out: failures drawn at random; a program draws times itself.
 */
class LinkSchedule
{
  public:
    /** \param fabric whose links */
    explicit LinkSchedule(Ptr<Fabric> fabric);

    /**
     * Schedule what a text says. Throws std::invalid_argument naming the entry and what is wrong.
     * \param text entries
     * \return number of changes of links, parallel ones each
     */
    uint32_t Add(const std::string& text);

    /** A link goes down. \param at from now \param link index in the graph */
    void Down(Time at, uint32_t link);

    /** A link comes up. \param at from now \param link index in the graph */
    void Up(Time at, uint32_t link);

    /** A link changes its rate, both ways. \param at from now \param link index in the graph
     *  \param rateBps bit/s; Fabric::SetLinkRate has the limits */
    void Rate(Time at, uint32_t link, uint64_t rateBps);

    /**
     * Frames that arrive by a link are lost with a probability, both ways.
     * \param at from now
     * \param link index in the graph
     * \param share of the frames, 0 to 1; std::invalid_argument if it is not
     */
    void Errors(Time at, uint32_t link, double share);

    /** \return random streams used by error models so far. \param stream first one to use */
    int64_t AssignStreams(int64_t stream);

    /** \return indices of the links that a text names, as above; std::invalid_argument if none.
     *  \param graph the plan \param text of the link */
    static std::vector<uint32_t> FindLinks(const FabricGraph& graph, const std::string& text);

  private:
    /** An entry of the text form. */
    struct Entry
    {
        Time at;
        std::vector<uint32_t> links;
        std::string what;
        uint64_t rateBps{0};
        double share{0};
    };

    Entry Parse(const std::string& text) const;
    void Apply(const Entry& entry);
    void CheckLink(uint32_t link) const;

    Ptr<Fabric> m_fabric;
    std::vector<Ptr<RateErrorModel>> m_errors;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LINK_SCHEDULE_H
