#include "views/compile/compile_view.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/compile/compile_picture.h"
#include "views/compile/phase_flame.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/phase_text.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/run_commands.h"
#include "views/session/selection.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

namespace tilewright::views {

namespace {

constexpr int kProgressMs = 100;

class CompileView : public View {
    Q_OBJECT
public:
    CompileView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(QStringLiteral("compile"))}; }
    void startSearch() override { m_table->focusFilter(); }

protected:
    void refresh() override;
    void judge() override { refresh(); }
    void grow(Growth) override {} // phases are of the compile
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeProgress();
    QWidget *makeVerdict();
    void showProgress();
    void showPicture();
    void fillTable();
    bool isCompiling() const { return session().runs().state() == RunState::Compiling; }
    void showWorstTile();

    CompilePicture m_picture;
    QTimer m_progressTimer;
    double m_lastSeconds = 0; ///< of the compile before, of this project
    QStackedWidget *m_top = nullptr;
    QWidget *m_progress = nullptr;
    QLabel *m_phase = nullptr;
    QFrame *m_verdict = nullptr;
    QLabel *m_verdictText = nullptr, *m_facts = nullptr;
    QToolButton *m_worstTile = nullptr;
    PhaseFlame *m_flame = nullptr;
    TablePane *m_table = nullptr;
};

CompileView::CompileView(Session &session, QWidget *parent) : View(QStringLiteral("compile"), session, parent)
{
    setDependsOn(true, false, true);
    auto *body = new QWidget(this);
    m_facts = new QLabel(body);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setAccessibleName(tr("Facts of the compile"));
    m_flame = new PhaseFlame(body);
    m_table = new TablePane(tr("Phases and passes"), body);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    // The progress stands where the facts do: what is below keeps its place.
    m_top = new QStackedWidget(body);
    m_top->addWidget(m_facts);
    m_top->addWidget(makeProgress());
    m_top->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->addWidget(m_top);
    column->addWidget(makeVerdict());
    column->addWidget(m_flame);
    column->addWidget(m_table, 1);
    // Low panels have no room for all of it: the lines are read whole, and the page scrolls.
    auto *page = new QScrollArea(this);
    page->setWidgetResizable(true);
    page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    page->setWidget(body);
    page->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false); // setWidget has switched it on
    setBody(page);
    drawsFigures(*this);
    keepOutOfFigures(*m_progress);

    m_progressTimer.setSingleShot(true);
    m_progressTimer.setInterval(kProgressMs);
    connect(&m_progressTimer, &QTimer::timeout, this, &CompileView::showProgress);
    connect(&session.jobs(), &JobRunner::changed, this, [this] {
        if (isVisible() && isCompiling() && !m_progressTimer.isActive()) m_progressTimer.start();
    });
    connect(&session.document(), &Document::opened, this, [this] { m_lastSeconds = 0; });
    connect(m_flame, &PhaseFlame::picked, this, [this](int step) { m_table->highlight({step}); });
    connect(m_table, &TablePane::rowsPicked, this,
            [this](std::vector<int> const &rows) { m_flame->setPicked(rows.empty() ? -1 : rows.front()); });
}

QWidget *CompileView::makeProgress()
{
    m_progress = new QWidget(this);
    m_phase = new QLabel(m_progress);
    m_phase->setWordWrap(true);
    auto *cancel = new QToolButton(m_progress);
    cancel->setText(tr("Cancel"));
    cancel->setIcon(icon(QStringLiteral("stop")));
    cancel->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    cancel->setObjectName(QStringLiteral("cancelCompile"));
    cancel->setToolTip(tr("Stops the compile and removes its unfinished results"));
    connect(cancel, &QToolButton::clicked, this, [this, cancel] {
        cancel->setEnabled(false);
        perform(RunCommand::Stop, session());
    });
    connect(&session().runs(), &RunController::stateChanged, cancel, [this, cancel] { cancel->setEnabled(isCompiling()); });
    auto *row = new QHBoxLayout(m_progress);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    row->addWidget(m_phase, 1);
    row->addWidget(cancel, 0, Qt::AlignTop);
    return m_progress;
}

QWidget *CompileView::makeVerdict()
{
    m_verdict = new QFrame(this);
    m_verdict->setProperty("role", "banner");
    m_verdictText = new QLabel(m_verdict);
    m_verdictText->setWordWrap(true);
    m_verdictText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_worstTile = new QToolButton(m_verdict);
    m_worstTile->setText(tr("Show worst tile"));
    m_worstTile->setIcon(icon(QStringLiteral("tile")));
    m_worstTile->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_worstTile->setObjectName(QStringLiteral("showWorstTile"));
    connect(m_worstTile, &QToolButton::clicked, this, &CompileView::showWorstTile);
    auto *insights = new QToolButton(m_verdict);
    insights->setText(tr("Insights"));
    insights->setIcon(icon(QStringLiteral("insights")));
    insights->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    insights->setToolTip(tr("What could be changed so that it fits"));
    connect(insights, &QToolButton::clicked, this, [this] { emit session().viewRequested(QStringLiteral("insights")); });
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addWidget(m_worstTile);
    buttons->addWidget(insights);
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(m_verdict);
    column->setContentsMargins(kGap, kGrid, kGap, kGrid);
    column->setSpacing(kGrid);
    column->addWidget(m_verdictText);
    column->addLayout(buttons);
    m_verdict->hide();
    return m_verdict;
}

void CompileView::refresh()
{
    auto const &live = session().runs().live();
    bool const compiling = isCompiling();
    m_top->setCurrentWidget(compiling ? m_progress : m_facts);
    if (compiling) {
        // What the compile before came to stays below, dimmed by the headline that says "compiling".
        setState({});
        showProgress();
        return;
    }
    if (live.compile.done) {
        m_picture = pictureOf(live.compile);
        m_lastSeconds = m_picture.cache == QLatin1String("hit") ? m_lastSeconds : m_picture.seconds;
    } else if (live.exists && live.error) {
        m_picture = {};
        setHeadline(tr("The compile ended with an error"));
        setState({ViewState::Error, diagnosticLine(*live.error), tr("Problems"),
                  [this] { emit session().viewRequested(QStringLiteral("problems")); }});
        return;
    } else if (session().report()) {
        m_picture = pictureOf(*session().report());
    } else {
        m_picture = {};
    }
    showPicture();
}

void CompileView::showProgress()
{
    if (!isCompiling()) return;
    for (auto const &job : session().jobs().jobs()) {
        if (job.kind != JobKind::Compile && job.kind != JobKind::Train) continue;
        // The status strip has the bar of every job; the view has words.
        QString text = job.phase.isEmpty() ? tr("Starting") : phaseText(job.phase);
        text = tr("%1 · %2 · %3 so far").arg(text, shareText(job.fraction), secondsText(job.elapsedSeconds));
        if (m_lastSeconds > 0) text += tr(" · last time %1 in all").arg(secondsText(m_lastSeconds));
        m_phase->setText(text);
        setHeadline(tr("%1 …").arg(job.phase.isEmpty() ? tr("Starting") : phaseText(job.phase)));
        return;
    }
}

void CompileView::showPicture()
{
    setHeadline(compileHeadline(m_picture));
    if (!m_picture.exists) {
        bool const open = session().document().isOpen();
        setState({ViewState::Empty,
                  open ? tr("Nothing compiled yet in this session.") : tr("Open a project and compile it, or open a report."),
                  open ? buttonText(RunCommand::Compile) : QString(), [this] { perform(RunCommand::Compile, session()); }});
        return;
    }
    if (m_picture.steps.empty())
        setState({ViewState::Partial, tr("The report does not say how long the phases of the compile took."), {}, {}});
    else if (session().document().isOpen() && m_picture.fromReport && session().reportIsStale())
        setState({ViewState::Stale, tr("The project has changed since this was compiled."), tr("Recompile"),
                  [this] { perform(RunCommand::Compile, session()); }});
    else setState({});
    m_verdict->setVisible(!m_picture.fits);
    m_verdictText->setText(m_picture.outOfMemory);
    m_worstTile->setVisible(m_picture.worst.tile >= 0);
    m_facts->setText(compileFacts(m_picture).join(QStringLiteral(" · ")));
    m_flame->setSteps(m_picture.steps);
    m_flame->setVisible(!m_picture.steps.empty());
    fillTable();
}

void CompileView::fillTable()
{
    auto const keep = std::make_shared<CompilePicture const>(m_picture);
    auto const at = [keep](int row) -> CompileStep const & { return keep->steps[static_cast<std::size_t>(row)]; };
    double longest = 0;
    std::vector<int> parents;
    for (auto const &step : keep->steps) {
        longest = std::max(longest, step.seconds);
        parents.push_back(step.parent);
    }
    auto const count = [](std::int64_t n) { return n < 0 ? QString() : countText(n); };
    std::vector<Column> columns;
    columns.push_back({.title = tr("Phase or pass"),
                       .text = [at](int row) { return phaseText(at(row).name); },
                       .value = [at](int row) { return QVariant(at(row).name); },
                       .width = 60 * kGrid});
    columns.push_back({.title = tr("Time (measured)"),
                       .text = [at](int row) { return at(row).ended ? secondsText(at(row).seconds) : tr("did not end"); },
                       .value = [at](int row) { return QVariant(at(row).seconds); },
                       .bar = [at, longest](int row) { return longest > 0 ? at(row).seconds / longest : 0; },
                       .number = true});
    columns.push_back({.title = tr("Nodes before"),
                       .text = [at, count](int row) { return count(at(row).before); },
                       .value = [at](int row) { return at(row).before < 0 ? QVariant() : QVariant(qlonglong(at(row).before)); },
                       .number = true});
    columns.push_back({.title = tr("Nodes after"),
                       .text = [at, count](int row) { return count(at(row).after); },
                       .value = [at](int row) { return at(row).after < 0 ? QVariant() : QVariant(qlonglong(at(row).after)); },
                       .number = true});
    bool const flat = std::all_of(parents.begin(), parents.end(), [](int parent) { return parent < 0; });
    m_table->fill(std::move(columns), static_cast<int>(keep->steps.size()), flat ? std::vector<int>() : parents, keep);
    m_table->tree().expandAll();
}

void CompileView::showWorstTile()
{
    session().selection().selectIds(SelectionKind::Tile, {m_picture.worst.tile}, this);
    emit session().viewRequested(QStringLiteral("memory"));
}

void CompileView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    if (isCompiling()) showProgress();
}

} // namespace

ViewDescriptor compileView()
{
    return {"compile",
            QT_TRANSLATE_NOOP("views", "Compile"),
            "compile",
            ViewDescriptor::Bottom,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new CompileView(session, parent); }};
}

} // namespace tilewright::views

#include "compile_view.moc"
