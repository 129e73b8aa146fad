#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"
#include "views/common/theme.h"
#include "views/runs/compare_curves.h"
#include "views/plots/curve_panel.h"
#include "views/reports/report_snapshot.h"

#include <QComboBox>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::shared_ptr<ReportSnapshot const> trainedReport(tests::SessionFolder const &folder, char const *name, char const *rate,
                                                    char const *epochs)
{
    auto const p =
        tests::mnist("gc200:tiles=16", tests::smallModel({{"training.optimizer.learning_rate", rate}, {"training.epochs", epochs}}));
    auto request = tests::requestIn(folder);
    request.report = folder.path() / name;
    (void)tests::trained(p, request);
    auto report = ReportSnapshot::open(QString::fromStdString(request.report->string()), {});
    if (!report.ok()) qFatal("%s", toText(report.error()).c_str());
    return *report;
}

} // namespace

class TstCompareCurves : public QObject {
    Q_OBJECT
private slots:
    void theSameSeriesOfBothRunsShareAnAxis()
    {
        tests::SessionFolder const folder;
        auto const slow = trainedReport(folder, "slow.twreport", "0.0001", "1"), fast = trainedReport(folder, "fast.twreport", "0.01", "2");
        CompareCurves curves;
        curves.setReports(slow, fast);
        QVERIFY(!curves.isHidden());
        QCOMPARE(curves.choice().currentText(), QStringLiteral("loss"));
        auto const &drawn = curves.panel().curves();
        QCOMPARE(drawn.size(), std::size_t(2));
        QCOMPARE(drawn[0].x.size(), std::size_t(8));  // 256 digits in batches of 32
        QCOMPARE(drawn[1].x.size(), std::size_t(16)); // two epochs
        QVERIFY(drawn[0].y.back() != drawn[1].y[7]);
        QVERIFY(drawn[0].broad && !drawn[1].broad); // later curves do not hide earlier ones
        QVERIFY(drawn[0].color != Token::Accent && drawn[1].color != Token::Accent);
        QCOMPARE(curves.panel().smoothing(), kCurveSmoothing);
        QCOMPARE(curves.exportTable().rows.size(), qsizetype(16));
        curves.choice().setCurrentText(QStringLiteral("accuracy by epoch"));
        QCOMPARE(curves.panel().curves()[1].x, (std::vector<double>{1, 2}));
        // The selected metric stays when another pair is compared.
        curves.setReports(fast, slow);
        QCOMPARE(curves.choice().currentText(), QStringLiteral("accuracy by epoch"));
        curves.setReports(nullptr, slow);
        QCOMPARE(curves.panel().curves().size(), std::size_t(1));
        curves.setReports(nullptr, nullptr);
        QVERIFY(curves.isHidden());
    }
};

TW_REGISTER_TEST(TstCompareCurves);
#include "tst_compare_curves.moc"
