#include "engine/passes/pass.h"

#include "engine/core/files.h"
#include "engine/core/internal_error.h"
#include "engine/core/text.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>

namespace tilewright::passes {

using graph::Graph;

namespace {

Status checkName(std::span<Pass const> passes, std::string const &name, char const *option, bool allAllowed)
{
    if (name.empty() || (allAllowed && name == "all")) return {};
    if (std::ranges::find(passes, name, &Pass::name) != passes.end()) return {};
    std::vector<std::string> names;
    for (auto const &pass : passes) names.push_back(pass.name);
    auto const near = nearestName(name, names);
    return makeError(ErrorKind::Usage, "passes.unknown", option, Message::of("there is no pass '%1'", name),
                     near.empty() ? Message::of("there are: %1", joinText(names, ", ")) : Message::of("did you mean '%1'?", near));
}

Status dump(Graph const &graph, RunOptions const &options, std::size_t index, std::string const &name)
{
    std::filesystem::path const folder(options.dumpFolder);
    TW_TRY(makeOutputFolder(folder));
    std::string number = std::to_string(index);
    if (number.size() < 2) number.insert(0, "0");
    if (options.dumpDot) TW_TRY(writeFileAtomically(folder / (number + "_" + name + ".dot"), dotText(graph), Sync::No));
    if (!options.dumpText) return {};
    return writeFileAtomically(folder / (number + "_" + name + ".txt"), graph::print(graph), Sync::No);
}

bool isDumped(RunOptions const &options, std::string const &pass, bool last)
{
    if (options.dumpFolder.empty()) return false;
    if (!options.dumpAfter.empty()) return options.dumpAfter == pass || options.dumpAfter == "all";
    return options.dumpMatching.empty() ? last : std::regex_search(pass, std::regex(options.dumpMatching));
}

} // namespace

int nodeCount(Graph const &graph)
{
    int count = 0;
    auto const visit = [&](auto &&self, graph::RegionId region) -> void {
        for (auto id : graph.region(region).nodes) {
            ++count;
            for (auto sub : graph.node(id).regions) self(self, sub);
        }
    };
    visit(visit, graph::RegionId(0));
    return count;
}

Result<RunOutcome> runPasses(std::span<Pass const> passes, Graph graph, PassContext const &context, RunOptions const &options)
{
    TW_TRY(checkName(passes, options.dumpAfter, "dump-after", true));
    TW_TRY(checkName(passes, options.stopAfter, "stop-after", false));
    TW_TRY(graph::verify(graph, context.ops));
    RunOutcome outcome;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        auto const &pass = passes[i];
        if (context.job.cancelled()) return cancelledError(graph.name);
        context.job.report("Passes", static_cast<double>(i) / static_cast<double>(passes.size()));
        WorkStage const stage("pass", pass.name);
        PassStats stats{pass.name, 0, nodeCount(graph), 0};
        auto const start = std::chrono::steady_clock::now();
        TW_ASSIGN(graph, pass.run(std::move(graph), context));
        stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        stats.nodesAfter = nodeCount(graph);
        outcome.stats.push_back(std::move(stats));
        if (auto const status = graph::verify(graph, context.ops); !status.ok()) {
            Diagnostic error = status.error();
            error.message = Message::of("after pass %1: %2", pass.name, error.message);
            return error;
        }
        if (isDumped(options, pass.name, i + 1 == passes.size())) TW_TRY(dump(graph, options, i, pass.name));
        if (options.stopAfter == pass.name) {
            outcome.stopped = i + 1 < passes.size();
            break;
        }
    }
    context.job.report("Passes", 1.0);
    outcome.graph = std::move(graph);
    return outcome;
}

} // namespace tilewright::passes
