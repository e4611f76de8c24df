/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-queue-pair-state.h"

#include <catch2/catch.hpp>
#include <string>

using namespace ns3::roce;

TEST_CASE("Queue pair states: which steps the verbs allow", "[queue-pair-state]")
{
    // IBTA 10.3.1 and the table of 11.2.5.2: from RESET to INIT, INIT to itself and RTR, RTR to
    // RTS, RTS to itself and SQD, SQD to itself and RTS; to RESET and ERROR from each state.
    // rows: from; columns: to RESET, INIT, RTR, RTS, SQD, ERROR
    const bool legal[6][6] = {{true, true, false, false, false, true},
                              {true, true, true, false, false, true},
                              {true, false, false, true, false, true},
                              {true, false, false, true, true, true},
                              {true, false, false, true, true, true},
                              {true, false, false, false, false, true}};
    for (unsigned from = 0; from < 6; ++from)
    {
        for (unsigned to = 0; to < 6; ++to)
        {
            CAPTURE(from, to);
            CHECK(IsLegalTransition(QueuePairState(from), QueuePairState(to)) == legal[from][to]);
        }
    }
}

TEST_CASE("Queue pair states: names, and who takes packets", "[queue-pair-state]")
{
    const char* names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "ERROR"};
    const bool receiving[] = {false, false, true, true, true, false};
    for (unsigned i = 0; i < 6; ++i)
    {
        CHECK(std::string(QueuePairStateName(QueuePairState(i))) == names[i]);
        CHECK(IsReceiving(QueuePairState(i)) == receiving[i]);
    }
}
