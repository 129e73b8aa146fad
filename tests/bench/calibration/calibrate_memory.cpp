// Tile memory of the dense and convolutional cases: ratio of model to published value, and the parts of the model. One graph each, lowered
// and
// placed as by a compile. Usage: calibrate_memory [CASE]; with a case also its program and worst tile.
#include "tests/bench/calibration/conv_cases.h"

#include "engine/lowering/lower_graph.h"
#include "engine/lowering/schedule.h"
#include "engine/program/codelet.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using namespace tilewright;
using calibration::Case;
using calibration::Net;

void ratio(char const *what, double model, double published)
{
    if (published > 0) std::printf("  %-28s %12.0f published %12.0f ratio %5.2f\n", what, model, published, model / published);
    else std::printf("  %-28s %12.0f\n", what, model);
}

/// Bytes of exchanges and vertices on all tiles.
void printCode(program::Program const &program, lowering::Schedule const &schedule)
{
    for (std::size_t i = 0; i < program.exchanges.size(); ++i) {
        auto const &t = schedule.exchanges[i];
        Bytes code = 0;
        std::int64_t messages = 0, fragments = 0;
        for (std::size_t tile = 0; tile < t.messages.size(); ++tile) {
            messages += t.messages[tile];
            fragments += t.fragments[tile];
            if (t.messages[tile] + t.fragments[tile] > 0) code += lowering::exchangeCodeBytes(t.messages[tile], t.fragments[tile]);
        }
        std::printf("exchange %-60s %10lld B of code %9lld messages %9lld fragments %12lld B sent %9lld cycles\n",
                    program.exchanges[i].name.c_str(), static_cast<long long>(code), static_cast<long long>(messages),
                    static_cast<long long>(fragments), static_cast<long long>(t.totalSent), static_cast<long long>(t.phaseCycles));
    }
    for (auto const &set : program.computeSets)
        for (auto const &family : set.families) {
            auto const *codelet = program::findCodelet(program.codelets[static_cast<std::size_t>(family.codelet)]);
            auto const classes = program::familyClasses(program, family);
            Bytes state = 0;
            for (auto const k : classes.ofTile)
                if (k >= 0) state += codelet->stateBytes({classes.shapes[static_cast<std::size_t>(k)], family.scalars, family.expr});
            std::printf("vertices %-60s %-20s %10lld B of state\n", set.name.c_str(), codelet->name.c_str(), static_cast<long long>(state));
        }
}

int run(Case const &c, bool full)
{
    Net net(c.name, c.type);
    c.build(net);
    auto const machine = target::parseMachine(c.target).value();
    JobContext const job;
    passes::PassContext const context{ops::opLookup(), {}, job};
    auto passed = passes::runPasses(passes::graphPasses(), net.g, context);
    if (!passed.ok()) return std::fprintf(stderr, "%s: %s\n", c.name, toText(passed.error()).c_str()), 1;
    auto const graph = graph::compact(passed->graph);
    auto const begin = std::chrono::steady_clock::now();
    auto lowered = lowering::lowerGraph(graph, machine, 1, 1, {}, ops::loweringLookup(), job);
    if (!lowered.ok()) return std::fprintf(stderr, "%s: %s\n", c.name, toText(lowered.error()).c_str()), 1;
    auto const &program = lowered->program;
    auto const liveness = lowering::analyseLiveness(program);
    auto const schedule = lowering::makeSchedule(program, machine, false);
    auto const memory = lowering::allocate(program, liveness, lowering::codeBytes(program, schedule.exchanges, machine, c.code), machine);
    double const ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%s  (%zu compute sets, %zu exchanges, %.0f ms)\n", c.name, program.computeSets.size(), program.exchanges.size(), ms);
    auto const &ipu = memory.ipus.front();
    ratio("total without gaps", static_cast<double>(ipu.totalWithoutGaps), c.total);
    ratio("worst tile without gaps", static_cast<double>(ipu.maxWithoutGaps), c.worst);
    for (int k = 0; k < kMemoryCategories; ++k) {
        auto const kind = static_cast<MemoryCategory>(k);
        auto const part = c.parts.find(kind);
        auto bytes = static_cast<double>(memory.byKind[static_cast<std::size_t>(k)]);
        // Published for the layer alone: without the host's entries.
        if (kind == MemoryCategory::ControlCode && part != c.parts.end())
            bytes -= static_cast<double>(lowering::kBranchControl * machine.chip.tiles) * static_cast<double>(program.streams.size());
        if (bytes > 0) ratio(std::string(toText(kind)).c_str(), bytes, part == c.parts.end() ? 0 : part->second);
    }
    if (!full) return 0;
    std::printf("%s", program::print(program).c_str());
    printCode(program, schedule);
    std::size_t worst = 0;
    for (std::size_t t = 0; t < memory.withoutGaps.size(); ++t)
        if (memory.withoutGaps[t] > memory.withoutGaps[worst]) worst = t;
    std::printf("worst tile %zu: need %lld, with gaps %lld\n", worst, static_cast<long long>(memory.need[worst]),
                static_cast<long long>(memory.withGaps[worst]));
    for (auto const &item : memory.layouts[static_cast<std::size_t>(memory.layoutOf[worst])].items)
        std::printf("  %8lld %8lld class %d %s\n", static_cast<long long>(item.offset), static_cast<long long>(item.bytes),
                    item.livenessClass,
                    item.variable < 0 ? std::string(toText(item.kind)).c_str()
                                      : program.variables[static_cast<std::size_t>(item.variable)].name.c_str());
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    int failures = 0;
    auto cases = calibration::cases();
    for (auto &c : calibration::convCases()) cases.push_back(std::move(c));
    for (auto const &c : cases)
        if (argc < 2 || std::string(c.name).find(argv[1]) != std::string::npos) failures += run(c, argc > 1);
    return failures ? 1 : 0;
}
