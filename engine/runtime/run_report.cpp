#include "engine/runtime/run_report.h"

#include "engine/config/option_value.h"
#include "engine/core/build.h"
#include "engine/core/clock.h"
#include "engine/core/diagnostic_message.h"
#include "engine/core/internal_error.h"
#include "engine/core/json_text.h"
#include "engine/core/message_json.h"
#include "engine/core/text.h"
#include "engine/data/data_counts.h"
#include "engine/model/keras_json.h"
#include "engine/report/build_report.h"
#include "engine/report/build_report_run.h"
#include "engine/report/insights/insights.h"
#include "engine/report/quantities.h"
#include "engine/report/message_keys.h"
#include "engine/runtime/proposals.h"
#include "engine/store/report_writer.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <exception>
#include <random>

namespace tilewright::runtime {

using report::ReportData;

namespace {

std::int64_t nowNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string freshUuid()
{
    std::random_device device;
    auto const word = [&] { return static_cast<std::uint64_t>(device()) << 32 | device(); };
    char text[48];
    auto const a = word(), b = word();
    std::snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(a >> 32),
                  static_cast<unsigned>(a >> 16 & 0xffff), static_cast<unsigned>(a & 0xfff),
                  static_cast<unsigned>(0x8000 | (b >> 48 & 0x3fff)), static_cast<unsigned long long>(b & 0xffffffffffffull));
    return text;
}

std::vector<report::OptionRow> optionRows(project::Project const &p, int replicas)
{
    std::vector<report::OptionRow> rows;
    for (auto const &option : config::ipuConfigOptions()) {
        auto const value = p.config.get(option.path);
        if (!value.ok()) continue;
        report::OptionRow row;
        row.scope = "ipu_config";
        row.name = option.path;
        row.value = config::toText(*value);
        row.defaultValue = config::toText(option.defaultValue);
        row.source = p.config.isDefault(option.path) ? "default" : "project";
        rows.push_back(std::move(row));
    }
    auto const plan = model::trainingPlanJson(p.training), defaults = model::trainingPlanJson({});
    for (auto const &[name, value] : plan.items()) {
        auto const usual = defaults.value(name, model::OrderedJson());
        rows.push_back({"training", name, value.dump(), usual.dump(), value == usual ? "default" : "project"});
        // A machine with more IPUs than the model needs holds more replicas than were asked for.
        if (name == "replicas" && rows.back().value != std::to_string(replicas)) {
            rows.back().value = std::to_string(replicas);
            rows.back().source = "derived";
        }
    }
    // Only where the samples are known to be bytes: for others the run refuses the conversion on the device.
    if (p.data.path.empty())
        rows.push_back({"data", "convert", "\"" + p.data.convert + "\"", "\"host\"", p.data.convert == "host" ? "default" : "project"});
    for (auto const &[name, value] : p.engineOptions) {
        std::optional<std::string> usual;
        for (auto const &option : config::engineOptions())
            if (option.path == name) usual = config::toText(option.defaultValue);
        rows.push_back({"engine", name, value, usual, usual == value ? "default" : "project"});
    }
    return rows;
}

/// Samples of an epoch where the project itself tells them, before any data are opened.
std::optional<std::int64_t> embeddedSamples(project::Project const &p)
{
    if (!p.data.path.empty() || !p.data.validationPath.empty()) return std::nullopt;
    auto const counts = data::countData(project::dataSource(p), {}, {});
    return counts.ok() ? std::optional(counts->train) : std::nullopt;
}

/// Insight rules see a report, not the rules of training: their proposals are completed to what those take (settled), and dropped where
/// they take none.
void settleActions(std::vector<report::InsightRow> &insights, project::Project const &p,
                   std::function<std::optional<std::int64_t>()> const &countSamples)
{
    if (std::ranges::all_of(insights, [](auto const &insight) { return insight.action.empty(); })) return;
    auto const samples = countSamples();                  // may draw them
    std::map<std::string, std::optional<Proposal>> known; // several rules propose the same
    for (auto &insight : insights) {
        if (insight.action.empty()) continue;
        auto const action = orderedJsonOrDiscarded(insight.action);
        nlohmann::ordered_json kept;
        for (auto const &wish : proposalsOf(action)) {
            auto const [place, isNew] = known.try_emplace(toText(wish));
            if (isNew)
                if (auto proposal = settled(p, wish, samples); proposal.ok()) place->second = std::move(*proposal);
            if (!place->second) continue;
            if (kept.is_null()) kept["set"] = setOf(*place->second);
            else kept["or"].push_back({{"set", setOf(*place->second)}});
        }
        insight.action = kept.is_null() ? std::string() : kept.dump();
    }
}

std::string printGraphs(executable::Executable const &exe)
{
    std::string text;
    for (auto const &entry : exe.entries) text += graph::print(entry.graph);
    return text;
}

/// Everything a report needs of a compile, kept together: CompileFacts only refers.
report::CompileFacts factsOf(project::Project const &p, compiler::CompileOutcome const &compiled, Mode mode, bool ran)
{
    auto const &exe = *compiled.executable;
    report::CompileFacts facts{exe.program, compiled.detail->liveness, exe.memory, compiled.detail->schedule, compiled.machine};
    facts.options = optionRows(p, exe.replicas);
    for (auto const &layer : p.model.layers) facts.layers.push_back(layer.name);
    auto const entry = compiled.entry();
    bool const whole = program::overlappedLoop(exe.program, compiled.number).valid(); // a pattern is an execution
    facts.samplesPerPattern = entry->batchSize * exe.replicas * (whole ? entry->stepsPerExecution : entry->microBatchesPerUpdate);
    facts.stepsPerPattern = entry->kind == "train" && !whole ? entry->microBatchesPerUpdate
                                                             : entry->stepsPerExecution / std::max<std::int64_t>(1, entry->patternRepeats);
    for (std::size_t i = 0; i < exe.entries.size(); ++i)
        if (auto const &other = exe.entries[i]; i != compiled.number)
            facts.entries.push_back({other.name, other.cyclesPerStep(), other.batchSize * exe.replicas});
    auto const own = exe.find("validate");
    if (auto const validation = own ? own : exe.find("evaluate");
        validation && project::dataSource(p).validates() && entry->kind == "train")
        facts.validationCyclesPerStep = (*validation)->cyclesPerStep();
    facts.streamBuffering = p.config.boolean("optimizations.prefetch_data_streams") ? static_cast<int>(p.training.elementsAhead()) : 1;
    facts.peakHostBytes = compiled.peakHostBytes;
    facts.hostCompileBytes = compiled.hostCompileBytes;
    facts.meta["report_uuid"] = freshUuid();
    facts.meta["title"] = exe.name;
    facts.meta["target"] = p.target;
    facts.meta["writer_version"] = std::string(version());
    facts.meta["model_hash"] = executable::toText(executable::contentHash(model::printKerasJson(p.model)));
    facts.meta["config_hash"] = executable::toText(executable::contentHash(p.config.str()));
    facts.meta["executable_hash"] = executable::toText(executable::contentHash(printGraphs(exe)));
    facts.meta["seed"] = std::to_string(p.training.seed);
    facts.meta["execution_mode"] = !ran ? "none" : mode == Mode::Fused ? "fused" : "tile";
    facts.meta["parent_report_uuid"] = "";
    facts.meta["time_created_utc"] = utcNow();
    facts.meta["time_compile_ms"] = std::to_string(static_cast<std::int64_t>(compiled.seconds * 1000));
    std::int64_t at = 0;
    auto const row = [&](std::string name, double seconds) {
        report::CompilePassRow pass;
        pass.name = std::move(name);
        pass.startNs = at;
        at += static_cast<std::int64_t>(seconds * 1e9);
        pass.endNs = at;
        return pass;
    };
    for (auto const &phase : compiled.phases) {
        auto pass = row(phase.name, phase.seconds);
        int const parent = static_cast<int>(facts.compilePasses.size());
        if (phase.name == "Cache look-up") {
            pass.cache = compiled.cache;
            pass.cacheReason = compiled.cacheReason;
            if (!compiled.cacheReason.empty()) facts.meta[std::string(report::kCacheMessage)] = messageToJson(compiled.cacheReason).dump();
        }
        std::int64_t const start = pass.startNs;
        facts.compilePasses.push_back(std::move(pass));
        if (phase.name != "Graph optimisations") continue;
        std::int64_t const resume = at;
        at = start;
        for (auto const &stats : compiled.passes) {
            auto sub = row(stats.name, stats.seconds);
            sub.parent = parent;
            sub.itemsBefore = stats.nodesBefore;
            sub.itemsAfter = stats.nodesAfter;
            facts.compilePasses.push_back(std::move(sub));
        }
        at = resume;
    }
    return facts;
}

} // namespace

namespace {

void addLog(ReportData &data, std::vector<compiler::LogLine> const &lines)
{
    std::vector<std::string> messages;
    data.log = logRows(lines, report::kNone, &messages);
    for (std::size_t i = 0; i < messages.size(); ++i)
        if (!messages[i].empty()) data.meta[report::logMessageKey(static_cast<int>(i))] = messages[i];
}

/// The fitting changes as the action of the insight, the first one under "set" and the others under "or"; their results among its numbers,
/// in the same order.
void addRemedies(std::vector<report::InsightRow> &insights, Remedies const &remedies)
{
    auto const misfit = std::ranges::find(insights, "memory.does-not-fit", &report::InsightRow::rule);
    if (misfit == insights.end() || remedies.fitting.empty()) return;
    auto action = nlohmann::ordered_json::object(), numbers = orderedJsonOrDiscarded(misfit->numbers);
    for (auto const &trial : remedies.fitting) {
        auto set = nlohmann::ordered_json::array();
        for (auto const &[path, value] : trial.proposal.set) {
            auto const typed = orderedJsonOrDiscarded(value);
            set.push_back({{"path", path}, {"value", typed.is_discarded() ? nlohmann::ordered_json(value) : typed}});
        }
        if (!action.contains("set")) action["set"] = std::move(set);
        else action["or"].push_back({{"set", std::move(set)}});
        numbers["tried"].push_back({{"share", trial.share()}, {"samples_per_second", trial.samplesPerSecond}});
    }
    misfit->action = action.dump();
    misfit->numbers = numbers.dump();
}

} // namespace

Status writeCompileReport(std::filesystem::path const &path, project::Project const &project, compiler::CompileOutcome const &compiled,
                          HostWork const &work, Remedies const *remedies)
{
    if (!compiled.executable->emulated || !compiled.detail)
        return makeError(ErrorKind::Usage, "report.cpu", path.string(), Message::of("the cpu target has no IPU program to report on."),
                         Message::of("Choose an IPU target, such as gc200."));
    auto const facts = factsOf(project, compiled, Mode::Fused, false);
    if (work.job) work.job->report("Writing the report", 1.0);
    ReportData data = report::buildCompileReport(facts, work);
    if (work.cancelled()) return cancelledError("report");
    if (compiled.executable->memory.fits || compiled.machine.kind == target::MachineKind::IpuModel) {
        int const pattern = report::appendPattern(data, facts);
        report::appendRun(data, facts, pattern, report::staticSchedule());
    }
    data.insights = report::findInsights(data);
    settleActions(data.insights, project, [&] { return embeddedSamples(project); });
    if (remedies) addRemedies(data.insights, *remedies);
    addLog(data, compiled.log);
    return store::writeReport(path, data, work);
}

namespace {

/// What an event of the host counts as where time is told by phase.
std::string hostPhase(std::string const &name)
{
    if (name == HostRecord::kExecute) return "compute";
    return name == HostRecord::kCopy || name == HostRecord::kGather ? "stream" : "host";
}

} // namespace

struct RunReport::Impl {
    std::filesystem::path path;
    project::Project project;
    compiler::CompileOutcome compiled;
    Mode mode = Mode::Fused;
    std::optional<report::CompileFacts> facts;
    ReportData data; ///< compile parts and pattern, for the run's totals
    std::optional<store::ReportWriter> writer;
    Status failed;
    int pattern = 0, run = 0;
    std::vector<int> stepSeries; ///< loss, metrics
    std::vector<std::pair<std::string, int>> epochSeries;
    std::vector<report::SeriesPoints> pending; ///< of stepSeries, written in blocks
    std::int64_t startNs = 0;
    HostRecord *host = nullptr;
    int firstHostLane = 0;
    std::vector<int> hostTypes; ///< ids of the record's event types
    std::int64_t steps = 0;     ///< done so far
    std::int64_t lastStep = 0;  ///< its number, which a run that is resumed counts on
    std::int64_t toldPatterns = 0;
    std::chrono::steady_clock::time_point told;    ///< when the totals were written last
    std::chrono::steady_clock::duration telling{}; ///< and how long that took

    void note(Status status)
    {
        if (failed.ok() && !status.ok()) failed = std::move(status);
    }
    /// Part of the report that goes in whole or not at all. An exception (no memory, a failed check) ends the report; the run goes on.
    template <typename Body> void attempt(Body const &body)
    {
        if (!failed.ok()) return;
        try {
            writer->hold();
            body();
            note(writer->release());
        } catch (std::exception const &) {
            failed = currentException(path.filename().string(), Message::of("the report of the run"));
        }
        if (!failed.ok()) writer->abandon(failed.error());
    }
    int epochSeriesOf(std::string const &name)
    {
        for (auto const &[known, id] : epochSeries)
            if (known == name) return id;
        auto id = writer->addSeries({run, name, "", "epoch"});
        if (!id.ok()) {
            note(id.error());
            return -1;
        }
        epochSeries.emplace_back(name, *id);
        return *id;
    }
    Status beginRun(report::RunRow const &row)
    {
        TW_ASSIGN(run, writer->addRun(row));
        for (auto const &spec : compiled.entry()->outfeed) {
            TW_ASSIGN(int const id, writer->addSeries({run, spec.name, "", "step"}));
            stepSeries.push_back(id);
        }
        pending.resize(stepSeries.size());
        firstHostLane = static_cast<int>(data.lanes.size());
        for (auto const &lane : hostLaneRows(firstHostLane)) { TW_ASSIGN([[maybe_unused]] int const id, writer->addLane(lane)); }
        flushHost();
        return {};
    }
    void addHostTypes()
    {
        auto const names = host->typeNames();
        while (hostTypes.size() < names.size()) {
            report::EventTypeRow row;
            row.name = names[hostTypes.size()];
            row.phase = hostPhase(row.name);
            auto const id = writer->addEventType(row);
            if (!id.ok()) note(id.error());
            hostTypes.push_back(id.ok() ? *id : 0);
        }
    }
    /// Host lanes use pattern 0, the recording.
    void flushHost()
    {
        for (int lane = 0; lane < HostRecord::kLanes; ++lane) {
            auto const events = host->takeEvents(static_cast<HostRecord::Lane>(lane));
            if (events.empty()) continue;
            addHostTypes();
            report::EventColumns columns;
            for (auto const &event : events)
                columns.add(event.begin, event.end - event.begin, hostTypes[static_cast<std::size_t>(event.type)], event.argument);
            note(writer->appendEvents(0, firstHostLane + lane, columns));
        }
        std::vector<std::string> messages;
        auto const rows = logRows(host->takeLog(), run, &messages);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const id = writer->addLog(rows[i]);
            if (!id.ok()) note(id.error());
            else if (!messages[i].empty()) note(writer->setMeta(report::logMessageKey(*id), messages[i]));
        }
    }
    report::RunFacts factsOfRun(std::string state, std::int64_t patterns) const
    {
        report::RunFacts made;
        made.run.name = facts->meta.at("title");
        made.run.kind = "train";
        made.run.mode = mode == Mode::Fused ? "fused" : "tile";
        made.run.state = std::move(state);
        made.run.hostStartNs = startNs;
        made.patterns = patterns;
        return made;
    }
    std::int64_t patternsDone() const { return steps / std::max<std::int64_t>(1, facts->stepsPerPattern); }
    void putTotals(report::RunTables const &tables)
    {
        note(writer->updateRun(run, tables.run));
        note(writer->put(tables.place));
        for (auto const &row : tables.stepStats) note(writer->put(row));
        for (auto const &row : tables.ipuSplits) note(writer->put(row));
    }
    /// What the run adds up to so far: after its first update, then at the ends of epochs while that is a small part of
    /// the time.
    void tellTotals()
    {
        auto const now = std::chrono::steady_clock::now();
        std::int64_t const patterns = patternsDone();
        if (patterns == toldPatterns || (toldPatterns > 0 && now - told < 50 * telling)) return;
        putTotals(report::runTables(data, *facts, pattern, run, factsOfRun("running", patterns)));
        note(writer->flush());
        toldPatterns = patterns;
        told = std::chrono::steady_clock::now();
        telling = told - now;
    }
    void flushPoints()
    {
        for (std::size_t i = 0; i < pending.size(); ++i) {
            if (pending[i].x.empty()) continue;
            note(writer->appendPoints(stepSeries[i], pending[i]));
            pending[i] = {};
        }
        note(writer->tick());
    }
};

RunReport::RunReport() = default;
RunReport::~RunReport() = default;

Status RunReport::begin(std::filesystem::path const &path, project::Project const &project, compiler::CompileOutcome const &compiled,
                        data::Dataset const &dataset, std::int64_t stepsPerEpoch, Mode mode, HostRecord &host)
{
    if (!compiled.executable->emulated || !compiled.detail)
        return makeError(ErrorKind::Usage, "report.cpu", path.string(), Message::of("the cpu target has no IPU program to report on."),
                         Message::of("Choose an IPU target, such as gc200, or train without --report."));
    m_impl = std::make_unique<Impl>();
    auto &m = *m_impl;
    m.path = path;
    m.project = project;
    m.compiled = compiled;
    m.mode = mode;
    m.host = &host;
    m.startNs = nowNs();
    m.facts.emplace(factsOf(m.project, m.compiled, mode, true));
    m.facts->meta["steps_per_epoch"] = std::to_string(stepsPerEpoch);
    m.facts->meta["data_hash"] = std::to_string(dataset.contentHash);
    m.data = report::buildCompileReport(*m.facts);
    m.pattern = report::appendPattern(m.data, *m.facts);
    {
        // Rules of time read a run; the schedule of one update tells them what each update will be.
        ReportData probe = m.data;
        report::RunFacts one;
        one.run.kind = "profile";
        report::appendRun(probe, *m.facts, m.pattern, one);
        m.data.insights = report::findInsights(probe);
        settleActions(m.data.insights, m.project,
                      [&] { return dataset.x.empty() ? embeddedSamples(m.project) : std::optional<std::int64_t>(dataset.x.count()); });
        for (auto &insight : m.data.insights)
            if (insight.subjectKind == "run") insight.subjectId = 0;
    }
    addLog(m.data, compiled.log);
    TW_ASSIGN(auto writer, store::ReportWriter::create(path));
    m.writer.emplace(std::move(writer));
    TW_TRY(m.writer->write(m.data));
    report::RunRow row;
    row.name = m.facts->meta["title"];
    row.kind = "train";
    row.mode = mode == Mode::Fused ? "fused" : "tile";
    row.state = "running";
    row.hostStartNs = m.startNs;
    m.attempt([&] { m.note(m.beginRun(row)); });
    TW_TRY(m.failed);
    return m.writer->flush();
}

void RunReport::step(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics)
{
    if (!m_impl) return;
    auto &m = *m_impl;
    m.attempt([&] {
        for (std::size_t i = 0; i < m.pending.size(); ++i) {
            m.pending[i].x.push_back(step);
            m.pending[i].y.push_back(i == 0 ? loss : i - 1 < metrics.size() ? metrics[i - 1].second : 0.0);
        }
        m.lastStep = step;
        ++m.steps;
        if (m.toldPatterns == 0) m.tellTotals();
        if (m.pending.front().x.size() >= 256) m.flushPoints();
    });
}

void RunReport::epoch(EpochResult const &result)
{
    if (!m_impl) return;
    auto &m = *m_impl;
    m.attempt([&] {
        m.flushPoints();
        auto const point = [&](std::string const &name, double value) {
            if (int const id = m.epochSeriesOf(name); id >= 0) m.note(m.writer->appendPoint(id, result.epoch, value));
        };
        point("epoch_loss", result.loss);
        for (auto const &[name, value] : result.metrics) point("epoch_" + name, value);
        if (result.learningRate) point("learning_rate", *result.learningRate);
        if (result.valLoss) point("val_loss", *result.valLoss);
        for (auto const &[name, value] : result.valMetrics) point(name, value);
        point("epoch_seconds_here", result.hostSeconds);
        point("epoch_seconds_device", result.device.seconds);
        m.flushHost();
        m.tellTotals();
        m.note(m.writer->setWatermark("series", m.lastStep));
        m.note(m.writer->flush());
    });
}

Status RunReport::finish(TrainOutcome const &outcome, std::optional<program::MeasuredCycles> measured)
{
    if (!m_impl) return {};
    auto &m = *m_impl;
    m.attempt([&] {
        m.flushPoints();
        if (outcome.stopped)
            m.host->log(config::LogComponent::Runtime,
                        outcome.stopped->kind == ErrorKind::Cancelled ? config::LogLevel::Info : config::LogLevel::Err,
                        toMessage(*outcome.stopped), outcome.stopped->code);
        if (std::int64_t const omitted = m.host->omitted(); omitted > 0)
            m.host->log(config::LogComponent::Runtime, config::LogLevel::Info,
                        Message::of("%1 further events of the host were not recorded: a lane keeps the first %2.", omitted,
                                    static_cast<std::int64_t>(HostRecord::kMostEvents)));
        m.flushHost();
        std::int64_t const patterns = outcome.steps / std::max<std::int64_t>(1, m.facts->stepsPerPattern);
        auto facts = m.factsOfRun(outcome.kept.lost()                                 ? "failed"
                                      : !outcome.stopped                              ? "done"
                                      : outcome.stopped->kind == ErrorKind::Cancelled ? "stopped"
                                                                                      : "failed",
                                  patterns);
        facts.run.hostNs = static_cast<std::int64_t>(outcome.hostSeconds * 1e9);
        // A run that failed ended inside an update, which would count as the others do.
        bool const whole = !outcome.stopped || outcome.stopped->kind == ErrorKind::Cancelled;
        if (measured && whole && patterns > 0) {
            m.note(m.writer->put(report::FigureRow{std::string(report::kMeasuredCyclesPerStep),
                                                   static_cast<double>(measured->total) / static_cast<double>(outcome.steps), "cycles",
                                                   "measured"}));
            facts.measured = std::move(measured);
        }
        double validating = 0, loading = 0;
        bool onTiles = false;
        for (auto const &epoch : outcome.epochs) {
            validating += epoch.valDevice.seconds;
            loading += epoch.valLoadingSeconds;
            onTiles = onTiles || epoch.valDevice.measured;
        }
        if (validating > 0) {
            m.note(m.writer->put(
                report::FigureRow{std::string(report::kValidationSeconds), validating, "seconds", onTiles ? "measured" : "modelled"}));
            m.note(m.writer->put(report::FigureRow{std::string(report::kValidationLoadingSeconds), loading, "seconds", "modelled"}));
        }
        auto tables = report::runTables(m.data, *m.facts, m.pattern, m.run, facts);
        if (patterns == 0) m.note(m.writer->updateRun(m.run, tables.run));
        else {
            m.putTotals(tables);
            for (auto const &[name, values] : tables.tileMetrics) {
                auto const vec = m.writer->addTileVec(values);
                if (vec.ok()) m.note(m.writer->put(report::RunTileMetricRow{m.run, name, *vec}));
                else m.note(vec.error());
            }
        }
        if (m.failed.ok()) m.note(m.writer->finish()); // commits what is held
    });
    auto status = m.failed;
    m_impl.reset();
    return status;
}

} // namespace tilewright::runtime
