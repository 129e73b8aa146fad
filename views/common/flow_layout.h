#pragma once

#include <QLayout>
#include <QList>

namespace tilewright::views {

/// Items beside each other in reading direction, wrapped to further rows where the width ends: rows of controls,
/// legends, cards. Follows the layout direction.
class FlowLayout : public QLayout {
public:
    enum Fill {
        Keep, ///< items keep their widths and stand on one middle
        Share ///< items of a full row share what is left of the width and are equally high
    };
    /// `spacing` in pixels, between items and between rows; -1: kGrid. A parent gets the layout.
    explicit FlowLayout(QWidget *parent = nullptr, int spacing = -1, Fill fill = Keep);
    ~FlowLayout() override;
    void addItem(QLayoutItem *item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem *takeAt(int index) override { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;    ///< one row, when there is room
    QSize minimumSize() const override; ///< of the widest item
    void setGeometry(QRect const &rect) override;

private:
    /// Height that the items take in `rect`; moves them when `place`.
    int arrange(QRect const &rect, bool place) const;
    QList<QLayoutItem *> m_items;
    Fill m_fill;
};

} // namespace tilewright::views
