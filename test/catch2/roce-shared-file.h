/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SHARED_FILE_H
#define ROCE_SHARED_FILE_H

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

/**
 * \file
 * Files of others, which the repository does not have.
 */

namespace ns3
{
namespace roce
{

/** \return the path of a shared file, or "" with a warning if it is not there. \param name below
 * the shared folder */
inline std::string
Shared(const std::string& name)
{
    const char* set = std::getenv("ROCE_SHARED");
    const std::string folder =
        set != nullptr ? set : std::string(NS_TEST_SOURCEDIR) + "/../../shared";
    const std::string path = folder + "/" + name;
    if (!std::ifstream(path))
    {
        WARN("skipped, no " << name << "; set ROCE_SHARED to the folder that has it");
        return "";
    }
    return path;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_SHARED_FILE_H
