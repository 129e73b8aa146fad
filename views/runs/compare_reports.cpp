#include "views/runs/compare_reports.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/runcontrol/run_series.h"
#include "views/wording/labels.h"
#include "views/wording/run_costs.h"

#include "engine/model/metrics.h"
#include "engine/report/match.h"
#include "engine/report/quantities.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace tilewright::views {

using namespace report;

namespace {

template <typename T> T const &at(std::vector<T> const &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> T &at(std::vector<T> &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> int count(std::vector<T> const &rows) { return static_cast<int>(rows.size()); }

/// One value of a thing.
struct Field {
    QString name;
    ComparedUnit unit = ComparedUnit::Number;
    std::optional<double> number;
    QString words;
    int better = 0;
};

/// Things under a key that means the same in both reports; of equal keys the second is "key (2)".
struct Things {
    struct Thing {
        QString name, layer;
        std::vector<Field> fields;
        int variable = kNone, tile = kNone;
    };
    std::vector<QString> order;
    std::map<QString, Thing> things;
    std::map<QString, int> met;

    void add(QString const &key, Thing thing)
    {
        int const nth = ++met[key];
        QString const own = nth > 1 ? QStringLiteral("%1 (%2)").arg(key).arg(nth) : key;
        if (nth > 1) thing.name += QStringLiteral(" (%1)").arg(nth);
        order.push_back(own);
        things.emplace(own, std::move(thing));
    }
};

Field number(QString name, ComparedUnit unit, double value, int better = 0) { return {std::move(name), unit, value, {}, better}; }
Field words(QString name, QString value) { return {std::move(name), ComparedUnit::Words, {}, std::move(value), 0}; }

void compare(ComparedKind kind, Things const &a, Things const &b, ReportComparison &out)
{
    auto names = a.order;
    for (auto const &name : b.order)
        if (!a.things.contains(name)) names.push_back(name);
    for (auto const &name : names) {
        auto const inA = a.things.find(name), inB = b.things.find(name);
        bool const hasA = inA != a.things.end(), hasB = inB != b.things.end();
        auto const &shown = hasB ? inB->second : inA->second;
        ReportDifference row;
        row.kind = kind;
        row.name = shown.name;
        row.layer = shown.layer;
        row.variable = hasB ? shown.variable : kNone;
        row.tile = hasB ? shown.tile : kNone;
        if (!hasA || !hasB) {
            row.where = hasA ? ReportDifference::OnlySource : ReportDifference::OnlyTarget;
            // The first figure says how large the thing was.
            if (!shown.fields.empty()) {
                auto const &field = shown.fields.front();
                row.field = field.name;
                row.unit = field.unit;
                (hasA ? row.source : row.target) = field.number;
                (hasA ? row.sourceText : row.targetText) = field.words;
            }
            out.rows.push_back(row);
            continue;
        }
        for (auto const &field : inB->second.fields) {
            auto const old = std::ranges::find(inA->second.fields, field.name, &Field::name);
            if (old == inA->second.fields.end()) continue;
            if (old->number == field.number && old->words == field.words) continue;
            auto one = row;
            one.field = field.name;
            one.unit = field.unit;
            one.source = old->number;
            one.target = field.number;
            one.sourceText = old->words;
            one.targetText = field.words;
            one.better = field.better;
            out.rows.push_back(std::move(one));
        }
    }
}

bool isUnfinished(ReportData const &d)
{
    int const run = trainingRun(d);
    return run >= 0 && at(d.runs, run).state != "done";
}

double figureOf(ReportData const &d, std::string_view name)
{
    auto const it = std::ranges::find(d.figures, name, &FigureRow::name);
    return it == d.figures.end() ? 0 : it->value;
}

/// Cycles of a step over its samples; 0: not known.
double cyclesOfSample(ReportData const &d)
{
    double const samples = samplesOfStep(d);
    return samples > 0 ? figureOf(d, "cycles_per_step") / samples : 0;
}

/// Figures of the compile; what was measured on this computer is no difference of the project.
Things figures(ReportData const &d, bool batchesDiffer)
{
    static std::map<std::string, std::pair<char const *, int>> const known{
        {"cycles_per_step", {QT_TRANSLATE_NOOP("views", "Cycles of a step"), -1}},
        {std::string(report::kMeasuredCyclesPerStep), {QT_TRANSLATE_NOOP("views", "Cycles of a step, measured on the tiles"), -1}},
        {"samples_per_second", {QT_TRANSLATE_NOOP("views", "Samples per second"), 1}},
        {"seconds_per_step", {QT_TRANSLATE_NOOP("views", "Time of a step"), -1}},
        {"flops_per_step", {QT_TRANSLATE_NOOP("views", "FLOPs of a step"), 0}},
        {"ipu_utilisation", {QT_TRANSLATE_NOOP("views", "Utilisation"), 1}},
        {"overlapped_cycles_per_step", {QT_TRANSLATE_NOOP("views", "Overlapped with compute, a step"), 1}},
        {"io_exchange_cycles_per_step", {QT_TRANSLATE_NOOP("views", "Exchange with the IO tiles, a step"), -1}},
        {"bubble_share", {QT_TRANSLATE_NOOP("views", "Bubbles"), -1}},
        {"bubble_share_theory", {QT_TRANSLATE_NOOP("views", "Empty places of the schedule"), -1}},
        {"max_tile_bytes_with_gaps", {QT_TRANSLATE_NOOP("views", "Worst tile, placed"), -1}},
        {"max_tile_bytes", {QT_TRANSLATE_NOOP("views", "Most used on a tile, without gaps"), -1}},
        {"total_bytes", {QT_TRANSLATE_NOOP("views", "All tiles, used without gaps"), -1}},
        {"total_bytes_with_gaps", {QT_TRANSLATE_NOOP("views", "All tiles, placed"), -1}},
        {"compute_sets", {QT_TRANSLATE_NOOP("views", "Compute sets"), -1}},
        {"vertices", {QT_TRANSLATE_NOOP("views", "Vertices"), 0}},
        {"exchanges", {QT_TRANSLATE_NOOP("views", "Exchanges"), -1}},
        {"ipus", {QT_TRANSLATE_NOOP("views", "IPUs"), 0}},
        {"replicas", {QT_TRANSLATE_NOOP("views", "Replicas"), 0}},
        {"samples_per_step", {QT_TRANSLATE_NOOP("views", "Samples of a step"), 0}},
        {"validation_cycles_per_step", {QT_TRANSLATE_NOOP("views", "Cycles of a step of the validation"), -1}},
        {"evaluate_cycles_per_step", {QT_TRANSLATE_NOOP("views", "Cycles of a step of the evaluation"), -1}},
        {"predict_cycles_per_step", {QT_TRANSLATE_NOOP("views", "Cycles of a step of the prediction"), -1}},
        {std::string(report::kValidationSeconds), {QT_TRANSLATE_NOOP("views", "Validation on the device"), -1}},
        {std::string(report::kValidationLoadingSeconds), {QT_TRANSLATE_NOOP("views", "Loading executables to validate"), -1}}};
    Things things;
    for (auto const &row : d.figures) {
        if (row.origin == "measured" && row.name != report::kMeasuredCyclesPerStep) continue;
        auto const it = known.find(row.name);
        QString const name = it == known.end() ? text(row.name) : QCoreApplication::translate("views", it->second.first);
        auto const unit = row.unit == "bytes"           ? ComparedUnit::Bytes
            : row.unit == "cycles"                      ? ComparedUnit::Cycles
            : row.unit == "seconds"                     ? ComparedUnit::Seconds
            : row.unit == "fraction"                    ? ComparedUnit::Share
            : row.unit == "count" || row.unit == "flop" ? ComparedUnit::Count
                                                        : ComparedUnit::Number;
        QString const field =
            row.origin == "measured" ? Words::tr("Value") : Words::tr("Value (%1)").arg(originLabel(row.origin)); // its name says where
        bool const ofStep = row.name == "cycles_per_step" || row.name == kMeasuredCyclesPerStep || row.name == "seconds_per_step";
        things.add(text(row.name),
                   {name, {}, {number(field, unit, row.value, it == known.end() || (ofStep && batchesDiffer) ? 0 : it->second.second)}});
        if (double const cycles = cyclesOfSample(d); batchesDiffer && row.name == "cycles_per_step" && cycles > 0)
            things.add(QStringLiteral("cycles_per_sample"),
                       {Words::tr("Cycles of a sample"), {}, {number(field, ComparedUnit::Number, cycles, -1)}});
    }
    for (auto const &verdict : d.verdicts) {
        if (verdict.scope != "ipu") continue;
        QString const name = Words::tr("Memory of IPU %1").arg(verdict.scopeId);
        things.add(QStringLiteral("verdict%1").arg(verdict.scopeId),
                   {name,
                    {},
                    {words(Words::tr("Fits"), verdict.fits ? Words::tr("yes") : Words::tr("no")),
                     number(Words::tr("Worst tile (modelled)"), ComparedUnit::Bytes, static_cast<double>(verdict.bytes), -1)}});
    }
    return things;
}

/// Whether lower is better: losses are errors, and so are metrics that are the mean of one.
bool isError(QString const &name)
{
    if (name.contains(QLatin1String("loss"))) return true;
    auto const word = name.startsWith(QLatin1String("val_")) ? name.mid(4) : name;
    auto const metric = model::parseMetric(model::Json(word.toStdString()));
    if (!metric.ok()) return name.contains(QLatin1String("error"));
    if (metric->className == "crossentropy") return true;
    auto const *spec = model::findMetricSpec(metric->className);
    return spec && (spec->isError || (!spec->lossClass.empty() && !spec->negated));
}

/// What training came to.
Things results(ComparedReport const &side)
{
    Things things;
    for (auto const &[name, value] : side.results) {
        things.add(name, {name, {}, {number(Words::tr("At the end of the run"), ComparedUnit::Number, value, isError(name) ? -1 : 1)}});
    }
    return things;
}

Things options(ReportData const &d)
{
    Things things;
    for (auto const &row : d.options) {
        QString const name = text(row.scope) + QLatin1Char('.') + text(row.name);
        things.add(name, {name, {}, {words(Words::tr("Value"), text(row.value))}});
    }
    return things;
}

Things memory(ComparedReport const &side)
{
    Things things;
    for (int i = 0; i < std::min(count(side.data.memoryParts), count(side.memoryTotals)); ++i) {
        auto const &part = at(side.data.memoryParts, i);
        QString const name = QStringLiteral("%1, %2%3")
                                 .arg(categoryLabel(report::toText(part.category)), regionLabel(report::toText(part.region)),
                                      part.overlapped ? Words::tr(", overlapped") : QString());
        things.add(name,
                   {name,
                    {},
                    {number(Words::tr("All tiles (modelled)"), ComparedUnit::Bytes, static_cast<double>(at(side.memoryTotals, i)), -1)}});
    }
    return things;
}

/// Names from the outermost layer inwards.
QString pathOf(ReportData const &d, int op)
{
    auto const path = text(layerPath(d, op));
    return path.isEmpty() ? Words::tr("Program") : path;
}

/// Cycles of a step by operation, everything below it included.
std::vector<double> cyclesByOp(ReportData const &d)
{
    auto const frame = runFrame(d);
    std::vector<double> cycles;
    for (auto const &cost : costsByOp(d, costsByProgram(d, frame.run))) cycles.push_back(cyclesPerStep(frame, cost.cycles));
    return cycles;
}

/// `keys`: by operation, the same for both of a pair.
void operations(ReportData const &d, bool batchesDiffer, std::vector<QString> const &keys, Things &layers, Things &inner)
{
    auto const cycles = cyclesByOp(d);
    std::map<QString, int> met;
    for (int i = 0; i < count(d.ops); ++i) {
        auto const &op = at(d.ops, i);
        if (op.level != "keras" && op.level != "graph") continue;
        QString const path = pathOf(d, i);
        std::vector<Field> fields{
            number(Words::tr("Cycles of a step (modelled)"), ComparedUnit::Cycles, at(cycles, i), batchesDiffer ? 0 : -1),
            number(Words::tr("Code (modelled)"), ComparedUnit::Bytes, std::round(op.codeAttributed), -1),
            number(Words::tr("Variables (modelled)"), ComparedUnit::Bytes, static_cast<double>(op.variableBytes), -1),
            number(Words::tr("FLOPs"), ComparedUnit::Count, static_cast<double>(op.flops))};
        bool const synthetic = op.level == "keras" && op.kind == kSyntheticKind;
        bool const isLayer = op.level == "keras";
        QString name = isLayer ? path : QStringLiteral("%1 · %2").arg(text(op.name), passLabel(op.pass));
        if (int const nth = ++met[name]; nth > 1) name += QStringLiteral(" (%1)").arg(nth);
        if (isLayer) layers.add(at(keys, i), {name, synthetic ? QString() : text(op.name), std::move(fields)});
        else inner.add(at(keys, i), {name, path.section(QLatin1Char('/'), -1), std::move(fields)});
    }
}

Things variables(ReportData const &d)
{
    Things things;
    for (int i = 0; i < count(d.variables); ++i) {
        auto const &row = at(d.variables, i);
        QString const path = pathOf(d, row.op);
        Things::Thing thing{text(row.name),
                            path.section(QLatin1Char('/'), -1),
                            {number(Words::tr("Bytes (modelled)"), ComparedUnit::Bytes, static_cast<double>(row.bytes), -1),
                             words(Words::tr("Shape"), text(tilewright::toText(row.shape))), words(Words::tr("Type"), text(row.dtype)),
                             words(Words::tr("Always live"), row.alwaysLive ? Words::tr("yes") : Words::tr("no"))}};
        thing.variable = i;
        things.add(path + QLatin1Char('|') + text(row.role) + QLatin1Char('|') + text(row.name), std::move(thing));
    }
    return things;
}

void tiles(ComparedReport const &a, ComparedReport const &b, ReportComparison &out)
{
    if (a.tileBytes.empty() || b.tileBytes.empty()) return;
    auto const &ta = a.data.target, &tb = b.data.target;
    out.tilesByRank = ta.tilesPerIpu != tb.tilesPerIpu || ta.ipusPerReplica != tb.ipusPerReplica;
    auto source = a.tileBytes, target = b.tileBytes;
    std::vector<int> tileOf(target.size());
    std::iota(tileOf.begin(), tileOf.end(), 0);
    if (out.tilesByRank) {
        std::ranges::sort(source, std::greater<>());
        std::ranges::stable_sort(tileOf, [&](int x, int y) { return at(target, x) > at(target, y); });
        std::ranges::sort(target, std::greater<>());
    }
    std::size_t const n = std::min(source.size(), target.size());
    out.tilesCompared = static_cast<int>(n);
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < n; ++i)
        if (source[i] != target[i]) differing.push_back(i);
    out.tilesThatDiffer = static_cast<int>(differing.size());
    std::ranges::stable_sort(differing, [&](auto x, auto y) { return std::abs(target[x] - source[x]) > std::abs(target[y] - source[y]); });
    if (differing.size() > kComparedTiles) differing.resize(kComparedTiles);
    for (auto const i : differing) {
        ReportDifference row;
        row.kind = ComparedKind::Tile;
        row.tile = tileOf[i];
        row.name = out.tilesByRank ? Words::tr("Rank %1 by size").arg(i + 1) : tileLabel(b.data, static_cast<std::int64_t>(i));
        row.field = Words::tr("Placed (modelled)");
        row.unit = ComparedUnit::Bytes;
        row.source = static_cast<double>(source[i]);
        row.target = static_cast<double>(target[i]);
        row.better = -1;
        out.rows.push_back(std::move(row));
    }
}

QString valueText(ComparedUnit unit, double value)
{
    switch (unit) {
    case ComparedUnit::Number:
    case ComparedUnit::Words: return std::abs(value) >= 1000 ? countText(std::llround(value)) : numberText(value);
    case ComparedUnit::Count: return countText(std::llround(value));
    case ComparedUnit::Bytes: return bytesText(std::llround(value));
    case ComparedUnit::Cycles: return cyclesText(std::llround(value));
    case ComparedUnit::Seconds: return secondsText(value);
    case ComparedUnit::Share: return shareText(value);
    }
    return {};
}

} // namespace

QString comparedKindLabel(ComparedKind kind)
{
    switch (kind) {
    case ComparedKind::Result: return Words::tr("Results");
    case ComparedKind::Figure: return Words::tr("Figures");
    case ComparedKind::Option: return Words::tr("Options");
    case ComparedKind::Memory: return Words::tr("Memory by use");
    case ComparedKind::Layer: return Words::tr("Layers");
    case ComparedKind::Operation: return Words::tr("Operations");
    case ComparedKind::Variable: return Words::tr("Variables");
    case ComparedKind::Tile: return Words::tr("Tiles");
    }
    return {};
}

std::optional<double> ReportDifference::percent() const
{
    if (!source || !target || *source == 0) return std::nullopt;
    return 100 * (*target - *source) / std::abs(*source);
}

int ReportDifference::verdict() const
{
    if (better == 0 || !source || !target || *source == *target) return 0;
    return (*target > *source) == (better > 0) ? 1 : -1;
}

ReportComparison compareReports(ComparedReport const &source, ComparedReport const &target)
{
    ReportComparison out;
    compare(ComparedKind::Result, results(source), results(target), out);
    // A run that has not ended, or ended early, is not worse for that.
    out.unfinished = {isUnfinished(source.data), isUnfinished(target.data)};
    if (out.unfinished.first || out.unfinished.second)
        for (auto &row : out.rows) row.better = 0;
    bool const batchesDiffer = !sameSamples(source.data, target.data);
    compare(ComparedKind::Figure, figures(source.data, batchesDiffer), figures(target.data, batchesDiffer), out);
    compare(ComparedKind::Option, options(source.data), options(target.data), out);
    compare(ComparedKind::Memory, memory(source), memory(target), out);
    Things layersA, layersB, innerA, innerB;
    std::vector<QString> keysA(source.data.ops.size()), keysB(target.data.ops.size());
    int number = 0;
    for (auto const &pair : matchOperations(source.data, target.data)) {
        QString const key = QString::number(number++);
        if (pair.before >= 0) at(keysA, pair.before) = key;
        if (pair.now >= 0) at(keysB, pair.now) = key;
    }
    operations(source.data, batchesDiffer, keysA, layersA, innerA);
    operations(target.data, batchesDiffer, keysB, layersB, innerB);
    compare(ComparedKind::Layer, layersA, layersB, out);
    compare(ComparedKind::Operation, innerA, innerB, out);
    compare(ComparedKind::Variable, variables(source.data), variables(target.data), out);
    tiles(source, target, out);
    // Memory depends on the batch, and not in proportion to it: of another batch its bytes are neither better nor worse.
    out.batchesDiffer = batchesDiffer;
    out.samples = {figureOf(source.data, "samples_per_step"), figureOf(target.data, "samples_per_step")};
    if (batchesDiffer)
        for (auto &row : out.rows)
            if (row.unit == ComparedUnit::Bytes) row.better = 0;
    return out;
}

QString unfinishedText(ReportComparison const &comparison)
{
    auto const &[before, now] = comparison.unfinished;
    if (before && now) return Words::tr("both runs are unfinished: their results are not judged");
    if (before) return Words::tr("the first run is unfinished: results are not judged");
    return now ? Words::tr("the second run is unfinished: results are not judged") : QString();
}

QString otherBatchText(ReportComparison const &comparison)
{
    if (!comparison.batchesDiffer) return {};
    auto const &[before, now] = comparison.samples;
    return Words::tr("a step is of %1 samples and of %2: its bytes and its cycles are neither better nor worse, cycles of a sample are")
        .arg(numberText(before), numberText(now));
}

AlignedComparisons alignComparisons(std::vector<ReportComparison> const &fromOne)
{
    using Key = std::tuple<ComparedKind, QString, QString, QString, int>; // the last: which of those that have the same names
    AlignedComparisons out;
    std::map<Key, std::size_t> known;
    for (std::size_t c = 0; c < fromOne.size(); ++c) {
        auto const &one = fromOne[c];
        std::map<Key, int> before;
        out.all.tilesThatDiffer = std::max(out.all.tilesThatDiffer, one.tilesThatDiffer);
        out.all.tilesCompared = std::max(out.all.tilesCompared, one.tilesCompared);
        out.all.tilesByRank = out.all.tilesByRank || one.tilesByRank;
        if (one.batchesDiffer && !out.all.batchesDiffer) out.all.samples = one.samples;
        out.all.batchesDiffer = out.all.batchesDiffer || one.batchesDiffer;
        out.all.unfinished.first = out.all.unfinished.first || one.unfinished.first;
        out.all.unfinished.second = out.all.unfinished.second || one.unfinished.second;
        for (std::size_t i = 0; i < one.rows.size(); ++i) {
            auto const &row = one.rows[i];
            Key key(row.kind, row.layer, row.name, row.field, 0);
            std::get<int>(key) = before[key]++;
            auto const [it, isNew] = known.try_emplace(key, out.all.rows.size());
            if (isNew) {
                out.all.rows.push_back(row);
                out.places.emplace_back(fromOne.size(), -1);
            }
            out.places[it->second][c] = static_cast<int>(i);
        }
    }
    return out;
}

QString compareHeadline(ReportComparison const &comparison, ReportData const &source, ReportData const &target)
{
    bool const perSample = !sameSamples(source, target);
    auto const cycles = [perSample](ReportData const &d) { return perSample ? cyclesOfSample(d) : figureOf(d, "cycles_per_step"); };
    double const before = cycles(source), now = cycles(target);
    if (comparison.rows.empty()) return Words::tr("no differences");
    if (before <= 0 || now <= 0) return Words::tr("%Ln difference(s)", nullptr, static_cast<int>(count(comparison.rows)));
    QString loss;
    bool const unfinished = comparison.unfinished.first || comparison.unfinished.second; // losses after other numbers of steps
    for (auto const &row : comparison.rows)
        if (!unfinished && row.kind == ComparedKind::Result && row.name == QLatin1String("loss") && row.source && row.target)
            loss = Words::tr("loss %1 against %2, ").arg(numberText(*row.target), numberText(*row.source));
    if (before == now && !loss.isEmpty()) return loss + Words::tr("the same cycles (modelled)");
    if (before == now) return Words::tr("the same cycles (modelled), %Ln difference(s)", nullptr, static_cast<int>(count(comparison.rows)));
    auto const share = shareText(std::abs(now - before) / before);
    if (perSample)
        return loss
            + (now < before ? Words::tr("%1 fewer cycles per sample (modelled)") : Words::tr("%1 more cycles per sample (modelled)"))
                  .arg(share);
    return loss + (now < before ? Words::tr("%1 fewer cycles (modelled)").arg(share) : Words::tr("%1 more cycles (modelled)").arg(share));
}

QString differenceValueText(ReportDifference const &row, bool ofTarget)
{
    if (row.where == (ofTarget ? ReportDifference::OnlySource : ReportDifference::OnlyTarget)) return Words::tr("not there");
    auto const &value = ofTarget ? row.target : row.source;
    if (row.unit == ComparedUnit::Words) return ofTarget ? row.targetText : row.sourceText;
    return value ? valueText(row.unit, *value) : QString();
}

QString differenceText(ReportDifference const &row)
{
    if (row.where == ReportDifference::OnlySource) return Words::tr("removed");
    if (row.where == ReportDifference::OnlyTarget) return Words::tr("added");
    if (!row.source || !row.target) return Words::tr("changed");
    double const difference = row.difference();
    if (row.unit == ComparedUnit::Share) return changePointsText(*row.source, *row.target);
    return (difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) + valueText(row.unit, std::abs(difference));
}

} // namespace tilewright::views
