#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include "views/console/console_model.h"
#include "views/console/console_text.h"
#include "views/console/console_view.h"
#include "views/document/document.h"
#include "views/session/selection.h"
#include "views/subjects/destination.h"

#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

void pullAll(ConsoleModel &model)
{
    while (!model.pull(50)) {}
}

std::unique_ptr<View> makeView(Session &session)
{
    std::unique_ptr<View> view(consoleView().create(session, nullptr));
    view->resize(900, 300);
    view->show();
    (void)QTest::qWaitForWindowExposed(view.get());
    return view;
}

} // namespace

class TstConsole : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void levelsComponentsAndTheFilterChooseRows()
    {
        Console console;
        console.add(1, QStringLiteral("compile"), QStringLiteral("planning dense"));
        console.add(2, QStringLiteral("data"), QStringLiteral("file is short"), {}, QStringLiteral("data.path"));
        console.add(3, QStringLiteral("compile"), QStringLiteral("does not fit"), QStringLiteral("oom"), QStringLiteral("dense"));
        console.add(0, QStringLiteral("train"), QStringLiteral("step 1"));
        ConsoleModel model(console);
        QAbstractItemModelTester const tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        pullAll(model);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.errors(), 1);
        QCOMPARE(model.warnings(), 1);
        QCOMPARE(model.components(), QStringList({QStringLiteral("compile"), QStringLiteral("data"), QStringLiteral("train")}));
        model.setLevelShown(0, false);
        pullAll(model);
        QCOMPARE(model.rowCount(), 3);
        model.setComponentShown(QStringLiteral("data"), false);
        pullAll(model);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.setFilter(QStringLiteral("dense -planning")), QString());
        pullAll(model);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.lineAt(0)->code, QStringLiteral("oom"));
        QCOMPARE(model.setFilter(QStringLiteral("level=error")), QString());
        pullAll(model);
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!model.setFilter(QStringLiteral("/(/")).isEmpty());
        QCOMPARE(model.rowCount(), 1); // an unreadable line changes nothing
        QCOMPARE(model.errors(), 1);   // counts are of all lines, not of those shown
    }
    void repeatedLinesAreFoldedAndTheirCountGoesOn()
    {
        Console console;
        ConsoleModel model(console);
        console.add(1, QStringLiteral("device"), QStringLiteral("waiting"));
        pullAll(model);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        console.add(1, QStringLiteral("device"), QStringLiteral("waiting"));
        console.add(1, QStringLiteral("device"), QStringLiteral("waiting"));
        pullAll(model);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.index(0, ConsoleModel::Text).data().toString(), QStringLiteral("waiting (3 time(s))"));
    }
    void droppedConsoleLinesLeaveTheTable()
    {
        Console console;
        ConsoleModel model(console);
        QAbstractItemModelTester const tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (int i = 0; i < kConsoleLines; ++i) console.add(1, QStringLiteral("a"), QString::number(i));
        pullAll(model);
        QCOMPARE(model.rowCount(), kConsoleLines);
        for (int i = 0; i < 100; ++i) console.add(1, QStringLiteral("b"), QString::number(i));
        pullAll(model);
        QCOMPARE(model.rowCount(), kConsoleLines);
        QCOMPARE(model.lineAt(0)->text, QStringLiteral("100"));
        QCOMPARE(model.lineAt(kConsoleLines - 1)->text, QStringLiteral("99"));
        console.clear();
        pullAll(model);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.errors(), 0);
    }
    void manyLinesDoNotBlockTheEventLoop()
    {
        Session session;
        auto const view = makeView(session);
        auto *table = view->findChild<QTableView *>();
        int sent = 0;
        qint64 worst = 0;
        QElapsedTimer since, all;
        QTimer beat;
        beat.setInterval(0);
        // No turn of the loop may take long although 2 000 lines arrive with each.
        connect(&beat, &QTimer::timeout, this, [&] {
            if (since.isValid()) worst = std::max(worst, since.elapsed());
            for (int i = 0; i < 2000 && sent < 100'000; ++i, ++sent)
                session.console().add(1, QStringLiteral("flood"), QStringLiteral("line %1").arg(sent));
            since.start();
        });
        all.start();
        beat.start();
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 100'000, 15000);
        beat.stop();
        QVERIFY2(all.elapsed() < 10'000 * tests::kSanitizerSlowdown, qPrintable(QString::number(all.elapsed())));
        QVERIFY2(worst < 400 * tests::kSanitizerSlowdown, qPrintable(QString::number(worst)));
        QTRY_COMPARE(view->headline(), QStringLiteral("No errors · 100,000 line(s)"));
        auto const *bar = table->verticalScrollBar();
        QTRY_COMPARE(bar->value(), bar->maximum()); // it follows
        // Filtering so many goes on in slices too.
        view->findChild<QLineEdit *>()->setText(QStringLiteral("99999"));
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 10000);
    }
    void scrollingAwayEndsFollowingAndEndResumes()
    {
        Session session;
        auto const view = makeView(session);
        auto *table = view->findChild<QTableView *>();
        for (int i = 0; i < 500; ++i) session.console().add(1, QStringLiteral("a"), QString::number(i));
        QTRY_COMPARE(table->model()->rowCount(), 500);
        auto *bar = table->verticalScrollBar();
        QTRY_COMPARE(bar->value(), bar->maximum());
        bar->setValue(10);
        for (int i = 0; i < 10; ++i) session.console().add(1, QStringLiteral("b"), QString::number(i));
        QTRY_COMPARE(table->model()->rowCount(), 510);
        QCOMPARE(bar->value(), 10); // nothing moves
        QTest::keyClick(table, Qt::Key_End);
        QCOMPARE(bar->value(), bar->maximum());
        session.console().add(1, QStringLiteral("c"), QStringLiteral("newest"));
        QTRY_COMPARE(table->model()->rowCount(), 511);
        QTRY_COMPARE(bar->value(), bar->maximum());
    }
    void aClickOnALineSelectsItsLayer()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QString const layer = QString::fromStdString(session.document().project().model.layers.back().name);
        auto const view = makeView(session);
        auto *table = view->findChild<QTableView *>();
        session.console().clear();
        session.console().add(2, QStringLiteral("compile"), QStringLiteral("look here"), {}, layer);
        QTRY_COMPARE(table->model()->rowCount(), 1);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, ConsoleModel::Text)).center());
        QVERIFY(session.selection().current().kind == SelectionKind::Layer);
        QCOMPARE(session.selection().current().name, layer);
    }
    void subjectsLeadToLayersOptionsFieldsAndTiles()
    {
        auto const project = *project::fromTemplate("mnist-mlp");
        QString const layer = QString::fromStdString(project.model.layers.back().name);
        auto const layerLink = destinationOf(project, layer + QStringLiteral(" (call 1)"));
        QVERIFY(layerLink && layerLink->selected.name == layer && layerLink->view == QLatin1String("canvas"));
        QCOMPARE(destinationOf(project, QStringLiteral("model.layers.") + layer + QStringLiteral(".units"))->selected.name, layer);
        QCOMPARE(destinationOf(project, QStringLiteral("ipu_config.auto_select_ipus"))->view, QStringLiteral("config"));
        QCOMPARE(destinationOf(project, QStringLiteral("training.batch_size"))->view, QStringLiteral("plan"));
        QCOMPARE(destinationOf(project, QStringLiteral("tile 12"))->selected.ids, std::vector<int>{12});
        QVERIFY(!destinationOf(project, QStringLiteral("/tmp/file.npz")));
        QVERIFY(!destinationOf(project, layer + QStringLiteral("ish")));
    }
    void jsonLinesHoldEveryField()
    {
        ConsoleLine line{QDateTime(QDate(2026, 5, 4), QTime(12, 4, 31, 250)),
                         3,
                         QStringLiteral("data"),
                         QStringLiteral("data.missing"),
                         QStringLiteral("data.path"),
                         QStringLiteral("a \"quoted\"\nline"),
                         4};
        auto const object = QJsonDocument::fromJson(toJsonLines({line}).toUtf8()).object();
        QCOMPARE(object.value(QStringLiteral("text")).toString(), line.text);
        QCOMPARE(object.value(QStringLiteral("level")).toString(), QStringLiteral("error"));
        QCOMPARE(object.value(QStringLiteral("repeats")).toInt(), 4);
        QCOMPARE(object.value(QStringLiteral("subject")).toString(), line.subject);
        QVERIFY(object.value(QStringLiteral("time")).toString().startsWith(QStringLiteral("2026-05-04T12:04:31.250")));
        QCOMPARE(lineTime(line.time.addMSecs(1500), line.time), QStringLiteral("+1.500 s"));
    }
};

TW_REGISTER_TEST(TstConsole);
#include "tst_console.moc"
