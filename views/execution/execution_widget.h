#pragma once

#include "views/execution/bsp_source.h"
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
    void fillRuns();
    void showRun(int run, bool keepWindow);
    void showMode();
    void showLanes(ExecutionLanes lanes);
    void showBsp();
    void showKeys();
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
    QString legend() const { return m_low ? QString() : modeLegend(m_mode); } ///< gives way where there is little room
    void pickEvent(int lane, std::int64_t event);
    void pickTile(int tile);
    void offerRange();
    std::int64_t cyclesDone() const; ///< by the run that goes on
    int reportLane(int lane) const { return lane >= 0 && lane < static_cast<int>(m_lanes.laneOf.size()) ? m_lanes.laneOf[static_cast<std::size_t>(lane)] : -1; }

    Blocks m_blocks;
    RunPlaces m_run;
    ExecutionLanes m_lanes; ///< of the mode on show; empty in BSP mode
    BspTimeline m_bsp;
    int m_bspLane = -1;
    ExecutionMode m_mode = Flat;
    int m_pending = 0; ///< of Work
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
