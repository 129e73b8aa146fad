#include "views/plots/wrap_layout.h"

#include <QWidget>

#include <utility>

namespace tilewright::views {

WrapLayout::WrapLayout(int spacing, QWidget *parent) : QLayout(parent), m_spacing(spacing)
{
    setContentsMargins(0, 0, 0, 0);
}

WrapLayout::~WrapLayout()
{
    qDeleteAll(m_items);
}

void WrapLayout::addItem(QLayoutItem *item)
{
    m_items.append(item);
}

QLayoutItem *WrapLayout::itemAt(int index) const
{
    return m_items.value(index);
}

QLayoutItem *WrapLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int WrapLayout::heightForWidth(int width) const
{
    return arrange(QRect(0, 0, width, 0), false);
}

QSize WrapLayout::sizeHint() const
{
    // One line when there is room: a parent without height for width then asks for no more.
    QSize size;
    int shown = 0;
    for (auto *item : m_items) {
        if (item->isEmpty()) continue;
        QSize const hint = item->sizeHint();
        size = QSize(size.width() + hint.width(), qMax(size.height(), hint.height()));
        ++shown;
    }
    return size + QSize(qMax(0, shown - 1) * m_spacing, 0);
}

QSize WrapLayout::minimumSize() const
{
    QSize size;
    for (auto *item : m_items)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size;
}

void WrapLayout::setGeometry(QRect const &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int WrapLayout::arrange(QRect const &rect, bool place) const
{
    bool const mirrored = parentWidget() && parentWidget()->layoutDirection() == Qt::RightToLeft;
    int x = 0, y = 0, line = 0;
    QList<std::pair<QLayoutItem *, QRect>> inLine;
    auto const finishLine = [&] {
        // Items of a line stand on one middle.
        for (auto const &[item, box] : inLine)
            if (place) item->setGeometry(box.translated(0, (line - box.height()) / 2));
        inLine.clear();
    };
    for (auto *item : m_items) {
        if (item->isEmpty()) continue;
        QSize const hint = item->sizeHint();
        QSize const size(qMin(hint.width(), qMax(item->minimumSize().width(), rect.width())), hint.height());
        if (x > 0 && x + size.width() > rect.width()) {
            finishLine();
            x = 0;
            y += line + m_spacing;
            line = 0;
        }
        int const left = mirrored ? rect.right() + 1 - x - size.width() : rect.left() + x;
        inLine.append({item, QRect(QPoint(left, rect.top() + y), size)});
        x += size.width() + m_spacing;
        line = qMax(line, size.height());
    }
    finishLine();
    return y + line;
}

} // namespace tilewright::views
