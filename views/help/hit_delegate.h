#pragma once

#include <QStyledItemDelegate>

namespace tilewright::views {

/// A search result: its title, and two lines of text around the first found word.
class HitDelegate : public QStyledItemDelegate {
public:
    enum Role { ExcerptRole = Qt::UserRole + 1 }; ///< Qt::DisplayRole is the title
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, QStyleOptionViewItem const &option, QModelIndex const &index) const override;
    QSize sizeHint(QStyleOptionViewItem const &option, QModelIndex const &index) const override;
};

} // namespace tilewright::views
