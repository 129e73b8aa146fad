#include "views/training/run_controls.h"

#include "views/common/flow_layout.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/session/session.h"

#include <QMenu>
#include <QToolButton>

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
    add(RunCommand::Continue);
    for (auto const command : {RunCommand::Pause, RunCommand::Resume, RunCommand::Step, RunCommand::Superstep, RunCommand::StepBack,
                               RunCommand::SuperstepBack, RunCommand::Stop, RunCommand::Detach})
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
    bool any = false;
    for (auto const &[command, button] : m_buttons) {
        bool const on = isOffered(command, m_session);
        button->setVisible(on);
        button->setEnabled(canDo(command, m_session));
        any = any || on;
    }
    setVisible(any);
    layout()->invalidate();
    updateGeometry(); // invalidates the size of the row around it
}

} // namespace tilewright::views
