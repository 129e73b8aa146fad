#include "views/training/run_controls.h"

#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/common/flow_layout.h"
#include "views/session/document.h"
#include "views/session/session.h"

#include <QMenu>
#include <QToolButton>

namespace tilewright::views {

ControlSet controlsFor(RunState state, RunMode mode, bool projectIsOpen, bool isTraining)
{
    ControlSet set;
    bool const tile = mode == RunMode::Tile;
    switch (state) {
    case RunState::Idle: set.run = projectIsOpen; break;
    case RunState::Compiling: set.stop = true; break;
    case RunState::Running:
        set.pause = set.stop = true;
        set.detach = isTraining;
        set.superstep = tile; // pauses at the next superstep
        break;
    case RunState::Paused:
        set.resume = set.stop = set.step = true;
        set.detach = isTraining;
        set.superstep = tile;
        break;
    case RunState::Stopping: break;
    }
    return set;
}

RunControls::RunControls(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setLayout(new FlowLayout);
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Minimum);
    setSizePolicy(policy);
    auto &runs = session.runs();
    m_run = add("run", tr("Run"), tr("Compile if needed and train"), [&runs] { runs.train(RunMode::Fused); });
    auto *menu = new QMenu(m_run);
    menu->addAction(tr("Fused (fast)"), this, [&runs] { runs.train(RunMode::Fused); });
    menu->addAction(tr("Tile mode (every tile's memory is emulated)"), this, [&runs] { runs.train(RunMode::Tile); });
    m_run->setMenu(menu);
    m_run->setPopupMode(QToolButton::MenuButtonPopup);
    m_pause = add("pause", tr("Pause"), tr("Pause after the step that has begun"), [&runs] { runs.pause(); });
    m_resume = add("resume", tr("Resume"), tr("Go on with the run"), [&runs] { runs.resume(); });
    m_step = add("step", tr("One step"), tr("Do one step and pause again"), [&runs] { runs.step(); });
    m_superstep = add("superstep", tr("One superstep"), tr("Do one superstep of the tiles and pause again"), [&runs] { runs.superstep(); });
    m_stop = add("stop", tr("Stop"), tr("Stop after this step; checkpoint and report are written"), [&runs] { runs.stopAfterStep(); });
    m_detach = add("detach", tr("Detach"), tr("Go on in a process of its own, so that this window may be closed"), [this] {
        if (QString const why = m_session.runs().detach(); !why.isEmpty()) emit m_session.errorRaised(makeError(ErrorKind::Device, "action", "", why.toStdString()));
    });
    refresh();
}

QSize RunControls::sizeHint() const
{
    return QWidget::sizeHint() + QSize(4 * kGrid, 0);
}

QToolButton *RunControls::add(char const *name, QString const &text, QString const &tip, std::function<void()> act)
{
    auto *button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(name));
    button->setText(text);
    button->setIcon(icon(QString::fromLatin1(name)));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    button->setAccessibleDescription(tip);
    connect(button, &QToolButton::clicked, this, std::move(act));
    layout()->addWidget(button);
    return button;
}

void RunControls::refresh()
{
    auto const &live = m_session.runs().live();
    auto const set = controlsFor(live.state, live.mode, m_session.document().isOpen(), live.kind == QLatin1String("train"));
    auto const show = [](QToolButton *button, bool on) {
        button->setVisible(on);
        button->setEnabled(on);
    };
    show(m_run, set.run);
    show(m_pause, set.pause);
    show(m_resume, set.resume);
    show(m_stop, set.stop);
    show(m_step, set.step);
    show(m_superstep, set.superstep);
    show(m_detach, set.detach);
    setVisible(set != ControlSet{});
    layout()->invalidate();
    updateGeometry(); // the row around it has to ask anew
}

} // namespace tilewright::views
