#pragma once

#include "views/time/lanes_layout.h"
#include "views/time/lanes_painter.h"
#include "views/time/time_canvas.h"

#include <unordered_map>

namespace tilewright::views {

/// Lanes of events over time. Draws bands into cached images, and only changed ones. A frame requests at most one box per pixel column of
/// each lane.
class LanesWidget : public TimeCanvas {
    Q_OBJECT
public:
    struct Picked {
        int lane = -1;
        std::int64_t event = -1;
        bool operator==(Picked const &) const = default;
    };

    LanesWidget(TimeWindow &window, QWidget *parent);

    /// Replaces the lanes. Keeps folding, heights and pins of lanes with the same path.
    void setLanes(LaneSet set);
    LaneSet const &lanes() const { return m_set; }
    /// Flags by event type; other types fade. Empty: no highlight.
    void setHighlight(std::vector<char> types);
    Picked current() const { return m_current; }
    void setCurrent(Picked current, bool reveal);
    LanesLayout const &layoutOfLanes() const { return m_layout; }

    int contentHeight() const override { return m_layout.contentHeight() + namesHeight(); }
    QStringList keyHelp() const override;
    /// The box under a point; count 0: none.
    LaneBox boxAt(QPoint const &where, int *lane) const;
    QSize sizeHint() const override { return {640, 240}; }
    QSize minimumSizeHint() const override { return {160, 48}; }

signals:
    void eventPicked(int lane, qint64 event); ///< -1, -1: none

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

    QString tipAt(QPoint const &where) const override;
    std::optional<TimeSpan> spanAt(QPoint const &where) const override;
    std::optional<TimeSpan> focusSpan() const override;
    std::optional<std::int64_t> snap(QPoint const &where, int pixels) const override;
    void clicked(QPoint const &where, Qt::KeyboardModifiers modifiers) override;
    bool handleKey(QKeyEvent *event) override;
    bool gutterPress(QPoint const &where) override;
    void gutterMove(QPoint const &where) override;
    Qt::CursorShape gutterCursor(QPoint const &where) const override;
    void clearSelection() override { pick({}); }
    void verticalZoom(QPoint const &where, double factor) override;

private:
    struct Band {
        std::vector<LaneBox> boxes;
        TimeAxis axis;          ///< of the boxes
        quint64 generation = 0; ///< of the boxes
        QImage image;
        TimeAxis imageAxis;
        quint64 imageGeneration = 0;
        int height = 0, labels = 0;
        double scale = 0;
    };
    void findBoxes(std::vector<LanesLayout::Row const *> const &rows, ColumnGrid const &grid);
    Band const &band(LanesLayout::Row const &row, ColumnGrid const &grid, int labels);
    void drawGutter(QPainter &painter, LanesLayout::Row const &row, int top) const;
    void drawCurrent(QPainter &painter) const;
    void drawStarts(QPainter &painter, std::vector<LanesLayout::Row const *> const &visible, ColumnGrid const &grid) const;
    int namesHeight() const; ///< height of the strip with the names of starts
    void sayWhatIsBelow();
    void drawHighlight(QPainter &painter, LanesLayout::Row const &row, int top, ColumnGrid const &grid) const;
    void drawMarks(QPainter &painter, LanesLayout::Row const &row, int top, ColumnGrid const &grid) const;
    void pick(Picked picked);
    void reveal(Picked const &picked);
    void stepLane(int direction);
    void relayout();
    void fitGutter();
    void invalidate();

    LaneSet m_set;
    LanesLayout m_layout;
    std::vector<char> m_highlight;
    std::vector<QRgb> m_colors;
    mutable LabelTexts m_texts;
    std::unordered_map<int, Band> m_bands;
    quint64 m_generation = 1;
    Picked m_current;
    int m_lane = 0;   ///< of the keyboard
    int m_sized = -1; ///< lane whose height is being dragged
};

} // namespace tilewright::views
