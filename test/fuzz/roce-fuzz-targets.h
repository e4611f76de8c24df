/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FUZZ_TARGETS_H
#define ROCE_FUZZ_TARGETS_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/**
 * \file
 * The fuzz targets. Each takes any bytes, returns 0, and aborts if a promise of the code under test
 * is broken. The first byte says which case the rest is for. libFuzzer calls them through
 * roce-fuzz-entry.cc, ordinary builds through roce-fuzz-replay.cc.
 */

namespace fuzz
{

/** Codec: bits 0 to 3 of the first byte are FCS, bad ICRC taken, any UDP port, Repair(). */
int Codec(const uint8_t* data, std::size_t size);

/** FrameCodec and PauseFrame: bits 0, 2 and 3 of the first byte as in Codec; bit 1: Encode adds the
 *  FCS; bit 4: the rest are fields of a Frame to encode. */
int FrameCodec(const uint8_t* data, std::size_t size);

/** IntMd and HpccInt: the low 2 bits of the first byte are 0 and 1 for the layouts of HpccInt, else
 *  IntMd; the others are the room for one more hop. */
int Int(const uint8_t* data, std::size_t size);

/** Text readers: the low 3 bits of the first byte choose one, so '0' to '7' do. */
int Text(const uint8_t* data, std::size_t size);

/** Readers of workloads: the low 3 bits of the first byte choose one: '0' own JSON, '1' flow sizes,
 *  '2' htsim's connections, '3' SimAI, '4' Chakra. */
int Workload(const uint8_t* data, std::size_t size);

/** Reader of experiments; there is no first byte for cases. */
int Experiment(const uint8_t* data, std::size_t size);

/**
 * Abort with a reason unless something holds.
 *
 * \param ok what must hold
 * \param what the promise that is broken if not
 */
inline void
Check(bool ok, const char* what)
{
    if (!ok)
    {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

} // namespace fuzz

#endif // ROCE_FUZZ_TARGETS_H
