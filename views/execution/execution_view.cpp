#include "views/execution/execution_view.h"

#include "views/diagnostics/diagnostic_text.h"
#include "views/execution/execution_widget.h"

#include "views/common/figure_parts.h"
#include "views/common/flow_layout.h"
#include "views/common/format.h"
#include "views/execution/bsp_canvas.h"
#include "views/execution/bsp_source.h"
#include "views/execution/execution_export.h"
#include "views/execution/execution_modes.h"
#include "views/execution/execution_panel.h"
#include "views/execution/execution_selection.h"
#include "views/execution/pipeline_layout.h"
#include "views/figures/comparison.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"
#include "views/widgets/color_keys.h"
#include "views/wording/insight_text.h"

#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kLowHeight = 400;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

} // namespace

ExecutionView::ExecutionView(Session &session, QWidget *parent) : View(QStringLiteral("execution"), session, parent)
{
    setDependsOn(true, false, true);
    setShowsMoment();
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    m_modes = new QTabBar(body);
    m_modes->setObjectName(QStringLiteral("executionModes"));
    m_modes->setAccessibleName(tr("What the rows show"));
    m_modes->setDrawBase(false);
    m_modes->setExpanding(false);
    for (int mode = 0; mode < Modes; ++mode) {
        m_modes->addTab(modeTitle(static_cast<ExecutionMode>(mode)));
        QString const colors = modeLegend(static_cast<ExecutionMode>(mode));
        m_modes->setTabToolTip(mode,
                               modeTip(static_cast<ExecutionMode>(mode)) + (colors.isEmpty() ? QString() : QLatin1Char('\n') + colors));
    }

    auto *options = new QWidget(body);
    auto *flow = new FlowLayout(options);
    flow->setSpacing(kGrid);
    flow->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    m_runs = choice(tr("Run"), {});
    m_units = choice(tr("Unit of the time axis"), {tr("Cycles"), tr("Time"), tr("Steps")});
    m_ipu = choice(tr("IPU"), {});
    m_order = choice(tr("Order of the tiles"), {tr("by number"), tr("by place"), tr("by load")});
    m_rows = choice(tr("Rows"), {tr("IPUs"), tr("Stages")});
    m_find = new QLineEdit(body);
    m_find->setObjectName(QStringLiteral("executionFind"));
    m_find->setPlaceholderText(tr("Find steps"));
    m_find->setAccessibleName(tr("Find steps by name"));
    m_find->setToolTip(tr("Shows the items whose name contains this; Enter goes to the next one (Ctrl+F)"));
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(40 * kGrid);
    m_compare = new CompareButton(body);
    comparesReports(*this);
    m_keys = new ColorKeys(body);
    for (QWidget *widget : {static_cast<QWidget *>(m_modes), static_cast<QWidget *>(m_runs), static_cast<QWidget *>(m_ipu),
                            static_cast<QWidget *>(m_order), static_cast<QWidget *>(m_rows), static_cast<QWidget *>(m_units),
                            static_cast<QWidget *>(m_compare), static_cast<QWidget *>(m_find), static_cast<QWidget *>(m_keys)})
        flow->addWidget(widget);
    column->addWidget(options);

    m_splitter = new QSplitter(Qt::Vertical, body);
    m_stack = new QStackedWidget(m_splitter);
    m_pane = new TimePane(m_stack);
    m_widget = new LanesWidget(m_pane->window(), m_pane);
    m_widget->setObjectName(QStringLiteral("executionLanes"));
    m_canvas = new BspCanvas(m_pane->window(), m_pane);
    m_canvas->setObjectName(QStringLiteral("executionTiles"));
    m_pane->addCanvas(m_widget);
    m_pane->addCanvas(m_canvas);
    m_pane->showCanvas(m_widget);
    m_note = new QLabel(m_stack);
    m_note->setWordWrap(true);
    m_note->setAlignment(Qt::AlignCenter);
    m_note->setMargin(3 * kGap);
    m_stack->addWidget(m_pane);
    m_stack->addWidget(m_note);
    m_panel = new ExecutionPanel(m_splitter);
    m_panel->setMinimumHeight(2 * kRowHeight); // its pages scroll
    m_stack->setMinimumHeight(4 * kRowHeight);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(true);
    m_splitter->setSizes({330, 220});
    column->addWidget(m_splitter, 1);
    setBody(body);
    drawsFigures(*this);
    keepOutOfFigures(*m_panel);
    keepOutOfFigures(m_pane->overview());

    m_offer = new QTimer(this);
    m_offer->setSingleShot(true);
    m_offer->setInterval(150);
    connect(m_offer, &QTimer::timeout, this, &ExecutionView::offerRange);

    connect(m_modes, &QTabBar::currentChanged, this, [this](int mode) {
        m_mode = static_cast<ExecutionMode>(mode);
        showMode();
        if (m_mode == Pipeline) showOneUpdate();
        updateHeadline();
    });
    connect(m_compare, &QToolButton::toggled, this, &ExecutionView::compare);
    connect(m_runs, &QComboBox::activated, this, [this] { showRun(m_runs->currentData().toInt(), false); });
    connect(m_units, &QComboBox::currentIndexChanged, this, [this](int unit) {
        TimeScale scale = m_pane->window().scale();
        scale.unit = static_cast<TimeUnit>(unit);
        m_pane->window().setScale(scale);
        m_run.scale.unit = scale.unit;
        showFacts();
    });
    connect(m_ipu, &QComboBox::activated, this, [this] { showBsp(); });
    connect(m_order, &QComboBox::activated, this, [this] { showBsp(); });
    connect(m_rows, &QComboBox::activated, this, [this] { showMode(); });
    connect(m_find, &QLineEdit::textChanged, this, &ExecutionView::follow);
    connect(m_find, &QLineEdit::returnPressed, this, &ExecutionView::goToNextFound);
    connect(m_widget, &LanesWidget::eventPicked, this, [this](int lane, qint64 event) { pickEvent(lane, event); });
    connect(m_canvas, &BspCanvas::eventPicked, this, [this](qint64 event) {
        m_event.reset();
        if (event >= 0) {
            m_event = {m_bspLane, event};
            m_eventLane = m_bsp.events;
            this->session().playhead().moveTo(momentOf(event));
        }
        showFacts();
    });
    connect(m_canvas, &BspCanvas::tilePicked, this, &ExecutionView::pickTile);
    connect(m_panel, &ExecutionPanel::tilePicked, this, &ExecutionView::pickTile);
    connect(m_panel, &ExecutionPanel::criticalPicked, this, [this](int row) {
        auto const &critical = m_blocks->report->data().criticals[at(row)];
        std::int64_t const base = m_run.places.empty() ? 0 : m_run.places.front().startCycle;
        TimeSpan const span{base + critical.startCycle, base + critical.endCycle};
        m_pane->window().show({span.begin - 2 * span.length(), span.end + 2 * span.length()});
        m_pane->window().setSelection(span);
    });
    connect(m_panel, &ExecutionPanel::callPicked, this, [this](qint64 begin, qint64 end) {
        m_modes->setCurrentIndex(Host);
        TimeSpan const span{begin, end};
        m_pane->window().show({begin - 4 * span.length(), end + 4 * span.length()});
        m_pane->window().setSelection(span);
    });
    connect(&m_pane->window(), &TimeWindow::selectionChanged, this, [this] {
        if (m_quiet) return;
        m_event.reset();
        showFacts();
        if (m_found) follow(); // the number of the match changes with its mark
        m_offer->start();
    });
}

QComboBox *ExecutionView::choice(QString const &name, QStringList const &texts)
{
    auto *box = new QComboBox(this);
    box->addItems(texts);
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMinimumWidth(4 * kIconSize); // long names shrink in narrow windows
    return box;
}

void ExecutionView::refresh()
{
    bool const there = applyReportState("run");
    auto const report = session().report();
    m_compare->offer(session());
    if (!there || !report || !report->isWhole()) {
        m_blocks.reset();
        m_event.reset();
        m_compared.reset();
        if (report && report->isWhole()
            && std::ranges::any_of(report->data().verdicts, [](report::VerdictRow const &v) { return !v.fits; }))
            setState(
                {ViewState::Empty,
                 tr("The program does not fit its tiles, so there is no schedule and nothing ran. Memory shows which data do not fit."),
                 tr("Show Memory"), [this] { emit this->session().viewRequested(QStringLiteral("memory")); }});
        return;
    }
    if (m_blocks && m_blocks->report == report) return compare();
    build();
}

bool ExecutionView::isShown(ReportPtr const &report) const
{
    if (!m_blocks) return false;
    auto const &shown = m_blocks->report;
    return shown == report || (!report->isInMemory() && shown->path() == report->path());
}

void ExecutionView::grow(Growth growth)
{
    // The run has ended: it has a row of its own now.
    if (growth == Growth::Figures && !session().runs().isActive()) return refresh();
    // Finish the current computation first; otherwise a fast-growing report would never complete one.
    if (m_blocks && !(m_pending & Levels)) build();
}

/// Zoom levels are computed on the pool; until then the note says so.
void ExecutionView::build()
{
    auto const report = session().report();
    // For a running run, the shown data stays until more is available.
    bool const goesOn = report && (session().runs().isActive() || report->isLive());
    Blocks const before = m_blocks && goesOn && m_blocks->report->path() == report->path() ? m_blocks : nullptr;
    if (!before && !report) return;
    if (!before) showNote(tr("Preparing the timeline …"));
    m_pending |= Levels;
    session().jobs().compute<Blocks>(
        this, JobKind::Timeline, QStringLiteral("execution.blocks"),
        [report, before](JobContext const &job) { return before ? growBlocks(before, report, job) : buildBlocks(report, job); },
        [this, report, before](Result<Blocks> built) {
            m_pending &= ~Levels;
            if (!session().report()
                || (report != session().report() && (report->isInMemory() || report->path() != session().report()->path())))
                return;
            if (built && before && before == m_blocks) return takeGrown(*built);
            if (!built) {
                setState({ViewState::Error, diagnosticLine(built.error()), {}, {}});
                return;
            }
            bool const another = !m_blocks || m_blocks->report->path() != report->path();
            m_blocks = *built;
            m_pairsRun = -3;
            if (m_compared && m_compared->firstType != static_cast<int>(m_blocks->styles.size())) m_compared.reset();
            fillRuns(false);
            showRun(m_runs->currentData().toInt(), !another);
            follow();
            compare();
        });
}

void ExecutionView::fillRuns(bool keepChoice)
{
    auto const &tables = m_blocks->report->data();
    QVariant const before = m_runs->currentData();
    m_runs->clear();
    // The newest real run first, because it is what people look for; the schedule of one step last.
    for (int run = static_cast<int>(tables.runs.size()) - 1; run >= 0; --run)
        if (tables.runs[at(run)].kind != "profile") m_runs->addItem(runName(tables.runs[at(run)], tables), run);
    for (int run = 0; run < static_cast<int>(tables.runs.size()); ++run)
        if (tables.runs[at(run)].kind == "profile") m_runs->addItem(runName(tables.runs[at(run)], tables), run);
    if (m_runs->count() == 0) m_runs->addItem(scheduleTitle(tables), -1);
    if (session().runs().isActive() && !tables.patterns.empty()) m_runs->insertItem(0, tr("Running now (modelled schedule)"), kLiveRun);
    int const same = m_runs->findData(before);
    m_runs->setCurrentIndex(session().runs().isActive() && !keepChoice ? 0 : std::max(0, same));
    m_runs->setVisible(m_runs->count() > 1);
    auto const ipus = ipuLanes(tables);
    int const ipu = std::max(0, m_ipu->currentIndex());
    m_ipu->clear();
    for (int const lane : ipus) m_ipu->addItem(laneName(tables.lanes[at(lane)]), lane);
    m_ipu->setCurrentIndex(std::min(ipu, m_ipu->count() - 1));
    m_modes->setTabVisible(Pipeline, !tables.stageTasks.empty());
    if (tables.stageTasks.empty() && m_mode == Pipeline) m_modes->setCurrentIndex(Flat);
}

void ExecutionView::showRun(int run, bool keepWindow)
{
    if (!m_blocks) return;
    auto const &report = *m_blocks->report;
    TimeUnit const unit = static_cast<TimeUnit>(m_units->currentIndex());
    if (run == kLiveRun) {
        m_run = livePlaces(report, 0);
        m_run = livePlaces(report, cyclesDone());
    } else {
        m_run = placesOf(report, run);
    }
    m_run.scale.unit = unit;
    placeCompared();
    m_event.reset();
    m_hostTime = false;
    auto &window = m_pane->window();
    window.setScale(m_run.scale);
    window.setExtent(shownExtent(), !keepWindow);
    if (!keepWindow && !m_run.places.empty() && m_run.places.front().repeats > 1) {
        // A whole run looks grey, so begin with its first steps; F shows all of it.
        auto const &place = m_run.places.front();
        std::int64_t const two = place.period * std::min<std::int64_t>(place.repeats, m_mode == Pipeline ? 1 : 2);
        std::int64_t const from = m_run.live ? m_run.extent.end - two : place.startCycle; // of a running run: its newest part
        window.show({from, from + two});
    }
    window.setFollowing(m_run.live);
    showMode();
    updateHeadline();
    if (m_pairsRun == run) {
        m_panel->showRun(m_blocks, m_run, m_pairs.pairs, m_pairs.rest);
        return;
    }
    auto const blocks = m_blocks;
    int const of = m_run.run;
    m_pending |= Pairs;
    session().jobs().compute<TrafficPairs>(
        this, JobKind::Timeline, QStringLiteral("execution.pairs"),
        [blocks, of](JobContext const &) -> Result<TrafficPairs> {
            TrafficPairs pairs;
            pairs.pairs = topPairs(*blocks->report, of, 500, &pairs.rest);
            return pairs;
        },
        [this, blocks, run](Result<TrafficPairs> pairs) {
            m_pending &= ~Pairs;
            if (!isShown(blocks->report) || !pairs) return;
            m_pairs = std::move(*pairs);
            m_pairsRun = run;
            m_panel->showRun(m_blocks, m_run, m_pairs.pairs, m_pairs.rest);
        });
}

/// A pipeline is read one weight update at a time: several are too narrow for their micro-batches.
void ExecutionView::showOneUpdate()
{
    if (!m_blocks || m_run.places.empty()) return;
    auto &window = m_pane->window();
    TimeSpan const visible = window.visible();
    auto const &places = m_run.places;
    auto const after = std::ranges::upper_bound(places, visible.begin, {}, &report::PatternPlaceRow::startCycle);
    auto const &place = after == places.begin() ? *after : *std::prev(after);
    if (visible.length() <= place.period) return;
    std::int64_t const before = std::clamp<std::int64_t>((visible.begin - place.startCycle) / place.period, 0, place.repeats - 1);
    std::int64_t const from = place.startCycle + before * place.period;
    window.show({from, from + place.period});
}

void ExecutionView::showMode()
{
    m_ipu->setVisible(m_mode == Bsp && m_ipu->count() > 1);
    m_order->setVisible(m_mode == Bsp);
    m_rows->setVisible(m_mode == Pipeline);
    m_units->setVisible(m_mode != Host);
    if (!m_blocks) return;
    m_event.reset();
    m_found.reset();
    auto &window = m_pane->window();
    if (m_hostTime != (m_mode == Host)) {
        // Host and device clocks never share an axis.
        m_hostTime = m_mode == Host;
        if (m_hostTime) m_deviceWindow = window.visible();
        TimeScale scale = m_run.scale;
        if (m_hostTime) scale = {TimeUnit::Seconds, 1000000000, 0, 0, true};
        window.setScale(scale);
        if (m_hostTime) showHostExtent(hostLanes(m_blocks), true);
        else window.setExtent(shownExtent(), true);
        if (!m_hostTime && !m_deviceWindow.isEmpty()) window.show(m_deviceWindow);
        window.setFollowing(!m_hostTime && m_run.live);
    }
    showPlayhead();
    switch (m_mode) {
    case Flat: showLanes(flatLanes(m_blocks, m_run)); break;
    case Flame: showLanes(flameLanes(m_blocks, m_run)); break;
    case Pipeline: showLanes(pipelineLanes(m_blocks, m_run, static_cast<PipelineRows>(m_rows->currentIndex()))); break;
    case Exchange: showLanes(exchangeLanes(m_blocks, m_run)); break;
    case Host: showLanes(hostLanes(m_blocks)); break;
    case Bsp: showBsp(); break;
    case Modes: break;
    }
    auto const &tables = m_blocks->report->data();
    m_keys->setKeys(m_mode == Host           ? styleKeys(m_lanes.set)
                        : m_mode == Pipeline ? pipelineKeys(tables, m_lanes.set)
                                             : modeKeys(m_mode, tables.target.ipus > 1, m_lanes.set));
    showKeys();
    showFacts();
    follow();
}

/// A figure shows its legend at any height.
void ExecutionView::showKeys() { m_keys->setVisible(!m_keys->keys().isEmpty() && (!m_low || isInFigure(*this))); }

bool ExecutionView::event(QEvent *event)
{
    if (event->type() == QEvent::DynamicPropertyChange && m_keys) showKeys();
    return View::event(event);
}

void ExecutionView::showNote(QString const &text)
{
    m_note->setText(text);
    m_stack->setCurrentWidget(m_note);
}

void ExecutionView::showLanes(ExecutionLanes lanes)
{
    m_lanes = std::move(lanes);
    if (m_lanes.empty()) {
        showNote(modeEmptyText(m_mode));
        return;
    }
    if (m_mode == Flat || m_mode == Flame || m_mode == Exchange)
        m_lanes.set.tip = [this, blocks = m_blocks, compared = m_compared](int lane, std::int64_t event) {
            if (lane >= static_cast<int>(m_lanes.set.lanes.size()))
                return compared ? comparedTip(*compared, m_comparedRun, *m_shown.lanes[at(lane)].events, event) : QString();
            auto const &events = m_lanes.set.lanes[at(lane)].events;
            return eventTip(*blocks, m_run, reportLane(lane), *events, event);
        };
    m_stack->setCurrentWidget(m_pane);
    m_pane->showCanvas(m_widget);
    m_shown = m_lanes.set;
    if (m_compared && m_mode == Flat) addComparedLanes(m_shown, *m_compared, m_comparedRun);
    m_widget->setLanes(m_shown);
    m_pane->overview().setLanes(m_lanes.overview, m_lanes.set.styles);
}

void ExecutionView::showBsp()
{
    m_lanes = {};
    if (!m_blocks || m_ipu->count() == 0) return showNote(modeEmptyText(m_mode));
    int const lane = m_ipu->currentData().toInt();
    auto const rows = bspRows(*m_blocks, m_run, lane, static_cast<TileOrder>(m_order->currentIndex()));
    auto const blocks = m_blocks;
    auto const run = m_run;
    showNote(tr("Adding up the activity of the tiles …"));
    m_pending |= Tiles;
    session().jobs().compute<BspTimeline>(
        this, JobKind::Timeline, QStringLiteral("execution.bsp"),
        [blocks, run, lane, rows](JobContext const &job) { return makeBsp(*blocks, run, lane, rows, job); },
        [this, blocks, rows, lane](Result<BspTimeline> bsp) {
            m_pending &= ~Tiles;
            if (!bsp || !isShown(blocks->report) || m_mode != Bsp) return;
            m_bsp = *bsp;
            m_bspLane = lane;
            if (!m_bsp.events || m_bsp.rows() == 0) return showNote(tr("This report has no cycles by tile."));
            m_canvas->setDescribe([this, blocks, events = m_bsp.events](std::int64_t event, int tile) {
                return tileTip(*blocks, m_run, m_bspLane, *events, event, tile);
            });
            m_stack->setCurrentWidget(m_pane);
            m_pane->showCanvas(m_canvas);
            m_canvas->setTiles(m_bsp, rows, m_ipu->currentText());
            m_canvas->setSteps(stepStarts(m_run), [run = m_run](std::int64_t time) { return stepName(run, time); });
            m_pane->overview().setLanes({m_bsp.events});
            follow();
        });
}

void ExecutionView::updateHeadline()
{
    if (!m_blocks) return;
    QString text = executionHeadline(*m_blocks, m_run);
    if (m_mode == Host && !m_lanes.empty()) text = hostHeadline(m_lanes);
    if (m_mode == Pipeline && !m_run.places.empty())
        text = pipelineHeadline(
            report::bubbleShares(m_blocks->report->data().stageTasks, m_blocks->report->data().bubbles, m_run.places.front().pattern),
            m_run.stepsOfUpdate());
    if (m_compared && m_mode != Host) {
        auto const &tables = m_blocks->report->data();
        if (auto const difference =
                stepDifferenceText(tables, runFrame(tables, m_run.run), m_compared->report->data(), m_compared->frame, m_compared->name);
            !difference.isEmpty())
            text += QStringLiteral(" · ") + difference;
    }
    if (m_run.live && m_mode != Host) text = tr("step %1").arg(countText(session().runs().live().step)) + QStringLiteral(" · ") + text;
    setHeadline(text);
}

void ExecutionView::resizeEvent(QResizeEvent *event)
{
    View::resizeEvent(event);
    // In low windows the lanes get the whole height; the panel opens by dragging the border.
    bool const low = height() < kLowHeight;
    if (low == m_low) return;
    m_low = low;
    showKeys();
    m_splitter->setSizes(low ? QList<int>{height(), 0} : QList<int>{height() * 3 / 5, height() * 2 / 5});
    follow();
}

void ExecutionView::showFacts()
{
    if (!m_blocks) return m_panel->clear();
    auto const selection = m_pane->window().selection();
    bool const event = m_event && m_eventLane && m_event->second < m_eventLane->size(), range = selection && m_mode != Host;
    m_panel->setTabText(0, event ? tr("Event") : range ? tr("Range") : tr("Run"));
    if (event) m_panel->showFacts(eventFacts(m_blocks, m_run, m_event->first, *m_eventLane, m_event->second));
    else if (range) m_panel->showFacts(rangeFacts(m_blocks, m_run, *selection));
    else m_panel->showFacts(runFacts(m_blocks, m_run));
}

void ExecutionView::restyle()
{
    m_widget->update();
    m_canvas->update();
}

QList<ExportTable> ExecutionView::exportTables() const
{
    if (!m_blocks) return {};
    QList<ExportTable> tables = m_panel->exportTables();
    if (!m_lanes.empty())
        tables.prepend(eventTable(m_shown, m_pane->window().visible(), QStringLiteral("events_%1").arg(QLatin1String(kModeIds[m_mode]))));
    return tables;
}

QJsonObject ExecutionView::saveState() const
{
    return {{QStringLiteral("mode"), QString::fromLatin1(kModeIds[m_mode])},
            {QStringLiteral("unit"), m_units->currentIndex()},
            {QStringLiteral("order"), m_order->currentIndex()},
            {QStringLiteral("rows"), m_rows->currentIndex()},
            {QStringLiteral("panel"), m_panel->currentIndex()},
            {QStringLiteral("compare"), m_compare->isChecked()},
            {QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())}};
}

void ExecutionView::restoreState(QJsonObject const &state)
{
    auto const restore = [&](char const *key, QComboBox *box) {
        int const index = state.value(QLatin1String(key)).toInt(-1);
        if (index >= 0 && index < box->count()) box->setCurrentIndex(index);
    };
    restore("unit", m_units);
    restore("order", m_order);
    restore("rows", m_rows);
    m_compare->setChecked(state.value(QLatin1String("compare")).toBool(true));
    m_opensComparison = state.contains(QLatin1String("compare")) && !state.contains(QLatin1String("panel"));
    if (int const tab = state.value(QLatin1String("panel")).toInt(-1); tab >= 0 && tab < m_panel->count()) m_panel->setCurrentIndex(tab);
    m_splitter->restoreState(QByteArray::fromBase64(state.value(QLatin1String("splitter")).toString().toLatin1()));
    for (int mode = 0; mode < Modes; ++mode)
        if (state.value(QLatin1String("mode")).toString() == QLatin1String(kModeIds[mode])) m_modes->setCurrentIndex(mode);
}

ViewDescriptor executionView()
{
    return {"execution",
            QT_TRANSLATE_NOOP("views", "Execution"),
            "execution",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+0")),
            [](Session &session, QWidget *parent) -> View * { return new ExecutionView(session, parent); }};
}

} // namespace tilewright::views
