#include "engine/cli/compile_document.h"

#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/compiler/settings.h"
#include "engine/core/text.h"
#include "engine/report/quantities.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;
using compiler::CompileOutcome;

Json compileDocument(CompileOutcome const &outcome)
{
    auto const &exe = *outcome.executable;
    auto const &memory = exe.memory;
    Json j;
    j["target"] = outcome.machine.name;
    j["fits"] = !exe.emulated || memory.fits;
    j["cache"] = outcome.cache;
    j["cache_reason"] = outcome.cacheReason.text();
    j["seconds"] = outcome.seconds;
    j["phases"] = Json::array();
    for (auto const &phase : outcome.phases) j["phases"].push_back({{"name", phase.name}, {"seconds", phase.seconds}});
    if (outcome.stopped) {
        j["stopped_after"] = outcome.passes.empty() ? "" : outcome.passes.back().name;
        j["passes"] = Json::array();
        for (auto const &pass : outcome.passes)
            j["passes"].push_back(
                {{"name", pass.name}, {"seconds", pass.seconds}, {"nodes_before", pass.nodesBefore}, {"nodes_after", pass.nodesAfter}});
        j["fits"] = nullptr; // not known: nothing was placed
        return j;
    }
    j["ipus"] = Json::array();
    for (std::size_t i = 0; i < memory.ipus.size(); ++i) {
        auto const &ipu = memory.ipus[i];
        j["ipus"].push_back({{"id", i},
                             {"max_tile_bytes", ipu.maxWithoutGaps},
                             {"max_tile_bytes_with_gaps", ipu.worstBytes},
                             {"worst_tile", ipu.worstTile},
                             {"max_tile_need", exe.memory.maxNeed(static_cast<int>(i))},
                             {"total_bytes", ipu.totalWithoutGaps},
                             {"total_bytes_with_gaps", ipu.totalWithGaps},
                             {"limit_bytes", outcome.machine.chip.bytesPerTile},
                             {"streaming_bytes", memory.streaming[i]},
                             {"fits", ipu.fits}});
    }
    auto categories = Json::object();
    if (exe.emulated)
        for (int k = 0; k < kMemoryCategories; ++k)
            categories[std::string(toText(static_cast<MemoryCategory>(k)))] = memory.byKind[static_cast<std::size_t>(k)];
    j["memory_by_category"] = std::move(categories);
    j["cycles_per_step"] = exe.emulated ? outcome.entry()->cyclesPerStep() : 0.0;
    j["samples_per_second"] = exe.emulated ? outcome.samplesPerSecond() : 0.0;
    j["flops_per_step"] = outcome.flopsPerStep;
    j["compute_sets"] = exe.program.computeSets.size();
    j["vertices"] = outcome.vertices;
    j["exchanges"] = outcome.exchanges;
    j["replicas"] = exe.replicas;
    j["entries"] = Json::array();
    for (auto const &entry : exe.entries)
        j["entries"].push_back({{"name", entry.name},
                                {"batch_size", entry.batchSize},
                                {"steps_per_execution", entry.stepsPerExecution},
                                {"cycles_per_step", exe.emulated ? entry.cyclesPerStep() : 0.0}});
    j["peak_host_bytes"] = outcome.peakHostBytes;
    return j;
}

std::string compileText(CompileOutcome const &outcome, std::string const &title)
{
    auto const &exe = *outcome.executable;
    std::string text = "Compiled " + title + " for " + outcome.machine.name + " in " + secondsText(outcome.seconds);
    text += " (cache " + outcome.cache + (outcome.cacheReason.empty() ? "" : ": " + outcome.cacheReason) + ")\n";
    if (outcome.stopped) {
        std::vector<std::vector<std::string>> rows;
        for (auto const &pass : outcome.passes)
            rows.push_back({pass.name, std::to_string(pass.nodesBefore), std::to_string(pass.nodesAfter), secondsText(pass.seconds)});
        return text + "Stopped after the pass " + (outcome.passes.empty() ? "" : outcome.passes.back().name) + ".\n\n"
            + tableText({"Pass", ">Nodes before", ">after", ">Time"}, rows);
    }
    if (!exe.emulated) return text + "Runs on the host: nothing is emulated.\n";
    auto const &chip = outcome.machine.chip;
    auto const &memory = exe.memory;
    std::vector<std::vector<std::string>> rows;
    report::TileMemory worst;
    for (std::size_t i = 0; i < memory.ipus.size(); ++i) {
        auto const &ipu = memory.ipus[i];
        auto const tile = report::tileMemory(ipu.worstTile, chip.bytesPerTile, {memory.withGaps, memory.withoutGaps, memory.need});
        if (i == 0 || tile.placed > worst.placed) worst = tile;
        rows.push_back({std::to_string(i), std::to_string(tile.tile), groupedDigits(tile.placed), groupedDigits(tile.gaps.value_or(0)),
                        groupedDigits(tile.need.value_or(0)), groupedDigits(tile.limit), bytesText(ipu.totalWithGaps)});
    }
    text += std::string(memory.fits ? "It fits: " : "It does not fit: ") + report::worstTileSummary(worst) + ".\n\n";
    text += tableText({"IPU", ">Worst tile", ">Placed", ">Gaps in it", ">Need", ">Limit", ">Placed on all tiles"}, rows) + "\n";
    rows.clear();
    for (int k = 0; k < kMemoryCategories; ++k)
        if (auto const bytes = exe.memory.byKind[static_cast<std::size_t>(k)]; bytes > 0)
            rows.push_back({std::string(toText(static_cast<MemoryCategory>(k))), groupedDigits(bytes), bytesText(bytes)});
    text += tableText({"Memory", ">Bytes", ">"}, rows);
    Bytes used = 0;
    for (auto const &ipu : memory.ipus) used += ipu.totalWithoutGaps;
    if (Bytes const sum = std::accumulate(memory.byKind.begin(), memory.byKind.end(), Bytes{0}); sum > used)
        text += "Data with different lifetimes share addresses: together " + groupedDigits(used) + " bytes (" + bytesText(used) + ").\n";
    text += "\n";
    if (Bytes const bytes = program::streamingBytes(exe.program); bytes > 0) {
        auto const buffers = std::ranges::count_if(exe.program.variables, [](auto const &one) { return one.home != Home::Tiles; });
        text += "Streaming memory " + groupedDigits(bytes) + " bytes (" + bytesText(bytes) + ") in " + groupedDigits(buffers)
            + (buffers == 1 ? " remote buffer" : " remote buffers") + (exe.replicas == 1 ? "\n" : " of each replica\n");
    }
    auto const cycles = std::llround(outcome.entry()->cyclesPerStep());
    text += "Step (modelled)  " + groupedDigits(cycles) + " cycles, " + secondsText(outcome.emulatedSecondsPerStep()) + ", "
        + groupedDigits(std::llround(outcome.samplesPerSecond())) + " samples/s\n";
    for (std::size_t i = 0; i < exe.entries.size(); ++i) {
        auto const &entry = exe.entries[i];
        if (i == outcome.number) continue;
        text += "Beside it        " + entry.name + ": " + groupedDigits(std::llround(entry.cyclesPerStep())) + " cycles a step of "
            + std::to_string(entry.batchSize) + (exe.replicas == 1 ? " samples\n" : " samples on each replica\n");
    }
    text += "Arithmetic       " + groupedDigits(outcome.flopsPerStep) + " FLOPs per step\n";
    text += "Program          " + groupedDigits(static_cast<std::int64_t>(exe.program.computeSets.size())) + " compute sets, "
        + groupedDigits(outcome.vertices) + " vertices, " + groupedDigits(outcome.exchanges) + " exchanges, " + std::to_string(exe.replicas)
        + (exe.replicas == 1 ? " replica\n" : " replicas\n");
    return text;
}

void logPhases(Output &output, CompileOutcome const &outcome)
{
    for (auto const &phase : outcome.phases)
        output.log(config::LogComponent::Compiler, config::LogLevel::Info, phase.name + " " + secondsText(phase.seconds));
}

runtime::Remedies tryRemedies(Context &context, project::Project const &project, std::filesystem::path const &dataFolder,
                              compiler::CompileRequest const &request, compiler::CompileOutcome const &outcome)
{
    constexpr double kUnnoticed = 0.4, kWatched = 3.0;
    runtime::RemedySearch search;
    search.seconds = context.output.showsProgress() ? std::max(kWatched, 2 * outcome.seconds) : kUnnoticed;
    search.longestTrial = std::max(2.0, 1.0 + 2 * outcome.seconds); // a change may make the compile itself long
    search.compileSeconds = outcome.seconds;
    for (Bytes const always : outcome.executable->memory.alwaysLive) search.alwaysLive = std::max(search.alwaysLive, always);
    search.samples = runtime::samplesOf(project, dataFolder, context.job);
    search.progress = [&context](int tried) { context.output.progress("Trying what would make it fit", std::min(0.95, tried / 12.0)); };
    auto const remedies = runtime::findRemedies(project, request, search, context.job);
    context.output.clearProgress();
    return remedies;
}

Json trialDocument(runtime::Trial const &trial)
{
    Json one;
    one["set"] = Json::object();
    for (auto const &[path, value] : trial.proposal.set) one["set"][path] = value;
    one["fits"] = trial.fits;
    one["max_tile_bytes"] = trial.withoutGaps;
    one["max_tile_bytes_with_gaps"] = trial.placed ? Json(trial.withGaps) : Json(nullptr);
    one["max_tile_need"] = trial.need;
    one["limit_bytes"] = trial.limit;
    one["samples_per_second"] = trial.samplesPerSecond;
    one["cycles_per_step"] = trial.cyclesPerStep;
    return one;
}

Json remediesDocument(runtime::Remedies const &remedies)
{
    auto list = Json::array();
    for (auto const &trial : remedies.fitting) list.push_back(trialDocument(trial));
    return list;
}

Result<workspace::OpenProject> openOnDevice(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto open, workspace::openProject(args.text("PROJECT"), args.text("--target"), context.job.warnings));
    TW_ASSIGN(open.project, compiler::onDevice(std::move(open.project), args.integer("--device", 0)));
    return open;
}

Result<compiler::CompileRequest> compileRequest(Context &context)
{
    compiler::CompileRequest request;
    request.threads = context.threads;
    TW_ASSIGN(request.environment,
              config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, context.job.warnings));
    request.log = [&output = context.output](config::LogComponent component, config::LogLevel level, std::string const &text) {
        output.log(component, level, text);
    };
    return request;
}

} // namespace tilewright::cli
