#include "views/figures/card_flow.h"

#include "views/common/theme.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace tilewright::views {

CardFlow::CardFlow(QWidget *parent, bool fills) : QLayout(parent), m_fills(fills)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(kGap);
}

CardFlow::~CardFlow()
{
    for (auto *item : m_items) delete item;
}

QLayoutItem *CardFlow::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem *CardFlow::takeAt(int index)
{
    auto *item = itemAt(index);
    if (item) m_items.erase(m_items.begin() + index);
    return item;
}

QSize CardFlow::sizeHint() const
{
    QSize size = minimumSize();
    int width = 0;
    for (auto *item : m_items) width += item->sizeHint().width() + spacing();
    size.setWidth(std::max(size.width(), width));
    return size;
}

QSize CardFlow::minimumSize() const
{
    QSize size;
    for (auto *item : m_items) size = size.expandedTo(item->minimumSize());
    auto const margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void CardFlow::setGeometry(QRect const &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int CardFlow::arrange(QRect const &rect, bool place) const
{
    QRect const room = rect.marginsRemoved(contentsMargins());
    int y = room.y();
    std::vector<QLayoutItem *> shown;
    for (auto *item : m_items)
        if (!item->isEmpty()) shown.push_back(item);
    for (std::size_t first = 0; first < shown.size();) {
        int used = 0;
        std::size_t end = first;
        while (end < shown.size()) {
            int const next = shown[end]->sizeHint().width() + (end > first ? spacing() : 0);
            if (end > first && used + next > room.width()) break;
            used += next;
            ++end;
        }
        auto const columns = static_cast<int>(end - first);
        // The last row keeps its items' own widths, so that they do not grow to a band.
        bool const last = end == shown.size() && first > 0;
        int const extra = last || !m_fills ? 0 : std::max(0, room.width() - used) / columns;
        int height = 0;
        for (std::size_t i = first; i < end; ++i) {
            int const width = std::min(room.width(), shown[i]->sizeHint().width() + extra);
            height = std::max(height, shown[i]->hasHeightForWidth() ? shown[i]->heightForWidth(width) : shown[i]->sizeHint().height());
        }
        if (place) {
            int x = room.x();
            auto const direction = parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
            for (std::size_t i = first; i < end; ++i) {
                int const width = std::min(room.width(), shown[i]->sizeHint().width() + extra);
                shown[i]->setGeometry(QStyle::visualRect(direction, room, QRect(x, y, width, height)));
                x += width + spacing();
            }
        }
        y += height + (end < shown.size() ? spacing() : 0);
        first = end;
    }
    return y - rect.y() + contentsMargins().bottom();
}

} // namespace tilewright::views
