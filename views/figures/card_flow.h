#pragma once

#include <QLayout>

#include <vector>

namespace tilewright::views {

/// Lays its items in rows from the leading edge, and breaks rows where the width ends; items of a row are as
/// high as the highest.
class CardFlow : public QLayout {
public:
    /// `fills`: the items of a full row share what is left of the width; else they keep their own.
    explicit CardFlow(QWidget *parent = nullptr, bool fills = false);
    ~CardFlow() override;
    void addItem(QLayoutItem *item) override { m_items.push_back(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(QRect const &rect) override;
private:
    int arrange(QRect const &rect, bool place) const;
    std::vector<QLayoutItem *> m_items;
    bool m_fills;
};

} // namespace tilewright::views
