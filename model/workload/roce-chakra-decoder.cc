/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-chakra-decoder.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <cstring>
#include <google/protobuf/io/coded_stream.h>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/// Wire types of protocol buffers.
enum WireType : uint32_t
{
    VARINT = 0,
    FIXED64 = 1,
    LENGTH = 2,
    FIXED32 = 5
};

/// A field: its number, wire type, and value; bytes stay in the stream.
struct Field
{
    uint32_t number{0};
    uint32_t type{0};
    uint64_t value{0}; //!< of VARINT, FIXED64, FIXED32; of LENGTH the number of bytes that follow
};

/// Reads messages; knows where it is.
class Reader
{
  public:
    /** \param name for messages \param bytes of the file */
    Reader(const std::string& name, const std::string& bytes)
        : m_name(name),
          m_size(static_cast<int>(bytes.size())),
          m_in(reinterpret_cast<const uint8_t*>(bytes.data()), m_size)
    {
        m_in.SetTotalBytesLimit(m_size);
    }

    /** \return the trace */
    ChakraTrace Read()
    {
        ChakraTrace trace;
        trace.name = m_name;
        if (m_size == 0)
        {
            Fail("expected metadata, found an empty file");
        }
        In("metadata", ReadLength(), [&]() { ReadMetadata(trace); });
        while (m_in.CurrentPosition() < m_size)
        {
            ++m_message;
            if (trace.nodes.size() == ChakraDecoder::MAX_NODES)
            {
                Fail("expected at most " + std::to_string(ChakraDecoder::MAX_NODES) + " nodes");
            }
            trace.nodes.emplace_back();
            In("node", ReadLength(), [&]() { ReadNode(trace.nodes.back()); });
            if (trace.nodes.back().kind == ChakraKind::INVALID)
            {
                Fail("a node without a kind");
            }
        }
        return trace;
    }

  private:
    /** Throw. \param why what is wrong */
    [[noreturn]] void Fail(const std::string& why) const
    {
        throw std::invalid_argument(m_name + ": message " + std::to_string(m_message) + ", byte " +
                                    std::to_string(m_in.CurrentPosition()) + ": " + why);
    }

    /** \return the bytes up to the end of the message or file. */
    int Left()
    {
        const int limit = m_in.BytesUntilLimit();
        const int rest = m_size - m_in.CurrentPosition();
        return limit < 0 ? rest : std::min(limit, rest);
    }

    /** \return a number. */
    uint64_t ReadVarint()
    {
        uint64_t value = 0;
        if (!m_in.ReadVarint64(&value))
        {
            Fail("expected a number, found the end of the message or a number above 64 bits");
        }
        return value;
    }

    /** \return bytes that are there. */
    int ReadLength()
    {
        const uint64_t length = ReadVarint();
        if (length > static_cast<uint64_t>(Left()))
        {
            Fail("expected " + std::to_string(length) + " bytes, there are " +
                 std::to_string(Left()));
        }
        return static_cast<int>(length);
    }

    /** Read a part to its end. \param what it is \param length its bytes \param read reads fields
     *  while Left() is above 0 */
    template <typename F>
    void In(const std::string& what, int length, F read)
    {
        const auto limit = m_in.PushLimit(length);
        const std::string outer = m_part;
        m_part = what;
        read();
        m_part = outer;
        m_in.PopLimit(limit);
    }

    /** \return the next field; of LENGTH the bytes are there. */
    Field Next()
    {
        const uint64_t tag = ReadVarint();
        Field field;
        field.number = static_cast<uint32_t>(tag >> 3);
        field.type = static_cast<uint32_t>(tag & 7);
        uint32_t small = 0;
        if (tag >> 3 == 0 || tag >> 3 > 536870911)
        {
            Fail("a field of number " + std::to_string(tag >> 3) + " in " + m_part);
        }
        switch (field.type)
        {
        case VARINT:
            field.value = ReadVarint();
            return field;
        case FIXED64:
            if (!m_in.ReadLittleEndian64(&field.value))
            {
                Fail("expected 8 bytes, found the end of the message");
            }
            return field;
        case FIXED32:
            if (!m_in.ReadLittleEndian32(&small))
            {
                Fail("expected 4 bytes, found the end of the message");
            }
            field.value = small;
            return field;
        case LENGTH:
            field.value = static_cast<uint64_t>(ReadLength());
            return field;
        default:
            Fail("wire type " + std::to_string(field.type) + " in " + m_part);
        }
    }

    /** Refuse a field of another type. \param field it \param type expected */
    void Expect(const Field& field, uint32_t type) const
    {
        if (field.type != type)
        {
            Fail("field " + std::to_string(field.number) + " of " + m_part + " has wire type " +
                 std::to_string(field.type) + ", expected " + std::to_string(type));
        }
    }

    /** Refuse a field that is not known. \param field it */
    [[noreturn]] void Unknown(const Field& field) const
    {
        Fail("field " + std::to_string(field.number) + " of " + m_part + " is not known");
    }

    /** \return bytes. \param field of them */
    std::string Bytes(const Field& field)
    {
        Expect(field, LENGTH);
        std::string bytes;
        if (!m_in.ReadString(&bytes, static_cast<int>(field.value)))
        {
            Fail("expected " + std::to_string(field.value) + " bytes");
        }
        return bytes;
    }

    /** Skip what is not needed. \param field it */
    void Skip(const Field& field)
    {
        Expect(field, LENGTH);
        m_in.Skip(static_cast<int>(field.value));
    }

    /** Read numbers, in one piece or one by one. \param field of them \param numbers gets them */
    void Numbers(const Field& field, std::vector<uint64_t>& numbers)
    {
        if (field.type == VARINT)
        {
            numbers.push_back(field.value);
            return;
        }
        Expect(field, LENGTH);
        In(m_part, static_cast<int>(field.value), [&]() {
            while (Left() > 0)
            {
                numbers.push_back(ReadVarint());
            }
        });
    }

    /** Read the metadata. \param trace gets the version */
    void ReadMetadata(ChakraTrace& trace)
    {
        std::map<std::string, ChakraValue> ignored;
        while (Left() > 0)
        {
            const Field field = Next();
            switch (field.number)
            {
            case 1:
                trace.version = Bytes(field);
                break;
            case 2:
                ReadAttribute(field, ignored);
                break;
            default:
                Unknown(field);
            }
        }
    }

    /** Read a node. \param node gets it */
    void ReadNode(ChakraNode& node)
    {
        while (Left() > 0)
        {
            const Field field = Next();
            switch (field.number)
            {
            case 1:
                Expect(field, VARINT);
                node.id = field.value;
                break;
            case 2:
                node.name = Bytes(field);
                break;
            case 3:
                Expect(field, VARINT);
                if (field.value > static_cast<uint64_t>(ChakraKind::COLLECTIVE))
                {
                    Fail("kind of node " + std::to_string(field.value) + ", expected 0..7");
                }
                node.kind = static_cast<ChakraKind>(field.value);
                break;
            case 4:
            case 5:
                Numbers(field, node.after);
                break;
            case 6:
                Expect(field, VARINT);
                break;
            case 7:
                Expect(field, VARINT);
                node.durationUs = field.value;
                break;
            case 8:
            case 9:
                Skip(field);
                break;
            case 10:
                ReadAttribute(field, node.attributes);
                break;
            default:
                Unknown(field);
            }
        }
    }

    /** Read an attribute. \param field of it \param attributes gets it */
    void ReadAttribute(const Field& field, std::map<std::string, ChakraValue>& attributes)
    {
        Expect(field, LENGTH);
        std::string name;
        ChakraValue value;
        In("attribute", static_cast<int>(field.value), [&]() {
            while (Left() > 0)
            {
                const Field part = Next();
                switch (part.number)
                {
                case 1:
                    name = Bytes(part);
                    break;
                case 2:
                    Skip(part);
                    break;
                default:
                    value = ReadValue(part);
                }
            }
        });
        if (!attributes.emplace(name, value).second)
        {
            Fail("attribute " + Quantity::Shown(name) + " comes twice");
        }
    }

    /** \return a value. \param field of it, by its number the type */
    ChakraValue ReadValue(const Field& field)
    {
        if (field.number > 32)
        {
            Unknown(field);
        }
        if (field.number % 2 == 0)
        {
            return ReadList(field);
        }
        const auto zigzag = [](uint64_t v) {
            return static_cast<int64_t>(v >> 1) ^ -static_cast<int64_t>(v & 1);
        };
        switch (field.number)
        {
        case 3: {
            Expect(field, FIXED64);
            double value = 0;
            std::memcpy(&value, &field.value, sizeof(value));
            return value;
        }
        case 5: {
            Expect(field, FIXED32);
            const auto bits = static_cast<uint32_t>(field.value);
            float value = 0;
            std::memcpy(&value, &bits, sizeof(value));
            return double(value);
        }
        case 7:
        case 9:
            Expect(field, VARINT);
            return static_cast<int64_t>(field.value);
        case 11:
        case 13:
            Expect(field, VARINT);
            return field.value;
        case 15:
        case 17:
            Expect(field, VARINT);
            return zigzag(field.value);
        case 19:
        case 21:
            Expect(field, field.number == 19 ? FIXED32 : FIXED64);
            return field.value;
        case 23:
            Expect(field, FIXED32);
            return int64_t{static_cast<int32_t>(field.value)};
        case 25:
            Expect(field, FIXED64);
            return static_cast<int64_t>(field.value);
        case 27:
            Expect(field, VARINT);
            return field.value != 0;
        default:
            return Bytes(field); // 29 and 31
        }
    }

    /** \return a list. \param field of it */
    ChakraValue ReadList(const Field& field)
    {
        if (field.number != 28)
        {
            Skip(field);
            return ChakraList{};
        }
        Expect(field, LENGTH);
        std::vector<uint64_t> numbers;
        In("list", static_cast<int>(field.value), [&]() {
            while (Left() > 0)
            {
                const Field item = Next();
                if (item.number != 1)
                {
                    Unknown(item);
                }
                Numbers(item, numbers);
            }
        });
        std::vector<bool> truths;
        for (const uint64_t number : numbers)
        {
            truths.push_back(number != 0);
        }
        return truths;
    }

    const std::string& m_name;
    int m_size;
    google::protobuf::io::CodedInputStream m_in;
    uint32_t m_message{1};
    std::string m_part;
};

} // namespace

bool
ChakraDecoder::IsAvailable()
{
    return true;
}

ChakraTrace
ChakraDecoder::Decode(const std::string& name, const std::string& bytes)
{
    if (bytes.size() > INT32_MAX)
    {
        throw std::invalid_argument(name + ": " + std::to_string(bytes.size()) +
                                    " bytes, expected less than 2 GiB");
    }
    return Reader(name, bytes).Read();
}

} // namespace roce
} // namespace ns3
