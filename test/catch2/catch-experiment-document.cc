/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Schema roce-experiment/1: what is read, what is refused and where, and that the JSON Schema, the
 * documentation and the reader know the same keys.
 */

#include "ns3/roce-experiment-checker.h"
#include "ns3/roce-experiment-document.h"
#include "ns3/roce-experiment-schema.h"
#include "ns3/roce-experiment-shapes.h"
#include "ns3/roce-nearest-name.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace
{

using Json = nlohmann::json;

const char* const EXAMPLE = R"({
  "schema": "roce-experiment/1",
  "name": "all kinds of values",
  "seed": 3,
  "topology": {"clos": {"leaves": 2, "spines": 2, "hosts_per_leaf": 2, "host_rate": "25Gbps"}},
  "runs": [{"label": "a", "cc": "dcqcn", "nic": {"PathMtu": 1024, "EcnCapable": true}}],
  "gpus": {"per_server": 2},
  "traffic": [
    {"type": "messages", "messages": [{"from": 0, "to": 1, "bytes": "1MB", "at": "2us"}]},
    {"type": "incast", "senders": 2, "bytes": "64KiB"},
    {"type": "open_loop", "sizes": "WebSearch", "load": 12.5},
    {"type": "collective", "size": "1MB", "levels": [2, 2]}
  ],
  "links": [{"at": "1ms", "between": [4, "*"], "state": "down"}],
  "monitors": {"queues": "1us"},
  "stop": "10ms"
})";

/** \return what is wrong with a document. \param document it */
std::string
WhyNot(const Json& document)
{
    try
    {
        ExperimentDocument::Parse("x", document.dump());
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
}

/** \return what is wrong with the example if a value is replaced. \param pointer where
 *  \param value it */
std::string
WhyNot(const std::string& pointer, const Json& value)
{
    Json document = Json::parse(EXAMPLE);
    document[Json::json_pointer(pointer)] = value;
    return WhyNot(document);
}

/** \return what is wrong with the example without a key. \param pointer of its object
 *  \param key it */
std::string
WhyNotWithout(const std::string& pointer, const std::string& key)
{
    Json document = Json::parse(EXAMPLE);
    document[Json::json_pointer(pointer)].erase(key);
    return WhyNot(document);
}

/** \return a key of kind OBJECT. \param shape of it */
ExperimentKey
ObjectOf(const std::string& shape)
{
    ExperimentKey key;
    key.kind = ExperimentKey::OBJECT;
    key.shape = shape;
    return key;
}

/** \return the keys that a reader says it knows. \param shape of an object */
std::set<std::string>
KnownKeys(const std::string& shape)
{
    std::string why;
    try
    {
        const Json object = {{"no such key", 1}};
        ExperimentChecker("x").CheckValue(object, "", ObjectOf(shape));
    }
    catch (const std::invalid_argument& error)
    {
        why = error.what();
    }
    const std::string before = "known are ";
    REQUIRE(why.find(before) != std::string::npos);
    std::string list = why.substr(why.find(before) + before.size());
    list = list.substr(0, list.find(';'));
    std::set<std::string> keys;
    std::istringstream in(list);
    for (std::string key; std::getline(in, key, ',');)
    {
        keys.insert(key.substr(key.find_first_not_of(' ')));
    }
    return keys;
}

/** \return values that no key of this kind takes. \param kind of a key */
std::vector<Json>
WrongFor(ExperimentKey::Kind kind)
{
    std::vector<Json> wrong = {nullptr};
    const auto add = [&wrong](const std::vector<Json>& more) {
        wrong.insert(wrong.end(), more.begin(), more.end());
    };
    const Json nested = Json::array({Json::array({Json::array()})});
    switch (kind)
    {
    case ExperimentKey::TEXT:
        add({1, true, "", "a\nb", Json::object(), nested});
        break;
    case ExperimentKey::WORD:
        add({1, true, "", "nonsense", Json::object(), nested});
        break;
    case ExperimentKey::RATE:
        add({1, 1e9, true, "", "100", "fast", "-1Gbps", "1Gbpss", "0Gbps", nested});
        break;
    case ExperimentKey::TIME:
        add({0, 1, 1.5, true, "", "1", "-1us", "1 bananas", "us", nested});
        break;
    case ExperimentKey::BYTES:
        add({0, 1000, 1.5, true, "", "-1B", "1.5B", "1Mb", "large", nested});
        break;
    case ExperimentKey::WHOLE:
        add({-1, 1.5, "1", true, 1e30, 18446744073709551615ULL, nested});
        break;
    case ExperimentKey::NUMBER:
        add({-1, "1", true, 1e300, nested});
        break;
    case ExperimentKey::BOOL:
        add({0, 1, "true", nested});
        break;
    case ExperimentKey::TEXTS:
        add({1, true, "", Json::array(), Json::array({1}), nested, Json::object()});
        break;
    case ExperimentKey::WHOLES:
        add({1, "1", Json::array(), Json::array({-1}), Json::array({"1"}), nested});
        break;
    case ExperimentKey::COUNT:
        add({-1, 1.5, "1", Json::array(), Json::array({1.5}), nested});
        break;
    case ExperimentKey::ENDS:
        add({1, "1-2", Json::array({1}), Json::array({"*", 1}), Json::array({1, 2, 3}), nested});
        break;
    case ExperimentKey::OBJECTS:
    case ExperimentKey::VARIANTS:
        add({1, "x", Json::object(), Json::array(), Json::array({1}), nested});
        break;
    case ExperimentKey::PRESET:
        add({1, true, "", Json::array(), {{"no such key", 1}}});
        break;
    default:
        add({1, true, "x", Json::array()});
        break;
    }
    return wrong;
}

} // namespace

TEST_CASE("roce-experiment/1: the example says what it says", "[experiment]")
{
    const ExperimentDocument document = ExperimentDocument::Parse("x", EXAMPLE, "folder");
    const Json& json = document.GetJson();
    CHECK(document.GetName() == "x");
    CHECK(json.at("seed") == 3);
    CHECK(json.at("topology").at("clos").at("host_rate") == "25Gbps");
    CHECK(json.at("traffic").size() == 4);
    SECTION("missing keys have their defaults")
    {
        CHECK(json.at("topology").at("clos").at("fabric_rate") == "100Gbps");
        CHECK(json.at("repeats") == 1);
        CHECK(json.at("traffic")[0].at("messages")[0].at("operation") == "write");
        CHECK(json.at("traffic")[2].at("duration") == "1ms");
        CHECK(json.at("gpus").at("queue_pairs") == 1);
    }
    SECTION("and those without a default stay away")
    {
        CHECK_FALSE(json.contains("run"));
        CHECK_FALSE(json.contains("cc"));
        CHECK_FALSE(json.at("traffic")[1].contains("receiver"));
    }
    SECTION("a document with its defaults is one")
    {
        CHECK(ExperimentDocument::Parse("x", json.dump()).GetJson() == json);
    }
    SECTION("what was given stays")
    {
        CHECK(document.GetGiven() == Json::parse(EXAMPLE));
    }
}

TEST_CASE("roce-experiment/1: short forms", "[experiment]")
{
    Json document = {{"schema", "roce-experiment/1"},
                     {"topology", "homelab"},
                     {"cc", "hcc"},
                     {"traffic", {{{"type", "incast"}, {"bytes", "1MB"}}}}};
    const Json json = ExperimentDocument::Parse("x", document.dump()).GetJson();
    CHECK(json.at("topology") == Json({{"preset", "homelab"}}));
    CHECK(json.at("cc") == Json::array({"hcc"}));
}

TEST_CASE("roce-experiment/1: files are found beside the document", "[experiment]")
{
    const ExperimentDocument document = ExperimentDocument::Parse("x", EXAMPLE, "some/folder");
    CHECK(document.Resolve("a.txt") == "some/folder/a.txt");
    CHECK(document.Resolve("/b/a.txt") == "/b/a.txt");
    CHECK(ExperimentDocument::Parse("x", EXAMPLE).Resolve("a.txt") == "a.txt");
    CHECK(document.With("seed", 9).Resolve("a.txt") == "some/folder/a.txt");
}

TEST_CASE("roce-experiment/1: With replaces a key and checks it", "[experiment]")
{
    const ExperimentDocument document = ExperimentDocument::Parse("x", EXAMPLE);
    CHECK(document.With("seed", 9).GetJson().at("seed") == 9);
    CHECK_FALSE(document.With("seed", nullptr).GetJson().contains("seed"));
    CHECK(document.GetJson().at("seed") == 3);
    CHECK_THROWS_WITH(document.With("seed", "9"), StartsWith("x: /seed: "));
    CHECK_THROWS_WITH(document.With("cc", "hcc"), StartsWith("x: /runs: ") && Contains("cc"));
    CHECK_THROWS_WITH(document.With("sed", 9), Contains("did you mean \"seed\"?"));
}

TEST_CASE("roce-experiment/1: refusals name the path, what was found and what is meant",
          "[experiment]")
{
    // clang-format off
    struct Case { const char* pointer; Json value; const char* path; const char* says; };
    const Case cases[] = {
        {"/topolgy", 1, "/topolgy", "did you mean \"topology\"?"},
        {"/topolgy", 1, "/topolgy", "known are schema, name, seed"},
        {"/topology/clos/leafs", 2, "/topology/clos/leafs", "did you mean \"leaves\"?"},
        {"/topology/clos/leaves", "2", "/topology/clos/leaves", "whole number from 1 to"},
        {"/topology/clos/leaves", 0, "/topology/clos/leaves", "found '0'"},
        {"/topology/clos/host_rate", 25000000000ULL, "/topology/clos/host_rate", "a text with a unit, such as \"100Gbps\""},
        {"/topology/star", {{"hosts", 3}}, "/topology/clos", "does not go with star"},
        {"/runs/0/cc", 1, "/runs/0/cc", "expected a text"},
        {"/runs/0/colour", 1, "/runs/0/colour", "known are label, cc"},
        {"/runs/0/nic/PathMtu", Json::array(), "/runs/0/nic/PathMtu", "a text, a number, true or false"},
        {"/runs", Json::array(), "/runs", "an empty one"},
        {"/cc", "none", "/runs", "does not go with cc"},
        {"/traffic/0/messages/0/bytes", 1000, "/traffic/0/messages/0/bytes", "with a unit"},
        {"/traffic/0/messages/0/at", "-1us", "/traffic/0/messages/0/at", "not negative"},
        {"/traffic/0/messages/0/operation", "wirte", "/traffic/0/messages/0/operation", "did you mean \"write\"?"},
        {"/traffic/0/type", "mesages", "/traffic/0/type", "did you mean \"messages\"?"},
        {"/traffic/0/senders", 3, "/traffic/0/senders", "known are type, messages"},
        {"/traffic/1/priority", 8, "/traffic/1/priority", "from 0 to 7"},
        {"/traffic/2/bytes", "1MB", "/traffic/2/bytes", "does not go with sizes"},
        {"/traffic/2/load", -1, "/traffic/2/load", "a number from 0.0 to 1000.0"},
        {"/traffic/3/levels/0", 0, "/traffic/3/levels/0", "from 1 to"},
        {"/traffic/3/gpus", Json::array({0, 1}), "/traffic/3/gpus", ""},
        {"/traffic/4", 7, "/traffic/4", "expected an object, found '7'"},
        {"/links/0/between", Json::array({4}), "/links/0/between", "[12, \"*\"]"},
        {"/links/0/link", 3, "/links/0/between", "does not go with link"},
        {"/links/0/rate", "1Gbps", "/links/0/rate", "does not go with state"},
        {"/stop", 10, "/stop", "such as \"10ms\", found '10'"},
        {"/schema", "roce-experiment/2", "/schema", "roce-experiment/1"},
    };
    // clang-format on
    for (const Case& one : cases)
    {
        INFO(one.pointer);
        const std::string why = WhyNot(one.pointer, one.value);
        if (std::string(one.says).empty())
        {
            CHECK(why.empty()); // allowed: said by the runner, which knows the fabric
            continue;
        }
        CHECK_THAT(why, StartsWith(std::string("x: ") + one.path + ": ") && Contains(one.says));
    }
}

TEST_CASE("roce-experiment/1: keys that are needed", "[experiment]")
{
    // clang-format off
    struct Case { const char* pointer; const char* key; const char* path; const char* says; };
    const Case cases[] = {
        {"", "schema", "/schema", "expected this key"},
        {"", "topology", "/topology", "such as {\"star\""},
        {"", "traffic", "/traffic", "found none"},
        {"/topology/clos", "spines", "/topology/clos/spines", "such as 4"},
        {"/topology", "clos", "/topology", "one of the keys preset, file"},
        {"/traffic/0", "type", "/traffic/0/type", "found none"},
        {"/traffic/2", "sizes", "/traffic/2", "sizes, bytes"},
        {"/links/0", "state", "/links/0", "state, rate, errors"},
        {"/links/0", "at", "/links/0/at", "found none"},
    };
    // clang-format on
    for (const Case& one : cases)
    {
        CHECK_THAT(WhyNotWithout(one.pointer, one.key),
                   StartsWith(std::string("x: ") + one.path + ": ") && Contains(one.says));
    }
    CHECK(WhyNotWithout("", "links").empty());
}

TEST_CASE("roce-experiment/1: what is no document", "[experiment]")
{
    const auto parse = [](const std::string& text) { ExperimentDocument::Parse("x", text); };
    CHECK_THROWS_WITH(parse(""), StartsWith("x: no JSON"));
    CHECK_THROWS_WITH(parse("[1]"), StartsWith("x: expected an object"));
    CHECK_THROWS_WITH(parse("null"), StartsWith("x: expected an object"));
    CHECK_THROWS_WITH(parse("{\"schema\": 1}"), StartsWith("x: /schema: expected a text"));
    CHECK_THROWS_WITH(parse("{\"a\": 1, \"a\": 2}"), Contains("'a' comes twice"));
    CHECK_THROWS_AS(ExperimentDocument::Load("no/such/file.json"), std::runtime_error);
    std::string cut = EXAMPLE;
    for (std::size_t length = 0; length + 1 < cut.size(); length += 7)
    {
        CHECK_THROWS_AS(parse(cut.substr(0, length)), std::invalid_argument);
    }
}

TEST_CASE("roce-experiment/1: every key refuses values of another kind, by path", "[experiment]")
{
    const ExperimentChecker checker("x");
    for (const ExperimentShape& shape : ExperimentShapes::All())
    {
        for (const ExperimentKey& key : shape.keys)
        {
            for (const Json& value : WrongFor(key.kind))
            {
                INFO(shape.name << "/" << key.name << " = " << value.dump());
                CHECK_THROWS_WITH(checker.CheckValue(value, "/p", key), StartsWith("x: /p"));
            }
        }
    }
}

TEST_CASE("roce-experiment/1: every default and example is accepted", "[experiment]")
{
    const ExperimentChecker checker("x");
    for (const ExperimentShape& shape : ExperimentShapes::All())
    {
        for (const ExperimentKey& key : shape.keys)
        {
            INFO(shape.name << "/" << key.name);
            CHECK_FALSE(key.help.empty());
            REQUIRE_FALSE(key.example.is_null());
            CHECK_NOTHROW(checker.CheckValue(key.example, "/p", key));
            if (!key.fallback.is_null())
            {
                CHECK_FALSE(key.required);
                CHECK(checker.CheckValue(key.fallback, "/p", key) == key.fallback);
            }
        }
    }
}

TEST_CASE("roce-experiment/1: the JSON Schema has the keys that the reader knows", "[experiment]")
{
    const auto schema = ExperimentSchema::Make();
    CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
    CHECK(schema.at("$defs").size() + 1 == ExperimentShapes::All().size());
    for (const ExperimentShape& shape : ExperimentShapes::All())
    {
        INFO("shape " << shape.name);
        const auto& object = shape.name.empty() ? schema : schema.at("$defs").at(shape.name);
        std::set<std::string> listed;
        for (const auto& item : object.at("properties").items())
        {
            listed.insert(item.key());
            CHECK(item.value().contains("description"));
        }
        CHECK(listed == KnownKeys(shape.name));
        CHECK(object.at("additionalProperties") == false);
    }
    SECTION("what is required there is what the reader misses")
    {
        for (const auto& key : schema.at("required"))
        {
            CHECK_THAT(WhyNotWithout("", key.get<std::string>()),
                       StartsWith("x: /" + key.get<std::string>() + ": expected this key"));
        }
    }
    SECTION("references lead somewhere")
    {
        const std::string text = schema.dump();
        const std::string mark = "\"#/$defs/";
        for (std::size_t at = text.find(mark); at != std::string::npos;
             at = text.find(mark, at + 1))
        {
            const std::size_t begin = at + mark.size();
            CHECK(schema.at("$defs").contains(text.substr(begin, text.find('"', begin) - begin)));
        }
    }
}

TEST_CASE("roce-experiment/1: the page names every key", "[experiment]")
{
    std::ifstream file(std::filesystem::path(NS_TEST_SOURCEDIR) / "../doc/experiments.rst");
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    for (const ExperimentShape& shape : ExperimentShapes::All())
    {
        for (const ExperimentKey& key : shape.keys)
        {
            INFO(shape.name << "/" << key.name);
            CHECK(text.str().find("``" + key.name + "``") != std::string::npos);
        }
    }
}

TEST_CASE("roce-experiment/1: the example files are read", "[experiment]")
{
    uint32_t count = 0;
    const auto folder = std::filesystem::path(NS_TEST_SOURCEDIR) / "../examples/experiments";
    for (const auto& file : std::filesystem::directory_iterator(folder))
    {
        INFO(file.path().filename().string());
        CHECK_NOTHROW(ExperimentDocument::Load(file.path().string()));
        ++count;
    }
    CHECK(count >= 5);
}

TEST_CASE("nearest name: edit distance with a limit", "[experiment]")
{
    const std::vector<std::string> known = {"senders", "receiver", "bytes", "at"};
    CHECK(NearestName::Find("sender", known) == "senders");    // 1 letter of 6
    CHECK(NearestName::Find("Receiver", known) == "receiver"); // case does not count
    CHECK(NearestName::Find("byets", known) == "bytes");       // a swap counts 1
    CHECK(NearestName::Find("byte", known) == "bytes");
    CHECK(NearestName::Find("ax", known) == "at"); // 1 letter of 2, the limit
    CHECK(NearestName::Find("colour", known).empty());
    CHECK(NearestName::Find("", {}).empty());
    CHECK(NearestName::Hint("byte", known) == "; did you mean \"bytes\"?");
    CHECK(NearestName::Hint("colour", known).empty());
    CHECK(NearestName::List(known) == "senders, receiver, bytes, at");
}
