#include "views/liveness/live_facts.h"

#include "views/common/format.h"
#include "views/liveness/live_steps.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <map>

namespace tilewright::views {

using namespace report;

namespace {

constexpr std::size_t kMostVariables = 12; ///< bands of one layer's variables

QString words(char const *text) { return QCoreApplication::translate("views", text); }

/// Weight of a layout in a scope, and its items there.
struct ScopeFilter {
    ScopeFilter(ReportSnapshot const &report, LiveScope const &wanted) : scope(wanted), perIpu(std::max(1, report.tilesPerIpu()))
    {
        if (scope.kind != LiveScope::Stage) return;
        auto const &d = report.data();
        for (auto const &variable : d.variables)
            inStage.push_back(variable.op >= 0 && variable.op < static_cast<int>(d.ops.size())
                              && d.ops[static_cast<std::size_t>(variable.op)].stage == scope.id);
    }
    std::int64_t tilesOf(TileContents::Group const &group) const
    {
        if (scope.kind != LiveScope::Ipu) return static_cast<std::int64_t>(group.tiles.size());
        return tilesBetween(group, scope.id * perIpu, (scope.id + 1) * perIpu);
    }
    bool has(LoweredVariable const &item) const
    {
        return scope.kind != LiveScope::Stage
            || (item.variable >= 0 && item.variable < static_cast<int>(inStage.size()) && inStage[static_cast<std::size_t>(item.variable)]);
    }
    LiveScope scope;
    int perIpu;
    std::vector<char> inStage;
};

/// The largest variables of a layer have a key each; its other variables share one key, and so does everything else.
PartKeys variableKeys(ReportSnapshot const &report, int layer, std::vector<int> &variables)
{
    static constexpr std::array kColors{Token::Weights, Token::Activations, Token::Gradients,
                                        Token::Buffers, Token::VertexState, Token::Accumulators};
    auto const &d = report.data();
    std::vector<std::pair<Bytes, int>> largest;
    for (std::size_t v = 0; v < d.variables.size(); ++v)
        if (report.layerOp(d.variables[v].op) == layer) largest.emplace_back(-d.variables[v].bytes, static_cast<int>(v));
    std::sort(largest.begin(), largest.end());
    auto keyOf = std::make_shared<std::map<int, int>>();
    PartKeys keys;
    for (std::size_t i = 0; i < largest.size(); ++i) {
        int const v = largest[i].second;
        (*keyOf)[v] = static_cast<int>(std::min(i, kMostVariables));
        if (i >= kMostVariables) continue;
        keys.keys.push_back({QString::fromStdString(d.variables[static_cast<std::size_t>(v)].name), kColors[i % kColors.size()],
                             static_cast<int>(i / kColors.size())});
        variables.push_back(v);
    }
    while (keys.keys.size() < kMostVariables) { // keeps the indices of the two below
        keys.keys.push_back({});
        variables.push_back(-1);
    }
    keys.keys.push_back({words(QT_TRANSLATE_NOOP("views", "its other variables")), Token::Control, 0});
    keys.keys.push_back({words(QT_TRANSLATE_NOOP("views", "everything else")), Token::Sync, 1});
    keys.of = [keyOf](LoweredVariable const &item) {
        auto const it = keyOf->find(item.variable);
        return it == keyOf->end() ? static_cast<int>(kMostVariables) + 1 : it->second;
    };
    return keys;
}

} // namespace

std::string scopeName(LiveScope const &scope)
{
    return scope.kind == LiveScope::All ? "all" : scope.kind == LiveScope::Ipu ? "ipu" : "stage";
}

QString scopeText(LiveScope const &scope)
{
    if (scope.kind == LiveScope::All) return words(QT_TRANSLATE_NOOP("views", "all tiles"));
    return (scope.kind == LiveScope::Ipu ? words(QT_TRANSLATE_NOOP("views", "IPU %1"))
                                         : words(QT_TRANSLATE_NOOP("views", "variables of stage %1")))
        .arg(scope.id);
}

std::vector<LiveBand> liveBands(ReportSnapshot const &report, TileContents const &contents, LiveQuestion const &question)
{
    auto const steps = static_cast<std::size_t>(std::max(0, contents.lives.steps()));
    std::vector<int> variables;
    auto const keys = question.layer >= 0 ? variableKeys(report, question.layer, variables) : partKeys(report, question.by);
    ScopeFilter const filter(report, question.scope);
    // Bytes by key and class, then one walk over the intervals of each class.
    std::map<std::pair<int, int>, Bytes> bytes;
    for (auto const &group : contents.groups) {
        auto const tiles = filter.tilesOf(group);
        if (tiles == 0) continue;
        for (auto const &item : group.items)
            if (filter.has(item) && !(item.variable >= 0 && question.without.contains(item.variable)))
                bytes[{keys.of(item), item.livenessClass}] += item.bytes * tiles;
    }
    std::vector<std::vector<std::int64_t>> change(keys.keys.size());
    for (auto const &[at, amount] : bytes) {
        auto &of = change[static_cast<std::size_t>(at.first)];
        if (of.empty()) of.assign(steps + 1, 0);
        if (contents.lives.isAlways(at.second)) of[0] += amount;
        else
            for (auto const &[first, end] : contents.lives.of(at.second)) {
                of[static_cast<std::size_t>(std::clamp<int>(first, 0, static_cast<int>(steps)))] += amount;
                of[static_cast<std::size_t>(std::clamp<int>(end, 0, static_cast<int>(steps)))] -= amount;
            }
    }
    std::vector<LiveBand> bands;
    for (std::size_t k = 0; k < change.size(); ++k) {
        if (change[k].empty()) continue;
        LiveBand band{keys.keys[k], k < variables.size() ? variables[k] : -1, std::vector<std::int64_t>(steps, 0)};
        std::int64_t live = 0;
        bool any = false;
        for (std::size_t s = 0; s < steps; ++s) {
            band.bytes[s] = live += change[k][s];
            any = any || live != 0;
        }
        if (any) bands.push_back(std::move(band));
    }
    return bands;
}

std::vector<std::int64_t> curveOf(std::vector<LiveBand> const &bands, int steps)
{
    std::vector<std::int64_t> curve(static_cast<std::size_t>(std::max(0, steps)), 0);
    for (auto const &band : bands)
        for (std::size_t s = 0; s < std::min(curve.size(), band.bytes.size()); ++s) curve[s] += band.bytes[s];
    return curve;
}

std::vector<LiveItem> liveItems(ReportSnapshot const &report, TileContents const &contents, LiveScope const &scope, int step)
{
    ScopeFilter const filter(report, scope);
    return liveItems(
        report, contents, step, [&](TileContents::Group const &group) { return filter.tilesOf(group); },
        [&](LoweredVariable const &item) { return filter.has(item); });
}

QString livenessHeadline(ReportSnapshot const &report, TileContents const *contents, LiveScope const &scope)
{
    auto const kept = report.liveCurve(scopeName(scope), scope.id);
    auto const &curve = *kept;
    if (curve.notAlwaysLive.empty()) return words(QT_TRANSLATE_NOOP("views", "no curve of live bytes for %1")).arg(scopeText(scope));
    QString const what = stepFacts(report, curve.peakStep).brief;
    QString const where = scope.kind == LiveScope::All ? QString() : words(QT_TRANSLATE_NOOP("views", "%1: ")).arg(scopeText(scope));
    QString const peak = what.isEmpty()
        ? words(QT_TRANSLATE_NOOP("views", "%1peak at liveness step %2: %3 live")).arg(where).arg(curve.peakStep).arg(bytesText(curve.peak))
        : words(QT_TRANSLATE_NOOP("views", "%1peak at liveness step %2 (%3): %4 live"))
              .arg(where)
              .arg(curve.peakStep)
              .arg(what, bytesText(curve.peak));
    QString most;
    if (contents && curve.peak > 0) {
        auto const keys = partKeys(report, Breakdown::Role);
        std::vector<Bytes> sums(keys.keys.size(), 0);
        Bytes code = 0; // of all kinds, as in Memory and Summary
        ScopeFilter const filter(report, scope);
        for (auto const &group : contents->groups)
            for (auto const &item : group.items)
                if (filter.has(item) && contents->lives.isLive(item.livenessClass, curve.peakStep)) {
                    bool const isOfCode = item.variable < 0 && report::isCode(item.category);
                    (isOfCode ? code : sums[static_cast<std::size_t>(keys.of(item))]) += item.bytes * filter.tilesOf(group);
                }
        auto const largest = std::max_element(sums.begin(), sums.end());
        Bytes const bytes = std::max(code, largest != sums.end() ? *largest : 0);
        if (bytes > 0)
            most = QStringLiteral(", %1 %2").arg(shareText(static_cast<double>(bytes) / static_cast<double>(curve.peak)),
                                                 bytes == code ? words(QT_TRANSLATE_NOOP("views", "code"))
                                                               : keys.keys[static_cast<std::size_t>(largest - sums.begin())].name);
    }
    return words(QT_TRANSLATE_NOOP("views", "%1%2 (modelled)")).arg(peak, most);
}

std::vector<LiveChange> liveChanges(std::vector<LiveItem> const &before, std::vector<LiveItem> const &after)
{
    std::map<std::pair<int, int>, LiveChange> all;
    auto const add = [&](LiveItem const &item, Bytes LiveChange::*where) {
        auto &change = all[{item.variable, item.variable >= 0 ? 0 : static_cast<int>(item.category)}];
        change.variable = item.variable;
        change.category = item.category;
        change.*where += item.bytes;
    };
    for (auto const &item : before) add(item, &LiveChange::before);
    for (auto const &item : after) add(item, &LiveChange::after);
    std::vector<LiveChange> changes;
    for (auto const &[key, change] : all)
        if (change.difference() != 0) changes.push_back(change);
    std::stable_sort(changes.begin(), changes.end(),
                     [](auto const &a, auto const &b) { return std::abs(a.difference()) > std::abs(b.difference()); });
    return changes;
}

QString liveName(ReportSnapshot const &report, int variable, MemoryCategory category)
{
    auto const &variables = report.data().variables;
    return variable >= 0 && variable < static_cast<int>(variables.size())
        ? QString::fromStdString(variables[static_cast<std::size_t>(variable)].name)
        : categoryText(category);
}

} // namespace tilewright::views
