#include "views/plan/plan_view.h"

#include "views/advice/problem_list.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/plan/metric_list.h"
#include "views/plan/plan_figures.h"
#include "views/plan/plan_specs.h"
#include "views/properties/property_table.h"
#include "views/session/selection.h"
#include "views/widgets/adaptive_splitter.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace tilewright::views {

class PlanView : public View {
    Q_OBJECT
public:
    PlanView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(QStringLiteral("training"))}; }
    bool isSettled() const override { return !m_counting; }
    void startSearch() override { m_table->focusSearch(); }
    QJsonObject saveState() const override { return {{QStringLiteral("changedOnly"), m_table->changedOnly()}}; }
    void restoreState(QJsonObject const &state) override { m_table->setChangedOnly(state.value(QStringLiteral("changedOnly")).toBool()); }

protected:
    void refresh() override;
    void follow() override;

private:
    void show(project::Project const &project);
    void count();

    PropertyTable *m_table;
    MetricList *m_metrics;
    FactList *m_facts;
    ProblemList *m_problems;
    std::optional<data::DataSourceSpec> m_counted; ///< what m_counts is of
    std::optional<DataCounts> m_counts;
    bool m_counting = false;
};

PlanView::PlanView(Session &session, QWidget *parent)
    : View(QStringLiteral("plan"), session, parent), m_table(new PropertyTable(session.document(), tr("Training plan"), this)),
      m_metrics(new MetricList(session, this)), m_facts(new FactList(tr("What follows"))), m_problems(new ProblemList(session, this))
{
    setDependsOn(false, true, false);
    auto *side = new QWidget;
    auto *sideColumn = new QVBoxLayout(side);
    sideColumn->setContentsMargins(kGap, 0, kGrid, 0);
    sideColumn->setSpacing(kGap);
    sideColumn->addWidget(m_facts);
    sideColumn->addWidget(m_metrics, 1);
    auto *split = new AdaptiveSplitter(170 * kGrid, 3, 2, this);
    split->addWidget(m_table);
    split->addScrolled(*side);
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    column->addWidget(m_problems);
    column->addWidget(split, 1);
    setBody(body);
    connect(m_problems, &ProblemList::fieldWanted, this, [this](QString const &path) { m_table->showRow(path); });
    connect(m_table, &PropertyTable::tried, this, [this](QString const &, std::shared_ptr<project::Project const> const &trial) {
        show(trial ? *trial : this->session().document().project());
    });
    connect(m_table, &PropertyTable::rowFocused, this, [this](QString const &path) {
        Selected selected;
        selected.kind = SelectionKind::Option;
        selected.name = path;
        this->session().selection().select(selected, this);
    });
}

void PlanView::refresh()
{
    auto const &document = session().document();
    if (!document.isOpen()) {
        setHeadline({});
        return setState({ViewState::Empty, tr("Open or make a project to plan its training."), {}, {}});
    }
    setState({});
    m_table->setSpecs(planSpecs(document.project()));
    m_metrics->refresh();
    count();
    show(document.project());
}

void PlanView::follow()
{
    auto const &selected = session().selection().current();
    if (selected.kind == SelectionKind::Option && session().selection().origin() != this
        && selected.name.startsWith(QStringLiteral("training.")))
        m_table->showRow(selected.name, false);
}

void PlanView::show(project::Project const &project)
{
    auto const figures = planFigures(project, m_counts);
    setHeadline(planHeadline(project, figures));
    m_facts->setSections(planFacts(project, figures));
    auto const problems = planProblems(project, figures, session().document().problems());
    m_problems->setProblems(problems.problems, problems.fixes);
}

void PlanView::count()
{
    auto const &document = session().document();
    auto const spec = project::dataSource(document.project());
    if (m_counted == spec) return;
    m_counted = spec;
    m_counts.reset();
    m_counting = true;
    session().jobs().compute<DataCounts>(
        this, JobKind::ReadData, QStringLiteral("plan.count"),
        [spec, folder = document.folder()](JobContext const &job) { return countData(spec, folder, job); },
        [this, spec](Result<DataCounts> const &counts) {
            m_counting = false;
            if (m_counted != spec) return;
            if (counts.ok()) m_counts = *counts; // what is wrong with data is told by their view
            show(session().document().project());
        });
}

ViewDescriptor planView()
{
    return {"plan",
            QT_TRANSLATE_NOOP("views", "Training plan"),
            "plan",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+2")),
            [](Session &session, QWidget *parent) -> View * { return new PlanView(session, parent); }};
}

} // namespace tilewright::views

#include "plan_view.moc"
