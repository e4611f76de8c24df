/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs an experiment that is a JSON file, schema roce-experiment/1. Flags go before what the file
// says; --cc, --lb and --recovery replace its keys of these names.
//
// build/bin/roce-run examples/experiments/incast.json --json=out/incast.json
// build/bin/roce-run --schema

#include "ns3/core-module.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-experiment-runner.h"
#include "ns3/roce-experiment-schema.h"

#include <iostream>
#include <optional>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What is on the command line besides flags. */
struct Arguments
{
    std::vector<std::string> files;
    std::vector<std::string> flags; //!< the first is the program

    /** \return whether a flag is there. \param name without dashes */
    bool Has(const std::string& name) const
    {
        for (const std::string& flag : flags)
        {
            const std::string bare = flag.substr(0, flag.find('='));
            if (bare == "--" + name || bare == "-" + name)
            {
                return true;
            }
        }
        return false;
    }
};

/** \return the command line of main */
Arguments
Sort(int argc, char* argv[])
{
    Arguments arguments;
    for (int i = 0; i < argc; ++i)
    {
        const bool isFlag = i == 0 || argv[i][0] == '-';
        (isFlag ? arguments.flags : arguments.files).emplace_back(argv[i]);
    }
    if (arguments.files.size() > 1)
    {
        throw std::invalid_argument("expected one file, found " + arguments.files[1] + " too");
    }
    return arguments;
}

/** Let the file say what flags do not. \param document the file \param arguments get flags */
void
TakeOutput(const ExperimentDocument& document, Arguments& arguments)
{
    const auto& json = document.GetJson();
    for (const char* key : {"json", "pcap"})
    {
        if (json.contains("output") && json.at("output").contains(key) && !arguments.Has(key))
        {
            arguments.flags.push_back(std::string("--") + key + "=" +
                                      json.at("output").at(key).get<std::string>());
        }
    }
    RngSeedManager::SetSeed(json.value("seed", RngSeedManager::GetSeed()));
    RngSeedManager::SetRun(json.value("run", RngSeedManager::GetRun()));
}

/** \return the file with what flags replace. \param document the file \param experiment has them */
ExperimentDocument
Replace(ExperimentDocument document, const ExperimentHelper& experiment)
{
    const std::pair<const char*, ExperimentDocument::Json> keys[] = {
        {"cc", experiment.GetCcs()},
        {"lb", experiment.GetLb()},
        {"recovery", experiment.GetRecovery()}};
    for (const auto& [key, value] : keys)
    {
        if (experiment.IsGiven(key))
        {
            if (document.GetJson().contains("runs"))
            {
                throw std::invalid_argument(std::string("--") + key + " does not go with the key " +
                                            "runs of " + document.GetName());
            }
            document = document.With(key, value);
        }
    }
    return document.With("seed", RngSeedManager::GetSeed()).With("run", RngSeedManager::GetRun());
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        bool schema = false;
        ExperimentHelper experiment("roce-run", "Runs an experiment: roce-run FILE.json");
        experiment.AddFlag("schema", "print the JSON Schema of such files, and end", schema);
        Arguments arguments = Sort(argc, argv);
        std::optional<ExperimentDocument> document;
        if (!arguments.files.empty())
        {
            document = ExperimentDocument::Load(arguments.files[0]);
            TakeOutput(*document, arguments);
        }
        std::vector<char*> flags;
        for (std::string& flag : arguments.flags)
        {
            flags.push_back(flag.data());
        }
        experiment.Parse(static_cast<int>(flags.size()), flags.data());
        if (schema)
        {
            std::cout << ExperimentSchema::Make().dump(2) << "\n";
            return 0;
        }
        if (!document)
        {
            throw std::invalid_argument("expected a file: roce-run FILE.json, or --schema");
        }
        ExperimentRunner runner(Replace(*document, experiment));
        experiment.AddConfig("experiment", document->GetGiven());
        for (const char* key : {"cc", "lb", "recovery", "schema"}) // the file's
        {
            experiment.AddConfig(key, runner.GetDocument().GetJson().value(key, nlohmann::json()));
        }
        runner.Run({[&](const auto& label, Ptr<Fabric> f) -> auto& {
                        return experiment.Begin(label, f);
                    },
                    [&]() {
        return experiment.GetNextStream(); },
                    [&]() {
        experiment.End(); }
});
return experiment.Finish();
});
}
