#pragma once

#include "views/execution/execution_compare.h"
#include "views/execution/execution_facts.h"
#include "views/session/view.h"

#include <QTabWidget>

class QGridLayout;
class QLabel;

namespace tilewright::views {

class ColumnChart;
class StepTimeChart;
class TablePane;

/// Shares of time by phase as one bar, with a legend of names and shares.
class PhaseBar : public QWidget {
    Q_OBJECT
public:
    explicit PhaseBar(QWidget *parent = nullptr);
    void setTicks(PhaseTicks const &busy, std::int64_t ticks);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Part {
        QString text;
        Token token;
        double share;
    };
    std::vector<Part> m_parts;
};

/// Below the lanes: facts of the selection, waiting tiles, the critical path, traffic, step times.
class ExecutionPanel : public QTabWidget {
    Q_OBJECT
public:
    explicit ExecutionPanel(QWidget *parent = nullptr);
    void showFacts(Facts const &facts);
    void showRun(Blocks const &blocks, RunPlaces const &run, std::vector<TilePair> pairs, Bytes restOfPairs);
    /// Null: no comparison.
    void showComparison(std::shared_ptr<PhaseComparison const> comparison);
    void openComparison(); ///< its tab
    void clear();
    QList<ExportTable> exportTables() const;
    Facts const &facts() const { return m_facts; }

signals:
    void tilePicked(int tile);                 ///< number over the tiles of replica 0
    void criticalPicked(int row);              ///< row of the report's critical path
    void callPicked(qint64 begin, qint64 end); ///< ns of the host's recording

private:
    void fillWaits(Blocks const &blocks, RunPlaces const &run);
    void fillCritical(Blocks const &blocks, RunPlaces const &run);
    void fillTraffic(Blocks const &blocks, RunPlaces const &run);
    void showSteps(StepTimes times);

    Facts m_facts;
    std::vector<TilePair> m_pairs;
    std::vector<int> m_criticalRows, m_waitTiles;
    int m_replicaTiles = 0;
    QLabel *m_title = nullptr, *m_trafficNote = nullptr;
    PhaseBar *m_bar = nullptr;
    QGridLayout *m_grid = nullptr;
    QWidget *m_rows = nullptr;
    TablePane *m_waits = nullptr, *m_critical = nullptr, *m_traffic = nullptr, *m_compared = nullptr;
    ColumnChart *m_profile = nullptr;
    QLabel *m_stepNote = nullptr;
    StepTimeChart *m_steps = nullptr;
};

} // namespace tilewright::views
