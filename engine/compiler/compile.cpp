#include "engine/compiler/compile.h"

#include "engine/compiler/arithmetic.h"
#include "engine/compiler/entry_graph.h"
#include "engine/compiler/plan_text.h"
#include "engine/compiler/tensor_limit.h"
#include "engine/compiler/project_rules.h"
#include "engine/compiler/warning_tap.h"
#include "engine/config/validate.h"
#include "engine/core/build.h"
#include "engine/core/files.h"
#include "engine/core/host_work.h"
#include "engine/core/internal_error.h"
#include "engine/core/json_text.h"
#include "engine/core/memory_mark.h"
#include "engine/core/text.h"
#include "engine/lowering/lower_graph.h"
#include "engine/model/keras_json.h"
#include "engine/model/stages.h"
#include "engine/ops/op_def.h"
#include "engine/program/codelet.h"
#include "engine/project/reproducer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace tilewright::compiler {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Times consecutive phases.
class PhaseTimer {
public:
    explicit PhaseTimer(std::vector<CompilePhase> &phases) : m_phases(phases), m_last(Clock::now()) {}
    void done(std::string name)
    {
        m_phases.push_back({std::move(name), since(m_last)});
        m_last = Clock::now();
    }

private:
    std::vector<CompilePhase> &m_phases;
    Clock::time_point m_last;
};

/// Options of the software model alone.
constexpr std::string_view kOfTheModel[] = {"ipu_model.compile_ipu_code", "ipu_model.tiles_per_ipu", "ipu_model.version"};

/// A document as one line for each value, by its place, so that of two keys what differs can be said: "layers.dense.units: 128".
/// Items of a list that have a name are called by it; what every layer has around its arguments is left out.
void appendLines(nlohmann::ordered_json const &value, std::string const &place, std::string &text)
{
    auto const nameOfItem = [](nlohmann::ordered_json const &item) -> std::string {
        auto const config = item.is_object() ? item.find("config") : item.end();
        if (!item.is_object() || config == item.end() || !config->is_object()) return {};
        auto const name = config->find("name");
        return name != config->end() && name->is_string() ? name->get<std::string>() : std::string();
    };
    bool const list = value.is_array() && std::ranges::any_of(value, [](auto const &item) { return item.is_structured(); });
    if (!list && (!value.is_object() || value.empty())) {
        text += place + ": " + value.dump() + "\n";
        return;
    }
    auto const below = [&](std::string const &name) { return name == "config" ? place : place.empty() ? name : place + "." + name; };
    if (!list) {
        for (auto const &[name, part] : value.items()) appendLines(part, below(name), text);
        return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        auto const name = nameOfItem(value[i]);
        appendLines(value[i], below(name.empty() ? std::to_string(i) : name), text);
    }
}

/// What differs in a model is said by its lines; the hash beside them is that of the whole, whatever two lines leave open.
void addModel(executable::CacheKey &key, model::Model const &model)
{
    auto const text = model::printKerasJson(model);
    appendLines(orderedJsonOrDiscarded(text), {}, key["model"]);
    key["model.hash"] = executable::toText(executable::contentHash(text));
}

executable::CacheKey cacheKey(project::Project const &p, CompileRequest const &request, target::Machine const &machine,
                              Distribution const &distribution, std::int64_t batch, std::optional<EntryShape> const &validation)
{
    executable::CacheKey key;
    key["writer"] = std::string(version());
    key[std::string(executable::kBuildField)] = buildId(); // another may plan otherwise
    key["stored"] = executable::storedFormat();
    key["format"] = "7"; // goes up when the same fields mean something else, such as cycles of another making
    key["kind"] = std::string(toText(request.kind));
    addModel(key, p.model);
    // What a compile does not depend on stays out: epochs, seeds, the order of the data.
    auto const training = model::trainingPlanJson(p.training);
    for (auto const &[name, value] : training.items())
        if (name != "epochs" && name != "seed" && name != "shuffle" && name != "validation_split" && name != "batch_size"
            && name != "replicas" && name != "class_weight" // its numbers come with the samples
            && name != "validation_executable")             // where it is shared, the validation is a field of its own
            key["training." + name] = value.dump();
    key["training.batch_size"] = std::to_string(batch);
    // An evaluation weighs by samples, never by classes.
    if (!p.data.sampleWeight.empty()) key["training.weighs_samples"] = "by sample";
    else if (!p.training.classWeights.empty()) key["training.weighs_samples"] = "by class";
    key["steps"] = std::to_string(request.steps);
    if (validation) key["validation"] = std::to_string(validation->batch) + " x " + std::to_string(validation->steps);
    key["replicas"] = std::to_string(distribution.replicas);
    key["ipus_per_replica"] = std::to_string(distribution.ipusPerReplica);
    auto const &c = machine.chip;
    key["target"] = machine.name;
    key["target.chip"] = c.name + " tiles " + std::to_string(c.tiles) + " bytes " + std::to_string(c.bytesPerTile) + " kind "
        + std::to_string(static_cast<int>(machine.kind));
    auto config = p.config;
    if (machine.kind != target::MachineKind::IpuModel) // whose options they are
        for (auto const path : kOfTheModel) TW_CHECK(config.reset(path).ok(), "an option of the table cannot be reset");
    key["options"] = config::hashText(config, request.environment);
    return key;
}

std::string nameOf(project::Project const &p, model::ResolvedModel const &model) { return p.title.empty() ? model.name : p.title; }

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
    fill(exe.graph); // in the order in which they were lowered
    for (auto const &entry : exe.further) fill(entry.graph);
}

void summariseSchedule(executable::Entry &exe, program::Program const &program, lowering::Schedule const &schedule)
{
    exe.patternCycles = schedule.patternCycles;
    exe.patternRepeats = schedule.patternRepeats;
    exe.computeCyclesPerPattern = exe.exchangeCyclesPerPattern = exe.ampCyclesPerPattern = 0; // of an earlier plan
    auto const times = lowering::timesOf(schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const &event = schedule.events[i];
        Cycles const cycles = times[i] * event.duration;
        if (event.phase == lowering::Phase::Compute) {
            exe.computeCyclesPerPattern += cycles;
            auto const &set = program.computeSets[program.step(event.step).computeSet.index];
            for (auto const &family : set.families)
                if (program::findCodelet(program.codelets[static_cast<std::size_t>(family.codelet)])->usesAmp) {
                    exe.ampCyclesPerPattern += cycles;
                    break;
                }
        } else if (event.phase == lowering::Phase::InternalExchange || event.phase == lowering::Phase::GlobalExchange) {
            exe.exchangeCyclesPerPattern += cycles;
        }
    }
    // Of an IPU on average, as devices tell it.
    for (auto *sum : {&exe.computeCyclesPerPattern, &exe.exchangeCyclesPerPattern, &exe.ampCyclesPerPattern})
        *sum /= std::max(1, program.ipus);
}

Result<lowering::Options> loweringOptions(config::IpuConfig const &config, config::EnvironmentOptions const &environment)
{
    lowering::Options options;
    options.availableMemoryProportion = config::memoryProportion(config, "matmuls.poplar_options");
    options.convMemoryProportion = config::memoryProportion(config, "convolutions.poplar_options");
    options.clearPassType = config.boolean("matmuls.clear_pass_type");
    TW_ASSIGN(auto const synthetic, config::syntheticData(environment.flags));
    options.syntheticInfeed = synthetic.infeed;
    options.syntheticOutfeed = synthetic.outfeed;
    return options;
}

} // namespace

std::string_view toText(RunKind kind)
{
    switch (kind) {
    case RunKind::Train: return "train";
    case RunKind::Evaluate: return "evaluate";
    case RunKind::Predict: return "predict";
    }
    return "train";
}

double CompileOutcome::emulatedSecondsPerStep() const { return executable->cyclesPerStep() / static_cast<double>(machine.chip.clockHz); }

double CompileOutcome::samplesPerSecond() const
{
    double const perStep = emulatedSecondsPerStep();
    return perStep > 0 ? static_cast<double>(executable->batchSize * executable->replicas) / perStep : 0;
}

Result<target::Machine> effectiveMachine(project::Project const &p, config::EnvironmentOptions const &environment)
{
    TW_ASSIGN(auto machine, project::machineOf(p));
    auto const &flags = environment.flags;
    if (!machine.isEmulated() || (!flags.boolean("use_ipu_model") && machine.kind != target::MachineKind::IpuModel)) return machine;
    machine.kind = target::MachineKind::IpuModel;
    // The software model has the chip its version names, with as many tiles as it is told.
    auto const &modelVersion = p.config.text("ipu_model.version");
    if (modelVersion != machine.chip.architecture && (modelVersion == "ipu1" || modelVersion == "ipu2")) {
        TW_ASSIGN(auto const chip, target::parseMachine(modelVersion));
        int const tiles = machine.chip.tiles;
        machine.chip = chip.chip;
        machine.chip.tiles = std::min(tiles, machine.chip.tiles);
    }
    std::int64_t tiles = p.config.integer("ipu_model.tiles_per_ipu");
    if (tiles <= 0) tiles = flags.integer("ipu_model_tiles");
    if (tiles > 0) machine.chip.tiles = static_cast<int>(std::min<std::int64_t>(tiles, machine.chip.tiles));
    return machine;
}

Result<Distribution> distribute(project::Project const &p, model::ResolvedModel const &model, target::Machine const &machine)
{
    Distribution d;
    TW_TRY(model::checkDeviceMapping(p.training.deviceMapping, model.stages(), p.training.pipelineSchedule, false));
    d.stageIpus = model::stageIpus(p.training.deviceMapping, model.stages());
    d.ipusPerReplica = model::ipusOf(d.stageIpus);
    if (!machine.isEmulated()) return Distribution{};
    int const wanted = static_cast<int>(p.training.replicas);
    int const needed = d.ipusPerReplica * std::max(1, wanted);
    auto const &selected = p.config.list("auto_select_ipus");
    auto const need = wanted > 1 ? Message::of("%1 IPU(s) per replica and %2 replicas", d.ipusPerReplica, wanted)
                                 : Message::of("%1 IPU(s) per replica", d.ipusPerReplica);
    if (machine.ipus < needed && !selected.empty())
        return makeError(ErrorKind::Invalid, "config.too-few-ipus", "ipu_config.auto_select_ipus",
                         Message::of("the model needs %1, but ipu_config.auto_select_ipus selects %2.", need, selected.front()),
                         Message::of("Set ipu_config.auto_select_ipus to %1 or more.", std::to_string(needed)));
    if (machine.ipus < needed)
        return makeError(
            ErrorKind::Invalid, "runtime.too-few-ipus", "system.target",
            Message::of("the model needs %1, but %2 has %3.", need, machine.name, machine.ipus),
            Message::of("Choose a target with at least %1 IPUs, such as '%2:ipus=%1'.", std::to_string(needed), machine.chip.name));
    // As on the real stack: a device with more IPUs than the model needs holds replicas.
    d.replicas = wanted > 1 ? wanted : machine.ipus / d.ipusPerReplica;
    return d;
}

namespace {

/// The environment's settings over the project's engine options.
Result<config::EnvironmentOptions> effectiveEnvironment(project::Project const &p, config::EnvironmentOptions const &environment,
                                                        JobContext const &job)
{
    config::EnvironmentOptions own;
    DiagnosticSink warnings;
    for (auto const &[key, text] : p.engineOptions)
        if (auto const status = own.engine.setFromText(key, text, &warnings); !status.ok()) {
            auto error = status.error();
            error.subject = "engine_options." + key.substr(0, 200);
            return error;
        }
    for (auto const &warning : warnings.all()) job.warn(warning);
    TW_ASSIGN(auto merged, config::environmentOverProject(std::move(own), environment));
    TW_TRY(config::effectiveEngineOptions(p.config, merged));
    return merged;
}

/// A program on tiles, and what was found out about it.
struct TiledProgram {
    std::shared_ptr<executable::Executable> exe;
    std::shared_ptr<CompileDetail> detail;
    bool productsApart = false;
};

/// The most of any tile: with what lies unused between its variables, and without.
struct WorstTile {
    Bytes bytes = 0, withoutGaps = 0;
};
WorstTile worstTile(executable::Executable const &exe)
{
    WorstTile worst;
    for (auto const &ipu : exe.memory.ipus) {
        worst.bytes = std::max(worst.bytes, ipu.worstBytes);
        worst.withoutGaps = std::max(worst.withoutGaps, ipu.maxWithoutGaps);
    }
    return worst;
}

/// Options and flags that act elsewhere than where this program goes are said, not left in silence.
void warnOfIdleSettings(project::Project const &p, target::Machine const &machine, config::PoplarFlags const &flags, JobContext const &job)
{
    auto const idle = [&](std::string_view flag, Message message, Message remedy) {
        if (flags.isSet(flag))
            job.warn(makeWarning("config.idle-flag", config::placeOf(config::OptionCategory::Flag, flag), std::move(message),
                                 std::move(remedy)));
    };
    if (machine.kind != target::MachineKind::IpuModel)
        for (auto const path : kOfTheModel)
            if (!p.config.isDefault(path))
                job.warn(makeWarning("config.idle-option", config::placeOf(config::OptionCategory::IpuConfig, path),
                                     Message::of("this option belongs to the software model, but the program is compiled for a device."),
                                     Message::of("Set TF_POPLAR_FLAGS=--use_ipu_model, or the machine in system.target.")));
    if (machine.kind != target::MachineKind::IpuModel)
        idle("ipu_model_tiles", Message::of("this flag belongs to the software model, but the program is compiled for a device."),
             Message::of("Add --use_ipu_model, or set the tiles in system.target."));
    else if (p.config.integer("ipu_model.tiles_per_ipu") > 0)
        idle("ipu_model_tiles", Message::of("ipu_config.ipu_model.tiles_per_ipu is set as well and takes precedence."),
             Message::of("Set only one of the two."));
    if (p.config.text("device_connection.type") != "ON_DEMAND")
        for (std::string_view const flag : {"on_demand_device_poll_time", "on_demand_device_timeout"})
            idle(flag, Message::of("the program attaches to its device at once: this flag only affects waiting for a device."),
                 Message::of("Set ipu_config.device_connection.type to ON_DEMAND."));
}

} // namespace

namespace {

Result<CompileOutcome> runCompile(project::Project const &p, CompileRequest const &asked, JobContext const &outer)
{
    auto const start = Clock::now();
    WarningTap tap(outer);
    JobContext const &job = tap.job();
    auto request = asked;
    std::optional<MemoryMark> memory;
    if (request.forReport) memory.emplace();
    TW_ASSIGN(request.environment, effectiveEnvironment(p, asked.environment, job));
    auto judgement = judge(p, {request.kind, {}, request.environment});
    TW_TRY(judgement.status());
    for (auto &problem : judgement.problems) job.warn(std::move(problem));
    CompileOutcome outcome;
    PhaseTimer timer(outcome.phases);
    outcome.machine = *judgement.machine;
    auto const &machine = outcome.machine;
    auto const &resolved = *judgement.model;
    auto const &distribution = *judgement.distribution;
    for (auto const &warning : p.config.ignoredSettings()) job.warn(warning);
    warnOfIdleSettings(p, machine, request.environment.flags, job);
    std::int64_t const batch = request.batch > 0 ? request.batch : p.training.batchSize;
    std::int64_t const steps = std::max<std::int64_t>(1, request.steps);
    TW_TRY(requireTensorsInReach(resolved, batch, machine));
    std::optional<EntryShape> validation;
    if (request.kind == RunKind::Train && machine.isEmulated() && request.validationSamples > 0
        && p.training.validationExecutable == "shared") {
        TW_ASSIGN(validation, validationShape(p, resolved, distribution, request.validationSamples));
        noteSmallBatch(validation->batch, p.training.batchSize, request.validationSamples / (distribution.replicas * validation->steps),
                       job);
    }

    bool const logs = request.forReport || request.log; // nobody else reads lines
    auto const log = [&](config::LogComponent component, config::LogLevel level, std::string const &text) {
        if (!logs) return;
        auto const time = static_cast<std::int64_t>(since(start) * 1e9);
        tap.drain(outcome.log, time);
        outcome.log.push_back({time, component, level, {}, text});
        if (request.log) request.log(component, level, text);
    };
    using config::LogComponent;
    using config::LogLevel;
    // Stages and shares of the bar as the real stack shows them: 2 % optimisations, 2 % planning, 36 % graph
    // construction, 60 % compilation.
    JobContext quiet = job;
    quiet.progress = nullptr;
    auto const progress = [&](char const *stage, double overall) { job.report(std::string("Compiling: ") + stage, overall); };

    // The cache: one process compiles, others wait for it and load.
    executable::CacheKey key;
    std::optional<executable::ExecutableCache> cache;
    std::optional<FileLock> lock;
    bool const cacheable = request.useCache && request.passOptions.stopAfter.empty() && request.passOptions.dumpAfter.empty();
    if (cacheable) {
        key = cacheKey(p, request, machine, distribution, batch, validation);
        auto folder = request.cacheFolder;
        auto const flagged = request.environment.flags.text("executable_cache_path");
        if (!folder && !flagged.empty()) folder = flagged;
        auto opened = executable::ExecutableCache::open(folder);
        if (opened.ok()) {
            cache = std::move(opened).value();
        } else {
            auto warning = opened.error();
            warning.severity = Severity::Warning;
            job.warn(std::move(warning));
        }
    }
    auto const tryLoad = [&]() -> bool {
        auto found = cache->find(key);
        outcome.cacheReason = found.reason;
        if (found.warning) job.warn(*found.warning);
        if (found.outcome != executable::LookupOutcome::Hit) return false;
        auto loaded = executable::deserialize(found.blob->payload());
        if (!loaded.ok()) {
            outcome.cacheReason = loaded.error().message;
            job.warn(makeWarning("cache.damaged", "executable cache", loaded.error().message, Message::of("It is compiled again.")));
            return false;
        }
        auto exe = std::make_shared<executable::Executable>(std::move(loaded).value());
        exe->name = nameOf(p, resolved); // a name is no part of the key
        outcome.executable = std::move(exe);
        outcome.cache = "hit";
        return true;
    };
    if (cache) {
        outcome.cache = "miss";
        if (!tryLoad()) {
            auto locked = cache->lockKey(executable::keyHash(key), job);
            if (locked.ok()) {
                lock = std::move(locked).value();
                tryLoad();
            } else if (locked.error().kind == ErrorKind::Cancelled) {
                return locked.error();
            }
        }
    }
    timer.done("Cache look-up");
    auto const judgeMemory = [&](executable::Executable const &exe, lowering::Liveness const &liveness) {
        if (exe.memory.fits || exe.memory.layouts.empty()) return; // without layouts nobody asked for more than the verdict
        auto oom = lowering::outOfMemory(exe.program, liveness, exe.memory, machine);
        if (machine.kind == target::MachineKind::IpuModel) {
            oom.severity = Severity::Warning;
            job.warn(oom);
        } else {
            outcome.outOfMemory = std::move(oom);
        }
    };
    log(LogComponent::Cache, LogLevel::Info, outcome.cache + (outcome.cacheReason.empty() ? "" : ": " + outcome.cacheReason.text()));

    if (!outcome.executable) {
        progress("graph optimisations", 0.0);
        auto exe = std::make_shared<executable::Executable>();
        auto const entryOf = [&](EntryShape const &shape, passes::RunOptions const &options, std::function<void()> const &built) {
            return makeEntryGraph(p, resolved, machine, distribution, shape, options, built, quiet);
        };
        TW_ASSIGN(auto first, entryOf({request.kind, batch, steps}, request.passOptions, [&] { timer.done("Model to graph"); }));
        outcome.passes = std::move(first.passes);
        static_cast<executable::Entry &>(*exe) = std::move(first.entry);
        exe->name = nameOf(p, resolved);
        exe->machine = p.target;
        exe->replicas = distribution.replicas;
        exe->emulated = machine.isEmulated();
        if (validation && !first.stopped) {
            auto made = entryOf(*validation, {}, {});
            // Where the model fixes its batch, there is but one.
            if (!made.ok() && made.error().code == "layers.batch" && validation->batch != batch)
                return notInTurns(request.validationSamples, batch * distribution.replicas * validation->steps);
            if (!made.ok()) return made.error();
            exe->further.push_back(std::move(made->entry));
        }
        timer.done("Graph optimisations");
        progress("pre-planning operations", 0.02);
        for (auto const &stats : outcome.passes)
            log(LogComponent::Compiler, LogLevel::Debug,
                "pass " + stats.name + ": " + std::to_string(stats.nodesBefore) + " to " + std::to_string(stats.nodesAfter) + " nodes");
        outcome.stopped = first.stopped;
        if (outcome.stopped) {
            outcome.executable = exe;
            outcome.seconds = since(start);
            tap.drain(outcome.log, static_cast<std::int64_t>(outcome.seconds * 1e9));
            return outcome;
        }
        if (exe->emulated) {
            TW_ASSIGN(auto options, loweringOptions(p.config, request.environment));
            ThreadPool pool(hostThreads(request.threads));
            HostWork const work{&pool, &job};
            // The option is one of the software model: a device has its code.
            bool const countsCode = machine.kind != target::MachineKind::IpuModel || p.config.boolean("ipu_model.compile_ipu_code");
            TiledProgram tiled{exe, {}, false};
            auto const ontoTiles = [&](TiledProgram &program, auto const &done) -> Status {
                auto &to = *program.exe;
                std::vector<lowering::NamedGraph> graphs{{to.kind, &to.graph}};
                for (auto const &entry : to.further) graphs.push_back({entry.kind, &entry.graph});
                options.stageIpus = distribution.stageIpus;
                TW_ASSIGN(auto lowered,
                          lowering::lowerGraphs(graphs, machine, distribution.ipusPerReplica, distribution.replicas, options,
                                                ops::loweringLookup(), quiet));
                to.program = std::move(lowered.program);
                to.variables = std::move(lowered.variables);
                for (std::size_t i = 0; i < to.further.size(); ++i) to.further[i].variables = std::move(lowered.further[i]);
                to.constants = std::move(lowered.constants);
                program.productsApart = lowered.productsApart;
                fillOpFlops(to);
                done("Graph construction", 0.40);
                program.detail = std::make_shared<CompileDetail>();
                {
                    WorkStage const stage("schedule");
                    program.detail->schedule = lowering::makeSchedule(to.program, machine, request.forReport, work);
                }
                done("Exchange and schedule", 0.70);
                if (job.cancelled()) return cancelledError("compile");
                WorkStage const stage("memory");
                program.detail->liveness = lowering::analyseLiveness(to.program);
                auto code = lowering::codeBytes(to.program, program.detail->schedule.exchanges, machine, countsCode);
                auto refused =
                    request.onlyVerdict ? lowering::unplaceable(to.program, program.detail->liveness, code, machine, work) : std::nullopt;
                to.memory = refused ? std::move(*refused)
                                    : lowering::allocate(to.program, program.detail->liveness, std::move(code), machine, work);
                if (job.cancelled()) return cancelledError("compile");
                summariseSchedule(to, to.program, program.detail->schedule);
                for (std::size_t i = 0; i < to.further.size(); ++i)
                    summariseSchedule(to.further[i], to.program,
                                      lowering::scheduleOfEntry(to.program, machine, program.detail->schedule, i + 1));
                done("Memory allocation", 1.0);
                return {};
            };
            TW_TRY(ontoTiles(tiled, [&](char const *phase, double share) {
                timer.done(phase);
                progress(share < 1 ? "graph compilation" : "finished", share);
            }));
            // Products on grids of their own are faster and take more code. Where that little is in the way, they go together; of a tile
            // that is fuller by more than a quarter it is not.
            if (!exe->memory.fits && tiled.productsApart && worstTile(*exe).withoutGaps <= machine.chip.bytesPerTile / 4 * 5) {
                options.productsTogether = true;
                TiledProgram smaller{std::make_shared<executable::Executable>(*exe), {}, false};
                TW_TRY(ontoTiles(smaller, [](char const *, double) {}));
                bool const better = smaller.exe->memory.fits || worstTile(*smaller.exe).bytes < worstTile(*exe).bytes;
                if (better) {
                    tiled = std::move(smaller);
                    exe = tiled.exe;
                }
                timer.done("Planning for less memory");
                log(LogComponent::Planner, LogLevel::Info,
                    std::string("does not fit: products of the same weights planned together instead")
                        + (better ? "" : ", which takes no less"));
            }
            if (auto const &dump = request.passOptions; dump.dumpAfter == "all")
                TW_TRY(writeFileAtomically(std::filesystem::path(dump.dumpFolder) / "program.txt", program::print(exe->program), Sync::No));
            for (auto const &op : exe->program.ops)
                if (logs && op.kind == "matmul") log(LogComponent::Planner, LogLevel::Debug, op.name + ": " + planText(op.plan));
            log(LogComponent::Compiler, LogLevel::Info,
                std::to_string(exe->program.computeSets.size()) + " compute sets, " + std::to_string(exe->program.exchanges.size())
                    + " exchanges, " + std::to_string(exe->program.variables.size()) + " variables");
            for (std::size_t i = 0; i < exe->memory.ipus.size(); ++i) {
                auto const &ipu = exe->memory.ipus[i];
                log(LogComponent::Allocator, LogLevel::Info,
                    "IPU " + std::to_string(i) + ": worst tile " + std::to_string(ipu.worstTile % exe->program.tilesPerIpu) + " uses "
                        + groupedDigits(ipu.worstBytes) + " of " + groupedDigits(machine.chip.bytesPerTile) + " bytes with gaps, "
                        + groupedDigits(ipu.maxWithoutGaps) + " without");
            }
            judgeMemory(*exe, tiled.detail->liveness);
            outcome.detail = std::move(tiled.detail);
        }
        outcome.executable = exe;
        if (cache && !outcome.outOfMemory) {
            auto const stored = cache->store(key, version(), executable::serialize(*exe));
            if (!stored.ok()) {
                auto warning = stored.error();
                warning.severity = Severity::Warning;
                job.warn(std::move(warning));
            }
            timer.done("Cache store");
        }
    } else if (outcome.executable->emulated && (request.forReport || !outcome.executable->memory.fits)) {
        auto const &exe = *outcome.executable;
        auto detail = std::make_shared<CompileDetail>();
        detail->liveness = lowering::analyseLiveness(exe.program);
        judgeMemory(exe, detail->liveness);
        if (request.forReport) {
            ThreadPool pool(hostThreads(request.threads));
            detail->schedule = lowering::makeSchedule(exe.program, machine, true, {&pool, &job});
            if (job.cancelled()) return cancelledError("compile");
            outcome.detail = std::move(detail);
        }
        timer.done("Report detail");
    }
    auto const &exe = *outcome.executable;
    outcome.flopsPerStep = static_cast<std::int64_t>(static_cast<double>(countFlops(exe.graph, graph::RegionId(0)))
                                                     / static_cast<double>(exe.stepsPerExecution));
    for (auto const &set : exe.program.computeSets)
        for (auto const &family : set.families)
            outcome.vertices += exe.program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout.blocks();
    outcome.exchanges = static_cast<std::int64_t>(exe.program.exchanges.size());
    outcome.seconds = since(start);
    tap.drain(outcome.log, static_cast<std::int64_t>(outcome.seconds * 1e9));
    outcome.peakHostBytes = peakOfProcess();
    if (memory) outcome.hostCompileBytes = memory->most();
    return outcome;
}

} // namespace

Result<CompileOutcome> compile(project::Project const &project, CompileRequest const &request, JobContext const &job)
{
    return project::guardedWork("compile", project, [&] { return runCompile(project, request, job); });
}

} // namespace tilewright::compiler
