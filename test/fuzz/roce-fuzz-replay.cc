/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-targets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

/**
 * \file
 * Runs the corpus, without libFuzzer: roce-fuzz-replay CORPUS [TARGET]. Each folder of CORPUS has
 * the name of a target; each file in it is an input. Exit code 1 if there is no input for a target;
 * a broken promise aborts.
 */

namespace
{

using Target = int (*)(const uint8_t*, std::size_t);

const std::map<std::string, Target> TARGETS = {{"codec", fuzz::Codec},
                                               {"frame-codec", fuzz::FrameCodec},
                                               {"int", fuzz::Int},
                                               {"text", fuzz::Text},
                                               {"workload", fuzz::Workload},
                                               {"experiment", fuzz::Experiment}};

/**
 * \param folder inputs of a target
 * \param target it
 * \return how many there are
 */
std::size_t
Replay(const std::filesystem::path& folder, Target target)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files)
    {
        std::ifstream in(path, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
        std::cout << "  " << path.filename().string() << std::endl; // seen if the next line aborts
        target(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    }
    return files.size();
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc < 2 || argc > 3)
    {
        std::cerr << "usage: roce-fuzz-replay CORPUS [TARGET]\n";
        return 2;
    }
    if (argc == 3 && TARGETS.count(argv[2]) == 0)
    {
        std::cerr << "roce-fuzz-replay: there is no target " << argv[2] << "\n";
        return 2;
    }
    for (const auto& [name, target] : TARGETS)
    {
        if (argc == 3 && name != argv[2])
        {
            continue;
        }
        const std::filesystem::path folder = std::filesystem::path(argv[1]) / name;
        std::cout << name << ":" << std::endl;
        const std::size_t count =
            std::filesystem::is_directory(folder) ? Replay(folder, target) : 0;
        std::cout << name << ": " << count << " inputs" << std::endl;
        if (count == 0)
        {
            std::cerr << "roce-fuzz-replay: no inputs in " << folder << "\n";
            return 1;
        }
    }
    return 0;
}
