// Runs in tile mode that stop within a step.
#include "engine/runtime/stop_at.h"
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;
using runtime::StopPlace;

namespace {

/// The tensors of variables: not the means of an epoch in progress.
std::vector<runtime::StateTensor> variablesOf(runtime::TrainingState const &state)
{
    auto tensors = state.tensors;
    std::erase_if(tensors, [](runtime::StateTensor const &tensor) { return tensor.name.starts_with('@'); });
    return tensors;
}

} // namespace

class TstStopAt : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    project::Project project(Fields more = {}) const
    {
        Fields fields{{"training.epochs", "1"}, {"training.batch_size", "16"}, {"training.steps_per_execution", "4"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    runtime::TrainOutcome run(project::Project const &p, std::string const &places, std::int64_t steps = 8) const
    {
        auto request = requestIn(m_folder);
        request.mode = Mode::Tile;
        request.steps = steps;
        if (!places.empty()) request.stopAt = runtime::parseStopAt(places).value();
        auto outcome = runtime::train(p, request, {}, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return std::move(outcome).value();
    }

private slots:
    void placesAreParsed()
    {
        auto const at = runtime::parseStopAt("step=12,write=3,above=1e4,nonfinite,superstep=7");
        QVERIFY(at.ok());
        QCOMPARE(*at->step, 12);
        QCOMPARE(*at->tile, 3);
        QCOMPARE(*at->above, 1e4);
        QCOMPARE(*at->superstep, 7);
        QVERIFY(at->notFinite);
        for (auto const *bad : {"", "step", "step=", "step=0", "step=1.5", "step=-1", "write=x", "nonfinite=1", "above=nan", "above=inf",
                                "step=1,", "steps=1"}) {
            auto const wrong = runtime::parseStopAt(bad);
            QVERIFY2(!wrong.ok(), bad);
            QCOMPARE(wrong.error().kind, ErrorKind::Usage);
        }
    }
    /// The weights are those before the update under way, even within an execution of several updates.
    void theWeightsOfFinishedUpdatesAreKept()
    {
        auto const p = project();
        auto const whole = run(p, {}, 4);
        auto const leaves = static_cast<std::int64_t>(program::leafSteps(whole.compiled.executable->program).size()); // of one update
        for (std::int64_t const steps : {0, 1, 2, 3}) {
            auto const stopped = run(p, "superstep=" + std::to_string(steps * leaves + leaves / 2));
            QVERIFY(stopped.stopPlace);
            QCOMPARE(stopped.stopPlace->cause, StopPlace::Cause::Superstep);
            QCOMPARE(stopped.stopPlace->update, steps + 1);
            QCOMPARE(stopped.steps, steps);
            QVERIFY(!stopped.stopped);
            auto request = requestIn(m_folder);
            request.mode = Mode::Tile;
            if (steps == 0) {
                QVERIFY(variablesOf(stopped.state) == variablesOf(*runtime::initialState(p, stopped.compiled.entry())));
                continue;
            }
            QVERIFY2(variablesOf(stopped.state) == variablesOf(run(p, {}, steps).state), QByteArray::number(qlonglong(steps)));
            // And the run goes on from there as if it had not stopped.
            request.steps = 4 - steps;
            request.resume = stopped.state;
            auto const resumed = runtime::train(p, request, {}, {});
            QVERIFY(resumed.ok() && variablesOf(resumed->state) == variablesOf(whole.state));
        }
    }
    void aNumberOfStepsIsReachedWithItsUpdate()
    {
        auto const p = project();
        auto const stopped = run(p, "step=3");
        QVERIFY(stopped.stopPlace);
        QCOMPARE(stopped.stopPlace->cause, StopPlace::Cause::Step);
        QCOMPARE(stopped.stopPlace->update, 3);
        QCOMPARE(stopped.steps, 3);
        QVERIFY(variablesOf(stopped.state) == variablesOf(run(p, {}, 3).state));
        QVERIFY(!run(p, "step=9", 8).stopPlace);
        QVERIFY(run(p, "step=8", 8).stopPlace);
    }
    void aWriteToATileIsNamed()
    {
        auto const stopped = run(project(), "write=5");
        QVERIFY(stopped.stopPlace);
        QCOMPARE(stopped.stopPlace->cause, StopPlace::Cause::Write);
        auto const &program = stopped.compiled.executable->program;
        QCOMPARE(stopped.stopPlace->tile, 5);
        QVERIFY(program::blockByTile(program.var(stopped.stopPlace->variable).layout, program.tiles())[5] >= 0);
        // It is the first step that does.
        auto const leaves = program::leafSteps(program);
        auto const first = std::ranges::find_if(leaves, [&](program::StepId id) {
            return std::ranges::any_of(program::accesses(program, program.step(id)), [&](program::VarAccess const &access) {
                return access.access != program::Access::Read
                    && program::blockByTile(program.var(access.var).layout, program.tiles())[5] >= 0;
            });
        });
        QVERIFY(stopped.stopPlace->step == *first);
        QVERIFY(runtime::stopText(*stopped.stopPlace, program).find("tile 5") != std::string::npos);
    }
    void valuesAreFoundWhereTheyAppear_data()
    {
        QTest::addColumn<bool>("half");
        QTest::newRow("float32") << false;
        QTest::newRow("float16") << true;
    }
    void valuesAreFoundWhereTheyAppear()
    {
        QFETCH(bool, half);
        // A rate that makes the weights leave the range of finite numbers.
        Fields const wild{{"training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 1e30}})"}};
        auto const p = half ? halfModel("mixed_float16",
                                        {{"training.batch_size", "16"},
                                         {"training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 1e30}})"}})
                            : project(wild);
        auto const infinite = run(p, "nonfinite");
        QVERIFY(infinite.stopPlace);
        QCOMPARE(infinite.stopPlace->cause, StopPlace::Cause::NotFinite);
        QVERIFY(!std::isfinite(infinite.stopPlace->value));
        auto const large = run(p, "above=1e4");
        QVERIFY(large.stopPlace);
        QCOMPARE(large.stopPlace->cause, StopPlace::Cause::Above);
        QVERIFY(large.stopPlace->value > 1e4 || large.stopPlace->value < -1e4);
        QVERIFY(large.stopPlace->superstep <= infinite.stopPlace->superstep);
        for (auto const &tensor : large.state.tensors)
            if (tensor.dtype == DType::F32 && tensor.shape.size() == 2)
                for (std::size_t i = 0; i < tensor.bytes.size() / 4; ++i)
                    QVERIFY(std::isfinite(reinterpret_cast<float const *>(tensor.bytes.data())[i]));
    }
    /// A healthy training writes nothing that is not finite, and is not changed by being watched.
    void aHealthyRunIsNotStopped_data()
    {
        QTest::addColumn<QString>("name");
        for (auto const *name : {"mnist-mlp", "mnist-cnn", "mnist-lstm", "transformer-sort"}) QTest::newRow(name) << QString(name);
    }
    void aHealthyRunIsNotStopped()
    {
        QFETCH(QString, name);
        auto p = project::fromTemplate(name.toStdString()).value();
        Fields const fields{
            {"system.target", "gc200:tiles=16"}, {"training.batch_size", "4"}, {"data.limit", "16"}, {"training.steps_per_execution", "1"}};
        for (auto const &[path, value] : fields) p = project::withField(p, path, value, nullptr).value();
        auto const watched = run(p, "nonfinite", 2);
        QVERIFY2(!watched.stopPlace,
                 watched.stopPlace ? runtime::stopText(*watched.stopPlace, watched.compiled.executable->program).c_str() : "");
        QVERIFY(variablesOf(watched.state) == variablesOf(run(p, {}, 2).state));
    }
    void onlyTilesCanStopWithinAStep()
    {
        auto request = requestIn(m_folder);
        request.stopAt = runtime::parseStopAt("nonfinite").value();
        auto const fused = runtime::train(project(), request, {}, {});
        QVERIFY(!fused.ok());
        QCOMPARE(fused.error().code, std::string("train.stop-at"));
        request.mode = Mode::Tile;
        request.stopAt = runtime::parseStopAt("write=16").value();
        auto const beyond = runtime::train(project(), request, {}, {});
        QVERIFY(!beyond.ok());
        QVERIFY(toText(beyond.error()).find("0 to 15") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstStopAt);
#include "tst_stop_at.moc"
