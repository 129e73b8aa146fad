#include "views/monitor/monitor_view.h"

#include "engine/device/monitor_text.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/monitor/host_cost.h"
#include "views/monitor/monitor_tables.h"
#include "views/monitor/monitor_text.h"
#include "views/plots/curve_panel.h"
#include "views/runcontrol/run_controller.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace tilewright::views {

namespace {

/// Of the utilisation history, in seconds.
constexpr double kHistory = 300;
constexpr std::size_t kRunsCurves = 16;

class MonitorView : public View {
    Q_OBJECT
public:
    MonitorView(Session &session, QWidget *parent);
    ~MonitorView() override;
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    void startSearch() override { m_ipus->focusFilter(); }
    /// The text of `monitor --once` for the shown devices.
    Q_INVOKABLE QString plainText() const { return QString::fromStdString(device::monitorText(*m_devices, m_idle->isChecked())); }

protected:
    void refresh() override;
    void advance() override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void watch(bool on);
    void sample();
    void showAttributes();

    std::shared_ptr<device::RegistryView const> m_devices = std::make_shared<device::RegistryView const>();
    std::vector<IpuRef> m_refs;
    QElapsedTimer m_clock, m_hostClock;
    bool m_watching = false;
    QTabWidget *m_tabs = nullptr;
    TablePane *m_ipus = nullptr, *m_attributes = nullptr, *m_runs = nullptr, *m_host = nullptr;
    CurvePanel *m_history = nullptr;
    QWidget *m_processes = nullptr;
    QLabel *m_note = nullptr;
    QCheckBox *m_idle = nullptr;
};

MonitorView::MonitorView(Session &session, QWidget *parent) : View(QStringLiteral("monitor"), session, parent)
{
    setDependsOn(false, false, true);
    m_ipus = new TablePane(tr("IPUs"));
    m_attributes = new TablePane(tr("Attributes of the chosen IPU"));
    m_runs = new TablePane(tr("Processes"));
    m_host = new TablePane(tr("Cost of the emulation on this computer"));
    m_history = new CurvePanel(tr("Busy share by IPU, modelled"));
    CurveAxes axes;
    axes.x = tr("seconds on this computer");
    axes.y = tr("busy share");
    axes.yText = [](double share) { return shareText(share); };
    axes.zeroBased = true;
    m_history->setAxes(std::move(axes));
    auto *devices = new QSplitter(Qt::Horizontal);
    devices->addWidget(m_ipus);
    devices->addWidget(m_attributes);
    devices->setStretchFactor(0, 3);
    devices->setStretchFactor(1, 2);
    devices->setChildrenCollapsible(true);
    m_note = new QLabel;
    m_note->setProperty("role", "secondary");
    m_note->setWordWrap(true);
    m_processes = new QWidget;
    auto *processes = new QVBoxLayout(m_processes);
    processes->setContentsMargins(0, kGrid, 0, 0);
    processes->addWidget(m_note);
    processes->addWidget(m_runs);
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_processes, tr("Processes"));
    m_tabs->addTab(devices, tr("IPUs"));
    m_tabs->addTab(m_history, tr("Utilisation"));
    m_tabs->addTab(m_host, tr("This process"));
    setBody(m_tabs);

    m_idle = new QCheckBox(tr("Idle systems too"), this);
    m_idle->setToolTip(tr("Lists the IPUs of unused systems"));
    auto *copy = new QToolButton(this);
    copy->setText(tr("Copy as text"));
    copy->setObjectName(QStringLiteral("copyText"));
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    copy->setToolTip(tr("The same text as the command “monitor --once” prints"));
    addHeadlineWidget(m_idle);
    addHeadlineWidget(copy);
    connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(plainText()); });
    connect(m_idle, &QCheckBox::toggled, this, &MonitorView::refresh);
    connect(m_ipus, &TablePane::rowsPicked, this, &MonitorView::showAttributes);
    connect(&session, &Session::devicesChanged, this, [this] {
        if (!isVisible()) return;
        refresh();
        sample();
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, &MonitorView::refresh);
    m_clock.start();
    m_hostClock.start();
}

MonitorView::~MonitorView()
{
    if (m_watching) session().watchDevices(false);
}

void MonitorView::watch(bool on)
{
    if (m_watching == on) return;
    m_watching = on;
    session().watchDevices(on);
}

void MonitorView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    watch(true);
}

void MonitorView::hideEvent(QHideEvent *event)
{
    View::hideEvent(event);
    watch(false);
}

void MonitorView::refresh()
{
    m_devices = std::make_shared<device::RegistryView const>(session().devices());
    setHeadline(monitorHeadline(*m_devices));
    // Only the visible tab is filled; the others when they become visible.
    auto *shown = m_tabs->currentWidget();
    if (shown == m_processes) {
        m_note->setText(processNote(*m_devices));
        fillRunTable(*m_runs, m_devices);
    } else if (m_ipus->isVisibleTo(this) || !isVisible()) {
        bool const nothingUsed = m_devices->processes.empty();
        m_refs = shownIpus(*m_devices, m_idle->isChecked() || nothingUsed);
        fillIpuTable(*m_ipus, m_devices, m_refs);
        showAttributes();
    }
    if (shown == m_host) fillPairs(*m_host, tr("Cost"), hostCostRows(ownCost(), session().runs().live()));
    setState({});
}

void MonitorView::advance()
{
    // Rates of the run change with each step; twice per second is readable.
    if (m_tabs->currentWidget() != m_host || m_hostClock.elapsed() < 500) return;
    m_hostClock.restart();
    fillPairs(*m_host, tr("Cost"), hostCostRows(ownCost(), session().runs().live()));
}

void MonitorView::showAttributes()
{
    int const row = std::max(0, m_ipus->currentRow());
    bool const known = row < static_cast<int>(m_refs.size());
    fillPairs(*m_attributes, tr("Attribute"),
              known ? attributesOf(*m_devices, m_refs[static_cast<std::size_t>(row)]) : QList<std::pair<QString, QString>>());
}

void MonitorView::sample()
{
    double const now = static_cast<double>(m_clock.elapsed()) / 1000;
    auto curves = m_history->curves();
    for (auto const &process : m_devices->processes) {
        QString const name = tr("%1 IPU %2, process %3").arg(QString::fromStdString(process.system)).arg(process.ipuId).arg(process.pid);
        auto at = std::find_if(curves.begin(), curves.end(), [&](auto const &curve) { return curve.name == name; });
        if (at == curves.end() && curves.size() >= kRunsCurves) continue;
        if (at == curves.end()) {
            Curve curve;
            curve.name = name;
            curve.smooth = false;
            at = curves.insert(at, std::move(curve));
        }
        at->x.push_back(now);
        at->y.push_back(process.utilisationRecent);
    }
    for (auto &curve : curves) {
        // A process that has ended leaves a gap, so that its line stops.
        if (!curve.x.empty() && curve.x.back() < now && std::isfinite(curve.y.back())) {
            curve.x.push_back(now);
            curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        auto const old = std::lower_bound(curve.x.begin(), curve.x.end(), now - kHistory) - curve.x.begin();
        curve.x.erase(curve.x.begin(), curve.x.begin() + old);
        curve.y.erase(curve.y.begin(), curve.y.begin() + old);
    }
    std::erase_if(curves, [](auto const &curve) { return curve.x.empty(); });
    m_history->setCurves(std::move(curves));
}

QList<ExportTable> MonitorView::exportTables() const
{
    return {m_ipus->exportTable(QStringLiteral("ipus")), m_runs->exportTable(QStringLiteral("processes")),
            m_history->exportTable(QStringLiteral("utilisation"))};
}

QJsonObject MonitorView::saveState() const
{
    return {{QStringLiteral("tab"), m_tabs->currentIndex()}, {QStringLiteral("idle"), m_idle->isChecked()}};
}

void MonitorView::restoreState(QJsonObject const &state)
{
    m_tabs->setCurrentIndex(state.value(QStringLiteral("tab")).toInt());
    m_idle->setChecked(state.value(QStringLiteral("idle")).toBool());
}

} // namespace

ViewDescriptor monitorView()
{
    return {"monitor",
            QT_TRANSLATE_NOOP("views", "Monitor"),
            "monitor",
            ViewDescriptor::Bottom,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new MonitorView(session, parent); },
            false}; // live data: not in any file
}

} // namespace tilewright::views

#include "monitor_view.moc"
