#pragma once

#include <QLayout>
#include <QList>

namespace tilewright::views {

/// Places items in reading direction and wraps them at the width: rows of controls, legends, cards. Follows the layout direction.
class FlowLayout : public QLayout {
public:
    enum Fill {
        Keep, ///< items keep their widths and are centred vertically
        Share ///< rows hold about equally many items, which share the remaining width and have equal heights
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
    QSize sizeHint() const override;    ///< a single row
    QSize minimumSize() const override; ///< of the widest item
    void setGeometry(QRect const &rect) override;

private:
    /// Height of the items in `rect`. Moves them if `place`.
    int arrange(QRect const &rect, bool place) const;
    QList<QLayoutItem *> m_items;
    Fill m_fill;
};

} // namespace tilewright::views
