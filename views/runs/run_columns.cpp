// The columns of the table of runs.
#include "views/common/format.h"
#include "views/common/short_text.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/runs/run_rows.h"
#include "views/wording/labels.h"
#include "views/wording/tile_memory_text.h"

#include <QColor>
#include <QDateTime>

#include <cmath>

namespace tilewright::views {

namespace {

/// The row has both figures.
report::TileMemory worstTile(RunRow const &row)
{
    report::TileMemory tile;
    tile.placed = std::llround(row.worstBytes.value_or(0));
    tile.limit = std::llround(row.capacity.value_or(0));
    return tile;
}

QString lossTitle() { return Words::tr("Loss"); }

QString startText(RunRow const &row)
{
    auto const time = startOf(row);
    return time.isValid() ? whenText(time) : row.started;
}

} // namespace

std::vector<Column> runColumns(std::shared_ptr<std::vector<RunRow> const> rows, RunRoles const &roles,
                               std::shared_ptr<RunColors const> const &colors)
{
    auto const at = [r = rows.get()](int row) -> RunRow const & { return (*r)[static_cast<std::size_t>(row)]; };
    auto const words = [at](QString title, QString RunRow::*field, int width) {
        return Column{std::move(title), [at, field](int row) { return at(row).*field; }, {}, {}, {}, false, {}, width};
    };
    std::vector<Column> columns;
    columns.push_back(Column{Words::tr("Run", "one that was made"),
                             [at](int row) { return at(row).name(); },
                             [at](int row) { return at(row).id > 0 ? QVariant(at(row).id) : QVariant(at(row).name()); },
                             [at](int row) { return at(row).report; },
                             {},
                             false,
                             [at, colors](int row) -> QVariant {
                                 if (!colors || at(row).report.isEmpty()) return {};
                                 auto const color = colors->find(at(row).report);
                                 return color == colors->end() ? QVariant() : QVariant(theme()[color->second]);
                             },
                             kGrid * 36});
    // A run without a report has its number, a report from elsewhere its path.
    columns.back().key = [at](int row) { return at(row).id > 0 ? QString::number(at(row).id) : at(row).report; };
    columns.push_back(
        Column{Words::tr("Role"),
               [at, roles](int row) {
                   auto const &report = at(row).report;
                   if (report.isEmpty()) return QString();
                   if (report == roles.baseline && roles.isPinned) return Words::tr("pinned baseline");
                   return report == roles.shown ? Words::tr("on show") : report == roles.baseline ? Words::tr("baseline") : QString();
               },
               {},
               {},
               {},
               false,
               {},
               kGrid * 20});
    columns.push_back(Column{Words::tr("Started"),
                             [at](int row) { return startText(at(row)); },
                             [at](int row) { return QVariant(at(row).started); },
                             {},
                             {},
                             false,
                             {},
                             kGrid * 42});
    columns.push_back(words(Words::tr("Title"), &RunRow::title, kGrid * 64));
    columns.push_back(
        Column{Words::tr("Kind"), [at](int row) { return runKindLabel(at(row).kind.toStdString()); }, {}, {}, {}, false, {}, kGrid * 24});
    columns.push_back(Column{Words::tr("State"),
                             [at](int row) {
                                 return at(row).life == Run::Life::Detached ? Words::tr("Running in its own process")
                                                                            : runStateLabel(at(row).state.toStdString());
                             },
                             {},
                             [at](int row) { return at(row).reason; },
                             {},
                             false,
                             [at](int row) -> QVariant {
                                 return at(row).state == QLatin1String("failed") || at(row).state == QLatin1String("interrupted")
                                     ? QVariant(theme()[Token::Bad])
                                     : QVariant();
                             },
                             kGrid * 20});
    columns.push_back(words(Words::tr("Reason"), &RunRow::reason, kGrid * 48));
    columns.push_back(words(Words::tr("Tags"), &RunRow::tags, kGrid * 24));
    columns.push_back(words(Words::tr("Notes"), &RunRow::notes, kGrid * 36));
    auto const figure = [at](QString title, std::optional<double> RunRow::*field, QString (*show)(double), int width) {
        return Column{std::move(title),
                      [at, field, show](int row) {
                          auto const &v = at(row).*field;
                          return v ? show(*v) : QString();
                      },
                      [at, field](int row) { return cellValue(at(row).*field); },
                      {},
                      {},
                      true,
                      {},
                      width};
    };
    auto const count = [](double v) { return countText(std::llround(v)); };
    columns.push_back(figure(Words::tr("Steps"), &RunRow::steps, count, kGrid * 18));
    columns.push_back(figure(lossTitle(), &RunRow::loss, numberText, kGrid * 20));
    columns.push_back(Column{Words::tr("Metrics"),
                             [at](int row) {
                                 QStringList texts;
                                 for (auto it = at(row).metrics.begin(); it != at(row).metrics.end(); ++it)
                                     texts << QStringLiteral("%1 %2").arg(it.key(), numberText(it.value()));
                                 return texts.join(QStringLiteral(" · "));
                             },
                             {},
                             {},
                             {},
                             false,
                             {},
                             kGrid * 36});
    columns.push_back(figure(Words::tr("Cycles of a step (modelled)"), &RunRow::cyclesPerStep, count, kGrid * 46));
    columns.back().shortTitle = Words::tr("Cycles");
    columns.push_back(figure(
        Words::tr("Samples/s (modelled)"), &RunRow::samplesPerSecond, [](double v) { return shortCount(v); }, kGrid * 38));
    columns.back().shortTitle = Words::tr("Samples/s");
    columns.push_back(
        Column{Words::tr("Worst tile (modelled)"),
               [at](int row) {
                   auto const &r = at(row);
                   if (!r.worstBytes) return QString();
                   return r.capacity ? placedShareText(worstTile(r)) : bytesText(std::llround(*r.worstBytes));
               },
               [at](int row) { return cellValue(at(row).worstBytes); },
               [at](int row) { return at(row).worstBytes && at(row).capacity ? tileMemoryTip(worstTile(at(row))) : QString(); },
               [at](int row) {
                   auto const &r = at(row);
                   return r.worstBytes && r.capacity && *r.capacity > 0 ? *r.worstBytes / *r.capacity : 0.0;
               },
               true,
               {},
               kGrid * 24});
    columns.back().shortTitle = Words::tr("Worst tile");
    columns.push_back(Column{Words::tr("Fits"),
                             [at](int row) {
                                 auto const &f = at(row).fits;
                                 return !f ? QString() : *f ? Words::tr("yes") : Words::tr("no");
                             },
                             {},
                             {},
                             {},
                             false,
                             [at](int row) -> QVariant {
                                 auto const &f = at(row).fits;
                                 return f && !*f ? QVariant(theme()[Token::Bad]) : QVariant();
                             },
                             kGrid * 14});
    columns.push_back(figure(
        Words::tr("Host time (measured)"), &RunRow::hostSeconds, [](double v) { return secondsText(v); }, kGrid * 30));
    columns.push_back(
        Column{Words::tr("Report"),
               [at](int row) {
                   auto const &r = at(row);
                   return r.reportBytes ? bytesText(*r.reportBytes) : r.report.isEmpty() ? Words::tr("none") : Words::tr("gone");
               },
               [at](int row) { return at(row).reportBytes ? QVariant::fromValue<qlonglong>(*at(row).reportBytes) : QVariant(); },
               [at](int row) { return at(row).report; },
               {},
               true,
               {},
               kGrid * 22});
    // What a run is and what it came to; the rest where there is room for it.
    for (std::size_t i = columns.size() - 2; i < columns.size(); ++i) columns[i].optional = true;
    for (std::size_t const sameInMost : {3U, 4U}) columns[sameInMost].optional = true; // the title, the kind
    return columns;
}

std::vector<int> emptyColumns(std::vector<Column> const &columns, int rows)
{
    std::vector<int> empty;
    for (int c = 2; rows > 0 && c < static_cast<int>(columns.size()); ++c) {     // the run and its role stay
        if (columns[static_cast<std::size_t>(c)].title == lossTitle()) continue; // looked for first, also while the first epoch is not over
        auto const &cell = columns[static_cast<std::size_t>(c)].text;
        bool any = false;
        for (int row = 0; row < rows && !any; ++row) any = !cell(row).isEmpty();
        if (!any) empty.push_back(c);
    }
    return empty;
}

std::vector<int> equalColumns(std::vector<Column> const &columns, int rows)
{
    std::vector<int> equal;
    if (rows < 2) return equal;
    for (int c = 2; c < static_cast<int>(columns.size()); ++c) { // the run and its role stay
        auto const &cell = columns[static_cast<std::size_t>(c)].text;
        QString const first = cell(0);
        bool same = true;
        for (int row = 1; row < rows && same; ++row) same = cell(row) == first;
        if (same) equal.push_back(c);
    }
    return equal;
}

} // namespace tilewright::views
