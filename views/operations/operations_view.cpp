#include "views/operations/operations_view.h"

#include "views/common/figure_parts.h"
#include "views/common/flow_layout.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/figures/comparison.h"
#include "views/figures/details_pane.h"
#include "views/figures/run_choices.h"
#include "views/jobs/job_runner.h"
#include "views/operations/op_describe.h"
#include "views/operations/roofline.h"
#include "views/operations/tiles_pane.h"
#include "views/operations/treemap.h"
#include "views/reports/report_snapshot.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kSideBySide = kGrid * 190;
constexpr int kRoomForBreakdown = kGrid * 110; ///< in smaller windows the table has priority
constexpr int kRoomForPictures = kGrid * 95;
constexpr std::size_t kTreemapItems = 400;  ///< smaller items are below a pixel
constexpr std::size_t kSynchronous = 20000; ///< with more operations the matching runs in the background

/// The correspondence between two reports.
struct MatchedOps {
    ReportPtr now, before;
    std::vector<report::RowPair> pairs;
};
using Matched = std::shared_ptr<MatchedOps const>;

Matched matchOps(ReportPtr const &now, ReportPtr const &before)
{
    return std::make_shared<MatchedOps const>(MatchedOps{now, before, report::matchOperations(before->data(), now->data())});
}

class OperationsView : public View {
    Q_OBJECT
public:
    OperationsView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(tr("Operations: %1").arg(m_level->currentText()))}; }
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    void startSearch() override { m_table->focusFilter(); }
    bool isSettled() const override { return !m_matching && m_tilesDone == m_tilesWanted; }

protected:
    void refresh() override;
    void follow() override;
    void showMoment() override;
    void restyle() override { m_view.reset(); }
    void resizeEvent(QResizeEvent *event) override
    {
        View::resizeEvent(event);
        m_splitter->setOrientation(width() < kSideBySide ? Qt::Vertical : Qt::Horizontal);
        m_breakdown->setVisible(height() >= kRoomForBreakdown || width() >= kSideBySide);
        // Where there is no room for both, the table gets it all; the pictures can be opened by dragging.
        bool const low = height() < kRoomForPictures && width() < kSideBySide;
        if (low != m_low) m_splitter->setSizes(low ? QList<int>{height(), 0} : QList<int>{kGrid * 170, kGrid * 100});
        m_low = low;
    }

private:
    QComboBox *choice(QString const &name, QWidget *parent);
    void rebuild();
    Matched matched(); ///< match with the compared report; null: nothing to compare, or not ready
    QString columnsKey() const { return m_view && m_view->table.compared ? QStringLiteral("columns-compared") : QStringLiteral("columns"); }
    void showShown(); ///< totals, treemap and roofline of the filtered rows
    void showChosen(std::vector<int> const &rows);
    void pick(int row);
    void showTiles(); ///< the selected operation by tile, if visible
    void markTiles();
    std::vector<int> shownRows() const;

    ReportPtr m_report;
    Matched m_matched;
    bool m_matching = false;
    std::shared_ptr<OpTableView> m_view;
    std::vector<int> m_rowOfOp, m_chosen;
    int m_run = report::kNone, m_ipu = report::kNone;
    TablePane *m_table = nullptr;
    QLabel *m_totals = nullptr, *m_ofThis = nullptr;
    CompareButton *m_compare = nullptr;
    QComboBox *m_level = nullptr, *m_group = nullptr, *m_runChoice = nullptr, *m_ipuChoice = nullptr;
    Treemap *m_treemap = nullptr;
    Roofline *m_roofline = nullptr;
    StackedBars *m_breakdown = nullptr;
    DetailsPane *m_details = nullptr;
    OpTilesPane *m_byTile = nullptr;
    int m_tilesWanted = 0, m_tilesDone = 0;
    std::tuple<ReportPtr, int, int> m_tilesOf{{}, report::kNone, report::kNone}; ///< shown report, operation and run
    QTabWidget *m_tabs = nullptr;
    QSplitter *m_splitter = nullptr;
    bool m_low = false;
    QTimer *m_soon = nullptr;
};

OperationsView::OperationsView(Session &session, QWidget *parent) : View(QStringLiteral("operations"), session, parent)
{
    setDependsOn(true, false, false);
    setShowsMoment();
    auto *left = new QWidget(this);
    auto *choices = new QWidget(left);
    new FlowLayout(choices, kGap);
    m_level = choice(tr("Level"), choices);
    for (char const *level : kOpLevels) m_level->addItem(levelLabel(level), QLatin1String(level));
    m_level->setCurrentIndex(1);
    m_group = choice(tr("Grouping"), choices);
    m_group->addItem(tr("Not grouped"), static_cast<int>(OpGroup::None));
    m_group->addItem(tr("By pass"), static_cast<int>(OpGroup::Pass));
    m_group->addItem(tr("By layer"), static_cast<int>(OpGroup::Layer));
    m_group->addItem(tr("By kind"), static_cast<int>(OpGroup::Kind));
    m_group->addItem(tr("By stage"), static_cast<int>(OpGroup::Stage));
    m_runChoice = choice(tr("Run whose cycles are shown"), choices);
    m_ipuChoice = choice(tr("IPUs whose cycles are shown"), choices);
    m_compare = new CompareButton(choices);
    choices->layout()->addWidget(m_compare);
    comparesReports(*this);

    m_table = new TablePane(tr("Operations"), left);
    m_totals = new QLabel(left);
    m_totals->setWordWrap(true);
    m_totals->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(choices);
    column->addWidget(m_table, 1);
    column->addWidget(m_totals);

    m_treemap = new Treemap(tr("Cycles of the operations shown, as areas"), this);
    m_roofline = new Roofline(this);
    m_details = new DetailsPane(session, this, tr("Chosen operation"), this);
    m_details->showHint(tr("Choose an operation to see its costs and its plan."));
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_treemap, tr("Cycles"));
    m_tabs->addTab(m_roofline, tr("Roofline"));
    m_tabs->addTab(m_details, tr("Details"));
    m_byTile = new OpTilesPane(this);
    m_tabs->addTab(m_byTile, tr("By tile"));
    m_breakdown = new StackedBars(tr("Cycles by phase, of the selection and of all shown"), this);
    m_details->setMinimumHeight(kGrid * 10);
    auto *right = new QWidget(this);
    auto *rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    m_ofThis = new QLabel(right);
    m_ofThis->setProperty("role", "secondary");
    m_ofThis->setWordWrap(true);
    m_ofThis->hide();
    rightColumn->addWidget(m_tabs, 1);
    rightColumn->addWidget(m_ofThis);
    rightColumn->addWidget(m_breakdown);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->addWidget(left);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({kGrid * 170, kGrid * 100});
    setBody(m_splitter);
    drawsFigures(*this);
    keepOutOfFigures(*choices);

    m_soon = new QTimer(this);
    m_soon->setSingleShot(true);
    m_soon->setInterval(0);
    connect(m_soon, &QTimer::timeout, this, &OperationsView::showShown);
    auto const soon = [this] { m_soon->start(); };
    connect(&m_table->proxy(), &QAbstractItemModel::rowsInserted, this, soon);
    connect(&m_table->proxy(), &QAbstractItemModel::rowsRemoved, this, soon);
    connect(&m_table->proxy(), &QAbstractItemModel::layoutChanged, this, soon);
    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        showChosen(rows);
        if (!m_view || rows.empty()) return;
        std::vector<int> ops;
        for (int const row : rows)
            if (m_view->row(row).op >= 0) ops.push_back(m_view->row(row).op);
        if (!ops.empty()) this->session().selection().selectIds(SelectionKind::Op, ops, this);
    });
    connect(m_table, &TablePane::rowActivated, this, [this](int row) {
        if (!m_view || m_view->row(row).op < 0) return;
        this->session().selection().selectIds(SelectionKind::Op, {m_view->row(row).op}, this);
        Q_EMIT this->session().viewRequested(QStringLiteral("execution"));
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, &OperationsView::showTiles);
    connect(m_byTile, &OpTilesPane::tilesChosen, this,
            [this](std::vector<int> const &tiles) { this->session().selection().selectIds(SelectionKind::Tile, tiles, this); });
    connect(m_byTile, &OpTilesPane::tileActivated, this, [this](int tile) {
        this->session().selection().selectIds(SelectionKind::Tile, {tile}, this);
        Q_EMIT this->session().viewRequested(QStringLiteral("memory"));
    });
    connect(m_treemap, &Treemap::picked, this, &OperationsView::pick);
    connect(m_roofline, &Roofline::picked, this, &OperationsView::pick);
    auto const choose = [this] {
        m_run = m_runChoice->currentData().toInt();
        m_ipu = m_ipuChoice->currentData().toInt();
        rebuild();
    };
    for (auto *box : {m_level, m_group, m_runChoice, m_ipuChoice}) connect(box, &QComboBox::activated, this, choose);
    connect(m_compare, &QToolButton::toggled, this, &OperationsView::rebuild);
}

QComboBox *OperationsView::choice(QString const &name, QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    parent->layout()->addWidget(box);
    return box;
}

QJsonObject OperationsView::saveState() const
{
    return {{QStringLiteral("level"), m_level->currentData().toString()},
            {QStringLiteral("group"), m_group->currentData().toInt()},
            {QStringLiteral("tab"), m_tabs->currentIndex()},
            {QStringLiteral("compare"), m_compare->isChecked()},
            {QStringLiteral("by_tile"), QLatin1String(idOf(m_byTile->shown()))},
            {columnsKey(), QString::fromLatin1(m_table->tree().header()->saveState().toBase64())},
            {QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())}};
}

void OperationsView::restoreState(QJsonObject const &state)
{
    if (int const i = m_level->findData(state.value(QLatin1String("level")).toString()); i >= 0) m_level->setCurrentIndex(i);
    if (int const i = m_group->findData(state.value(QLatin1String("group")).toInt()); i >= 0) m_group->setCurrentIndex(i);
    m_tabs->setCurrentIndex(state.value(QLatin1String("tab")).toInt());
    for (auto const what : {OpTilesPane::Show::Cycles, OpTilesPane::Show::Code, OpTilesPane::Show::Durations})
        if (state.value(QLatin1String("by_tile")).toString() == QLatin1String(idOf(what))) m_byTile->setShown(what);
    m_splitter->restoreState(QByteArray::fromBase64(state.value(QLatin1String("splitter")).toString().toLatin1()));
    m_compare->setChecked(state.value(QLatin1String("compare")).toBool(true));
    rebuild();
    m_table->tree().header()->restoreState(QByteArray::fromBase64(state.value(columnsKey()).toString().toLatin1()));
}

void OperationsView::refresh()
{
    auto const report = session().report();
    if (!applyReportState("graph")) {
        m_view.reset();
        m_report.reset();
        m_matched.reset();
        m_chosen.clear();
        showTiles();
        setHeadline(tr("No report yet: operations come with a compile"));
        return;
    }
    if (!report->isWhole()) {
        setHeadline(tr("Reading the operations…"));
        return;
    }
    auto const before = m_compare->report();
    QString const name = m_compare->name();
    m_compare->offer(session());
    if (m_view && m_report == report && m_compare->report() == before && m_compare->name() == name) return;
    if (m_report != report) m_run = m_ipu = report::kNone;
    m_report = report;
    fillRunChoices(*m_runChoice, *m_ipuChoice, m_report->data(), m_run, m_ipu);
    rebuild();
}

Matched OperationsView::matched()
{
    auto const before = m_compare->report();
    if (!before) {
        session().jobs().cancelSlot(this, QStringLiteral("operations.match"));
        m_matching = false;
        m_matched.reset();
    }
    if (!before) return nullptr;
    // A growing report keeps the operations of its compile.
    bool const sameOps = m_matched
        && (m_matched->now == m_report
            || (m_matched->now->uuid() == m_report->uuid() && m_matched->now->data().ops == m_report->data().ops));
    if (sameOps && m_matched->before == before) return m_matched;
    m_matched.reset();
    if (m_report->data().ops.size() + before->data().ops.size() <= kSynchronous) return m_matched = matchOps(m_report, before);
    m_matching = true;
    session().jobs().compute<Matched>(
        this, JobKind::Compare, QStringLiteral("operations.match"),
        [now = m_report, before](JobContext const &) -> Result<Matched> { return matchOps(now, before); },
        [this](Result<Matched> matched) {
            m_matching = false;
            if (!matched.ok() || (*matched)->before != m_compare->report()) return;
            m_matched = *matched;
            rebuild();
        });
    return nullptr;
}

void OperationsView::rebuild()
{
    if (!m_report || !m_report->isWhole()) return;
    bool const first = m_table->model().columnCount() == 0;
    auto const &d = m_report->data();
    auto view = std::make_shared<OpTableView>();
    view->report = m_report;
    view->frame = runFrame(d, m_run);
    view->playhead = icon(QStringLiteral("run"));
    auto const costs = costsByProgram(d, view->frame.run, m_ipu);
    std::string const level = m_level->currentData().toString().toStdString();
    auto const group = static_cast<OpGroup>(m_group->currentData().toInt());
    if (auto const matched = this->matched()) {
        auto const &other = matched->before->data();
        view->before = matched->before;
        view->beforeName = m_compare->name();
        view->frameBefore = runFrame(other);
        view->fair = report::sameSamples(other, d);
        view->knowsCycles = haveCycles(view->frame, view->frameBefore, m_ipu);
        view->table =
            comparedOpTable({d, costs, view->frame}, {other, costsByProgram(other, view->frameBefore.run, m_ipu), view->frameBefore},
                            matched->pairs, m_ipu, level, group);
    } else {
        view->table = opTable(d, costs, view->frame, m_ipu, level, group);
    }
    m_view = view;
    m_chosen.clear();
    m_rowOfOp.assign(d.ops.size(), -1);
    for (int row = 0; row < static_cast<int>(view->table.rows.size()); ++row)
        if (view->row(row).op >= 0) m_rowOfOp[static_cast<std::size_t>(view->row(row).op)] = row;
    // Everything below a row's operation leads to that row. Parents can come later in the table.
    for (std::size_t op = 0; op < d.ops.size(); ++op) {
        int at = static_cast<int>(op);
        for (int depth = 0; at >= 0 && depth < 64 && m_rowOfOp[static_cast<std::size_t>(at)] < 0; ++depth)
            at = d.ops[static_cast<std::size_t>(at)].parent;
        if (at >= 0) m_rowOfOp[op] = m_rowOfOp[static_cast<std::size_t>(at)];
    }
    auto columns = opColumns(view);
    bool const others = static_cast<int>(columns.size()) != m_table->model().columnCount();
    m_table->setCounted([view](int row) { return !view->row(row).isGroup && view->row(row).op >= 0; },
                        [](int shown, int all) {
                            return shown == all ? tr("%Ln operation(s)", nullptr, all)
                                                : tr("%1 of %Ln operation(s)", nullptr, all).arg(countText(shown));
                        });
    m_table->fill(std::move(columns), static_cast<int>(view->table.rows.size()), view->table.parents(), view);
    if (first) m_table->sortBy(kCyclesColumn, Qt::DescendingOrder);
    if (others) m_table->tree().setColumnHidden(stageColumn(*view), d.stages.empty());
    if (view->table.group != OpGroup::None) m_table->tree().expandAll();
    QStringList words{operationsHeadline(view->table, d)};
    if (view->table.compared) {
        words << stepDifferenceText(d, view->frame, view->before->data(), view->frameBefore, view->beforeName);
        words << changedText(tr("operations"), view->table.added(), view->table.removed());
    }
    words.removeAll(QString());
    setHeadline(words.join(QStringLiteral(" · ")), Headline::BeginsWithName); // of the costliest operation
    m_ofThis->setText(
        tr("Areas, roofline, phases and plans are those of the report on show; %1 stands in the table.").arg(view->beforeName));
    m_ofThis->setVisible(view->table.compared);
    showShown();
    follow();
    showMoment();
}

std::vector<int> OperationsView::shownRows() const
{
    std::vector<int> rows;
    for (int row = 0; row < static_cast<int>(m_view->table.rows.size()); ++row)
        if (!m_view->row(row).isGroup && m_table->proxy().mapFromSource(m_table->model().indexOfRow(row)).isValid()) rows.push_back(row);
    return rows;
}

void OperationsView::showShown()
{
    if (!m_view) return;
    auto const shown = shownRows();
    m_totals->setText(m_chosen.size() > 1 ? totalsText(*m_view, m_chosen, tr("Chosen:")) : totalsText(*m_view, shown, tr("Shown:")));
    m_totals->setToolTip(stepCyclesHelp(m_view->table.ipus()));
    m_breakdown->setBars(breakdownBars(*m_view, m_chosen, shown));
    auto const roof = machineRoof(m_report->data().target);
    std::vector<TreemapItem> items;
    std::vector<RoofPoint> points;
    for (int const row : shown) {
        auto const &one = m_view->row(row);
        if (one.cost.cycles <= 0) continue;
        auto const title = m_view->title(row);
        Token const token = phaseToken(one.cost.bound());
        items.push_back({row, title,
                         tr("%1: %2, bound by %3 (%4)")
                             .arg(title, stepCyclesText(m_view->table.ofStep(one.cost.cycles)), boundLabel(one.cost.bound()),
                                  cyclesOrigin(m_view->frame.measured)),
                         static_cast<double>(one.cost.cycles), token});
        if (one.flopsInAll > 0 && one.cost.bytesMoved > 0)
            points.push_back({row, title, one.flopsInAll / static_cast<double>(one.cost.bytesMoved),
                              one.flopsInAll / static_cast<double>(one.cost.cycles), static_cast<double>(one.cost.cycles), token});
    }
    if (items.size() > kTreemapItems) {
        std::ranges::nth_element(items, items.begin() + kTreemapItems, [](auto const &a, auto const &b) { return a.amount > b.amount; });
        items.resize(kTreemapItems);
    }
    m_treemap->setItems(std::move(items));
    m_roofline->setPoints(std::move(points), roof);
    m_treemap->setMarked(m_chosen);
    m_roofline->setMarked(m_chosen);
}

void OperationsView::showChosen(std::vector<int> const &rows)
{
    m_chosen = rows;
    std::ranges::sort(m_chosen);
    if (m_view && !m_chosen.empty()) m_details->show(m_view->title(m_chosen.front()), describeOperation(*m_view, m_chosen.front()));
    showTiles();
    showShown();
}

void OperationsView::showTiles()
{
    bool const seen = m_tabs->currentWidget() == m_byTile;
    int const row = m_view && !m_chosen.empty() ? m_chosen.front() : -1, op = row >= 0 ? m_view->row(row).op : report::kNone;
    if (op < 0) {
        m_tilesOf = {};
        std::get<1>(m_tilesOf) = report::kNone;
        m_tilesDone = ++m_tilesWanted;
        m_byTile->show({}, {}, {});
        return;
    }
    std::tuple const wanted{m_report, op, m_view->frame.run};
    if (!seen || m_tilesOf == wanted) return;
    m_tilesOf = wanted;
    QString const title = m_view->title(row);
    using Tiles = std::shared_ptr<OpOnTiles const>;
    int const generation = ++m_tilesWanted;
    session().jobs().compute<Tiles>(
        this, JobKind::AddUp, QStringLiteral("operations.tiles"),
        [report = m_report, op, frame = m_view->frame](JobContext const &) -> Result<Tiles> { return opOnTiles(report, op, frame); },
        [this, report = m_report, generation, title](Result<Tiles> const &tiles) {
            if (generation != m_tilesWanted) return;
            m_tilesDone = generation;
            if (!tiles.ok()) return;
            m_byTile->show(report, title, *tiles);
            markTiles();
        });
}

void OperationsView::markTiles()
{
    auto const &selected = session().selection().current();
    bool const tiles = selected.kind == SelectionKind::Tile || selected.kind == SelectionKind::Ipu;
    m_byTile->setMarked(tiles ? session().selection().lineage().tiles : std::vector<char>{},
                        selected.kind == SelectionKind::Tile && selected.ids.size() == 1 ? selected.ids.front() : -1);
}

void OperationsView::pick(int row)
{
    if (!m_view) return;
    m_table->highlight({row});
    showChosen({row});
    if (m_view->row(row).op >= 0) session().selection().selectIds(SelectionKind::Op, {m_view->row(row).op}, this);
}

/// Marks the operation of the program step at the playhead.
void OperationsView::showMoment()
{
    if (!m_view) return;
    int const program = session().playhead().moment().program;
    auto const &d = m_report->data();
    int const op =
        program >= 0 && program < static_cast<int>(d.programs.size()) ? d.programs[static_cast<std::size_t>(program)].op : report::kNone;
    m_view->stands = op >= 0 && op < static_cast<int>(m_rowOfOp.size()) ? m_rowOfOp[static_cast<std::size_t>(op)] : report::kNone;
    auto &tree = m_table->tree();
    tree.viewport()->update();
    if (m_view->stands < 0) return;
    auto const index = m_table->proxy().mapFromSource(m_table->model().indexOfRow(m_view->stands));
    if (index.isValid()) tree.scrollTo(index);
}

void OperationsView::follow()
{
    auto const &selected = session().selection().current();
    markTiles();
    setNote({});
    if (!m_view || selected.kind == SelectionKind::None) return;
    auto const &lineage = session().selection().lineage();
    std::vector<int> rows;
    for (std::size_t op = 0; op < lineage.ops.size() && op < m_rowOfOp.size(); ++op)
        if (lineage.ops[op] && m_rowOfOp[op] >= 0) rows.push_back(m_rowOfOp[op]);
    std::ranges::sort(rows);
    rows.erase(std::ranges::unique(rows).begin(), rows.end());
    setNote(
        tr("%1 of %2 operations belong to %3")
            .arg(countText(static_cast<std::int64_t>(rows.size())), countText(m_view->table.operations()), session().selection().text()));
    if (session().selection().origin() == this && !m_chosen.empty()) return;
    m_table->highlight(rows);
    showChosen(rows);
}

} // namespace

ViewDescriptor operationsView()
{
    return {"operations",   QT_TRANSLATE_NOOP("views", "Operations"),
            "operations",   ViewDescriptor::Centre,
            QKeySequence(), [](Session &session, QWidget *parent) -> View * { return new OperationsView(session, parent); }};
}

} // namespace tilewright::views

#include "operations_view.moc"
