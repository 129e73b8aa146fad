#include "engine/core/files.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/weight_keeper.h"
#include "engine/store/project_file.h"
#include "engine/store/report_reader.h"
#include "engine/store/sqlite.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>

#include <atomic>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::tests;
namespace fs = std::filesystem;

namespace {

runtime::TrainingState stateOf(float value, std::int64_t step)
{
    runtime::StateTensor tensor{"dense/kernel", DType::F32, {2, 2}, std::vector<std::byte>(16)};
    float const values[] = {value, 1, 2, 3};
    std::memcpy(tensor.bytes.data(), values, sizeof values);
    runtime::TrainingState state;
    state.tensors.push_back(std::move(tensor));
    state.step = step;
    return state;
}

float firstOf(fs::path const &file)
{
    auto const state = runtime::readCheckpoint(file, {});
    if (!state.ok()) return -1;
    float value = -1;
    std::memcpy(&value, state->tensors.at(0).bytes.data(), 4);
    return value;
}

bool comesToBe(std::function<bool()> const &condition)
{
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 60'000) QThread::msleep(5);
    return condition();
}

/// While it lives no file grows beyond so many bytes.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit const limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

/// What was trained is kept, wherever it can be.
class TstWeightsKept : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    SessionFolder m_session;

    fs::path path(std::string const &name) const { return fs::path(m_dir.path().toStdString()) / name; }
    static std::string readBytes(fs::path const &file)
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path makeProject(std::string const &name) const
    {
        auto const p = mnist("gc200:tiles=16", smallModel());
        auto const status = store::writeProjectFile(path(name), {project::projectParts(p)});
        if (!status.ok()) qFatal("%s", toText(status.error()).c_str());
        return path(name);
    }

private slots:
    /// A run that takes no step leaves what was trained before as it is.
    void noStepsReplaceNothing()
    {
        auto const file = makeProject("kept.tilewright");
        auto p = mnist("gc200:tiles=16", smallModel());
        auto request = requestIn(m_session);
        request.keep.project = file;
        auto const trainedOnce = trained(p, request);
        QCOMPARE(trainedOnce.kept.place, std::string("last"));
        auto const before = readBytes(file);
        DiagnosticSink said;
        JobContext job;
        job.warnings = &said;
        request.epochs = 0;
        auto const none = runtime::train(p, request, {}, job);
        QVERIFY2(none.ok(), none.ok() ? "" : toText(none.error()).c_str());
        QCOMPARE(none->steps, 0);
        QVERIFY(none->kept.place.empty());
        QCOMPARE(readBytes(file), before);
        QVERIFY(std::ranges::any_of(said.all(), [](Diagnostic const &d) { return d.code == "train.no-steps"; }));
    }
    void init()
    {
        m_dir = QTemporaryDir();
        QDir().mkpath(QString::fromStdString(path("state").string()));
        qputenv("XDG_STATE_HOME", path("state").c_str());
        qputenv("TMPDIR", m_dir.path().toUtf8());
    }

    void aPlaceThatCannotBeWrittenIsRefusedBefore()
    {
        auto request = requestIn(m_session);
        request.keep.file = path("no/such/folder/w.npz");
        bool compiled = false;
        runtime::RunObserver observer;
        observer.compiled = [&](auto const &) { compiled = true; };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, {});
        QVERIFY(!outcome.ok());
        QVERIFY(outcome.error().kind == ErrorKind::Data);
        QCOMPARE(outcome.error().subject, request.keep.file.string());
        QVERIFY(!compiled);
        request.keep.file.clear();
        request.report = path("no/such/folder/r.twreport");
        QVERIFY(!runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, {}).ok());
        QVERIFY(!compiled);
    }

    void weightsReplaceOnlyWeights()
    {
        auto const project = makeProject("p.tilewright");
        for (auto const &other : {project, path("notes.txt")}) {
            if (other != project) QVERIFY(writeFileAtomically(other, "notes").ok());
            runtime::WeightKeeper keeper({other, {}});
            auto const tried = keeper.tryPlaces({100, 1}, {});
            QVERIFY(!tried.ok());
            QCOMPARE(tried.error().code, std::string("checkpoint.place"));
        }
        QVERIFY(runtime::writeCheckpoint(path("old.npz"), stateOf(1, 1), {}).ok());
        QVERIFY(runtime::WeightKeeper({path("old.npz"), {}}).tryPlaces({100, 1}, {}).ok());
    }

    void everyEpochIsSavedOnTheWay()
    {
        auto const project = makeProject("p.tilewright");
        auto request = requestIn(m_session);
        request.epochs = 3;
        request.keep = {path("w.npz"), project};
        runtime::RunObserver observer;
        std::vector<std::int64_t> inFile, inProject;
        observer.epoch = [&](runtime::EpochResult const &result) {
            if (result.epoch != 2) return;
            // The save of the first epoch is under way on a thread of its own.
            auto const both = [&] { return fs::exists(path("w.npz")) && runtime::lastCheckpoint(project).value().has_value(); };
            QVERIFY(comesToBe(both));
            inFile.push_back(runtime::readCheckpoint(path("w.npz"), {}).value().epoch);
            inProject.push_back(runtime::lastCheckpoint(project).value()->epoch);
        };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, {});
        QVERIFY(outcome.ok());
        QCOMPARE(inFile, std::vector<std::int64_t>{1});
        QCOMPARE(inProject, std::vector<std::int64_t>{1});
        QCOMPARE(outcome->kept.place, path("w.npz").string());
        QVERIFY(!outcome->kept.problem);
        QVERIFY(sameBytes(runtime::readCheckpoint(path("w.npz"), {}).value(), outcome->state));
        QVERIFY(sameBytes(*runtime::lastCheckpoint(project).value(), outcome->state));
    }

    void shortEpochsAreSavedOnceASecond()
    {
        runtime::WeightKeeper keeper({path("w.npz"), {}});
        QVERIFY(keeper.isDue(true));
        QVERIFY(!keeper.isDue(false)); // five minutes have not passed
        keeper.save(stateOf(1, 1), {});
        QVERIFY(comesToBe([&] { return firstOf(path("w.npz")) == 1; }));
        QVERIFY(comesToBe([&] { return keeper.isDue(true); }));
    }

    void aProjectThatWentAwayEndsInARescueFile()
    {
        auto const project = makeProject("p.tilewright");
        auto request = requestIn(m_session);
        request.epochs = 2;
        request.keep.project = project;
        request.report = path("r.twreport");
        runtime::RunObserver observer;
        observer.epoch = [&](runtime::EpochResult const &result) {
            if (result.epoch == 2) fs::remove(project);
        };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, {});
        QVERIFY(outcome.ok());
        QVERIFY(outcome->kept.problem.has_value());
        QVERIFY(outcome->kept.problem->kind == ErrorKind::Data);
        QCOMPARE(outcome->kept.problem->subject, project.string());
        QVERIFY(outcome->kept.problem->message.find(outcome->kept.rescue) != std::string::npos);
        QVERIFY(outcome->kept.rescue.starts_with((path("state") / "tilewright" / "rescue").string()));
        QVERIFY(sameBytes(runtime::readCheckpoint(outcome->kept.rescue, {}).value(), outcome->state));
        // The run was a good one all the same.
        auto const reader = store::ReportReader::open(path("r.twreport"));
        QCOMPARE(reader.value()->readAll().value().runs.at(0).state, std::string("done"));
    }

    void withoutAStateFolderTheTemporaryOneRescues()
    {
        QVERIFY(writeFileAtomically(path("file"), "x").ok());
        qputenv("XDG_STATE_HOME", path("file/below").c_str());
        runtime::WeightKeeper keeper({path("gone/w.npz"), {}});
        auto const kept = keeper.finish(stateOf(7, 3), {});
        QVERIFY(kept.rescue.starts_with(m_dir.path().toStdString() + "/tilewright-"));
        QCOMPARE(firstOf(kept.rescue), 7.0f);
    }

    void whenNothingTakesThemThatIsSaid()
    {
        QVERIFY(writeFileAtomically(path("file"), "x").ok());
        qputenv("XDG_STATE_HOME", path("file/below").c_str());
        // The temporary folder is one that somebody else owns, as it were: a file stands in its place.
        QVERIFY(writeFileAtomically(path("tilewright-" + std::to_string(::getuid())), "x").ok());
        runtime::WeightKeeper keeper({path("gone/w.npz"), {}});
        auto const kept = keeper.finish(stateOf(7, 3), {});
        QVERIFY(kept.place.empty());
        QVERIFY(kept.problem->message.find("lost") != std::string::npos);
    }

    void whatIsLostSaysWhatTheProjectHolds()
    {
        auto const project = makeProject("p.tilewright");
        runtime::WeightKeeper keeper({{}, project});
        auto first = stateOf(1, 8);
        first.epoch = 1;
        keeper.save(first, {});
        keeper.settle();
        runtime::KeptWeights kept;
        {
            FileLimit const limit(100); // less than an archive of one value
            kept = keeper.finish(stateOf(2, 16), {});
        }
        QVERIFY(kept.lost());
        QVERIFY2(kept.problem->message.find("lost. The project holds epoch 1 (step 8).") != std::string::npos,
                 kept.problem->message.c_str());
        QVERIFY2(kept.problem->remedy.find("--resume last") != std::string::npos, kept.problem->remedy.c_str());
        QVERIFY(sameBytes(*runtime::lastCheckpoint(project).value(), first));
    }

    void whatIsSavedAlreadyIsNotSavedAgain()
    {
        auto const project = makeProject("p.tilewright");
        runtime::WeightKeeper keeper({path("w.npz"), project});
        keeper.save(stateOf(1, 8), {});
        keeper.settle();
        auto const fileTime = fs::last_write_time(path("w.npz")), projectTime = fs::last_write_time(project);
        QTest::qWait(30);
        runtime::KeptWeights kept;
        {
            FileLimit const limit(1000); // nothing could be written
            kept = keeper.finish(stateOf(1, 8), {});
        }
        QVERIFY(!kept.problem);
        QCOMPARE(kept.place, path("w.npz").string());
        QVERIFY(fs::last_write_time(path("w.npz")) == fileTime && fs::last_write_time(project) == projectTime);
        // Other bytes of the same step, as another run leaves them there, are no reason to write nothing.
        QVERIFY(runtime::writeLastCheckpoint(project, stateOf(5, 8)).ok());
        QVERIFY(runtime::writeCheckpoint(path("w.npz"), stateOf(5, 8), {}).ok());
        QVERIFY(!keeper.finish(stateOf(1, 8), {}).problem);
        QCOMPARE(firstOf(path("w.npz")), 1.0f);
        QVERIFY(sameBytes(*runtime::lastCheckpoint(project).value(), stateOf(1, 8)));
    }

    void whereOnlyTheWeightsFitTheyAreRescuedAlone()
    {
        auto state = stateOf(7, 3);
        state.tensors.push_back({"dense/kernel/rms", DType::F32, {10'000}, std::vector<std::byte>(40'000)});
        runtime::WeightKeeper keeper({path("gone/w.npz"), {}});
        keeper.setWeights({"dense/kernel"});
        runtime::KeptWeights kept;
        {
            FileLimit const limit(20'000);
            kept = keeper.finish(state, {});
        }
        QVERIFY2(!kept.rescue.empty(), kept.problem->message.c_str());
        QVERIFY2(kept.problem->message.find("Only the weights") != std::string::npos, kept.problem->message.c_str());
        auto const rescued = runtime::readCheckpoint(kept.rescue, {}).value();
        QCOMPARE(rescued.tensors.size(), std::size_t(1));
        QCOMPARE(rescued.step, 3);
        QCOMPARE(firstOf(kept.rescue), 7.0f);
    }

    void weightsDoNotGoIntoAnotherModel_data()
    {
        QTest::addColumn<QString>("units");
        QTest::addColumn<bool>("changes");
        QTest::newRow("another width") << "24" << true;
        QTest::newRow("the same") << "32" << false;
    }
    void weightsDoNotGoIntoAnotherModel()
    {
        QFETCH(QString, units);
        QFETCH(bool, changes);
        auto const project = makeProject("p.tilewright");
        auto request = requestIn(m_session);
        request.epochs = 2;
        request.keep.project = project;
        auto const own = stateOf(9, 1);
        runtime::RunObserver observer;
        observer.epoch = [&](runtime::EpochResult const &result) {
            if (result.epoch != 1) return;
            auto const p = mnist("gc200:tiles=16", smallModel({{"model.layers.dense.units", units.toStdString()}, {"title", "another"}}));
            QVERIFY(store::writeProjectFile(project, {project::projectParts(p)}).ok());
            QVERIFY(runtime::writeLastCheckpoint(project, own).ok());
        };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, {});
        QVERIFY(outcome.ok());
        QCOMPARE(outcome->kept.problem.has_value(), changes);
        auto const held = runtime::lastCheckpoint(project).value();
        if (!changes) {
            QVERIFY(sameBytes(*held, outcome->state));
            return;
        }
        auto const &message = outcome->kept.problem->message;
        QVERIFY2(message.find("no longer the one that is trained") != std::string::npos
                     && message.find("dense/kernel") != std::string::npos,
                 message.c_str());
        QVERIFY(sameBytes(*held, own));
        QVERIFY(sameBytes(runtime::readCheckpoint(outcome->kept.rescue, {}).value(), outcome->state));
    }

    void onePlaceThatFailsLeavesTheOther()
    {
        auto const project = makeProject("p.tilewright");
        runtime::WeightKeeper keeper({path("gone/w.npz"), project});
        auto const kept = keeper.finish(stateOf(7, 3), {});
        QCOMPARE(kept.place, std::string("last"));
        QVERIFY(kept.rescue.empty());
        QCOMPARE(kept.problem->subject, path("gone/w.npz").string());
        QCOMPARE(runtime::lastCheckpoint(project).value()->step, 3);
    }

    void aSaveThatFailsOnTheWayIsAWarningOnce()
    {
        fs::create_directory(path("folder"));
        runtime::WeightKeeper keeper({path("folder/w.npz"), {}});
        fs::remove(path("folder"));
        DiagnosticSink warnings;
        JobContext job;
        job.warnings = &warnings;
        for (int i = 0; i < 3; ++i) {
            keeper.save(stateOf(1, i), job);
            QVERIFY(comesToBe([&] { return keeper.isDue(true); }));
        }
        fs::create_directory(path("folder"));
        auto const kept = keeper.finish(stateOf(2, 9), job);
        QVERIFY(!kept.problem); // by now it can
        QCOMPARE(warnings.all().size(), std::size_t(1));
        QCOMPARE(firstOf(path("folder/w.npz")), 2.0f);
    }

    void weightsThatAreNotFiniteReplaceNothing()
    {
        runtime::WeightKeeper keeper({path("w.npz"), {}});
        DiagnosticSink warnings;
        JobContext job;
        job.warnings = &warnings;
        keeper.save(stateOf(5, 8), job);
        QVERIFY(comesToBe([&] { return keeper.isDue(true); }));
        keeper.save(stateOf(std::numeric_limits<float>::quiet_NaN(), 16), job);
        auto const kept = keeper.finish(stateOf(std::numeric_limits<float>::infinity(), 24), job);
        QCOMPARE(firstOf(path("w.npz")), 5.0f);
        QCOMPARE(kept.place, path("w.npz").string());
        QVERIFY(!kept.problem);
        QVERIFY(std::ranges::any_of(warnings.all(), [](auto const &w) { return w.remedy.find("step 8") != std::string::npos; }));
    }

    void aReportIsCompleteOnlyAfterTheWeightsAreSafe()
    {
        // Another process holds the project while its last weights are to be saved: saving waits, and the report with it.
        auto const project = mnist("gc200:tiles=16", smallModel());
        QVERIFY(store::createProjectFile(path("p.tilewright"), {project::projectParts(project)}).ok());
        auto const stateNow = [&] {
            auto const data = store::ReportReader::open(path("r.twreport")).value()->readAll();
            return data.ok() && !data->runs.empty() ? data->runs[0].state : std::string("none");
        };
        std::vector<std::string> states; ///< what the report told while the project was held
        std::atomic<bool> held{false};
        std::thread holder;
        auto request = requestIn(m_session);
        request.keep.project = path("p.tilewright");
        request.report = path("r.twreport");
        runtime::RunObserver observer;
        observer.epoch = [&](auto const &result) {
            if (result.epoch != project.training.epochs || holder.joinable()) return;
            holder = std::thread([&] {
                auto db = store::Database::open(path("p.tilewright"), store::Database::Mode::ReadWrite);
                db->setBusyTimeout(20'000);
                bool const holds = db->execute("BEGIN IMMEDIATE").ok();
                held = true;
                for (int i = 0; holds && i < 20; ++i) {
                    states.push_back(stateNow());
                    QThread::msleep(50);
                }
                (void)db->execute("ROLLBACK").ok();
            });
            while (!held) QThread::msleep(1);
        };
        auto const outcome = runtime::train(project, request, observer, {});
        QVERIFY(holder.joinable());
        holder.join();
        QVERIFY(outcome.ok() && !outcome->kept.problem);
        QCOMPARE(states.size(), std::size_t(20));
        for (auto const &state : states) QCOMPARE(state, std::string("running"));
        QCOMPARE(stateNow(), std::string("done"));
        QVERIFY(runtime::lastCheckpoint(path("p.tilewright")).value().has_value());
    }

    void aReportThatCannotBeFinishedCostsNoWeights()
    {
        auto request = requestIn(m_session);
        request.keep.file = path("w.npz");
        request.report = path("r.twreport");
        runtime::RunObserver observer;
        // Somebody empties the report: its writer finds a file that is no database any more.
        observer.epoch = [&](auto const &) { std::ofstream(path("r.twreport"), std::ios::trunc) << std::string(40'000, '?'); };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, {});
        QVERIFY(outcome.ok());
        QVERIFY(outcome->unreported.has_value());
        QVERIFY(!outcome->kept.problem);
        QVERIFY(sameBytes(runtime::readCheckpoint(path("w.npz"), {}).value(), outcome->state));
    }
};

TW_REGISTER_TEST(TstWeightsKept);
#include "tst_weights_kept.moc"
