#include "views/help/hit_delegate.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QPainter>

namespace tilewright::views {

namespace {

QFont titleFont()
{
    auto font = uiFont(TextSize::Body);
    font.setBold(true);
    return font;
}

} // namespace

void HitDelegate::paint(QPainter *painter, QStyleOptionViewItem const &option, QModelIndex const &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    bool const selected = option.state & QStyle::State_Selected;
    auto const box = option.rect.adjusted(kGap, kGrid, -kGap, -kGrid);
    auto const align = QStyle::visualAlignment(option.direction, Qt::AlignLeft | Qt::AlignTop);
    painter->save();
    painter->setClipRect(option.rect);
    painter->setFont(titleFont());
    painter->setPen(selected ? theme()[Token::AccentText] : theme()[Token::Text]);
    int const line = QFontMetrics(titleFont()).lineSpacing();
    painter->drawText(box, static_cast<int>(align),
                      QFontMetrics(titleFont()).elidedText(index.data().toString(), Qt::ElideRight, box.width()));
    painter->setFont(uiFont(TextSize::Body));
    if (!selected) painter->setPen(theme()[Token::SecondaryText]);
    painter->drawText(box.adjusted(0, line, 0, 0), static_cast<int>(align) | Qt::TextWordWrap, index.data(ExcerptRole).toString());
    painter->restore();
}

QSize HitDelegate::sizeHint(QStyleOptionViewItem const &, QModelIndex const &index) const
{
    int const excerptLines = index.data(ExcerptRole).toString().isEmpty() ? 0 : 2;
    return {0, QFontMetrics(titleFont()).lineSpacing() + excerptLines * QFontMetrics(uiFont(TextSize::Body)).lineSpacing() + 2 * kGrid};
}

} // namespace tilewright::views
