#include "views/dataset/class_chart.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

namespace {

std::int64_t countOf(data::ClassBalance const &balance, DataPart part)
{
    switch (part) {
    case DataPart::Train: return balance.train;
    case DataPart::Validation: return balance.validation;
    case DataPart::Test: return balance.test;
    }
    return 0;
}

QString nameOf(DataPart part)
{
    switch (part) {
    case DataPart::Train: return ClassChart::tr("training");
    case DataPart::Validation: return ClassChart::tr("validation");
    case DataPart::Test: return ClassChart::tr("test");
    }
    return {};
}

/// Shade and pattern: the parts differ without colour too.
QBrush brushOf(DataPart part)
{
    switch (part) {
    case DataPart::Train: return theme().sequential(0.35);
    case DataPart::Validation: return {theme().sequential(0.55), Qt::Dense3Pattern};
    case DataPart::Test: return {theme()[Token::Text], Qt::BDiagPattern};
    }
    return {};
}

} // namespace

QRectF ClassBars::rectOf(std::size_t index, DataPart part, std::int64_t count) const
{
    double const slot = plot.width() / static_cast<double>(std::max<std::size_t>(1, classes));
    double const gap = slot > 8 ? slot * 0.2 : 0;
    double const width = (slot - gap) / static_cast<double>(std::max<std::size_t>(1, parts.size()));
    auto const place = static_cast<double>(std::ranges::find(parts, part) - parts.begin());
    double const height = largest > 0 ? plot.height() * static_cast<double>(count) / static_cast<double>(largest) : 0;
    return {plot.left() + static_cast<double>(index) * slot + gap / 2 + place * width, plot.bottom() - height, std::max(1.0, width), height};
}

int ClassBars::classAt(double x) const
{
    if (classes == 0 || x < plot.left() || x >= plot.right()) return -1;
    return std::min(static_cast<int>(classes) - 1, static_cast<int>((x - plot.left()) / plot.width() * static_cast<double>(classes)));
}

ClassBars placeBars(std::vector<data::ClassBalance> const &classes, QRectF const &plot)
{
    ClassBars bars;
    bars.plot = plot;
    bars.classes = classes.size();
    for (auto const part : {DataPart::Train, DataPart::Validation, DataPart::Test}) {
        bool any = false;
        for (auto const &each : classes) {
            any = any || countOf(each, part) > 0;
            bars.largest = std::max(bars.largest, countOf(each, part));
        }
        if (any) bars.parts.push_back(part);
    }
    return bars;
}

ClassChart::ClassChart(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Samples by class"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void ClassChart::setClasses(std::vector<data::ClassBalance> classes)
{
    m_classes = std::move(classes);
    m_current = -1;
    setAccessibleDescription(tr("Classes: %1; arrow keys read them").arg(m_classes.size()));
    update();
}

QSize ClassChart::sizeHint() const { return {100 * kGrid, 36 * kGrid}; }
QSize ClassChart::minimumSizeHint() const { return {40 * kGrid, 28 * kGrid}; }

ClassBars ClassChart::barsNow() const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    std::int64_t largest = 0;
    for (auto const &each : m_classes) largest = std::max({largest, each.train, each.validation, each.test});
    double const left = metrics.horizontalAdvance(countText(largest)) + kGap, text = metrics.height();
    return placeBars(m_classes, QRectF(left, text + kGap, std::max(1.0, width() - left - 1), std::max(1.0, height() - 3 * text - 2 * kGap)));
}

QString ClassChart::tipOf(int index) const
{
    auto const &each = m_classes[static_cast<std::size_t>(index)];
    QStringList parts{tr("Class %1: %2 training").arg(each.label).arg(countText(each.train))};
    if (each.validation > 0) parts << tr("%1 validation").arg(countText(each.validation));
    if (each.test > 0) parts << tr("%1 test").arg(countText(each.test));
    return parts.join(QStringLiteral(", "));
}

void ClassChart::paintLegend(QPainter &painter, ClassBars const &bars) const
{
    double x = bars.plot.left();
    for (auto const part : bars.parts) {
        QRectF const box(x, kGrid / 2.0, 3 * kGrid, painter.fontMetrics().height() - kGrid);
        painter.fillRect(box, brushOf(part));
        painter.setPen(theme()[Token::Border]);
        painter.drawRect(box);
        painter.setPen(theme()[Token::Text]);
        QString const name = nameOf(part);
        painter.drawText(QPointF(box.right() + kGrid, painter.fontMetrics().ascent()), name);
        x = box.right() + 2 * kGrid + painter.fontMetrics().horizontalAdvance(name) + kGap;
    }
}

void ClassChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(uiFont(TextSize::Caption));
    if (m_classes.empty()) return;
    auto const bars = barsNow();
    paintLegend(painter, bars);
    painter.setPen(theme()[Token::Grid]);
    painter.drawLine(bars.plot.topLeft(), bars.plot.topRight());
    painter.drawLine(bars.plot.bottomLeft(), bars.plot.bottomRight());
    painter.setPen(theme()[Token::SecondaryText]);
    int const text = painter.fontMetrics().height();
    painter.drawText(QRectF(0, bars.plot.top() - text / 2.0, bars.plot.left() - kGrid, text), Qt::AlignRight | Qt::AlignVCenter, countText(bars.largest));
    painter.drawText(QRectF(0, bars.plot.bottom() - text / 2.0, bars.plot.left() - kGrid, text), Qt::AlignRight | Qt::AlignVCenter, countText(0));
    double const slot = bars.plot.width() / static_cast<double>(m_classes.size());
    int const widest = painter.fontMetrics().horizontalAdvance(QString::number(m_classes.back().label)) + kGap;
    auto const every = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / slot)));
    for (std::size_t i = 0; i < m_classes.size(); ++i) {
        for (auto const part : bars.parts) painter.fillRect(bars.rectOf(i, part, countOf(m_classes[i], part)), brushOf(part));
        QRectF const column(bars.plot.left() + static_cast<double>(i) * slot, bars.plot.top(), slot, bars.plot.height());
        if (static_cast<int>(i) == m_current && hasFocus()) {
            painter.setPen(theme()[Token::Accent]);
            painter.drawRect(column);
        }
        if (i % every != 0) continue;
        painter.setPen(theme()[Token::SecondaryText]);
        painter.drawText(QRectF(column.center().x() - widest, column.bottom() + kGrid / 2.0, 2.0 * widest, text), Qt::AlignHCenter, QString::number(m_classes[i].label));
    }
    painter.drawText(QRectF(bars.plot.left(), bars.plot.bottom() + text + kGrid / 2.0, bars.plot.width(), text), Qt::AlignHCenter, tr("class"));
}

bool ClassChart::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        int const index = m_classes.empty() ? -1 : barsNow().classAt(help->pos().x());
        if (index >= 0) QToolTip::showText(help->globalPos(), tipOf(index), this);
        else QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ClassChart::keyPressEvent(QKeyEvent *event)
{
    if (m_classes.empty() || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) return QWidget::keyPressEvent(event);
    m_current = std::clamp(m_current + (event->key() == Qt::Key_Right ? 1 : -1), 0, static_cast<int>(m_classes.size()) - 1);
    setAccessibleDescription(tipOf(m_current));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    auto const bars = barsNow();
    QToolTip::showText(mapToGlobal(bars.rectOf(static_cast<std::size_t>(m_current), bars.parts.empty() ? DataPart::Train : bars.parts.front(), bars.largest).topLeft().toPoint()), tipOf(m_current), this);
    update();
}

} // namespace tilewright::views
