#pragma once

#include "views/reports/report_ptr.h"
#include "views/training/machine_load.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QScrollArea;

namespace tilewright::views {

class CurvePanel;
class ReportSnapshot;
class Session;
class StackedBars;
struct LiveRun;

/// Panels about the IPUs: the split of an update by IPU (modelled, or measured on tiles), the bytes moved by its exchanges (modelled), and,
/// during a run, the speed of this computer (measured). Each panel names its origin.
class MachinePanels : public QObject {
    Q_OBJECT
public:
    MachinePanels(Session &session, QWidget *parent);
    QWidget *panel() const { return m_panel; }
    CurvePanel *speedPanel() const { return m_speed; }
    void setReport(ReportPtr const &report);
    /// How fast a run of this session goes or went. Null: how fast the run of the report went.
    void showSpeed(LiveRun const *run);
    bool isSettled() const { return !m_pending; }
    MachineLoad const &load() const { return m_load; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void show();
    void fitBars();
    void showSpeed(std::vector<SpeedPoint> const &speed, bool goesOn);
    Session &m_session;
    QWidget *m_panel = nullptr;
    QLabel *m_title = nullptr, *m_splitNote = nullptr;
    StackedBars *m_bars = nullptr;
    QScrollArea *m_scroll = nullptr;
    CurvePanel *m_speed = nullptr;
    ReportPtr m_report;
    MachineLoad m_load;
    double m_mean = 0; ///< steps per second of the ended run; 0: it goes on, or is unknown
    bool m_pending = false, m_showsReported = false;
};

} // namespace tilewright::views
