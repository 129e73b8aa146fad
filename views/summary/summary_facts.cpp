#include "views/summary/summary_facts.h"

#include "views/common/format.h"
#include "views/common/short_text.h"
#include "views/common/words.h"
#include "views/wording/tile_words.h"
#include "views/wording/bubble_words.h"
#include "views/wording/labels.h"
#include "views/wording/run_costs.h"
#include "views/wording/tile_memory_text.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

using namespace report;

namespace {

std::optional<double> figureOf(ReportData const &data, std::string_view name)
{
    for (auto const &row : data.figures)
        if (row.name == name) return row.value;
    return std::nullopt;
}

Destination view(char const *id) { return {QLatin1String(id), {}}; }

Destination tileDestination(int tile) { return destination(SelectionKind::Tile, tile, QStringLiteral("memory")); }

Figure figure(char const *id, QString label, QuantityKind kind, std::optional<double> value, Destination target = {},
              Better better = Better::Neither)
{
    Figure f;
    f.id = QLatin1String(id);
    f.label = std::move(label);
    f.kind = kind;
    f.value = value;
    f.target = std::move(target);
    f.better = better;
    return f;
}

Figure words(char const *id, QString label, QString const &value, Destination target = {})
{
    auto f = figure(id, std::move(label), QuantityKind::Words, {}, std::move(target));
    f.words = value;
    return f;
}

Figure from(Origin origin, QString const &source, Figure f)
{
    f.origin = origin;
    f.source = source;
    return f;
}
/// Bytes of the program: variables, code and buffers where the compile has placed them.
Figure modelled(Figure f) { return from(Origin::Modelled, Words::tr("the placement by this compile"), std::move(f)); }

double real(std::int64_t v) { return static_cast<double>(v); }

void setHostStep(Figure &figure, RunSoFar const &run)
{
    figure.value = run.hostSeconds / real(run.steps);
    figure.note = Words::tr("%Ln step(s) in %1", nullptr, pluralOf(run.steps)).arg(secondsText(run.hostSeconds));
}

/// `soFar`: null unless the newest run goes on.
QString splitCaption(ReportData const &d, RunFrame const &frame, RunSoFar const *soFar)
{
    auto run = d.runs[static_cast<std::size_t>(frame.run)];
    if (soFar && static_cast<std::size_t>(frame.run) + 1 == d.runs.size()) run.steps = soFar->steps;
    return Words::tr("Where a step's cycles go (%1; %2, %3)").arg(cyclesOrigin(frame.measured), runKindLabel(run.kind), runStepsText(run));
}

void addHead(SummaryFacts &facts, ReportData const &d)
{
    auto const frame = runFrame(d);
    if (auto const *verdict = verdictOfAll(d)) {
        auto const tile = tileMemory(*verdict);
        facts.hasVerdict = true;
        facts.fits = verdict->fits;
        auto fit = words("fits", Words::tr("Memory"), verdict->fits ? Words::tr("Fits") : Words::tr("Does not fit"), view("memory"));
        fit.note = verdict->fits ? Words::tr("every tile") : causeLabel(verdict->cause);
        facts.head << fit;
        auto const placed = placedQuantity(tile);
        auto worst = from(
            placed.origin, placed.source,
            figure("worst_tile", Words::tr("Worst tile"), placed.kind, placed.value, tileDestination(verdict->worstTile), Better::Lower));
        worst.note = QStringLiteral("%1: %2").arg(tileInSentence(d, verdict->worstTile), placedText(tile));
        worst.tip = tileFiguresText(tile);
        facts.head << worst;
    }
    // Cycles measured on tiles replace modelled ones.
    auto const measured = figureOf(d, kMeasuredCyclesPerStep);
    auto const ofRun = [&](Figure f) {
        return from(originOfCycles(measured.has_value()),
                    measured ? Words::tr("the cycle counters of the run") : Words::tr("the schedule of this compile"), std::move(f));
    };
    auto cycles = measured ? measured : figureOf(d, "cycles_per_step");
    if (!cycles && frame.steps > 0) cycles = real(frame.cycles) / real(frame.steps);
    if (cycles && *cycles > 0) {
        bool const clocked = d.target.clockHz > 0;
        auto step =
            ofRun(figure("step_time", Words::tr("Step"), QuantityKind::Seconds,
                         clocked ? std::optional(*cycles / real(d.target.clockHz)) : std::nullopt, view("execution"), Better::Lower));
        step.samples = figureOf(d, "samples_per_step").value_or(0);
        step.note = cyclesText(static_cast<std::int64_t>(*cycles));
        if (!facts.fits) step.note = Words::tr("%1, if it fitted").arg(step.note);
        facts.head << step;
    }
    auto samples = measured ? std::nullopt : figureOf(d, "samples_per_second");
    if (!samples && frame.cycles > 0) {
        auto const &run = d.runs[static_cast<std::size_t>(frame.run)];
        if (run.samples > 0) samples = real(run.samples) * real(d.target.clockHz) / real(frame.cycles);
    }
    if (samples && *samples > 0) {
        auto rate = ofRun(
            figure("samples_per_second", Words::tr("Samples per second"), QuantityKind::Rate, samples, view("execution"), Better::Higher));
        if (auto const perStep = figureOf(d, "samples_per_step")) rate.note = Words::tr("%1 in a step").arg(numberText(*perStep));
        facts.head << rate;
    }
    auto const split = splitOf(d, frame.run);
    if (double const all = real(frame.cycles) * static_cast<double>(frame.ipus.size()); all > 0) {
        auto use = ofRun(figure("utilisation", Words::tr("Utilisation"), QuantityKind::Share,
                                real(split[static_cast<std::size_t>(Phase::Compute)]) / all, view("execution"), Better::Higher));
        use.note = Words::tr("of the time spent computing");
        facts.head << use;
    }
    if (auto const overlapped = figureOf(d, "overlapped_cycles_per_step")) {
        auto f = from(Origin::Modelled, Words::tr("the schedule of this compile"),
                      figure("overlapped", Words::tr("Overlapped"), QuantityKind::Cycles, overlapped, view("execution"), Better::Higher));
        f.note = Words::tr("of a step's transfers, on the IO tiles, while the others compute");
        if (auto const exchange = figureOf(d, "io_exchange_cycles_per_step"))
            f.note = Words::tr("of a step's transfers, on the IO tiles, while the others compute; the exchange with the IO tiles costs %1")
                         .arg(cyclesText(std::llround(*exchange)));
        facts.head << f;
    }
    if (auto const bubble = figureOf(d, "bubble_share")) {
        auto f = from(Origin::Modelled, Words::tr("the schedule of this compile"),
                      figure("bubble_share", Words::tr("Bubbles"), QuantityKind::Share, bubble, view("execution"), Better::Lower));
        QString const causes = bubbleCauses(bubbleShares(d.stageTasks, d.bubbles));
        f.note = causes.isEmpty() ? Words::tr("of the pipeline's time") : Words::tr("of the pipeline's time: %1").arg(causes);
        if (auto const theory = figureOf(d, "bubble_share_theory"))
            f.tip = Words::tr("%1 of the schedule's places are empty").arg(shareText(*theory));
        facts.head << f;
    }
    if (auto const validating = figureOf(d, kValidationSeconds)) {
        auto f = figure("validation_seconds", Words::tr("Validation"), QuantityKind::Seconds, validating, view("training"), Better::Lower);
        f = ofRun(std::move(f));
        double const loading = figureOf(d, kValidationLoadingSeconds).value_or(0);
        f.note = loading > 0 ? Words::tr("on the device, and %1 to load executables for it").arg(secondsText(loading))
                             : Words::tr("on the device, as an entry of the executable that trains");
        facts.head << f;
    }
    for (std::size_t i = d.runs.size(); i-- > 0;) {
        auto const &run = d.runs[i];
        if (run.hostNs <= 0 || run.steps <= 0) continue;
        auto host = figure("host_step", Words::tr("Step"), QuantityKind::Seconds, std::nullopt, view("training"), Better::Lower);
        host = from(Origin::Measured, Words::tr("the run on this computer, without pauses"), std::move(host));
        host.samples = figureOf(d, "samples_per_step").value_or(0);
        setHostStep(host, {run.steps, real(run.hostNs) * 1e-9});
        facts.head << host;
        break;
    }
}

/// Tiles over their limit, by how much, and the largest variables of the worst one at its peak.
void addOverflow(SummaryFacts &facts, ReportData const &d)
{
    std::vector<VerdictRow> over;
    for (auto const &verdict : d.verdicts)
        if (verdict.scope == "ipu" && !verdict.fits) over.push_back(verdict);
    std::ranges::stable_sort(over, [](auto const &a, auto const &b) { return a.bytes - a.capacity > b.bytes - b.capacity; });
    for (auto const &verdict : over) {
        auto f = modelled(figure("over", tileLabel(d, verdict.worstTile), QuantityKind::Bytes, real(verdict.bytes - verdict.capacity),
                                 tileDestination(verdict.worstTile), Better::Lower));
        f.id += QString::number(verdict.scopeId);
        f.note = Words::tr("too much: %1, %2").arg(bytesOfText(verdict.bytes, verdict.capacity), causeLabel(verdict.cause));
        facts.overflow << f;
    }
    if (over.empty()) return;
    auto const largest = largestOnWorstTile(d);
    for (auto const &[variable, bytes] : largest.variables) {
        auto f = modelled(figure("largest", text(d.variables[static_cast<std::size_t>(variable)].name), QuantityKind::Bytes, real(bytes),
                                 destination(SelectionKind::Variable, variable, QStringLiteral("liveness")), Better::Lower));
        f.id += f.label;
        f.note = Words::tr("largest at its peak, on %1").arg(tileInSentence(d, largest.tile));
        facts.overflow << f;
    }
}

void addMachine(SummaryFacts &facts, ReportData const &d)
{
    auto const &t = d.target;
    if (t.tilesPerIpu <= 0) return;
    auto add = [&](Figure f) { facts.machine << std::move(f); };
    QString const kind = t.kind == "emulated_ipu" ? Words::tr("Emulated IPU")
        : t.kind == "ipu_model"                   ? Words::tr("IPU model")
                                                  : text(t.kind);
    auto machine = words("machine", Words::tr("Machine"), kind, view("config"));
    machine.note = text(t.architecture);
    add(machine);
    add(figure("ipus", Words::tr("IPUs"), QuantityKind::Count, t.ipus, view("config")));
    if (t.replicas > 1 || t.ipusPerReplica > 1) {
        add(figure("replicas", Words::tr("Replicas"), QuantityKind::Count, t.replicas, view("config")));
        add(figure("ipus_per_replica", Words::tr("IPUs of a replica"), QuantityKind::Count, t.ipusPerReplica, view("config")));
    }
    add(figure("tiles_per_ipu", Words::tr("Tiles of an IPU"), QuantityKind::Count, t.tilesPerIpu, view("memory")));
    if (t.ioTilesPerIpu > 0)
        add(figure("io_tiles", Words::tr("Tiles for input and output"), QuantityKind::Count, t.ioTilesPerIpu, view("memory")));
    add(figure("tile_bytes", Words::tr("Memory of a tile"), QuantityKind::Bytes, real(t.bytesPerTile), view("memory")));
    add(figure("ipu_bytes", Words::tr("Memory of an IPU"), QuantityKind::Bytes, real(t.bytesPerTile) * t.tilesPerIpu, view("memory")));
    if (t.streamingBytes > 0)
        add(figure("streaming_bytes", Words::tr("Streaming memory"), QuantityKind::Bytes, real(t.streamingBytes), view("memory")));
    add(figure("threads", Words::tr("Worker threads of a tile"), QuantityKind::Count, t.workerThreads, view("monitor")));
    add(figure("clock", Words::tr("Clock"), QuantityKind::Hertz, real(t.clockHz), view("monitor")));
    add(figure("sync_internal", Words::tr("Sync in an IPU"), QuantityKind::Cycles, real(t.syncCyclesInternal), view("execution")));
    if (t.ipus > 1)
        add(figure("sync_external", Words::tr("Sync of IPUs"), QuantityKind::Cycles, real(t.syncCyclesExternal), view("execution")));
    auto exchange = words("exchange_rate", Words::tr("Exchange of a tile"),
                          Words::tr("%1 bytes per cycle").arg(numberText(t.exchangeBytesPerCycle)), view("execution"));
    add(exchange);
}

void addCounts(SummaryFacts &facts, ReportData const &d, bool whole)
{
    auto add = [&](Figure f) { facts.counts << std::move(f); };
    auto const rows = [&](bool known, std::int64_t n) { return known ? std::optional(real(n)) : std::nullopt; };
    std::int64_t vertices = 0;
    for (auto const &set : d.computeSets) vertices += set.vertices;
    auto const count = [](auto const &table) { return static_cast<std::int64_t>(table.size()); };
    auto const orFigure = [&](std::int64_t n, char const *name) { return whole ? std::optional(real(n)) : figureOf(d, name); };
    add(figure("layers", Words::tr("Layers"), QuantityKind::Count, rows(whole, layerCount(d)), view("operations")));
    add(figure("operations", Words::tr("Operations"), QuantityKind::Count, rows(whole, operationCount(d)), view("operations")));
    add(figure("programs", Words::tr("Program steps"), QuantityKind::Count, rows(whole, programSteps(d)), view("program"), Better::Lower));
    add(figure("compute_sets", Words::tr("Compute sets"), QuantityKind::Count, orFigure(count(d.computeSets), "compute_sets"),
               view("program"), Better::Lower));
    add(figure("vertices", Words::tr("Vertices"), QuantityKind::Count, orFigure(vertices, "vertices"), view("program")));
    std::int64_t exchanges = 0;
    for (auto const &row : d.exchanges) exchanges += row.kind == "internal" || row.kind == "global";
    add(figure("exchanges", Words::tr("Exchanges"), QuantityKind::Count, orFigure(exchanges, "exchanges"), view("program"), Better::Lower));
    add(figure("variables", Words::tr("Variables"), QuantityKind::Count, rows(whole, count(d.variables)), view("liveness")));
    add(from(Origin::Modelled, Words::tr("the graph of this compile"),
             figure("flops_per_step", Words::tr("Floating-point operations of a step"), QuantityKind::Count, figureOf(d, "flops_per_step"),
                    view("operations"))));
    if (!d.remoteBuffers.empty()) {
        add(modelled(figure("remote_bytes", Words::tr("Remote buffers in streaming memory"), QuantityKind::Bytes,
                            figureOf(d, "streaming_bytes"), view("memory"))));
        add(modelled(figure("remote_copies", Words::tr("Copies of remote buffers in a step"), QuantityKind::Cycles,
                            figureOf(d, "remote_copy_cycles_per_step"), view("program"), Better::Lower)));
    }
    add(modelled(figure("total_bytes", Words::tr("Bytes used on all tiles, without gaps"), QuantityKind::Bytes, figureOf(d, "total_bytes"),
                        view("memory"), Better::Lower)));
    add(modelled(figure("total_bytes_with_gaps", Words::tr("Bytes placed on all tiles, gaps included"), QuantityKind::Bytes,
                        figureOf(d, "total_bytes_with_gaps"), view("memory"), Better::Lower)));
    add(modelled(figure("code_bytes", Words::tr("Code on all tiles"), QuantityKind::Bytes, rows(whole, codeOnTiles(d)), view("operations"),
                        Better::Lower)));
    // Reports of earlier versions have only the peak of the process, including its earlier work. Neither is judged: the same compile takes
    // twice as
    // much as the first of a process, and almost nothing if its program is cached.
    auto const own = figureOf(d, "host_compile_bytes");
    if (auto const host = own ? own : figureOf(d, "peak_host_bytes")) {
        auto f = own
            ? figure("host_compile_bytes", Words::tr("Memory that the compile took"), QuantityKind::Bytes, host, view("compile"))
            : figure("peak_host_bytes", Words::tr("Peak memory of the process that compiled"), QuantityKind::Bytes, host, view("compile"));
        add(from(Origin::Measured, Words::tr("this process, while it compiled"), std::move(f)));
    }
}

void addProvenance(SummaryFacts &facts, ReportData const &d)
{
    struct Entry {
        char const *key;
        QString label;
        Destination target;
    };
    Entry const entries[] = {{"time_created_utc", Words::tr("Made"), view("runs")},
                             {"time_compile_ms", Words::tr("Compile time"), view("compile")},
                             {"writer_version", Words::tr("Version"), {}},
                             {"execution_mode", Words::tr("Execution"), view("training")},
                             {"seed", Words::tr("Seed"), view("config")},
                             {"model_hash", Words::tr("Model, fingerprint"), view("canvas")},
                             {"config_hash", Words::tr("Configuration, fingerprint"), view("config")},
                             {"data_hash", Words::tr("Data, fingerprint"), view("data")},
                             {"executable_hash", Words::tr("Executable, fingerprint"), view("program")},
                             {"report_uuid", Words::tr("Report, identifier"), {}},
                             {"parent_report_uuid", Words::tr("Came from report"), view("runs")}};
    for (auto const &entry : entries) {
        auto const it = d.meta.find(entry.key);
        if (it == d.meta.end() || it->second.empty()) continue;
        if (std::string_view(entry.key) == "time_compile_ms") {
            auto f = figure("time_compile_ms", entry.label, QuantityKind::Seconds, QByteArray::fromStdString(it->second).toDouble() / 1000,
                            entry.target, Better::Lower);
            facts.provenance << from(Origin::Measured, Words::tr("the compile on this computer"), std::move(f));
            continue;
        }
        QString value = text(it->second);
        if (std::string_view(entry.key) == "execution_mode")
            value = value == QLatin1String("none") ? Words::tr("compiled, not run")
                : value == QLatin1String("tile")   ? Words::tr("tile by tile")
                : value == QLatin1String("fused")  ? Words::tr("fused on the host")
                                                   : value;
        auto f = words(entry.key, entry.label, value, entry.target);
        std::string_view const key = entry.key;
        if (key == "time_created_utc") {
            if (QString const when = whenText(QDateTime::fromString(value, Qt::ISODate)); !when.isEmpty()) f.words = when;
        } else if (key.ends_with("_hash") || key.ends_with("_uuid")) {
            f.words = shortHash(value);
        }
        if (f.words != value) f.whole = f.tip = value;
        facts.provenance << f;
    }
    for (auto const &[key, value] : d.meta)
        if (key.starts_with("host_") && !value.empty()) {
            auto f = words(key.c_str(), Words::tr("Computer: %1").arg(text(key.substr(5))), text(value));
            facts.provenance << f;
        }
}

void addSplits(SummaryFacts &facts, ReportData const &d)
{
    auto const frame = runFrame(d);
    if (frame.run < 0) return;
    double const steps = std::max<double>(1, real(frame.steps));
    QString const origin = cyclesOrigin(frame.measured);
    for (int const ipu : frame.ipus) {
        auto const split = splitOf(d, frame.run, ipu);
        Bar bar{Words::tr("IPU %1").arg(ipu), {}, ipu};
        for (int p = 0; p < kPhases; ++p) {
            auto const phase = static_cast<Phase>(p);
            auto const cycles = split[static_cast<std::size_t>(p)];
            QString const share = shareText(frame.cycles > 0 ? real(cycles) / real(frame.cycles) : 0.0);
            bar.parts << BarPart{
                phaseToken(phase), phaseLabel(phase), cycles,
                Words::tr("%1 a step, %2 (%3)").arg(cyclesText(static_cast<std::int64_t>(real(cycles) / steps)), share, origin)};
        }
        facts.splits << bar;
    }
    facts.splitCaption = splitCaption(d, frame, nullptr);
}

} // namespace

SummaryFacts summaryFacts(ReportData const &data, bool whole, RunSoFar const *soFar)
{
    SummaryFacts facts;
    facts.isWhole = whole;
    addHead(facts, data);
    addOverflow(facts, data);
    addMachine(facts, data);
    addCounts(facts, data, whole);
    addProvenance(facts, data);
    addSplits(facts, data);
    // Memory depends on the batch, and so does the duration of a step.
    for (auto *list : {&facts.head, &facts.counts, &facts.overflow})
        for (auto &f : *list)
            if (f.kind == QuantityKind::Bytes || f.id == QLatin1String("worst_tile"))
                f.samples = figureOf(data, "samples_per_step").value_or(0);
    if (soFar) advanceFacts(facts, data, *soFar);
    return facts;
}

bool advanceFacts(SummaryFacts &facts, ReportData const &data, RunSoFar const &soFar)
{
    auto const host = std::ranges::find(facts.head, QLatin1String("host_step"), &Figure::id);
    if (host == facts.head.end() || soFar.steps <= 0 || soFar.hostSeconds <= 0) return false;
    auto const before = host->note;
    setHostStep(*host, soFar);
    // A report that is about to replace that of the facts may hold no run yet.
    if (auto const frame = runFrame(data); frame.run >= 0 && !facts.splits.isEmpty())
        facts.splitCaption = splitCaption(data, frame, &soFar);
    return host->note != before;
}

Figure const *findFigure(SummaryFacts const &facts, QString const &id)
{
    for (auto const *list : {&facts.head, &facts.machine, &facts.counts, &facts.provenance, &facts.overflow})
        for (auto const &f : *list)
            if (f.id == id) return &f;
    return nullptr;
}

} // namespace tilewright::views
