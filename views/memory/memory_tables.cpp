#include "views/memory/memory_tables.h"

#include "views/common/format.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/part_keys.h"
#include "views/wording/tile_memory_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace tilewright::views {

using namespace report;

namespace {

QString words(char const *text) { return QCoreApplication::translate("views", text); }

using Number = std::function<std::int64_t(int)>;

constexpr int kNameWidth = 280, kWordWidth = 120; ///< initial widths of columns of names and words

Column textColumn(QString title, std::function<QString(int)> text, int width = 0)
{
    Column column;
    column.title = std::move(title);
    column.text = std::move(text);
    column.width = width;
    return column;
}

/// A column of integers with the exact value as tool tip; with a bar if `most` is given.
Column numberColumn(QString title, Number number, QString (*text)(std::int64_t), std::int64_t most = 0)
{
    Column column;
    column.title = std::move(title);
    column.number = true;
    column.text = [number, text](int row) { return text(number(row)); };
    column.value = [number](int row) { return QVariant::fromValue<qlonglong>(number(row)); };
    if (most > 0) column.bar = [number, most](int row) { return static_cast<double>(number(row)) / static_cast<double>(most); };
    return column;
}

std::int64_t most(std::vector<std::int64_t> const &values)
{
    return values.empty() ? 0 : std::max<std::int64_t>(0, *std::max_element(values.begin(), values.end()));
}

QString chosenTitle(TileSums const &sums, char const *all, char const *some)
{
    return sums.all ? words(all) : QCoreApplication::translate("views", some, nullptr, pluralOf(sums.tiles));
}

std::vector<int> allIds(std::size_t count)
{
    std::vector<int> ids(count);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

QString signedBytes(std::int64_t bytes)
{
    return (bytes < 0 ? QStringLiteral("−") : bytes > 0 ? QStringLiteral("+") : QString()) + bytesText(std::abs(bytes));
}

} // namespace

std::vector<DetailRow> detailRows(ReportSnapshot const &report, std::vector<int> const &tiles)
{
    std::vector<DetailRow> rows;
    auto const addVec = [&](QString name, int parent, std::vector<std::int64_t> const &values, QString tip = {}) {
        DetailRow row{std::move(name), std::move(tip), parent, sumOver(values, tiles), sumOver(values, {}), 0, -1};
        if (!values.empty()) {
            auto const it = std::max_element(values.begin(), values.end());
            row.largest = *it;
            row.largestTile = static_cast<int>(it - values.begin());
        }
        rows.push_back(std::move(row));
        return static_cast<int>(rows.size()) - 1;
    };
    auto const &with = report.tileMetric("with_gaps"), &without = report.tileMetric("without_gaps");
    if (with.empty() || without.size() != with.size()) return rows;
    std::vector<std::int64_t> gaps(with.size());
    for (std::size_t t = 0; t < with.size(); ++t) gaps[t] = with[t] - without[t];
    int const top = addVec(tileFigureName(TileFigure::Placed), -1, with, tileFigureHelp(TileFigure::Placed));
    addVec(tileFigureName(TileFigure::Gaps), top, gaps, tileFigureHelp(TileFigure::Gaps));
    int const used = addVec(words(QT_TRANSLATE_NOOP("views", "Used, without gaps")), top, without,
                            words(QT_TRANSLATE_NOOP("views", "Addresses that are used at some time.")));
    auto const &parts = report.data().memoryParts;
    auto const byRegion = [&](int parent, MemoryCategory category, bool overlapped) {
        for (auto const &part : parts)
            if (part.category == category && part.overlapped == overlapped)
                addVec(regionText(part.region), parent, report.tileVec(part.vec));
    };
    auto const summed = [&](auto const &fits) {
        std::vector<std::int64_t> sum(with.size(), 0);
        for (auto const &part : parts)
            if (fits(part))
                if (auto const &values = report.tileVec(part.vec); values.size() == sum.size())
                    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += values[t];
        return sum;
    };
    for (bool const overlapped : {false, true}) {
        int const heading = overlapped
            ? addVec(words(QT_TRANSLATE_NOOP("views", "Overlapped: addresses used several times")), used,
                     report.tileMetric("overlap_union"),
                     words(QT_TRANSLATE_NOOP("views",
                                             "Each address counted once; the categories below share addresses, so they add up to more.")))
            : addVec(words(QT_TRANSLATE_NOOP("views", "Not overlapped: addresses used once")), used,
                     summed([](auto const &part) { return !part.overlapped; }));
        for (int c = 0; c < kMemoryCategories; ++c) {
            auto const category = static_cast<MemoryCategory>(c);
            auto const sum = summed([&](auto const &part) { return part.category == category && part.overlapped == overlapped; });
            if (std::all_of(sum.begin(), sum.end(), [](auto b) { return b == 0; })) continue;
            byRegion(addVec(categoryText(category), heading, sum), category, overlapped);
        }
    }
    int const need = addVec(tileFigureName(TileFigure::Need), -1, report.tileMetric("need"), tileFigureHelp(TileFigure::Need));
    addVec(words(QT_TRANSLATE_NOOP("views", "Always live")), need, report.tileMetric("always_live"));
    addVec(words(QT_TRANSLATE_NOOP("views", "Not always live, at its peak")), need, report.tileMetric("not_always_live_peak"));
    addVec(words(QT_TRANSLATE_NOOP("views", "Headroom")), -1, report.tileMetric("headroom"),
           words(QT_TRANSLATE_NOOP("views", "Limit minus placed; negative: does not fit.")));
    addVec(words(QT_TRANSLATE_NOOP("views", "Room for code")), -1, report.tileMetric("executable_room"),
           words(QT_TRANSLATE_NOOP("views", "Free bytes in the region that may hold code.")));
    return rows;
}

FilledTable detailTable(ReportSnapshot const &report, std::vector<int> const &tiles)
{
    FilledTable table;
    auto rows = std::make_shared<std::vector<DetailRow>>(detailRows(report, tiles));
    table.keep = rows;
    table.rows = static_cast<int>(rows->size());
    for (auto const &row : *rows) table.parents.push_back(row.parent);
    auto const at = [rows](int row) -> DetailRow const & { return (*rows)[static_cast<std::size_t>(row)]; };
    auto name = textColumn(
        words(QT_TRANSLATE_NOOP("views", "Bytes")), [at](int row) { return at(row).name; }, kNameWidth);
    name.tip = [at](int row) { return at(row).tip; };
    table.columns.push_back(std::move(name));
    auto const whole = rows->empty() ? 0 : rows->front().chosen;
    QString const chosen = tiles.empty() ? words(QT_TRANSLATE_NOOP("views", "All tiles"))
        : tiles.size() == 1              ? words(QT_TRANSLATE_NOOP("views", "Tile %1")).arg(tiles.front())
                            : words(QT_TRANSLATE_NOOP("views", "%1 chosen tiles")).arg(countText(static_cast<std::int64_t>(tiles.size())));
    table.columns.push_back(numberColumn(
        chosen, [at](int row) { return at(row).chosen; }, bytesText, whole));
    if (!tiles.empty())
        table.columns.push_back(numberColumn(
            words(QT_TRANSLATE_NOOP("views", "All tiles")), [at](int row) { return at(row).all; }, bytesText));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Largest")), [at](int row) { return at(row).largest; }, bytesText));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "on tile")), [at](int row) { return std::int64_t{at(row).largestTile}; }, countText));
    return table;
}

FilledTable variableTable(Report const &report, std::shared_ptr<TileSums const> const &sums)
{
    FilledTable table;
    auto const &d = report->data();
    // With tiles selected, only their contents; the largest first.
    for (int id : allIds(d.variables.size()))
        if (sums->variableBytes[static_cast<std::size_t>(id)] > 0) table.ids.push_back(id);
    std::stable_sort(table.ids.begin(), table.ids.end(), [&](int a, int b) {
        return sums->variableBytes[static_cast<std::size_t>(a)] > sums->variableBytes[static_cast<std::size_t>(b)];
    });
    table.rows = static_cast<int>(table.ids.size());
    auto const ids = std::make_shared<std::vector<int>>(table.ids);
    table.keep = report;
    auto const id = [ids](int row) { return static_cast<std::size_t>((*ids)[static_cast<std::size_t>(row)]); };
    auto const at = [report, id](int row) -> VariableRow const & { return report->data().variables[id(row)]; };
    auto name = textColumn(
        words(QT_TRANSLATE_NOOP("views", "Variable")), [at](int row) { return QString::fromStdString(at(row).name); }, kNameWidth);
    auto const parts = std::make_shared<PartKeys const>(partKeys(*report, Breakdown::Role));
    name.decoration = [parts, id](int row) {
        return QVariant(partColor(parts->keyOf(static_cast<int>(id(row)), report::MemoryCategory::Variable), theme()));
    };
    table.columns.push_back(std::move(name));
    table.columns.push_back(numberColumn(
        chosenTitle(*sums, QT_TRANSLATE_NOOP("views", "Bytes"), QT_TRANSLATE_N_NOOP("views", "Bytes on %Ln tile(s)")),
        [sums, id](int row) { return sums->variableBytes[id(row)]; }, bytesText, most(sums->variableBytes)));
    if (!sums->all)
        table.columns.push_back(numberColumn(
            words(QT_TRANSLATE_NOOP("views", "On all tiles")), [at](int row) { return at(row).bytes; }, bytesText));
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Role")), [at](int row) { return roleText(at(row).role); }, kWordWidth));
    table.columns.push_back(
        textColumn(words(QT_TRANSLATE_NOOP("views", "Layer")), [report, at](int row) { return report->layerOf(at(row).op); }));
    table.columns.push_back(
        textColumn(words(QT_TRANSLATE_NOOP("views", "Type")), [at](int row) { return QString::fromStdString(at(row).dtype); }));
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Shape")), [at](int row) { return QString::fromStdString(tilewright::toText(at(row).shape)); },
        kWordWidth));
    table.columns.push_back(textColumn(words(QT_TRANSLATE_NOOP("views", "Live at steps")), [at](int row) {
        auto const &v = at(row);
        return v.alwaysLive   ? words(QT_TRANSLATE_NOOP("views", "always"))
            : v.firstStep < 0 ? words(QT_TRANSLATE_NOOP("views", "never"))
                              : QStringLiteral("%1 – %2").arg(v.firstStep).arg(v.lastStep);
    }));
    return table;
}

FilledTable computeSetTable(Report const &report, std::shared_ptr<TileSums const> const &sums)
{
    FilledTable table;
    auto const &sets = report->data().computeSets;
    table.ids = allIds(sets.size());
    table.rows = static_cast<int>(sets.size());
    table.keep = report;
    auto const at = [report](int row) -> ComputeSetRow const & { return report->data().computeSets[static_cast<std::size_t>(row)]; };
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Compute set")), [at](int row) { return QString::fromStdString(at(row).name); }, kNameWidth));
    table.columns.push_back(
        textColumn(words(QT_TRANSLATE_NOOP("views", "Layer")), [report, at](int row) { return report->layerOf(at(row).op); }));
    table.columns.push_back(numberColumn(
        chosenTitle(*sums, QT_TRANSLATE_NOOP("views", "Vertices"), QT_TRANSLATE_N_NOOP("views", "Vertices on %Ln tile(s)")),
        [sums](int row) { return sums->setVertices[static_cast<std::size_t>(row)]; }, countText, most(sums->setVertices)));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Cycles of the slowest (modelled)")),
        [sums](int row) { return sums->setCycles[static_cast<std::size_t>(row)]; }, cyclesText, most(sums->setCycles)));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Active tiles")), [at](int row) { return std::int64_t{at(row).activeTiles}; }, countText));
    return table;
}

FilledTable vertexTable(Report const &report, std::shared_ptr<TileSums const> const &sums)
{
    FilledTable table;
    auto const &types = report->data().vertexTypes;
    table.ids = allIds(types.size());
    table.rows = static_cast<int>(types.size());
    table.keep = report;
    auto const at = [report](int row) -> VertexTypeRow const & { return report->data().vertexTypes[static_cast<std::size_t>(row)]; };
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Vertex type")), [at](int row) { return QString::fromStdString(at(row).name); }, kNameWidth));
    table.columns.push_back(numberColumn(
        chosenTitle(*sums, QT_TRANSLATE_NOOP("views", "Code on all tiles"), QT_TRANSLATE_N_NOOP("views", "Code on %Ln tile(s)")),
        [sums](int row) { return sums->typeCode[static_cast<std::size_t>(row)]; }, bytesText, most(sums->typeCode)));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Code of one copy")), [at](int row) { return at(row).codeBytes; }, bytesText));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Vertices")), [sums](int row) { return sums->typeVertices[static_cast<std::size_t>(row)]; },
        countText, most(sums->typeVertices)));
    return table;
}

FilledTable exchangeTable(Report const &report, std::shared_ptr<TileSums const> const &sums)
{
    FilledTable table;
    auto const &d = report->data();
    table.ids = allIds(d.exchanges.size());
    table.rows = static_cast<int>(d.exchanges.size());
    table.keep = report;
    auto const program = [report](int row) -> ProgramRow const * {
        auto const &all = report->data();
        int const id = all.exchanges[static_cast<std::size_t>(row)].program;
        return id >= 0 && id < static_cast<int>(all.programs.size()) ? &all.programs[static_cast<std::size_t>(id)] : nullptr;
    };
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Exchange")),
        [program](int row) { return program(row) ? QString::fromStdString(program(row)->name) : QString(); }, kNameWidth));
    table.columns.push_back(textColumn(words(QT_TRANSLATE_NOOP("views", "Kind")), [report](int row) {
        return QString::fromStdString(report->data().exchanges[static_cast<std::size_t>(row)].kind);
    }));
    table.columns.push_back(textColumn(words(QT_TRANSLATE_NOOP("views", "Layer")), [report, program](int row) {
        return program(row) ? report->layerOf(program(row)->op) : QString();
    }));
    table.columns.push_back(numberColumn(
        chosenTitle(*sums, QT_TRANSLATE_NOOP("views", "Received"), QT_TRANSLATE_N_NOOP("views", "Received by %Ln tile(s)")),
        [sums](int row) { return sums->exchangeReceived[static_cast<std::size_t>(row)]; }, bytesText, most(sums->exchangeReceived)));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Sent")), [sums](int row) { return sums->exchangeSent[static_cast<std::size_t>(row)]; }, bytesText,
        most(sums->exchangeSent)));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Code")), [sums](int row) { return sums->exchangeCode[static_cast<std::size_t>(row)]; }, bytesText,
        most(sums->exchangeCode)));
    return table;
}

FilledTable reasonTable(std::vector<TileReason> found)
{
    FilledTable table;
    auto rows = std::make_shared<std::vector<TileReason>>(std::move(found));
    table.rows = static_cast<int>(rows->size());
    table.keep = rows;
    for (auto const &reason : *rows) table.ids.push_back(reason.variable);
    auto const at = [rows](int row) -> TileReason const & { return (*rows)[static_cast<std::size_t>(row)]; };
    std::int64_t largest = 0;
    for (auto const &reason : *rows) largest = std::max(largest, std::abs(reason.difference()));
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Contribution")), [at](int row) { return at(row).name; }, kNameWidth));
    auto difference = numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Difference")), [at](int row) { return at(row).difference(); }, signedBytes);
    if (largest > 0)
        difference.bar = [at, largest](int row) {
            return static_cast<double>(std::abs(at(row).difference())) / static_cast<double>(largest);
        };
    table.columns.push_back(std::move(difference));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "On this tile")), [at](int row) { return at(row).here; }, bytesText));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "On the median tile")), [at](int row) { return at(row).median; }, bytesText));
    return table;
}

FilledTable valuesTable(Report const &report, TileReading reading)
{
    FilledTable table;
    auto rows = std::make_shared<TileReading>(std::move(reading));
    table.rows = static_cast<int>(rows->variables.size());
    table.keep = rows;
    for (auto const &held : rows->variables) table.ids.push_back(held.variable);
    auto const at = [rows](int row) -> HeldVariable const & { return rows->variables[static_cast<std::size_t>(row)]; };
    auto const variable = [report, at](int row) -> VariableRow const & {
        return report->data().variables[static_cast<std::size_t>(at(row).variable)];
    };
    table.columns.push_back(textColumn(
        words(QT_TRANSLATE_NOOP("views", "Variable")), [variable](int row) { return QString::fromStdString(variable(row).name); },
        kNameWidth));
    table.columns.push_back(textColumn(words(QT_TRANSLATE_NOOP("views", "Now")), [at](int row) {
        return at(row).live ? words(QT_TRANSLATE_NOOP("views", "live")) : words(QT_TRANSLATE_NOOP("views", "not live"));
    }));
    auto values = textColumn(
        words(QT_TRANSLATE_NOOP("views", "Values")),
        [at](int row) { return at(row).values.empty() ? words(QT_TRANSLATE_NOOP("views", "past the image")) : valuesText(at(row).values); },
        280);
    values.tip = [at](int row) { return valuesText(at(row).values, 200); };
    table.columns.push_back(std::move(values));
    struct Statistic {
        char const *title;
        double HeldVariable::*value;
    };
    for (auto const &[title, value] : {Statistic{QT_TRANSLATE_NOOP("views", "Smallest"), &HeldVariable::min},
                                       Statistic{QT_TRANSLATE_NOOP("views", "Largest"), &HeldVariable::max},
                                       Statistic{QT_TRANSLATE_NOOP("views", "Mean"), &HeldVariable::mean}}) {
        auto column =
            textColumn(words(title), [at, value](int row) { return at(row).values.empty() ? QString() : numberText(at(row).*value); });
        column.value = [at, value](int row) { return QVariant(at(row).*value); };
        column.number = true;
        table.columns.push_back(std::move(column));
    }
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Not finite")), [at](int row) { return std::int64_t{at(row).notFinite}; }, countText));
    table.columns.push_back(
        textColumn(words(QT_TRANSLATE_NOOP("views", "Type")), [variable](int row) { return QString::fromStdString(variable(row).dtype); }));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Address")), [at](int row) { return at(row).offset; }, countText));
    table.columns.push_back(numberColumn(
        words(QT_TRANSLATE_NOOP("views", "Bytes")), [at](int row) { return at(row).bytes; }, bytesText));
    return table;
}

} // namespace tilewright::views
