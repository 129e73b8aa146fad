#pragma once

#include <QLayout>
#include <QList>

namespace tilewright::views {

/// The layout of legends and rows of buttons: items beside each other in reading direction, wrapped to further lines where the width ends.
class WrapLayout : public QLayout {
public:
    explicit WrapLayout(int spacing, QWidget *parent = nullptr);
    ~WrapLayout() override;
    void addItem(QLayoutItem *item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(QRect const &rect) override;

private:
    /// Height that the items take in `rect`; moves them when `place`.
    int arrange(QRect const &rect, bool place) const;
    QList<QLayoutItem *> m_items;
    int m_spacing;
};

} // namespace tilewright::views
