#pragma once

#include "views/session/run_commands.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace tilewright::views {

/// The buttons of the currently available run commands.
class RunControls : public QWidget {
    Q_OBJECT
public:
    explicit RunControls(Session &session, QWidget *parent = nullptr);
    void refresh();
    /// Slightly wider than its buttons, because the focused one grows by its frame.
    QSize sizeHint() const override;

private:
    QToolButton *add(RunCommand command);
    Session &m_session;
    std::vector<std::pair<RunCommand, QToolButton *>> m_buttons;
};

} // namespace tilewright::views
