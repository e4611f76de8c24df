/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WIRE_TEST_DATA_H
#define ROCE_WIRE_TEST_DATA_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * \file
 * Bytes for the tests of the wire formats: hex strings, published vectors, capture files, and a CRC
 * that shares no code with the module.
 */

namespace wiretest
{

using Bytes = std::vector<uint8_t>;

/**
 * \param hex pairs of digits; blanks are skipped
 * \return the bytes
 */
inline Bytes
FromHex(const std::string& hex)
{
    std::string digits;
    for (const char c : hex)
    {
        if (c != ' ')
        {
            digits += c;
        }
    }
    Bytes bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

/**
 * The witness: CRC bit by bit, as the polynomial division is written in IEEE 802.3 3.2.9.
 *
 * \param bytes input
 * \param polynomial reflected; 0xedb88320 is IEEE 802.3, 0x82f63b78 is Castagnoli (CRC-32C)
 * \return the CRC as a number
 */
inline uint32_t
BitwiseCrc(const Bytes& bytes, uint32_t polynomial = 0xedb88320)
{
    uint32_t crc = 0xffffffff;
    for (const uint8_t byte : bytes)
    {
        for (unsigned bit = 0; bit < 8; ++bit)
        {
            const uint32_t feedback = (crc ^ (byte >> bit)) & 1;
            crc = (crc >> 1) ^ (feedback ? polynomial : 0);
        }
    }
    return ~crc;
}

// Published RoCEv2 packets that end with their ICRC.

/** CNP captured from a ConnectX-4 Lx (scapy's test/contrib/roce.uts); Ethernet, ICRC 82fd002a. */
inline const char* const V1 = "e41d2dab2bc27cfe90643b320800"
                              "45c2003c718c4000401191610a0011010a001201"
                              "000012b700280000"
                              "8100ffff4000011800000000"
                              "00000000000000000000000000000000"
                              "82fd002a";
/** UC SEND Only, 18 bytes and 2 of pad, from the same file; Ethernet, ICRC 78f353f3. */
inline const char* const V2 = "248a07a8fa22248a07a8fa220800"
                              "45010040047840004011b4d5c0a80007c0a80007"
                              "c00012b7002caca2"
                              "2460ffff000000d300cf1710"
                              "4630818be28935d90e9a95505401be885e500000"
                              "78f353f3";
/** ACK of datenlord/open-rdma-driver with an 8-byte AETH: right ICRC, wrong layout. */
inline const char* const V6 = "214365879abc123456789abc0800"
                              "4500003427000000401155b77f0000017f000001"
                              "12b712b700200000"
                              "110000000000014100000456"
                              "0000012300000000"
                              "a6918ee5";
/** NAK of the same project. */
inline const char* const V7 = "214365879abc123456789abc0800"
                              "4500003427000000401155b77f0000017f000001"
                              "12b712b700200000"
                              "110000000000014100000456"
                              "0600012300078900"
                              "a6adefcc";

/**
 * \return RC WRITE Only with 128 bytes of ff (open-rdma-driver's responder test), from the IP
 *         header on; ICRC c6872298
 */
inline Bytes
V5()
{
    Bytes bytes = FromHex("450000bc000100004011f8dac0a80002c0a80003"
                          "12b712b700a80000"
                          "0a8000000000000280000000"
                          "00007f7e9100000001709a3300000080");
    bytes.insert(bytes.end(), 128, 0xff);
    const Bytes icrc = FromHex("c6872298");
    bytes.insert(bytes.end(), icrc.begin(), icrc.end());
    return bytes;
}

/**
 * \param name file in test/data/golden
 * \return the Ethernet frames of a little-endian pcap file
 */
inline std::vector<Bytes>
ReadCapture(const std::string& name)
{
    const std::string path = std::string(NS_TEST_SOURCEDIR) + "/data/golden/" + name;
    std::ifstream file(path, std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto word = [&all](std::size_t at) {
        uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i)
        {
            value |= uint32_t(static_cast<uint8_t>(all.at(at + i))) << (8 * i);
        }
        return value;
    };
    if (all.size() < 24 || word(0) != 0xa1b2c3d4 || word(20) != 1)
    {
        throw std::runtime_error(path + " is no Ethernet pcap file");
    }
    std::vector<Bytes> frames;
    for (std::size_t at = 24; at < all.size();)
    {
        const uint32_t captured = word(at + 8);
        if (captured != word(at + 12) || at + 16 + captured > all.size())
        {
            throw std::runtime_error(path + " has a cut packet");
        }
        frames.emplace_back(all.begin() + at + 16, all.begin() + at + 16 + captured);
        at += 16 + captured;
    }
    return frames;
}

/**
 * \param frame an Ethernet frame
 * \return whether it is IPv4 and UDP to port 4791
 */
inline bool
IsRoceV4(const Bytes& frame)
{
    return frame.size() >= 42 && frame[12] == 8 && frame[13] == 0 && frame[23] == 17 &&
           frame[36] == 0x12 && frame[37] == 0xb7;
}

} // namespace wiretest

#endif // ROCE_WIRE_TEST_DATA_H
