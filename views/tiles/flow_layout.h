#pragma once

#include <QLayout>
#include <QList>

namespace tilewright::views {

/// A row of small controls that wraps where the window is narrow. Follows the layout direction.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget *parent);
    ~FlowLayout() override;
    void addItem(QLayoutItem *item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem *takeAt(int index) override { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(QRect const &rect) override;
private:
    int arrange(QRect const &rect, bool place) const;
    QList<QLayoutItem *> m_items;
};

} // namespace tilewright::views
