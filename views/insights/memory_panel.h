#pragma once

#include "views/common/export.h"
#include "views/insights/memory_ranks.h"
#include "views/subjects/links.h"

#include <QJsonObject>
#include <QScrollArea>

class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace tilewright::views {

class TablePane;
class UseHistogram;

/// Use of the memory: per IPU and tile, the worst tiles, and the largest users in the model, an IPU or a tile. Uses the report's metrics;
/// reads packed data in jobs.
class MemoryPanel : public QScrollArea {
    Q_OBJECT
public:
    /// `origin`: the view that makes its selections.
    MemoryPanel(Session &session, QObject *origin, QWidget *parent);

    /// Null, or a report without tile metrics: shows nothing.
    void show(ReportPtr const &report);
    bool isEmpty() const { return m_tiles->empty(); }
    /// "3 % of the memory of 4 IPUs used · worst tile 27 %: IPU 0, tile 12".
    QString headline() const;
    QString headlineTip() const; ///< its figures in bytes, with their definitions
    Destination worst() const;   ///< that tile in the memory view
    void follow();               ///< call when the selection changed
    bool isSettled() const { return m_done == m_wanted; }

    int tilesShown() const;
    void setTilesShown(int tiles);
    Ranking const &ranking() const { return *m_ranking; }
    void choose(RankOf what, RankScope scope);

    QJsonObject saveState() const;
    void restoreState(QJsonObject const &state);
    QList<ExportTable> exportTables() const;

protected:
    void showEvent(QShowEvent *event) override;

private:
    QLabel *heading(QString const &text);
    TablePane *list(QString const &accessibleName);
    void fillUse(); ///< the histogram
    void fillTiles();
    void fillScopes();
    void rank(); ///< computes the chosen ranking while visible
    void showRanking();
    void chooseTiles(std::vector<int> tiles, Qt::KeyboardModifiers modifiers);
    RankOf what() const;
    RankScope scope() const;

    Session &m_session;
    QObject *m_origin;
    ReportPtr m_report;
    std::shared_ptr<TileContents const> m_contents;
    std::shared_ptr<std::vector<int> const> m_tiles = std::make_shared<std::vector<int> const>(); ///< the worst, as shown
    std::shared_ptr<Ranking const> m_ranking = std::make_shared<Ranking const>();
    bool m_stale = false; ///< the ranking is computed when it becomes visible
    int m_wanted = 0, m_done = 0;
    QLabel *m_ipuTitle = nullptr, *m_useTitle = nullptr, *m_rankTitle = nullptr, *m_rankNote = nullptr;
    QToolButton *m_gaps = nullptr;
    QSpinBox *m_count = nullptr;
    QComboBox *m_what = nullptr, *m_scope = nullptr;
    TablePane *m_ipuList = nullptr, *m_tileList = nullptr, *m_rankList = nullptr;
    UseHistogram *m_histogram = nullptr;
};

} // namespace tilewright::views
