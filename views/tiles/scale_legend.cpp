#include "views/tiles/scale_legend.h"

#include "views/common/format.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr int kBarHeight = 3 * kGrid;
}

ScaleLegend::ScaleLegend(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend of the colours"));
}

void ScaleLegend::setScale(TileScale const &scale, std::function<QString(std::int64_t)> text)
{
    m_scale = scale;
    m_text = std::move(text);
    setAccessibleDescription(tr("From %1 to %2").arg(this->text(scale.min), this->text(scale.max)));
    setToolTip(accessibleDescription());
    update();
}

QSize ScaleLegend::sizeHint() const { return {60 * kGrid, kBarHeight + fontMetrics().height() + kGrid}; }
QSize ScaleLegend::minimumSizeHint() const { return {20 * kGrid, sizeHint().height()}; }

void ScaleLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(uiFont(TextSize::Caption));
    auto const metrics = painter.fontMetrics();
    bool const overs = m_scale.limit > 0 && m_scale.kind != ScaleKind::Diverging && m_scale.max > m_scale.limit;
    QString const overText = tr("over the limit");
    int const overWidth = overs ? metrics.horizontalAdvance(overText) + 2 * kBarHeight + kGap : 0;
    QRect const bar(0, 0, std::clamp(width() - overWidth - 1, 0, 100 * kGrid), kBarHeight);
    if (bar.width() < 2) return;
    TileScale shown = m_scale;
    shown.limit = m_scale.kind == ScaleKind::ShareOfLimit ? m_scale.limit : 0; // colours below the limit only
    ScaleColors const colors(shown, theme());
    double const first = m_scale.kind == ScaleKind::Diverging ? -1 : 0;
    for (int x = 0; x < bar.width(); ++x) {
        double const share = first + (1 - first) * (x + 0.5) / bar.width();
        painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(), QColor(colors(shown.valueAt(share))));
    }
    painter.setPen(theme()[Token::Border]);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
    painter.setPen(theme()[Token::SecondaryText]);
    int const textTop = bar.bottom() + 1 + kGrid / 2;
    QRect const line(bar.left(), textTop, bar.width(), metrics.height());
    QString const left = text(shown.valueAt(first)), right = text(shown.valueAt(1)), middle = text(shown.valueAt((first + 1) / 2));
    painter.drawText(line, Qt::AlignLeft, left);
    painter.drawText(line, Qt::AlignRight, right);
    int const beside = std::max(metrics.horizontalAdvance(left), metrics.horizontalAdvance(right)) + kGap; // the middle stands in the middle
    if (metrics.horizontalAdvance(middle) + 2 * beside < bar.width()) painter.drawText(line, Qt::AlignHCenter, middle);
    if (!overs) return;
    QRect const sample(bar.right() + kGap, bar.top(), kBarHeight, kBarHeight);
    painter.fillRect(sample, theme()[Token::Bad]);
    painter.fillRect(sample, QBrush(theme()[Token::Text], Qt::BDiagPattern));
    painter.setPen(theme()[Token::Text]);
    painter.drawText(QRect(sample.right() + kGrid, bar.top() - 2, overWidth, std::max(metrics.height(), kBarHeight)), Qt::AlignLeft | Qt::AlignVCenter, overText);
}

void ScaleLegend::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        updateGeometry();
        update();
    }
}

} // namespace tilewright::views
