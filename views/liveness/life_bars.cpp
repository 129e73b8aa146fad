#include "views/liveness/life_bars.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

LifeBars::LifeBars(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Lives of the chosen variables"));
}

int LifeBars::rowHeight() const { return QFontMetrics(uiFont(TextSize::Caption)).height() + kGrid / 2; }
QSize LifeBars::sizeHint() const { return {80 * kGrid, static_cast<int>(kLifeBars) * rowHeight() + kGrid}; }
QSize LifeBars::minimumSizeHint() const { return {20 * kGrid, sizeHint().height()}; }

void LifeBars::setBars(std::vector<LifeBar> bars)
{
    m_bars = std::move(bars);
    setVisible(!m_bars.empty());
    updateGeometry();
    update();
}

void LifeBars::setAxis(PositionAxis axis, AxisWindow window, int left)
{
    m_axis = std::move(axis);
    m_window = window;
    m_left = left;
    update();
}

void LifeBars::setStep(int step)
{
    m_step = step;
    update();
}

int LifeBars::barAt(QPoint at) const
{
    int const row = at.y() / rowHeight();
    return at.y() >= 0 && row < static_cast<int>(m_bars.size()) ? row : -1;
}

void LifeBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    auto const &colors = theme();
    painter.fillRect(rect(), colors[Token::Panel]);
    painter.setFont(uiFont(TextSize::Caption));
    auto const metrics = painter.fontMetrics();
    int const height = rowHeight();
    QRect const plot(m_left, 0, m_window.pixels, this->height());
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        auto const &bar = m_bars[i];
        int const top = static_cast<int>(i) * height;
        QColor const color = partColor(bar.key, colors);
        int textLeft = plot.left() + kGrid;
        painter.setClipRect(plot);
        auto const spans = bar.always ? std::vector<std::pair<int, int>>{{0, m_axis.count}} : bar.spans;
        for (auto const &[first, end] : spans) {
            if (first >= m_axis.count) continue;
            double const from = m_window.pixelOf(m_axis.edge(first)), to = m_window.pixelOf(m_axis.edge(std::min(end, m_axis.count)));
            painter.fillRect(QRectF(plot.left() + from, top + 2, std::max(1.0, to - from), height - 4), color);
            if (to < m_window.pixels / 2.0) textLeft = std::max(textLeft, plot.left() + static_cast<int>(to) + kGrid);
        }
        if (bar.lastUse >= 0 && bar.lastUse < m_axis.count) {
            // After its last use a variable only waits to be overwritten.
            int const x = plot.left() + static_cast<int>(m_window.pixelOf(m_axis.edge(bar.lastUse + 1)));
            painter.fillRect(QRect(x - 1, top + 1, 2, height - 2), colors[Token::Text]);
        }
        bool const covered = !spans.empty() && textLeft == plot.left() + kGrid
            && m_window.pixelOf(m_axis.edge(std::min(spans.front().first, m_axis.count))) < metrics.height();
        painter.setPen(covered ? textOn(color) : colors[Token::Text]);
        painter.drawText(QRect(textLeft, top, std::max(0, plot.right() - textLeft), height), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(bar.name, Qt::ElideMiddle, std::max(0, plot.right() - textLeft)));
        painter.setClipping(false);
    }
    if (m_step >= 0 && m_step < m_axis.count) {
        int const x = plot.left() + static_cast<int>(m_window.pixelOf(m_axis.middle(m_step)));
        painter.setPen(QPen(colors[Token::Accent], 2));
        if (plot.contains(x, 0)) painter.drawLine(x, 0, x, this->height());
    }
}

void LifeBars::mousePressEvent(QMouseEvent *event)
{
    if (int const row = barAt(event->position().toPoint()); row >= 0 && event->button() == Qt::LeftButton)
        emit picked(m_bars[static_cast<std::size_t>(row)].variable);
}

bool LifeBars::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto const *help = static_cast<QHelpEvent *>(event);
    int const row = barAt(help->pos());
    if (row < 0) return true;
    auto const &bar = m_bars[static_cast<std::size_t>(row)];
    QStringList spans;
    for (auto const &[first, end] : bar.spans) spans << tr("%1 to %2").arg(first).arg(end - 1);
    QString const when = bar.always ? tr("always live") : tr("live at liveness steps %1").arg(spans.mid(0, 8).join(QStringLiteral(", ")));
    QToolTip::showText(help->globalPos(),
                       bar.lastUse >= 0 ? tr("%1\n%2\nlast used at liveness step %3").arg(bar.name, when).arg(bar.lastUse)
                                        : QStringLiteral("%1\n%2").arg(bar.name, when),
                       this);
    return true;
}

void LifeBars::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
}

} // namespace tilewright::views
