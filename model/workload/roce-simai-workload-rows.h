/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SIMAI_WORKLOAD_ROWS_H
#define ROCE_SIMAI_WORKLOAD_ROWS_H

#include "ns3/roce-text-source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** Which ranks do a collective of a SimAI workload together. */
enum class SimaiScope : uint8_t
{
    PLAIN,           //!< no suffix: tensor group in forward and input gradient, else data group
    EXPERT,          //!< _EP
    DATA_WITH_EXPERT //!< _DP_EP
};

/** What a layer does in one of its three passes. */
struct SimaiPass
{
    int64_t computeNs{0};                //!< as in the file
    std::string operation;               //!< as CollectiveCatalog calls it; empty: NONE
    SimaiScope scope{SimaiScope::PLAIN}; //!< of the operation
    uint64_t bytes{0};                   //!< of the operation
};

/** A row of a workload. */
struct SimaiLayer
{
    uint32_t line{0};     //!< where it stands
    std::string name;     //!< of the layer
    SimaiPass forward;    //!< columns 3 to 5
    SimaiPass inputGrad;  //!< columns 6 to 8
    SimaiPass weightGrad; //!< columns 9 to 11
    int64_t updateNs{0};  //!< column 12
};

/**
 * The rows of a workload text of SimAI and AICB.
 *
 * Models: line 1 "HYBRID_TRANSFORMER_FWD_IN_BCKWD key: value ..." or "MICRO", line 2 the number of
 * layers, then a row of 12 words a layer: name, depends (-1), then compute time, collective and
 * bytes of forward pass, input gradient and weight gradient, then the time of the update.
 *
 * Source: Workload.cc of SimAI (its astra-sim fork) and workloads that AICB wrote.
 *
 * Invariants: as many rows as line 2 says and nothing behind them; each error is "FILE:LINE: ...".
 *
 * Leaves out, refused by name: other parallelisms, checkpoints (recomputation), pp above 1 (a file
 * has the rows of one stage and not what the others do), ALLREDUCEALLTOALL, depends other than -1.
 */
class SimaiWorkloadRows
{
  public:
    /** Read all; std::invalid_argument names line and fault. \param source the text, must outlive
     *  this */
    explicit SimaiWorkloadRows(const TextSource& source);

    /** \return whether it is a MICRO benchmark, collectives one after the other */
    bool IsMicro() const
    {
        return m_micro;
    }

    /** \return ranks of a tensor group, 1 or more */
    uint32_t GetTensor() const
    {
        return m_tensor;
    }

    /** \return ranks of an expert group, 1 or more */
    uint32_t GetExpert() const
    {
        return m_expert;
    }

    /** \return GPUs in all, 0 if the file does not say */
    uint32_t GetGpus() const
    {
        return m_gpus;
    }

    /** \return the layers */
    const std::vector<SimaiLayer>& GetLayers() const
    {
        return m_layers;
    }

  private:
    void ReadHeader(const TextLine& line);
    void ReadKey(const TextLine& line, std::size_t at);
    SimaiLayer ReadLayer(const TextLine& line) const;
    SimaiPass ReadPass(const TextLine& line, std::size_t at) const;

    const TextSource& m_source;
    bool m_micro{false};
    uint32_t m_tensor{1};
    uint32_t m_expert{1};
    uint32_t m_gpus{0};
    std::vector<SimaiLayer> m_layers;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SIMAI_WORKLOAD_ROWS_H
