#include "views/training/confusion_matrix.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::views {

namespace {

/// Beyond so many classes numbers in cells are no longer legible anyway.
constexpr int kLabelledClasses = 40;
constexpr double kLabelCell = 4.5 * kGrid; ///< cells this wide hold their count

} // namespace

ConfusionMatrix::ConfusionMatrix(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Confusion matrix"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ConfusionMatrix::setCounts(Counts counts)
{
    m_counts = std::move(counts);
    if (m_picked && (m_picked->first >= classes() || m_picked->second >= classes())) m_picked.reset();
    std::int64_t right = 0, all = 0;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        right += m_counts[i][i];
        all = std::accumulate(m_counts[i].begin(), m_counts[i].end(), all);
    }
    setAccessibleDescription(tr("%1 of %2 samples right in %3 classes").arg(countText(right), countText(all)).arg(classes()));
    update();
}

void ConfusionMatrix::setPicked(std::optional<Cell> cell)
{
    m_picked = cell;
    update();
}

void ConfusionMatrix::pick(std::optional<Cell> cell)
{
    setPicked(cell);
    emit cellPicked(cell);
}

QString ConfusionMatrix::tipOf(Cell cell) const
{
    auto const &row = m_counts[static_cast<std::size_t>(cell.first)];
    auto const all = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    auto const count = row[static_cast<std::size_t>(cell.second)];
    return tr("%1 of the %2 samples of class %3 taken for class %4 (%5)")
        .arg(countText(count), countText(all)).arg(cell.first).arg(cell.second).arg(shareText(all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0));
}

double ConfusionMatrix::cellSize() const
{
    if (classes() == 0) return 0;
    double const label = fontMetrics().height() + kGrid;
    return std::max(1.0, std::min(width() - 2 * label, height() - label) / static_cast<double>(classes()));
}

QPointF ConfusionMatrix::origin() const
{
    double const label = 2 * (fontMetrics().height() + 0.0);
    return {label, fontMetrics().height() + kGrid + 0.0};
}

QRectF ConfusionMatrix::cellRect(Cell cell) const
{
    double const size = cellSize();
    return {origin().x() + size * cell.second, origin().y() + size * cell.first, size, size};
}

std::optional<ConfusionMatrix::Cell> ConfusionMatrix::cellAt(QPointF const &at) const
{
    double const size = cellSize();
    if (size <= 0) return std::nullopt;
    QPointF const in = (at - origin()) / size;
    if (in.x() < 0 || in.y() < 0 || in.x() >= classes() || in.y() >= classes()) return std::nullopt;
    return Cell{static_cast<int>(in.y()), static_cast<int>(in.x())};
}

void ConfusionMatrix::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // Cells are square: more width than this would lie empty.
    int const label = fontMetrics().height() + kGrid;
    setMaximumWidth(std::max(minimumSizeHint().width(), event->size().height() + label));
}

QSize ConfusionMatrix::sizeHint() const { return {60 * kGrid, 60 * kGrid}; }
QSize ConfusionMatrix::minimumSizeHint() const { return {40 * kGrid, 40 * kGrid}; }

bool ConfusionMatrix::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        if (auto const cell = cellAt(help->pos())) QToolTip::showText(help->globalPos(), tipOf(*cell), this);
        else QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ConfusionMatrix::mousePressEvent(QMouseEvent *event)
{
    auto const cell = cellAt(event->position());
    pick(cell == m_picked ? std::nullopt : cell);
}

void ConfusionMatrix::keyPressEvent(QKeyEvent *event)
{
    auto cell = m_picked.value_or(Cell{0, 0});
    switch (event->key()) {
    case Qt::Key_Left: --cell.second; break;
    case Qt::Key_Right: ++cell.second; break;
    case Qt::Key_Up: --cell.first; break;
    case Qt::Key_Down: ++cell.first; break;
    case Qt::Key_Escape: pick(std::nullopt); return;
    default: QWidget::keyPressEvent(event); return;
    }
    if (classes() == 0) return;
    pick(Cell{std::clamp(cell.first, 0, classes() - 1), std::clamp(cell.second, 0, classes() - 1)});
}

void ConfusionMatrix::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    auto const &look = theme();
    painter.setFont(uiFont(TextSize::Caption));
    double const size = cellSize();
    for (int label = 0; label < classes(); ++label) {
        auto const &row = m_counts[static_cast<std::size_t>(label)];
        auto const most = std::max<std::int64_t>(1, *std::max_element(row.begin(), row.end()));
        for (int predicted = 0; predicted < classes(); ++predicted) {
            QRectF const cell = cellRect({label, predicted});
            auto const count = row[static_cast<std::size_t>(predicted)];
            QColor const color = count == 0 ? look[Token::Panel] : look.sequential(static_cast<double>(count) / static_cast<double>(most));
            painter.fillRect(cell, color);
            if (size >= kLabelCell && count > 0) {
                painter.setPen(textOn(color));
                painter.drawText(cell, Qt::AlignCenter, painter.fontMetrics().horizontalAdvance(QString::number(count)) < size ? QString::number(count) : shortCount(static_cast<double>(count)));
            }
            // The diagonal is right; its frame says so without colour.
            if (label == predicted && size >= kGrid) {
                painter.setPen(QPen(look[Token::SecondaryText], 1));
                painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
    }
    painter.setPen(look[Token::Border]);
    if (classes() > 0) painter.drawRect(QRectF(origin(), QSizeF(size * classes(), size * classes())));
    painter.setPen(look[Token::SecondaryText]);
    int const every = std::max(1, static_cast<int>(std::ceil(fontMetrics().height() / std::max(1.0, size))));
    if (classes() <= kLabelledClasses * every)
        for (int i = 0; i < classes(); i += every) {
            painter.drawText(QRectF(origin().x() + i * size, 0, size * every, origin().y()), Qt::AlignHCenter | Qt::AlignVCenter, QString::number(i));
            painter.drawText(QRectF(0, origin().y() + i * size, origin().x() - kGrid, size * every), Qt::AlignRight | Qt::AlignVCenter, QString::number(i));
        }
    if (m_picked) {
        painter.setPen(QPen(look[Token::Accent], 2));
        painter.drawRect(cellRect(*m_picked).adjusted(1, 1, -1, -1));
    }
    if (hasFocus()) {
        painter.setPen(QPen(look[Token::Accent], 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace tilewright::views
