/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-hash.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** A field and its name. */
struct FieldName
{
    HashField field;
    const char* name;
};

constexpr FieldName NAMES[] = {
    {HASH_FIVE_TUPLE, "five-tuple"},
    {HASH_DESTINATION_QP, "destination-qp"},
    {HASH_INGRESS_PORT, "ingress-port"},
};

constexpr uint32_t MAX_KEY = 20; //!< bytes of all fields, rounded up to even

/** Bytes to hash, most significant first. */
struct Key
{
    uint8_t bytes[MAX_KEY] = {};
    uint32_t size{0};

    void Add(uint32_t value, unsigned count)
    {
        while (count-- > 0)
        {
            bytes[size++] = static_cast<uint8_t>(value >> (8 * count));
        }
    }
};

/** \return whether the frame has a BTH. \param frame the frame */
bool
IsRoce(const Frame* frame)
{
    return frame->kind != FrameKind::PACKET && frame->kind != FrameKind::PFC;
}

} // namespace

uint8_t
SwitchHash::ParseFields(const std::string& text)
{
    std::istringstream in(text);
    std::string word;
    uint8_t fields = 0;
    bool good = !text.empty() && text.back() != '+';
    while (good && std::getline(in, word, '+'))
    {
        uint8_t found = 0;
        for (const FieldName& item : NAMES)
        {
            found |= word == item.name ? item.field : 0;
        }
        fields |= found;
        good = found != 0;
    }
    if (!good)
    {
        throw std::invalid_argument("hash fields \"" + text +
                                    "\": expected names joined by +, of five-tuple, "
                                    "destination-qp, ingress-port");
    }
    return fields;
}

std::string
SwitchHash::FieldNames(uint8_t fields)
{
    std::string text;
    for (const FieldName& item : NAMES)
    {
        if (fields & item.field)
        {
            text += (text.empty() ? "" : "+") + std::string(item.name);
        }
    }
    return text;
}

void
SwitchHash::Configure(HashFunction function, uint8_t fields, uint32_t seed)
{
    m_function = function;
    m_fields = fields;
    m_seed = seed;
    m_plain = function == HASH_MURMUR3 && fields == HASH_FIVE_TUPLE;
}

uint32_t
SwitchHash::Mixed(const Frame* frame) const
{
    uint32_t hash = m_seed;
    if (m_fields & HASH_FIVE_TUPLE)
    {
        hash = Mix32(hash ^ frame->hash);
    }
    if ((m_fields & HASH_DESTINATION_QP) && IsRoce(frame))
    {
        // + 1: what is mixed must differ from "no such field"
        hash = Mix32(hash ^ Mix32(frame->destinationQp + 1));
    }
    if (m_fields & HASH_INGRESS_PORT)
    {
        hash = Mix32(hash ^ Mix32(frame->inPort + 0x10001u));
    }
    return hash;
}

uint32_t
SwitchHash::OfFields(const Frame* frame) const
{
    if (m_function == HASH_MURMUR3)
    {
        return Mixed(frame);
    }
    Key key;
    if (m_fields & HASH_FIVE_TUPLE)
    {
        key.Add(frame->source, 4);
        key.Add(frame->destination, 4);
        key.Add(frame->sourcePort, 2);
        key.Add(frame->destinationPort, 2);
        key.Add(IsRoce(frame) ? 17 : 0, 1); // UDP
    }
    if (m_fields & HASH_DESTINATION_QP)
    {
        key.Add(IsRoce(frame) ? frame->destinationQp : 0, 3);
    }
    if (m_fields & HASH_INGRESS_PORT)
    {
        key.Add(frame->inPort, 2);
    }
    key.size += key.size & 1; // whole words; the byte is 0
    switch (m_function)
    {
    case HASH_CRC32:
        return Crc32(key.bytes, key.size, m_seed);
    case HASH_CRC16_CCITT:
        return Crc16(key.bytes, key.size, static_cast<uint16_t>(m_seed));
    default:
        return Xor16(key.bytes, key.size, static_cast<uint16_t>(m_seed));
    }
}

uint32_t
SwitchHash::Crc32(const uint8_t* data, uint32_t size, uint32_t seed)
{
    uint32_t crc = ~seed;
    for (uint32_t i = 0; i < size; ++i)
    {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
        }
    }
    return ~crc;
}

uint16_t
SwitchHash::Crc16(const uint8_t* data, uint32_t size, uint16_t seed)
{
    uint32_t crc = static_cast<uint16_t>(~seed);
    for (uint32_t i = 0; i < size; ++i)
    {
        crc ^= uint32_t(data[i]) << 8;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021u : 0)) & 0xffff;
        }
    }
    return static_cast<uint16_t>(crc);
}

uint16_t
SwitchHash::Xor16(const uint8_t* data, uint32_t size, uint16_t seed)
{
    uint32_t sum = seed;
    for (uint32_t i = 0; i + 1 < size; i += 2)
    {
        sum ^= (uint32_t(data[i]) << 8) | data[i + 1];
    }
    return static_cast<uint16_t>(sum);
}

} // namespace roce
} // namespace ns3
