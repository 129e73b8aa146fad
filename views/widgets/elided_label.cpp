#include "views/widgets/elided_label.h"

#include <QPainter>
#include <QRegularExpression>
#include <QStyle>

#include <algorithm>

namespace tilewright::views {

QSize ElidedLabel::minimumSizeHint() const
{
    int const width = fontMetrics().averageCharWidth() * 3;
    return {width, m_breaks && this->width() > width ? heightForWidth(this->width()) : QLabel::sizeHint().height()};
}

QSize ElidedLabel::sizeHint() const
{
    QSize hint = QLabel::sizeHint();
    if (!m_breaks) return hint;
    hint.setWidth(std::min(hint.width(), maximumWidth()));
    hint.setHeight(heightForWidth(hint.width()));
    return hint;
}

int ElidedLabel::heightForWidth(int width) const
{
    if (!m_breaks) return QLabel::heightForWidth(width);
    auto const margins = contentsMargins();
    auto const more = static_cast<int>(lines(width - margins.left() - margins.right()).size()) - 1;
    return QLabel::sizeHint().height() + more * fontMetrics().lineSpacing();
}

void ElidedLabel::setBreaks()
{
    m_breaks = true;
    QSizePolicy policy = sizePolicy();
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QStringList ElidedLabel::lines(int width) const
{
    auto const metrics = fontMetrics();
    if (!m_breaks || width <= 0 || metrics.horizontalAdvance(text()) <= width) return {metrics.elidedText(text(), Qt::ElideMiddle, width)};
    static QRegularExpression const part(QStringLiteral("[^_. ]*[_. ]*"));
    QStringList lines{QString()};
    for (auto parts = part.globalMatch(text()); parts.hasNext();) {
        QString const next = parts.next().captured();
        if (!lines.last().isEmpty() && metrics.horizontalAdvance((lines.last() + next).trimmed()) > width) lines << QString();
        lines.last() += next;
    }
    for (auto &line : lines) line = metrics.elidedText(line.trimmed(), Qt::ElideMiddle, width);
    return lines;
}

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
    QString const shown = lines(area.width()).join(QLatin1Char('\n'));
    auto const align = QStyle::visualAlignment(layoutDirection(), alignment());
    QColor color = theme()[m_token];
    if (!isEnabled()) color.setAlphaF(0.5F);
    painter.setPen(color);
    painter.drawText(area, static_cast<int>(align), shown);
}

} // namespace tilewright::views
