// Runs on samples that the caller has in memory.
#include "engine/data/batcher.h"
#include "engine/data/data_source.h"
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <numeric>

using namespace tilewright;
using namespace tilewright::tests;

class TstGivenSamples : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static project::Project project(Fields more = {})
    {
        Fields fields{{"training.batch_size", "16"}, {"training.epochs", "2"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    /// The digits of the project as arrays of a caller.
    static std::shared_ptr<runtime::GivenSamples> digits(project::Project const &p)
    {
        auto samples = std::make_shared<runtime::GivenSamples>();
        samples->dataset = data::openDataset(project::dataSource(p), ".", {}).value();
        return samples;
    }

private slots:
    void theyTrainAsTheSameSamplesOfASource()
    {
        auto const p = project();
        auto request = requestIn(m_folder);
        auto const fromSource = trained(p, request);
        request.samples = digits(p);
        auto elsewhere = p; // the source is not asked
        elsewhere.data.path = "/nonexistent/digits.npz";
        elsewhere.data.limit = 0;
        auto const given = trained(elsewhere, request);
        QCOMPARE(given.steps, fromSource.steps);
        QVERIFY(sameVariables(given.state, fromSource.state));
        QCOMPARE(given.weightsHash, fromSource.weightsHash);
    }

    void theCallersOrderIsRead()
    {
        auto const p = project();
        auto request = requestIn(m_folder);
        auto const planned = trained(p, request);
        auto samples = digits(p);
        std::vector<std::int64_t> asked;
        samples->order = [&](std::int64_t epoch) {
            asked.push_back(epoch);
            return data::epochOrder(256, static_cast<std::uint64_t>(p.training.seed), epoch, true);
        };
        request.samples = samples;
        auto const same = trained(p, request);
        QCOMPARE(asked, (std::vector<std::int64_t>{0, 1}));
        QVERIFY(sameVariables(same.state, planned.state));
        auto inTurn = digits(p);
        inTurn->order = [](std::int64_t) {
            std::vector<std::uint32_t> order(256);
            std::iota(order.begin(), order.end(), 0u);
            return order;
        };
        request.samples = inTurn;
        QVERIFY(trained(p, request).weightsHash != planned.weightsHash);
    }

    void valuesMayChangeBetweenTwoEpochs()
    {
        auto const p = project({{"training.shuffle", "false"}});
        auto const source = digits(p);
        auto const bytes = static_cast<std::size_t>(source->dataset.x.totalBytes());
        auto filled = std::make_shared<std::vector<std::byte>>(bytes);
        (void)data::makeRecords(source->dataset.x, *std::make_unique<ThreadPool>(1), {});
        auto const request = [&](std::shared_ptr<runtime::GivenSamples> samples) {
            auto asked = requestIn(m_folder);
            asked.samples = std::move(samples);
            return asked;
        };
        auto samples = std::make_shared<runtime::GivenSamples>(*source);
        samples->dataset.x.maker = nullptr;
        samples->dataset.x.bytes = std::shared_ptr<std::byte const>(filled, filled->data());
        // The first epoch sees the digits, the second one white paper.
        samples->order = [&](std::int64_t epoch) {
            if (epoch == 0) std::memcpy(filled->data(), source->dataset.x.bytes.get(), bytes);
            else std::fill(filled->begin(), filled->end(), std::byte{});
            std::vector<std::uint32_t> order(256);
            std::iota(order.begin(), order.end(), 0u);
            return order;
        };
        auto const asked = request(samples);
        runtime::RunObserver observer;
        auto const session = runtime::TrainingSession::prepare(p, asked, observer, {});
        QVERIFY2(session.ok(), session.ok() ? "" : toText(session.error()).c_str());
        (*session)->run({.epochs = 1});
        auto const half = (*session)->session().state();
        (*session)->run();
        auto const outcome = (*session)->finish();
        QVERIFY(!outcome.stopped);
        auto const oneEpoch = trained(project({{"training.shuffle", "false"}, {"training.epochs", "1"}}), request(source));
        QVERIFY(sameVariables(half, oneEpoch.state));
        QVERIFY(outcome.weightsHash != trained(p, request(source)).weightsHash);
    }

    void anOrderNamesEverySample()
    {
        auto const p = project();
        auto request = requestIn(m_folder);
        auto samples = digits(p);
        samples->order = [](std::int64_t) { return std::vector<std::uint32_t>{0, 1, 2}; };
        request.samples = samples;
        auto const outcome = trained(p, request);
        QVERIFY(outcome.stopped);
        QCOMPARE(outcome.stopped->code, std::string("data.order"));
        QCOMPARE(outcome.steps, 0);
    }

    void theyAreEvaluatedAndPredicted()
    {
        auto const p = project();
        auto request = requestIn(m_folder);
        auto const fromSource = runtime::evaluate(p, request, nullptr, {});
        QVERIFY(fromSource.ok());
        auto const predicted = runtime::predict(p, request, nullptr, {});
        request.samples = digits(p);
        auto elsewhere = p;
        elsewhere.data.path = "/nonexistent/digits.npz";
        auto const given = runtime::evaluate(elsewhere, request, nullptr, {});
        QVERIFY2(given.ok(), given.ok() ? "" : toText(given.error()).c_str());
        QCOMPARE(given->loss, fromSource->loss);
        QCOMPARE(given->metrics, fromSource->metrics);
        auto const again = runtime::predict(elsewhere, request, nullptr, {});
        QCOMPARE(again->outputs.front().values, predicted->outputs.front().values);
    }
};

TW_REGISTER_TEST(TstGivenSamples);
#include "tst_given_samples.moc"
