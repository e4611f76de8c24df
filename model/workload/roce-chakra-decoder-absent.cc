/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// In place of roce-chakra-decoder.cc in a build without libprotobuf.

#include "roce-chakra-decoder.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

bool
ChakraDecoder::IsAvailable()
{
    return false;
}

ChakraTrace
ChakraDecoder::Decode(const std::string& name, const std::string&)
{
    throw std::runtime_error(name + ": this build cannot read Chakra traces; install "
                                    "libprotobuf-dev, configure and build again");
}

} // namespace roce
} // namespace ns3
