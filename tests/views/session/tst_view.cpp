#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/view.h"

#include <QLabel>
#include <QUndoStack>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// A view of the report that counts how often it is built anew.
class Probe : public View {
public:
    explicit Probe(Session &session) : View(QStringLiteral("probe"), session, nullptr) { setDependsOn(true, false, false); }
    int refreshes = 0;
    using View::Headline;
    using View::setHeadline;

protected:
    void refresh() override
    {
        ++refreshes;
        applyReportState("");
    }
};

} // namespace

class TstView : public QObject {
    Q_OBJECT

private slots:
    /// An edit changes no figure of a report: the view says that it is stale and keeps what it shows.
    void anEditMarksTheReportStaleWithoutARefresh()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        report::ReportData data;
        session.showReport(ReportSnapshot::ofData(data, QStringLiteral("r")));
        session.markReportMade(session.report()->path(), session.document().revision());
        Probe probe(session);
        probe.show();
        QTRY_VERIFY(probe.refreshes > 0);
        QTest::qWait(0);
        QCOMPARE(probe.state().kind, ViewState::Ready);
        int const before = probe.refreshes;
        QVERIFY(session.document().setField(QStringLiteral("training.epochs"), QStringLiteral("7")).ok());
        QTRY_COMPARE(probe.state().kind, ViewState::Stale);
        QCOMPARE(probe.refreshes, before);
        session.document().undoStack().undo();
        QTRY_COMPARE(probe.state().kind, ViewState::Ready);
        QCOMPARE(probe.refreshes, before);
    }
    void aHeadlineBeginsWithACapitalUnlessWithAName()
    {
        Session session;
        Probe probe(session);
        probe.setHeadline(QStringLiteral("worst tile 736: 500 % of its memory"));
        QCOMPARE(probe.headline(), QStringLiteral("Worst tile 736: 500 % of its memory"));
        auto const label = [&]() -> QLabel * {
            for (auto *each : probe.findChildren<QLabel *>())
                if (each->property("role") == QLatin1String("headline")) return each;
            return nullptr;
        };
        QVERIFY(label());
        QVERIFY2(label()->text().contains(QStringLiteral("500") + QChar(QChar::Nbsp) + u'%'), qPrintable(label()->text()));
        probe.setHeadline(QStringLiteral("dense_1/MatMul: 38 %"), Probe::Headline::BeginsWithName);
        QCOMPARE(probe.headline(), QStringLiteral("dense_1/MatMul: 38 %"));
    }
};

TW_REGISTER_TEST(TstView);

#include "tst_view.moc"
