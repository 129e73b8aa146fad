#include "tests/engine/runtime/option_runs.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace tilewright;
using namespace tilewright::config;
using namespace tilewright::tests;

/// What options do, beyond the fact that they do something (tst_option_effects.cpp).
class TstOptionRuns : public QObject, protected OptionRuns {
    Q_OBJECT
private slots:
    void trapsNameOperationLayerAndStepInBothModes()
    {
        for (auto const mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const overflow = trapOf(diverging("oflo", "true"), mode);
            QVERIFY2(overflow.starts_with("step 2: operation '"), overflow.c_str());
            QVERIFY2(overflow.find("of layer 'dense") != std::string::npos, overflow.c_str());
            auto const zero = trapOf(withoutVariance("true"), mode);
            QVERIFY2(zero.starts_with("step 1: operation '"), zero.c_str());
            QVERIFY2(zero.find("division by zero") != std::string::npos, zero.c_str());
            // Traps change no number of a run that none ends.
            auto r = requestIn(m_folder, mode);
            r.steps = 3;
            auto const all = trained(small("gc200:tiles=8", option("floating_point_behaviour.inv", "true")), r);
            QVERIFY(!all.stopped);
            QCOMPARE(all.weightsHash, trained(small("gc200:tiles=8"), r).weightsHash);
        }
    }
    void overflowsOfFloat16HaveATrapOfTheirOwn()
    {
        for (auto const mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const half = trapOf(divergingHalf("nanoo", "true"), mode);
            QVERIFY2(half.starts_with("step 1: operation '") && half.find("of layer 'dense") != std::string::npos, half.c_str());
            QVERIFY2(half.find("float16 overflow") != std::string::npos, half.c_str());
            QCOMPARE(trapOf(divergingHalf("nanoo", "false"), mode), std::string());
            QCOMPARE(trapOf(diverging("nanoo", "true"), mode), std::string()); // float32
            auto const any = trapOf(divergingHalf("oflo", "true"), mode);
            QVERIFY2(any.find("a result is infinite") != std::string::npos, any.c_str());
        }
    }
    /// A mean of thousands of deviations leaves no digit of a variance that is computed in one pass.
    void stableStatisticsKeepTheDigitsOfVariances()
    {
        auto const lossOf = [&](double mean, char const *stable, runtime::Mode mode) {
            double loss = -1;
            runtime::RunObserver observer;
            observer.step = [&](std::int64_t, double value, auto const &) { loss = value; };
            auto r = requestIn(m_folder, mode);
            r.steps = 1;
            r.every = 1;
            auto const outcome = runtime::train(withNorm(mean, stable), r, observer, {});
            return outcome.ok() ? loss : -1;
        };
        for (auto const mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const near = lossOf(0, "true", mode);
            QVERIFY(near > 0);
            QVERIFY(std::abs(lossOf(0, "false", mode) / near - 1) < 1e-4);
            QVERIFY(std::abs(lossOf(3000, "true", mode) / near - 1) < 1e-2);
            QVERIFY(std::abs(lossOf(3000, "false", mode) / near - 1) > 1e-2);
        }
    }
    void requestedFilesDescribeTheProgram()
    {
        auto const folder = m_folder.path() / "described";
        auto r = request("--tensor_map_file_path=" + folder.string());
        r.environment.xla = *XlaFlags::parse("--xla_dump_hlo_pass_re=schedule --xla_dump_hlo_as_dot --xla_dump_to=" + folder.string());
        auto const outcome = compiler::compile(small("gc200:tiles=8", option("serialization_output_folder", folder.string())), r, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QString dot, map, interface;
        int dots = 0;
        for (auto const &file : std::filesystem::directory_iterator(folder)) {
            auto const name = file.path().filename().string();
            QFile open(QString::fromStdString(file.path().string()));
            QVERIFY(open.open(QIODevice::ReadOnly));
            auto const text = QString::fromUtf8(open.readAll());
            if (name.ends_with(".dot")) dot = text, ++dots;
            else if (name.ends_with(".tensor_map.json")) map = text;
            else if (name.ends_with(".json")) interface = text;
        }
        QCOMPARE(dots, 1); // of the pass that matches
        QVERIFY(dot.startsWith("digraph ") && dot.contains(" -> ") && dot.contains(": matmul"));
        QVERIFY(interface.contains("\"inputs\"") && interface.contains("\"to_device\": true"));
        // Every tensor is on tiles of the machine.
        auto const tensors = QJsonDocument::fromJson(map.toUtf8()).object()["tensors"].toArray();
        QCOMPARE(tensors.size(), qsizetype(outcome->executable->program.variables.size()));
        for (auto const &tensor : tensors)
            for (auto const &place : tensor.toObject()["tiles"].toArray()) QVERIFY(place.toArray()[0].toInt() < 8);
    }
    void autoReportsHaveThePartsThatAreAsked()
    {
        auto const pathOf = [this](char const *option) {
            auto const base = m_folder.path() / (std::string("parts-") + option);
            auto r = requestIn(m_folder);
            r.steps = 2;
            auto const outcome = runtime::train(small("gc200:tiles=8",
                                                      {{std::string("engine_options.autoReport.") + option, "true"},
                                                       {"engine_options.autoReport.directory", base.string()}}),
                                                r, {}, {});
            for (auto const &entry : std::filesystem::recursive_directory_iterator(base))
                if (entry.path().filename() == "profile.twreport") return entry.path();
            return std::filesystem::path();
        };
        auto const whole = readReport(pathOf("outputExecutionProfile")), graph = readReport(pathOf("outputGraphProfile"));
        QVERIFY(whole.ok() && graph.ok());
        QVERIFY(!whole->series.empty() && graph->series.empty());
        QVERIFY(!whole->variables.empty() && !graph->variables.empty());
    }
    void syntheticFeedsTakeNoStreamCycles()
    {
        auto const p = small("gc200:tiles=8");
        auto r = request("--use_synthetic_data");
        r.forReport = true;
        auto const outcome = compiler::compile(p, r, {});
        QVERIFY(outcome.ok());
        for (auto const &event : outcome->detail->schedule.events) QVERIFY(event.phase != lowering::Phase::Stream);
        // Both modes run it, count its steps and leave a report that holds its invariants.
        for (auto const mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto run = requestIn(m_folder, mode);
            run.compile = r;
            run.steps = 3;
            run.report = m_folder.path() / (mode == runtime::Mode::Fused ? "fused.twreport" : "tile.twreport");
            auto const ran = runtime::train(p, run, {}, {});
            QVERIFY2(ran.ok(), ran.ok() ? "" : toText(ran.error()).c_str());
            QCOMPARE(ran->steps, std::int64_t{3});
            auto const read = readReport(*run.report);
            QVERIFY(read.ok());
            for (auto const &split : read->ipuSplits) QCOMPARE(split.stream, Cycles{0});
            for (auto const &stream : read->streams) QCOMPARE(stream.bytesPerTransfer, Bytes{0});
        }
    }
};

TW_REGISTER_TEST(TstOptionRuns);
#include "tst_option_runs.moc"
