#pragma once

#include "views/memory/memory_scene.h"
#include "views/session/report_ptr.h"

#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QSplitter;

namespace tilewright::views {

class ColumnChart;
class ScaleLegend;
class TileMapWidget;

/// Profile by tile over the floor plan, with one choice of tiles for both.
class TilesPage : public QWidget {
    Q_OBJECT
public:
    explicit TilesPage(QWidget *parent = nullptr);
    void setReport(ReportPtr report);
    void setPicture(MemoryPicture picture);
    MemoryPicture const &picture() const { return m_picture; }
    /// Tiles with a halo in both; `current` is where keys start from.
    void setMarked(std::vector<int> const &tiles, int current);
    void setLimitShown(bool on);
    /// The tile `by` places further in the order of the profile; -1 at its ends.
    int neighbour(int tile, int by) const;
    ColumnChart &chart() { return *m_chart; }
    TileMapWidget &map() { return *m_map; }
    QSplitter &splitter() { return *m_splitter; }
signals:
    void picked(std::vector<int> const &tiles, Qt::KeyboardModifiers modifiers);
    void activated(int tile);
    void stepped(int by); ///< arrow keys: the next tile in the order of the profile
protected:
    void keyPressEvent(QKeyEvent *event) override;
private:
    QString tipOf(int tile) const;
    ReportPtr m_report;
    MemoryPicture m_picture;
    QLabel *m_title = nullptr, *m_note = nullptr, *m_mapTitle = nullptr;
    ColumnChart *m_chart = nullptr;
    ScaleLegend *m_legend = nullptr;
    TileMapWidget *m_map = nullptr;
    QSplitter *m_splitter = nullptr;
};

} // namespace tilewright::views
