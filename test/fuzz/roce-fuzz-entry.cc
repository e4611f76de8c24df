/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-targets.h"

/** What libFuzzer calls; ROCE_FUZZ_TARGET is the target that this program is for. */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    return fuzz::ROCE_FUZZ_TARGET(data, size);
}
