#include "views/liveness/live_tables.h"

#include "views/common/format.h"
#include "views/liveness/live_steps.h"
#include "views/tiles/part_keys.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kNameWidth = 280, kWordWidth = 150; ///< of columns of names and words at first

QString words(char const *text) { return QCoreApplication::translate("views", text); }

template <typename Text> Column textColumn(char const *title, Text text, int width = 0)
{
    Column column;
    column.title = words(title);
    column.text = std::move(text);
    column.width = width;
    return column;
}

template <typename Number> Column numberColumn(char const *title, Number number, QString (*text)(std::int64_t), std::int64_t most = 0)
{
    Column column;
    column.title = words(title);
    column.number = true;
    column.text = [number, text](int row) { return text(number(row)); };
    column.value = [number](int row) { return QVariant::fromValue<qlonglong>(number(row)); };
    if (most > 0) column.bar = [number, most](int row) { return static_cast<double>(std::abs(number(row))) / static_cast<double>(most); };
    return column;
}

QString signedBytes(std::int64_t bytes) { return (bytes > 0 ? QStringLiteral("+") : QString()) + bytesText(bytes); }
QString stepOrNothing(std::int64_t step) { return step < 0 ? QString() : countText(step); }

} // namespace

LiveTable liveTable(LiveReport const &report, std::vector<LiveItem> const &items, int step, LiveRows only, std::set<int> const &without)
{
    LiveTable table;
    auto rows = std::make_shared<std::vector<LiveItem>>();
    for (auto const &item : items)
        if (only == LiveRows::Everything || (only == LiveRows::Born && item.born == step)
            || (only == LiveRows::Dying && item.dies == step + 1))
            rows->push_back(item);
    for (auto const &row : *rows) table.variables.push_back(row.variable);
    table.rows = static_cast<int>(rows->size());
    table.keep = rows;
    auto const at = [rows](int row) -> LiveItem const & { return (*rows)[static_cast<std::size_t>(row)]; };
    auto name = textColumn(
        QT_TRANSLATE_NOOP("views", "Variable"),
        [report, at, without](int row) {
            QString const text = liveName(*report, at(row).variable, at(row).category);
            return without.contains(at(row).variable) ? words(QT_TRANSLATE_NOOP("views", "%1 (left out)")).arg(text) : text;
        },
        kNameWidth);
    name.key = [report, at](int row) { return liveName(*report, at(row).variable, at(row).category); }; // also when it is left out
    auto const parts = std::make_shared<PartKeys const>(partKeys(*report, Breakdown::Role));
    name.decoration = [parts, at](int row) { return QVariant(partColor(parts->keyOf(at(row).variable, at(row).category), theme())); };
    table.columns.push_back(std::move(name));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Bytes"), [at](int row) { return at(row).bytes; }, bytesText, rows->empty() ? 0 : rows->front().bytes));
    table.columns.push_back(textColumn(QT_TRANSLATE_NOOP("views", "Live"), [at](int row) {
        return at(row).alwaysLive ? words(QT_TRANSLATE_NOOP("views", "always")) : words(QT_TRANSLATE_NOOP("views", "for a time"));
    }));
    table.columns.push_back(textColumn(
        QT_TRANSLATE_NOOP("views", "Role"),
        [report, at](int row) {
            auto const &d = report->data();
            int const variable = at(row).variable;
            return variable >= 0 && variable < static_cast<int>(d.variables.size())
                ? roleText(d.variables[static_cast<std::size_t>(variable)].role)
                : words(QT_TRANSLATE_NOOP("views", "made by the compiler"));
        },
        kWordWidth));
    table.columns.push_back(textColumn(QT_TRANSLATE_NOOP("views", "Layer"), [report, at](int row) {
        auto const &d = report->data();
        int const variable = at(row).variable;
        return variable >= 0 && variable < static_cast<int>(d.variables.size())
            ? report->layerOf(d.variables[static_cast<std::size_t>(variable)].op)
            : QString();
    }));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Born at"), [at](int row) { return std::int64_t{at(row).born}; }, stepOrNothing));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Dies after"), [at](int row) { return std::int64_t{at(row).dies < 0 ? -1 : at(row).dies - 1}; },
        stepOrNothing));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Last used"), [at](int row) { return std::int64_t{at(row).lastUse}; }, stepOrNothing));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Steps until then"),
        [at, step](int row) { return std::int64_t{at(row).lastUse < step ? -1 : at(row).lastUse - step}; }, stepOrNothing));
    return table;
}

LiveTable changeTable(LiveReport const &report, std::vector<LiveChange> changes)
{
    LiveTable table;
    auto rows = std::make_shared<std::vector<LiveChange>>(std::move(changes));
    table.rows = static_cast<int>(rows->size());
    table.keep = rows;
    for (auto const &row : *rows) table.variables.push_back(row.variable);
    auto const at = [rows](int row) -> LiveChange const & { return (*rows)[static_cast<std::size_t>(row)]; };
    table.columns.push_back(textColumn(
        QT_TRANSLATE_NOOP("views", "Variable"), [report, at](int row) { return liveName(*report, at(row).variable, at(row).category); },
        kNameWidth));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Difference"), [at](int row) { return at(row).difference(); }, signedBytes,
        rows->empty() ? 0 : std::abs(rows->front().difference())));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "At the first step"), [at](int row) { return at(row).before; }, bytesText));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "At the second step"), [at](int row) { return at(row).after; }, bytesText));
    return table;
}

LiveTable peakTable(LiveReport const &report, std::vector<int> const &steps, std::vector<std::int64_t> const &curve)
{
    LiveTable table;
    struct Row {
        int step;
        std::int64_t bytes;
        StepFacts facts;
    };
    auto rows = std::make_shared<std::vector<Row>>();
    for (int const step : steps) {
        if (step < 0 || step >= static_cast<int>(curve.size())) continue;
        rows->push_back({step, curve[static_cast<std::size_t>(step)], stepFacts(*report, step)});
        table.steps.push_back(step);
    }
    table.rows = static_cast<int>(rows->size());
    table.keep = rows;
    table.variables.assign(rows->size(), -1);
    auto const at = [rows](int row) -> Row const & { return (*rows)[static_cast<std::size_t>(row)]; };
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Step"), [at](int row) { return std::int64_t{at(row).step}; }, countText));
    table.columns.push_back(numberColumn(
        QT_TRANSLATE_NOOP("views", "Live bytes"), [at](int row) { return at(row).bytes; }, bytesText,
        rows->empty() ? 0 : rows->front().bytes));
    table.columns.push_back(textColumn(
        QT_TRANSLATE_NOOP("views", "What runs"), [at](int row) { return at(row).facts.name; }, kNameWidth));
    table.columns.push_back(textColumn(QT_TRANSLATE_NOOP("views", "Layer"), [at](int row) { return at(row).facts.layer; }));
    table.columns.push_back(textColumn(QT_TRANSLATE_NOOP("views", "Pass"), [at](int row) { return at(row).facts.pass; }));
    return table;
}

} // namespace tilewright::views
