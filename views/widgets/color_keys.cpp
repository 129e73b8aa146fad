#include "views/widgets/color_keys.h"

#include <QPainter>

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr int kSwatch = 3 * kGrid;

void drawSwatch(QPainter &painter, QRect const &box, ColorKey const &key)
{
    QColor const color = theme()[key.token];
    switch (key.look) {
    case KeyLook::Plain: return painter.fillRect(box, color);
    case KeyLook::Hatched:
        painter.fillRect(box, theme()[Token::Panel]);
        painter.fillRect(box, QBrush(color, Qt::FDiagPattern));
        painter.setPen(theme()[Token::Border]);
        return painter.drawRect(box.adjusted(0, 0, -1, -1));
    case KeyLook::Foot: return painter.fillRect(box.adjusted(0, box.height() / 2, 0, 0), color);
    case KeyLook::Top: return painter.fillRect(box.left(), box.top() + box.height() / 2 - 1, box.width(), 2, color);
    case KeyLook::Dashed:
        painter.setPen(QPen(color, 1, Qt::DashLine));
        return painter.drawLine(box.center().x(), box.top() - 1, box.center().x(), box.bottom() + 1);
    }
}
} // namespace

ColorKeys::ColorKeys(QWidget *parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Legend of the colours"));
}

void ColorKeys::setKeys(QList<ColorKey> const &keys)
{
    if (keys == m_keys) return;
    m_keys = keys;
    QStringList words;
    for (auto const &key : keys) words << key.label;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QList<QRect> ColorKeys::places(int width) const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    QList<QRect> all;
    int x = 0, y = 0;
    int const high = std::max(kSwatch, metrics.height());
    for (auto const &key : m_keys) {
        int const wide = kSwatch + kGrid + metrics.horizontalAdvance(key.label);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += high + kGrid;
        }
        all << QRect(x, y, wide, high);
        x += wide + 2 * kGap;
    }
    return all;
}

QSize ColorKeys::sizeHint() const
{
    auto const all = places(100000);
    return all.isEmpty() ? QSize(0, 0) : QSize(all.last().right() + 1, all.last().bottom() + 1);
}

QSize ColorKeys::minimumSizeHint() const
{
    int widest = 0;
    for (auto const &place : places(0)) widest = std::max(widest, place.width());
    return {widest, m_keys.isEmpty() ? 0 : sizeHint().height()};
}

int ColorKeys::heightForWidth(int width) const
{
    auto const all = places(width);
    return all.isEmpty() ? 0 : all.last().bottom() + 1;
}

void ColorKeys::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(uiFont(TextSize::Caption));
    auto const all = places(width());
    for (qsizetype i = 0; i < all.size(); ++i) {
        QRect const box(all[i].left(), all[i].top() + (all[i].height() - kSwatch) / 2, kSwatch, kSwatch);
        drawSwatch(painter, box, m_keys[i]);
        painter.setPen(theme()[Token::SecondaryText]);
        painter.drawText(all[i].adjusted(kSwatch + kGrid, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter, m_keys[i].label);
    }
}

} // namespace tilewright::views
