#pragma once

#include "views/memory/address_map.h"
#include "views/tiles/column_stats.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

namespace tilewright::views {

/// Content of the address map of a tile.
struct AddressScene {
    std::vector<report::LoweredVariable> items;
    std::shared_ptr<TileContents const> contents; ///< for lifetimes
    std::vector<report::MemoryRegionRow> regions;
    std::vector<QString> names; ///< by item
    std::vector<PartKey> keys;  ///< by item: its colour
    Bytes capacity = 0;
    std::vector<char> marked; ///< by item: whether it belongs to the selection
};

/// Addresses of one tile over the liveness steps, with the names of live variables beside it.
class AddressMapWidget : public QWidget {
    Q_OBJECT
public:
    explicit AddressMapWidget(QWidget *parent = nullptr);
    void setScene(std::shared_ptr<AddressScene const> scene);
    void setStep(int step);
    int step() const { return m_step; }
    /// Shows gaps to scale, or folded.
    void setToScale(bool on);
    bool isToScale() const { return m_toScale; }
    /// The item at a point, at the step of that point; -1: none.
    int itemAtPoint(QPoint at) const;
    QRectF rectOf(AddressBlock const &block) const;
    std::vector<AddressBlock> const &blocks() const { return m_blocks; }
    QString tipOf(int item) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void stepPicked(int step);
    void itemPicked(int item);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    void layOut();
    int stepAt(int x) const;
    int xOf(int step) const;
    double y(Bytes address) const { return m_plot.top() + m_axis.yOf(address) - m_scroll; }
    void paintScale(QPainter &painter) const;
    void paintGaps(QPainter &painter) const;
    void paintStepNames(QPainter &painter) const;

    std::shared_ptr<AddressScene const> m_scene;
    std::vector<AddressBlock> m_blocks;
    std::vector<AddressGap> m_gaps;
    AddressAxis m_axis;
    QRect m_plot, m_names;
    int m_step = 0, m_steps = 1;
    bool m_toScale = false;
    double m_zoom = 1, m_scroll = 0;
};

} // namespace tilewright::views
