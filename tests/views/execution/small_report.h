#pragma once

#include "engine/report/tables.h"

// A report small enough to check by eye: two IPUs of four tiles, two stages, a pattern of 1,000 cycles placed
// 50 times, a loop over two computes and an exchange.
namespace tilewright::tests {

inline report::ReportData smallReport()
{
    using namespace report;
    ReportData d;
    for (char const *part : {"target", "graph", "program", "run"}) d.parts.push_back({part, PartState::Complete, 1, 0, 0, {}});
    d.target.ipus = d.target.ipusPerReplica = 2;
    d.target.tilesPerIpu = 4;
    d.target.clockHz = 1000000000;
    d.target.exchangeBytesPerCycle = 4;
    d.stages = {{"first", 0}, {"second", 1}};
    d.programs = {{"sequence", "step"}, {"repeat", "loop"}, {"execute", "multiply"}, {"exchange", "move"}, {"execute", "add"}};
    d.programs[1].repeatCount = 2;
    d.programChildren = {{0, 0, 1, {}}, {1, 0, 2, {}}, {1, 1, 3, {}}, {0, 1, 4, {}}};
    d.functions = {{"main", 0, true}};
    int const cycles = d.tileVecs.add({100, 40, 0, 100, 200, 0, 0, 10});
    int const sent = d.tileVecs.add({64, 0, 0, 0, 32, 0, 0, 0}), received = d.tileVecs.add({0, 32, 32, 0, 0, 32, 0, 0});
    ExchangeRow exchange;
    exchange.program = 3;
    exchange.bytesSent = 96;
    exchange.bytesReceived = 96;
    exchange.sentVec = sent;
    exchange.receivedVec = received;
    exchange.pairs = {{0, 1, 32}, {0, 2, 32}, {4, 5, 32}};
    d.exchanges = {exchange};
    d.lanes = {{kNone, "IPU 0", "ipu", "cycle", 0, kNone, kNone, 0}, {kNone, "IPU 1", "ipu", "cycle", 1, kNone, kNone, 0}};
    d.eventTypes = {{"multiply", "compute", 2, kNone, 0},
                    {"move", "internal_exchange", 3, kNone, 0},
                    {"add", "compute", 4, kNone, 1},
                    {"wait", "sync", 3, kNone, 0}};
    d.patterns = {{"Weight update", 1000, true}};
    LaneEvents first{0, 0, {}}, second{0, 1, {}};
    // The loop runs twice on IPU 0, then the last step; IPU 1 only adds.
    first.events.add(0, 100, 0, 0, cycles);
    first.events.add(100, 20, 3);
    first.events.add(120, 80, 1, 64, kNone);
    first.events.add(200, 100, 0, 0, cycles);
    first.events.add(300, 20, 3);
    first.events.add(320, 80, 1, 64, kNone);
    first.events.add(400, 300, 2, 0, kNone);
    second.events.add(500, 200, 2, 0, cycles);
    d.events = {first, second};
    d.runs = {RunRow{"train", "train", "fused", "done", 50000, 50, 1600, 0, 2000000000, std::nullopt}};
    d.patternPlaces = {{0, 0, 0, 0, 50, 1000, 0}};
    d.ipuSplits = {{0, 0, 25000, 8000, 0, 0, 2000, 15000, 0, 100000}, {0, 1, 10000, 0, 0, 0, 0, 40000, 0, 20000}};
    d.stepStats = {StepStatRow{0, 2, 0, 100, 10000, 100, 100, 0, 0, 0, 0.6, 0.8, 1, 3},
                   StepStatRow{0, 3, 0, 100, 8000, 80, 80, 6400, 6400, 0, 1, 1, 0.5, 2}};
    d.runTileMetrics = {{0, "caused_wait", d.tileVecs.add({7000, 0, 0, 7000, 9000, 0, 0, 0})},
                        {0, "compute", d.tileVecs.add({10, 4, 0, 10, 20, 0, 0, 1})},
                        {0, "waited", d.tileVecs.add({0, 6, 10, 0, 0, 20, 20, 19})},
                        {0, "bytes_received", received},
                        {0, "bytes_sent", sent}};
    d.stageTasks = {{0, 0, 0, 0, 0, 0, "forward", 0, 200, 50},
                    {0, 0, 1, 1, 0, 1, "forward", 250, 450, 0},
                    {0, 0, 2, 2, 0, 0, "backward", 700, 900, 0},
                    {0, 1, 0, 1, 1, 0, "forward", 250, 450, 0},
                    {0, 1, 1, 2, 1, 0, "backward", 450, 700, 0}};
    d.bubbles = {{0, 0, 200, 250, "imbalance", 1},
                 {0, 0, 450, 700, "ramp_up", 1},
                 {0, 1, 0, 250, "ramp_up", 0},
                 {0, 1, 700, 1000, "ramp_down", kNone}};
    d.criticals = {{0, 0, 0, 0, 0, 100, 0}, {0, 1, 0, 1, 120, 200, 1}, {0, 2, 1, 2, 500, 700, 4}};
    return d;
}

} // namespace tilewright::tests
