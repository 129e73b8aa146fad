#include "views/operations/treemap.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace tilewright::views {

namespace {

/// Worst aspect ratio in a row of areas along `side`.
double worstRatio(double sum, double least, double most, double side)
{
    double const s2 = sum * sum, w2 = side * side;
    return std::max(w2 * most / s2, s2 / (w2 * least));
}

} // namespace

std::vector<QRectF> squarify(std::vector<double> const &amounts, QRectF const &area)
{
    std::vector<QRectF> rects(amounts.size());
    std::vector<std::size_t> order;
    double all = 0;
    for (std::size_t i = 0; i < amounts.size(); ++i)
        if (amounts[i] > 0) {
            order.push_back(i);
            all += amounts[i];
        }
    if (all <= 0 || area.width() <= 0 || area.height() <= 0) return rects;
    std::ranges::stable_sort(order, [&](auto a, auto b) { return amounts[a] > amounts[b]; });
    double const scale = area.width() * area.height() / all;
    QRectF room = area;
    for (std::size_t first = 0; first < order.size();) {
        double const side = std::max(1e-9, std::min(room.width(), room.height()));
        double sum = 0, least = 0, most = 0, best = 0;
        std::size_t end = first;
        while (end < order.size()) {
            double const next = amounts[order[end]] * scale;
            double const newSum = sum + next, newLeast = end == first ? next : std::min(least, next),
                         newMost = end == first ? next : std::max(most, next);
            double const ratio = worstRatio(newSum, newLeast, newMost, side);
            if (end > first && ratio > best) break;
            sum = newSum;
            least = newLeast;
            most = newMost;
            best = ratio;
            ++end;
        }
        bool const upright = room.width() >= room.height(); // a column at the left, else a row at the top
        double const thickness = sum / side;
        double along = 0;
        for (std::size_t i = first; i < end; ++i) {
            double const length = amounts[order[i]] * scale / thickness;
            rects[order[i]] =
                upright ? QRectF(room.x(), room.y() + along, thickness, length) : QRectF(room.x() + along, room.y(), length, thickness);
            along += length;
        }
        if (upright) room.setLeft(room.left() + thickness);
        else room.setTop(room.top() + thickness);
        first = end;
    }
    return rects;
}

Treemap::Treemap(QString const &accessibleName, QWidget *parent) : QWidget(parent)
{
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void Treemap::setItems(std::vector<TreemapItem> items)
{
    std::erase_if(items, [](auto const &item) { return item.amount <= 0; });
    std::ranges::stable_sort(items, [](auto const &a, auto const &b) { return a.amount > b.amount; });
    m_items = std::move(items);
    QStringList words;
    for (auto const &item : m_items) {
        if (words.size() == 5) break;
        words << item.exact;
    }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    arrange();
}

void Treemap::setMarked(std::vector<int> ids)
{
    m_marked = std::move(ids);
    update();
}

void Treemap::arrange()
{
    std::vector<double> amounts;
    for (auto const &item : m_items) amounts.push_back(item.amount);
    m_rects = squarify(amounts, QRectF(rect()));
    update();
}

void Treemap::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

int Treemap::itemAt(QPointF const &where) const
{
    for (std::size_t i = 0; i < m_rects.size(); ++i)
        if (m_rects[i].contains(where)) return static_cast<int>(i);
    return -1;
}

QRectF Treemap::rectOf(int id) const
{
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (m_items[i].id == id) return m_rects[i];
    return {};
}

QStringList treemapLines(QString const &label, QFontMetrics const &metrics, int width, int height)
{
    auto const fits = [&](QString const &text) { return metrics.horizontalAdvance(text) <= width; };
    if (fits(label)) return {label};
    // Whole words on several lines, the layer on the first: "rmsprop" alone would be the text of half the boxes.
    QStringList lines;
    qsizetype begin = 0;
    while (begin < label.size()) {
        qsizetype end = -1;
        for (qsizetype i = begin + 1; i <= label.size(); ++i) {
            bool const breaks = i == label.size() || label[i] == u'/' || label[i] == u'_' || label[i] == u'.'
                || (label[i].isUpper() && label[i - 1].isLower());
            if (breaks && fits(label.mid(begin, i - begin))) end = i;
            if (breaks && lines.isEmpty() && i < label.size() && label[i] == u'/') break;
        }
        if (end < 0) break;
        lines << label.mid(begin, end - begin);
        begin = end < label.size() && label[end] == u'/' ? end + 1 : end;
    }
    int const room = std::max(1, height / metrics.lineSpacing());
    if (begin >= label.size() && lines.size() <= room) return lines;
    // A part is a label only if it still names the operation; else the tooltip does.
    QString const cut = metrics.elidedText(label, Qt::ElideMiddle, width);
    return cut.size() * 3 >= label.size() * 2 ? QStringList{cut} : QStringList{};
}

void Treemap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    auto const &colors = theme();
    painter.fillRect(rect(), colors[Token::Panel]);
    painter.setFont(uiFont(TextSize::Caption));
    auto const metrics = painter.fontMetrics();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        auto const &item = m_items[i];
        QRectF const box = m_rects[i].adjusted(0.5, 0.5, -0.5, -0.5);
        if (box.width() <= 0 || box.height() <= 0) continue;
        QColor const ground = colors[item.token];
        painter.fillRect(box, ground);
        // Inside of the halo, where there is one.
        double const inset = std::ranges::binary_search(m_marked, item.id) ? kGrid + 1.0 : 0.0;
        QRectF const inner = box.adjusted(inset + kGrid / 2.0, inset, -inset - kGrid / 2.0, -inset);
        if (inner.width() > kGrid * 7 && inner.height() > metrics.height()) {
            painter.setPen(textOn(ground));
            painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop,
                             treemapLines(item.label, metrics, static_cast<int>(inner.width()), static_cast<int>(inner.height()))
                                 .join(QLatin1Char('\n')));
        }
    }
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!std::ranges::binary_search(m_marked, m_items[i].id)) continue;
        painter.setPen(QPen(colors[Token::Panel], 4));
        painter.drawRect(m_rects[i].adjusted(2, 2, -2, -2));
        painter.setPen(QPen(colors[Token::Accent], 2));
        painter.drawRect(m_rects[i].adjusted(2, 2, -2, -2));
    }
    if (m_items.empty()) {
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No cycles to show"));
    }
}

void Treemap::mousePressEvent(QMouseEvent *event)
{
    if (int const index = itemAt(event->position()); index >= 0) Q_EMIT picked(m_items[static_cast<std::size_t>(index)].id);
}

void Treemap::keyPressEvent(QKeyEvent *event)
{
    int const by = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
        : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up             ? -1
                                                                                 : 0;
    if (by == 0 || m_items.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    int index = by > 0 ? -1 : static_cast<int>(m_items.size());
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (std::ranges::binary_search(m_marked, m_items[i].id)) index = static_cast<int>(i);
    index = std::clamp(index + by, 0, static_cast<int>(m_items.size()) - 1);
    Q_EMIT picked(m_items[static_cast<std::size_t>(index)].id);
}

bool Treemap::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto const *help = static_cast<QHelpEvent *>(event);
    if (int const index = itemAt(help->pos()); index >= 0)
        QToolTip::showText(help->globalPos(), m_items[static_cast<std::size_t>(index)].exact, this);
    else QToolTip::hideText();
    return true;
}

} // namespace tilewright::views
