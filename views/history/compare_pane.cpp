#include "views/history/compare_pane.h"
#include "views/history/compare_curves.h"

#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/figures/text.h"
#include "views/properties/adaptive_splitter.h"
#include "views/session/job_runner.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
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

} // namespace

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
    auto *split = new AdaptiveSplitter(kSideBySideFrom, 3, 2, this);
    split->addWidget(m_table);
    split->addWidget(m_curves);
    all->addWidget(split, 1);
    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        if (rows.size() == 1) pick(rows.front());
    });
}

std::shared_ptr<ComparePane::Rows> ComparePane::arrange(ReportPtr source, ReportPtr target)
{
    auto rows = std::make_shared<Rows>();
    rows->comparison = compareReports(withVectors(*source), withVectors(*target));
    rows->source = std::move(source);
    rows->target = std::move(target);
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

void ComparePane::compareChosen(std::vector<NamedReport> runs)
{
    if (runs.size() < 2 || m_chosen == runs) return;
    auto const source = runs.front().report, target = runs.back().report;
    bool const same = source == m_source && target == m_target;
    compare(source, target);
    m_chosen = std::move(runs);
    if (same && m_rows) showRows(m_rows); // other names, other curves
}

void ComparePane::compare(ReportPtr source, ReportPtr target)
{
    bool const wereChosen = !m_chosen.empty();
    m_chosen.clear();
    if (source == m_source && target == m_target && wereChosen && m_rows) return showRows(m_rows);
    if (source == m_source && target == m_target) return;
    m_source = source;
    m_target = target;
    if (!source || !target || !source->isWhole() || !target->isWhole()) {
        m_rows.reset();
        m_comparing = false;
        m_table->model().clear();
        m_curves->setReports(nullptr, nullptr);
        m_title->setText(tr("Nothing to compare"));
        m_note->setText(!target ? tr("Open the report of a run.") : !source ? tr("Pin a run as the baseline to see what differs from it.") : tr("Reading…"));
        Q_EMIT compared();
        return;
    }
    m_comparing = true;
    m_note->setText(tr("Comparing…"));
    m_session.jobs().compute<std::shared_ptr<Rows>>(this, JobKind::Compare, QStringLiteral("history-compare"),
        [source, target](JobContext const &) -> Result<std::shared_ptr<Rows>> { return arrange(source, target); },
        [this](Result<std::shared_ptr<Rows>> rows) {
            // Somebody may have asked for another pair meanwhile.
            if (rows.ok() && (*rows)->source == m_source && (*rows)->target == m_target) showRows(*rows);
        });
}

void ComparePane::showRows(std::shared_ptr<Rows> rows)
{
    m_comparing = false;
    m_rows = rows;
    auto const &comparison = rows->comparison;
    QString const before = m_chosen.empty() ? rows->source->title() : m_chosen.front().name, after = m_chosen.empty() ? rows->target->title() : m_chosen.back().name;
    m_title->setText(tr("%Ln difference(s): from “%1” to “%2”", nullptr, static_cast<int>(comparison.rows.size())).arg(before, after));
    QStringList notes;
    if (comparison.rows.empty()) notes << tr("The two reports say the same.");
    if (comparison.tilesThatDiffer > 0) notes << tr("%1 of %2 tiles differ").arg(countText(comparison.tilesThatDiffer), countText(comparison.tilesCompared));
    if (comparison.tilesByRank) notes << tr("the machines differ: tiles are compared by rank of size");
    notes << tr("cycles are those of one step; what was measured on this computer is not compared");
    m_note->setText(notes.join(QStringLiteral(" · ")));

    auto const *r = rows.get();
    auto const of = [r](int row) -> ReportDifference const * { int const d = r->difference[static_cast<std::size_t>(row)]; return d < 0 ? nullptr : &r->comparison.rows[static_cast<std::size_t>(d)]; };
    auto const raw = [](std::optional<double> const &v) { return v ? QVariant(*v) : QVariant(); };
    std::vector<Column> columns;
    columns.push_back(Column{tr("What"), [r, of](int row) {
        auto const *d = of(row);
        return d ? d->name : Text::tr("%1 (%2)").arg(comparedKindLabel(r->kinds[static_cast<std::size_t>(row)]), countText(r->members[static_cast<std::size_t>(row)]));
    }, {}, {}, {}, false, {}, kGrid * 64});
    columns.push_back(Column{tr("Figure"), [of](int row) { auto const *d = of(row); return d ? d->field : QString(); }, {}, {}, {}, false, {}, kGrid * 36});
    columns.push_back(Column{m_chosen.empty() ? tr("Baseline") : before, [of](int row) { auto const *d = of(row); return d ? differenceValueText(*d, false) : QString(); },
                             [of, raw](int row) { auto const *d = of(row); return d ? (d->source ? raw(d->source) : QVariant(d->sourceText)) : QVariant(); }, {}, {}, true, {}, kGrid * 28});
    columns.push_back(Column{m_chosen.empty() ? tr("On show") : after, [of](int row) { auto const *d = of(row); return d ? differenceValueText(*d, true) : QString(); },
                             [of, raw](int row) { auto const *d = of(row); return d ? (d->target ? raw(d->target) : QVariant(d->targetText)) : QVariant(); }, {}, {}, true, {}, kGrid * 28});
    columns.push_back(Column{tr("Difference"), [of](int row) { auto const *d = of(row); return d ? differenceText(*d) : QString(); },
                             [of](int row) { auto const *d = of(row); return d ? QVariant(d->difference()) : QVariant(); }, {}, {}, true, {}, kGrid * 28});
    columns.push_back(Column{tr("Percent"), [of](int row) {
        auto const *d = of(row);
        return d && d->percent() ? changeShareText(*d->source, *d->target) : QString();
    }, [of, raw](int row) { auto const *d = of(row); return d ? raw(d->percent()) : QVariant(); }, {}, {}, true, {}, kGrid * 22});
    columns.push_back(Column{tr("Verdict"), [of](int row) { auto const *d = of(row); int const v = d ? d->verdict() : 0; return v > 0 ? Text::tr("better") : v < 0 ? Text::tr("worse") : QString(); }, {}, {}, {}, false,
                             [of](int row) -> QVariant { auto const *d = of(row); int const v = d ? d->verdict() : 0; return v == 0 ? QVariant() : QVariant(theme()[v > 0 ? Token::Good : Token::Bad]); }, kGrid * 22});
    m_table->fill(std::move(columns), static_cast<int>(rows->difference.size()), rows->parents, rows);
    if (rows->difference.size() < 2000) m_table->tree().expandAll();
    if (m_chosen.empty()) m_curves->setReports(rows->source, rows->target);
    else m_curves->setRuns(m_chosen);
    follow();
    Q_EMIT compared();
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
            bool const touched = d.variable >= 0 ? Lineage::has(lineage.variables, d.variable) : d.tile >= 0 ? Lineage::has(lineage.tiles, d.tile) : !d.layer.isEmpty() && std::ranges::find(lineage.layers, d.layer) != lineage.layers.end() && d.kind == ComparedKind::Layer;
            if (touched) marked.push_back(static_cast<int>(row));
        }
    if (marked.size() > 2000) marked.resize(2000);
    m_table->highlight(marked);
}

} // namespace tilewright::views
