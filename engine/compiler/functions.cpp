#include "engine/compiler/functions.h"

#include "engine/compiler/settings.h"
#include "engine/compiler/tensor_limit.h"
#include "engine/compiler/tiling.h"
#include "engine/core/internal_error.h"
#include "engine/ops/op_def.h"
#include "engine/passes/decisions.h"

#include <chrono>

namespace tilewright::compiler {

namespace {

/// The graph of a function after the passes.
Result<executable::Entry> entryOf(Function function, project::Project const &system, target::Machine const &machine, JobContext const &job)
{
    TW_TRY(graph::verify(function.graph, ops::opLookup()));
    TW_TRY(requireTensorsInReach(function.graph, machine));
    passes::PassContext const context{ops::opLookup(), passes::passOptions(system.config, machine.isEmulated() ? machine.chip.tiles : 0),
                                      job};
    TW_ASSIGN(auto passed, passes::runPasses(passes::graphPasses(), std::move(function.graph), context));
    executable::Entry entry;
    entry.kind = "function";
    entry.name = function.name;
    entry.graph = graph::compact(passed.graph);
    entry.graph.name = function.name;
    entry.infeed = std::move(function.infeed);
    entry.outfeed = std::move(function.outfeed);
    for (std::size_t v = 0; v < entry.graph.variables.size(); ++v)
        if (entry.graph.variables[v].role == graph::Role::Weight) entry.weights.emplace_back(v);
    return entry;
}

Result<CompileOutcome> compileAll(std::string const &name, std::vector<Function> functions, project::Project const &system,
                                  CompileRequest const &request, JobContext const &job)
{
    auto const start = std::chrono::steady_clock::now();
    if (functions.empty())
        return makeError(ErrorKind::Usage, "compile.no-function", name, Message::of("there is no function to compile."),
                         Message::of("Give at least one."));
    TW_ASSIGN(auto const environment, effectiveEnvironment(system, request.environment, job.warnings));
    CompileOutcome outcome;
    TW_ASSIGN(outcome.machine, effectiveMachine(system, environment));
    outcome.floating = config::floatingPointBehaviour(system.config);
    auto exe = std::make_shared<executable::Executable>();
    exe->name = name;
    exe->machine = system.target;
    exe->emulated = outcome.machine.isEmulated();
    for (auto &function : functions) {
        WorkStage const stage("function", function.name);
        TW_ASSIGN(auto entry, entryOf(std::move(function), system, outcome.machine, job));
        exe->entries.push_back(std::move(entry));
    }
    if (exe->emulated) {
        Distribution const distribution{1, 1, {0}};
        TW_ASSIGN(auto options, loweringOptions(system.config, environment));
        options.stageIpus = distribution.stageIpus;
        ThreadPool pool(compileThreads(request.threads, environment));
        Tiling tiling{outcome.machine, distribution, std::move(options)};
        tiling.countsCode = outcome.machine.kind != target::MachineKind::IpuModel || system.config.boolean("ipu_model.compile_ipu_code");
        tiling.forReport = request.forReport;
        tiling.work = {&pool, &job};
        tiling.done = [](char const *, double) {};
        TiledProgram tiled{exe, {}, false};
        TW_TRY(tiling.lower(tiled, job));
        if (!exe->memory.fits)
            outcome.outOfMemory = lowering::outOfMemory(exe->program, tiled.detail->liveness, exe->memory, outcome.machine);
        outcome.detail = std::move(tiled.detail);
    } else {
        executable::makeVariables(*exe, {});
    }
    outcome.executable = std::move(exe);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

} // namespace

Result<CompileOutcome> compileFunctions(std::string const &name, std::vector<Function> functions, project::Project const &system,
                                        CompileRequest const &request, JobContext const &job)
{
    return guarded("compile", Message::of("the functions of %1", name),
                   [&] { return compileAll(name, std::move(functions), system, request, job); });
}

} // namespace tilewright::compiler
