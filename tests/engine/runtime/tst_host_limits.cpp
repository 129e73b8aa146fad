#include "engine/store/check_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <new>
#include <stop_token>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// A host with too few resources, and interrupted runs: finished work is kept, the rest is reported.
class TstHostLimits : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// Number of generated samples of a run, from its log.
    static runtime::RunRequest counting(runtime::RunRequest request, std::string &line)
    {
        request.compile.log = [&line](config::LogComponent, config::LogLevel, std::string const &text) {
            if (text.starts_with("generated ")) line = text;
        };
        return request;
    }
    static store::ReportReader const &opened(std::filesystem::path const &path, std::shared_ptr<store::ReportReader const> &keep)
    {
        auto reader = store::ReportReader::open(path);
        if (!reader.ok()) qFatal("%s", toText(reader.error()).c_str());
        keep = *reader;
        return *keep;
    }

private slots:
    void aFewStepsGenerateAFewSamples()
    {
        std::string line;
        auto request = counting(requestIn(m_folder), line);
        request.steps = 2;
        auto p = mnist("gc200:tiles=16", smallModel({{"data.limit", "0"}}));
        trained(p, request);
        QCOMPARE(line, std::string("generated 64 samples")); // two batches of the 60,000
        trained(mnist("cpu", smallModel({{"data.limit", "0"}})), request);
        QCOMPARE(line, std::string("generated 64 samples"));
    }
    void epochsGenerateOnlyTheirTrainingData()
    {
        std::string line;
        trained(mnist("gc200:tiles=16", smallModel({{"training.validation_split", "0.25"}})), counting(requestIn(m_folder), line));
        QCOMPARE(line, std::string("generated 256 samples")); // a quarter of them for the validation
    }
    void generatedAheadOrNotTheNumbersAreTheSame()
    {
        auto const p = mnist("gc200:tiles=16", smallModel({{"data.limit", "640"}, {"training.epochs", "2"}}));
        auto const one = trained(p, requestIn(m_folder, Mode::Fused, 1)), many = trained(p, requestIn(m_folder, Mode::Fused, 5));
        QVERIFY(sameBytes(one.state, many.state));
    }
    void dataThatDoNotFitAreNotGenerated()
    {
        auto const p = mnist("gc200:tiles=4", {{"data.limit", "0"}});
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY(outcome.ok() && outcome->stopped);
        QCOMPARE(outcome->stopped->code, std::string("memory.out-of-memory"));
    }
    void aModelThatTheHostCannotHoldIsRefusedWithFigures()
    {
        auto const p = mnist("cpu", {{"model.layers.dense.units", "1000000000"}});
        auto const outcome = runtime::train(p, requestIn(m_folder), {}, {});
        QVERIFY(!outcome.ok());
        auto const &error = outcome.error();
        QVERIFY(error.kind == ErrorKind::DoesNotFit);
        QCOMPARE(error.code, std::string("host.memory"));
        QVERIFY2(error.message.find("does not fit in the host's memory") != std::string::npos
                     && error.message.find("TiB") != std::string::npos,
                 error.message.c_str());
        QVERIFY(!error.remedy.empty());
        for (bool const predicts : {false, true}) {
            auto const failure = predicts ? runtime::predict(p, requestIn(m_folder), nullptr, {}).error()
                                          : runtime::evaluate(p, requestIn(m_folder), nullptr, {}).error();
            QCOMPARE(failure.code, std::string("host.memory"));
        }
    }
    void lackOfMemoryDuringTheRunKeepsTheResults()
    {
        auto const p = mnist("gc200:tiles=16", smallModel());
        auto request = requestIn(m_folder);
        request.report = m_folder.path() / "short.twreport";
        request.every = 1;
        runtime::RunObserver observer;
        observer.step = [](std::int64_t step, double, auto const &) {
            if (step == 4) throw std::bad_alloc();
        };
        auto const outcome = runtime::train(p, request, observer, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->stopped && outcome->stopped->kind == ErrorKind::DoesNotFit);
        QCOMPARE(outcome->stopped->code, std::string("host.memory"));
        QCOMPARE(outcome->steps, 4);
        QVERIFY(!outcome->state.tensors.empty());
        std::shared_ptr<store::ReportReader const> reader;
        auto const violations = *store::checkReport(opened(*request.report, reader));
        QVERIFY2(violations.empty(), violations.empty() ? "" : (violations.front().subject + ": " + violations.front().what).c_str());
    }
    void aRunStoppedBeforeItsFirstStepLeavesAReportOfTheCompile()
    {
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        auto request = requestIn(m_folder);
        request.report = m_folder.path() / "early.twreport";
        runtime::RunObserver observer;
        observer.compiled = [&](auto const &) { source.request_stop(); };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), request, observer, job);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->stopped && outcome->stopped->kind == ErrorKind::Cancelled);
        QCOMPARE(outcome->steps, 0);
        QVERIFY(outcome->state.tensors.empty()); // nothing that could take the place of trained weights
        std::shared_ptr<store::ReportReader const> reader;
        opened(*request.report, reader);
        QVERIFY(store::checkReport(*reader)->empty());
        QVERIFY(reader->rows<report::VariableRow>()->size() > 5);
        auto const runs = reader->rows<report::RunRow>();
        QCOMPARE(runs->size(), std::size_t(1));
        QCOMPARE(runs->front().state, std::string("stopped"));
        QCOMPARE(runs->front().kind, std::string("train"));
        QCOMPARE(runs->front().steps, 0);
    }
    void withoutAReportItIsCancelled()
    {
        std::stop_source source;
        JobContext job;
        job.stop = source.get_token();
        runtime::RunObserver observer;
        observer.compiled = [&](auto const &) { source.request_stop(); };
        auto const outcome = runtime::train(mnist("gc200:tiles=16", smallModel()), requestIn(m_folder), observer, job);
        QVERIFY(!outcome.ok());
        QVERIFY(outcome.error().kind == ErrorKind::Cancelled);
    }
};

TW_REGISTER_TEST(TstHostLimits);
#include "tst_host_limits.moc"
