#include "views/problems/problems_view.h"

#include "views/advice/fix_trials.h"
#include "views/advice/layer_cost_watch.h"
#include "views/advice/problem_log.h"
#include "views/advice/rule_watch.h"
#include "views/common/figure_parts.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/problems/problem_card.h"
#include "views/problems/problem_text.h"
#include "views/session/selection.h"
#include "views/subjects/destination.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>

namespace tilewright::views {

namespace {

/// More would hide the first ones and cost seconds to lay out; the text below says how many are left.
constexpr std::size_t kMostCards = 100;

class ProblemsView : public View {
    Q_OBJECT
public:
    ProblemsView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;

protected:
    void refresh() override;
    void follow() override;
    void restyle() override
    {
        QMetaObject::invokeMethod(this, &ProblemsView::rebuild, Qt::QueuedConnection);
    } // nothing goes while Qt restyles
    void showEvent(QShowEvent *event) override
    {
        View::showEvent(event);
        refresh(); // errors of actions and runs come while nobody looks
    }

private:
    void rebuild();
    Diagnostic withTrials(Diagnostic problem, std::vector<ProjectFix> &fixes) const;
    void addCard(Diagnostic const &problem);

    std::vector<Diagnostic> m_problems;
    FixTrials *m_trials = nullptr; ///< what would make it fit, where it does not
    QScrollArea *m_scroll = nullptr;
    QList<ProblemCard *> m_cards;
};

ProblemsView::ProblemsView(Session &session, QWidget *parent) : View(QStringLiteral("problems"), session, parent)
{
    setDependsOn(true, true, false);
    m_trials = &FixTrials::of(session);
    connect(m_trials, &FixTrials::changed, this, [this] {
        if (this->session().document().isOpen()) rebuild();
    });
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(tr("Problems"));
    setBody(m_scroll);
    drawsFigures(*this);
    connect(&ProblemLog::of(session), &ProblemLog::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

void ProblemsView::refresh()
{
    auto problems = ProblemLog::of(session()).all();
    if (!session().document().isOpen() && problems.empty()) {
        m_problems.clear();
        setHeadline({});
        setState({ViewState::Empty, tr("Open a project to see what is wrong with it."), {}, {}});
        rebuild();
        return;
    }
    if (session().document().isOpen() && std::ranges::any_of(problems, [](Diagnostic const &p) { return p.kind == ErrorKind::DoesNotFit; }))
        m_trials->search();
    setHeadline(problemsHeadline(problems));
    setState(problems.empty() ? ViewState{ViewState::Empty, tr("The model, the training plan and the configuration are sound."), {}, {}}
                              : ViewState{});
    m_problems = std::move(problems);
    rebuild(); // also when they are the same: another value may cure them now
    follow();
}

void ProblemsView::rebuild()
{
    int const scrolled = m_scroll->verticalScrollBar()->value();
    m_cards.clear();
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    m_scroll->setWidget(page); // deletes the one before
    for (std::size_t i = 0; i < std::min(m_problems.size(), kMostCards); ++i) addCard(m_problems[i]);
    if (m_problems.size() > kMostCards) {
        auto *rest = new QLabel(tr("%1 more are not shown.").arg(m_problems.size() - kMostCards), page);
        rest->setProperty("role", "secondary");
        column->addWidget(rest);
    }
    column->addStretch(1);
    m_scroll->verticalScrollBar()->setValue(scrolled);
}

/// For what does not fit: fixes that a compile has tried, in place of general advice.
Diagnostic ProblemsView::withTrials(Diagnostic problem, std::vector<ProjectFix> &fixes) const
{
    if (problem.kind != ErrorKind::DoesNotFit) return problem;
    if (!session().document().isOpen()) {
        auto const stored = session().report() ? storedFixes(*session().report()) : std::vector<TriedFix>();
        if (stored.empty()) return problem;
        QStringList lines{tr("Tried by compiles when the report was written; open its project to apply one:")};
        for (auto const &tried : stored) lines << QStringLiteral("• ") + tried.title();
        problem.remedy = lines.join(QLatin1Char('\n')).toStdString();
        return problem;
    }
    problem.remedy.clear();
    if (m_trials->isSearching()) problem.remedy = tr("Trying changes that make it fit …").toStdString();
    if (!m_trials->isDone()) return problem;
    problem.remedy =
        (m_trials->fixes().empty() ? tr("No number of tiles, share of memory, batch size or pipeline stages that was tried makes it fit.")
                                   : tr("Each of these was tried by a compile:"))
            .toStdString();
    for (auto const &tried : m_trials->fixes())
        fixes.push_back({tried.title(), [fields = tried.fields](project::Project &project) -> Status {
                             for (auto const &[path, value] : fields) {
                                 TW_ASSIGN(project, project::withField(project, path.toStdString(), value.toStdString(), nullptr));
                             }
                             return {};
                         }});
    return problem;
}

void ProblemsView::addCard(Diagnostic const &problem)
{
    auto fixes =
        projectFixes(session().document().project(), problem, RuleWatch::of(session()).samples(), LayerCostWatch::of(session()).proposer());
    auto *card = new ProblemCard(withTrials(problem, fixes), fixes, m_scroll->widget());
    m_scroll->widget()->layout()->addWidget(card);
    m_cards.append(card);
    QString const subject = QString::fromStdString(problem.subject);
    connect(card, &ProblemCard::picked, this, [this, subject] { goToSubject(session(), subject, false, this); });
    connect(card, &ProblemCard::activated, this, [this, subject] { goToSubject(session(), subject, true, this); });
    connect(
        card, &ProblemCard::fixChosen, this,
        [this, fixes](int fix) {
            auto const &chosen = fixes[static_cast<std::size_t>(fix)];
            auto const status = session().document().edit(chosen.title, chosen.apply);
            if (!status.ok()) session().raiseError(status.error());
        },
        Qt::QueuedConnection); // the card is gone when the edit returns
}

void ProblemsView::follow()
{
    auto const &current = session().selection().current();
    for (auto *card : m_cards) {
        auto const link = destinationOf(session().document().project(), QString::fromStdString(card->problem().subject));
        bool const same = link && current.kind != SelectionKind::None && link->selected.kind == current.kind
            && link->selected.name == current.name && link->selected.ids == current.ids;
        card->setMarked(same);
    }
}

QList<ExportTable> ProblemsView::exportTables() const
{
    ExportTable table{QStringLiteral("problems"), {tr("Severity"), tr("Code"), tr("Subject"), tr("Message"), tr("Remedy")}, {}};
    for (auto const &problem : m_problems) {
        auto const said = diagnosticText(problem);
        table.rows.append({severityWord(problem.severity), QString::fromStdString(problem.code), QString::fromStdString(problem.subject),
                           said.message, said.remedy});
    }
    return {table};
}

} // namespace

ViewDescriptor problemsView()
{
    return {"problems",
            QT_TRANSLATE_NOOP("views", "Problems"),
            "problems",
            ViewDescriptor::Bottom,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new ProblemsView(session, parent); }};
}

} // namespace tilewright::views

#include "problems_view.moc"
