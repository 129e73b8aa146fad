#include "views/runs/compare_pane.h"
#include "views/runs/compare_curves.h"
#include "views/runs/run_rows.h"

#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/jobs/job_runner.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/widgets/adaptive_splitter.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tilewright::views {

namespace {

constexpr int kSideBySideFrom = 200 * kGrid;

ComparedReport withVectors(ReportSnapshot const &report)
{
    ComparedReport side{report.data(), report.tileMetric("with_gaps"), {}, {}};
    for (auto const &part : report.data().memoryParts) {
        auto const &values = report.tileVec(part.vec);
        side.memoryTotals.push_back(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    }
    // Means of the last epoch where there are any: a single step's loss says little.
    std::map<QString, std::pair<bool, double>> last;
    for (auto const &series : reportSeries(report, trainingRun(report.data()))) {
        if (series.y.empty() || !std::isfinite(series.y.back())) continue;
        auto const it = last.find(series.name);
        if (it == last.end() || series.perEpoch) last[series.name] = {series.perEpoch, series.y.back()};
    }
    for (auto const &[name, value] : last) side.results.emplace_back(name, value.second);
    return side;
}

QVariant rawOf(ReportDifference const *d, bool ofTarget)
{
    if (!d) return {};
    auto const &value = ofTarget ? d->target : d->source;
    return value ? QVariant(*value) : QVariant(ofTarget ? d->targetText : d->sourceText);
}

/// Of a share there is no percentage: its difference says it, in points.
QString percentText(ReportDifference const &d)
{
    return d.percent() && d.unit != ComparedUnit::Share ? changeShareText(*d.source, *d.target) : QString();
}

} // namespace

ReportDifference const *ComparePane::Rows::differenceOf(int row) const
{
    int const d = difference[static_cast<std::size_t>(row)];
    return d < 0 ? nullptr : &comparison.rows[static_cast<std::size_t>(d)];
}

ReportDifference const *ComparePane::Rows::differenceOf(int row, std::size_t run) const
{
    int const d = difference[static_cast<std::size_t>(row)];
    int const place = d < 0 ? -1 : places[static_cast<std::size_t>(d)][run - 1];
    return place < 0 ? nullptr : &fromFirst[run - 1].rows[static_cast<std::size_t>(place)];
}

std::vector<Column> ComparePane::Rows::nameColumns() const
{
    std::vector<Column> columns;
    columns.push_back(Column{tr("What"),
                             [this](int row) {
                                 auto const *d = differenceOf(row);
                                 return d ? d->name
                                          : Words::tr("%1 (%2)").arg(comparedKindLabel(kinds[static_cast<std::size_t>(row)]),
                                                                     countText(members[static_cast<std::size_t>(row)]));
                             },
                             {},
                             {},
                             {},
                             false,
                             {},
                             kGrid * 64});
    columns.back().key = [this](int row) {
        auto const *d = differenceOf(row);
        return d ? QStringLiteral("%1\n%2\n%3").arg(d->layer, d->name, d->field) : comparedKindLabel(kinds[static_cast<std::size_t>(row)]);
    };
    columns.push_back(Column{tr("Figure"),
                             [this](int row) {
                                 auto const *d = differenceOf(row);
                                 return d ? d->field : QString();
                             },
                             {},
                             {},
                             {},
                             false,
                             {},
                             kGrid * 36});
    return columns;
}

ComparePane::ComparePane(Session &session, QObject *origin, QWidget *parent) : QWidget(parent), m_session(session), m_origin(origin)
{
    m_title = new QLabel(this);
    m_title->setProperty("role", "headline");
    m_title->setWordWrap(true);
    m_note = new QLabel(this);
    m_note->setProperty("role", "secondary");
    m_note->setWordWrap(true);
    m_table = new TablePane(tr("Differences"), this);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);
    all->addWidget(m_title);
    all->addWidget(m_note);
    m_curves = new CompareCurves(this);
    auto *split = new AdaptiveSplitter(kSideBySideFrom, 2, 1, this);
    split->addWidget(m_table);
    split->addWidget(m_curves);
    all->addWidget(split, 1);
    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        if (rows.size() == 1) pick(rows.front());
    });
}

std::shared_ptr<ComparePane::Rows> ComparePane::arrange(std::vector<ReportPtr> reports)
{
    auto rows = std::make_shared<Rows>();
    auto const first = withVectors(*reports.front());
    for (std::size_t i = 1; i < reports.size(); ++i) rows->fromFirst.push_back(compareReports(first, withVectors(*reports[i])));
    rows->reports = std::move(reports);
    auto aligned = alignComparisons(rows->fromFirst);
    rows->comparison = std::move(aligned.all);
    rows->places = std::move(aligned.places);
    auto const &all = rows->comparison.rows;
    for (int k = 0; k < kComparedKinds; ++k) {
        auto const kind = static_cast<ComparedKind>(k);
        int const head = static_cast<int>(rows->difference.size());
        int members = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].kind != kind) continue;
            if (members++ == 0) {
                rows->parents.push_back(-1);
                rows->difference.push_back(-1);
                rows->kinds.push_back(kind);
                rows->members.push_back(0);
            }
            rows->parents.push_back(head);
            rows->difference.push_back(static_cast<int>(i));
            rows->kinds.push_back(kind);
            rows->members.push_back(0);
        }
        if (members > 0) rows->members[static_cast<std::size_t>(head)] = members;
    }
    return rows;
}

void ComparePane::compareChosen(std::vector<NamedReport> runs, int notShown)
{
    if (runs.size() < 2 || (m_chosen == runs && m_notShown == notShown)) return;
    std::vector<ReportPtr> reports;
    for (auto const &run : runs) reports.push_back(run.report);
    bool const same = reports == m_asked;
    m_chosen = std::move(runs);
    m_notShown = notShown;
    if (same && m_rows) showRows(m_rows); // other names, other curves
    else compareAll(std::move(reports));
}

void ComparePane::compare(ReportPtr source, ReportPtr target)
{
    bool const wereChosen = !m_chosen.empty();
    m_chosen.clear();
    m_notShown = 0;
    std::vector<ReportPtr> reports{std::move(source), std::move(target)};
    if (reports == m_asked && wereChosen && m_rows) return showRows(m_rows);
    compareAll(std::move(reports));
}

void ComparePane::compareAll(std::vector<ReportPtr> reports)
{
    if (reports == m_asked) return;
    m_asked = reports;
    if (std::ranges::any_of(reports, [](ReportPtr const &report) { return !report || !report->isWhole(); })) {
        m_rows.reset();
        m_shown.clear();
        m_comparing = false;
        m_table->model().clear();
        m_curves->setReports(nullptr, nullptr);
        m_title->setText(tr("Nothing to compare"));
        m_note->setText(!reports.back()        ? tr("Open the report of a run.")
                            : !reports.front() ? tr("Pin a run as the baseline to see what differs from it.")
                                               : tr("Reading…"));
        Q_EMIT finished();
        return;
    }
    m_comparing = true;
    m_note->setText(tr("Comparing…"));
    m_session.jobs().compute<std::shared_ptr<Rows>>(
        this, JobKind::Compare, QStringLiteral("runs-compare"),
        [reports](JobContext const &) -> Result<std::shared_ptr<Rows>> { return arrange(reports); },
        [this](Result<std::shared_ptr<Rows>> rows) {
            // Somebody may have asked for others meanwhile.
            if (rows.ok() && (*rows)->reports == m_asked) showRows(*rows);
        });
}

void ComparePane::showRows(std::shared_ptr<Rows> rows)
{
    m_comparing = false;
    m_rows = rows;
    m_shown = rows->reports;
    auto const &comparison = rows->comparison;
    bool const several = rows->reports.size() > 2;
    int const differences = static_cast<int>(comparison.rows.size());
    QString const before = m_chosen.empty() ? rows->reports.front()->title() : m_chosen.front().name,
                  after = m_chosen.empty() ? rows->reports.back()->title() : m_chosen.back().name;
    m_title->setText(several ? tr("%Ln difference(s) of %1 runs from “%2”", nullptr, differences).arg(rows->reports.size() - 1).arg(before)
                             : tr("%Ln difference(s): from “%1” to “%2”", nullptr, differences).arg(before, after));
    QStringList notes;
    if (comparison.rows.empty()) notes << (several ? tr("The reports say the same.") : tr("The two reports say the same."));
    if (m_notShown > 0) notes << tr("%Ln more chosen run(s) not shown: so many would look alike", nullptr, m_notShown);
    if (comparison.tilesThatDiffer > 0)
        notes << tr("%1 of %2 tiles differ").arg(countText(comparison.tilesThatDiffer), countText(comparison.tilesCompared));
    if (comparison.tilesByRank) notes << tr("the machines differ: tiles are compared by rank of size");
    if (comparison.batchesDiffer) notes << otherBatchText(comparison);
    if (QString const text = unfinishedText(comparison); !text.isEmpty()) notes << text;
    notes << tr("cycles are those of one step; times measured on this computer are not compared");
    m_note->setText(notes.join(QStringLiteral(" · ")));
    m_table->fill(several ? columnsOfSeveral(rows) : columnsOfTwo(rows), static_cast<int>(rows->difference.size()), rows->parents, rows);
    if (rows->difference.size() < 2000) m_table->tree().expandAll();
    if (m_chosen.empty()) m_curves->setReports(rows->reports.front(), rows->reports.back());
    else m_curves->setRuns(m_chosen);
    follow();
    Q_EMIT finished();
}

std::vector<Column> ComparePane::columnsOfTwo(std::shared_ptr<Rows> const &rows) const
{
    auto const of = [r = rows.get()](int row) { return r->differenceOf(row); };
    bool const named = !m_chosen.empty();
    auto columns = rows->nameColumns();
    columns.push_back(Column{named ? m_chosen.front().name : tr("Baseline"),
                             [of](int row) {
                                 auto const *d = of(row);
                                 return d ? differenceValueText(*d, false) : QString();
                             },
                             [of](int row) { return rawOf(of(row), false); },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 28});
    columns.push_back(Column{named ? m_chosen.back().name : tr("On show"),
                             [of](int row) {
                                 auto const *d = of(row);
                                 return d ? differenceValueText(*d, true) : QString();
                             },
                             [of](int row) { return rawOf(of(row), true); },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 28});
    columns.push_back(Column{tr("Difference"),
                             [of](int row) {
                                 auto const *d = of(row);
                                 return d ? differenceText(*d) : QString();
                             },
                             [of](int row) {
                                 auto const *d = of(row);
                                 return d ? QVariant(d->difference()) : QVariant();
                             },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 28});
    columns.push_back(Column{tr("Percent"),
                             [of](int row) {
                                 auto const *d = of(row);
                                 return d ? percentText(*d) : QString();
                             },
                             [of](int row) {
                                 auto const *d = of(row);
                                 return d && d->unit != ComparedUnit::Share ? cellValue(d->percent()) : QVariant();
                             },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 22});
    columns.push_back(Column{tr("Verdict"),
                             [of](int row) {
                                 auto const *d = of(row);
                                 int const v = d ? d->verdict() : 0;
                                 return v > 0 ? Words::tr("better") : v < 0 ? Words::tr("worse") : QString();
                             },
                             {},
                             [of, why = otherBatchText(rows->comparison)](int row) {
                                 auto const *d = of(row);
                                 return d && (d->unit == ComparedUnit::Bytes || d->unit == ComparedUnit::Cycles) ? why : QString();
                             },
                             {},
                             false,
                             {},
                             kGrid * 18});
    return columns;
}

/// The value of each, and after it by how much it differs from the first.
std::vector<Column> ComparePane::columnsOfSeveral(std::shared_ptr<Rows> const &rows) const
{
    auto const *r = rows.get();
    auto columns = rows->nameColumns();
    columns.push_back(Column{m_chosen.front().name,
                             [r](int row) {
                                 auto const *d = r->differenceOf(row);
                                 return d ? differenceValueText(*d, false) : QString();
                             },
                             [r](int row) { return rawOf(r->differenceOf(row), false); },
                             {},
                             {},
                             true,
                             {},
                             kGrid * 28});
    for (std::size_t run = 1; run < rows->reports.size(); ++run) {
        auto const text = [r, run](int row) {
            auto const *any = r->differenceOf(row);
            if (!any) return QString();
            if (auto const *d = r->differenceOf(row, run)) {
                QString const percent = d->unit == ComparedUnit::Share && d->percent() ? differenceText(*d) : percentText(*d);
                return percent.isEmpty() ? differenceValueText(*d, true)
                                         : QStringLiteral("%1 (%2)").arg(differenceValueText(*d, true), percent);
            }
            return any->kind == ComparedKind::Tile ? QString()
                                                   : differenceValueText(*any, false); // of tiles only the largest differences are known
        };
        auto const value = [r, run](int row) {
            auto const *d = r->differenceOf(row, run);
            return d ? rawOf(d, true) : rawOf(r->differenceOf(row), false);
        };
        columns.push_back(Column{run < m_chosen.size() ? m_chosen[run].name : QString(), text, value, {}, {}, true, {}, kGrid * 34});
    }
    return columns;
}

void ComparePane::pick(int row)
{
    int const index = m_rows ? m_rows->difference[static_cast<std::size_t>(row)] : -1;
    if (index < 0) return;
    auto const &difference = m_rows->comparison.rows[static_cast<std::size_t>(index)];
    auto &selection = m_session.selection();
    if (difference.variable >= 0) selection.selectIds(SelectionKind::Variable, {difference.variable}, m_origin);
    else if (difference.tile >= 0) selection.selectIds(SelectionKind::Tile, {difference.tile}, m_origin);
    else if (difference.kind == ComparedKind::Option) selection.select({SelectionKind::Option, {}, difference.name, 0, 0}, m_origin);
    else if (!difference.layer.isEmpty()) selection.selectLayer(difference.layer, m_origin);
}

void ComparePane::follow()
{
    if (!m_rows || m_session.selection().origin() == m_origin) return;
    auto const &lineage = m_session.selection().lineage();
    std::vector<int> marked;
    if (m_session.selection().current().kind != SelectionKind::None)
        for (std::size_t row = 0; row < m_rows->difference.size(); ++row) {
            int const index = m_rows->difference[row];
            if (index < 0) continue;
            auto const &d = m_rows->comparison.rows[static_cast<std::size_t>(index)];
            bool const touched = d.variable >= 0 ? Lineage::has(lineage.variables, d.variable)
                : d.tile >= 0
                ? Lineage::has(lineage.tiles, d.tile)
                : !d.layer.isEmpty() && std::ranges::find(lineage.layers, d.layer) != lineage.layers.end() && d.kind == ComparedKind::Layer;
            if (touched) marked.push_back(static_cast<int>(row));
        }
    if (marked.size() > 2000) marked.resize(2000);
    m_table->highlight(marked);
}

} // namespace tilewright::views
