#include "views/memory/tiles_page.h"

#include "views/common/format.h"
#include "views/session/report_snapshot.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/scale_legend.h"
#include "views/tiles/tile_map_widget.h"

#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace tilewright::views {

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
    auto *head = new QHBoxLayout;
    head->setContentsMargins(0, kGap, 0, 0);
    head->setSpacing(2 * kGap);
    head->addWidget(m_mapTitle, 3);
    head->addWidget(m_legend, 2);
    column->addLayout(head);
    column->addWidget(scroll, 1);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(below);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setSizes({60 * kGrid, 44 * kGrid});
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, kGrid, 0, 0);
    all->setSpacing(kGrid);
    all->addWidget(m_title);
    all->addWidget(m_note);
    all->addWidget(m_splitter, 1);

    auto const tileOf = [this](int position) { return position >= 0 && position < static_cast<int>(m_picture.order.size()) ? m_picture.order[static_cast<std::size_t>(position)] : -1; };
    m_chart->tip = [this, tileOf](int position) { return tipOf(tileOf(position)); };
    m_chart->coordinateText = [tileOf](double at) {
        int const tile = tileOf(static_cast<int>(at));
        return tile < 0 ? QString() : QString::number(tile);
    };
    m_map->setTip([this](int tile) { return tipOf(tile); });
    connect(m_chart, &ColumnChart::picked, this, [this, tileOf](int position, Qt::KeyboardModifiers modifiers) { emit picked({tileOf(position)}, modifiers); });
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
}

void TilesPage::setPicture(MemoryPicture picture)
{
    // What was hidden in the legend stays hidden while the kinds are the same.
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
    m_mapTitle->setText(m_picture.map.title);
    m_map->setValues(m_picture.map.values, m_picture.map.scale);
    auto const scale = m_picture.map.scale;
    m_legend->setScale(scale, [scale](std::int64_t value) {
        if (scale.kind == ScaleKind::ShareOfLimit && scale.limit > 0) return shareText(static_cast<double>(value) / static_cast<double>(scale.limit));
        return (scale.kind == ScaleKind::Diverging && value > 0 ? QStringLiteral("+") : QString()) + bytesText(value);
    });
}

void TilesPage::setMarked(std::vector<int> const &tiles, int current)
{
    m_map->setMarked(tiles);
    m_map->setCurrentTile(current);
    ColumnMarks marks;
    if (!tiles.empty()) {
        marks.marked.assign(m_picture.order.size(), 0);
        for (int const tile : tiles)
            if (tile >= 0 && tile < static_cast<int>(m_picture.positionOf.size()))
                if (int const position = m_picture.positionOf[static_cast<std::size_t>(tile)]; position >= 0) marks.marked[static_cast<std::size_t>(position)] = 1;
    }
    if (current >= 0 && current < static_cast<int>(m_picture.positionOf.size())) marks.locked = m_picture.positionOf[static_cast<std::size_t>(current)];
    m_chart->setMarks(std::move(marks));
}

void TilesPage::setLimitShown(bool on) { m_chart->setLimitShown(on); }

int TilesPage::neighbour(int tile, int by) const
{
    if (m_picture.order.empty()) return -1;
    int const at = tile >= 0 && tile < static_cast<int>(m_picture.positionOf.size()) ? m_picture.positionOf[static_cast<std::size_t>(tile)] : -1;
    int const next = at < 0 ? 0 : at + by;
    return next >= 0 && next < static_cast<int>(m_picture.order.size()) ? m_picture.order[static_cast<std::size_t>(next)] : -1;
}

void TilesPage::keyPressEvent(QKeyEvent *event)
{
    // Here, before the scroll area around the view takes them.
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
            if (auto const bytes = band.values[static_cast<std::size_t>(position)]; bytes != 0) lines << QStringLiteral("%1: %2").arg(band.name, bytesExact(bytes));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace tilewright::views
