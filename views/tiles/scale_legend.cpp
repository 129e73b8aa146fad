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
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Legend of the colours"));
}

void ScaleLegend::setScale(TileScale const &scale, std::function<QString(std::int64_t)> text)
{
    m_scale = scale;
    m_text = std::move(text);
    setAccessibleDescription(tr("From %1 to %2").arg(this->text(scale.min), this->text(scale.max)));
    setToolTip(accessibleDescription());
    updateGeometry();
    update();
}

bool ScaleLegend::hasOvers() const { return m_scale.limit > 0 && m_scale.kind != ScaleKind::Diverging && m_scale.max > m_scale.limit; }

TileScale ScaleLegend::shownScale() const
{
    TileScale shown = m_scale;
    shown.limit = m_scale.kind == ScaleKind::ShareOfLimit ? m_scale.limit : 0; // colours below the limit only
    return shown;
}

ScaleLegend::Places ScaleLegend::places(int width) const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    auto const shown = shownScale();
    double const first = m_scale.kind == ScaleKind::Diverging ? -1 : 0;
    Places places;
    places.texts = {text(shown.valueAt(first)), text(shown.valueAt((first + 1) / 2)), text(shown.valueAt(1))};
    auto const wide = [&](int i) { return metrics.horizontalAdvance(places.texts[i]); };
    int const ends = wide(0) + wide(2) + kGap;
    int const over = hasOvers() ? kBarHeight + kGrid + metrics.horizontalAdvance(tr("over the limit")) : 0;
    places.least = std::max(ends, over) + 1;
    // The colour above the limit is beside the bar, or below it if the bar would be too short for its labels.
    bool const beside = over > 0 && width - over - kGap - 1 >= ends;
    places.bar = QRect(0, 0, std::clamp(width - (beside ? over + kGap : 0) - 1, 0, 100 * kGrid), kBarHeight);
    QRect const line(0, places.bar.bottom() + 1 + kGrid / 2, places.bar.width(), metrics.height());
    places.height = kBarHeight + fontMetrics().height() + kGrid;
    places.labels[0] = QRect(line.left(), line.top(), wide(0), line.height());
    places.labels[2] = QRect(line.right() + 1 - wide(2), line.top(), wide(2), line.height());
    int const besideMiddle = std::max(wide(0), wide(2)) + kGap; // the middle label is centred
    if (wide(1) + 2 * besideMiddle < line.width())
        places.labels[1] = QRect(line.center().x() - wide(1) / 2, line.top(), wide(1), line.height());
    if (over == 0) return places;
    places.sample = QRect(beside ? places.bar.right() + kGap : 0, beside ? 0 : places.height, kBarHeight, kBarHeight);
    int const tall = std::max(metrics.height(), kBarHeight);
    places.over = QRect(places.sample.right() + kGrid, std::max(0, places.sample.center().y() - tall / 2), over - kBarHeight - kGrid, tall);
    if (!beside) places.height += tall + kGrid / 2;
    return places;
}

QSize ScaleLegend::sizeHint() const { return {60 * kGrid, places(60 * kGrid).height}; }
QSize ScaleLegend::minimumSizeHint() const { return {std::max(20 * kGrid, places(60 * kGrid).least), sizeHint().height()}; }
int ScaleLegend::heightForWidth(int width) const { return places(width).height; }

void ScaleLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(uiFont(TextSize::Caption));
    auto const at = places(width());
    auto const &bar = at.bar;
    if (bar.width() < 2) return;
    auto const shown = shownScale();
    ScaleColors const colors(shown, theme());
    double const first = m_scale.kind == ScaleKind::Diverging ? -1 : 0;
    for (int x = 0; x < bar.width(); ++x) {
        double const share = first + (1 - first) * (x + 0.5) / bar.width();
        painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(), QColor(colors(shown.valueAt(share))));
    }
    painter.setPen(theme()[Token::Border]);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
    painter.setPen(theme()[Token::SecondaryText]);
    for (std::size_t i = 0; i < at.labels.size(); ++i)
        if (!at.labels[i].isEmpty()) painter.drawText(at.labels[i], Qt::TextDontClip, at.texts[static_cast<int>(i)]);
    if (at.sample.isEmpty()) return;
    painter.fillRect(at.sample, theme()[Token::Bad]);
    painter.fillRect(at.sample, QBrush(theme()[Token::Text], Qt::BDiagPattern));
    painter.setPen(theme()[Token::Text]);
    painter.drawText(at.over, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tr("over the limit"));
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
