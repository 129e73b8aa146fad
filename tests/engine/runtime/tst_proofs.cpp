#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;

/// The four proof networks of the compiler, as shipped: after a few hundred steps they are better than chance. Their final results are
/// measured by
/// tests/bench/bench_proofs.
class TstProofs : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

private slots:
    void learnsWithinAFewHundredSteps_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("least"); ///< of unseen samples; guessing gives 0.1, of symbols 1/16
        QTest::newRow("mnist-cnn") << "mnist-cnn"
                                   << "accuracy" << 0.92;
        QTest::newRow("mnist-lstm") << "mnist-lstm"
                                    << "accuracy" << 0.80;
        QTest::newRow("transformer-sort") << "transformer-sort"
                                          << "accuracy" << 0.90;
        QTest::newRow("custom-loop") << "custom-loop"
                                     << "accuracy" << 0.85;
    }
    void learnsWithinAFewHundredSteps()
    {
        QFETCH(QString, name);
        QFETCH(QString, metric);
        QFETCH(double, least);
        auto const p = project::withField(project::fromTemplate(name.toStdString()).value(), "data.limit", "9600", nullptr).value();
        auto request = requestIn(m_folder);
        request.steps = 300;
        auto const outcome = trained(p, request);
        QCOMPARE(outcome.steps, 300);
        auto const judged = runtime::evaluate(p, requestIn(m_folder), &outcome.state, {});
        QVERIFY2(judged.ok(), judged.ok() ? "" : toText(judged.error()).c_str());
        auto const found = std::ranges::find(judged->metrics, metric.toStdString(), &std::pair<std::string, double>::first);
        QVERIFY(found != judged->metrics.end());
        QVERIFY2(found->second >= least, qPrintable(QString::number(found->second)));
    }
};

TW_REGISTER_TEST(TstProofs);
#include "tst_proofs.moc"
