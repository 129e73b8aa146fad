#pragma once

#include "views/execution/bsp_source.h"
#include "views/execution/execution_compare.h"
#include "views/execution/execution_modes.h"
#include "views/execution/execution_panel.h"
#include "views/session/view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QTimer;

namespace tilewright::views {

class BspCanvas;
class ColorKeys;
class CompareButton;
class LanesWidget;
class TimePane;

/// The view of time. execution_view.cpp builds it and shows runs and modes; execution_follow.cpp connects it with the selection and a
/// current run. Only these two files use it; others use executionView().
class ExecutionView : public View {
    Q_OBJECT
public:
    ExecutionView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    bool isSettled() const override { return m_pending == 0; }
    void startSearch() override;

protected:
    void refresh() override;
    void grow(Growth growth) override;
    void follow() override;
    void advance() override;
    void showMoment() override;
    QString momentMissing() const override;
    void restyle() override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct TrafficPairs {
        std::vector<TilePair> pairs;
        Bytes rest = 0;
    };
    QComboBox *choice(QString const &name, QStringList const &texts);
    void build();
    void fillRuns(bool keepChoice);
    void takeGrown(Blocks const &blocks);
    bool isShown(ReportPtr const &report) const; ///< or a report that has grown out of it
    void growLanes();
    void showPlayhead();
    void showHostExtent(ExecutionLanes const &host, bool all);
    void showRun(int run, bool keepWindow);
    void showMode();
    void showOneUpdate();
    void showLanes(ExecutionLanes lanes);
    void showBsp();
    void showKeys();
    void compare(); ///< reads the other report's step if needed
    void showCompared();
    void placeCompared();
    TimeSpan shownExtent() const;                                ///< of the run, and of a step of the compared report
    std::vector<char> shownFlags(std::vector<char> flags) const; ///< including types of equal name in the other report
    void pickCompared(int lane, std::int64_t event);
    void showNote(QString const &text);
    void showFacts();
    void updateHeadline();
    /// By displayed event type: whether its name matches the search. Empty: no search.
    std::vector<char> foundTypes() const;
    void goToNextFound();
    /// The searched lanes of the set; null: a lane without events.
    std::vector<LaneTimeline const *> searched() const;
    /// Number of the current match, from 1; 0: none.
    std::int64_t foundNumber(std::vector<char> const &flags) const;
    QString legend() const; ///< shorter if space is scarce
    void pickEvent(int lane, std::int64_t event);
    Moment momentOf(std::int64_t event) const;
    void pickTile(int tile);
    void offerRange();
    std::int64_t cyclesDone() const;                  ///< by the current run
    std::optional<std::int64_t> playheadTime() const; ///< nullopt: this run or mode has no place for the moment
    int reportLane(int lane) const
    {
        return lane >= 0 && lane < static_cast<int>(m_lanes.laneOf.size()) ? m_lanes.laneOf[static_cast<std::size_t>(lane)] : -1;
    }

    Blocks m_blocks;
    RunPlaces m_run;
    ExecutionLanes m_lanes; ///< of the mode on show; empty in BSP mode
    Compared m_compared;    ///< null: nothing
    RunPlaces m_comparedRun;
    LaneSet m_shown;                ///< lanes of the mode, then those that are compared
    bool m_opensComparison = false; ///< opens the comparison when available, for figures
    BspTimeline m_bsp;
    int m_bspLane = -1;
    ExecutionMode m_mode = Flat;
    enum Work { Levels = 1, Pairs = 2, Tiles = 4, Beside = 8 }; ///< possible jobs on the pool
    int m_pending = 0;                                          ///< set of Work
    int m_pairsRun = -3;
    TrafficPairs m_pairs;
    bool m_hostTime = false, m_quiet = false, m_low = false;
    TimeSpan m_deviceWindow{0, 0};
    std::optional<std::pair<int, std::int64_t>> m_event; ///< report lane and event in the panel
    std::shared_ptr<LaneTimeline const> m_eventLane;
    std::optional<std::pair<int, std::int64_t>> m_found; ///< place in searched() and event of the current match

    QTabBar *m_modes = nullptr;
    QLineEdit *m_find = nullptr;
    QComboBox *m_runs = nullptr, *m_units = nullptr, *m_rows = nullptr, *m_order = nullptr, *m_ipu = nullptr;
    CompareButton *m_compare = nullptr;
    ColorKeys *m_keys = nullptr;
    QLabel *m_note = nullptr;
    QStackedWidget *m_stack = nullptr;
    TimePane *m_pane = nullptr;
    LanesWidget *m_widget = nullptr;
    BspCanvas *m_canvas = nullptr;
    ExecutionPanel *m_panel = nullptr;
    QSplitter *m_splitter = nullptr;
    QTimer *m_offer = nullptr;
};

} // namespace tilewright::views
