#pragma once

#include "views/tiles/tile_floor.h"
#include "views/tiles/tile_scale.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tilewright::views {

/// The floor plan of one to many IPUs, coloured by a value per tile. Recolouring paints one image; hovering only blits it. Put it into a
/// scroll area: its minimum size gives every tile a pixel.
class TileMapWidget : public QWidget {
    Q_OBJECT
public:
    explicit TileMapWidget(QWidget *parent = nullptr);

    void setFloor(TileFloor floor);
    TileFloor const &floor() const { return m_floor; }
    /// Values by tile; missing values leave tiles empty.
    void setValues(std::vector<std::int64_t> values, TileScale const &scale);
    std::vector<std::int64_t> const &values() const { return m_values; }
    TileScale const &scale() const { return m_scale; }
    /// Tiles with a halo, ascending; emits no signal.
    void setMarked(std::vector<int> const &tiles);
    std::vector<int> const &marked() const { return m_marked; }
    /// The tile from which the arrow keys start; -1: none.
    int currentTile() const { return m_current; }
    /// `chosen`: picked by a person. Otherwise the ring around it has the colour of text.
    void setCurrentTile(int tile, bool chosen = true);
    bool isChosen() const { return m_chosenTile; }
    /// Sets the function that gives the tool-tip of a tile, one line of exact text.
    void setTip(std::function<QString(int tile)> tip) { m_tip = std::move(tip); }

    int tileAt(QPoint position) const;
    QRect rectOf(int tile) const; ///< in widget coordinates
    /// Whether every tile is large enough to carry its number.
    bool hasNumbersInTiles() const;
    /// A number at the upper or lower edge of a die: the first or last tile of that column. Painted for a die that is alone if its tiles
    /// are
    /// too small to contain their numbers.
    struct EdgeNumber {
        QRect place;
        int tile = 0;
    };
    std::vector<EdgeNumber> edgeNumbers() const;

    /// Size of one tile in device pixels if the floor plan fills a map of that size.
    static QSize cellIn(TileFloor const &floor, QSize map, double ratio);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Width at which all dies fit into this height; at least one pixel per tile.
    int leastWidth(int height) const;
signals:
    void hovered(int tile); ///< -1: none
    /// A person picked tiles. marked() still has the previous ones. See combineTiles.
    void picked(std::vector<int> const &tiles, Qt::KeyboardModifiers modifiers);
    void activated(int tile); ///< by double click or Enter
protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    void place();
    void render();
    void hover(int tile);
    void zoom(double factor);
    void step(int columns, int rows, Qt::KeyboardModifiers modifiers);
    static int titleHeight();
    static FloorGeometry geometryIn(TileFloor const &floor, QSize pixels, double ratio);

    TileFloor m_floor;
    FloorHits m_hits;
    FloorGeometry m_geometry; ///< device pixels
    std::vector<std::int64_t> m_values;
    TileScale m_scale;
    std::vector<int> m_marked;
    std::vector<char> m_flags;
    QImage m_image;
    bool m_stale = true;
    int m_hover = -1, m_current = -1;
    bool m_chosenTile = true;
    double m_zoom = 1;               ///< relative to the size given by the scroll area
    std::optional<QPoint> m_pressed; ///< start of a possible brush
    QRect m_brush;
    std::function<QString(int)> m_tip;
};

/// The selection after a pick. Without modifiers the pick replaces it, Ctrl toggles, Shift adds; a single tile adds the range from
/// `anchor`.
std::vector<int> combineTiles(std::vector<int> const &before, std::vector<int> const &picked, Qt::KeyboardModifiers modifiers, int anchor);

} // namespace tilewright::views
