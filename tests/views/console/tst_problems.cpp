#include "tests/support/test_registry.h"

#include "engine/data/data_counts.h"
#include "engine/model/resolve.h"
#include "views/advice/problem_log.h"
#include "views/advice/rule_watch.h"
#include "views/document/document.h"
#include "views/modeledit/model_edits.h"
#include "views/problems/problem_card.h"
#include "views/problems/problem_text.h"
#include "views/problems/problems_view.h"
#include "views/problems/project_fixes.h"
#include "views/session/selection.h"

#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

project::Project tutorial() { return *project::fromTemplate("mnist-mlp"); }

Diagnostic const *withCode(std::vector<Diagnostic> const &problems, std::string const &code)
{
    for (auto const &problem : problems)
        if (problem.code == code) return &problem;
    return nullptr;
}

std::unique_ptr<View> makeView(Session &session)
{
    std::unique_ptr<View> view(problemsView().create(session, nullptr));
    view->resize(800, 300);
    view->show();
    return view;
}

/// Breaks a project in one way, and says which problem that makes.
struct Breakage {
    char const *code;
    void (*apply)(project::Project &);
};

} // namespace

class TstProblems : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void everyFixCuresItsProblem_data()
    {
        QTest::addColumn<int>("which");
        for (int i = 0; i < static_cast<int>(breakages().size()); ++i) QTest::newRow(breakages()[static_cast<std::size_t>(i)].code) << i;
    }
    void everyFixCuresItsProblem()
    {
        QFETCH(int, which);
        auto const &breakage = breakages()[static_cast<std::size_t>(which)];
        auto project = tutorial();
        breakage.apply(project);
        auto const problems = projectProblems(project);
        auto const *problem = withCode(problems, breakage.code);
        QVERIFY2(problem, problems.empty() ? "no problem" : problems.front().code.c_str());
        auto const fixes = projectFixes(project, *problem);
        QVERIFY(!fixes.empty());
        for (auto const &fix : fixes) {
            auto cured = project;
            QVERIFY(fix.apply(cured).ok());
            QVERIFY(cured != project);
            auto const left = projectProblems(cured);
            auto const *same = withCode(left, breakage.code);
            QVERIFY2(!same || same->subject != problem->subject || same->message != problem->message, qPrintable(fix.title));
        }
    }
    void aClassifierOverAnImageGetsAFlatten()
    {
        auto project = tutorial();
        // Without its Flatten the tutorial predicts a row of classes per line of the picture.
        std::erase_if(project.model.layers, [](auto const &layer) { return layer.className == "Flatten"; });
        project.model.layers.front().config["batch_input_shape"] = model::Json::parse("[null,28,28]");
        auto const problem =
            makeError(ErrorKind::Data, "data.label-shape", "SparseCategoricalCrossentropy", "labels of shape (32) do not fit", "");
        auto const fixes = projectFixes(project, problem);
        QCOMPARE(fixes.size(), 1u);
        QVERIFY(fixes[0].title.startsWith(QStringLiteral("Insert Flatten before ")));
        QVERIFY(fixes[0].apply(project).ok());
        auto const resolved = model::resolve(project.model);
        QVERIFY(resolved.ok());
        QCOMPARE(resolved->calls[resolved->outputs.front()].shape.size(), 2u);
    }
    void aProblemWithoutAnObviousEditOffersNone()
    {
        QVERIFY(projectFixes(tutorial(), makeError(ErrorKind::Data, "data.missing", "/x", "no such file")).empty());
    }
    void theHeadlineCounts()
    {
        QCOMPARE(problemsHeadline({}), QStringLiteral("No problems"));
        auto const error = makeError(ErrorKind::Invalid, "a", "", "x");
        auto const warning = makeWarning("b", "", "x");
        QCOMPARE(problemsHeadline({error, error, warning}), QStringLiteral("2 error(s), 1 warning(s)"));
    }
    /// A fix for one error completes what the rules want besides: the next error does not come behind it.
    void noFixLeadsIntoTheNextError()
    {
        auto const count = [](project::Project const &project) {
            return std::optional(data::countsAtOnce(project::dataSource(project))->train);
        };
        for (auto const &breakage : breakages()) {
            auto project = tutorial();
            breakage.apply(project);
            project.training.gradientAccumulationSteps = 3; // wants executions of three steps, which divide the 1,875 of an epoch
            for (auto const &problem : ruleProblems(project, count(project))) {
                if (problem.severity != Severity::Error) continue;
                auto const before = ruleProblems(project, count(project));
                for (auto const &fix : projectFixes(project, problem, count(project))) {
                    auto cured = project;
                    QVERIFY(fix.apply(cured).ok());
                    for (auto const &left : ruleProblems(cured, count(cured)))
                        QVERIFY2(left.severity != Severity::Error || std::ranges::find(before, left) != before.end(),
                                 qPrintable(fix.title + QStringLiteral(" leads to ") + QString::fromStdString(toText(left))));
                }
            }
        }
    }
    void proposedStagesComeWithAllThatTheyNeed()
    {
        auto const before = tutorial();
        for (int const stages : {2, 3, 4}) {
            auto project = before;
            project.model = withProposedStages(before.model, stages)->model;
            auto const done = completeEdit(project, before, 60000);
            QVERIFY2(done.ok(), done.ok() ? "" : toText(done.error()).c_str());
            for (auto const &problem : ruleProblems(project, data::countsAtOnce(project::dataSource(project))->train))
                QVERIFY2(problem.severity != Severity::Error, toText(problem).c_str());
        }
        // A loop that ends by its loss has no stages yet: nothing completes them, and the edit is refused.
        auto const loop = *project::fromTemplate("custom-loop");
        auto project = loop;
        project.model = withProposedStages(loop.model, 2)->model;
        QVERIFY(!completeEdit(project, loop, 60000).ok());
    }
    void theStripCountsWhatOnlyTheDataShow()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto &log = ProblemLog::of(session);
        QCOMPARE(log.count(Severity::Error), 0);
        QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("64")).ok());
        QCOMPARE(log.count(Severity::Error), 1);
        QCOMPARE(log.all().front().code, std::string("data.batch"));
        QVERIFY(session.document().setField(QStringLiteral("training.steps_per_execution"), QStringLiteral("7")).ok());
        QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("32")).ok());
        QCOMPARE(log.all().front().code, std::string("training.steps-per-execution"));
    }
    void aFixIsOneUndoStep()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(session.document().setField(QStringLiteral("data.limit"), QStringLiteral("256")).ok()); // 8 steps
        auto const view = makeView(session);
        QTRY_COMPARE(view->headline(), QStringLiteral("No problems"));
        auto const sound = session.document().project();
        QVERIFY(session.document()
                    .setFields(QStringLiteral("break"),
                               {{QStringLiteral("training.gradient_accumulation_steps"), QStringLiteral("4")},
                                {QStringLiteral("training.steps_per_execution"), QStringLiteral("6")}})
                    .ok());
        auto const broken = session.document().project();
        QTRY_COMPARE(view->headline(), QStringLiteral("1 error(s)"));
        QToolButton *fix = nullptr;
        for (auto *button : view->findChildren<QToolButton *>())
            if (button->text() == QLatin1String("Use 4 step(s) per execution")) fix = button;
        QVERIFY(fix);
        QTest::mouseClick(fix, Qt::LeftButton);
        QTRY_COMPARE(view->headline(), QStringLiteral("No problems"));
        QCOMPARE(session.document().project().training.stepsPerExecution, 4);
        QCOMPARE(session.document().undoStack().undoText(), QStringLiteral("Use 4 step(s) per execution"));
        session.document().undoStack().undo();
        QVERIFY(session.document().project() == broken);
        QTRY_COMPARE(view->headline(), QStringLiteral("1 error(s)"));
        session.document().undoStack().undo();
        QVERIFY(session.document().project() == sound);
    }
    void goingToAProblemSelectsItsOptionAndAsksForItsView()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const view = makeView(session);
        QVERIFY(session.document().setField(QStringLiteral("ipu_config.io_tiles.place_ops_on_io_tiles"), QStringLiteral("true")).ok());
        QTRY_VERIFY(!view->findChildren<ProblemCard *>().isEmpty());
        ProblemCard *card = nullptr;
        QTRY_VERIFY([&] {
            for (auto *each : view->findChildren<ProblemCard *>())
                if (each->problem().code == "config.conflict") card = each;
            return card != nullptr;
        }());
        QSignalSpy requested(&session, &Session::viewRequested);
        card->setFocus();
        QTest::keyClick(card, Qt::Key_Return);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested.front().front().toString(), QStringLiteral("config"));
        QVERIFY(session.selection().current().kind == SelectionKind::Option);
        QCOMPARE(session.selection().current().name, QStringLiteral("ipu_config.io_tiles.place_ops_on_io_tiles"));
    }

private:
    static std::vector<Breakage> const &breakages()
    {
        static std::vector<Breakage> const list{
            {"training.steps-per-execution",
             [](project::Project &p) {
                 p.training.gradientAccumulationSteps = 4;
                 p.training.stepsPerExecution = 6;
             }},
            {"training.accumulation",
             [](project::Project &p) {
                 int stage = 0;
                 for (auto &layer : p.model.layers) layer.stage = stage < 1 ? stage++ : 1;
                 p.training.gradientAccumulationSteps = 3;
                 p.training.stepsPerExecution = 3;
             }},
            {"training.device-mapping",
             [](project::Project &p) {
                 p.training.deviceMapping = {0, 0, 1};
             }},
            {"training.loss-weights",
             [](project::Project &p) {
                 p.training.lossWeights = {1, 2, 3};
             }},
            {"training.loss-count", [](project::Project &p) { p.training.losses.resize(3, p.training.losses.front()); }},
            {"training.loss-shape", [](project::Project &p) { p.model.layers.back().config["units"] = 1; }},
            {"training.optimizer", [](project::Project &p) { p.training.optimizer = {}; }},
            {"training.no-weights",
             [](project::Project &p) {
                 for (auto &layer : p.model.layers)
                     if (layer.className == "Dense") layer.config["trainable"] = false;
             }},
            {"model.duplicate-name", [](project::Project &p) { p.model.layers.back().name = p.model.layers[1].name; }},
            {"model.bad-name", [](project::Project &p) { p.model.layers.back().name.clear(); }},
            {"model.unknown-argument", [](project::Project &p) { p.model.layers.back().config["unitss"] = 3; }},
            {"model.bad-argument", [](project::Project &p) { p.model.layers.back().config["use_bias"] = "perhaps"; }},
            {"model.stage",
             [](project::Project &p) {
                 p.model.layers.front().stage = 0;
                 p.model.layers.back().stage = 3;
                 p.training.gradientAccumulationSteps = p.training.stepsPerExecution = 8;
             }},
            {"config.conflict", [](project::Project &p) { (void)p.config.setFromText("io_tiles.place_ops_on_io_tiles", "true").ok(); }},
        };
        return list;
    }
};

TW_REGISTER_TEST(TstProblems);
#include "tst_problems.moc"
