#include "views/memory/memory_widget.h"

#include "views/common/format.h"
#include "views/figures/comparison.h"
#include "views/figures/tile_memory.h"
#include "views/jobs/job_runner.h"
#include "views/memory/address_scene.h"
#include "views/memory/memory_controls.h"
#include "views/memory/memory_headline.h"
#include "views/memory/step_bar.h"
#include "views/memory/step_heat.h"
#include "views/memory/tiles_page.h"
#include "views/memory/values_pane.h"
#include "views/reports/report_snapshot.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/tiles/tile_grammar.h"
#include "views/widgets/elided_label.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QTabWidget>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kHeatRows = 700, kHeatColumns = 1600;

Bytes tileLimit(ReportSnapshot const &report) { return report.data().target.bytesPerTile; }

} // namespace

MemoryWidget::MemoryWidget(Session &session, QWidget *parent) : View(QStringLiteral("memory"), session, parent)
{
    setDependsOn(true, false, false);
    setShowsMoment();
    build();
}

MemoryOptions const &MemoryWidget::options() const { return m_controls->options(); }
int MemoryWidget::focusTile() const { return m_current >= 0 ? m_current : m_tiles.size() == 1 ? m_tiles.front() : m_worst; }
void MemoryWidget::startSearch() { m_controls->focusTiles(); }

void MemoryWidget::refresh()
{
    auto const report = session().report();
    if (!applyReportState("memory")) {
        m_report.reset();
        m_contents.reset();
        return;
    }
    bool const same = m_report && showsSameCompile(report, m_report);
    if (!same) setHeadline(memoryHeadline(*report, wholeProgramChart(*report)));
    m_controls->setCompareAvailable(bool(comparedReport(session())), comparedName(session()));
    if (!report->isWhole()) return;
    if (!same) {
        m_report = report;
        load();
    } else if (m_contents) rebuild();
}

void MemoryWidget::load()
{
    m_contents.reset();
    m_tiles.clear();
    m_current = -1;
    auto const cause = memoryCause(*m_report);
    m_worst = -1;
    for (auto const &verdict : m_report->data().verdicts)
        if (verdict.scope == "all") m_worst = verdict.worstTile;
    m_step = std::max(0, session().playhead().livenessStep());
    if (!cause.isEmpty()) {
        m_tiles = {cause.worstTile};
        m_current = cause.worstTile;
        auto shown = options(); // what does not fit lies past the limit
        shown.gaps = shown.limit = true;
        m_controls->setOptions(shown);
    } else if (!m_controls->gapsChosen()) {
        auto shown = options();
        shown.gaps = !gapsFillTiles(*m_report);
        m_controls->setOptions(shown);
    }
    showCause();
    m_tilesPage->setReport(m_report);
    m_controls->setIpus(std::max(1, m_report->tiles() / std::max(1, m_report->tilesPerIpu())));
    auto const worst = worstTileMemory(*m_report);
    m_controls->setGaps(worst ? worst->gaps : std::nullopt);
    m_controls->setTilesText(tilesText(m_tiles));
    auto const keep = m_report;
    m_steps->setSteps(static_cast<int>(m_report->data().livenessSteps.size()), [keep](int step) { return stepText(*keep, step); });
    m_steps->setStep(m_step);
    int const wanted = ++m_wanted;
    using Contents = std::shared_ptr<TileContents const>;
    session().jobs().compute<Contents>(
        this, JobKind::ReadContents, QStringLiteral("memory.contents"),
        [keep](JobContext const &job) -> Result<Contents> { return readContents(*keep, job); },
        [this, keep, wanted](Result<Contents> const &contents) {
            m_done = wanted;
            if (keep != m_report || !contents.ok() || !*contents) return;
            m_contents = *contents;
            m_values->setReport(m_report, m_contents);
            m_values->setTile(focusTile());
            rebuild();
            showAddresses();
            fillTable();
        });
}

void MemoryWidget::rebuild()
{
    if (!m_report || !m_contents) return;
    m_tilesPage->setLimitShown(options().limit);
    showStepBar();
    writeMomentLine();
    MemoryRequest request{m_report, session().baseline(), m_contents, options(), m_step, followedVariables(), followedName()};
    m_pictured = {request.selection, request.variables};
    int const wanted = ++m_wanted;
    bool const heat = m_pages->currentIndex() == StepsTab; // the dearest picture: only while it is looked at
    struct Drawn {
        MemoryPicture picture;
        std::optional<HeatCells> cells;
    };
    session().jobs().compute<Drawn>(
        this, JobKind::AddUp, QStringLiteral("memory.picture"),
        [request, heat](JobContext const &) -> Result<Drawn> {
            Drawn drawn{memoryPicture(request), std::nullopt};
            if (heat) drawn.cells = heatCells(*request.contents, drawn.picture.order, kHeatRows, kHeatColumns);
            return drawn;
        },
        [this, report = request.report, wanted, shown = request.options, step = request.step](Result<Drawn> drawn) {
            m_done = wanted;
            if (!drawn.ok() || report != m_report) return;
            auto const chart = chartOf(drawn->picture, shown, step);
            setHeadline(memoryHeadline(*m_report, chart));
            if (shown.show == MemoryShow::Whole && !chart.options.compare) setWorst(worstDrawnTile(*m_report, chart));
            if (drawn->cells) m_heat->setCells(std::move(*drawn->cells), drawn->picture.order, tileLimit(*m_report));
            m_tilesPage->setPicture(std::move(drawn->picture));
            showMarks();
        });
}

void MemoryWidget::showCause()
{
    auto const cause = memoryCause(*m_report);
    m_cause->setVisible(!cause.isEmpty());
    m_causeText->setText(cause.isEmpty() ? QString() : cause.text + QLatin1Char('\n') + cause.advice.join(QLatin1Char('\n')));
}

void MemoryWidget::choose(std::vector<int> tiles, bool offer)
{
    m_tiles = std::move(tiles);
    if (m_tiles.size() == 1) setCurrent(m_tiles.front());
    else if (m_tiles.empty()) setCurrent(-1);
    m_controls->setTilesError({});
    m_controls->setTilesText(tilesText(m_tiles));
    showMarks();
    fillTable();
    if (!offer) return;
    if (m_tiles.empty()) session().selection().clear();
    else session().selection().selectIds(SelectionKind::Tile, m_tiles, this);
}

void MemoryWidget::setCurrent(int tile)
{
    if (tile == m_current) return;
    m_current = tile;
    m_values->setTile(focusTile());
    showMarks();
    showAddresses();
    if (m_tables->currentIndex() == Why) fillTable();
}

/// The tile that the headline names is the one that is looked into until somebody chooses another.
void MemoryWidget::setWorst(int tile)
{
    if (tile < 0 || tile == m_worst) return;
    m_worst = tile;
    m_values->setTile(focusTile());
    showAddresses();
    if (m_tables->currentIndex() == Why) fillTable();
}

void MemoryWidget::enterTiles(QString const &text)
{
    if (!m_report) return;
    std::vector<char> io;
    for (auto const &place : m_report->data().tilePlaces) io.push_back(place.io);
    if (std::none_of(io.begin(), io.end(), [](char c) { return c; })) io.clear();
    int const per = m_report->tilesPerIpu();
    TileWords const with{per > 0 ? m_report->tiles() / per : 0, per, m_report->tileMetric("with_gaps"), tileLimit(*m_report), m_worst, io};
    auto const choice = parseTiles(text, with);
    if (choice.ok()) return choose(choice.tiles, true);
    m_controls->setTilesError(choice.error);
}

void MemoryWidget::setStep(int step, bool offer)
{
    if (step == m_step) return;
    m_step = step;
    m_steps->setStep(step);
    m_addresses->setStep(step);
    showMarks();
    if (options().show == MemoryShow::AtStep) rebuild();
    if (!offer) return;
    session().playhead().moveToLivenessStep(step); // also if that step is selected already
    session().selection().selectIds(SelectionKind::LivenessStep, {step}, this);
}

std::vector<int> MemoryWidget::followedVariables() const
{
    std::vector<int> variables;
    auto const &lineage = session().selection().lineage();
    for (std::size_t v = 0; v < lineage.variables.size(); ++v)
        if (lineage.variables[v]) variables.push_back(static_cast<int>(v));
    return variables;
}

/// Of a selection whose bytes the floor plan shades; tiles and steps are places, not bytes.
QString MemoryWidget::followedName() const
{
    auto const kind = session().selection().current().kind;
    bool const place =
        kind == SelectionKind::None || kind == SelectionKind::Tile || kind == SelectionKind::LivenessStep || kind == SelectionKind::Insight;
    return place ? QString() : session().selection().text();
}

void MemoryWidget::showMarks()
{
    if (!m_report) return;
    auto const &lineage = session().selection().lineage();
    auto const kind = session().selection().current().kind;
    std::vector<int> marked = m_tiles;
    QString text;
    if (kind != SelectionKind::None && kind != SelectionKind::Tile && kind != SelectionKind::LivenessStep) {
        marked.clear();
        auto const &map = m_tilesPage->picture().map;
        if (map.ofSelection) { // tiles that hold bytes of it; those that compute it are many more
            for (std::size_t t = 0; t < map.values.size(); ++t)
                if (map.values[t] > 0) marked.push_back(static_cast<int>(t));
        } else
            for (std::size_t t = 0; t < lineage.tiles.size(); ++t)
                if (lineage.tiles[t]) marked.push_back(static_cast<int>(t));
        int const variables = Lineage::count(lineage.variables);
        QString const what = session().selection().text();
        if (marked.empty() && variables == 0) text = tr("%1 has no bytes on the tiles of this report.").arg(what);
        else
            text = tr("%1: %2 of %3 tiles, %4 of %5 variables")
                       .arg(what, countText(static_cast<std::int64_t>(marked.size())), countText(m_report->tiles()), countText(variables),
                            countText(static_cast<std::int64_t>(m_report->data().variables.size())));
    } else if (!m_tiles.empty())
        text = tr("%1 of %2 tiles chosen").arg(countText(static_cast<std::int64_t>(m_tiles.size())), countText(m_report->tiles()));
    setNote(text);
    m_tilesPage->setMarked(marked, focusTile(), m_current >= 0 || m_tiles.size() == 1);
    std::vector<char> positions;
    if (!marked.empty()) {
        auto const &positionOf = m_tilesPage->picture().positionOf;
        positions.assign(m_tilesPage->picture().order.size(), 0);
        for (int const tile : marked)
            if (tile >= 0 && tile < static_cast<int>(positionOf.size()) && positionOf[static_cast<std::size_t>(tile)] >= 0)
                positions[static_cast<std::size_t>(positionOf[static_cast<std::size_t>(tile)])] = 1;
    }
    m_heat->setMarks(m_step, std::move(positions));
}

void MemoryWidget::showStepBar() { m_steps->setVisible(m_pages->currentIndex() != TilesTab || options().show == MemoryShow::AtStep); }

void MemoryWidget::showAddresses()
{
    showStepBar();
    if (m_pages->currentIndex() != AddressTab || !m_report) return;
    int const tile = focusTile();
    m_addresses->setScene(addressScene(*m_report, m_contents, tile, session().selection().lineage()));
    m_addresses->setStep(m_step);
    int const per = m_report->tilesPerIpu();
    QString const name = tileName(tile, per > 0 ? m_report->tiles() / per : 1, per);
    m_addressTitle->setText(
        tile < 0 ? QString()
                 : tr("%1: addresses down, liveness steps across (modelled). Click for a step, Ctrl+wheel to zoom, G for gaps to scale.")
                       .arg(name.left(1).toUpper() + name.mid(1)));
}

void MemoryWidget::openAddresses(int tile)
{
    if (tile >= 0) choose({tile}, true);
    m_pages->setCurrentIndex(AddressTab);
    m_addresses->setFocus();
}

void MemoryWidget::fillTable()
{
    auto const table = static_cast<Table>(m_tables->currentIndex());
    if (!m_report || !m_contents || table == Values) return;
    auto const put = [this, table](FilledTable filled) {
        m_ids[table] = filled.ids;
        m_panes[table]->fill(std::move(filled.columns), filled.rows, std::move(filled.parents), std::move(filled.keep));
        if (table == Details) m_panes[table]->tree().expandToDepth(1);
    };
    if (table == Details) return put(detailTable(*m_report, m_tiles));
    int const wanted = ++m_tablesWanted;
    auto const report = m_report;
    if (table == Why) {
        int const tile = focusTile();
        auto const contents = m_contents;
        using Reasons = std::pair<std::vector<TileReason>, int>; // and the median tile
        session().jobs().compute<Reasons>(
            this, JobKind::Compare, QStringLiteral("memory.table"),
            [report, contents, tile](JobContext const &) -> Result<Reasons> {
                int median = -1;
                auto reasons = whyThisTile(*report, *contents, tile, &median);
                return Reasons{std::move(reasons), median};
            },
            [this, report, tile, wanted, put](Result<Reasons> found) {
                m_tablesDone = wanted;
                if (!found.ok() || report != m_report) return;
                auto &[reasons, median] = *found;
                if (median < 0) m_whyText->setText(tr("Choose a tile to see how its content differs from the others."));
                else if (reasons.empty())
                    m_whyText->setText(tr("Tile %1 and the median tile %2 have the same content.").arg(tile).arg(median));
                else
                    m_whyText->setText(tr("Tile %1 against the median tile of its IPU, %2. Bytes of a variable count in full, also where "
                                          "others use the same addresses at other times.")
                                           .arg(tile)
                                           .arg(median));
                put(reasonTable(std::move(reasons)));
            });
        return;
    }
    using Sums = std::shared_ptr<TileSums const>;
    session().jobs().compute<Sums>(
        this, JobKind::AddUp, QStringLiteral("memory.table"),
        [report, tiles = m_tiles](JobContext const &job) -> Result<Sums> { return tileSums(report, tiles, job); },
        [this, report, table, wanted, put](Result<Sums> const &found) {
            m_tablesDone = wanted;
            if (report != m_report || !found.ok() || !*found) return;
            auto const &sums = *found;
            if (table == Variables) put(variableTable(report, sums));
            else if (table == ComputeSets) put(computeSetTable(report, sums));
            else if (table == Vertices) put(vertexTable(report, sums));
            else put(exchangeTable(report, sums));
            follow();
        });
}

void MemoryWidget::rowsPicked(Table table, std::vector<int> const &rows)
{
    std::vector<int> ids;
    for (int const row : rows)
        if (row >= 0 && row < static_cast<int>(m_ids[table].size()) && m_ids[table][static_cast<std::size_t>(row)] >= 0)
            ids.push_back(m_ids[table][static_cast<std::size_t>(row)]);
    if (ids.empty()) return;
    auto &selection = session().selection();
    switch (table) {
    case Variables:
    case Why:
    case Values: return selection.selectIds(SelectionKind::Variable, ids, this);
    case ComputeSets: return selection.selectIds(SelectionKind::ComputeSet, ids, this);
    case Vertices: return selection.selectIds(SelectionKind::VertexType, ids, this);
    case Exchanges: {
        std::vector<int> programs;
        for (int const id : ids) programs.push_back(m_report->data().exchanges[static_cast<std::size_t>(id)].program);
        return selection.selectIds(SelectionKind::Program, programs, this);
    }
    case Details:
    case TableCount: return;
    }
}

void MemoryWidget::follow()
{
    if (!m_report) return;
    auto const &current = session().selection().current();
    auto const &lineage = session().selection().lineage();
    if (current.kind == SelectionKind::Tile && current.ids != m_tiles) choose(current.ids, false);
    if (current.kind == SelectionKind::None && !m_tiles.empty() && session().selection().origin() != this
        && memoryCause(*m_report).isEmpty())
        choose({}, false);
    showMarks();
    showAddresses();
    auto const mark = [&](Table table, std::vector<char> const &flags) {
        std::vector<int> rows;
        for (std::size_t row = 0; row < m_ids[table].size(); ++row)
            if (Lineage::has(flags, m_ids[table][row])) rows.push_back(static_cast<int>(row));
        m_panes[table]->highlight(rows);
    };
    if (session().selection().origin() != this) { // its own picks are marked already
        mark(Variables, lineage.variables);
        mark(ComputeSets, lineage.computeSets);
        mark(Vertices, lineage.vertexTypes);
    }
    if (std::pair(followedName(), followedVariables()) != m_pictured) rebuild();
}

void MemoryWidget::showMoment()
{
    auto const &moment = session().playhead().moment();
    if (m_report && (moment.livenessStep >= 0 || !moment.isSet())) setStep(std::max(0, session().playhead().livenessStep()), false);
}

QString MemoryWidget::momentMissing() const
{
    QString const program = session().playhead().programName();
    if (!m_report || program.isEmpty() || session().playhead().moment().livenessStep >= 0) return {};
    return tr("%1 changes no memory, so it has no liveness step; the pictures stay at step %2.").arg(program).arg(m_step);
}

/// The tiles show the whole program unless somebody chooses the step.
QString MemoryWidget::momentShown() const
{
    bool const moments = m_pages->currentIndex() != TilesTab || options().show == MemoryShow::AtStep;
    if (moments) {
        bool const chosen = session().playhead().moment().livenessStep >= 0;
        return chosen ? View::momentShown() : tr("moment: the peak, liveness step %1").arg(m_step);
    }
    if (options().show != MemoryShow::Whole) return {};
    return tr("the tiles show the whole program; \"%1\" shows liveness step %2")
        .arg(MemoryControls::showName(MemoryShow::AtStep))
        .arg(m_step);
}

void MemoryWidget::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return View::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_L: return m_controls->toggleLimit();
    case Qt::Key_O: return m_controls->nextOrder();
    case Qt::Key_G:
        if (m_pages->currentIndex() == AddressTab) return m_addresses->setToScale(!m_addresses->isToScale());
        return m_controls->toggleGaps();
    case Qt::Key_Return:
    case Qt::Key_Enter: return openAddresses(focusTile());
    default: View::keyPressEvent(event);
    }
}

} // namespace tilewright::views
