#include "views/liveness/live_compare.h"

#include "views/common/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::views {

namespace {

constexpr int kNameWidth = 280;

QString words(char const *text) { return QCoreApplication::translate("views", text); }

QString signedBytes(std::int64_t bytes) { return (bytes > 0 ? QStringLiteral("+") : QString()) + bytesText(bytes); }

template <typename Add> void addPeak(ReportSnapshot const &report, TileContents const &contents, LiveScope const &scope, Add add)
{
    auto const &variables = report.data().variables;
    for (auto const &item : liveItems(report, contents, scope, report.liveCurve(scopeName(scope), scope.id)->peakStep)) {
        bool const known = item.variable >= 0 && item.variable < static_cast<int>(variables.size());
        add(liveName(report, item.variable, item.category),
            known ? roleText(variables[static_cast<std::size_t>(item.variable)].role) : QString(), item);
    }
}

} // namespace

LiveComparison liveComparison(ReportSnapshot const &report, TileContents const &contents, ReportSnapshot const &before,
                              TileContents const &beforeContents, LiveScope const &scope)
{
    LiveComparison comparison;
    auto const nowKept = report.liveCurve(scopeName(scope), scope.id), pastKept = before.liveCurve(scopeName(scope), scope.id);
    auto const &now = *nowKept, &past = *pastKept;
    if (past.notAlwaysLive.empty() || now.notAlwaysLive.empty()) {
        comparison.text = words(QT_TRANSLATE_NOOP("views", "%1 has no curve of %2 to compare with.")).arg(before.title(), scopeText(scope));
        return comparison;
    }
    auto const difference = now.peak - past.peak;
    comparison.text = difference == 0
        ? words(QT_TRANSLATE_NOOP("views", "Compared with %1: the same peak, %2 (modelled)")).arg(before.title(), bytesText(now.peak))
        : words(QT_TRANSLATE_NOOP("views", "Compared with %1: its peak was %2 at liveness step %3, now %4 (modelled)"))
              .arg(before.title(), bytesText(past.peak))
              .arg(past.peakStep)
              .arg(signedBytes(difference));
    std::map<std::tuple<QString, QString>, LivePair> pairs;
    addPeak(report, contents, scope, [&](QString const &name, QString const &role, LiveItem const &item) {
        auto &pair = pairs[{name, role}];
        pair.after += item.bytes;
        pair.variable = item.variable;
    });
    addPeak(before, beforeContents, scope, [&](QString const &name, QString const &role, LiveItem const &item) {
        pairs[{name, role}].before += item.bytes;
    });
    for (auto &[key, pair] : pairs) {
        if (pair.difference() == 0) continue;
        std::tie(pair.name, pair.role) = key;
        comparison.pairs.push_back(pair);
    }
    std::stable_sort(comparison.pairs.begin(), comparison.pairs.end(),
                     [](auto const &a, auto const &b) { return std::abs(a.difference()) > std::abs(b.difference()); });
    return comparison;
}

LiveTable comparisonTable(std::vector<LivePair> pairs)
{
    LiveTable table;
    auto rows = std::make_shared<std::vector<LivePair>>(std::move(pairs));
    table.rows = static_cast<int>(rows->size());
    table.keep = rows;
    for (auto const &pair : *rows) table.variables.push_back(pair.variable);
    auto const at = [rows](int row) -> LivePair const & { return (*rows)[static_cast<std::size_t>(row)]; };
    std::int64_t const most = rows->empty() ? 0 : std::abs(rows->front().difference());
    auto const text = [&](char const *title, std::function<QString(int)> cell, int width = 0) {
        Column column;
        column.title = words(title);
        column.text = std::move(cell);
        column.width = width;
        table.columns.push_back(std::move(column));
    };
    auto const bytes = [&](char const *title, std::function<std::int64_t(int)> number, QString (*shown)(std::int64_t), bool bar) {
        Column column;
        column.title = words(title);
        column.number = true;
        column.text = [number, shown](int row) { return shown(number(row)); };
        column.value = [number](int row) { return QVariant::fromValue<qlonglong>(number(row)); };
        if (bar && most > 0)
            column.bar = [number, most](int row) { return static_cast<double>(std::abs(number(row))) / static_cast<double>(most); };
        table.columns.push_back(std::move(column));
    };
    text(
        QT_TRANSLATE_NOOP("views", "Variable"), [at](int row) { return at(row).name; }, kNameWidth);
    bytes(
        QT_TRANSLATE_NOOP("views", "Difference"), [at](int row) { return at(row).difference(); }, signedBytes, true);
    text(QT_TRANSLATE_NOOP("views", "Change"), [at](int row) {
        auto const &pair = at(row);
        if (pair.before == 0) return words(QT_TRANSLATE_NOOP("views", "added"));
        if (pair.after == 0) return words(QT_TRANSLATE_NOOP("views", "removed"));
        return (pair.difference() > 0 ? QStringLiteral("+") : QString())
            + shareText(static_cast<double>(pair.difference()) / static_cast<double>(pair.before));
    });
    bytes(
        QT_TRANSLATE_NOOP("views", "Before"), [at](int row) { return at(row).before; }, bytesText, false);
    bytes(
        QT_TRANSLATE_NOOP("views", "Now"), [at](int row) { return at(row).after; }, bytesText, false);
    text(QT_TRANSLATE_NOOP("views", "Role"), [at](int row) { return at(row).role; });
    return table;
}

} // namespace tilewright::views
