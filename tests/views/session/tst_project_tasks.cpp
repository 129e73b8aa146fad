#include "engine/model/keras_json.h"
#include "engine/data/npy.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/run.h"
#include "tests/support/test_registry.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/predicted_rows.h"
#include "views/session/project_export.h"
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
        QVERIFY2(session.console().said().endsWith(result.headline), qPrintable(session.console().said())); // in the strip
        for (auto const &row : result.rows) QCOMPARE(row.cells.size(), result.columns.size());
        if (!first.isEmpty()) QCOMPARE(result.rows.front().cells.front(), first);
    }
    /// A classifier's predictions stand beside the true classes, and all of them can be saved.
    void predictionsOfAClassifierAreComparedWithTheLabels()
    {
        Session session;
        session.document().openProject(smallOne(), {}, false);
        auto &tasks = ProjectTasks::of(session);
        tasks.start(ProjectTask::Predict);
        QTRY_VERIFY_WITH_TIMEOUT(!tasks.isActive(), kMs);
        auto const &result = *tasks.result();
        QCOMPARE(result.columns,
                 (QStringList{QStringLiteral("Sample"), QStringLiteral("Predicted class"), QStringLiteral("Probability"),
                              QStringLiteral("True class"), QStringLiteral("Right")}));
        QVERIFY(result.predictions);
        std::int64_t right = 0;
        for (auto const &row : result.rows) {
            QCOMPARE(row.cells[4], row.cells[1] == row.cells[3] ? QStringLiteral("right") : QStringLiteral("wrong"));
            double const score = QLocale().toDouble(row.cells[2]);
            QVERIFY(score >= 0.1 && score <= 1); // the largest of ten
            right += row.cells[1] == row.cells[3];
        }
        if (static_cast<std::size_t>(result.predictions->samples) == result.rows.size())
            QVERIFY2(result.headline.startsWith(QStringLiteral("%1 of ").arg(right)), qPrintable(result.headline));
        QVERIFY2(result.headline.contains(QStringLiteral(" right (")), qPrintable(result.headline));
        std::filesystem::path const path = m_folder.filePath(QStringLiteral("predictions.npz")).toStdString();
        QVERIFY(savePredictions(*result.predictions, path).ok());
        auto const arrays = data::readNpz(path, {});
        QVERIFY(arrays.ok() && arrays->size() == 1);
        QCOMPARE(arrays->front().name, std::string("predictions"));
        QCOMPARE(arrays->front().array.shape, (Shape{result.predictions->samples, 10}));
        QVERIFY(!savePredictions(*result.predictions, m_folder.filePath(QStringLiteral("none/x.npz")).toStdString()).ok());
    }
    /// A sequence has a class at each position, one probability two classes.
    void predictedClassesOfSequencesAndOfOneProbability()
    {
        auto project = project::fromTemplate("mnist-mlp").value();
        runtime::PredictOutcome outcome;
        outcome.samples = 2;
        outcome.outputs = {{"out", {2, 2, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1}}};
        std::vector<std::int32_t> const labels{1, 0, 2, 1};
        auto const known = data::borrowArray(DType::I32, {2, 2}, labels.data());
        TaskResult result;
        fillPredictedRows(result, project, outcome, &known, 10);
        QCOMPARE(result.rows[0].cells, (QStringList{"0", "1 0", "1 0", "2 of 2"}));
        QCOMPARE(result.rows[1].cells, (QStringList{"1", "2 2", "2 1", "1 of 2"}));
        QVERIFY2(result.headline.startsWith(QStringLiteral("1 of 2 test sample")), qPrintable(result.headline));
        project.training.losses.front().className = "BinaryCrossentropy";
        outcome.outputs = {{"out", {2, 1}, {0.75F, 0.25F}}};
        result = {};
        fillPredictedRows(result, project, outcome, nullptr, 1);
        QCOMPARE(result.rows.size(), std::size_t(1));
        QCOMPARE(result.rows[0].cells, (QStringList{"0", "1", "0.75"}));
        QVERIFY(result.headline.endsWith(QStringLiteral("the first 1 are shown")));
    }
    /// The model in Keras's form and the trained weights are written for other programs; without weights it says so.
    void modelAndWeightsAreExported()
    {
        Session session;
        session.document().openProject(smallOne(), {}, false);
        auto const write = [&session](QString const &path) {
            std::optional<Status> status;
            exportModel(session, path, [&](Status const &ended) { status = ended; });
            [&] { QTRY_VERIFY_WITH_TIMEOUT(status.has_value(), kMs); }();
            return *status;
        };
        auto const json = m_folder.filePath(QStringLiteral("model.json")), npz = m_folder.filePath(QStringLiteral("weights.npz"));
        auto const early = write(npz);
        QVERIFY(!early.ok() && early.error().code == "checkpoint.none" && !QFile::exists(npz));
        QVERIFY(write(json).ok());
        QFile file(json);
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto const read = model::parseKerasJson(file.readAll().toStdString());
        QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
        QCOMPARE(model::printKerasJson(*read), model::printKerasJson(session.document().project().model));
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.runs().trained() && !session.runs().isActive(), kMs);
        QVERIFY(write(npz).ok());
        auto const weights = runtime::readCheckpoint(npz.toStdString(), {});
        QVERIFY2(weights.ok(), weights.ok() ? "" : toText(weights.error()).c_str());
        QCOMPARE(weights->step, session.runs().trained()->step);
        QVERIFY(weights->tensors == session.runs().trained()->tensors);
    }
    /// The file of the project itself is not replaced by a part of it.
    void anExportNeverReplacesTheProject()
    {
        Session session;
        auto const path = m_folder.filePath(QStringLiteral("own.json"));
        session.document().openProject(smallOne(), {}, false);
        QVERIFY(session.document().save(path).ok());
        std::optional<Status> status;
        exportModel(session, path, [&](Status const &ended) { status = ended; });
        QTRY_VERIFY_WITH_TIMEOUT(status.has_value(), kMs);
        QVERIFY(!status->ok() && status->error().code == "cli.same-file");
        Session again;
        again.openPath(path);
        QTRY_VERIFY_WITH_TIMEOUT(again.document().isOpen(), kMs);
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
