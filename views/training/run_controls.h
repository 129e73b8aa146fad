#pragma once

#include "views/session/run_controller.h"

#include <QWidget>

class QAction;
class QToolButton;

namespace tilewright::views {

class Session;

/// Which controls a run offers in a state.
struct ControlSet {
    bool run = false, pause = false, resume = false, stop = false, step = false, superstep = false, detach = false;
    bool operator==(ControlSet const &) const = default;
};
ControlSet controlsFor(RunState state, RunMode mode, bool projectIsOpen, bool isTraining);

/// The buttons of a run: run, pause, resume, stop after the step, one step, one superstep, detach.
class RunControls : public QWidget {
    Q_OBJECT
public:
    explicit RunControls(Session &session, QWidget *parent = nullptr);
    void refresh();
    /// Wider than its buttons by a little: the one with the focus grows by its frame.
    QSize sizeHint() const override;
private:
    QToolButton *add(char const *name, QString const &text, QString const &tip, std::function<void()> act);
    Session &m_session;
    QToolButton *m_run = nullptr, *m_pause = nullptr, *m_resume = nullptr, *m_stop = nullptr, *m_step = nullptr, *m_superstep = nullptr, *m_detach = nullptr;
};

} // namespace tilewright::views
