/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-targets.h"

#include "ns3/roce-experiment-document.h"

#include <algorithm>
#include <stdexcept>
#include <string>

using namespace ns3::roce;

namespace
{

constexpr std::size_t MAX_MESSAGE_BYTES = 1500; //!< lists of known keys are long

} // namespace

int
fuzz::Experiment(const uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    try
    {
        const ExperimentDocument document = ExperimentDocument::Parse("t", text);
        const ExperimentDocument again = ExperimentDocument::Parse("t", document.GetJson().dump());
        Check(again.GetJson() == document.GetJson(), "a document with its defaults is one");
        document.With("seed", 1U);
    }
    catch (const std::invalid_argument& error)
    {
        const std::string why = error.what();
        Check(why.compare(0, 3, "t: ") == 0, "a message begins with the name");
        Check(std::all_of(why.begin(), why.end(), [](char c) { return c >= ' ' && c < 127; }),
              "a message is printable");
        Check(why.size() <= MAX_MESSAGE_BYTES, "a message is short");
    }
    return 0;
}
