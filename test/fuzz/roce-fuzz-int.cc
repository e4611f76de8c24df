/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-targets.h"

#include "ns3/roce-hpcc-int.h"
#include "ns3/roce-int-md.h"

#include <algorithm>
#include <vector>

using namespace ns3::roce;

namespace
{

using Bytes = std::vector<uint8_t>;

/** \param bytes perhaps INT-MD headers and what follows them \param room see IntMd::Push */
void
RoundTripMd(const Bytes& bytes, std::size_t room)
{
    IntMd header;
    try
    {
        header = IntMd::Decode(bytes.data(), bytes.size());
    }
    catch (const CodecError&)
    {
        return;
    }
    Bytes again;
    header.Encode(again);
    fuzz::Check(again.size() == header.GetBytes() && again.size() <= bytes.size() &&
                    std::equal(again.begin(), again.end(), bytes.begin()),
                "Encode(Decode(b)) of INT-MD is the first bytes of b");
    // a switch on the way: what it leaves has a wire form
    const std::size_t hops = header.hops.size();
    const bool pushed = header.Push(IntMdHop(), room);
    fuzz::Check(header.hops.size() == hops + (pushed ? 1 : 0), "Push adds what it says");
    Bytes further;
    header.Encode(further);
    fuzz::Check(further.size() <= again.size() + room, "Push keeps to the room");
    const IntMd last = IntMd::Decode(further.data(), further.size());
    Bytes same;
    last.Encode(same);
    fuzz::Check(same == further && last.hops.size() == header.hops.size(),
                "INT-MD after Push is kept");
}

/** \param bytes perhaps an INT header of HPCC \param layout how it is packed */
void
RoundTripHpcc(const Bytes& bytes, HpccIntLayout layout)
{
    HpccInt header;
    try
    {
        header = HpccInt::Decode(bytes.data(), bytes.size(), layout);
    }
    catch (const CodecError&)
    {
        return;
    }
    Bytes again;
    header.Encode(again, layout);
    fuzz::Check(again.size() == HpccInt::Bytes(layout) &&
                    std::equal(again.begin(), again.end(), bytes.begin()),
                "Encode(Decode(b)) of HPCC's INT is the first bytes of b");
    const unsigned count = header.GetCount();
    const bool kept = header.Push(HpccIntHop::Make(100000, ~uint64_t(0), ~uint64_t(0), 0, 1));
    fuzz::Check(kept == (count < HpccInt::MAX_HOPS) &&
                    header.GetCount() == std::min(count + 1, 0xffffu),
                "Push counts each hop and keeps five");
    Bytes further;
    header.Encode(further, layout);
    const HpccInt last = HpccInt::Decode(further.data(), further.size(), layout);
    fuzz::Check(last.GetCount() == header.GetCount(), "HPCC's INT after Push is kept");
}

} // namespace

int
fuzz::Int(const uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    Bytes bytes(data + 1, data + size);
    bytes.shrink_to_fit();
    switch (data[0] & 3)
    {
    case 0:
        RoundTripHpcc(bytes, HpccIntLayout::ARTIFACT);
        break;
    case 1:
        RoundTripHpcc(bytes, HpccIntLayout::EXTENDED);
        break;
    default:
        RoundTripMd(bytes, data[0] >> 2);
        break;
    }
    return 0;
}
