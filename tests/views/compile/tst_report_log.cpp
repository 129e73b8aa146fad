#include "tests/support/test_registry.h"

#include "views/log/log_view.h"
#include "views/reports/report_snapshot.h"

#include <QLabel>
#include <QTreeView>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::unique_ptr<View> makeView(Session &session)
{
    std::unique_ptr<View> view(logView().create(session, nullptr));
    view->resize(800, 300);
    view->show();
    return view;
}

} // namespace

class TstReportLog : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void linesAreListedWithCounts()
    {
        Session session;
        report::ReportData data;
        report::LogRow line;
        line.level = 2;
        line.component = "compile";
        line.text = "a warning";
        line.repeats = 3;
        data.log = {line, line};
        data.log[1].level = 3;
        report::PartRow part;
        part.name = "log";
        part.state = report::PartState::Complete;
        data.parts = {part};
        session.showReport(ReportSnapshot::ofData(data, QStringLiteral("r")));
        auto const view = makeView(session);
        QTRY_COMPARE(view->headline(), QStringLiteral("1 error(s) · 1 warning(s) · 2 line(s)"));
        auto *tree = view->findChild<QTreeView *>();
        QCOMPARE(tree->model()->rowCount(), 2);
        QStringList titles;
        for (int c = 0; c < tree->model()->columnCount(); ++c) titles << tree->model()->headerData(c, Qt::Horizontal).toString();
        QCOMPARE(titles,
                 (QStringList{QStringLiteral("Time"), QStringLiteral("Level"), QStringLiteral("Component"), QStringLiteral("Times"),
                              QStringLiteral("Message")})); // no empty ones
        QCOMPARE(tree->model()->index(0, 4).data().toString(), QStringLiteral("a warning"));
        QCOMPARE(view->exportTables().front().rows.front().value(3), QStringLiteral("3"));
    }
    void reportsWithoutALogStateTheReason()
    {
        Session session;
        report::ReportData data;
        report::PartRow part;
        part.name = "log";
        part.note = "nothing of it was recorded";
        data.parts = {part};
        session.showReport(ReportSnapshot::ofData(data, QStringLiteral("r")));
        auto const view = makeView(session);
        QTRY_VERIFY([&] {
            for (auto *label : view->findChildren<QLabel *>())
                if (label->isVisible() && label->text().contains(QStringLiteral("nothing of it was recorded"))) return true;
            return false;
        }());
    }
};

TW_REGISTER_TEST(TstReportLog);
#include "tst_report_log.moc"
