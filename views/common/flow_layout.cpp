#include "views/common/flow_layout.h"

#include "views/common/theme.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace tilewright::views {

FlowLayout::FlowLayout(QWidget *parent, int spacing, Fill fill) : QLayout(parent), m_fill(fill)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing < 0 ? kGrid : spacing);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

QSize FlowLayout::sizeHint() const
{
    QSize all;
    int shown = 0;
    for (auto const *item : m_items) {
        if (item->isEmpty()) continue;
        all.rwidth() += item->sizeHint().width();
        all.rheight() = std::max(all.height(), item->sizeHint().height());
        ++shown;
    }
    return (all + QSize(std::max(0, shown - 1) * spacing(), 0)).grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const
{
    QSize least;
    for (auto const *item : m_items)
        if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
    return least.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(QRect const &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect.marginsRemoved(contentsMargins()), true);
}

int FlowLayout::heightForWidth(int width) const
{
    auto const margins = contentsMargins();
    return arrange(QRect(0, 0, width - margins.left() - margins.right(), 0), false) + margins.top() + margins.bottom();
}

int FlowLayout::arrange(QRect const &rect, bool place) const
{
    QList<QLayoutItem *> shown;
    for (auto *item : m_items)
        if (!item->isEmpty()) shown.append(item);
    auto const widthOf = [&](QLayoutItem const *item) {
        return std::min(item->sizeHint().width(), std::max(item->minimumSize().width(), rect.width()));
    };
    auto const direction = parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight;
    auto const lengthOf = [&](qsizetype first, qsizetype end) {
        int used = static_cast<int>(end - first - 1) * spacing();
        for (qsizetype i = first; i < end; ++i) used += widthOf(shown[i]);
        return used;
    };
    auto const endOf = [&](qsizetype first, qsizetype most) {
        qsizetype end = first + 1;
        while (end < shown.size() && end - first < most && lengthOf(first, end + 1) <= rect.width()) ++end;
        return end;
    };
    // Rows that share their width hold about equally many items: the last one is not alone in its row.
    qsizetype rows = 0;
    for (qsizetype first = 0; first < shown.size(); first = endOf(first, shown.size())) ++rows;
    int firstExtra = 0;
    qsizetype firstCount = 0;
    int y = rect.y();
    for (qsizetype first = 0; first < shown.size();) {
        qsizetype const left = shown.size() - first;
        qsizetype const end = endOf(first, m_fill == Share ? (left + rows - 1) / std::max<qsizetype>(1, rows) : left);
        --rows;
        int const used = lengthOf(first, end);
        int extra = m_fill == Share ? std::max(0, rect.width() - used) / static_cast<int>(end - first) : 0;
        // Items of a row with fewer items do not stretch to a band.
        if (first == 0) firstExtra = extra;
        else if (end - first < firstCount) extra = std::min(extra, firstExtra);
        if (first == 0) firstCount = end;
        auto const heightOf = [&](QLayoutItem *item) {
            return item->hasHeightForWidth() ? item->heightForWidth(widthOf(item) + extra) : item->sizeHint().height();
        };
        int height = 0;
        for (qsizetype i = first; i < end; ++i) height = std::max(height, heightOf(shown[i]));
        int x = rect.x();
        for (qsizetype i = first; place && i < end; ++i) {
            int const own = m_fill == Share ? height : heightOf(shown[i]);
            QRect const box(x, y + (height - own) / 2, widthOf(shown[i]) + extra, own);
            shown[i]->setGeometry(QStyle::visualRect(direction, rect, box));
            x += box.width() + spacing();
        }
        y += height + (end < shown.size() ? spacing() : 0);
        first = end;
    }
    return y - rect.y();
}

} // namespace tilewright::views
