#include "views/training/panel_grid.h"

#include "views/common/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

/// Below this width the shape of a curve is not visible.
constexpr int kPanelWidth = 80 * kGrid;
constexpr int kMostColumns = 3;

} // namespace

QScrollArea *clearScrollArea(QWidget *content, QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false); // setWidget switched it on
    return area;
}

PanelGrid::PanelGrid(QWidget *parent) : QWidget(parent)
{
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *page = new QWidget;
    m_grid = new QGridLayout(page);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(kGap);
    m_scroll->setWidget(page);
    // The page keeps the room of the scroll bar, so that no panel moves sideways when the bar comes or goes.
    m_scroll->verticalScrollBar()->installEventFilter(this);
    keepBarRoom();
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_scroll);
}

void PanelGrid::addPanel(QWidget *panel, int minimumHeight, int span)
{
    auto *frame = new QFrame(m_scroll->widget());
    frame->setProperty("role", "card");
    frame->setMinimumHeight(minimumHeight);
    auto *inner = new QVBoxLayout(frame);
    inner->setContentsMargins(kGap, kGap, kGap, kGap);
    inner->addWidget(panel);
    panel->installEventFilter(this);
    m_panels.append({frame, panel, minimumHeight, span, true});
    m_columns = 0;
    arrange();
}

void PanelGrid::setPanelShown(QWidget *panel, bool shown)
{
    for (auto &each : m_panels)
        if (each.panel == panel && each.shown != shown) {
            each.shown = shown;
            m_columns = 0;
            arrange();
        }
}

int PanelGrid::columnsFor(int width) { return std::clamp(width / kPanelWidth, 1, kMostColumns); }

QList<PanelGrid::Place> PanelGrid::placesFor(QList<int> spans, int columns)
{
    // A left-over cell widens the first panel, which gains most, if the second one stays beside it: the two are read together. The other
    // left-over cells go to the ends of rows.
    int cells = 0;
    for (int const span : spans) cells += span;
    bool const over = cells % columns != 0;
    if (over && spans.size() > 1 && spans[0] + spans[1] < columns) ++spans[0];
    // A panel that does not fit a row waits for the next one; smaller ones after it fill the row.
    QList<Place> places(spans.size());
    QList<int> waiting;
    for (int i = 0; i < static_cast<int>(spans.size()); ++i) waiting << i;
    for (int row = 0; !waiting.isEmpty(); ++row) {
        int column = 0, last = -1;
        for (qsizetype w = 0; w < waiting.size();) {
            int const i = waiting[w];
            if (column + spans[i] > columns) {
                ++w;
                continue;
            }
            places[i] = {row, column, spans[i]};
            column += spans[i];
            last = i;
            waiting.removeAt(w);
        }
        if (last >= 0) places[last].span += columns - column;
    }
    return places;
}

void PanelGrid::keepBarRoom()
{
    auto const *bar = m_scroll->verticalScrollBar();
    m_grid->setContentsMargins(0, 0, bar->isVisibleTo(m_scroll) ? 0 : bar->sizeHint().width(), 0);
}

bool PanelGrid::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_scroll->verticalScrollBar()) {
        if (event->type() == QEvent::Show || event->type() == QEvent::Hide || event->type() == QEvent::StyleChange) keepBarRoom();
        return QWidget::eventFilter(watched, event);
    }
    // A frame with a minimum height of its own ignores that of its content.
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        for (auto &each : m_panels) {
            auto const *inner = each.panel == watched ? each.panel->layout() : nullptr;
            if (!inner || !inner->hasHeightForWidth()) continue;
            int const around = each.frame->minimumSizeHint().height() - each.panel->minimumSizeHint().height();
            // At one width a panel only grows: what a run takes away for a while leaves the panels below where they are.
            if (std::exchange(each.width, each.panel->width()) != each.panel->width()) each.needed = 0;
            each.needed = std::max(each.needed, inner->minimumHeightForWidth(each.panel->width()) + around);
            each.frame->setMinimumHeight(std::max(each.minimumHeight, each.needed));
        }
    return QWidget::eventFilter(watched, event);
}

void PanelGrid::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void PanelGrid::arrange()
{
    int const columns = columnsFor(width());
    if (columns == m_columns) return;
    m_columns = columns;
    for (auto &each : m_panels) m_grid->removeWidget(each.frame);
    for (int i = 0; i < m_grid->columnCount(); ++i) m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    for (int i = 0; i < m_grid->rowCount(); ++i) m_grid->setRowStretch(i, 0);
    QList<int> shown, spans;
    for (auto &each : m_panels) {
        each.frame->setVisible(each.shown);
        if (each.shown) shown << static_cast<int>(&each - m_panels.data());
        if (each.shown) spans << std::min(each.span, columns);
    }
    auto const places = placesFor(spans, columns);
    for (qsizetype i = 0; i < shown.size(); ++i) {
        auto const &place = places[i];
        m_grid->addWidget(m_panels[shown[i]].frame, place.row, place.column, 1, place.span);
        m_grid->setRowStretch(place.row, 1);
    }
    for (int i = 0; i < columns; ++i) m_grid->setColumnStretch(i, 1);
}

} // namespace tilewright::views
