#pragma once

#include "views/common/label_texts.h"
#include "views/execution/bsp_image.h"
#include "views/time/time_canvas.h"

namespace tilewright::views {

/// Activity of every tile of one IPU in every phase of time, with a separate vertical zoom.
class BspCanvas : public TimeCanvas {
    Q_OBJECT
public:
    BspCanvas(TimeWindow &window, QWidget *parent);

    /// `tileOfRow`: displayed number of the tile of each row.
    void setTiles(BspTimeline bsp, std::vector<int> tileOfRow, QString const &ipuName);
    /// Sets the same tiles over a longer time (a running run).
    void setTimeline(BspTimeline bsp);
    /// Texts for an event, and for a tile's part in it.
    void setDescribe(std::function<QString(std::int64_t event, int tile)> describe) { m_describe = std::move(describe); }
    void setHighlightTiles(std::vector<int> tiles);
    /// Starts of steps with their names; may be null.
    void setSteps(std::shared_ptr<LaneTimeline const> starts, std::function<QString(std::int64_t time)> name);
    /// Flags by event type: phases of these types are highlighted.
    void setHighlightTypes(std::vector<char> types);
    RowWindow rowWindow() const { return m_rows; }
    int rowAt(int y) const; ///< -1: none
    int contentHeight() const override;
    QStringList keyHelp() const override;
    QSize minimumSizeHint() const override { return {160, 48}; }

signals:
    void tilePicked(int tile);
    void eventPicked(qint64 event);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    QString tipAt(QPoint const &where) const override;
    std::optional<TimeSpan> spanAt(QPoint const &where) const override;
    std::optional<TimeSpan> focusSpan() const override;
    void clicked(QPoint const &where, Qt::KeyboardModifiers modifiers) override;
    bool handleKey(QKeyEvent *event) override;
    void verticalZoom(QPoint const &where, double factor) override;
    void clearSelection() override;

private:
    void zoomRows(double anchorY, double factor);
    void fitRows();
    void drawMarkedPhases(QPainter &painter, QRect const &plot) const;
    BspTimeline m_bsp;
    std::vector<int> m_tileOfRow;
    std::vector<char> m_highlight; ///< by row
    std::vector<char> m_types;     ///< highlighted, by event type
    std::function<QString(std::int64_t, int)> m_describe;
    std::shared_ptr<LaneTimeline const> m_steps;
    std::function<QString(std::int64_t)> m_stepName;
    LabelTexts m_texts;
    QString m_ipu;
    RowWindow m_rows;
    bool m_allRows = true;
    std::int64_t m_current = -1;
    ThreadPool m_pool{2};
    QImage m_image;
    TimeAxis m_imageAxis;
    RowWindow m_imageRows;
};

} // namespace tilewright::views
