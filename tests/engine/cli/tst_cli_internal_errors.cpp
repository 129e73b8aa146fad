#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QtTest>

using namespace tilewright::tests;

namespace {

/// The file that an error's remedy names.
QString keptProject(QJsonObject const &error)
{
    static QRegularExpression const pattern(QStringLiteral("The project is kept in (\\S+): send this file"));
    return pattern.match(error["remedy"].toString()).captured(1);
}

} // namespace

/// A failed internal check: exit 1, a report to send, a file that reproduces it, nothing aborted.
class TstCliInternalErrors : public QObject {
    Q_OBJECT
private slots:
    void everyStageEndsItsCommandWithAReport_data()
    {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("command");
        for (auto const *stage : {"pass", "planning", "lowering", "verifying the program", "schedule", "memory"})
            QTest::newRow(stage) << stage << "compile";
        QTest::newRow("train") << "train"
                               << "train";
        QTest::newRow("lowering of a training") << "lowering"
                                                << "train";
        QTest::newRow("verify") << "verify"
                                << "verify";
        QTest::newRow("evaluate") << "evaluate"
                                  << "evaluate";
    }
    void everyStageEndsItsCommandWithAReport()
    {
        QFETCH(QString, stage);
        QFETCH(QString, command);
        Sandbox box;
        auto const project = box.project("p.json", {"system.target=gc200:tiles=8"});
        box.setVariable("TILEWRIGHT_FAIL_STAGE", stage);
        auto const failed = box.run({command, project, "--json"});
        QVERIFY2(failed.code == 1, failed.all());
        auto const lines = failed.events("error");
        auto const error = (lines.isEmpty() ? failed.object() : lines.last())["error"].toObject();
        QCOMPARE(error["code"].toString(), QStringLiteral("internal.check"));
        QVERIFY2(error["subject"].toString().contains(stage), failed.all());
        QVERIFY2(error["remedy"].toString().contains("report"), failed.all());
        auto const kept = keptProject(error);
        QVERIFY2(QFileInfo(kept).isFile() && kept.startsWith(box.path("home")), failed.all());
        // Without the injected failure the file compiles: it is the whole project.
        box.setVariable("TILEWRIGHT_FAIL_STAGE", "");
        auto const again = box.run({"compile", kept, "--json"});
        QVERIFY2(again.code == 0, again.all());
    }
    void equalErrorsShareOneFile()
    {
        Sandbox box;
        auto const project = box.project("p.json", {"system.target=gc200:tiles=8"});
        box.setVariable("TILEWRIGHT_FAIL_STAGE", "lowering");
        auto const first = box.run({"compile", project, "--json"}), second = box.run({"compile", project, "--json"});
        QVERIFY(!keptProject(first.object()["error"].toObject()).isEmpty());
        QCOMPARE(keptProject(first.object()["error"].toObject()), keptProject(second.object()["error"].toObject()));
    }
    void anOperationAloneFailsWithoutAProject()
    {
        Sandbox box;
        box.setVariable("TILEWRIGHT_FAIL_STAGE", "lowering");
        auto const failed = box.run({"op", "matmul", "--m", "8", "--k", "8", "--n", "8", "--target", "gc200:tiles=4", "--json"});
        QVERIFY2(failed.code == 1 && failed.errorCode() == "internal.check", failed.all());
        // In words too.
        auto const told = box.run({"op", "matmul", "--m", "8", "--k", "8", "--n", "8", "--target", "gc200:tiles=4"});
        QVERIFY2(told.code == 1 && told.err.contains("internal check failed") && told.err.contains("report"), told.all());
    }
};

TW_REGISTER_TEST(TstCliInternalErrors);
#include "tst_cli_internal_errors.moc"
