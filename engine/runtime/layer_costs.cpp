#include "engine/runtime/layer_costs.h"

#include "engine/model/stages.h"
#include "engine/report/build_report.h"
#include "engine/report/quantities.h"

#include <map>

namespace tilewright::runtime {

using project::Project;

namespace {

constexpr std::int64_t kMicroBatches =
    2; ///< of the compiled weight update: more than one, so that gradients are accumulated as in a pipeline

/// Cycles by layer name, per micro-batch and per weight update; of other operations by kind.
struct Attributed {
    std::map<std::string, model::CallCost, std::less<>> layers;
    model::CallCost first, last;
};

Attributed attribute(compiler::CompileOutcome const &compiled, model::ResolvedModel const &resolved)
{
    auto const &exe = *compiled.executable;
    report::CompileFacts facts{exe.program, compiled.detail->liveness, exe.memory, compiled.detail->schedule, compiled.machine};
    for (auto const &layer : resolved.layers) facts.layers.push_back(layer.layer.name);
    facts.stepsPerPattern = compiled.entry()->microBatchesPerUpdate;
    auto const data = report::buildCostReport(facts);
    auto const frame = report::runFrame(data);
    auto const byOp = report::costsByOp(data, report::costsByProgram(data, frame.run));
    Attributed out;
    for (std::size_t op = 0; op < data.ops.size(); ++op) {
        if (!report::isOperation(data.ops[op])) continue; // an operation has one pass; a layer has several
        int layer = data.ops[op].parent;
        while (layer >= 0 && data.ops[static_cast<std::size_t>(layer)].level != "keras")
            layer = data.ops[static_cast<std::size_t>(layer)].parent;
        if (layer < 0) continue;
        auto const &owner = data.ops[static_cast<std::size_t>(layer)];
        auto &cost = report::isLayer(owner) ? out.layers[owner.name] : owner.kind == report::kSyntheticKind ? out.first : out.last;
        double const cycles = report::cyclesPerStep(frame, byOp[op].cycles);
        if (data.ops[op].pass == "update") cost.update += cycles * static_cast<double>(facts.stepsPerPattern);
        else if (data.ops[op].pass == "backward") cost.backward += cycles;
        else cost.forward += cycles;
    }
    return out;
}

/// Transfer costs between neighbouring stages, with stage n on IPU n.
std::vector<model::SharedLink> sharedLinks(target::Machine const &machine, std::int64_t batch)
{
    constexpr int kIpus = 64; // the largest system; smaller ones have the same links
    target::LinkLadder const ladder(machine, kIpus);
    std::map<target::LinkLadder::Hop, model::SharedLink> links;
    for (int stage = 0; stage + 1 < kIpus; ++stage) {
        for (auto const &hop : ladder.route(stage, stage + 1)) links[hop].on.push_back(stage);
        for (auto const &hop : ladder.route(stage + 1, stage)) links[hop].back.push_back(stage);
    }
    std::vector<model::SharedLink> list;
    for (auto &[hop, link] : links) {
        link.byte = static_cast<double>(batch) * static_cast<double>(machine.chip.clockHz)
            / ladder.links()[static_cast<std::size_t>(hop.link)].bytesPerSecond;
        list.push_back(std::move(link));
    }
    return list;
}

} // namespace

compiler::CompileRequest verdictRequest(compiler::CompileRequest const &request)
{
    auto quiet = request;
    quiet.kind = compiler::RunKind::Train;
    quiet.useCache = false;
    quiet.forReport = false;
    quiet.onlyVerdict = true;
    quiet.log = nullptr;
    quiet.passOptions = {};
    return quiet;
}

model::CutPlan cutPlan(Project const &project)
{
    return {pipelineScheduleOf(project.training.pipelineSchedule).value_or(PipelineSchedule::Grouped),
            project.training.gradientAccumulationSteps, project.config.boolean("allow_recompute")};
}

Result<Project> singleIpu(Project const &project)
{
    Project one = project;
    one.title.clear();
    one.layout = "{}";
    one.notes = {};
    one.model = model::withoutStages(project.model);
    model::TrainingPlan const usual;
    one.training.replicas = 1;
    one.training.deviceMapping.clear();
    one.training.placement = usual.placement;
    one.training.epochs = usual.epochs;
    one.training.seed = usual.seed;
    one.training.pipelineSchedule = usual.pipelineSchedule;
    one.training.validationExecutable = usual.validationExecutable;
    one.training.validationSplit = usual.validationSplit;
    // A custom loop states itself whether it accumulates.
    one.training.gradientAccumulationSteps = one.training.stepsPerExecution =
        one.training.loop.empty() ? kMicroBatches : project.training.gradientAccumulationSteps;
    for (char const *option : {"select_ipus", "allow_recompute"}) TW_TRY(one.config.reset(option));
    TW_TRY(one.config.setFromText("auto_select_ipus", "1", nullptr)); // as many as the target has
    // An operation called by several layers belongs to none of them.
    TW_TRY(one.config.setFromText("optimizations.enable_graph_outlining", "false", nullptr));
    TW_TRY(project::machineOf(one));
    return one;
}

Result<LayerCosts> layerCosts(Project const &project, compiler::CompileRequest const &request, JobContext const &job)
{
    TW_ASSIGN(auto const resolved, model::resolve(model::withoutStages(project.model)));
    LayerCosts found{model::multiplyAddCosts(resolved), {}};
    auto const one = singleIpu(project);
    if (!one.ok()) {
        found.why = toText(one.error());
        return found;
    }
    if (auto const machine = project::machineOf(*one); machine.ok() && !machine->isEmulated()) {
        found.why = "the target " + project.target + " has no cycles";
        return found;
    }
    JobContext quiet;
    quiet.stop = job.stop;
    auto alone = verdictRequest(request);
    alone.validationSamples = alone.inferenceSamples = 0;
    auto const compiled = compiler::compile(*one, alone, quiet);
    if (job.cancelled()) return cancelledError("layer costs");
    if (!compiled.ok()) {
        found.why = toText(compiled.error());
        return found;
    }
    auto const cycles = attribute(*compiled, resolved);
    auto &costs = found.costs;
    costs.unit = model::CostUnit::Cycles;
    costs.first = cycles.first;
    costs.last = cycles.last;
    auto const calls = model::stagedCalls(resolved);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        auto const &layer = resolved.layerOf(calls[i]);
        auto const known = cycles.layers.find(layer.layer.name);
        auto const share = known == cycles.layers.end() ? model::CallCost() : known->second;
        auto const n = static_cast<double>(layer.calls.size()); // calls of one layer cost almost the same
        costs.calls[i] = {share.forward / n, share.backward / n, share.update / n};
    }
    costs.links = sharedLinks(compiled->machine, compiled->entry()->batchSize);
    return found;
}

} // namespace tilewright::runtime
