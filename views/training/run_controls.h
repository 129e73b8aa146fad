#pragma once

#include "views/session/run_commands.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace tilewright::views {

/// The buttons of a run: those commands that can be given now.
class RunControls : public QWidget {
    Q_OBJECT
public:
    explicit RunControls(Session &session, QWidget *parent = nullptr);
    void refresh();
    /// Wider than its buttons by a little: the one with the focus grows by its frame.
    QSize sizeHint() const override;

private:
    QToolButton *add(RunCommand command);
    Session &m_session;
    std::vector<std::pair<RunCommand, QToolButton *>> m_buttons;
};

} // namespace tilewright::views
