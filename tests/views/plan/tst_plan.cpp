#include "tests/support/test_registry.h"

#include "engine/core/held_out.h"
#include "engine/data/data_counts.h"
#include "engine/model/epoch_steps.h"
#include "views/advice/problem_list.h"
#include "views/advice/rule_watch.h"
#include "views/advice/setting_fixes.h"
#include "views/document/document.h"
#include "views/plan/metric_list.h"
#include "views/widgets/elided_label.h"
#include "views/plan/plan_figures.h"
#include "views/plan/plan_specs.h"
#include "views/plan/plan_view.h"
#include "views/properties/property_table.h"
#include "views/properties/property_value.h"

#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/optimizers.h"

#include <QListWidget>
#include <QPushButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

project::Project tutorial() { return *project::fromTemplate("mnist-mlp"); }

} // namespace

class TstPlan : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void everyLossAndOptimizerCanBeChosenAndShowsItsArguments()
    {
        auto project = tutorial();
        auto const choose = [&](QString const &path, std::string const &name) {
            auto const specs = planSpecs(project);
            auto const spec = std::ranges::find(specs, path, &PropertySpec::path);
            return spec != specs.end() && writeProperty(project, *spec, QString::fromStdString(name)).ok()
                && readProperty(project, *spec).text.toStdString() == name;
        };
        auto const has = [&](std::string const &prefix, std::vector<model::ParamInfo> const &params) {
            auto const specs = planSpecs(project);
            for (auto const &param : params) {
                if (param.name == "name") continue;
                auto const spec = std::ranges::find(specs, QString::fromStdString(prefix + param.name), &PropertySpec::path);
                if (spec == specs.end() || isChanged(*spec, readProperty(project, *spec))) return false;
            }
            return true;
        };
        for (auto const &spec : model::lossSpecs()) {
            QVERIFY2(choose(QStringLiteral("training.loss"), spec.className), spec.className.c_str());
            QVERIFY2(has("training.loss.", spec.params), spec.className.c_str());
        }
        for (auto const &spec : model::optimizerSpecs()) {
            QVERIFY2(choose(QStringLiteral("training.optimizer"), spec.className), spec.className.c_str());
            // The arguments of an automatic loss scale are there while it is on.
            auto const on = std::ranges::find(spec.params, std::string("automatic_loss_scaling"), &model::ParamInfo::name);
            QVERIFY2(on != spec.params.end() && has("training.optimizer.", {spec.params.begin(), std::next(on)}), spec.className.c_str());
            std::vector<model::ParamInfo> const scaling(std::next(on), spec.params.end());
            QVERIFY2(!scaling.empty() && !has("training.optimizer.", scaling), spec.className.c_str());
            auto const off = project;
            project = *project::withField(project, "training.optimizer.automatic_loss_scaling", "true", nullptr);
            QVERIFY2(has("training.optimizer.", scaling), spec.className.c_str());
            project = off;
        }
        // What is changed most comes first.
        auto const specs = planSpecs(project);
        QCOMPARE(specs[0].path, QStringLiteral("training.batch_size"));
        QCOMPARE(specs[1].path, QStringLiteral("training.epochs"));
    }
    void metricsKeepTheirArguments()
    {
        auto project = tutorial();
        project = *project::withField(project, "training.metrics", R"([{"class_name": "BinaryAccuracy", "config": {"threshold": 0.7}}])",
                                      nullptr);
        auto const more = metricsWith(project.training, QStringLiteral("MeanSquaredError"), true);
        project = *project::withField(project, "training.metrics", more.toStdString(), nullptr);
        QVERIFY(hasMetric(project.training, QStringLiteral("MeanSquaredError")));
        QCOMPARE(project.training.metrics.front().number("threshold"), 0.7);
        auto const less = metricsWith(project.training, QStringLiteral("MeanSquaredError"), false);
        project = *project::withField(project, "training.metrics", less.toStdString(), nullptr);
        QCOMPARE(project.training.metrics.size(), std::size_t{1});
    }
    void everyKnownMetricIsAccepted()
    {
        auto project = tutorial();
        for (auto const &name : knownMetrics()) {
            auto const with = project::withField(project, "training.metrics", metricsWith({}, name, true).toStdString(), nullptr);
            QVERIFY2(with.ok() && hasMetric(with->training, name), qPrintable(name));
        }
        QVERIFY(knownMetrics().size() == static_cast<qsizetype>(model::metricSpecs().size()) + 2);
    }
    void figuresFollowTheRulesOfARun()
    {
        auto project = tutorial();
        project.training.batchSize = 50;
        project.training.gradientAccumulationSteps = 4;
        project.training.stepsPerExecution = 8;
        project.training.replicas = 2;
        project.training.epochs = 3;
        project.target = "gc200:ipus=2";
        auto const figures = planFigures(project, DataCounts{60000, 0, 10000});
        QCOMPARE(figures.replicas, 2);
        QCOMPARE(figures.samplesPerUpdate, 400);
        QCOMPARE(figures.stepsPerEpoch, 600);
        QCOMPARE(figures.updatesPerEpoch, 150);
        QCOMPARE(figures.updates, 450);
        QVERIFY2(planHeadline(project, figures).contains(QStringLiteral("150 weight update(s), 400 sample(s) each")),
                 qPrintable(planHeadline(project, figures)));
        QVERIFY(planProblems(ruleProblems(project, 60000)).empty());
    }
    /// A loop with a while does so much and no more.
    void aRunThatMayEndEarlySaysAtMost()
    {
        auto const titles = [](project::Project const &project) {
            QStringList list;
            for (auto const &section : planFacts(project, planFigures(project, DataCounts{60000, 0, 10000}))) list << section.title;
            return list;
        };
        QVERIFY(titles(*project::fromTemplate("custom-loop")).contains(QStringLiteral("The whole run, at most")));
        QVERIFY(titles(*project::fromTemplate("mnist-mlp")).contains(QStringLiteral("The whole run")));
    }
    void countsOfTheEmbeddedDataAreThoseOfOpeningThem()
    {
        data::DataSourceSpec spec;
        spec.limit = 300;
        spec.validationSplit = 0.25;
        auto const counted = countData(spec, ".", {});
        auto const opened = data::openDataset(spec, ".", {});
        QVERIFY(counted.ok() && opened.ok());
        QCOMPARE(*counted == (DataCounts{opened->x.count(), opened->validationX.count(), opened->testX.count(), opened->x.sampleShape()}),
                 true);
    }
    void theDivisorFixCures_data()
    {
        QTest::addColumn<qint64>("samples");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<qint64>("fits");
        QTest::newRow("tutorial") << qint64{60000} << qint64{64} << qint64{60};
        QTest::newRow("prime") << qint64{9973} << qint64{32} << qint64{1};
        QTest::newRow("batch above the data") << qint64{10} << qint64{64} << qint64{10};
        QTest::newRow("already") << qint64{60000} << qint64{32} << qint64{32};
    }
    void theDivisorFixCures()
    {
        QFETCH(qint64, samples);
        QFETCH(qint64, batch);
        QTEST(static_cast<qint64>(model::dividingBatch(samples, batch)), "fits");
        auto project = tutorial();
        project.training.batchSize = batch;
        auto const found = planProblems(ruleProblems(project, samples));
        QCOMPARE(std::ranges::count(found, std::string("data.batch"), &Diagnostic::code), samples % batch ? 1 : 0);
        if (found.empty()) return;
        auto const fixes = settingFixes(project, found.front(), samples);
        QVERIFY(!fixes.empty());
        auto const &fix = fixes.front();
        for (auto const &[path, text] : fix.fields) project = *project::withField(project, path.toStdString(), text.toStdString(), nullptr);
        QVERIFY(planProblems(ruleProblems(project, project.data.limit > 0 ? project.data.limit : samples)).empty());
    }
    /// Behind a split the limit is larger than what is trained on.
    void fewerSamplesAreOfferedBehindASplitToo()
    {
        auto project = tutorial();
        project.training.batchSize = 64;
        for (double const split : {0.0, 0.1}) {
            project.training.validationSplit = split;
            qint64 const train = split > 0 ? 54000 : 60000;
            auto const found = planProblems(ruleProblems(project, train));
            QVERIFY(!found.empty());
            auto const fixes = settingFixes(project, found.front(), train);
            QCOMPARE(fixes.size(), std::size_t{2});
            auto const limit = fixes.back().fields.front();
            QCOMPARE(limit.first, QStringLiteral("data.limit"));
            QCOMPARE(keptSamples(limit.second.toLongLong(), split) % 64, 0);
            QVERIFY(keptSamples(limit.second.toLongLong(), split) > train - train / 64);
        }
    }
    void stepsPerExecutionMustDivideAnEpoch()
    {
        auto project = tutorial();
        project.training.batchSize = 60;
        project.training.stepsPerExecution = 300; // 1,000 steps an epoch
        auto const found = planProblems(ruleProblems(project, 60000));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(settingFixes(project, found.front(), 60000).front().fields.front().second, QStringLiteral("250"));
    }
    void theViewOffersTheDivisorAndTakesIt()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("64")).ok());
        std::unique_ptr<View> const view(planView().create(session, nullptr));
        view->resize(420, 300);
        view->show();
        view->refreshNow();
        auto *problems = view->findChild<ProblemList *>();
        QTRY_VERIFY(!problems->problems().empty());
        auto *button = problems->findChild<QPushButton *>();
        QVERIFY2(button->text().contains(QStringLiteral("60")), qPrintable(button->text()));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(session.document().project().training.batchSize, 60);
        QTRY_VERIFY(problems->isHidden());
        QVERIFY2(view->headline().contains(QStringLiteral("weight update(s)")), qPrintable(view->headline()));
    }
    /// Of a model with several outputs, all alike or each by itself.
    void metricsOfOneOutput()
    {
        OutputChoice const all{{"a", "b"}, -1}, a{{"a", "b"}, 0}, b{{"a", "b"}, 1};
        auto plan = tutorial().training; // accuracy
        auto const mae = QStringLiteral("MeanAbsoluteError"), mse = QStringLiteral("MeanSquaredError"),
                   accuracy = QStringLiteral("accuracy");
        plan = *model::withTrainingField(plan, "metrics", metricsWith(plan, mae, true, b).toStdString());
        QVERIFY(plan.metrics.empty() && plan.outputMetrics.size() == 2);
        QVERIFY(!hasMetric(plan, mae, a) && hasMetric(plan, mae, b) && hasMetric(plan, accuracy, a) && hasMetric(plan, accuracy, b));
        QVERIFY(hasMetric(plan, accuracy, all) && !hasMetric(plan, mae, all));
        plan = *model::withTrainingField(plan, "metrics", metricsWith(plan, mse, true, all).toStdString());
        QVERIFY(hasMetric(plan, mse, a) && hasMetric(plan, mse, b) && hasMetric(plan, mae, b)
                && !hasMetric(plan, mae, a)); // the other's stays
        plan = *model::withTrainingField(plan, "metrics", metricsWith(plan, mae, false, b).toStdString());
        QVERIFY(plan.outputMetrics.empty() && hasMetric(plan, mse, all) && hasMetric(plan, accuracy, a)); // alike once more
        // Of a model with one output that is named: ticks and edits go to it.
        plan = *model::withTrainingField(plan, "metrics",
                                         R"({"a": ["accuracy", {"class_name": "BinaryAccuracy", "config": {"threshold": 0.7}}]})");
        OutputChoice const one{{"a"}, -1};
        QVERIFY(hasMetric(plan, accuracy, one));
        plan = *model::withTrainingField(plan, "metrics", metricsWith(plan, mae, true, one).toStdString());
        QCOMPARE(plan.metrics.size(), std::size_t{3});
        QCOMPARE(plan.metrics[1].number("threshold"), 0.7);
    }
    void aTickAddsAMetricAsOneUndoStep()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        MetricList list(session, nullptr);
        list.refresh();
        auto *widget = list.findChild<QListWidget *>();
        auto const found = widget->findItems(QStringLiteral("MeanAbsoluteError"), Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        found.front()->setCheckState(Qt::Checked);
        QVERIFY(hasMetric(session.document().project().training, QStringLiteral("MeanAbsoluteError")));
        QCOMPARE(session.document().undoStack().count(), 1);
        session.document().undoStack().undo();
        list.refresh();
        QCOMPARE(found.front()->checkState(), Qt::Unchecked);
    }
    /// Names of Keras that differ only in a capital have words that tell them apart.
    void similarMetricsAreToldApart()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        MetricList list(session, nullptr);
        list.refresh();
        auto *widget = list.findChild<QListWidget *>();
        QSet<QString> folded;
        for (int i = 0; i < widget->count(); ++i) {
            QString const text = widget->item(i)->text().toCaseFolded();
            QVERIFY2(!folded.contains(text), qPrintable(text));
            folded << text;
        }
    }
    /// A long name of an option takes several lines instead of losing its middle.
    void longNamesBreakAtUnderscores()
    {
        QString const name = QStringLiteral("accumulate_statistics_over_update_period");
        ElidedLabel label(name);
        label.setBreaks();
        int const line = label.sizeHint().height(), whole = label.wholeWidth();
        QCOMPARE(label.heightForWidth(whole), line);
        QVERIFY(label.heightForWidth(whole * 2 / 3) > line);
        label.setMaximumWidth(whole * 2 / 3);
        QCOMPARE(label.sizeHint(), QSize(whole * 2 / 3, label.heightForWidth(whole * 2 / 3)));
        ElidedLabel one(name); // without setBreaks()
        QVERIFY(!one.hasHeightForWidth());
    }
};

TW_REGISTER_TEST(TstPlan);
#include "tst_plan.moc"
