#include "views/common/label_texts.h"

#include <QPainter>

namespace tilewright::views {

namespace {

constexpr qsizetype kMost = 4000;
constexpr qsizetype kLeastLetters = 4; ///< minimum number of letters left in an elided text
constexpr QChar kEllipsis(0x2026);

} // namespace

LabelTexts::LabelTexts(QFont const &font) : m_font(font), m_metrics(font) {}

void LabelTexts::setFont(QFont const &font)
{
    if (font == m_font) return;
    m_font = font;
    m_metrics = QFontMetricsF(font);
    m_labels.clear();
    m_advances.clear();
}

LabelTexts::Label LabelTexts::whole(QString const &text)
{
    auto const known = m_labels.constFind(text);
    if (known != m_labels.constEnd()) return *known;
    if (m_labels.size() >= kMost) m_labels.clear();
    Label label{QStaticText(text), 0};
    label.text.setTextFormat(Qt::PlainText);
    label.text.prepare({}, m_font);
    label.width = label.text.size().width();
    m_labels.insert(text, label);
    return label;
}

double LabelTexts::advance(QChar c)
{
    auto const known = m_advances.constFind(c);
    if (known != m_advances.constEnd()) return *known;
    double const width = m_metrics.horizontalAdvance(c);
    m_advances.insert(c, width);
    return width;
}

LabelTexts::Label LabelTexts::fitted(QString const &text, double width)
{
    Label label = whole(text);
    if (label.width <= width) return label;
    // Elide the middle: names begin with the layer and end with the operation.
    double room = width - advance(kEllipsis);
    qsizetype head = 0, tail = 0;
    while (head + tail < text.size()) {
        bool const front = head <= tail;
        room -= advance(front ? text[head] : text[text.size() - 1 - tail]);
        if (room < 0) break;
        ++(front ? head : tail);
    }
    if (head > 0 && text[head - 1].isHighSurrogate()) --head;
    if (tail > 0 && text[text.size() - tail].isLowSurrogate()) --tail;
    // A letter or two and dots identify nothing.
    return head + tail < kLeastLetters ? Label() : whole(text.left(head) + kEllipsis + text.right(tail));
}

void LabelTexts::draw(QPainter &painter, QRectF const &area, Label const &label) const
{
    if (label.isEmpty()) return;
    painter.setFont(m_font);
    painter.drawStaticText(QPointF(area.left(), area.top() + (area.height() - m_metrics.height()) / 2), label.text);
}

} // namespace tilewright::views
