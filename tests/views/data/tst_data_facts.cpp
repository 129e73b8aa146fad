#include "tests/support/test_registry.h"

#include "views/data/class_chart.h"
#include "views/data/data_facts.h"
#include "views/data/data_specs.h"
#include "views/data/sample_grid.h"
#include "views/properties/property_value.h"

#include "engine/data/data_source.h"
#include "engine/project/project.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::views;

class TstDataFacts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void everyFieldOfTheSourceHasARowWithItsDefault()
    {
        project::Project const project;
        auto const specs = dataSpecs(false);
        QCOMPARE(specs.size(), data::toJson({}).size());
        for (auto const &spec : specs) {
            auto const value = readProperty(project, spec);
            QVERIFY2(value.exists && !isChanged(spec, value), qPrintable(spec.path));
            auto same = project;
            QVERIFY2(resetProperty(same, spec).ok() && same == project, qPrintable(spec.path));
        }
    }
    void fieldsOfFurtherInputsAndOutputsAreThereForModelsThatHaveThem()
    {
        auto const all = dataSpecs(false).size();
        auto project = project::fromTemplate("mnist-mlp").value();
        auto const one = dataSpecsOf(project);
        QCOMPARE(one.size(), all - 4);
        auto const limit = std::ranges::find(one, QStringLiteral("data.limit"), &PropertySpec::path);
        QVERIFY(limit != one.end() && limit->note.contains(QStringLiteral("all samples")));
        project.data.limit = 64;
        auto const limited = dataSpecsOf(project);
        QVERIFY(std::ranges::find(limited, QStringLiteral("data.limit"), &PropertySpec::path)->note.isEmpty());
        project.data.testLabels = {{"out", "y.npy"}};
        QCOMPARE(dataSpecsOf(project).size(), all - 2);
        QCOMPARE(dataSpecsOf(project::fromTemplate("transformer-sort").value()).size(), all - 2); // symbols and positions
    }
    void theHeadlineCountsAndJudges()
    {
        data::DataSummary summary;
        summary.trainCount = 60000;
        summary.testCount = 10000;
        summary.sampleShape = {28, 28};
        for (int label = 0; label < 10; ++label) summary.classes.push_back({label, 6000, 0, 1000});
        QCOMPARE(dataHeadline(summary), QStringLiteral("60,000 training and 10,000 test samples of 28×28 · 10 class(es) · balanced"));
        summary.classes[3].train = 300;
        QVERIFY2(dataHeadline(summary).endsWith(QStringLiteral("class 3 has 300 sample(s)")), qPrintable(dataHeadline(summary)));
    }
    void looksFollowTheShape()
    {
        QVERIFY(lookOf({28, 28}) == SampleLook::Image);
        QVERIFY(lookOf({32, 32, 3}) == SampleLook::Image);
        QVERIFY(lookOf({32, 32, 7}) == SampleLook::Curve);
        QVERIFY(lookOf({784}) == SampleLook::Curve);
        QVERIFY(lookOf({4}) == SampleLook::Numbers);
        QVERIFY(lookOf({}) == SampleLook::Numbers);
    }
    void picturesHaveTheSamplesValues()
    {
        auto const grey = sampleImage({2, 3}, {0, 0.5f, 1, 1, 0.5f, 0}, 0, 1);
        QCOMPARE(grey.size(), QSize(3, 2));
        QCOMPARE(qRed(grey.pixel(0, 0)), 0);
        QCOMPARE(qRed(grey.pixel(1, 0)), 128);
        QCOMPARE(qRed(grey.pixel(2, 0)), 255);
        QCOMPARE(qRed(grey.pixel(0, 1)), 255);
        auto const colour = sampleImage({1, 1, 3}, {1, 0, 0.5f}, 0, 1);
        QCOMPARE(colour.pixel(0, 0), qRgb(255, 0, 128));
        // With too few values, or none that is a number, nothing reads past the end.
        QCOMPARE(sampleImage({2, 2}, {1}, 0, 1).pixel(0, 0), qRgb(0, 0, 0));
        QCOMPARE(qRed(sampleImage({1, 1}, {std::numeric_limits<float>::quiet_NaN()}, 0, 1).pixel(0, 0)), 0);
    }
    void barsAreProportional()
    {
        std::vector<data::ClassBalance> const classes{{0, 100, 0, 50}, {1, 200, 0, 25}};
        QCOMPARE(partsOf(classes), (std::vector{DataPart::Train, DataPart::Test})); // no validation
        ClassChart chart(nullptr);
        chart.resize(500, 300);
        chart.setClasses(classes);
        QCOMPARE(chart.elements(), 2);
        QVERIFY(std::abs(chart.barRect(1, 0).height() - 2 * chart.barRect(0, 0).height()) < 1e-6);
        QVERIFY(std::abs(chart.barRect(0, 0).height() - 2 * chart.barRect(0, 1).height()) < 1e-6);
        QVERIFY(chart.barRect(0, 0).right() <= chart.barRect(0, 1).left() + 1e-6);
        QCOMPARE(chart.elementAt(chart.barRect(0, 0).center()), 0);
        QCOMPARE(chart.elementAt(chart.barRect(1, 1).center()), 1);
        QCOMPARE(chart.elementAt(QPointF(1, 150)), -1); // beside the plot
        QVERIFY(chart.accessibleDescription().startsWith(QStringLiteral("Classes: 2")));
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.accessibleDescription(), chart.tipOf(0));
        chart.setClasses({{0, 1, 0, 0}});
        QCOMPARE(chart.current(), -1);
    }
    void aSampleTheModelCannotTakeIsAProblem()
    {
        auto const project = *project::fromTemplate("mnist-mlp");
        QVERIFY(!shapeProblem(project, {28, 28}));
        auto const problem = shapeProblem(project, {32, 32, 3});
        QVERIFY(problem && problem->message.find("[32, 32, 3]") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstDataFacts);
#include "tst_data_facts.moc"
