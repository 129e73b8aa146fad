#include "views/plan/plan_view.h"

#include "views/advice/problem_list.h"
#include "views/advice/rule_watch.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/figures/fact_list.h"
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
    bool isSettled() const override { return RuleWatch::of(session()).isSettled(); }
    void startSearch() override { m_table->focusSearch(); }
    QJsonObject saveState() const override { return {{QStringLiteral("changedOnly"), m_table->changedOnly()}}; }
    void restoreState(QJsonObject const &state) override { m_table->setChangedOnly(state.value(QStringLiteral("changedOnly")).toBool()); }

protected:
    void refresh() override;
    void follow() override;

private:
    void show(project::Project const &project);

    PropertyTable *m_table;
    MetricList *m_metrics;
    FactList *m_facts;
    ProblemList *m_problems;
};

PlanView::PlanView(Session &session, QWidget *parent)
    : View(QStringLiteral("plan"), session, parent), m_table(new PropertyTable(session.document(), tr("Training plan"), this)),
      m_metrics(new MetricList(session, this)), m_facts(new FactList(session, this, tr("What follows"))),
      m_problems(new ProblemList(session, this))
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
    connect(&RuleWatch::of(session), &RuleWatch::changed, this, [this] {
        auto const &document = this->session().document();
        if (isVisible() && document.isOpen()) show(document.project());
    });
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
    auto const &rules = RuleWatch::of(session());
    auto const figures = planFigures(project, rules.counts());
    setHeadline(planHeadline(project, figures));
    m_facts->setSections(planFacts(project, figures));
    bool const isOpenOne = &project == &session().document().project();
    m_problems->setProblems(
        planProblems(isOpenOne ? rules.problems() : ruleProblemsAfter(session().document().project(), project, rules.samples())));
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
