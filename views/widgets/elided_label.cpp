#include "views/widgets/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace tilewright::views {

QSize ElidedLabel::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 3, QLabel::sizeHint().height()}; }

int ElidedLabel::wholeWidth() const { return fontMetrics().horizontalAdvance(text()) + 2; }

void ElidedLabel::setToken(Token token)
{
    m_token = token;
    update();
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QRect const area = contentsRect();
    QString const shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, area.width());
    auto const align = QStyle::visualAlignment(layoutDirection(), alignment());
    QColor color = theme()[m_token];
    if (!isEnabled()) color.setAlphaF(0.5F);
    painter.setPen(color);
    painter.drawText(area, static_cast<int>(align), shown);
}

} // namespace tilewright::views
