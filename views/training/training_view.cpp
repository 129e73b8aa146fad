#include "views/training/training_view.h"

#include "views/common/figure_parts.h"
#include "views/common/flow_layout.h"
#include "views/common/format.h"
#include "views/common/steady_label.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/plots/curve_panel.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/predictions.h"
#include "views/runcontrol/run_rate.h"
#include "views/session/run_commands.h"
#include "views/session/run_list.h"
#include "views/session/run_project.h"
#include "views/training/config_card.h"
#include "views/training/confusion_matrix.h"
#include "views/training/epoch_table.h"
#include "views/training/machine_panels.h"
#include "views/training/panel_grid.h"
#include "views/training/rate_control.h"
#include "views/training/run_controls.h"
#include "views/training/sample_grid.h"
#include "views/training/training_curves.h"
#include "views/training/training_text.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QScrollArea>
#include <QShortcut>
#include <QSlider>
#include <QSplitter>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright::views {

namespace {

constexpr int kLiveMs = 100;
constexpr int kSmoothingSteps = 99;
constexpr int kSmoothing = static_cast<int>(kCurveSmoothing * 100);

QWidget *titled(QString const &title, QWidget *content, QWidget *parent)
{
    auto *box = new QWidget(parent);
    auto *label = new QLabel(title, box);
    QFont bold = uiFont(TextSize::Caption);
    bold.setBold(true);
    label->setFont(bold);
    label->setWordWrap(true);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(label);
    column->addWidget(content, 1);
    return box;
}

class TrainingView : public View {
    Q_OBJECT
public:
    TrainingView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    bool isSettled() const override { return m_machine->isSettled() && !m_timer.isActive(); }
    void startSearch() override { m_epochs->focusFilter(); }

protected:
    void refresh() override;
    void judge() override;
    void grow(Growth growth) override;
    void advance() override;
    void showEvent(QShowEvent *event) override;

private:
    void makePanels();
    QWidget *makeOptions();
    bool showsRunOfWeights() const;
    void showConfig();
    void showState();
    void showRun();
    void showCurves(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch);
    void showEpochs(std::vector<LiveEpoch> const &epochs);
    void showLiveEpochs(LiveRun const &live);
    void showPredictions();
    void askForPredictions();
    void setFollowing(bool on);
    void setSmoothing(int step);

    QTimer m_timer;
    RunControls *m_controls = nullptr;
    RateControl *m_rate = nullptr;
    SteadyLabel *m_progress = nullptr;
    QLabel *m_smoothingText = nullptr, *m_predictionNote = nullptr;
    QSlider *m_smoothing = nullptr;
    QCheckBox *m_log = nullptr, *m_follow = nullptr;
    PanelGrid *m_grid = nullptr;
    CurvePanel *m_loss = nullptr, *m_metrics = nullptr;
    TablePane *m_epochs = nullptr;
    QLabel *m_epochNote = nullptr; ///< instead of it, before there is a row
    MachinePanels *m_machine = nullptr;
    QWidget *m_predictions = nullptr, *m_predictionSplit = nullptr, *m_epochPanel = nullptr;
    ConfusionMatrix *m_confusion = nullptr;
    PredictionGrid *m_samples = nullptr;
    ConfigCard *m_config = nullptr;
    std::shared_ptr<std::vector<LiveEpoch>> m_epochRows;
    std::size_t m_shownEpochs = static_cast<std::size_t>(-1);
    bool m_askedForPredictions = false;
};

TrainingView::TrainingView(Session &session, QWidget *parent) : View(QStringLiteral("training"), session, parent)
{
    setDependsOn(true, false, true);
    setJudgesEdits();
    setShowsMoment();
    auto *body = new QWidget(this);
    m_controls = new RunControls(session, body);
    m_rate = new RateControl(session, body);
    m_progress = new SteadyLabel(body);
    m_progress->setObjectName(QStringLiteral("runProgress"));
    m_progress->label().setProperty("role", "secondary");
    m_progress->setElided(Qt::ElideRight); // of one line however much a slow run has to say
    makePanels();
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(makeOptions());
    // The rate comes and goes with a run beside the progress, whose line has its height at all times.
    auto *line = new QHBoxLayout;
    line->setSpacing(kGap);
    line->addWidget(m_progress, 1);
    line->addWidget(m_rate);
    line->addStrut(m_rate->sizeHint().height());
    column->addLayout(line);
    column->addWidget(m_grid, 1);
    setBody(body);
    keepLine();
    drawsFigures(*this);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kLiveMs);
    connect(&m_timer, &QTimer::timeout, this, &TrainingView::showRun);
    connect(&session.runs(), &RunController::predictionsChanged, this, &TrainingView::showPredictions);
    // The first weights to look at come with the first epoch.
    for (auto const signal : {&RunController::finished, &RunController::epochFinished})
        connect(&session.runs(), signal, this, [this] {
            if (isVisible()) askForPredictions();
        });
    connect(&session.runList(), &RunList::changed, this, [this] {
        if (!isVisible()) return;
        showConfig(); // of a run that the list has now
        showRun();
        askForPredictions();
    });
    connect(&session.document(), &Document::opened, this, [this] { m_askedForPredictions = false; });
    connect(&session.runs(), &RunController::weightsChanged, this, [this] {
        m_controls->refresh();
        if (!isVisible()) return;
        showRun();
        askForPredictions();
    });
    connect(&RunRate::of(session.runs()), &RunRate::changed, this, [this] {
        if (isVisible()) showConfig();
    });
    connect(m_confusion, &ConfusionMatrix::cellPicked, m_samples, &PredictionGrid::setCell);
    for (auto *panel : {m_loss, m_metrics}) {
        auto *other = panel == m_loss ? m_metrics : m_loss;
        connect(panel, &CurvePanel::hovered, other,
                [other](double x) { other->setCrosshair(std::isfinite(x) ? std::optional(x) : std::nullopt); });
        connect(panel, &CurvePanel::xRangeChanged, other, [other](double begin, double end) { other->setXRange(begin, end); });
        connect(panel, &CurvePanel::followingChanged, this, &TrainingView::setFollowing);
    }
    auto const onKey = [this](Qt::Key key, auto act) {
        connect(new QShortcut(QKeySequence(key), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut), &QShortcut::activated, this, act);
    };
    onKey(Qt::Key_S, [this] { m_smoothing->setValue(m_smoothing->value() >= 90 ? 0 : m_smoothing->value() + 30); });
    onKey(Qt::Key_L, [this] { m_log->toggle(); });
    onKey(Qt::Key_F, [this] { m_follow->setChecked(true); });
    setSmoothing(m_smoothing->value());
}

void TrainingView::makePanels()
{
    m_grid = new PanelGrid(this);
    m_loss = new CurvePanel(tr("Loss"), m_grid);
    m_metrics = new CurvePanel(tr("Metrics"), m_grid);
    m_epochs = new TablePane(tr("Epochs"), m_grid);
    m_epochNote = new QLabel(tr("A row is added when an epoch has ended."), m_grid);
    m_epochNote->setProperty("role", "secondary");
    m_epochNote->setWordWrap(true);
    m_epochNote->setAlignment(Qt::AlignTop);
    auto *epochs = new QWidget;
    auto *epochColumn = new QVBoxLayout(epochs);
    epochColumn->setContentsMargins(0, 0, 0, 0);
    epochColumn->addWidget(m_epochNote);
    epochColumn->addWidget(m_epochs, 1);
    m_epochPanel = titled(tr("Epochs"), epochs, m_grid);
    m_machine = new MachinePanels(session(), m_grid); // one panel of the grid
    m_confusion = new ConfusionMatrix;
    m_samples = new PredictionGrid;
    m_predictionNote = new QLabel(m_grid);
    m_predictionNote->setWordWrap(true);
    m_predictionNote->setProperty("role", "secondary");
    auto *split = new QSplitter(Qt::Horizontal);
    m_predictionSplit = split;
    split->addWidget(m_confusion);
    split->addWidget(clearScrollArea(m_samples, split));
    split->setChildrenCollapsible(false);
    split->setStretchFactor(1, 1); // the matrix is square: what its height does not need goes to the samples
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_predictionNote);
    column->addWidget(split, 1);
    column->addStretch(0); // takes the rest while there are no predictions
    m_predictions = titled(tr("Predictions over the test data"), content, m_grid);
    m_config = new ConfigCard;
    constexpr int kCurveHeight = 46 * kGrid, kTableHeight = 40 * kGrid;
    m_grid->addPanel(m_loss, kCurveHeight);
    m_grid->addPanel(m_metrics, kCurveHeight);
    m_grid->addPanel(m_epochPanel, kTableHeight);
    m_grid->addPanel(m_predictions, 60 * kGrid, 2);
    m_grid->addPanel(m_machine->panel(), kTableHeight);
    m_grid->addPanel(titled(tr("Configuration"), clearScrollArea(m_config, m_grid), m_grid), kTableHeight);
}

QWidget *TrainingView::makeOptions()
{
    auto *bar = new QWidget(this);
    auto *label = new QLabel(tr("Smoothing"), bar);
    m_smoothing = new QSlider(Qt::Horizontal, bar);
    m_smoothing->setRange(0, kSmoothingSteps);
    m_smoothing->setValue(kSmoothing);
    m_smoothing->setPageStep(10);
    m_smoothing->setMinimumWidth(24 * kGrid);
    m_smoothing->setAccessibleName(tr("Smoothing of the curves"));
    m_smoothing->setToolTip(tr("Exponential smoothing; the raw values stay visible (S)"));
    m_smoothingText = new QLabel(bar);
    m_log = new QCheckBox(tr("Logarithmic"), bar);
    m_log->setToolTip(tr("Logarithmic value axis (L)"));
    m_follow = new QCheckBox(tr("Follow"), bar);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Keep everything up to the newest step in sight (F)"));
    bar->setLayout(new FlowLayout(nullptr, kGap));
    keepOutOfFigures(*bar);
    // The controls of the run change with it; what is left of them stays.
    for (QWidget *widget : std::initializer_list<QWidget *>{label, m_smoothing, m_smoothingText, m_log, m_follow, m_controls})
        bar->layout()->addWidget(widget);
    auto policy = bar->sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Minimum);
    bar->setSizePolicy(policy);
    connect(m_smoothing, &QSlider::valueChanged, this, &TrainingView::setSmoothing);
    connect(m_log, &QCheckBox::toggled, this, [this](bool on) {
        m_loss->setLogarithmic(on);
        m_metrics->setLogarithmic(on);
    });
    connect(m_follow, &QCheckBox::toggled, this, &TrainingView::setFollowing);
    return bar;
}

/// Whether the report on show, of an earlier session, is of the run that trained the weights in the project.
bool TrainingView::showsRunOfWeights() const
{
    auto const report = session().report();
    if (session().runs().lastRun().exists || !report || !session().runs().canContinue()) return false;
    auto const *last = session().runList().lastTraining();
    return last && last->report == report->path();
}

void TrainingView::refresh()
{
    m_controls->refresh();
    m_shownEpochs = static_cast<std::size_t>(-1);
    m_machine->setReport(session().report());
    auto const &live = session().runs().live();
    if (live.exists && live.state == RunState::Compiling) m_askedForPredictions = false;
    showConfig();
    showRun();
    askForPredictions();
    showPredictions();
}

void TrainingView::showConfig()
{
    auto ran = session().runList().shown().project;
    // A run of an earlier session has its project in its record.
    if (auto const *entry = !ran && session().report() ? session().runList().ofReport(session().report()->path()) : nullptr)
        if (auto stored = projectOfRun(*entry); stored.ok()) ran = std::make_shared<project::Project const>(std::move(*stored));
    auto rows = ran                     ? configRows(*ran)
        : session().report()            ? configRows(*session().report())
        : session().document().isOpen() ? configRows(session().document().project())
                                        : ConfigRows();
    // A rate that a person or a callback has set since is not the one of the plan.
    auto const &rates = RunRate::of(session().runs()).changes();
    bool const own = ran && session().runList().showsOwn();
    if (own && rates.size() > 1) rows.append({tr("Learning rate"), ratesText(rates)});
    m_config->setRows(rows);
    std::vector<CurveMark> marks;
    constexpr std::size_t kMarks = 12; // more come from a callback: the curve of the rate shows them
    if (own && rates.size() <= kMarks)
        for (std::size_t i = 1; i < rates.size(); ++i)
            marks.push_back({static_cast<double>(rates[i].after), tr("learning rate %1").arg(numberText(rates[i].rate))});
    for (auto *panel : {m_loss, m_metrics}) panel->setMarks(marks);
}

/// An edit changes nothing of a run: only whether it is still a run of this project, and what can be run.
void TrainingView::judge()
{
    m_controls->refresh();
    if (!session().runList().shown().project && !session().report()) showConfig();
    showState();
}

void TrainingView::grow(Growth growth)
{
    if (growth == Growth::Figures) m_machine->setReport(session().report());
    showRun();
}

void TrainingView::advance()
{
    if (!m_timer.isActive()) m_timer.start();
}

void TrainingView::showState()
{
    auto const report = session().report();
    auto const &run = session().runList().shown();
    if (!run.exists) {
        setHeadline({});
        bool const open = session().document().isOpen(), goOn = canDo(RunCommand::Continue, session());
        auto const command = goOn ? RunCommand::Continue : RunCommand::Run;
        auto const &runs = session().runList();
        auto const last = std::ranges::max_element(runs, {}, [](auto const &entry) {
            return std::pair(entry.kind == QLatin1String("train") && QFileInfo(entry.report).isFile(), entry.id);
        });
        if (last != runs.end() && QFileInfo(last->report).isFile()) {
            setState({ViewState::Empty, tr("The report on show holds no run. Run %1 has one.").arg(last->id),
                      tr("Show run %1").arg(last->id), [this, path = last->report] { session().openReport(path); }});
            return;
        }
        QString const reason = last == runs.end() ? QString() : reasonOfRun(*last);
        QString const text = !open ? tr("No run yet. Open a project and run it, or open a report of a run.")
            : goOn                 ? tr("The project holds trained weights; their run left no report.")
            : !reason.isEmpty()    ? tr("Run %1 left no report. %2").arg(last->id).arg(reason)
            : last != runs.end()   ? tr("Run %1 left no report.").arg(last->id)
            : report               ? tr("No run yet: the report shown comes from a compile without a run.")
                                   : tr("No run yet.");
        setState({ViewState::Empty, text, open ? buttonText(command) : QString(), [this, command] { perform(command, session()); }});
        return;
    }
    bool const own = session().runList().showsOwn();
    auto const *entry = own ? nullptr : session().runList().ofReport(run.reportPath);
    if (QString const reason = entry && run.state == RunState::Idle ? reasonOfRun(*entry) : QString(); !reason.isEmpty())
        setState({ViewState::Partial, tr("%1 ended early: %2").arg(entry->name(), reason), {}, {}});
    else if (run.state == RunState::Idle && run.error)
        setState({ViewState::Partial, diagnosticLine(*run.error), tr("Problems"),
                  [this] { emit session().viewRequested(QStringLiteral("problems")); }});
    else if (session().document().isOpen()
             && (own ? run.state == RunState::Idle && run.revision != session().document().revision() : session().reportIsStale()))
        setState({ViewState::Stale, tr("The project has changed since this run."), buttonText(RunCommand::Run),
                  [this] { perform(RunCommand::Run, session()); }});
    else setState({});
}

/// The same for a run of this window, of another process, and one that has ended: all come as one LiveRun.
void TrainingView::showRun()
{
    showState();
    auto const &run = session().runList().shown();
    if (!run.exists) return;
    auto const facts = factsOf(run);
    setHeadline(trainingHeadline(facts));
    m_progress->setText(progressText(facts));
    m_progress->setToolTip(m_progress->text());
    m_machine->showSpeed(session().runList().showsOwn() ? &run : nullptr);
    showCurves(run.series, run.stepsPerEpoch);
    showLiveEpochs(run);
}

/// The ended epochs, and the one under way.
void TrainingView::showLiveEpochs(LiveRun const &live)
{
    auto const running = runningEpoch(live);
    std::size_t const count = live.epochTable.size() + (running ? 1 : 0);
    if (m_epochRows && running && m_shownEpochs == count && m_epochRows->back().running
        && m_epochRows->back().metrics.size() == running->metrics.size()) {
        m_epochRows->back() = *running;
        m_epochs->tree().viewport()->update();
        return;
    }
    bool const wasRunning = m_epochRows && !m_epochRows->empty() && m_epochRows->back().running;
    if (m_shownEpochs == count && !running && !wasRunning) return;
    auto epochs = live.epochTable;
    if (running) epochs.push_back(*running);
    showEpochs(epochs);
}

void TrainingView::showEpochs(std::vector<LiveEpoch> const &epochs)
{
    bool const first = m_epochs->model().columnCount() == 0;
    m_epochRows = fillEpochTable(*m_epochs, epochs);
    if (first) m_epochs->sortBy(0, Qt::DescendingOrder); // the newest in sight
    m_shownEpochs = epochs.size();
    m_epochNote->setVisible(epochs.empty());
    m_epochs->setVisible(!epochs.empty());
}

void TrainingView::showCurves(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch)
{
    CurveAxes axes;
    axes.x = isByEpoch(series) ? tr("epoch") : tr("step");
    if (m_loss->axisTitle() != axes.x) {
        m_loss->setAxes(axes);
        m_metrics->setAxes(axes);
    }
    auto metrics = trainingCurves(series, stepsPerEpoch, CurveGroup::Metrics);
    // From the start of a run whose plan has metrics, so that no panel moves when the first step arrives.
    bool const begins = series.empty() && session().document().isOpen() && session().runList().showsOwn();
    auto const *plan = begins ? &session().document().project().training : nullptr;
    bool const expected = plan && (!plan->metrics.empty() || !plan->outputMetrics.empty());
    m_grid->setPanelShown(m_metrics, !metrics.empty() || expected);
    m_loss->setCurves(trainingCurves(series, stepsPerEpoch, CurveGroup::Loss));
    m_metrics->setCurves(std::move(metrics));
}

void TrainingView::askForPredictions()
{
    // Once per run: the controller then renews them after every epoch.
    auto const &live = session().runs().live();
    if (m_askedForPredictions || !isVisible() || live.kind != QLatin1String("train") || !isClassifier(session().document().project()))
        return;
    if (live.epochTable.empty() && live.state != RunState::Idle) return;
    m_askedForPredictions = live.exists || showsRunOfWeights();
    if (m_askedForPredictions) session().runs().requestPredictions();
}

void TrainingView::showPredictions()
{
    auto const info = session().runs().predictions();
    bool const classifier = session().document().isOpen() && isClassifier(session().document().project());
    m_grid->setPanelShown(m_predictions, classifier && (info || session().runList().showsOwn() || showsRunOfWeights()));
    m_predictionSplit->setVisible(info != nullptr);
    m_samples->setSamples(info);
    m_confusion->setCounts(info ? info->confusion : ConfusionMatrix::Counts());
    m_samples->setCell(m_confusion->picked());
    auto const share = [](std::int64_t part, std::int64_t all) {
        return shareText(all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0);
    };
    QString note = tr("Shown when an epoch has ended and there was time to look at the test data.");
    if (info && info->positions > 1)
        note = tr("%1 of %2 sequences right (%3), %4 of their positions, with the weights of step %5. Down: true class, across: predicted; "
                  "a click shows the samples of a cell.")
                   .arg(countText(info->right), countText(info->count), share(info->right, info->count),
                        share(info->rightPositions, info->count * info->positions), countText(info->step));
    else if (info)
        note = (info->count < kPredictedSamples
                    ? tr("%1 of %2 test samples right (%3), with the weights of step %4. Down: true class, across: predicted; a click "
                         "shows the "
                         "samples of a cell.")
                    : tr("%1 of the first %2 test samples right (%3), with the weights of step %4. Down: true class, across: predicted; a "
                         "click shows the samples of a cell."))
                   .arg(countText(info->right), countText(info->count), share(info->right, info->count), countText(info->step));
    m_predictionNote->setText(note);
}

void TrainingView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    askForPredictions();
}

void TrainingView::setFollowing(bool on)
{
    m_follow->setChecked(on);
    for (auto *panel : {m_loss, m_metrics}) {
        if (panel->isFollowing() == on) continue;
        if (on) panel->fit();
        else panel->setFollowing(false);
    }
}

void TrainingView::setSmoothing(int step)
{
    double const weight = step / 100.0;
    m_loss->setSmoothing(weight);
    m_metrics->setSmoothing(weight);
    m_smoothingText->setText(QLocale().toString(weight, 'f', 2));
}

QList<ExportTable> TrainingView::exportTables() const
{
    return {m_loss->exportTable(QStringLiteral("loss")), m_metrics->exportTable(QStringLiteral("metrics")),
            m_epochs->exportTable(QStringLiteral("epochs"))};
}

QJsonObject TrainingView::saveState() const
{
    return {{QStringLiteral("smoothing"), m_smoothing->value()}, {QStringLiteral("logarithmic"), m_log->isChecked()}};
}

void TrainingView::restoreState(QJsonObject const &state)
{
    m_smoothing->setValue(state.value(QStringLiteral("smoothing")).toInt(kSmoothing));
    m_log->setChecked(state.value(QStringLiteral("logarithmic")).toBool());
}

} // namespace

ViewDescriptor trainingView()
{
    return {"training",
            QT_TRANSLATE_NOOP("views", "Training"),
            "training",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+5")),
            [](Session &session, QWidget *parent) -> View * { return new TrainingView(session, parent); }};
}

} // namespace tilewright::views

#include "training_view.moc"
