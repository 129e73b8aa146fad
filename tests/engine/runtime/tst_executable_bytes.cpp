#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"

using namespace tilewright;
using namespace tilewright::tests;

extern "C" int fuzzExecutable(std::uint8_t const *bytes, std::size_t size);

/// An executable is the same value after a trip through bytes; damaged bytes are refused, never followed.
class TstExecutableBytes : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    std::shared_ptr<executable::Executable const> compiled(std::string const &target, Fields const &fields) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        auto outcome = compiler::compile(mnist(target, fields), request, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return outcome->executable;
    }
    static Fields tiny() { return {{"model.layers.dense.units", "5"}, {"model.layers.dense_1.units", "4"}, {"training.batch_size", "2"}}; }

private slots:
    void roundTripsThroughBytesChangeNothing_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("pipeline");
        QTest::addColumn<bool>("ends");
        QTest::newRow("eight tiles") << "gc200:tiles=8" << false << false;
        QTest::newRow("replicas") << "gc200:tiles=8,ipus=2" << false << false;
        QTest::newRow("pipeline") << "gc200:tiles=8,ipus=2" << true << false;
        QTest::newRow("cpu") << "cpu" << false << false;
        QTest::newRow("a loop that ends") << "gc200:tiles=8" << false << true;
    }
    void roundTripsThroughBytesChangeNothing()
    {
        QFETCH(QString, target);
        QFETCH(bool, pipeline);
        QFETCH(bool, ends);
        auto fields = smallModel();
        if (ends) fields.emplace_back("training.loop", R"(["gradients", "apply", {"while": {"loss_above": 0.1}}])");
        if (pipeline)
            fields = twoStages(smallModel({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}}));
        auto const exe = compiled(target.toStdString(), fields);
        auto const bytes = executable::serialize(*exe);
        auto const back = executable::deserialize(bytes);
        QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
        QVERIFY(back->program == exe->program);
        QCOMPARE(back->entries.size(), std::size_t(1));
        auto const &after = back->entries[0], &before = exe->entries[0];
        QVERIFY(after.graph == before.graph);
        QVERIFY(after.infeed == before.infeed && after.outfeed == before.outfeed);
        QVERIFY(after.weights == before.weights && after.trainable == before.trainable && after.iterations == before.iterations);
        QVERIFY(after.variables == before.variables);
        QCOMPARE(after.reached.valid(), ends);
        QVERIFY(after.reached == before.reached);
        QVERIFY(back->constants == exe->constants && back->variables == exe->variables);
        QVERIFY(back->memory.layouts == exe->memory.layouts && back->memory.withGaps == exe->memory.withGaps);
        QCOMPARE(after.patternCycles, before.patternCycles);
        QVERIFY(executable::serialize(*back) == bytes);
    }
    void threadsDoNotChangeIt()
    {
        std::vector<std::byte> first;
        std::vector<lowering::Event> events;
        for (int threads : {1, 2, 3}) {
            auto request = requestIn(m_folder).compile;
            request.useCache = false;
            request.threads = threads;
            auto const outcome = compiler::compile(mnist("gc200", {}), request, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            auto const bytes = executable::serialize(*outcome->executable);
            if (first.empty()) first = bytes, events = outcome->detail->schedule.events;
            QVERIFY(bytes == first);
            QVERIFY(outcome->detail->schedule.events == events);
        }
    }
    void aCancelledCompileGivesNothing()
    {
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        // In the middle, when the variables to place are known.
        job.progress = [&](std::string_view, double fraction) {
            if (fraction >= 0.4) source.request_stop();
        };
        auto const outcome = compiler::compile(mnist("gc200", {}), request, job);
        QVERIFY(!outcome.ok());
        QVERIFY(outcome.error().kind == ErrorKind::Cancelled);
    }
    void everyTruncationIsRefused()
    {
        auto const bytes = executable::serialize(*compiled("gc200:tiles=2", tiny()));
        qInfo("%zu bytes", bytes.size());
        for (std::size_t n = 0; n < bytes.size(); n += n < 2000 ? 1 : 997) {
            auto const back = executable::deserialize(std::span(bytes).first(n));
            QVERIFY2(!back.ok(), qPrintable(QString::number(n)));
            QCOMPARE(back.error().code, std::string("executable.damaged"));
        }
        auto longer = bytes;
        longer.push_back(std::byte{0});
        QVERIFY(!executable::deserialize(longer).ok());
    }
    void flippedBitsNeverCrash()
    {
        auto const bytes = executable::serialize(*compiled("gc200:tiles=2", tiny()));
        int refused = 0, accepted = 0;
        // TILEWRIGHT_FUZZ_ROUNDS=200000 searches longer.
        auto const rounds = static_cast<std::uint64_t>(std::max(4000, qEnvironmentVariableIntValue("TILEWRIGHT_FUZZ_ROUNDS")));
        for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
            RandomStream random(deriveSeed(51, seed));
            auto damaged = bytes;
            for (auto n = 1 + random.below(3); n > 0; --n) damaged[random.below(damaged.size())] ^= std::byte{1} << random.below(8);
            auto const back = executable::deserialize(damaged);
            if (!back.ok()) {
                ++refused;
                QVERIFY(back.error().kind == ErrorKind::Invalid);
            } else {
                ++accepted; // a name or a figure: its structure holds
                QVERIFY(graph::verifyStructure(back->entries[0].graph).ok());
                QVERIFY(!back->emulated || program::verify(back->program).ok());
            }
        }
        qInfo("%d refused, %d with other contents", refused, accepted);
        QVERIFY(refused > 100);
    }
    void randomBytesNeverCrash()
    {
        auto const good = executable::serialize(*compiled("gc200:tiles=2", tiny()));
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            RandomStream random(seed);
            std::vector<std::byte> bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(random.below(good.size())));
            for (int i = 0; i < 400; ++i) bytes.push_back(static_cast<std::byte>(random.next() & random.next() & random.next()));
            QCOMPARE(fuzzExecutable(reinterpret_cast<std::uint8_t const *>(bytes.data()), bytes.size()), 0);
        }
    }
    void referencesOutsideAreRefused_data()
    {
        QTest::addColumn<int>("damage");
        for (int i = 0; i < 15; ++i) QTest::addRow("%d", i) << i;
    }
    void referencesOutsideAreRefused()
    {
        QFETCH(int, damage);
        auto exe = *compiled("gc200:tiles=8", smallModel());
        using Change = void (*)(executable::Executable &);
        static constexpr Change kChanges[] = {
            [](auto &e) { e.entries[0].weights[0] = graph::VariableId(std::size_t{999}); },
            [](auto &e) { e.entries[0].iterations[0] = graph::VariableId(); },
            [](auto &e) { e.entries[0].variables.pop_back(); },
            [](auto &e) { e.variables[0].storage = program::VarId(std::size_t{9999}); },
            [](auto &e) { std::swap(e.variables[0].storage, e.variables[1].storage); },
            [](auto &e) { e.constants[0].var = program::VarId(); },
            [](auto &e) { e.constants[0].values.clear(); },
            [](auto &e) { e.replicas = 2; },
            [](auto &e) { e.entries[0].batchSize = 0; },
            [](auto &e) { e.memory.layoutOf[0] = -1; },
            [](auto &e) { e.memory.layouts[0].items[0].offset = Bytes{1} << 40; },
            [](auto &e) { e.entries.clear(); },
            [](auto &e) { e.entries[0].variables[0] = 9999; },
            [](auto &e) { e.variables.clear(); },
            [](auto &e) { std::erase_if(e.memory.layouts[0].items, [](auto const &item) { return item.variable >= 0; }); },
        };
        kChanges[damage](exe);
        auto const back = executable::deserialize(executable::serialize(exe));
        QVERIFY(!back.ok());
        QCOMPARE(back.error().code, std::string("executable.damaged"));
    }
};

TW_REGISTER_TEST(TstExecutableBytes);
#include "tst_executable_bytes.moc"
