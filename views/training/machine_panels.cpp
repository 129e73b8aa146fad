#include "views/training/machine_panels.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/jobs/job_runner.h"
#include "views/plots/curve_panel.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/run_list.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/training/panel_grid.h"
#include "views/widgets/stacked_bar.h"
#include "views/wording/bubble_words.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QScrollArea>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

/// The least that the bars get beside the plot.
constexpr int kBarsHeight = 24 * kGrid;
constexpr int kScrollBar = 6 * kGrid;

QList<Bar> barsOf(MachineLoad const &load)
{
    QList<Bar> bars;
    for (auto const &ipu : load.ipus) {
        Bar bar;
        bar.label = MachinePanels::tr("IPU %1").arg(ipu.ipu);
        bar.id = ipu.ipu;
        for (int i = 0; i < kPhases; ++i) {
            auto const phase = static_cast<Phase>(i);
            auto const cycles = ipu.cycles[static_cast<std::size_t>(i)];
            double const share = load.cyclesPerUpdate > 0 ? static_cast<double>(cycles) / static_cast<double>(load.cyclesPerUpdate) : 0;
            bar.parts.append({phaseToken(phase), phaseLabel(phase), cycles,
                              MachinePanels::tr("%1 (%2), %3").arg(cyclesText(cycles), shareText(share), cyclesOrigin(load.measured))});
        }
        bars.append(bar);
    }
    return bars;
}

} // namespace

MachinePanels::MachinePanels(Session &session, QWidget *parent) : QObject(parent), m_session(session)
{
    m_panel = new QWidget(parent);
    m_title = new QLabel(m_panel);
    QFont bold = uiFont(TextSize::Caption);
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_splitNote = new QLabel(m_panel);
    m_splitNote->setWordWrap(true);
    m_splitNote->setProperty("role", "secondary");
    m_splitNote->setFont(uiFont(TextSize::Caption));
    m_bars = new StackedBars(tr("Utilisation by IPU"), m_panel);
    m_scroll = clearScrollArea(m_bars, m_panel);
    m_panel->installEventFilter(this);

    // The modelled figures are the same in every step: a curve of them over the host's clock would show the host.
    m_speed = new CurvePanel(tr("Steps per second, measured on this computer"), m_panel);
    CurveAxes axes;
    axes.x = tr("seconds on this computer");
    axes.yText = [](double steps) { return shortCount(steps); };
    axes.zeroBased = true;
    m_speed->setAxes(std::move(axes));
    auto *column = new QVBoxLayout(m_panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_title);
    column->addWidget(m_splitNote);
    column->addWidget(m_scroll, 2); // as high as the bars at most; without a share, as an empty one asks
    column->addWidget(m_speed, 1);
    column->addStretch(0); // takes the rest while there is no plot
    connect(m_bars, &StackedBars::barClicked, this, [this](int ipu) { m_session.selection().selectIds(SelectionKind::Ipu, {ipu}, this); });
    show();
}

void MachinePanels::setReport(ReportPtr const &report)
{
    if (report == m_report) return;
    m_report = report;
    m_pending = report && report->isWhole();
    // The figures of the report before stay until those of this one are read: without them lines and bars would move when a run starts.
    if (!report) m_load = {};
    if (m_load.ipus.empty()) show();
    if (!m_pending) return;
    m_session.jobs().compute<MachineLoad>(
        this, JobKind::Quiet, QStringLiteral("training-load"),
        [report](JobContext const &) -> Result<MachineLoad> { return machineLoadOf(*report); },
        [this, report](Result<MachineLoad> load) {
            if (report != m_report) return;
            m_pending = false;
            m_load = load.ok() ? std::move(load).value() : MachineLoad();
            show();
        });
}

void MachinePanels::show()
{
    m_title->setText(tr("Utilisation by IPU, %1").arg(cyclesOrigin(m_load.measured)));
    m_bars->setBars(barsOf(m_load));
    fitBars();
    QString note = m_pending || (m_report && !m_report->isWhole()) || m_session.runs().isActive()
        ? tr("Reading the schedule…")
        : tr("Known once the program has been compiled for an IPU.");
    if (!m_load.ipus.empty()) {
        QString const cycles = cyclesText(m_load.cyclesPerUpdate);
        note = m_load.executions ? tr("Of the %1 of one execution; every execution is alike.").arg(cycles)
                                 : tr("Of the %1 of one weight update; every update is alike.").arg(cycles);
        if (m_load.bubbles.stages > 0) note += QLatin1Char(' ') + tr("The stages wait for: %1.").arg(bubbleText(m_load.bubbles));
        if (double const bytes = m_load.exchangedPerStep(); bytes > 0) {
            QString const perStep = bytesText(std::llround(bytes));
            note += QLatin1Char(' ')
                + (m_load.exchangePerSecond() > 0 ? tr("Exchanges move %1 in a step, %2 a second of the device's clock (modelled).")
                                                        .arg(perStep, bytesText(std::llround(m_load.exchangePerSecond())))
                                                  : tr("Exchanges move %1 in a step (modelled).").arg(perStep));
        }
        if (double const bytes = m_load.streamedPerStep(); bytes > 0)
            note += QLatin1Char(' ') + tr("Streams move %1.").arg(bytesText(std::llround(bytes)));
    }
    m_splitNote->setText(note);
    if (m_showsReported) showSpeed(m_load.speed, false);
}

void MachinePanels::fitBars()
{
    // A few bars take what they need; the rest of the panel is the plot's. Many scroll.
    // Measured beside a scroll bar, so that none appears because of itself.
    m_scroll->setMaximumHeight(m_bars->heightForWidth(m_panel->width() - kScrollBar) + kGap);
    m_scroll->setMinimumHeight(std::min(m_scroll->maximumHeight(), kBarsHeight));
}

bool MachinePanels::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_panel && event->type() == QEvent::Resize) fitBars();
    return QObject::eventFilter(watched, event);
}

void MachinePanels::showSpeed(LiveRun const *run)
{
    m_showsReported = !run;
    auto const &shown = run ? *run : m_session.runList().shown();
    bool const goesOn = run && run->state != RunState::Idle;
    m_mean = !goesOn && shown.hostSeconds > 0 ? static_cast<double>(shown.step - shown.firstStep) / shown.hostSeconds : 0;
    showSpeed(run ? run->speed : m_load.speed, goesOn);
}

void MachinePanels::showSpeed(std::vector<SpeedPoint> const &speed, bool goesOn)
{
    m_speed->setVisible(goesOn || !speed.empty());
    auto curves = m_speed->curves();
    // Of a run that goes on the newest value; of an ended one its mean: the last value is that of the steps just before the end.
    QString const name = m_speed->accessibleName();
    auto const title = speed.empty() ? name
        : !goesOn && m_mean > 0      ? tr("%1: mean %2").arg(name, numberText(m_mean))
                                     : tr("%1: %2").arg(name, numberText(speed.back().stepsPerSecond));
    m_speed->setTitle(title);
    m_speed->setAccessibleName(name);
    bool const same = speed.empty() ? curves.empty()
                                    : !curves.empty() && curves[0].x.size() == speed.size() && curves[0].x.back() == speed.back().seconds;
    if (same) return;
    curves.clear();
    if (!speed.empty()) {
        Curve curve;
        curve.name = tr("steps per second");
        curve.smooth = false;
        for (auto const &point : speed) {
            curve.x.push_back(point.seconds);
            curve.y.push_back(point.stepsPerSecond);
        }
        curves.push_back(std::move(curve));
    }
    m_speed->setCurves(std::move(curves));
}

} // namespace tilewright::views
