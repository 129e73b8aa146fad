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

/// In the picker of runs: the one that goes on now.
inline constexpr int kLiveRun = -2;

/// The view of time. Its parts: execution_view.cpp builds it and shows runs and modes, execution_follow.cpp ties it to
/// the selection and to a run that goes on. Only these two know it; others take executionView().
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
    void grow() override;
    void follow() override;
    void advance() override;
    void stand() override { advance(); }
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
    bool isShown(ReportPtr const &report) const; ///< or what has grown out of it
    void growLanes();
    void showPlayhead();
    void showHostExtent(ExecutionLanes const &host, bool all);
    void showRun(int run, bool keepWindow);
    void showMode();
    void showLanes(ExecutionLanes lanes);
    void showBsp();
    void showKeys();
    void compare(); ///< reads what is to stand beside the report on show, unless it is there
    void showCompared();
    void placeCompared();
    TimeSpan shownExtent() const;                                ///< of the run, and of a step of what is compared
    std::vector<char> shownFlags(std::vector<char> flags) const; ///< with the types that have the same names in the other report
    void pickCompared(int lane, std::int64_t event);
    void showNote(QString const &text);
    void showFacts();
    void updateHeadline();
    void say(QString const &matches);
    /// By event type of what is on show: its name has what is looked for. Empty: nothing is.
    std::vector<char> foundTypes() const;
    void goToNextFound();
    /// What is searched, by lane of the set; null: it has no events.
    std::vector<LaneTimeline const *> searched() const;
    /// Which of the matches the search stands at, from 1; 0: at none.
    std::int64_t foundNumber(std::vector<char> const &flags) const;
    QString legend() const; ///< gives way where there is little room
    void pickEvent(int lane, std::int64_t event);
    void pickTile(int tile);
    void offerRange();
    std::int64_t cyclesDone() const; ///< by the run that goes on
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
    bool m_opensComparison = false; ///< as soon as it is there: whoever draws a figure asked for it
    BspTimeline m_bsp;
    int m_bspLane = -1;
    ExecutionMode m_mode = Flat;
    enum Work { Levels = 1, Pairs = 2, Tiles = 4, Beside = 8 }; ///< what may be under way on the pool
    int m_pending = 0;                                          ///< of Work
    int m_pairsRun = -3;
    TrafficPairs m_pairs;
    bool m_hostTime = false, m_quiet = false, m_low = false;
    TimeSpan m_deviceWindow{0, 0};
    std::optional<std::pair<int, std::int64_t>> m_event; ///< report lane and event of what the panel shows
    std::shared_ptr<LaneTimeline const> m_eventLane;
    std::optional<std::pair<int, std::int64_t>> m_found; ///< place in searched() and event that the search went to

    QTabBar *m_modes = nullptr;
    QLineEdit *m_find = nullptr;
    QComboBox *m_runs = nullptr, *m_units = nullptr, *m_rows = nullptr, *m_order = nullptr, *m_ipu = nullptr;
    CompareButton *m_compare = nullptr;
    ColorKeys *m_keys = nullptr;
    QLabel *m_matches = nullptr, *m_note = nullptr;
    QStackedWidget *m_stack = nullptr;
    TimePane *m_pane = nullptr;
    LanesWidget *m_widget = nullptr;
    BspCanvas *m_canvas = nullptr;
    ExecutionPanel *m_panel = nullptr;
    QSplitter *m_splitter = nullptr;
    QTimer *m_offer = nullptr;
};

} // namespace tilewright::views
