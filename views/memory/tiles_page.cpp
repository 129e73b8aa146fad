#include "views/memory/tiles_page.h"

#include "views/common/format.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/scale_legend.h"
#include "views/tiles/tile_map_widget.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kBesideFrom = 160 * kGrid; ///< minimum width for profile and plan side by side
constexpr int kLeastPlan = 72 * kGrid;   ///< of the plan in that case: its title and legend
constexpr int kLowPlan = 60 * kGrid;     ///< below this height title and legend share a line
constexpr int kPlanShare = 2, kWholeShare = 5;

} // namespace

TilesPage::TilesPage(QWidget *parent) : QWidget(parent)
{
    m_title = new QLabel(this);
    m_title->setProperty("role", "secondary");
    m_title->setWordWrap(true);
    m_note = new QLabel(this);
    m_note->setWordWrap(true);
    m_note->hide();
    m_chart = new ColumnChart(this);
    m_chart->setAccessibleName(tr("Profile of bytes by tile"));
    m_chart->setEmptyText(tr("Nothing to show here."));
    auto *below = new QWidget(this);
    m_mapTitle = new QLabel(below);
    m_mapTitle->setProperty("role", "secondary");
    m_mapTitle->setWordWrap(true);
    m_legend = new ScaleLegend(below);
    m_map = new TileMapWidget(below);
    auto *scroll = new QScrollArea(below);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_map);
    scroll->setMinimumHeight(16 * kGrid);
    auto *column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    m_planHead = new QHBoxLayout;
    m_planHead->setContentsMargins(0, kGrid, 0, 0);
    m_planHead->setSpacing(kGrid);
    m_planHead->addWidget(m_mapTitle, 3);
    m_planHead->addWidget(m_legend, 2);
    column->addLayout(m_planHead);
    column->addWidget(scroll, 1);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(below);
    m_splitter->setChildrenCollapsible(false);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_moved = true; });
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, kGrid, 0, 0);
    all->setSpacing(kGrid);
    all->addWidget(m_title);
    all->addWidget(m_note);
    all->addWidget(m_splitter, 1);

    auto const tileOf = [this](int position) {
        return position >= 0 && position < static_cast<int>(m_picture.order.size()) ? m_picture.order[static_cast<std::size_t>(position)]
                                                                                    : -1;
    };
    m_chart->tip = [this, tileOf](int position) { return tipOf(tileOf(position)); };
    m_chart->coordinateText = [tileOf](double at) {
        int const tile = tileOf(static_cast<int>(at));
        return tile < 0 ? QString() : QString::number(tile);
    };
    m_map->setTip([this](int tile) { return tipOf(tile); });
    connect(m_chart, &ColumnChart::picked, this,
            [this, tileOf](int position, Qt::KeyboardModifiers modifiers) { emit picked({tileOf(position)}, modifiers); });
    connect(m_chart, &ColumnChart::brushed, this, [this, tileOf](int first, int last, Qt::KeyboardModifiers modifiers) {
        std::vector<int> tiles;
        for (int p = first; p <= last; ++p) tiles.push_back(tileOf(p));
        emit picked(tiles, modifiers);
    });
    connect(m_chart, &ColumnChart::activated, this, [this, tileOf](int position) { emit activated(tileOf(position)); });
    connect(m_chart, &ColumnChart::bandClicked, this, [this](int band) {
        auto scene = std::make_shared<ColumnScene>(m_chart->scene());
        auto &shown = scene->bands[static_cast<std::size_t>(band)].shown;
        shown = !shown;
        m_picture.scene = scene;
        m_chart->setScene(scene);
    });
    connect(m_map, &TileMapWidget::picked, this, &TilesPage::picked);
    connect(m_map, &TileMapWidget::activated, this, &TilesPage::activated);
}

void TilesPage::setReport(ReportPtr report)
{
    m_report = std::move(report);
    m_picture = {};
    std::vector<QPoint> places;
    int ipus = 0, per = 0;
    if (m_report) {
        auto const &d = m_report->data();
        for (auto const &place : d.tilePlaces) places.emplace_back(place.x, place.y);
        per = m_report->tilesPerIpu();
        ipus = per > 0 ? m_report->tiles() / per : 0;
    }
    m_map->setFloor(makeFloor(ipus, per, std::move(places)));
    arrange();
}

/// Height left for the map in a part that holds the plan.
QSize TilesPage::planRoom(QSize part) const
{
    int const head = m_planHead->direction() == QBoxLayout::TopToBottom ? 2 : 1;
    return {part.width(), part.height() - head * m_legend->sizeHint().height() - 2 * kGrid};
}

/// Beside the profile, title and colours are stacked; in low windows they share the line of the plan.
void TilesPage::layHead()
{
    bool const beside = m_splitter->orientation() == Qt::Horizontal, low = m_splitter->height() < kLowPlan;
    m_planHead->setDirection(beside && !low ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_mapTitle->setText(m_picture.map.title); // the colours beside it are two lines high
}

void TilesPage::arrange()
{
    QSize const room = m_splitter->size();
    auto const &floor = m_map->floor();
    if (floor.tiles() == 0 || room.isEmpty()) return;
    auto const cellArea = [&](QSize part) {
        QSize const cell = TileMapWidget::cellIn(floor, planRoom(part), devicePixelRatioF());
        return cell.width() * cell.height();
    };
    QSize const side(room.width() * kPlanShare / kWholeShare, room.height()), under(room.width(), room.height() * kPlanShare / kWholeShare);
    bool const beside = room.width() >= kBesideFrom && cellArea(side) >= cellArea(under);
    auto const wanted = beside ? Qt::Horizontal : Qt::Vertical;
    bool const turned = m_splitter->orientation() != wanted;
    if (turned) {
        m_splitter->setOrientation(wanted);
        m_moved = false;
    }
    layHead();
    if (m_moved) return;
    // Beside the profile it is no wider than its tiles need; a die with few columns leaves the rest to the profile.
    int const whole = beside ? room.width() : room.height();
    int plan = whole * kPlanShare / kWholeShare;
    if (beside) {
        QSize const cell = TileMapWidget::cellIn(floor, planRoom(side), 1);
        int const across = floor.ipus == 1 ? floor.columns * cell.width() + 4 * kGap : plan;
        plan = std::min(plan, std::max(across, kLeastPlan));
    }
    // Many dies with one pixel per tile can need more.
    int const wants = beside ? m_map->leastWidth(planRoom(side).height()) + 2 * kGrid
                             : m_map->minimumSizeHint().height() + under.height() - planRoom(under).height();
    plan = std::max(plan, std::min(wants, whole * 2 / 3));
    m_splitter->setSizes({whole - plan, plan});
    // If an arrangement shows all dies, the map uses it; otherwise it scrolls.
    QSize const part = beside ? QSize(plan, room.height()) : QSize(room.width(), plan), inside = planRoom(part) - QSize(2 * kGrid, 0);
    bool const inSight = m_map->leastWidth(inside.height()) <= inside.width();
    m_map->setMinimumSize(inSight ? QSize(1, 1) : m_map->minimumSizeHint());
}

void TilesPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    arrange();
}

QByteArray TilesPage::sharing() const { return m_moved ? m_splitter->saveState() : QByteArray(); }
void TilesPage::setSharing(QByteArray const &sharing)
{
    if (sharing.isEmpty() || !m_splitter->restoreState(sharing)) return;
    m_moved = true;
    arrange();
}

void TilesPage::setPicture(MemoryPicture picture)
{
    // Hidden legend entries stay hidden while the kinds are the same.
    auto const &before = m_chart->scene().bands;
    auto scene = std::make_shared<ColumnScene>(*picture.scene);
    for (auto &band : scene->bands)
        for (auto const &old : before)
            if (old.name == band.name) band.shown = old.shown;
    picture.scene = scene;
    m_picture = std::move(picture);
    m_title->setText(m_picture.title.left(1).toUpper() + m_picture.title.mid(1));
    m_note->setText(m_picture.note);
    m_note->setVisible(!m_picture.note.isEmpty());
    m_chart->setAxisTitle(m_picture.axisTitle);
    m_chart->setScene(m_picture.scene);
    layHead();
    m_map->setValues(m_picture.map.values, m_picture.map.scale);
    auto const scale = m_picture.map.scale;
    m_legend->setScale(scale, [scale](std::int64_t value) {
        if (scale.kind == ScaleKind::ShareOfLimit && scale.limit > 0)
            return shareText(static_cast<double>(value) / static_cast<double>(scale.limit));
        return (scale.kind == ScaleKind::Diverging && value > 0 ? QStringLiteral("+") : QString()) + bytesText(value);
    });
}

void TilesPage::setMarked(std::vector<int> const &tiles, int current, bool chosen)
{
    m_map->setMarked(tiles);
    m_map->setCurrentTile(current, chosen);
    ColumnMarks marks;
    marks.chosen = chosen;
    if (!tiles.empty()) {
        marks.marked.assign(m_picture.order.size(), 0);
        for (int const tile : tiles)
            if (tile >= 0 && tile < static_cast<int>(m_picture.positionOf.size()))
                if (int const position = m_picture.positionOf[static_cast<std::size_t>(tile)]; position >= 0)
                    marks.marked[static_cast<std::size_t>(position)] = 1;
    }
    if (current >= 0 && current < static_cast<int>(m_picture.positionOf.size()))
        marks.locked = m_picture.positionOf[static_cast<std::size_t>(current)];
    m_chart->setMarks(std::move(marks));
}

void TilesPage::setLimitShown(bool on) { m_chart->setLimitShown(on); }

int TilesPage::neighbour(int tile, int by) const
{
    if (m_picture.order.empty()) return -1;
    int const at =
        tile >= 0 && tile < static_cast<int>(m_picture.positionOf.size()) ? m_picture.positionOf[static_cast<std::size_t>(tile)] : -1;
    int const next = at < 0 ? 0 : at + by;
    return next >= 0 && next < static_cast<int>(m_picture.order.size()) ? m_picture.order[static_cast<std::size_t>(next)] : -1;
}

void TilesPage::keyPressEvent(QKeyEvent *event)
{
    // Handled here, before the scroll area around the view uses the keys.
    if (event->key() == Qt::Key_Left) return emit stepped(-1);
    if (event->key() == Qt::Key_Right) return emit stepped(1);
    QWidget::keyPressEvent(event);
}

QString TilesPage::tipOf(int tile) const
{
    if (!m_report || tile < 0) return {};
    QStringList lines{tileTip(*m_report, tile)};
    int const position = tile < static_cast<int>(m_picture.positionOf.size()) ? m_picture.positionOf[static_cast<std::size_t>(tile)] : -1;
    if (position >= 0) {
        lines << QString();
        for (auto const &band : m_chart->scene().bands)
            if (auto const bytes = band.values[static_cast<std::size_t>(position)]; bytes != 0)
                lines << QStringLiteral("%1: %2").arg(band.name, bytesExact(bytes));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace tilewright::views
