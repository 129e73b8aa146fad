#include "views/program/program_view.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/figures/comparison.h"
#include "views/figures/details_pane.h"
#include "views/figures/run_choices.h"
#include "views/jobs/job_runner.h"
#include "views/program/program_describe.h"
#include "views/program/program_rows.h"
#include "views/reports/report_snapshot.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/wording/labels.h"

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

namespace tilewright::views {

namespace {

constexpr std::size_t kSynchronous = 20000; ///< with more programs the layout runs in the background
constexpr int kSideBySide = kGrid * 190;

class ProgramView : public View {
    Q_OBJECT
public:
    ProgramView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(tr("Program"))}; }
    QJsonObject saveState() const override
    {
        return {{QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())},
                {QStringLiteral("compare"), m_compare->isChecked()}};
    }
    void restoreState(QJsonObject const &state) override
    {
        m_splitter->restoreState(QByteArray::fromBase64(state.value(QLatin1String("splitter")).toString().toLatin1()));
        m_compare->setChecked(state.value(QLatin1String("compare")).toBool(true));
    }
    bool isSettled() const override { return !m_building; }
    void startSearch() override { m_table->focusFilter(); }

protected:
    void refresh() override;
    void grow(Growth growth) override;
    void follow() override;
    void showMoment() override;
    void restyle() override { m_rows.reset(); }
    void resizeEvent(QResizeEvent *event) override
    {
        View::resizeEvent(event);
        m_splitter->setOrientation(width() < kSideBySide ? Qt::Vertical : Qt::Horizontal);
    }

private:
    void show(std::shared_ptr<ProgramRows> rows);
    void sayHeadline();
    void describe(int row);
    void openInTime(int row);

    std::shared_ptr<ProgramRows> m_rows;
    ReportPtr m_report, m_before; ///< of m_rows or of the job
    QString m_beforeName;
    int m_run = report::kNone, m_ipu = report::kNone;
    bool m_building = false;
    TablePane *m_table = nullptr;
    DetailsPane *m_details = nullptr;
    QSplitter *m_splitter = nullptr;
    QComboBox *m_runChoice = nullptr, *m_ipuChoice = nullptr;
    QToolButton *m_inTime = nullptr;
    CompareButton *m_compare = nullptr;
};

ProgramView::ProgramView(Session &session, QWidget *parent) : View(QStringLiteral("program"), session, parent)
{
    setDependsOn(true, false, false);
    setShowsMoment();
    m_runChoice = new QComboBox(this);
    m_runChoice->setAccessibleName(tr("Run whose cycles are shown"));
    m_ipuChoice = new QComboBox(this);
    m_ipuChoice->setAccessibleName(tr("IPUs whose cycles are shown"));
    m_inTime = new QToolButton(this);
    m_inTime->setText(tr("Show in time"));
    m_inTime->setProperty("role", "word");
    m_inTime->setToolTip(tr("Shows the chosen step in the execution view (Enter)"));
    m_inTime->setAccessibleDescription(m_inTime->toolTip());
    m_compare = new CompareButton(this);
    comparesReports(*this);
    for (QWidget *widget : {static_cast<QWidget *>(m_runChoice), static_cast<QWidget *>(m_ipuChoice), static_cast<QWidget *>(m_compare),
                            static_cast<QWidget *>(m_inTime)})
        addHeadlineWidget(widget);

    m_table = new TablePane(tr("Program steps"), this);
    m_details = new DetailsPane(session, this, tr("Chosen step"), this);
    auto *left = new QWidget(this);
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_table, 1);
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
        for (int const row : picked)
            if (!m_rows->isGone(row)) programs.push_back(m_rows->node(row).program);
        std::ranges::sort(programs);
        programs.erase(std::ranges::unique(programs).begin(), programs.end());
        describe(picked.front());
        if (programs.empty()) return;
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
    connect(m_compare, &QToolButton::toggled, this, [this] {
        if (m_rows) refreshNow();
    });
    connect(m_runChoice, &QComboBox::activated, this, choose);
    connect(m_ipuChoice, &QComboBox::activated, this, choose);
}

void ProgramView::sayHeadline()
{
    auto const report = session().report();
    if (!report) return;
    bool const shown = m_rows && m_rows->now.report == report;
    int const functions = shown ? m_rows->functions() : static_cast<int>(report->data().functions.size());
    QStringList words{programHeadline(report->data(), runFrame(report->data(), m_run), functions)};
    if (shown && m_rows->compared()) words << programComparisonText(*m_rows);
    setHeadline(words.join(QStringLiteral(" · ")));
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
    m_compare->offer(session());
    auto const before = m_compare->report();
    QString const name = m_compare->name();
    sayHeadline();
    if (!report->isWhole() || (m_rows && m_report == report && m_before == before && m_beforeName == name)) return;
    if (m_report != report) m_run = m_ipu = report::kNone;
    m_report = report;
    m_before = before;
    m_beforeName = name;
    fillRunChoices(*m_runChoice, *m_ipuChoice, m_report->data(), m_run, m_ipu);
    if (report->data().programs.size() + (before ? before->data().programs.size() : 0) <= kSynchronous) {
        session().jobs().cancelSlot(this, QStringLiteral("program-tree"));
        m_building = false;
        show(makeProgramRows(report, before, name, m_run, m_ipu));
        return;
    }
    m_building = true;
    session().jobs().compute<std::shared_ptr<ProgramRows>>(
        this, JobKind::LayOut, QStringLiteral("program-tree"),
        [report, before, name, run = m_run, ipu = m_ipu](JobContext const &) -> Result<std::shared_ptr<ProgramRows>> {
            return makeProgramRows(report, before, name, run, ipu);
        },
        [this, report, before](Result<std::shared_ptr<ProgramRows>> rows) {
            m_building = false;
            if (rows.ok() && report == m_report && before == m_before) show(*rows);
        });
}

void ProgramView::show(std::shared_ptr<ProgramRows> rows)
{
    for (auto const *side : {&rows->now, &rows->before})
        for (auto const &program : side->report->data().programs)
            if (!rows->icons.contains(program.kind)) rows->icons[program.kind] = programKindIcon(program.kind);
    rows->icons["function"] = programKindIcon("function");
    rows->playhead = icon(QStringLiteral("run"));
    rows->stands = session().playhead().moment().program;
    m_rows = std::move(rows);
    m_table->setCounted([shown = m_rows](int row) { return shown->isStep(row); },
                        [](int shown, int all) {
                            return shown == all ? tr("%Ln program step(s)", nullptr, all)
                                                : tr("%1 of %Ln program step(s)", nullptr, all).arg(countText(shown));
                        });
    m_table->fill(programColumns(*m_rows), m_rows->count(), m_rows->parents(), m_rows);
    sayHeadline();
    // Small programs open far enough to show the content of a step; large ones stay closed, so that they open quickly.
    auto &tree = m_table->tree();
    tree.expandToDepth(m_rows->count() < 5000 ? 1 : 0);
    if (m_rows->count() > 0) describe(std::max(0, m_table->currentRow()));
    follow();
    showMoment();
}

void ProgramView::describe(int row)
{
    if (!m_rows || row < 0 || row >= m_rows->count()) return;
    QList<FactSection> sections;
    if (!m_rows->isGone(row)) { // links to the other report's rows would be wrong
        auto const &node = m_rows->node(row);
        auto const &byProgram = m_rows->now.byProgram;
        auto const cost = byProgram.empty() ? RunCost{} : byProgram[static_cast<std::size_t>(node.program)];
        sections = describeStep(*m_rows->now.report, node, m_rows->cost(row), cost, m_rows->now.frame, m_rows->ipu);
    }
    if (auto const amount = m_rows->amount(row); amount.before || amount.now) {
        FactSection section{tr("Compared with %1").arg(m_rows->beforeName), {}};
        if (amount.before) section.facts << Fact{tr("Cycles"), tr("%1 of a step").arg(cyclesText(std::llround(*amount.before)))};
        section.facts << Fact{tr("Difference"),
                              QStringLiteral("%1 · %2").arg(amountDifferenceText(AmountUnit::Cycles, amount), amountChangeText(amount))};
        sections.insert(std::min<qsizetype>(2, sections.size()), section);
    }
    m_details->show(m_rows->title(row), sections);
}

void ProgramView::openInTime(int row)
{
    if (!m_rows || row < 0 || row >= m_rows->count() || m_rows->isGone(row)) return;
    session().selection().selectIds(SelectionKind::Program, {m_rows->node(row).program}, this);
    Q_EMIT session().viewRequested(QStringLiteral("execution"));
}

void ProgramView::follow()
{
    auto const &selected = session().selection().current();
    setNote({});
    if (!m_rows || selected.kind == SelectionKind::None) return;
    auto const &lineage = session().selection().lineage();
    std::vector<int> marked;
    std::int64_t leaves = 0, steps = 0;
    for (int row = 0; row < m_rows->count(); ++row) {
        if (m_rows->isGone(row)) continue;
        bool const control = report::isControlKind(m_rows->program(row).kind);
        leaves += !control;
        if (!Lineage::has(lineage.programs, m_rows->node(row).program)) continue;
        steps += !control;
        marked.push_back(row);
    }
    setNote(tr("%1 of %2 program steps belong to %3").arg(countText(steps), countText(leaves), session().selection().text()));
    if (session().selection().origin() == this) return;
    // Loops and functions contain nearly everything, so only steps are marked, if there are any.
    if (steps > 0) std::erase_if(marked, [&](int row) { return report::isControlKind(m_rows->program(row).kind); });
    constexpr std::size_t kMarked = 2000;
    if (marked.size() > kMarked) marked.resize(kMarked);
    m_table->highlight(marked);
    if (!marked.empty()) describe(marked.front());
}

void ProgramView::grow(Growth growth)
{
    sayHeadline();
    View::grow(growth);
}

void ProgramView::showMoment()
{
    if (!m_rows) return;
    m_rows->stands = session().playhead().moment().program;
    auto &tree = m_table->tree();
    tree.viewport()->update();
    if (m_rows->stands < 0) return;
    int row = 0;
    while (row < m_rows->count() && (m_rows->isGone(row) || m_rows->node(row).program != m_rows->stands)) ++row;
    auto const index = m_table->proxy().mapFromSource(m_table->model().indexOfRow(row)); // invalid after the last row
    if (index.isValid()) tree.scrollTo(index);
}

} // namespace

ViewDescriptor programView()
{
    return {"program",      QT_TRANSLATE_NOOP("views", "Program"),
            "program",      ViewDescriptor::Centre,
            QKeySequence(), [](Session &session, QWidget *parent) -> View * { return new ProgramView(session, parent); }};
}

} // namespace tilewright::views

#include "program_view.moc"
