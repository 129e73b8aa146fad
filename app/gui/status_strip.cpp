#include "app/gui/status_strip.h"

#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/steady_label.h"
#include "views/common/whole_text.h"
#include "views/diagnostics/phase_text.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/session/run_commands.h"
#include "views/session/run_list.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/wording/quantity.h"

#include <QFile>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QResizeEvent>
#include <QTimer>
#include <QToolButton>

#include <cmath>

#include <unistd.h>

namespace tilewright::app {

using namespace views;

qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    auto const fields = file.readAll().split(' ');
    return fields.size() > 1 ? fields[1].toLongLong() * sysconf(_SC_PAGESIZE) : 0;
}

namespace {

/// Two digits: the ratio changes with every step.
QString timesText(double ratio)
{
    return ratio < 10 ? QLocale().toString(ratio, 'g', 2) : QLocale().toString(static_cast<qlonglong>(std::llround(ratio)));
}

bool isRun(JobInfo const &job) { return job.kind == JobKind::Train || job.kind == JobKind::Compile; }

} // namespace

StatusStrip::StatusStrip(Session &session, QWidget *parent) : QStatusBar(parent), m_session(session)
{
    auto const label = [this](QString const &name) {
        auto *l = new SteadyLabel(this);
        l->label().setAccessibleName(name);
        l->label().setProperty("role", "secondary");
        l->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        l->setElided(Qt::ElideRight);
        return l;
    };
    m_device = label(tr("Device"));
    m_times = label(tr("Times"));
    m_selection = label(tr("Selection"));
    m_phase = label(tr("Phase"));
    m_memory = new SteadyLabel(this);
    m_memory->label().setAccessibleName(tr("Memory of the workbench"));
    m_memory->setToolTip(tr("Memory of this computer that the workbench uses"));
    m_memory->label().setProperty("role", "secondary");
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setMaximumWidth(180);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_cancel = new QToolButton(this);
    m_cancel->setIcon(icon(QStringLiteral("stop"), Token::Bad));
    m_cancel->setToolTip(tr("Cancel"));
    m_cancel->setAccessibleName(tr("Cancel"));
    setContentsMargins(kGap, 0, kGap, 0);
    layout()->setSpacing(2 * kGap); // keeps elided texts apart
    addWidget(m_device, 2);
    addWidget(m_times, 3);
    addWidget(m_selection, 2);
    addPermanentWidget(m_phase, 2);
    addPermanentWidget(m_progress);
    addPermanentWidget(m_cancel);
    addPermanentWidget(m_memory);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (m_session.runs().isActive()) perform(RunCommand::Stop, m_session);
        else m_session.jobs().cancel(m_job);
    });
    connect(&session.jobs(), &JobRunner::changed, this, &StatusStrip::refreshJobs);
    connect(&session.runs(), &RunController::advanced, this, [this] {
        refresh();
        refreshJobs();
    });
    connect(&session.runs(), &RunController::stateChanged, this, &StatusStrip::refresh);
    connect(&session.runList(), &RunList::changed, this, &StatusStrip::refresh);
    connect(&session, &Session::reportGrown, this, &StatusStrip::refresh);
    connect(&session.document(), &Document::changed, this, &StatusStrip::refresh);
    connect(&session.selection(), &Selection::changed, this, &StatusStrip::refresh);
    auto *timer = new QTimer(this);
    timer->setInterval(2000);
    connect(timer, &QTimer::timeout, this, &StatusStrip::refresh);
    timer->start();
    refresh();
    refreshJobs();
}

void StatusStrip::refresh()
{
    auto const &document = m_session.document();
    auto const &live = m_session.runs().live();
    QString device;
    if (document.isOpen())
        if (auto const machine = project::machineOf(document.project()); machine.ok())
            device = machine->isEmulated() ? tr("%1 · %n IPU(s) · %2 MHz", nullptr, machine->ipus)
                                                 .arg(QString::fromStdString(document.project().target))
                                                 .arg(machine->chip.clockHz / 1000000)
                                           : tr("host, nothing emulated");
    m_device->setText(device);
    m_device->setToolTip(live.attached.isEmpty() ? device : live.attached);
    QString times, about;
    if (live.exists && live.step > live.firstStep) {
        Quantity const onDevice{
            QuantityKind::Seconds, live.emulatedSeconds, {}, originOfCycles(live.deviceMeasured), tr("device time so far")};
        Quantity const onHost{QuantityKind::Seconds, live.hostSeconds, {}, Origin::Measured, tr("host time so far, without pauses")};
        times = tr("step %1 · %2 %3 · %4 on this computer")
                    .arg(countText(live.step), quantityText(onDevice), originText(onDevice.origin), quantityText(onHost));
        about = QStringLiteral("%1\n%2").arg(quantityTip(onDevice), quantityTip(onHost));
        if (live.emulatedSeconds > 0) {
            QString const factor = timesText(live.hostSeconds / live.emulatedSeconds);
            times += QStringLiteral(" · ") + tr("host takes %1 times as long").arg(factor);
            about += QLatin1Char('\n') + tr("The host takes %1 times as long as the device.").arg(factor);
        }
    } else if (live.exists) {
        times = toText(live.state);
    }
    auto const *running = m_session.runList().running();
    if (running && running->life == Run::Life::Detached && !m_session.runs().isActive()) {
        auto const &shown = m_session.runList().shown();
        times = shown.reportPath == running->report && shown.step > 0
            ? tr("%1 goes on in its own process: step %2").arg(running->name(), countText(shown.step))
            : tr("%1 goes on in its own process").arg(running->name());
    }
    m_times->setText(isVisible() ? fittingParts(times, m_times->fontMetrics(), m_times->width()) : times);
    m_times->setToolTip(about.isEmpty() ? times : times + QLatin1Char('\n') + about);
    m_selection->setText(m_session.selection().text());
    m_selection->setToolTip(m_selection->text());
    m_selection->setMaximumWidth(m_selection->text().isEmpty() ? 0 : QWIDGETSIZE_MAX); // its room goes to the times
    m_memory->setText(tr("Tilewright uses %1").arg(bytesText(residentBytes())));
}

void StatusStrip::resizeEvent(QResizeEvent *event)
{
    QStatusBar::resizeEvent(event);
    QMetaObject::invokeMethod(this, &StatusStrip::refresh, Qt::QueuedConnection); // the labels have their new widths then
}

void StatusStrip::refreshJobs()
{
    auto const jobs = m_session.jobs().jobs();
    JobInfo shown;
    for (auto const &job : jobs) {
        if (job.name.isEmpty() || (isRun(shown) && !isRun(job))) continue; // a run stays on show beside its evaluations
        shown = job;
    }
    bool const busy = !shown.name.isEmpty();
    m_job = shown.id;
    m_progress->setVisible(busy);
    m_cancel->setVisible(busy);
    m_phase->setVisible(busy);
    if (!busy) return;
    QString text = shown.name;
    if (QString const phase = phaseText(shown.phase); !phase.isEmpty() && phase != shown.name) text += QStringLiteral(": ") + phase;
    // A run shows its own time (without pauses) and progress beside its steps, like the training view.
    auto const &live = m_session.runs().live();
    bool const timed = shown.kind == JobKind::Train && m_session.runs().isActive() && live.step > live.firstStep;
    // setValue() paints at once, and with it the rest of the window, whose new parts may not be laid out yet.
    m_progress->setUpdatesEnabled(false);
    m_progress->setValue(static_cast<int>(1000 * (timed ? live.progress() : shown.fraction)));
    m_progress->setUpdatesEnabled(true);
    m_phase->setText(timed ? text : text + QStringLiteral(" · ") + secondsText(shown.elapsedSeconds));
    m_progress->setToolTip(text);
    m_phase->setToolTip(text);
}

} // namespace tilewright::app
