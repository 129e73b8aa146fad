#include "views/insights/memory_panel.h"

#include "engine/report/quantities.h"
#include "engine/report/tile_use.h"
#include "views/common/figure_parts.h"
#include "views/common/flow_layout.h"
#include "views/common/format.h"
#include "views/common/wrapped_label.h"
#include "views/figures/tile_memory.h"
#include "views/insights/use_histogram.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"
#include "views/tiles/tile_contents.h"
#include "views/wording/tile_words.h"
#include "views/wording/labels.h"
#include "views/wording/tile_memory_text.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

using report::worstTiles;
using report::useBins;
using report::useByIpu;

constexpr int kBins = 24; ///< of the histogram at most
constexpr int kMostListed = 100;

} // namespace

MemoryPanel::MemoryPanel(Session &session, QObject *origin, QWidget *parent) : QScrollArea(parent), m_session(session), m_origin(origin)
{
    setAccessibleName(tr("Memory of the tiles"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, kGrid, 0);
    column->setSpacing(kGrid);
    setWidget(page);

    m_ipuTitle = heading(tr("Memory used by IPU"));
    m_ipuList = list(tr("Memory used by IPU"));
    column->addWidget(m_ipuTitle);
    column->addWidget(m_ipuList);
    auto const line = [&](QLabel *title, QWidget *control) {
        auto *row = new QWidget(page);
        auto *both = new QHBoxLayout(row);
        both->setContentsMargins(0, kGrid, 0, 0);
        both->addWidget(title, 1);
        control->setParent(row);
        both->addWidget(control);
        column->addWidget(row);
    };
    m_useTitle = heading({});
    m_gaps = new QToolButton(page);
    m_gaps->setProperty("role", "word");
    m_gaps->setText(tr("Gaps"));
    m_gaps->setCheckable(true);
    m_gaps->setChecked(true); // as the headline
    m_gaps->setToolTip(tr("On: the bytes placed on each tile, gaps included, which decide whether it fits. Off: the bytes used."));
    line(m_useTitle, m_gaps);
    m_histogram = new UseHistogram(page);
    m_histogram->setToolTip(tr("Click a bar or draw a box to select its tiles everywhere; with Ctrl they are added."));
    column->addWidget(m_histogram);

    m_count = new QSpinBox(page);
    m_count->setRange(1, kMostListed);
    m_count->setValue(5);
    m_count->setAccessibleName(tr("How many of the worst and the largest are listed"));
    m_count->setToolTip(m_count->accessibleName());
    line(heading(tr("Worst tiles")), m_count);
    m_tileList = list(tr("Worst tiles"));
    m_tileList->setToolTip(tr("Enter or double click opens the tile in Memory."));
    column->addWidget(m_tileList);

    auto *choices = new QWidget(page);
    auto *flow = new FlowLayout(choices, kGap);
    flow->setSpacing(kGrid);
    choices->setContentsMargins(0, kGrid, 0, 0);
    m_what = new QComboBox(choices);
    m_what->setAccessibleName(tr("What is listed by size"));
    m_what->setToolTip(m_what->accessibleName());
    for (int i = 0; i < kRanks; ++i) m_what->addItem(rankName(static_cast<RankOf>(i)), i);
    m_scope = new QComboBox(choices);
    m_scope->setAccessibleName(tr("Tiles that count"));
    m_scope->setToolTip(m_scope->accessibleName());
    for (auto *box : {m_what, m_scope}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        flow->addWidget(box);
    }
    column->addWidget(choices);
    m_rankTitle = heading({});
    column->addWidget(m_rankTitle);
    m_rankNote = new WrappedLabel(page);
    m_rankNote->setProperty("role", "secondary");
    column->addWidget(m_rankNote);
    m_rankList = list(tr("Largest of what is chosen"));
    column->addWidget(m_rankList);
    column->addStretch(1);

    connect(m_count, &QSpinBox::valueChanged, this, [this] {
        fillTiles();
        fillScopes();
        showRanking();
    });
    connect(m_gaps, &QToolButton::toggled, this, &MemoryPanel::fillUse);
    connect(m_what, &QComboBox::activated, this, &MemoryPanel::rank);
    connect(m_scope, &QComboBox::activated, this, &MemoryPanel::rank);
    connect(m_histogram, &UseHistogram::tilesChosen, this, &MemoryPanel::chooseTiles);
    connect(m_ipuList, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        if (!rows.empty()) m_session.selection().selectIds(SelectionKind::Ipu, rows, m_origin);
    });
    auto const tileOf = [this](int row) {
        return row >= 0 && static_cast<std::size_t>(row) < m_tiles->size() ? (*m_tiles)[static_cast<std::size_t>(row)] : -1;
    };
    connect(m_tileList, &TablePane::rowsPicked, this, [this, tileOf](std::vector<int> const &rows) {
        std::vector<int> tiles;
        for (int const row : rows)
            if (int const tile = tileOf(row); tile >= 0) tiles.push_back(tile);
        std::ranges::sort(tiles);
        if (!tiles.empty()) m_session.selection().selectIds(SelectionKind::Tile, tiles, m_origin);
    });
    connect(m_tileList, &TablePane::rowActivated, this, [this, tileOf](int row) {
        if (int const tile = tileOf(row); tile >= 0)
            goTo(m_session, destination(SelectionKind::Tile, tile, QStringLiteral("memory")), m_origin);
    });
    connect(m_rankList, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        Selected all;
        for (int const row : rows) {
            auto const &selected = m_ranking->rows[static_cast<std::size_t>(row)].selected;
            if (selected.kind == SelectionKind::None) continue;
            all.kind = selected.kind;
            all.ids.insert(all.ids.end(), selected.ids.begin(), selected.ids.end());
        }
        std::ranges::sort(all.ids);
        if (all.kind != SelectionKind::None) m_session.selection().select(all, m_origin);
    });
    connect(m_rankList, &TablePane::rowActivated, this, [this](int row) {
        auto const &selected = m_ranking->rows[static_cast<std::size_t>(row)].selected;
        if (selected.kind != SelectionKind::None)
            goTo(m_session, {selected.kind == SelectionKind::Program ? QStringLiteral("program") : QStringLiteral("memory"), selected},
                 m_origin);
    });
}

QLabel *MemoryPanel::heading(QString const &text)
{
    auto *label = new WrappedLabel(widget());
    label->setText(text);
    label->setProperty("role", "headline");
    return label;
}

TablePane *MemoryPanel::list(QString const &accessibleName)
{
    auto *made = new TablePane(accessibleName, widget());
    made->hideFilter();
    made->showAllRows();
    made->tree().setRootIsDecorated(false);
    return made;
}

void MemoryPanel::show(ReportPtr const &report)
{
    if (report == m_report) return;
    // The same report with more data of its run: the memory of the compile has not changed.
    if (m_report && report && report->isWhole() && !report->uuid().isEmpty() && report->uuid() == m_report->uuid()) {
        m_report = report;
        return;
    }
    m_report = report && report->isWhole() ? report : ReportPtr();
    m_contents.reset();
    fillUse();
    fillTiles();
    int const ipus = m_report ? m_report->data().target.ipusPerReplica : 0;
    bool const several = ipus > 1 && !isEmpty();
    m_ipuTitle->setVisible(several);
    m_ipuList->setVisible(several);
    if (several) m_ipuList->fill(ipuColumns(m_report), ipus);
    else m_ipuList->model().clear();
    m_scope->clear();
    fillScopes();
    rank();
    follow();
}

void MemoryPanel::fillUse()
{
    bool const gaps = m_gaps->isChecked();
    auto const bytes = m_report ? m_report->tileMetric(gaps ? "with_gaps" : "without_gaps") : KeptList<std::int64_t>();
    m_useTitle->setText(gaps ? tr("Tiles by the bytes placed on them") : tr("Tiles by the bytes used, without gaps"));
    m_histogram->setUse(useBins(*bytes, kBins), m_report ? m_report->data().target.bytesPerTile : 0);
    auto const &selection = m_session.selection();
    m_histogram->setSelected(selection.lineage().tiles, selection.text());
}

void MemoryPanel::fillTiles()
{
    auto const with = m_report ? m_report->tileMetric("with_gaps") : KeptList<std::int64_t>();
    m_tiles = std::make_shared<std::vector<int> const>(worstTiles(*with, m_count->value()));
    if (isEmpty()) return m_tileList->model().clear();
    m_tileList->fill(tileColumns(m_report, m_tiles), static_cast<int>(m_tiles->size()), {}, m_tiles);
}

/// The model, its IPUs, the worst tiles and the selected one; keeps the current choice.
void MemoryPanel::fillScopes()
{
    if (!m_report) return m_scope->clear();
    auto const chosen = scope();
    std::vector<RankScope> scopes{{RankScope::Model, 0}};
    for (int i = 0; i < m_report->data().target.ipusPerReplica && m_report->data().target.ipusPerReplica > 1; ++i)
        scopes.push_back({RankScope::Ipu, i});
    for (int const tile : *m_tiles) scopes.push_back({RankScope::Tile, tile});
    auto const add = [&scopes](RankScope one) {
        if (std::ranges::find(scopes, one) == scopes.end()) scopes.push_back(one);
    };
    auto const &selected = m_session.selection().current();
    if (selected.kind == SelectionKind::Tile && selected.ids.size() == 1 && selected.ids.front() >= 0
        && selected.ids.front() < m_report->tiles())
        add({RankScope::Tile, selected.ids.front()});
    if (m_scope->count() > 0) add(chosen);
    QSignalBlocker const quiet(m_scope);
    m_scope->clear();
    for (auto const &one : scopes) m_scope->addItem(scopeName(m_report, one), QPoint(one.kind, one.id));
    m_scope->setCurrentIndex(std::max(0, m_scope->findData(QPoint(chosen.kind, chosen.id))));
}

RankOf MemoryPanel::what() const { return static_cast<RankOf>(m_what->currentData().toInt()); }

RankScope MemoryPanel::scope() const
{
    auto const at = m_scope->currentData().toPoint();
    return {static_cast<RankScope::Kind>(at.x()), at.y()};
}

void MemoryPanel::choose(RankOf wanted, RankScope where)
{
    m_what->setCurrentIndex(m_what->findData(static_cast<int>(wanted)));
    if (int const i = m_scope->findData(QPoint(where.kind, where.id)); i >= 0) m_scope->setCurrentIndex(i);
    rank();
}

void MemoryPanel::rank()
{
    m_stale = !isVisible() || isEmpty();
    if (m_stale) {
        if (!isEmpty()) return;
        m_ranking = std::make_shared<Ranking const>();
        return showRanking();
    }
    int const wanted = ++m_wanted;
    struct Read {
        Ranking ranking;
        std::shared_ptr<TileContents const> contents;
    };
    m_session.jobs().compute<Read>(
        this, JobKind::AddUp, QStringLiteral("insights.memory"),
        [report = m_report, contents = m_contents, what = what(), scope = scope()](JobContext const &job) -> Result<Read> {
            Read read{{}, contents};
            if (!read.contents && needsContents(what)) read.contents = readContents(*report, job);
            if (job.cancelled()) return cancelledError("insights.memory");
            read.ranking = rankingOf(report, what, scope, read.contents, job);
            return read;
        },
        [this, report = m_report, wanted](Result<Read> read) {
            if (wanted == m_wanted) m_done = wanted;
            if (report != m_report || wanted != m_wanted || !read.ok()) return;
            m_contents = read->contents;
            m_ranking = std::make_shared<Ranking const>(std::move(read->ranking));
            showRanking();
        });
}

void MemoryPanel::showRanking()
{
    bool const any = !m_ranking->rows.empty();
    m_rankTitle->setText(m_ranking->title);
    m_rankTitle->setVisible(!m_ranking->title.isEmpty());
    QString const note = any ? m_ranking->note : tr("There is nothing of the kind.");
    m_rankNote->setText(note);
    m_rankNote->setVisible(!note.isEmpty() && !m_ranking->title.isEmpty());
    m_rankList->setVisible(any);
    if (!any) return m_rankList->model().clear();
    int const rows = std::min(static_cast<int>(m_ranking->rows.size()), m_count->value());
    m_rankList->fill(rankColumns(m_ranking), rows, {}, m_ranking);
}

void MemoryPanel::chooseTiles(std::vector<int> tiles, Qt::KeyboardModifiers modifiers)
{
    auto const &selected = m_session.selection().current();
    if (modifiers & Qt::ControlModifier && selected.kind == SelectionKind::Tile) {
        tiles.insert(tiles.end(), selected.ids.begin(), selected.ids.end());
        std::ranges::sort(tiles);
        tiles.erase(std::ranges::unique(tiles).begin(), tiles.end());
    }
    m_session.selection().selectIds(SelectionKind::Tile, std::move(tiles), m_origin);
}

void MemoryPanel::follow()
{
    if (isEmpty()) return;
    auto const &selection = m_session.selection();
    auto const &lineage = selection.lineage();
    m_histogram->setSelected(lineage.tiles, selection.text());
    fillScopes();
    std::vector<int> rows;
    if (selection.current().kind == SelectionKind::Tile)
        for (std::size_t row = 0; row < m_tiles->size(); ++row)
            if (Lineage::has(lineage.tiles, (*m_tiles)[row])) rows.push_back(static_cast<int>(row));
    m_tileList->highlight(rows);
}

QString MemoryPanel::headline() const
{
    if (isEmpty()) return {};
    auto const &d = m_report->data();
    auto const worst = worstTileMemory(*m_report);
    if (!worst) return {};
    return (worst->fits ? tr("Memory fits: %1 (%2)") : tr("Memory does not fit: %1 (%2)"))
        .arg(worstTileText(*worst), tileInSentence(d, worst->tile));
}

QString MemoryPanel::headlineTip() const
{
    auto const worst = isEmpty() ? std::nullopt : worstTileMemory(*m_report);
    return worst ? tileMemoryTip(*worst) : QString();
}

Destination MemoryPanel::worst() const
{
    return isEmpty() ? Destination{} : destination(SelectionKind::Tile, m_tiles->front(), QStringLiteral("memory"));
}

int MemoryPanel::tilesShown() const { return m_count->value(); }
void MemoryPanel::setTilesShown(int tiles) { m_count->setValue(tiles); }

QJsonObject MemoryPanel::saveState() const
{
    return {{QStringLiteral("listed"), m_count->value()},
            {QStringLiteral("with_gaps"), m_gaps->isChecked()},
            {QStringLiteral("ranked"), QLatin1String(idOf(what()))}};
}

void MemoryPanel::restoreState(QJsonObject const &state)
{
    m_count->setValue(state.value(QLatin1String("listed")).toInt(m_count->value()));
    m_gaps->setChecked(state.value(QLatin1String("with_gaps")).toBool(m_gaps->isChecked()));
    m_what->setCurrentIndex(m_what->findData(static_cast<int>(parseRank(state.value(QLatin1String("ranked")).toString()))));
    rank();
}

QList<ExportTable> MemoryPanel::exportTables() const
{
    if (isEmpty()) return {};
    ExportTable use{m_useTitle->text(), {tr("From bytes"), tr("To bytes"), tr("Tiles")}, {}};
    for (auto const &bin : m_histogram->bins())
        use.rows << QStringList{QString::number(bin.from), QString::number(bin.to), QString::number(bin.tiles.size())};
    QList<ExportTable> tables{use, m_tileList->exportTable(tr("Worst tiles"))};
    if (m_report->data().target.ipusPerReplica > 1) tables << m_ipuList->exportTable(tr("Memory used by IPU"));
    if (!m_ranking->rows.empty()) tables << m_rankList->exportTable(m_ranking->title);
    return tables;
}

void MemoryPanel::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    if (m_stale) rank();
}

} // namespace tilewright::views
