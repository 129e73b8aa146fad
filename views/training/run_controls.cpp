#include "views/training/run_controls.h"

#include "views/common/flow_layout.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/session/session.h"

#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace tilewright::views {

RunControls::RunControls(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setLayout(new FlowLayout);
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Minimum);
    setSizePolicy(policy);
    auto *run = add(RunCommand::Run);
    auto *menu = new QMenu(run);
    menu->setToolTipsVisible(true);
    for (auto const command : {RunCommand::Run, RunCommand::RunOnTiles})
        menu->addAction(menuText(command), this, [this, command] { perform(command, m_session); })->setToolTip(tipOf(command));
    run->setMenu(menu);
    run->setPopupMode(QToolButton::MenuButtonPopup);
    for (auto const command : {RunCommand::Pause, RunCommand::Resume, RunCommand::Stop, RunCommand::Continue, RunCommand::Step,
                               RunCommand::Superstep, RunCommand::StepBack, RunCommand::SuperstepBack, RunCommand::Detach})
        add(command);
    connect(&session.runs(), &RunController::tileValuesChanged, this, [this] {
        for (auto const &[command, button] : m_buttons) button->setEnabled(canDo(command, m_session));
    });
    refresh();
}

QSize RunControls::sizeHint() const { return QWidget::sizeHint() + QSize(4 * kGrid, 0); }

QToolButton *RunControls::add(RunCommand command)
{
    auto *button = new QToolButton(this);
    button->setObjectName(QLatin1String(infoOf(command).icon));
    button->setText(buttonText(command));
    button->setIcon(icon(QLatin1String(infoOf(command).icon)));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tipOf(command));
    button->setAccessibleDescription(tipOf(command));
    connect(button, &QToolButton::clicked, this, [this, command] { perform(command, m_session); });
    layout()->addWidget(button);
    m_buttons.emplace_back(command, button);
    return button;
}

void RunControls::refresh()
{
    bool const any = std::ranges::any_of(m_buttons, [this](auto const &one) { return isOffered(one.first, m_session); });
    bool const paused = isOffered(RunCommand::Resume, m_session);
    for (auto const &[command, button] : m_buttons) {
        // These keep their places: a click on Pause that comes just after the end of a run must not start another training.
        bool const stays = command == RunCommand::Run || command == RunCommand::Stop || (command == RunCommand::Pause && !paused);
        button->setVisible(stays || isOffered(command, m_session));
        button->setEnabled(canDo(command, m_session));
    }
    setVisible(any);
    layout()->invalidate();
    updateGeometry(); // invalidates the size of the row around it
}

} // namespace tilewright::views
