#include "views/program/program_view.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/figures/labels.h"
#include "views/figures/run_choices.h"
#include "views/figures/text.h"
#include "views/program/program_describe.h"
#include "views/session/job_runner.h"
#include "views/session/report_snapshot.h"
#include "views/session/selection.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QIcon>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::views {

namespace {

constexpr int kSynchronous = 20000; ///< more programs than this are laid out in the background
constexpr int kSideBySide = kGrid * 190;

/// What the table shows; shared with its columns.
struct ProgramRows {
    ReportPtr report;
    RunFrame frame;
    ProgramTree tree;
    std::vector<RunCost> byProgram;
    std::vector<NodeCost> costs;
    std::map<std::string, QIcon> icons;
    int ipu = report::kNone;
    double cycles = 0; ///< of the run on the IPUs shown
    int stands = -1;   ///< program that a paused run has done last
    QIcon playhead;
    std::int64_t ofStep(Cycles ofRun) const { return std::llround(cyclesPerStep(frame, ofRun, ipu)); }
    Bytes bytesOfStep(int row) const { return bytesPerStep(frame, cost(row).moved, ipu); }
    ProgramNode const &node(int row) const { return tree.nodes[static_cast<std::size_t>(row)]; }
    NodeCost const &cost(int row) const { return costs[static_cast<std::size_t>(row)]; }
    report::ProgramRow const &program(int row) const { return report->data().programs[static_cast<std::size_t>(node(row).program)]; }
    std::string const &kind(int row) const
    {
        static std::string const function("function");
        return node(row).function >= 0 ? function : program(row).kind;
    }
};

std::shared_ptr<ProgramRows> makeRows(ReportPtr const &report, int run, int ipu)
{
    auto rows = std::make_shared<ProgramRows>();
    auto const &d = report->data();
    rows->report = report;
    rows->frame = runFrame(d, run);
    rows->tree = programTree(d);
    rows->byProgram = costsByProgram(d, rows->frame.run, ipu);
    auto const kept = report->liveCurve("all", 0);
    auto const &curve = *kept;
    std::vector<Bytes> live;
    live.reserve(curve.notAlwaysLive.size());
    for (auto const bytes : curve.notAlwaysLive) live.push_back(bytes + curve.alwaysLive);
    rows->costs = nodeCosts(d, rows->tree, rows->byProgram, live);
    rows->ipu = ipu;
    rows->cycles = rows->frame.ipuCycles(ipu);
    return rows;
}

class ProgramView : public View {
    Q_OBJECT
public:
    ProgramView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(tr("Program"))}; }
    QJsonObject saveState() const override { return {{QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())}}; }
    void restoreState(QJsonObject const &state) override { m_splitter->restoreState(QByteArray::fromBase64(state.value(QLatin1String("splitter")).toString().toLatin1())); }
    bool isSettled() const override { return !m_building; }
    void startSearch() override { m_table->focusFilter(); }

protected:
    void refresh() override;
    void follow() override;
    void stand() override;
    void restyle() override { m_rows.reset(); }
    void resizeEvent(QResizeEvent *event) override
    {
        View::resizeEvent(event);
        m_splitter->setOrientation(width() < kSideBySide ? Qt::Vertical : Qt::Horizontal);
    }

private:
    void show(std::shared_ptr<ProgramRows> rows);
    std::vector<Column> columns() const;
    void describe(int row);
    void openInTime(int row);

    std::shared_ptr<ProgramRows> m_rows;
    ReportPtr m_report; ///< that m_rows or the job is of
    int m_run = report::kNone, m_ipu = report::kNone;
    bool m_building = false;
    TablePane *m_table = nullptr;
    DetailsPane *m_details = nullptr;
    QSplitter *m_splitter = nullptr;
    QComboBox *m_runChoice = nullptr, *m_ipuChoice = nullptr;
    QToolButton *m_inTime = nullptr;
    QLabel *m_related = nullptr;
};

ProgramView::ProgramView(Session &session, QWidget *parent) : View(QStringLiteral("program"), session, parent)
{
    setDependsOn(true, false, false);
    setShowsStanding();
    m_runChoice = new QComboBox(this);
    m_runChoice->setAccessibleName(tr("Run whose cycles are shown"));
    m_ipuChoice = new QComboBox(this);
    m_ipuChoice->setAccessibleName(tr("IPUs whose cycles are shown"));
    m_inTime = new QToolButton(this);
    m_inTime->setText(tr("Show in time"));
    m_inTime->setProperty("role", "word");
    m_inTime->setToolTip(tr("Shows the chosen step in the execution view (Enter)"));
    m_inTime->setAccessibleDescription(m_inTime->toolTip());
    for (QWidget *widget : {static_cast<QWidget *>(m_runChoice), static_cast<QWidget *>(m_ipuChoice), static_cast<QWidget *>(m_inTime)}) addHeadlineWidget(widget);

    m_table = new TablePane(tr("Program steps"), this);
    m_details = new DetailsPane(session, this, tr("Chosen step"), this);
    m_related = new QLabel(this);
    m_related->setProperty("role", "secondary");
    m_related->hide();
    auto *left = new QWidget(this);
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_table, 1);
    column->addWidget(m_related);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_details);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({kGrid * 196, kGrid * 64});
    setBody(m_splitter);
    drawsFigures(*this);
    keepOutOfFigures(*m_details);
    m_details->showHint(tr("Choose a step to see what it does and what it costs."));

    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &picked) {
        if (!m_rows || picked.empty()) return;
        std::vector<int> programs;
        for (int const row : picked) programs.push_back(m_rows->node(row).program);
        std::ranges::sort(programs);
        programs.erase(std::ranges::unique(programs).begin(), programs.end());
        describe(picked.front());
        this->session().selection().selectIds(SelectionKind::Program, programs, this);
    });
    connect(m_table, &TablePane::rowActivated, this, &ProgramView::openInTime);
    connect(m_inTime, &QToolButton::clicked, this, [this] { openInTime(m_table->currentRow()); });
    auto const choose = [this] {
        m_run = m_runChoice->currentData().toInt();
        m_ipu = m_ipuChoice->currentData().toInt();
        m_rows.reset();
        refreshNow();
    };
    connect(m_runChoice, &QComboBox::activated, this, choose);
    connect(m_ipuChoice, &QComboBox::activated, this, choose);
}

void ProgramView::refresh()
{
    auto const report = session().report();
    if (!applyReportState("program")) {
        m_rows.reset();
        m_report.reset();
        setHeadline(tr("No report yet: the program comes with a compile"));
        return;
    }
    setHeadline(programHeadline(report->data(), runFrame(report->data(), m_run)));
    if (!report->isWhole() || (m_rows && m_report == report)) return;
    if (m_report != report) {
        m_run = m_ipu = report::kNone;
        m_report = report;
    }
    fillRunChoices(*m_runChoice, *m_ipuChoice, m_report->data(), m_run, m_ipu);
    if (static_cast<int>(report->data().programs.size()) <= kSynchronous) {
        show(makeRows(report, m_run, m_ipu));
        return;
    }
    m_building = true;
    session().jobs().compute<std::shared_ptr<ProgramRows>>(this, JobKind::LayOut, QStringLiteral("program-tree"),
        [report, run = m_run, ipu = m_ipu](JobContext const &) -> Result<std::shared_ptr<ProgramRows>> { return makeRows(report, run, ipu); },
        [this, report](Result<std::shared_ptr<ProgramRows>> rows) {
            m_building = false;
            if (rows.ok() && report == m_report) show(*rows);
        });
}

void ProgramView::show(std::shared_ptr<ProgramRows> rows)
{
    for (auto const &program : rows->report->data().programs)
        if (!rows->icons.contains(program.kind)) rows->icons[program.kind] = programKindIcon(program.kind);
    rows->icons["function"] = programKindIcon("function");
    rows->playhead = icon(QStringLiteral("run"));
    rows->stands = standingProgram(session());
    m_rows = std::move(rows);
    m_table->fill(columns(), static_cast<int>(m_rows->tree.nodes.size()), m_rows->tree.parents(), m_rows);
    // Small programs open far enough to show what a step does; large ones stay closed, so they open at once.
    auto &tree = m_table->tree();
    tree.expandToDepth(m_rows->tree.nodes.size() < 5000 ? 1 : 0);
    if (!m_rows->tree.nodes.empty()) describe(std::max(0, m_table->currentRow()));
    follow();
    stand();
}

std::vector<Column> ProgramView::columns() const
{
    auto const *rows = m_rows.get();
    auto const whole = [](std::int64_t v) { return QVariant::fromValue<qlonglong>(v); };
    auto const share = [rows](int row) { return rows->cycles > 0 ? static_cast<double>(rows->cost(row).total) / rows->cycles : 0.0; };
    auto const bytes = [rows, whole](QString title, Bytes NodeCost::*field) {
        return Column{std::move(title), [rows, field](int row) { auto const v = rows->cost(row).*field; return v > 0 ? bytesText(v) : QString(); },
                      [rows, field, whole](int row) { return whole(rows->cost(row).*field); }, [rows, field](int row) { return bytesExact(rows->cost(row).*field); }, {}, true, {}, kGrid * 22};
    };
    std::vector<Column> all{
        Column{tr("Step"), [rows](int row) { return nodeTitle(rows->report->data(), rows->node(row)); }, {}, {}, {}, false,
               [rows](int row) { return QVariant::fromValue(rows->node(row).program == rows->stands && rows->node(row).function < 0 ? rows->playhead : rows->icons.at(rows->kind(row))); }, kGrid * 75},
        Column{tr("Kind"), [rows](int row) { return programKindLabel(rows->kind(row)); }, {}, {}, {}, false, {}, kGrid * 28},
        Column{tr("Repeats"), [rows](int row) { auto const &node = rows->node(row); return node.timesKnown ? Text::tr("%1 ×").arg(countText(node.times)) : Text::tr("depends on data"); },
               [rows, whole](int row) { return whole(rows->node(row).times); }, {}, {}, true, {}, kGrid * 30},
        Column{tr("Executions"), [rows](int row) { auto const n = rows->cost(row).executions; return n > 0 ? countText(n) : QString(); },
               [rows, whole](int row) { return whole(rows->cost(row).executions); }, {}, {}, true, {}, kGrid * 22},
        Column{tr("Cycles of a step (%1)").arg(cyclesOrigin(rows->frame.measured)), [rows](int row) { auto const n = rows->ofStep(rows->cost(row).total); return n > 0 ? countText(n) : QString(); },
               [rows, whole](int row) { return whole(rows->ofStep(rows->cost(row).total)); }, {}, {}, true, {}, kGrid * 40},
        Column{tr("Share"), [share](int row) { auto const s = share(row); return s > 0 ? shareText(s) : QString(); }, [share](int row) { return QVariant(share(row)); }, {}, share, true, {}, kGrid * 20},
        Column{tr("Own cycles"), [rows](int row) { auto const n = rows->ofStep(rows->cost(row).self); return n > 0 ? countText(n) : QString(); },
               [rows, whole](int row) { return whole(rows->ofStep(rows->cost(row).self)); }, {}, {}, true, {}, kGrid * 24},
        Column{tr("Bytes moved in a step"), [rows](int row) { auto const v = rows->bytesOfStep(row); return v > 0 ? bytesText(v) : QString(); },
               [rows, whole](int row) { return whole(rows->bytesOfStep(row)); }, [rows](int row) { return bytesExact(rows->bytesOfStep(row)); }, {}, true, {}, kGrid * 30},
        bytes(tr("Exchange and control code"), &NodeCost::code), bytes(tr("Live bytes"), &NodeCost::live),
        Column{tr("Layer"), [rows](int row) { return rows->report->layerOf(rows->program(row).op); }, {}, {}, {}, false, {}, kGrid * 32}};
    all[4].shortTitle = tr("Cycles"); // of a step; the headline says where they come from
    all[7].shortTitle = tr("Bytes moved");
    all[8].shortTitle = tr("Step code"); // without codelets, which steps share
    // The icon says the kind, the name the layer, own cycles differ from all only where steps are inside others: they stand
    // where names have all their room.
    for (int const place : {1, 2, 3, 6, 10}) all[static_cast<std::size_t>(place)].optional = true;
    return all;
}

void ProgramView::describe(int row)
{
    if (!m_rows || row < 0 || row >= static_cast<int>(m_rows->tree.nodes.size())) return;
    auto const &node = m_rows->node(row);
    auto const cost = m_rows->byProgram.empty() ? RunCost{} : m_rows->byProgram[static_cast<std::size_t>(node.program)];
    m_details->show(nodeTitle(m_rows->report->data(), node), describeStep(*m_rows->report, node, m_rows->cost(row), cost, m_rows->frame, m_rows->ipu));
}

void ProgramView::openInTime(int row)
{
    if (!m_rows || row < 0 || row >= static_cast<int>(m_rows->tree.nodes.size())) return;
    session().selection().selectIds(SelectionKind::Program, {m_rows->node(row).program}, this);
    Q_EMIT session().viewRequested(QStringLiteral("execution"));
}

void ProgramView::follow()
{
    auto const &selected = session().selection().current();
    m_related->setVisible(false);
    if (!m_rows || selected.kind == SelectionKind::None) return;
    auto const &lineage = session().selection().lineage();
    std::vector<int> marked;
    std::int64_t leaves = 0, steps = 0;
    for (int row = 0; row < static_cast<int>(m_rows->tree.nodes.size()); ++row) {
        bool const control = report::isControlKind(m_rows->program(row).kind);
        leaves += !control;
        if (!Lineage::has(lineage.programs, m_rows->node(row).program)) continue;
        steps += !control;
        marked.push_back(row);
    }
    m_related->setText(tr("%1 of %2 program steps belong to %3").arg(countText(steps), countText(leaves), session().selection().text()));
    m_related->setVisible(true);
    if (session().selection().origin() == this) return;
    // Loops and functions hold nearly everything: only steps are marked, where there are any.
    if (steps > 0) std::erase_if(marked, [&](int row) { return report::isControlKind(m_rows->program(row).kind); });
    constexpr std::size_t kMarked = 2000;
    if (marked.size() > kMarked) marked.resize(kMarked);
    m_table->highlight(marked);
    if (!marked.empty()) describe(marked.front());
}

void ProgramView::stand()
{
    if (!m_rows) return;
    m_rows->stands = standingProgram(session());
    auto &tree = m_table->tree();
    tree.viewport()->update();
    if (m_rows->stands < 0) return;
    auto const &nodes = m_rows->tree.nodes;
    auto const found = std::ranges::find(nodes, m_rows->stands, &ProgramNode::program);
    if (found == nodes.end()) return;
    auto const index = m_table->proxy().mapFromSource(m_table->model().indexOfRow(static_cast<int>(found - nodes.begin())));
    if (index.isValid()) tree.scrollTo(index);
}

} // namespace

ViewDescriptor programView()
{
    return {"program", QT_TRANSLATE_NOOP("views", "Program"), "program", ViewDescriptor::Centre, QKeySequence(),
            [](Session &session, QWidget *parent) -> View * { return new ProgramView(session, parent); }};
}

} // namespace tilewright::views

#include "program_view.moc"
