#include "views/tiles/flow_layout.h"

#include "views/common/theme.h"

#include <QWidget>

#include <algorithm>

namespace tilewright::views {

FlowLayout::FlowLayout(QWidget *parent) : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(kGrid);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

QSize FlowLayout::minimumSize() const
{
    QSize least;
    for (auto const *item : m_items)
        if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
    return least;
}

QSize FlowLayout::sizeHint() const
{
    QSize all;
    for (auto const *item : m_items) {
        if (item->isEmpty()) continue;
        all.rwidth() += item->sizeHint().width() + spacing();
        all.rheight() = std::max(all.height(), item->sizeHint().height());
    }
    return all;
}

void FlowLayout::setGeometry(QRect const &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(QRect const &rect, bool place) const
{
    bool const mirrored = parentWidget() && parentWidget()->layoutDirection() == Qt::RightToLeft;
    int x = 0, y = 0;
    std::vector<std::pair<QLayoutItem *, QRect>> row;
    int rowHeight = 0;
    auto const flush = [&] {
        for (auto &[item, box] : row) {
            box.moveTop(rect.y() + y + (rowHeight - box.height()) / 2);
            box.moveLeft(mirrored ? rect.right() + 1 - box.left() - box.width() : rect.x() + box.left());
            if (place) item->setGeometry(box);
        }
        row.clear();
    };
    for (auto *item : m_items) {
        if (item->isEmpty()) continue;
        QSize const size(std::min(item->sizeHint().width(), std::max(item->minimumSize().width(), rect.width())), item->sizeHint().height());
        if (x > 0 && x + size.width() > rect.width()) {
            flush();
            y += rowHeight + spacing();
            x = rowHeight = 0;
        }
        row.emplace_back(item, QRect(QPoint(x, 0), size));
        x += size.width() + spacing();
        rowHeight = std::max(rowHeight, size.height());
    }
    flush();
    return y + rowHeight;
}

} // namespace tilewright::views
