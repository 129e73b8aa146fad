#include "views/tiles/column_overview.h"

#include "views/common/format.h"
#include "views/tiles/column_chart.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace tilewright::views {

ColumnOverview::ColumnOverview(ColumnChart &chart, QWidget *parent) : RangeStrip(parent), m_chart(chart)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the whole axis"));
    connect(&chart, &ColumnChart::viewChanged, this, [this] {
        describe();
        update();
    });
    describe();
}

QRect ColumnOverview::plot() const
{
    QRect const above = m_chart.plotRect();
    return QRect(above.left(), 2, std::max(0, above.width()), std::max(0, height() - 4)).intersected(rect());
}

double ColumnOverview::whole() const { return m_chart.scene().axis.count > 0 ? m_chart.scene().axis.length() : 0; }

RangeStrip::Part ColumnOverview::shown() const { return {m_chart.window().from, m_chart.window().to}; }

double ColumnOverview::least() const { return leastWindow(m_chart.scene().axis); }

void ColumnOverview::showPart(Part part, bool) { m_chart.setWindow(part.from, part.to); }

void ColumnOverview::showAll() { m_chart.fit(); }

QString ColumnOverview::shareWords() const { return tr("%1 of it").arg(shareText(whole() > 0 ? shown().length() / whole() : 1)); }

void ColumnOverview::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_drawn = nullptr;
}

void ColumnOverview::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Token::Panel]);
    QRect const strip = plot();
    auto const &scene = m_chart.scene();
    if (strip.width() < 2 || strip.height() < 2 || whole() <= 0) return;
    QSize const pixels = strip.size() * devicePixelRatioF();
    if (m_drawn != &scene || m_image.size() != pixels) {
        m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        m_image.setDevicePixelRatio(devicePixelRatioF());
        m_image.fill(theme()[Token::Panel]);
        QPainter on(&m_image);
        ColumnPainter columns;
        columns.setScene(scene);
        AxisWindow const all{0, whole(), strip.width()};
        columns.paint(on, QRect(QPoint(), strip.size()), scene, all, static_cast<double>(columns.low()),
                      std::max(1.0, static_cast<double>(columns.high()) * kHeadroom), theme());
        m_drawn = &scene;
    }
    painter.drawImage(strip.topLeft(), m_image);
    paintVeil(painter, Token::Panel);
    paintFrame(painter);
}

} // namespace tilewright::views
