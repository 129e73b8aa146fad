#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include "views/compile/compile_picture.h"
#include "views/compile/compile_view.h"
#include "views/compile/phase_flame.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::unique_ptr<View> makeView(Session &session)
{
    std::unique_ptr<View> view(compileView().create(session, nullptr));
    view->resize(800, 400);
    view->show();
    return view;
}

bool isShown(View &view, QString const &beginning)
{
    for (auto *label : view.findChildren<QLabel *>())
        if (label->isVisible() && label->text().startsWith(beginning)) return true;
    return false;
}

} // namespace

class TstCompile : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void withoutACompileItOffersOne()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const view = makeView(session);
        QTRY_VERIFY(isShown(*view, QStringLiteral("Nothing compiled yet")));
        bool offered = false;
        for (auto *button : view->findChildren<QPushButton *>())
            offered = offered || (button->isVisible() && button->text() == QLatin1String("Compile"));
        QVERIFY(offered);
    }
    void aCompileShowsPhasesPassesCacheAndVerdict()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(session.document().setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=8")).ok());
        auto const view = makeView(session);
        session.runs().compile();
        QTRY_VERIFY(view->headline().endsWith(QStringLiteral(" …")) || !session.runs().isActive());
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive(), 60000);
        QRegularExpression const took(QStringLiteral(" m?s · fits: worst tile")); // a second, or less on a fast computer
        QTRY_VERIFY2(view->headline().contains(took), qPrintable(view->headline()));
        QVERIFY(isShown(*view, QStringLiteral("Cache: miss")));
        auto *tree = view->findChild<QTreeView *>();
        QTRY_VERIFY(tree->model()->rowCount() > 3);
        bool nested = false;
        for (int row = 0; row < tree->model()->rowCount(); ++row)
            nested = nested || tree->model()->rowCount(tree->model()->index(row, 0)) > 0;
        QVERIFY(nested);
        // A repeated compile comes from the cache, and the view says so.
        session.runs().compile();
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive(), 60000);
        QTRY_VERIFY2(view->headline().startsWith(QStringLiteral("Loaded from the cache")), qPrintable(view->headline()));
    }
    void cancelEndsItWithinASecond()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        // Big enough that it cannot be done before the click.
        QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QStringLiteral("512")).ok());
        auto const view = makeView(session);
        session.runs().compile();
        auto *cancel = view->findChild<QToolButton *>(QStringLiteral("cancelCompile"));
        QTRY_VERIFY(cancel->isVisible() || !session.runs().isActive());
        if (!session.runs().isActive()) QSKIP("it was faster than the click");
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive(), 5000);
        QVERIFY2(clock.elapsed() < 1000 * tests::kSanitizerSlowdown, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(!session.runs().live().error); // cancelled is no error
        QTRY_VERIFY(!cancel->isVisible());
    }
    void programsThatDoNotFitLinkToTheWorstTileAndToInsights()
    {
        Session session;
        report::ReportData data;
        report::VerdictRow verdict;
        verdict.fits = false;
        verdict.worstTile = 5;
        verdict.bytes = 700'000;
        verdict.capacity = 638'976;
        data.verdicts = {verdict};
        report::CompilePassRow pass;
        pass.name = "Compilation";
        pass.startNs = 0;
        pass.endNs = 2'000'000'000;
        data.compilePasses = {pass};
        session.showReport(ReportSnapshot::ofData(data, QStringLiteral("too big")));
        auto const view = makeView(session);
        QTRY_VERIFY2(view->headline().startsWith(QStringLiteral("Does not fit: worst tile 110 %")), qPrintable(view->headline()));
        QSignalSpy requested(&session, &Session::viewRequested);
        auto *button = view->findChild<QToolButton *>(QStringLiteral("showWorstTile"));
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(requested.front().front().toString(), QStringLiteral("memory"));
        QVERIFY(session.selection().current().kind == SelectionKind::Tile);
        QCOMPARE(session.selection().current().ids, std::vector<int>{5});
    }
    void theReasonOfACacheMissIsReported()
    {
        CompileInfo info;
        info.done = true;
        info.cache = QStringLiteral("miss");
        info.cacheReason = QStringLiteral("training.batch_size differs");
        QCOMPARE(cacheSentence(pictureOf(info)), QStringLiteral("Cache: miss, compiled again: training.batch_size differs."));
    }
    void phasesFillTheFlameByTimeAndPassesLieBelowTheirs()
    {
        CompileInfo info;
        info.done = true;
        info.phases = {
            {QStringLiteral("Cache look-up"), 0.1}, {QStringLiteral("Graph optimisations"), 0.3}, {QStringLiteral("Compilation"), 0.6}};
        info.passes = {{QStringLiteral("fuse"), 0.1, 50, 40}, {QStringLiteral("prune"), 0.2, 40, 30}};
        auto const picture = pictureOf(info);
        QCOMPARE(picture.steps.size(), 5u);
        auto const rects = flameRects(picture.steps, 1000, 48);
        QCOMPARE(rects[0], QRectF(0, 0, 100, 24));
        QVERIFY(std::abs(rects[4].left() - 400) < 1e-9 && std::abs(rects[4].width() - 600) < 1e-9);
        QCOMPARE(rects[2].top(), 24.0);
        QVERIFY(rects[2].left() >= rects[1].left() && rects[3].right() <= rects[1].right() + 1e-9);
        QCOMPARE(picture.steps[3].after, 30);
        // Short ones stay visible.
        auto const thin = flameRects({{QStringLiteral("a"), 0, 1e-6}, {QStringLiteral("b"), 1e-6, 1}}, 300, 24);
        QCOMPARE(thin[0].width(), 1.0);
    }
};

TW_REGISTER_TEST(TstCompile);
#include "tst_compile.moc"
