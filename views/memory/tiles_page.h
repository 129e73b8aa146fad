#pragma once

#include "views/memory/memory_scene.h"
#include "views/reports/report_ptr.h"

#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QLabel;
class QSplitter;

namespace tilewright::views {

class ColumnChart;
class ScaleLegend;
class TileMapWidget;

/// Profile by tile and floor plan, with one choice of tiles: side by side or one above the other, whichever makes the tiles of the plan
/// larger.
class TilesPage : public QWidget {
    Q_OBJECT
public:
    explicit TilesPage(QWidget *parent = nullptr);
    void setReport(ReportPtr report);
    void setPicture(MemoryPicture picture);
    MemoryPicture const &picture() const { return m_picture; }
    /// Tiles with a halo in both; `current`: start of keyboard selection; `chosen`: chosen by the user.
    void setMarked(std::vector<int> const &tiles, int current, bool chosen);
    void setLimitShown(bool on);
    /// The tile `by` places further in profile order; -1 beyond its ends.
    int neighbour(int tile, int by) const;
    ColumnChart &chart() { return *m_chart; }
    TileMapWidget &map() { return *m_map; }
    /// The user's division of the space between both; empty: automatic.
    QByteArray sharing() const;
    void setSharing(QByteArray const &sharing);
signals:
    void picked(std::vector<int> const &tiles, Qt::KeyboardModifiers modifiers);
    void activated(int tile);
    void stepped(int by); ///< arrow keys: the next tile in the order of the profile
protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QString tipOf(int tile) const;
    void arrange();
    void layHead();
    QSize planRoom(QSize part) const;
    ReportPtr m_report;
    MemoryPicture m_picture;
    QLabel *m_title = nullptr, *m_note = nullptr, *m_mapTitle = nullptr;
    ColumnChart *m_chart = nullptr;
    ScaleLegend *m_legend = nullptr;
    TileMapWidget *m_map = nullptr;
    QBoxLayout *m_planHead = nullptr;
    QSplitter *m_splitter = nullptr;
    bool m_moved = false; ///< the user changed the division
};

} // namespace tilewright::views
