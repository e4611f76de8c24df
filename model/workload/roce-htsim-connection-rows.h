/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HTSIM_CONNECTION_ROWS_H
#define ROCE_HTSIM_CONNECTION_ROWS_H

#include "ns3/roce-text-source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/** A row of a connection. */
struct HtsimConnection
{
    uint32_t line{0};              //!< where it stands
    uint32_t src{0};               //!< node that sends
    uint32_t dst{0};               //!< node that receives
    uint32_t id{0};                //!< 0: none
    std::optional<double> startPs; //!< or a trigger
    uint64_t bytes{0};             //!< its size, above 0
    uint32_t trigger{0};           //!< that starts it, 0: none
    uint32_t sendDone{0};          //!< trigger that its end at the sender fires
    uint32_t receiveDone{0};       //!< trigger that its end at the receiver fires
};

/** A row of a trigger. */
struct HtsimTrigger
{
    uint32_t line{0};              //!< where it stands
    std::string type;              //!< oneshot, multishot or barrier
    std::optional<uint32_t> count; //!< of a barrier
};

/**
 * The rows of a `.cm` file of htsim.
 *
 * Models: the syntax; HtsimConnectionReader says what the rows mean and which are refused.
 *
 * Source: the loader of connection matrices of csg-htsim.
 *
 * Invariants: the numbers of rows are those of the header; nodes are below the number of nodes;
 * each connection has a size and either a start or a trigger; ids are given once.
 *
 * Leaves out: whether a trigger that is used has a row.
 */
class HtsimConnectionRows
{
  public:
    /** Most nodes. */
    static constexpr uint32_t MAX_NODES = 1U << 24;

    /** Read all rows; std::invalid_argument names line and fault. \param source the text, must
     *  outlive this */
    explicit HtsimConnectionRows(const TextSource& source);

    /** \return number of nodes. \param line for the message if it was not given */
    uint32_t GetNodes(uint32_t line) const;

    /** \return connections in the order of their rows */
    const std::vector<HtsimConnection>& GetConnections() const
    {
        return m_connections;
    }

    /** \return triggers by number */
    const std::map<uint32_t, HtsimTrigger>& GetTriggers() const
    {
        return m_triggers;
    }

  private:
    void ReadLine(const TextLine& line);
    void ReadHeader(const TextLine& line);
    void ReadConnection(const TextLine& line);
    void ReadKey(const TextLine& line, std::size_t at, HtsimConnection& c);
    void ReadTrigger(const TextLine& line);
    void CheckCount(const std::string& name, std::optional<std::size_t> found) const;
    uint32_t Number(const TextLine& line, std::size_t at, uint64_t max) const;
    void NeedValue(const TextLine& line, std::size_t at) const;

    const TextSource& m_source;
    std::map<std::string, std::pair<uint32_t, uint32_t>> m_header; //!< name to line and value
    std::vector<HtsimConnection> m_connections;
    std::map<uint32_t, HtsimTrigger> m_triggers;
    std::set<uint32_t> m_ids;     //!< of connections
    std::set<std::string> m_keys; //!< of the row that is read
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HTSIM_CONNECTION_ROWS_H
