#include "engine/runtime/tuning.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::tests;

/// What tuning ranks is what a compile of the changed project says.
class TstTuning : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    compiler::CompileRequest request() const { return requestIn(m_folder).compile; }

    /// Every trial, compiled again; `best` is the first.
    void holds(project::Project const &p, Tuning const &tuning)
    {
        QVERIFY(!tuning.trials.empty());
        Trial const *before = nullptr;
        for (auto const &trial : tuning.trials) {
            auto const changed = withProposal(p, trial.proposal);
            QVERIFY2(changed.ok(), toText(trial.proposal).c_str());
            auto const again = compiler::compile(*changed, request(), {});
            QVERIFY2(again.ok(), toText(trial.proposal).c_str());
            QCOMPARE(trial.fits, !again->outOfMemory);
            QCOMPARE(trial.samplesPerSecond, again->samplesPerSecond());
            Bytes worst = 0;
            for (auto const &ipu : again->executable->memory.ipus) worst = std::max(worst, ipu.worstBytes);
            QCOMPARE(trial.withGaps, worst);
            if (before) {
                QVERIFY(before->fits || !trial.fits);
                if (before->fits && trial.fits) QVERIFY(before->samplesPerSecond >= trial.samplesPerSecond);
            }
            before = &trial;
        }
    }

private slots:
    void allCombinationsAreTriedAndRanked()
    {
        auto const p = mnist("gc200:tiles=16", smallModel()); // 256 samples
        TuneRequest tuning;
        tuning.fields = {{"training.batch_size", {"16", "32", "64"}}, {"system.target", {"gc200:tiles=16", "gc200:tiles=32"}}};
        tuning.seconds = 600;
        tuning.samples = 256;
        auto const found = tune(p, request(), tuning, {});
        QVERIFY(found.ok());
        QVERIFY(found->complete);
        QCOMPARE(found->tried, 6); // one of the six is the project as it is
        QCOMPARE(found->trials.size(), std::size_t{6});
        QCOMPARE(std::ranges::count_if(found->trials, [](auto const &trial) { return trial.proposal.set.empty(); }), 1);
        holds(p, *found);
    }
    void valuesThatAreAskedForAreTriedAsTheyAre()
    {
        auto const p = mnist("gc200:tiles=16", smallModel({{"data.limit", "0"}})); // 60,000 samples, of which 64 is no divisor
        TuneRequest tuning;
        tuning.fields = {{"training.batch_size", {"64", "60"}}};
        tuning.seconds = 600;
        tuning.samples = 60000;
        auto const found = tune(p, request(), tuning, {});
        QVERIFY(found.ok() && found->complete && found->refused.empty());
        std::vector<std::string> tried;
        for (auto const &trial : found->trials) tried.push_back(toText(trial.proposal));
        std::ranges::sort(tried);
        QCOMPARE(tried, (std::vector<std::string>{"", "training.batch_size=60", "training.batch_size=64 data.limit=59968"}));
        // What cannot be tried as it is asked for is refused with the rule's reason, and the search is not complete.
        tuning.fields = {{"training.batch_size", {"64"}}, {"training.steps_per_execution", {"7"}}, {"data.limit", {"60000"}}};
        auto const refused = tune(p, request(), tuning, {});
        QVERIFY(refused.ok() && !refused->complete && refused->inTime);
        QCOMPARE(refused->tried, 1);
        QCOMPARE(refused->refused.size(), std::size_t{1});
        QCOMPARE(refused->refused.front().reason.code, std::string("data.batch"));
    }
    void whatARuleRefusesIsSaidWithItsReason()
    {
        auto const p = mnist("gc200:tiles=16", smallModel());
        TuneRequest tuning;
        tuning.fields = {{"training.replicas", {"1", "2"}}, {"training.optimizer", {"rmsprop", "nonsense"}}};
        tuning.seconds = 600;
        tuning.samples = 256;
        auto const found = tune(p, request(), tuning, {});
        QVERIFY(found.ok());
        QCOMPARE(found->refused.size(), std::size_t{3});
        for (auto const &refused : found->refused) QVERIFY(!refused.reason.message.empty() && !refused.reason.code.empty());
        QVERIFY(!found->complete && found->inTime);
        QCOMPARE(found->trials.size(), std::size_t{1}); // rmsprop on one replica is what it is
    }
    /// None of the usual changes makes it fit; what would is looked for as for a failed compile.
    void whatFitsAtAllIsFoundFirst()
    {
        auto const p =
            mnist("gc200", {{"model.layers.dense.units", "8192"}, {"model.layers.dense_1.units", "8192"}, {"training.batch_size", "32"}});
        TuneRequest tuning;
        tuning.seconds = 600;
        tuning.samples = 49152;
        auto const found = tune(p, request(), tuning, {});
        QVERIFY(found.ok() && found->complete);
        QVERIFY(found->trials.front().fits);
        QVERIFY2(toText(found->trials.front().proposal).find("batch_size=8") != std::string::npos,
                 toText(found->trials.front().proposal).c_str());
    }
    void usualChangesFindAFasterOneThatFits()
    {
        // Two IPUs for replicas and stages.
        auto const p = mnist("gc200:tiles=32,ipus=2", smallModel({{"training.replicas", "1"}}));
        TuneRequest tuning;
        tuning.seconds = 600;
        tuning.samples = 256;
        std::vector<int> tried;
        tuning.progress = [&](int n, Trial const *best) {
            tried.push_back(n);
            QVERIFY(best);
        };
        auto const found = tune(p, request(), tuning, {});
        QVERIFY2(found.ok(), found.ok() ? "" : toText(found.error()).c_str());
        QVERIFY(found->complete);
        QVERIFY(found->tried >= 10);
        QCOMPARE(static_cast<int>(tried.size()), found->tried - 1);
        auto const now = std::ranges::find_if(found->trials, [](auto const &trial) { return trial.proposal.set.empty(); });
        QVERIFY(now != found->trials.end());
        auto const &best = found->trials.front();
        QVERIFY(best.fits && best.samplesPerSecond > now->samplesPerSecond);
        QVERIFY(changesResults(best.proposal)); // a larger batch is faster
        // What comes to the same as another is not offered.
        for (auto const &trial : found->trials)
            for (auto const &other : found->trials)
                QVERIFY2(&trial == &other || trial.withGaps != other.withGaps || trial.need != other.need
                             || trial.samplesPerSecond != other.samplesPerSecond,
                         toText(trial.proposal).c_str());
        QVERIFY(found->withoutEffect > 0); // half partials of a model in float32
        holds(p, *found);
        // What is found trains.
        auto const changed = withProposal(p, best.proposal);
        QVERIFY(runtime::train(*changed, requestIn(m_folder), {}, {}).ok());
    }
    void whatDoesNotFitComesLastByItsNeed()
    {
        auto const p = mnist("gc200:tiles=3");
        TuneRequest tuning;
        tuning.fields = {{"system.target", {"gc200:tiles=4", "gc200:tiles=64"}}};
        tuning.seconds = 600;
        tuning.samples = 256;
        auto const found = tune(p, request(), tuning, {});
        QVERIFY(found.ok());
        QCOMPARE(found->trials.size(), std::size_t{3});
        QVERIFY(found->trials[0].fits && !found->trials[1].fits && !found->trials[2].fits);
        QCOMPARE(toText(found->trials[1].proposal), std::string("system.target=gc200:tiles=4"));
        QVERIFY(found->trials[2].proposal.set.empty());
        // What needs too much at once was not placed: there are no gaps to speak of.
        QVERIFY(found->trials[0].placed && found->trials[0].withGaps >= found->trials[0].need);
        for (std::size_t i : {1, 2}) QVERIFY(!found->trials[i].placed && found->trials[i].need > found->trials[i].limit);
    }
    void timeAndCancellingEndIt()
    {
        auto const p = mnist("gc200:tiles=16", smallModel());
        TuneRequest tuning;
        tuning.seconds = -1;
        auto const short_ = tune(p, request(), tuning, {});
        QVERIFY(short_.ok() && !short_->complete);
        QCOMPARE(short_->tried, 1);
        std::stop_source stop;
        JobContext job;
        job.stop = stop.get_token();
        tuning.seconds = 600;
        tuning.samples = 256;
        tuning.progress = [&](int n, Trial const *) {
            if (n == 3) stop.request_stop();
        };
        auto const cancelled = tune(p, request(), tuning, job);
        QVERIFY(cancelled.ok() && !cancelled->complete);
        QCOMPARE(cancelled->tried, 3);
    }
    void onlySomeChangesComputeOtherNumbers()
    {
        auto const changes = [](char const *path) { return changesResults({{{path, "1"}}}); };
        QVERIFY(changes("training.batch_size") && changes("training.replicas") && changes("training.gradient_accumulation_steps"));
        QVERIFY(changes("model.layers.dense.units") && changes("ipu_config.matmuls.poplar_options.partialsType") && changes("data.limit"));
        QVERIFY(!changes("training.steps_per_execution") && !changes("model.layers.dense.stage") && !changes("system.target"));
        QVERIFY(!changes("ipu_config.matmuls.poplar_options.availableMemoryProportion"));
    }
};

TW_REGISTER_TEST(TstTuning);
#include "tst_tuning.moc"
