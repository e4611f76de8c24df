/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-simai-workload-rows.h"

#include "roce-workload-text.h"

#include "ns3/roce-quantity.h"

#include <set>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t MAX_GPUS = 1 << 20;        //!< of a header
constexpr uint64_t MAX_NS = 1000000000000000; //!< of a computation: 11 days
constexpr const char* TRANSFORMER = "HYBRID_TRANSFORMER_FWD_IN_BCKWD";

/** Find the operation of a word such as ALLTOALL_EP. \param word it \param pass gets operation and
 *  scope; std::invalid_argument if it is not known */
void
ParseOperation(const std::string& word, SimaiPass& pass)
{
    const std::pair<const char*, const char*> names[] = {{"NONE", ""},
                                                         {"ALLREDUCE", "all-reduce"},
                                                         {"ALLGATHER", "all-gather"},
                                                         {"REDUCESCATTER", "reduce-scatter"},
                                                         {"ALLTOALL", "all-to-all"},
                                                         {"BROADCAST", "broadcast"}};
    const std::pair<const char*, SimaiScope> suffixes[] = {
        {"", SimaiScope::PLAIN},
        {"_EP", SimaiScope::EXPERT},
        {"_DP_EP", SimaiScope::DATA_WITH_EXPERT}};
    for (const auto& [name, operation] : names)
    {
        for (const auto& [suffix, scope] : suffixes)
        {
            if (word == std::string(name) + suffix && (*operation != '\0' || *suffix == '\0'))
            {
                pass.operation = operation;
                pass.scope = scope;
                return;
            }
        }
    }
    throw std::invalid_argument("expected NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or "
                                "BROADCAST, with _EP or _DP_EP behind it or not, found " +
                                Quantity::Shown(word));
}

} // namespace

SimaiWorkloadRows::SimaiWorkloadRows(const TextSource& source)
    : m_source(source)
{
    if (source.Count() < 2)
    {
        source.Fail(source.LastLine(), "expected a header and the number of layers");
    }
    ReadHeader(source.At(0));
    const TextLine second = source.At(1);
    if (second.words.size() != 1)
    {
        source.Fail(second.number,
                    "expected the number of layers alone in the line, found " +
                        std::to_string(second.words.size()) + " words");
    }
    const uint64_t count = source.Read(second.number, "number of layers", [&second]() {
        return Quantity::Unsigned(second.words[0], UINT32_MAX);
    });
    for (std::size_t i = 2; i < source.Count(); ++i)
    {
        const TextLine line = source.At(i);
        if (m_layers.size() == count)
        {
            source.Fail(line.number,
                        "expected the end of the file after " + std::to_string(count) +
                            " layers, found another line");
        }
        m_layers.push_back(ReadLayer(line));
    }
    if (m_layers.size() != count)
    {
        source.Fail(source.LastLine(),
                    "expected layer " + std::to_string(m_layers.size() + 1) + " of " +
                        std::to_string(count) + ", found the end of the file");
    }
}

void
SimaiWorkloadRows::ReadHeader(const TextLine& line)
{
    if (line.words[0] == "MICRO" && line.words.size() == 1)
    {
        m_micro = true;
        return;
    }
    if (line.words[0] != TRANSFORMER)
    {
        m_source.Fail(line.number,
                      std::string("expected ") + TRANSFORMER + " or MICRO, found " +
                          Quantity::Shown(line.words[0]));
    }
    std::set<std::string> seen;
    for (std::size_t at = 1; at < line.words.size(); at += 2)
    {
        if (at + 1 == line.words.size())
        {
            m_source.Fail(line.number,
                          "expected a value after " + Quantity::Shown(line.words[at]) +
                              ", found the end of the line");
        }
        if (!seen.insert(line.words[at]).second)
        {
            m_source.Fail(line.number, Quantity::Shown(line.words[at]) + " is given twice");
        }
        ReadKey(line, at);
    }
    if (seen.count("model_parallel_NPU_group:") == 0)
    {
        m_source.Fail(line.number, "expected model_parallel_NPU_group:, found none");
    }
}

void
SimaiWorkloadRows::ReadKey(const TextLine& line, std::size_t at)
{
    const std::string& key = line.words[at];
    const auto number = [&](uint64_t min, uint64_t max) {
        return m_source.Read(line.number, key, [&]() {
            const uint64_t value = Quantity::Unsigned(line.words[at + 1], max);
            if (value < min)
            {
                throw std::invalid_argument("expected at least " + std::to_string(min) +
                                            ", found " + std::to_string(value));
            }
            return static_cast<uint32_t>(value);
        });
    };
    if (key == "model_parallel_NPU_group:")
    {
        m_tensor = number(1, MAX_GPUS);
    }
    else if (key == "ep:")
    {
        m_expert = number(1, MAX_GPUS);
    }
    else if (key == "all_gpus:")
    {
        m_gpus = number(1, MAX_GPUS);
    }
    else if (key == "pp:")
    {
        if (number(1, MAX_GPUS) != 1)
        {
            m_source.Fail(line.number,
                          "pp: " + Quantity::Shown(line.words[at + 1]) +
                              "; pipeline parallelism is not supported: the file has the rows of "
                              "one stage only. Make the workload with pp 1");
        }
    }
    else if (key == "vpp:" || key == "ga:")
    {
        number(1, UINT32_MAX); // vpp means nothing with pp 1; the rows of all ga steps are there
    }
    else if (key == "checkpoints:" || key == "checkpoint_initiates:")
    {
        if (number(0, UINT32_MAX) != 0)
        {
            m_source.Fail(line.number, key + " above 0; recomputation is not supported");
        }
    }
    else if (key == "pp_comm" || key == "pp_comm:")
    {
        if (number(0, UINT32_MAX) != 0)
        {
            m_source.Fail(line.number, key + " above 0, but there is one pipeline stage");
        }
    }
    else
    {
        m_source.Fail(line.number,
                      Quantity::Shown(key) +
                          " is not known; known are model_parallel_NPU_group: ep: pp: vpp: ga: "
                          "all_gpus: checkpoints: checkpoint_initiates: pp_comm");
    }
}

SimaiPass
SimaiWorkloadRows::ReadPass(const TextLine& line, std::size_t at) const
{
    static const char* const NAMES[] = {"forward", "input gradient", "weight gradient"};
    return m_source.Read(line.number, NAMES[(at - 2) / 3], [&line, at]() {
        SimaiPass pass;
        pass.computeNs = static_cast<int64_t>(Quantity::Unsigned(line.words[at], MAX_NS));
        ParseOperation(line.words[at + 1], pass);
        pass.bytes = Quantity::Unsigned(line.words[at + 2], WorkloadText::MAX_BYTES);
        return pass;
    });
}

SimaiLayer
SimaiWorkloadRows::ReadLayer(const TextLine& line) const
{
    if (line.words.size() != 12)
    {
        m_source.Fail(line.number,
                      "expected 12 words of a layer (name -1, three times compute, collective and "
                      "bytes, update), found " +
                          std::to_string(line.words.size()));
    }
    if (line.words[1] != "-1")
    {
        m_source.Fail(line.number,
                      "depends on " + Quantity::Shown(line.words[1]) +
                          ", expected -1: a layer depends on the one before it");
    }
    SimaiLayer layer;
    layer.line = line.number;
    layer.name = WorkloadText::Tidy(line.words[0]).substr(0, 64);
    layer.forward = ReadPass(line, 2);
    layer.inputGrad = ReadPass(line, 5);
    layer.weightGrad = ReadPass(line, 8);
    layer.updateNs = m_source.Read(line.number, "update", [&line]() {
        return static_cast<int64_t>(Quantity::Unsigned(line.words[11], MAX_NS));
    });
    if (m_micro && (!layer.forward.operation.empty() || !layer.inputGrad.operation.empty()))
    {
        m_source.Fail(line.number, "a MICRO benchmark has collectives in the weight gradient only");
    }
    return layer;
}

} // namespace roce
} // namespace ns3
