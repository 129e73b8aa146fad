#include "views/operations/roofline.h"

#include "views/common/format.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

QPointF RoofAxes::toPixel(double intensity, double rate) const
{
    auto const part = [](double v, double least, double most) { return (std::log10(std::max(v, least)) - std::log10(least)) / (std::log10(most) - std::log10(least)); };
    return {rect.left() + part(intensity, minX, maxX) * rect.width(), rect.bottom() - part(rate, minY, maxY) * rect.height()};
}

double attainable(MachineRoof const &roof, double intensity) { return std::min(roof.flopsPerCycleF32, roof.bytesPerCycle * intensity); }

RoofAxes roofAxes(std::vector<RoofPoint> const &points, MachineRoof const &roof, QRectF const &rect)
{
    RoofAxes axes;
    axes.rect = rect;
    double least = 1e300, most = 0, low = 1e300, high = roof.flopsPerCycleF32;
    for (auto const &point : points) {
        least = std::min(least, point.intensity);
        most = std::max(most, point.intensity);
        low = std::min(low, point.rate);
        high = std::max(high, point.rate);
    }
    if (points.empty() || most <= 0) return axes;
    if (roof.bytesPerCycle > 0) most = std::max(most, 2 * roof.flopsPerCycleF32 / roof.bytesPerCycle);
    auto const floor10 = [](double v) { return std::pow(10.0, std::floor(std::log10(std::max(v, 1e-9)))); };
    auto const ceil10 = [](double v) { return std::pow(10.0, std::ceil(std::log10(std::max(v, 1e-9)) + 1e-9)); };
    axes.minX = floor10(least);
    axes.maxX = std::max(ceil10(most), axes.minX * 10);
    axes.minY = floor10(low);
    axes.maxY = std::max(ceil10(high), axes.minY * 10);
    return axes;
}

Roofline::Roofline(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Roofline: FLOPs per cycle against FLOPs per byte moved"));
    setFocusPolicy(Qt::ClickFocus);
    setMouseTracking(true);
}

void Roofline::setPoints(std::vector<RoofPoint> points, MachineRoof const &roof)
{
    m_points = std::move(points);
    m_roof = roof;
    QStringList words;
    for (auto const &point : m_points)
        if (words.size() < 5) words << tr("%1: %2 FLOPs per cycle").arg(point.label, numberText(point.rate));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

void Roofline::setMarked(std::vector<int> ids)
{
    m_marked = std::move(ids);
    update();
}

RoofAxes Roofline::axes() const
{
    auto const metrics = QFontMetricsF(uiFont(TextSize::Caption));
    double const left = metrics.horizontalAdvance(QStringLiteral("100000")) + kGap, bottom = metrics.height() * 2 + kGrid;
    return roofAxes(m_points, m_roof, QRectF(rect()).adjusted(left, metrics.height() + kGrid, -kGap, -bottom));
}

double Roofline::radius(RoofPoint const &point) const
{
    double most = 1;
    for (auto const &one : m_points) most = std::max(most, one.cycles);
    return 3 + 7 * std::sqrt(point.cycles / most);
}

void Roofline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    auto const &colors = theme();
    painter.fillRect(rect(), colors[Token::Panel]);
    painter.setFont(uiFont(TextSize::Caption));
    auto const metrics = painter.fontMetrics();
    if (m_points.empty()) {
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(rect().adjusted(kGap, kGap, -kGap, -kGap), Qt::AlignCenter | Qt::TextWordWrap, tr("No operation here both computes and moves data"));
        return;
    }
    auto const a = axes();
    auto const decades = [](double from, double to) {
        std::vector<double> marks;
        for (double v = from; v <= to * 1.0001; v *= 10) marks.push_back(v);
        return marks;
    };
    double lastLabel = -1e9;
    for (double const x : decades(a.minX, a.maxX)) {
        auto const at = a.toPixel(x, a.minY);
        painter.setPen(colors[Token::Grid]);
        painter.drawLine(at, QPointF(at.x(), a.rect.top()));
        QString const label = numberText(x);
        double const wide = metrics.horizontalAdvance(label);
        if (at.x() - wide / 2 < lastLabel) continue;
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(QPointF(std::min(at.x() - wide / 2, width() - wide), a.rect.bottom() + metrics.ascent() + 2), label);
        lastLabel = at.x() + wide / 2 + kGap;
    }
    for (double const y : decades(a.minY, a.maxY)) {
        auto const at = a.toPixel(a.minX, y);
        painter.setPen(colors[Token::Grid]);
        painter.drawLine(at, QPointF(a.rect.right(), at.y()));
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(QRectF(0, at.y() - metrics.height(), a.rect.left() - kGrid, metrics.height() * 2), Qt::AlignRight | Qt::AlignVCenter, numberText(y));
    }
    painter.setPen(colors[Token::SecondaryText]);
    painter.drawText(QRectF(a.rect.left(), height() - metrics.height() - 1, a.rect.width(), metrics.height()), Qt::AlignHCenter, tr("FLOPs per byte moved"));
    painter.drawText(QRectF(0, 0, width(), metrics.height() + 2), Qt::AlignLeft, metrics.elidedText(tr("FLOPs per cycle of an IPU (modelled)"), Qt::ElideRight, width()));
    if (m_roof.flopsPerCycleF32 > 0 && m_roof.bytesPerCycle > 0) {
        double const ridge = m_roof.flopsPerCycleF32 / m_roof.bytesPerCycle;
        painter.setClipRect(a.rect);
        painter.setPen(QPen(colors[Token::Text], 1.5));
        painter.drawLine(a.toPixel(std::min(ridge, a.maxX), attainable(m_roof, std::min(ridge, a.maxX))), a.toPixel(a.maxX, attainable(m_roof, a.maxX)));
        painter.setPen(QPen(colors[Token::InternalExchange], 1.5));
        double const from = std::max(a.minX, a.minY / m_roof.bytesPerCycle);
        painter.drawLine(a.toPixel(from, attainable(m_roof, from)), a.toPixel(std::min(ridge, a.maxX), attainable(m_roof, std::min(ridge, a.maxX))));
        painter.setClipping(false);
        painter.setPen(colors[Token::SecondaryText]);
        QString const peak = tr("peak in 32 bits: %1").arg(shortCount(m_roof.flopsPerCycleF32));
        auto const at = a.toPixel(a.maxX, m_roof.flopsPerCycleF32);
        painter.drawText(QPointF(at.x() - metrics.horizontalAdvance(peak), at.y() - 3), peak);
    }
    for (auto const &point : m_points) {
        bool const marked = std::ranges::binary_search(m_marked, point.id);
        QColor fill = colors[point.token];
        fill.setAlphaF(0.75F);
        painter.setBrush(fill);
        painter.setPen(QPen(colors[marked ? Token::Accent : Token::Panel], marked ? 2.5 : 1));
        double const r = radius(point);
        painter.drawEllipse(a.toPixel(point.intensity, point.rate), r, r);
    }
}

int Roofline::pointAt(QPointF const &where) const
{
    auto const a = axes();
    int best = -1;
    double nearest = 1e300;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        auto const offset = a.toPixel(m_points[i].intensity, m_points[i].rate) - where;
        double const distance = std::hypot(offset.x(), offset.y());
        if (distance <= radius(m_points[i]) + 2 && distance < nearest) {
            nearest = distance;
            best = static_cast<int>(i);
        }
    }
    return best;
}

void Roofline::mousePressEvent(QMouseEvent *event)
{
    if (int const index = pointAt(event->position()); index >= 0) Q_EMIT picked(m_points[static_cast<std::size_t>(index)].id);
}

bool Roofline::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto const *help = static_cast<QHelpEvent *>(event);
    if (int const index = pointAt(help->pos()); index >= 0) {
        auto const &point = m_points[static_cast<std::size_t>(index)];
        double const could = attainable(m_roof, point.intensity);
        QToolTip::showText(help->globalPos(), tr("%1\n%2 FLOPs per cycle, %3 FLOPs per byte\n%4 of what the machine could do here").arg(point.label, numberText(point.rate), numberText(point.intensity), could > 0 ? shareText(point.rate / could) : QStringLiteral("–")), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

} // namespace tilewright::views
