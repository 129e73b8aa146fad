#include "engine/compiler/compile.h"

#include "engine/compiler/arithmetic.h"
#include "engine/compiler/cache_key.h"
#include "engine/compiler/plan_text.h"
#include "engine/compiler/project_rules.h"
#include "engine/compiler/settings.h"
#include "engine/compiler/state_entry.h"
#include "engine/compiler/tensor_limit.h"
#include "engine/compiler/tiling.h"
#include "engine/compiler/warning_tap.h"
#include "engine/config/validate.h"
#include "engine/core/build.h"
#include "engine/core/files.h"
#include "engine/core/memory_mark.h"
#include "engine/core/text.h"
#include "engine/project/reproducer.h"
#include "engine/training/written_rates.h"

#include <algorithm>
#include <chrono>

namespace tilewright::compiler {

namespace {

using Clock = std::chrono::steady_clock;
using config::LogComponent;
using config::LogLevel;

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
    if (p.config.text("device_connection.type") != "ON_DEMAND" && !flags.boolean("use_on_demand"))
        for (std::string_view const flag : {"on_demand_device_poll_time", "on_demand_device_timeout"})
            idle(flag, Message::of("the program attaches to its device at once: this flag only affects waiting for a device."),
                 Message::of("Set ipu_config.device_connection.type to ON_DEMAND."));
}

/// One compile of a project, stage by stage.
class Compilation {
public:
    Compilation(project::Project const &project, CompileRequest const &asked, JobContext const &outer)
        : m_project(project), m_asked(asked), m_request(asked), m_tap(outer), m_job(m_tap.job()), m_quiet(m_tap.job())
    {
        m_quiet.progress = nullptr;
        if (m_request.forReport) m_memory.emplace();
    }

    Result<CompileOutcome> run()
    {
        TW_TRY(judgeProject());
        TW_TRY(lookUp());
        done("Cache look-up");
        log(LogComponent::Cache, LogLevel::Info,
            m_outcome.cacheReason.empty() ? Message(m_outcome.cache) : Message::of("%1: %2", m_outcome.cache, m_outcome.cacheReason));
        if (m_outcome.executable) {
            TW_TRY(analyseLoaded());
        } else {
            TW_TRY(build());
            if (m_outcome.stopped) return finish();
            store();
        }
        TW_TRY(writeFiles());
        if (m_outcome.outOfMemory && !m_request.environment.engine.boolean("debug.allowOutOfMemory")) return *m_outcome.outOfMemory;
        count();
        return finish();
    }

private:
    static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }
    /// Ends a phase.
    void done(std::string name)
    {
        m_outcome.phases.push_back({std::move(name), since(m_phase)});
        m_phase = Clock::now();
    }
    /// Only reports and requested logs have readers of lines.
    bool logs() const { return m_request.forReport || m_request.log; }
    void log(LogComponent component, LogLevel level, Message const &text)
    {
        if (!logs()) return;
        auto const time = static_cast<std::int64_t>(since(m_start) * 1e9);
        m_tap.drain(m_outcome.log, time);
        m_outcome.log.push_back({time, component, level, {}, text});
        if (m_request.log) m_request.log(component, level, text);
    }
    /// Stages and shares of the bar as the real stack shows them: 2 % optimisations, 2 % planning, 36 % graph construction, 60 %
    /// compilation.
    void progress(char const *stage, double overall) const { m_job.report(std::string("Compiling: ") + stage, overall); }

    std::string name() const { return m_project.title.empty() ? m_judgement.model->name : m_project.title; }
    target::Machine const &machine() const { return m_outcome.machine; }

    /// Dumps of XLA_FLAGS, unless the caller dumps already.
    void requestDumps()
    {
        auto const &xla = m_request.environment.xla;
        auto &options = m_request.passOptions;
        if (xla.dumpTo.empty() || !options.dumpFolder.empty()) return;
        options.dumpFolder = xla.dumpTo;
        options.dumpMatching = xla.passes;
        options.dumpText = xla.asText;
        options.dumpDot = xla.asDot;
    }

    /// The rules of a project, and the sizes of the entries.
    Status judgeProject()
    {
        DiagnosticSink warnings;
        TW_ASSIGN(m_request.environment, effectiveEnvironment(m_project, m_asked.environment, &warnings));
        for (auto const &warning : warnings.all()) m_job.warn(warning);
        requestDumps();
        m_judgement = judge(m_project, {m_request.kind, {}, m_request.environment});
        TW_TRY(m_judgement.status());
        for (auto &problem : m_judgement.problems) m_job.warn(std::move(problem));
        m_phase = Clock::now();
        m_outcome.machine = *m_judgement.machine;
        m_outcome.floating = config::floatingPointBehaviour(m_project.config);
        auto const &distribution = *m_judgement.distribution;
        for (auto const &warning : m_project.config.ignoredSettings()) m_job.warn(warning);
        warnOfIdleSettings(m_project, machine(), m_request.environment.flags, m_job);
        m_batch = m_request.batch > 0 ? m_request.batch : m_project.training.batchSize;
        m_steps = std::max<std::int64_t>(1, m_request.steps);
        TW_TRY(requireTensorsInReach(*m_judgement.model, m_batch, machine()));
        if (m_request.kind == RunKind::Train && machine().isEmulated()) {
            TW_ASSIGN(m_beside, entriesBeside(m_project, *m_judgement.model, distribution, m_request));
            if (m_beside.apart) m_job.warn(*m_beside.apart);
            if (m_beside.validates)
                noteSmallBatch(m_beside.shapes.front().batch, m_project.training.batchSize,
                               m_request.validationSamples / (distribution.replicas * m_beside.shapes.front().steps), m_job);
        }
        m_beside.shapes.insert(m_beside.shapes.end(), m_request.beside.begin(), m_request.beside.end());
        return {};
    }

    bool tryLoad()
    {
        auto found = m_cache->find(m_key);
        m_outcome.cacheReason = found.reason;
        if (found.warning) m_job.warn(*found.warning);
        if (found.outcome != executable::LookupOutcome::Hit) return false;
        auto loaded = executable::deserialize(found.blob->payload());
        if (!loaded.ok()) {
            m_outcome.cacheReason = loaded.error().message;
            m_job.warn(makeWarning("cache.damaged", "executable cache", loaded.error().message, Message::of("It is compiled again.")));
            return false;
        }
        auto exe = std::make_shared<executable::Executable>(std::move(loaded).value());
        exe->name = name(); // no part of the key, as the values that the host writes
        executable::setWritten(*exe, training::writtenValues(m_project.training));
        m_outcome.executable = std::move(exe);
        m_outcome.cache = "hit";
        return true;
    }

    /// The cache: one process compiles, others wait for it and load.
    Status lookUp()
    {
        if (!m_request.useCache || !m_request.passOptions.stopAfter.empty() || !m_request.passOptions.dumpFolder.empty()) return {};
        m_key = cacheKey(m_project, m_request, machine(), *m_judgement.distribution, m_batch, m_beside.shapes);
        auto folder = m_request.cacheFolder;
        auto const flagged = m_request.environment.flags.text("executable_cache_path");
        if (!folder && !flagged.empty()) folder = flagged;
        auto opened = executable::ExecutableCache::open(folder);
        if (!opened.ok()) {
            warn(opened.error());
            return {};
        }
        m_cache = std::move(opened).value();
        m_outcome.cache = "miss";
        if (tryLoad()) return {};
        auto locked = m_cache->lockKey(executable::keyHash(m_key), m_job);
        if (locked.ok()) {
            m_lock = std::move(locked).value();
            tryLoad();
        } else if (locked.error().kind == ErrorKind::Cancelled) {
            return locked.error();
        }
        return {};
    }

    void warn(Diagnostic problem) const
    {
        problem.severity = Severity::Warning;
        m_job.warn(std::move(problem));
    }

    void judgeMemory(executable::Executable const &exe, lowering::Liveness const &liveness)
    {
        if (exe.memory.fits || exe.memory.layouts.empty()) return; // without layouts nobody asked for more than the verdict
        auto oom = lowering::outOfMemory(exe.program, liveness, exe.memory, machine());
        if (machine().kind == target::MachineKind::IpuModel) warn(std::move(oom));
        else m_outcome.outOfMemory = std::move(oom);
    }

    Result<EntryGraph> entryOf(EntryShape const &shape, passes::RunOptions const &options, std::function<void()> const &built) const
    {
        return makeEntryGraph(m_project, *m_judgement.model, machine(), *m_judgement.distribution, shape, options, built, m_quiet);
    }

    /// The graphs of all entries, then the program on tiles.
    Status build()
    {
        progress("graph optimisations", 0.0);
        auto exe = std::make_shared<executable::Executable>();
        TW_ASSIGN(auto first, entryOf({m_request.kind, m_batch, m_steps}, m_request.passOptions, [&] { done("Model to graph"); }));
        m_outcome.passes = std::move(first.passes);
        exe->entries.push_back(std::move(first.entry));
        auto const &distribution = *m_judgement.distribution;
        exe->name = name();
        exe->machine = m_project.target;
        exe->replicas = distribution.replicas;
        exe->emulated = machine().isEmulated();
        if (!first.stopped) TW_TRY(addEntriesBeside(*exe));
        done("Graph optimisations");
        progress("pre-planning operations", 0.02);
        for (auto const &stats : m_outcome.passes)
            log(LogComponent::Compiler, LogLevel::Debug,
                Message::of("pass %1: %2 to %3 nodes", stats.name, std::to_string(stats.nodesBefore), std::to_string(stats.nodesAfter)));
        m_outcome.stopped = first.stopped;
        if (!exe->emulated) executable::makeVariables(*exe, {});
        else if (!m_outcome.stopped) TW_TRY(tile(exe));
        m_outcome.executable = std::move(exe);
        return {};
    }

    Status addEntriesBeside(executable::Executable &exe) const
    {
        for (auto const &shape : m_beside.shapes) {
            if (executable::movesState(toText(shape.kind))) {
                TW_ASSIGN(auto entry, makeStateEntry(shape.kind, exe.entries.front()));
                exe.entries.push_back(std::move(entry));
                continue;
            }
            bool const validates = m_beside.validates && &shape == &m_beside.shapes.front();
            auto made = entryOf(shape, {}, {});
            // Where the model fixes its batch, there is but one.
            if (!made.ok() && made.error().code == "layers.batch" && shape.batch != m_batch) {
                if (validates) return notInTurns(m_request.validationSamples, m_batch * m_judgement.distribution->replicas * shape.steps);
                if (m_request.beside.empty()) continue; // is compiled apart
            }
            if (!made.ok()) return made.error();
            exe.entries.push_back(std::move(made->entry));
        }
        return {};
    }

    /// A training does not stop fitting because evaluation and prediction could share its executable: they are compiled apart then.
    /// False: there is nothing to leave out.
    Result<bool> leaveInferenceOut(Tiling tiling, TiledProgram &tiled)
    {
        if (!m_request.beside.empty() || m_request.inferenceSamples <= 0) return false;
        auto alone = std::make_shared<executable::Executable>(*tiled.exe);
        std::size_t const stay = m_beside.validates ? 2 : 1;
        if (alone->entries.size() <= stay) return false;
        alone->entries.resize(stay);
        tiling.done = [](char const *, double) {};
        TiledProgram smaller{std::move(alone), {}, false};
        TW_TRY(tiling.lower(smaller, m_quiet));
        tiled = std::move(smaller);
        done("Planning for less memory");
        return true;
    }

    void noteInferenceApart() const
    {
        auto note =
            makeWarning("training.shared-inference", "training.validation_executable",
                        Message::of("evaluation and prediction have executables of their own: beside the training they do not fit."));
        note.severity = Severity::Note;
        m_job.warn(std::move(note));
    }

    /// The tiles that compute: those of an IPU without its IO tiles.
    Status requireComputeTiles(int ioTiles) const
    {
        if (ioTiles < machine().chip.tiles) return {};
        return makeError(ErrorKind::Invalid, "config.conflict", "ipu_config.io_tiles.num_io_tiles",
                         Message::of("%1 IO tiles leave no tile of the %2 of an IPU to compute.", ioTiles, machine().chip.tiles),
                         Message::of("Set io_tiles.num_io_tiles to 0, or to less than the number of tiles."));
    }

    /// Why feeds that should be on IO tiles are on the compute tiles.
    void noteIoTiles(lowering::Options const &options, lowering::Lowered::Io const &io) const
    {
        if (!options.feedsOnIoTiles || io.tiles > 0) return;
        constexpr auto kOption = "ipu_config.io_tiles.place_ops_on_io_tiles";
        auto note = io.bytes > 0
            ? makeWarning(
                "config.io-tiles", kOption,
                Message::of("the feeds of a micro-batch take %1 bytes, but %2 IO tiles have room for %3 bytes of them: they stay on "
                            "the compute tiles, and the reservation is released.",
                            io.bytes, options.ioTiles, io.room),
                Message::of("Raise io_tiles.num_io_tiles or io_tiles.available_memory_proportion, or lower training.batch_size."))
            : makeWarning(
                "config.io-tiles", kOption,
                Message::of("no transfer can overlap: this needs a pipeline, or a loop of at least two micro-batches on one IPU, without "
                            "branches that depend on data and without variables in streaming memory. The reservation is released."),
                Message::of("Raise training.steps_per_execution to 2 or more."));
        note.severity = Severity::Note;
        m_job.warn(std::move(note));
    }

    Status tile(std::shared_ptr<executable::Executable> &exe)
    {
        TW_ASSIGN(auto options, loweringOptions(m_project.config, m_request.environment));
        TW_TRY(requireComputeTiles(options.ioTiles));
        options.stageIpus = m_judgement.distribution->stageIpus;
        int const threads = compileThreads(m_request.threads, m_request.environment);
        log(LogComponent::Compiler, LogLevel::Debug, Message::of("compiling with %1 threads", threads));
        ThreadPool pool(threads);
        Tiling tiling{machine(), *m_judgement.distribution, std::move(options)};
        // The option is one of the software model: a device has its code.
        tiling.countsCode = machine().kind != target::MachineKind::IpuModel || m_project.config.boolean("ipu_model.compile_ipu_code");
        tiling.forReport = m_request.forReport;
        tiling.onlyVerdict = m_request.onlyVerdict;
        tiling.work = {&pool, &m_job};
        tiling.done = [&](char const *phase, double share) {
            done(phase);
            progress("graph compilation", share); // a phase never says that all is done: caches and reports follow
        };
        TiledProgram tiled{exe, {}, false};
        TW_TRY(tiling.lower(tiled, m_quiet));
        bool apart = false;
        if (!tiled.exe->memory.fits) { TW_ASSIGN(apart, leaveInferenceOut(tiling, tiled)); }
        exe = tiled.exe;
        // Products on grids of their own are faster and take more code. Where that little is in the way, they go together; of a tile
        // that is fuller by more than a quarter it is not.
        if (!exe->memory.fits && tiled.productsApart && worstTile(*exe).withoutGaps <= machine().chip.bytesPerTile / 4 * 5) {
            tiling.options.productsTogether = true;
            tiling.done = [](char const *, double) {};
            TiledProgram smaller{std::make_shared<executable::Executable>(*exe), {}, false};
            TW_TRY(tiling.lower(smaller, m_quiet));
            bool const better = smaller.exe->memory.fits || worstTile(*smaller.exe).bytes < worstTile(*exe).bytes;
            if (better) {
                tiled = std::move(smaller);
                exe = tiled.exe;
            }
            done("Planning for less memory");
            log(LogComponent::Planner, LogLevel::Info,
                better ? Message::of("does not fit: products of the same weights planned together instead")
                       : Message::of("does not fit: products of the same weights planned together instead, which takes no less"));
        }
        if (apart && exe->memory.fits) noteInferenceApart();
        noteIoTiles(tiling.options, tiled.io);
        if (auto const &dump = m_request.passOptions; dump.dumpAfter == "all")
            TW_TRY(writeFileAtomically(std::filesystem::path(dump.dumpFolder) / "program.txt", program::print(exe->program), Sync::No));
        logProgram(*exe);
        judgeMemory(*exe, tiled.detail->liveness);
        m_outcome.detail = std::move(tiled.detail);
        return {};
    }

    void logProgram(executable::Executable const &exe)
    {
        for (auto const &op : exe.program.ops)
            if (logs() && op.kind == "matmul") log(LogComponent::Planner, LogLevel::Debug, op.name + ": " + planText(op.plan));
        log(LogComponent::Compiler, LogLevel::Info,
            Message::of("%1 compute sets, %2 exchanges, %3 variables", std::to_string(exe.program.computeSets.size()),
                        std::to_string(exe.program.exchanges.size()), std::to_string(exe.program.variables.size())));
        for (std::size_t i = 0; i < exe.memory.ipus.size(); ++i) {
            auto const &ipu = exe.memory.ipus[i];
            log(LogComponent::Allocator, LogLevel::Info,
                Message::of("IPU %1: worst tile %2 uses %3 of %4 bytes with gaps, %5 without", std::to_string(i),
                            std::to_string(ipu.worstTile % exe.program.tilesPerIpu), ipu.worstBytes, machine().chip.bytesPerTile,
                            ipu.maxWithoutGaps));
        }
    }

    void store()
    {
        if (!m_cache || m_outcome.outOfMemory) return;
        auto const stored = m_cache->store(m_key, version(), executable::serialize(*m_outcome.executable));
        if (!stored.ok()) warn(stored.error());
        done("Cache store");
    }

    Status writeFiles()
    {
        auto const key = [&] { return cacheKey(m_project, m_request, machine(), *m_judgement.distribution, m_batch, m_beside.shapes); };
        bool const names = !m_project.config.isDefault("serialization_output_folder");
        auto const hash = names ? executable::toText(executable::keyHash(key())) : std::string();
        return writeRequestedFiles(m_project, m_request.environment, *m_outcome.executable, hash);
    }

    /// The analysis that an executable from the cache does not contain.
    Status analyseLoaded()
    {
        auto const &exe = *m_outcome.executable;
        if (!exe.emulated || (!m_request.forReport && exe.memory.fits)) return {};
        auto detail = std::make_shared<CompileDetail>();
        detail->liveness = lowering::analyseLiveness(exe.program);
        judgeMemory(exe, detail->liveness);
        if (m_request.forReport) {
            ThreadPool pool(compileThreads(m_request.threads, m_request.environment));
            detail->schedule = lowering::makeSchedule(exe.program, machine(), true, {&pool, &m_job});
            if (m_job.cancelled()) return cancelledError("compile");
            m_outcome.detail = std::move(detail);
        }
        done("Report detail");
        return {};
    }

    void count()
    {
        auto const &exe = *m_outcome.executable;
        auto const entry = m_outcome.entry();
        m_outcome.flopsPerStep = static_cast<std::int64_t>(static_cast<double>(countFlops(entry->graph, graph::RegionId(0)))
                                                           / static_cast<double>(entry->stepsPerExecution));
        for (auto const &set : exe.program.computeSets)
            for (auto const &family : set.families)
                m_outcome.vertices += exe.program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout.blocks();
        m_outcome.exchanges = static_cast<std::int64_t>(exe.program.exchanges.size());
    }

    CompileOutcome finish()
    {
        m_outcome.seconds = since(m_start);
        m_tap.drain(m_outcome.log, static_cast<std::int64_t>(m_outcome.seconds * 1e9));
        if (m_outcome.stopped) return std::move(m_outcome);
        m_outcome.peakHostBytes = peakOfProcess();
        if (m_memory) m_outcome.hostCompileBytes = m_memory->most();
        return std::move(m_outcome);
    }

    project::Project const &m_project;
    CompileRequest const &m_asked;
    CompileRequest m_request; ///< with the project's engine options in its environment
    Clock::time_point m_start = Clock::now(), m_phase = m_start;
    WarningTap m_tap;
    JobContext const &m_job;
    JobContext m_quiet; ///< without progress
    std::optional<MemoryMark> m_memory;
    Judgement m_judgement;
    std::int64_t m_batch = 1, m_steps = 1;
    EntriesBeside m_beside;
    executable::CacheKey m_key;
    std::optional<executable::ExecutableCache> m_cache;
    std::optional<FileLock> m_lock; ///< while this process compiles the key
    CompileOutcome m_outcome;
};

} // namespace

Result<CompileOutcome> compile(project::Project const &project, CompileRequest const &request, JobContext const &job)
{
    return project::guardedWork("compile", project, [&] { return Compilation(project, request, job).run(); });
}

} // namespace tilewright::compiler
