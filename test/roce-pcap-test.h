/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PCAP_TEST_H
#define ROCE_PCAP_TEST_H

#include "ns3/roce-codec.h"
#include "ns3/roce-pause-frame.h"
#include "ns3/test.h"

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** One packet of a capture. */
struct PcapRecord
{
    uint64_t ns;                //!< when
    std::vector<uint8_t> bytes; //!< what
};

/** \return 32 bits, least byte first. \param bytes from here */
inline uint32_t
Read32(const uint8_t* bytes)
{
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t(bytes[3]) << 24;
}

/** Common parts of tests that read captures. */
class PcapTest : public TestCase
{
  public:
    explicit PcapTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** Read a capture of nanoseconds and Ethernet. \return its packets. \param path the file */
    std::vector<PcapRecord> Load(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
        std::vector<PcapRecord> records;
        NS_TEST_EXPECT_MSG_EQ((bytes.size() >= 24), true, path << " has a header");
        if (bytes.size() < 24)
        {
            return records;
        }
        // draft-ietf-opsawg-pcap: magic for nanoseconds, version 2.4, zone, accuracy, snap length,
        // link type 1 = Ethernet
        NS_TEST_EXPECT_MSG_EQ(Read32(bytes.data()), 0xa1b23c4d, "magic");
        NS_TEST_EXPECT_MSG_EQ(Read32(bytes.data() + 4), 0x00040002, "version");
        NS_TEST_EXPECT_MSG_EQ(Read32(bytes.data() + 8), 0, "time zone");
        NS_TEST_EXPECT_MSG_EQ(Read32(bytes.data() + 20), 1, "link type");
        std::size_t at = 24;
        while (at + 16 <= bytes.size())
        {
            const uint8_t* head = bytes.data() + at;
            PcapRecord record;
            record.ns = Read32(head) * uint64_t(1000000000) + Read32(head + 4);
            const uint32_t size = Read32(head + 8);
            NS_TEST_EXPECT_MSG_EQ(Read32(head + 12), size, "whole packets");
            NS_TEST_EXPECT_MSG_EQ((at + 16 + size <= bytes.size()), true, "file is not cut");
            record.bytes.assign(head + 16, head + 16 + size);
            if (!records.empty())
            {
                NS_TEST_EXPECT_MSG_EQ((record.ns >= records.back().ns), true, "times ascend");
            }
            records.push_back(record);
            at += 16 + size;
        }
        NS_TEST_EXPECT_MSG_EQ(at, bytes.size(), "no rest");
        return records;
    }

    /** \return the packets as "opcode name" with counts; each is decoded, with its ICRC */
    std::map<std::string, uint32_t> Count(const std::vector<PcapRecord>& records)
    {
        std::map<std::string, uint32_t> count;
        for (const PcapRecord& record : records)
        {
            try
            {
                if (PauseFrame::IsMacControl(record.bytes.data(), record.bytes.size()))
                {
                    const PauseFrame pause =
                        PauseFrame::Decode(record.bytes.data(), record.bytes.size());
                    ++count["PFC " + std::to_string(pause.enable)];
                    m_pauseSource = pause.source;
                    continue;
                }
                // refuses a wrong ICRC, IP checksum or length
                const WirePacket packet =
                    Codec::Decode(record.bytes.data(), record.bytes.size(), false);
                ++count[std::to_string(packet.bth.opcode)];
                m_marks += (packet.ipv4.tos & 3) == ECN_CE;
                m_packets.push_back(packet);
            }
            catch (const CodecError& error)
            {
                NS_TEST_EXPECT_MSG_EQ(std::string(error.what()), "", "decodes");
            }
        }
        return count;
    }

    /** \return how many. \param count result of Count \param kind which */
    static uint32_t Of(const std::map<std::string, uint32_t>& count, const std::string& kind)
    {
        const auto found = count.find(kind);
        return found == count.end() ? 0 : found->second;
    }

    std::vector<WirePacket> m_packets; //!< decoded by Count, pauses left out
    uint32_t m_marks{0};               //!< of those, with CE
    MacBytes m_pauseSource{};          //!< of the last pause
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PCAP_TEST_H
