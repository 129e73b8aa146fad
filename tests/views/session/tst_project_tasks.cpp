#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/session/project_tasks.h"
#include "views/session/run_commands.h"
#include "views/session/session.h"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::views;

namespace {

constexpr int kMs = 120000;

project::Project smallOne()
{
    auto project = project::fromTemplate("mnist-mlp").value();
    for (auto const &[path, value] : {std::pair{"system.target", "gc200:tiles=16"},
                                      {"data.limit", "256"},
                                      {"model.layers.dense.units", "16"},
                                      {"model.layers.dense_1.units", "8"}})
        project = project::withField(project, path, value, nullptr).value();
    return project;
}

} // namespace

/// Evaluate, Predict, Verify and Tune of the window: each ends with a result, or with the reason why there is none.
class TstProjectTasks : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void initTestCase()
    {
        qputenv("TILEWRIGHT_RUN_DIR", m_folder.filePath(QStringLiteral("run")).toUtf8());
        qputenv("XDG_CACHE_HOME", m_folder.filePath(QStringLiteral("cache")).toUtf8());
    }
    void everyTaskEndsWithAResult_data()
    {
        QTest::addColumn<int>("command");
        QTest::addColumn<QString>("first");
        QTest::newRow("evaluate") << static_cast<int>(RunCommand::Evaluate) << QStringLiteral("loss");
        QTest::newRow("predict") << static_cast<int>(RunCommand::Predict) << QStringLiteral("0");
        QTest::newRow("verify") << static_cast<int>(RunCommand::Verify) << QString();
    }
    void everyTaskEndsWithAResult()
    {
        QFETCH(int, command);
        QFETCH(QString, first);
        Session session;
        session.document().openProject(smallOne(), {}, false);
        auto &tasks = ProjectTasks::of(session);
        QSignalSpy wanted(&session, &Session::viewRequested);
        perform(static_cast<RunCommand>(command), session);
        QVERIFY(tasks.isActive());
        QCOMPARE(wanted.front().front().toString(), QStringLiteral("results"));
        QTRY_VERIFY_WITH_TIMEOUT(!tasks.isActive(), kMs);
        QVERIFY(tasks.result().has_value());
        auto const &result = *tasks.result();
        QVERIFY2(!result.error, result.error ? toText(*result.error).c_str() : "");
        QVERIFY(!result.headline.isEmpty() && !result.rows.empty());
        for (auto const &row : result.rows) QCOMPARE(row.cells.size(), result.columns.size());
        if (!first.isEmpty()) QCOMPARE(result.rows.front().cells.front(), first);
    }
    void whatCannotRunSaysWhy()
    {
        Session session;
        auto project = smallOne();
        project.training.gradientAccumulationSteps = 3;
        session.document().openProject(project, {}, false);
        auto &tasks = ProjectTasks::of(session);
        tasks.start(ProjectTask::Verify);
        QTRY_VERIFY_WITH_TIMEOUT(!tasks.isActive(), kMs);
        QVERIFY(tasks.result() && tasks.result()->error);
        QCOMPARE(tasks.result()->error->code, std::string("training.steps-per-execution"));
    }
    void whatTuningFindsCanBeSet()
    {
        Session session;
        session.document().openProject(smallOne(), {}, false);
        auto &tasks = ProjectTasks::of(session);
        tasks.start(ProjectTask::Tune);
        QTRY_VERIFY_WITH_TIMEOUT(!tasks.isActive(), kMs);
        QVERIFY(tasks.result() && !tasks.result()->error);
        auto const &rows = tasks.result()->rows;
        auto const best = std::ranges::find_if(rows, [](TaskRow const &row) { return !row.fields.empty(); });
        QVERIFY(best != rows.end());
        auto const fields = best->fields;
        QVERIFY(session.document().setFields(QStringLiteral("tuned"), fields).ok());
        for (auto const &[path, value] : fields) QCOMPARE(session.document().field(path), value);
    }
    void cancellingLeavesNoResult()
    {
        Session session;
        session.document().openProject(smallOne(), {}, false);
        auto &tasks = ProjectTasks::of(session);
        tasks.start(ProjectTask::Tune);
        tasks.cancel();
        QVERIFY(!tasks.isActive() && !tasks.result());
        tasks.start(ProjectTask::Evaluate); // the next one begins at once
        QVERIFY(tasks.isActive());
        QTRY_VERIFY_WITH_TIMEOUT(!tasks.isActive(), kMs);
        QVERIFY(tasks.result() && tasks.result()->task == ProjectTask::Evaluate);
    }
};

TW_REGISTER_TEST(TstProjectTasks);
#include "tst_project_tasks.moc"
