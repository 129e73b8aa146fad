#include "engine/compiler/tiling.h"

#include "engine/config/validate.h"
#include "engine/core/internal_error.h"
#include "engine/lowering/lower_graph.h"
#include "engine/ops/op_def.h"
#include "engine/program/codelet.h"

#include <algorithm>
#include <map>

namespace tilewright::compiler {

namespace {

/// Graph-level ops carry their node's arithmetic, keras-level ones the sum below them.
void fillOpFlops(executable::Executable &exe)
{
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> rows; // by name and kind, last first
    for (std::size_t i = exe.program.ops.size(); i-- > 0;)
        if (exe.program.ops[i].level == "graph") rows[{exe.program.ops[i].name, exe.program.ops[i].kind}].push_back(i);
    auto const fill = [&](graph::Graph const &graph) {
        std::vector<char> seen(graph.regions.size(), 0); // a body that is called often is there once
        auto const visit = [&](auto &&self, graph::RegionId region) -> void {
            if (seen[region.index]++) return;
            for (auto id : graph.region(region).nodes) {
                auto const &node = graph.node(id);
                auto const *op = ops::findOp(node.op);
                auto const known = rows.find({node.name, node.op});
                if (op && op->spec.flops && known != rows.end() && !known->second.empty()) {
                    auto &row = exe.program.ops[known->second.back()];
                    known->second.pop_back();
                    row.flops = op->spec.flops(graph, node);
                    if (row.parent >= 0) exe.program.ops[static_cast<std::size_t>(row.parent)].flops += row.flops;
                }
                for (auto sub : node.regions) self(self, sub);
            }
        };
        visit(visit, graph::RegionId(0));
    };
    for (auto const &entry : exe.entries) fill(entry.graph); // in the order in which they were lowered
}

void summariseSchedule(executable::Entry &entry, program::Program const &program, lowering::Schedule const &schedule)
{
    entry.patternCycles = schedule.patternCycles;
    entry.patternRepeats = schedule.patternRepeats;
    entry.computeCyclesPerPattern = entry.exchangeCyclesPerPattern = entry.ampCyclesPerPattern = 0; // of an earlier plan
    auto const times = lowering::timesOf(schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const &event = schedule.events[i];
        Cycles const cycles = times[i] * event.duration;
        if (event.phase == lowering::Phase::Compute) {
            entry.computeCyclesPerPattern += cycles;
            auto const &set = program.computeSets[program.step(event.step).computeSet.index];
            for (auto const &family : set.families)
                if (program::findCodelet(program.codelets[static_cast<std::size_t>(family.codelet)])->usesAmp) {
                    entry.ampCyclesPerPattern += cycles;
                    break;
                }
        } else if (event.phase == lowering::Phase::InternalExchange || event.phase == lowering::Phase::GlobalExchange) {
            entry.exchangeCyclesPerPattern += cycles;
        }
    }
    // Of an IPU on average, as devices tell it.
    for (auto *sum : {&entry.computeCyclesPerPattern, &entry.exchangeCyclesPerPattern, &entry.ampCyclesPerPattern})
        *sum /= std::max(1, program.ipus);
}

} // namespace

/// poolUseIntrospectiveMapping of pooling.poplar_options.
static bool poolsFollowOperands(config::IpuConfig const &config)
{
    auto const &given = config.dict("pooling.poplar_options");
    auto const follows = given.find("poolUseIntrospectiveMapping");
    return follows == given.end() || follows->second == "true";
}

Result<lowering::Options> loweringOptions(config::IpuConfig const &config, config::EnvironmentOptions const &environment)
{
    lowering::Options options;
    options.availableMemoryProportion = config::memoryProportion(config, "matmuls.poplar_options");
    options.convMemoryProportion = config::memoryProportion(config, "convolutions.poplar_options");
    options.sliceMemoryProportion = config::memoryProportion(config, "slices.poplar_options");
    options.poolFollowsOperand = poolsFollowOperands(config);
    options.clearPassType = config.boolean("matmuls.clear_pass_type");
    TW_ASSIGN(auto const synthetic, config::syntheticData(environment.flags));
    options.ioTiles = config::reservedIoTiles(config);
    options.feedsOnIoTiles = config.boolean("io_tiles.place_ops_on_io_tiles") && options.ioTiles > 0;
    options.ioMemoryProportion = config.number("io_tiles.available_memory_proportion");
    options.mergeInfeeds = config.boolean("optimizations.merge_infeed_io_copies");
    options.allReduceBytes = config.integer("optimizations.maximum_cross_replica_sum_buffer_size");
    options.allGatherBytes = config.integer("optimizations.maximum_all_gather_buffer_size");
    options.ipuCopyBytes = config.integer("optimizations.maximum_inter_ipu_copies_buffer_size");
    options.syntheticInfeed = synthetic.infeed;
    options.syntheticOutfeed = synthetic.outfeed;
    return options;
}

WorstTile worstTile(executable::Executable const &exe)
{
    WorstTile worst;
    for (auto const &ipu : exe.memory.ipus) {
        worst.bytes = std::max(worst.bytes, ipu.worstBytes);
        worst.withoutGaps = std::max(worst.withoutGaps, ipu.maxWithoutGaps);
    }
    return worst;
}

Status Tiling::lower(TiledProgram &program, JobContext const &job) const
{
    auto &to = *program.exe;
    std::vector<lowering::NamedGraph> graphs;
    for (auto const &entry : to.entries) graphs.push_back({entry.name, &entry.graph, entry.movesState()});
    TW_ASSIGN(
        auto lowered,
        lowering::lowerGraphs(graphs, machine, distribution.ipusPerReplica, distribution.replicas, options, ops::loweringLookup(), job));
    to.program = std::move(lowered.program);
    executable::makeVariables(to, lowered.variables);
    to.constants = std::move(lowered.constants);
    program.productsApart = lowered.productsApart;
    program.io = lowered.io;
    fillOpFlops(to);
    done("Graph construction", 0.40);
    program.detail = std::make_shared<CompileDetail>();
    {
        WorkStage const stage("schedule");
        program.detail->schedule = lowering::makeSchedule(to.program, machine, forReport, work);
    }
    done("Exchange and schedule", 0.70);
    if (job.cancelled()) return cancelledError("compile");
    WorkStage const stage("memory");
    program.detail->liveness = lowering::analyseLiveness(to.program);
    auto code = lowering::codeBytes(to.program, program.detail->schedule.exchanges, machine, countsCode);
    auto refused = onlyVerdict ? lowering::unplaceable(to.program, program.detail->liveness, code, machine, work) : std::nullopt;
    to.memory = refused ? std::move(*refused) : lowering::allocate(to.program, program.detail->liveness, std::move(code), machine, work);
    if (job.cancelled()) return cancelledError("compile");
    for (std::size_t i = 0; i < to.entries.size(); ++i)
        summariseSchedule(to.entries[i], to.program,
                          i == 0 ? program.detail->schedule : lowering::scheduleOfEntry(to.program, machine, program.detail->schedule, i));
    done("Memory allocation", 1.0);
    return {};
}

} // namespace tilewright::compiler
