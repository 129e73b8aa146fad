#include "views/widgets/stacked_bar.h"

#include "views/common/format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kBarHeight = kRowHeight - kGrid;
constexpr int kSwatch = kGrid * 3;
constexpr int kShownBars = 64;

std::int64_t total(Bar const &bar)
{
    std::int64_t sum = 0;
    for (auto const &part : bar.parts) sum += std::max<std::int64_t>(0, part.amount);
    return sum;
}

/// The part's colour with its pattern in a shade of it, as the second cue of a phase.
void fillPart(QPainter &painter, QRectF const &rect, Token token, bool patterned)
{
    QColor const color = theme()[token];
    painter.fillRect(rect, token == Token::Idle ? theme()[Token::Window] : color);
    auto brush = phaseBrush(token, patterned);
    if (brush.style() == Qt::SolidPattern || brush.style() == Qt::NoBrush) return;
    QColor ink = token == Token::Idle ? color : textOn(color);
    ink.setAlphaF(token == Token::Idle ? 1.0F : 0.22F);
    brush.setColor(ink);
    painter.fillRect(rect, brush);
}

std::int64_t longest(QList<Bar> const &bars)
{
    std::int64_t most = 0;
    for (auto const &bar : bars) most = std::max(most, total(bar));
    return most;
}

} // namespace

std::vector<std::pair<double, double>> barSpans(Bar const &bar, std::int64_t longestBar, double width)
{
    std::vector<std::pair<double, double>> spans;
    std::int64_t before = 0;
    for (auto const &part : bar.parts) {
        auto const amount = std::max<std::int64_t>(0, part.amount);
        double const scale = longestBar > 0 ? width / static_cast<double>(longestBar) : 0.0;
        double const begin = static_cast<double>(before) * scale;
        before += amount;
        double end = static_cast<double>(before) * scale;
        if (amount > 0) end = std::max(end, begin + 1);
        spans.emplace_back(begin, end);
    }
    return spans;
}

StackedBars::StackedBars(QString const &accessibleName, QWidget *parent) : QWidget(parent)
{
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    // Not fixed: a layout would take the hint's height (computed for a wide bar) as the maximum.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StackedBars::setBars(QList<Bar> bars)
{
    if (bars.size() > kShownBars) bars.resize(kShownBars);
    m_bars = std::move(bars);
    QStringList words;
    for (auto const &bar : m_bars) {
        QStringList parts;
        for (auto const &part : bar.parts)
            if (part.amount > 0) parts << QStringLiteral("%1 %2").arg(part.label, part.exact);
        words << QStringLiteral("%1: %2").arg(bar.label, parts.join(QStringLiteral(", ")));
    }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void StackedBars::setMarked(int id)
{
    if (m_marked == id) return;
    m_marked = id;
    update();
}

QSize StackedBars::sizeHint() const
{
    int const width = kGrid * 100;
    return {width, heightForWidth(width)};
}

QSize StackedBars::minimumSizeHint() const { return {kGrid * 40, kRowHeight}; }

double StackedBars::labelWidth() const
{
    double width = 0;
    for (auto const &bar : m_bars) width = std::max(width, fontMetrics().horizontalAdvance(bar.label) + 0.0 + kGap);
    return std::min(width, static_cast<double>(this->width()) / 3);
}

std::vector<StackedBars::LegendItem> StackedBars::legend(double width) const
{
    std::vector<LegendItem> items;
    double x = 0, y = 0;
    for (auto const &bar : m_bars)
        for (auto const &part : bar.parts) {
            if (part.amount <= 0 || std::ranges::any_of(items, [&](auto const &item) { return item.part.label == part.label; })) continue;
            double const wide = kSwatch + kGrid + fontMetrics().horizontalAdvance(part.label);
            if (x > 0 && x + wide > width) {
                x = 0;
                y += kCompactRow;
            }
            items.push_back({part, QRectF(x, y, wide, kCompactRow)});
            x += wide + kGap * 2;
        }
    return items;
}

int StackedBars::heightForWidth(int width) const
{
    auto const items = legend(width);
    double const legendHeight = items.empty() ? 0 : items.back().rect.bottom() + kGrid;
    return static_cast<int>(m_bars.size()) * kRowHeight + static_cast<int>(std::ceil(legendHeight));
}

QRectF StackedBars::barRect(int bar) const
{
    double const label = labelWidth();
    return {label, bar * kRowHeight + kGrid / 2.0, std::max(1.0, width() - label - 1), static_cast<double>(kBarHeight)};
}

void StackedBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(font());
    auto const &colors = theme();
    auto const most = longest(m_bars);
    bool const mirrored = layoutDirection() == Qt::RightToLeft;
    auto const place = [&](QRectF const &rect) {
        return mirrored ? QRectF(width() - rect.right(), rect.y(), rect.width(), rect.height()) : rect;
    };
    for (int i = 0; i < m_bars.size(); ++i) {
        auto const &bar = m_bars[i];
        auto const rect = barRect(i);
        painter.setPen(colors[Token::Text]);
        painter.drawText(place(QRectF(0, rect.y(), rect.x() - kGrid, rect.height())), Qt::AlignVCenter | Qt::AlignLeading,
                         fontMetrics().elidedText(bar.label, Qt::ElideMiddle, static_cast<int>(rect.x() - kGrid)));
        auto const spans = barSpans(bar, most, rect.width());
        for (std::size_t p = 0; p < spans.size(); ++p) {
            auto const &part = bar.parts[static_cast<qsizetype>(p)];
            if (part.amount <= 0) continue;
            QRectF const piece = place(QRectF(rect.x() + spans[p].first, rect.y(), spans[p].second - spans[p].first, rect.height()));
            fillPart(painter, piece, part.token, piece.width() > kGrid * 4);
            painter.setPen(colors[Token::Panel]);
            painter.drawLine(piece.topRight(), piece.bottomRight());
            auto const share =
                shareText(most > 0 ? static_cast<double>(part.amount) / static_cast<double>(std::max<std::int64_t>(1, total(bar))) : 0.0);
            double const wide = fontMetrics().horizontalAdvance(share) + kGrid * 2;
            if (piece.width() > wide) {
                // Patterns would make the figure hard to read, so its ground is plain.
                QRectF plate(0, 0, wide, rect.height() - 2);
                plate.moveCenter(piece.center());
                QColor const ground = colors[part.token == Token::Idle ? Token::Window : part.token];
                painter.fillRect(plate, ground);
                painter.setPen(part.token == Token::Idle ? colors[Token::Text] : textOn(ground));
                painter.drawText(piece, Qt::AlignCenter, share);
            }
        }
        if (bar.id >= 0 && bar.id == m_marked) {
            painter.setPen(QPen(colors[Token::Accent], 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(place(rect).adjusted(0, -1, 0, 1));
        }
    }
    double const top = static_cast<double>(m_bars.size()) * kRowHeight + kGrid;
    for (auto const &item : legend(width())) {
        QRectF const rect = item.rect.translated(0, top);
        QRectF const swatch = place(QRectF(rect.x(), rect.y() + (kCompactRow - kSwatch) / 2.0, kSwatch, kSwatch));
        fillPart(painter, swatch, item.part.token, true);
        painter.setPen(colors[Token::Border]);
        painter.drawRect(swatch);
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(place(rect.adjusted(kSwatch + kGrid, 0, kGrid, 0)), Qt::AlignVCenter | Qt::AlignLeading, item.part.label);
    }
    if (hasFocus()) {
        painter.setPen(QPen(colors[Token::Accent], 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

int StackedBars::barAt(QPointF const &position) const
{
    int const row = static_cast<int>(position.y()) / kRowHeight;
    return row >= 0 && row < m_bars.size() ? row : -1;
}

QString StackedBars::tipAt(QPointF const &where) const
{
    int const row = barAt(where);
    if (row < 0) return {};
    auto const rect = barRect(row);
    double const x = (layoutDirection() == Qt::RightToLeft ? width() - where.x() : where.x()) - rect.x();
    auto const &bar = m_bars[row];
    auto const spans = barSpans(bar, longest(m_bars), rect.width());
    for (std::size_t p = 0; p < spans.size(); ++p)
        if (x >= spans[p].first && x < spans[p].second) {
            auto const &part = bar.parts[static_cast<qsizetype>(p)];
            return QStringLiteral("%1\n%2: %3").arg(bar.label, part.label, part.exact);
        }
    return {};
}

bool StackedBars::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        auto const tip = tipAt(help->pos());
        if (tip.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

void StackedBars::mousePressEvent(QMouseEvent *event)
{
    if (int const row = barAt(event->position()); row >= 0 && event->button() == Qt::LeftButton) emit barClicked(m_bars[row].id);
}

void StackedBars::keyPressEvent(QKeyEvent *event)
{
    if (m_bars.isEmpty() || (event->key() != Qt::Key_Up && event->key() != Qt::Key_Down)) {
        QWidget::keyPressEvent(event);
        return;
    }
    int row = -1;
    for (int i = 0; i < m_bars.size(); ++i)
        if (m_bars[i].id == m_marked) row = i;
    row = std::clamp(row + (event->key() == Qt::Key_Down ? 1 : -1), 0, static_cast<int>(m_bars.size()) - 1);
    emit barClicked(m_bars[row].id);
}

} // namespace tilewright::views
