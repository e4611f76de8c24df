/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wire-test-data.h"

#include "ns3/roce-codec-error.h"
#include "ns3/roce-pause-frame.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3::roce;
using namespace wiretest;

namespace
{

const MacBytes SOURCE{0x00, 0x01, 0x01, 0x01, 0x01, 0x01};

Bytes
Zeros(const std::string& hex, std::size_t zeros)
{
    Bytes bytes = FromHex(hex);
    bytes.insert(bytes.end(), zeros, 0);
    return bytes;
}

PauseFrame
Pfc(uint8_t enable)
{
    PauseFrame f;
    f.source = SOURCE;
    f.enable = enable;
    return f;
}

} // namespace

TEST_CASE("PFC and PAUSE frames byte for byte", "[wire][pause]")
{
    // From scapy's test/contrib/mac_control.uts; 60 bytes without FCS.
    PauseFrame both = Pfc(0x21);
    both.times[0] = 0x4321;
    both.times[5] = 0x1234;
    const Bytes bothBytes =
        Zeros("0180c2000001 000101010101 8808 0101 0021 4321 0000 0000 0000 0000 "
              "1234 0000 0000",
              26);
    CHECK(both.Encode() == bothBytes);

    PauseFrame xoff = Pfc(0x08);
    xoff.times[3] = 0xffff;
    const Bytes xoffBytes = Zeros("0180c2000001 000101010101 8808 0101 0008 0000 0000 0000 ffff "
                                  "0000 0000 0000 0000",
                                  26);
    CHECK(xoff.Encode() == xoffBytes);

    const PauseFrame xon = Pfc(0x08);
    const Bytes xonBytes = Zeros("0180c2000001 000101010101 8808 0101 0008", 16 + 26);
    CHECK(xon.Encode() == xonBytes);

    PauseFrame pause;
    pause.source = SOURCE;
    pause.priority = false;
    pause.time = 0x1234;
    const Bytes pauseBytes = Zeros("0180c2000001 000101010101 8808 0001 1234", 42);
    CHECK(pause.Encode() == pauseBytes);

    for (const Bytes& bytes : {bothBytes, xoffBytes, xonBytes, pauseBytes})
    {
        REQUIRE(bytes.size() == 60);
        REQUIRE(PauseFrame::IsMacControl(bytes.data(), bytes.size()));
        const PauseFrame f = PauseFrame::Decode(bytes.data(), bytes.size());
        CHECK(f.source == SOURCE);
        CHECK(f.priority == (bytes[14] == 1));
        CHECK(f.Encode() == bytes);
    }
    const PauseFrame decoded = PauseFrame::Decode(bothBytes.data(), bothBytes.size());
    CHECK(decoded.enable == 0x21);
    CHECK(decoded.times[0] == 0x4321);
    CHECK(decoded.times[5] == 0x1234);
}

TEST_CASE("a pause frame with a zero source address is legal", "[wire][pause]")
{
    // Case A27: such frames must count.
    Bytes bytes = Pfc(0x08).Encode();
    std::fill(bytes.begin() + 6, bytes.begin() + 12, 0);
    CHECK(PauseFrame::Decode(bytes.data(), bytes.size()).source == MacBytes{});
}

TEST_CASE("pause frames that are none are refused", "[wire][pause]")
{
    const Bytes good = Pfc(0x08).Encode();
    for (std::size_t size = 0; size < good.size(); ++size)
    {
        CHECK_THROWS_AS(PauseFrame::Decode(Bytes(good.begin(), good.begin() + size).data(), size),
                        CodecError);
    }
    const auto offsetOf = [&good](std::size_t at, uint8_t value) {
        Bytes bytes = good;
        bytes[at] = value;
        try
        {
            PauseFrame::Decode(bytes.data(), bytes.size());
        }
        catch (const CodecError& e)
        {
            return e.GetOffset();
        }
        return std::size_t(999);
    };
    CHECK(offsetOf(5, 0x02) == 0);    // another group address
    CHECK(offsetOf(12, 0x08) == 12);  // another type
    CHECK(offsetOf(15, 0x02) == 14);  // another MAC control opcode
    CHECK(offsetOf(16, 0x01) == 16);  // the high byte of the vector is reserved
    CHECK(offsetOf(50, 0xaa) == 999); // reserved bytes are ignored
}

TEST_CASE("pause times in quanta of 512 bit times", "[wire][pause]")
{
    // 512 bit / 100 Gb/s = 5.12 ns; 400G: 1.28 ns; 800G: 0.64 ns
    CHECK(PauseFrame::Picoseconds(1, 100'000'000'000) == 5120);
    CHECK(PauseFrame::Picoseconds(1, 400'000'000'000) == 1280);
    CHECK(PauseFrame::Picoseconds(1, 800'000'000'000) == 640);
    // 0x1234 at 10 Mb/s: 4660 * 512 / 10^7 s = 0.238592 s
    CHECK(PauseFrame::Picoseconds(0x1234, 10'000'000) == 238'592'000'000);
    // the longest, at 1 Mb/s: 65535 * 512 / 10^6 s = 33.55392 s
    CHECK(PauseFrame::Picoseconds(0xffff, 1'000'000) == 33'553'920'000'000);
    // 65535 * 512 bit at 1.6 Tb/s = 20.9712 us
    CHECK(PauseFrame::Picoseconds(0xffff, 1'600'000'000'000) == 20'971'200);
    CHECK(PauseFrame::Picoseconds(0, 1'000'000'000) == 0);
    CHECK(PauseFrame::Picoseconds(1, 3) == 170'666'666'666'666); // 512/3 s, rounded down
    CHECK_THROWS_AS(PauseFrame::Picoseconds(1, 0), std::invalid_argument);
}
