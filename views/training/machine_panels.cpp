#include "views/training/machine_panels.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/figures/labels.h"
#include "views/figures/stacked_bar.h"
#include "views/plots/curve_panel.h"
#include "views/session/job_runner.h"
#include "views/session/report_snapshot.h"
#include "views/session/run_controller.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/training/panel_grid.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPointer>
#include <QScrollArea>

#include <algorithm>

namespace tilewright::views {

namespace {

/// More curves than this are not told apart.
constexpr std::size_t kCurves = 8;
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
            bar.parts.append({phaseToken(phase), phaseLabel(phase), cycles, MachinePanels::tr("%1 (%2), modelled").arg(cyclesText(cycles), shareText(share))});
        }
        bars.append(bar);
    }
    return bars;
}

} // namespace

MachinePanels::MachinePanels(Session &session, QWidget *parent) : QObject(parent), m_session(session)
{
    m_panel = new QWidget(parent);
    auto *title = new QLabel(tr("Utilisation by IPU, modelled"), m_panel);
    QFont bold = uiFont(TextSize::Caption);
    bold.setBold(true);
    title->setFont(bold);
    title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_splitNote = new QLabel(m_panel);
    m_splitNote->setWordWrap(true);
    m_splitNote->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_splitNote->setProperty("role", "secondary");
    m_splitNote->setFont(uiFont(TextSize::Caption));
    m_bars = new StackedBars(tr("Utilisation by IPU, modelled"), m_panel);
    m_scroll = clearScrollArea(m_bars, m_panel);
    m_panel->installEventFilter(this);

    m_exchange = new CurvePanel(tr("Exchange, modelled bytes per second here"), m_panel);
    CurveAxes axes;
    axes.x = tr("seconds here");
    axes.yText = [](double bytes) { return tr("%1B/s").arg(shortCount(bytes)); };
    axes.zeroBased = true;
    m_exchange->setAxes(std::move(axes));
    auto *column = new QVBoxLayout(m_panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(title);
    column->addWidget(m_splitNote);
    column->addWidget(m_scroll);
    column->addWidget(m_exchange, 1);
    column->addStretch(0); // takes the rest while there is no plot
    connect(m_bars, &StackedBars::barClicked, this, [this](int ipu) { m_session.selection().selectIds(SelectionKind::Ipu, {ipu}, this); });
    show();
}

void MachinePanels::setReport(std::shared_ptr<ReportSnapshot const> const &report)
{
    if (report == m_report) return;
    m_report = report;
    m_load = {};
    m_pending = report && report->isWhole();
    show();
    if (!m_pending) return;
    m_session.jobs().compute<MachineLoad>({}, QStringLiteral("training-load"),
        [report](JobContext const &) -> Result<MachineLoad> { return machineLoadOf(*report); },
        [this, report, guard = QPointer<MachinePanels>(this)](Result<MachineLoad> load) {
            if (!guard || report != m_report) return;
            m_pending = false;
            if (load.ok()) m_load = std::move(load).value();
            show();
        });
}

void MachinePanels::show()
{
    m_bars->setBars(barsOf(m_load));
    fitBars();
    m_splitNote->setText(!m_load.ipus.empty() ? tr("Of the %1 of one weight update; every update is alike.").arg(cyclesText(m_load.cyclesPerUpdate))
                         : m_pending          ? tr("Reading the schedule…")
                                              : tr("Known once the program has been compiled for an IPU."));
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

void MachinePanels::advance(LiveRun const &live)
{
    if (m_load.ipus.empty()) return;
    double const seconds = live.hostSeconds;
    if (live.step < m_lastStep || seconds < m_lastSeconds) { // another run
        m_exchange->setCurves({});
        m_lastStep = live.step;
        m_lastSeconds = seconds;
    }
    if (seconds - m_lastSeconds < 0.05) return;
    auto curves = m_exchange->curves();
    std::size_t const count = std::min(m_load.ipus.size(), kCurves);
    curves.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto &curve = curves[i];
        curve.name = tr("IPU %1").arg(m_load.ipus[i].ipu);
        curve.smooth = false;
        curve.x.push_back(seconds);
        curve.y.push_back(exchangeRate(m_load, m_load.ipus[i].ipu, live.step - m_lastStep, seconds - m_lastSeconds));
        auto const keep = std::lower_bound(curve.x.begin(), curve.x.end(), seconds - kExchangeWindow) - curve.x.begin();
        curve.x.erase(curve.x.begin(), curve.x.begin() + keep);
        curve.y.erase(curve.y.begin(), curve.y.begin() + keep);
    }
    m_lastStep = live.step;
    m_lastSeconds = seconds;
    m_exchange->setCurves(std::move(curves));
}

} // namespace tilewright::views
