#include "engine/compiler/project_rules.h"
#include "engine/core/held_out.h"
#include "engine/model/epoch_steps.h"
#include "engine/runtime/proposals.h"
#include "engine/runtime/run_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::tests;

/// What is proposed is taken by every rule that judges it, and what is said to fit fits.
class TstProposals : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static Proposal one(std::string const &path, std::string const &value) { return {{{path, value}}}; }
    compiler::CompileRequest request() const { return requestIn(m_folder).compile; }
    /// The first trial of a search that is stopped in front of the second.
    Remedies firstTrial(project::Project const &project, Bytes alwaysLive) const
    {
        std::stop_source stop;
        JobContext job;
        job.stop = stop.get_token();
        RemedySearch search;
        search.seconds = 600;
        search.samples = 256;
        search.alwaysLive = alwaysLive;
        search.progress = [&stop](int tried) {
            if (tried > 0) stop.request_stop();
        };
        return findRemedies(project, request(), search, job);
    }

private slots:
    void stepsOfAnExecutionDivideTheEpoch_data()
    {
        QTest::addColumn<qint64>("steps");
        QTest::addColumn<qint64>("update");
        QTest::addColumn<qint64>("wanted");
        QTest::addColumn<qint64>("found");
        QTest::newRow("largest below") << qint64{1875} << qint64{1} << qint64{100} << qint64{75};
        QTest::newRow("eleven") << qint64{11} << qint64{1} << qint64{10} << qint64{1};
        QTest::newRow("all eleven") << qint64{11} << qint64{1} << qint64{100} << qint64{11};
        QTest::newRow("whole updates") << qint64{24} << qint64{4} << qint64{10} << qint64{8};
        QTest::newRow("never below one update") << qint64{24} << qint64{4} << qint64{1} << qint64{4};
        QTest::newRow("updates that do not divide") << qint64{11} << qint64{4} << qint64{4} << qint64{0};
        QTest::newRow("no steps") << qint64{0} << qint64{1} << qint64{4} << qint64{0};
    }
    void stepsOfAnExecutionDivideTheEpoch()
    {
        QFETCH(qint64, steps);
        QFETCH(qint64, update);
        QFETCH(qint64, wanted);
        QTEST(static_cast<qint64>(model::executableSteps(steps, update, wanted)), "found");
    }
    void theRemedyOfARefusedEpochIsTaken()
    {
        model::TrainingPlan plan;
        plan.batchSize = 32;
        plan.stepsPerExecution = 100;
        auto const refused = model::stepsPerEpoch(plan, 60000, 1, true, {});
        QCOMPARE(refused.error().code, std::string("training.steps-per-execution"));
        QVERIFY2(refused.error().remedy.starts_with("Use 75,"), refused.error().remedy.c_str());
        plan.stepsPerExecution = 75;
        QCOMPARE(*model::stepsPerEpoch(plan, 60000, 1, true, {}), std::int64_t{1875});
    }
    void theLimitOfARefusedEpochCountsTheSplit_data()
    {
        QTest::addColumn<double>("split");
        for (double const split : {0.0, 0.05, 0.1, 0.2, 0.3, 1.0 / 3, 0.5, 0.9}) QTest::newRow(std::to_string(split).c_str()) << split;
    }
    void theLimitOfARefusedEpochCountsTheSplit()
    {
        QFETCH(double, split);
        model::TrainingPlan plan;
        plan.batchSize = 32;
        plan.stepsPerExecution = 3;
        for (std::int64_t const all : {999, 4001, 60001}) {
            auto const refused = model::stepsPerEpoch(plan, keptSamples(all, split), 2, true, {}, split);
            if (refused.ok() || refused.error().code != "data.batch") continue; // the batch divides
            auto const at = refused.error().remedy.find("data.limit to ");
            if (at == std::string::npos) { // no whole batch is left
                QVERIFY(keptSamples(all, split) < 32);
                continue;
            }
            std::int64_t const limit = std::stoll(refused.error().remedy.substr(at + 14));
            QVERIFY(limit <= all);
            auto const kept = keptSamples(limit, split);
            QCOMPARE(kept % 32, std::int64_t{0});
            QVERIFY(kept > 0 && (split == 0 || kept < limit));
            if (keptSamples(all, split) >= 3 * 2 * 32) QVERIFY(model::stepsPerEpoch(plan, kept, 2, true, {}, split).ok());
        }
    }
    void whatDoesNotFitNeedsMoreThanAll()
    {
        Trial trial;
        trial.limit = 638976;
        trial.withGaps = trial.limit + 1;
        QCOMPARE(outcomeText(trial), std::string("needs 101 %"));
        trial.fits = true;
        trial.withGaps = trial.limit;
        QCOMPARE(outcomeText(trial), std::string("fits, 100 %"));
    }
    void aProposalIsBentToTheRules()
    {
        auto const p = mnist("gc200:tiles=8"); // 256 samples, batches of 32: 8 steps
        auto const steps = settled(p, one("training.steps_per_execution", "100"), 256);
        QVERIFY(steps.ok());
        QCOMPARE(toText(*steps), std::string("training.steps_per_execution=8"));
        auto const batch = settled(p, one("training.batch_size", "64"), 192);
        QVERIFY(batch.ok());
        QCOMPARE(toText(*batch), std::string("training.batch_size=64"));
        auto const bent = settled(p, one("training.batch_size", "64"), 96);
        QVERIFY(bent.ok());
        QCOMPARE(toText(*bent), std::string("training.batch_size=48"));
        // A few samples less, where no divisor is near.
        auto const limited = settled(p, one("training.batch_size", "64"), 257 * 32);
        QVERIFY(limited.ok());
        QCOMPARE(toText(*limited), std::string("training.batch_size=64 data.limit=8192"));
        // Twice the micro-batches of an update want as many steps of an execution.
        auto const both = settled(p, one("training.gradient_accumulation_steps", "4"), 256);
        QVERIFY(both.ok());
        QCOMPARE(toText(*both), std::string("training.gradient_accumulation_steps=4 training.steps_per_execution=4"));
    }
    void whatNoRuleTakesIsNotProposed()
    {
        auto const p = mnist("gc200:tiles=8");
        auto const code = [&](std::string const &path, std::string const &value, std::optional<std::int64_t> samples) {
            auto const proposal = settled(p, one(path, value), samples);
            return proposal.ok() ? std::string() : proposal.error().code;
        };
        QCOMPARE(code("training.steps_per_execution", "100", std::nullopt),
                 std::string("proposal.samples")); // the data decide, and are not known
        QCOMPARE(code("training.batch_size", "64", std::nullopt), std::string("proposal.samples"));
        QCOMPARE(code("training.batch_size", "16", std::nullopt), std::string());
        QCOMPARE(code("training.batch_size", "64", 149), std::string("proposal.batch")); // no divisor of these samples is near
        QCOMPARE(code("training.gradient_accumulation_steps", "3", 256), std::string("proposal.updates"));
        QCOMPARE(code("training.batch_size", "32", 256), std::string("proposal.same"));
        QCOMPARE(code("no.such.field", "1", 256), std::string("project.no-field"));
        QVERIFY(!settled(p, one("ipu_config.auto_select_ipus", "3"), 256));
        QVERIFY(!settled(p, one("training.replicas", "2"), 256)); // one IPU
    }
    void whatTrainsAfterAProposalTrains()
    {
        auto const p = mnist("gc200:tiles=8", smallModel());
        auto const proposal = settled(p, one("training.steps_per_execution", "5"), 256);
        QVERIFY(proposal.ok());
        auto const changed = withProposal(p, *proposal);
        QVERIFY(changed.ok());
        auto r = requestIn(m_folder);
        QVERIFY(runtime::train(*changed, r, {}, {}).ok());
    }
    void remediesFitAsTheySay()
    {
        auto const p = mnist("gc200:tiles=4");
        QVERIFY(compiler::compile(p, request(), {})->outOfMemory.has_value());
        RemedySearch search;
        search.seconds = 600;
        search.samples = 256;
        auto const remedies = findRemedies(p, request(), search, {});
        QVERIFY(remedies.complete);
        QVERIFY(!remedies.fitting.empty());
        bool tiles = false;
        for (auto const &trial : remedies.fitting) {
            auto const changed = withProposal(p, trial.proposal);
            QVERIFY(changed.ok());
            auto const again = compiler::compile(*changed, request(), {});
            QVERIFY2(again.ok() && !again->outOfMemory, toText(trial.proposal).c_str());
            QVERIFY(trial.fits && trial.share() > 0 && trial.share() <= 1);
            Bytes worst = 0;
            for (auto const &ipu : again->executable->memory.ipus) worst = std::max(worst, ipu.worstBytes);
            QCOMPARE(trial.withGaps, worst);
            tiles = tiles || trial.kind == RemedyKind::Tiles;
        }
        QVERIFY(tiles);
        auto const text = toText(remedies);
        QVERIFY2(text.find("system.target=gc200:tiles=") != std::string::npos && text.find("fits, ") != std::string::npos, text.c_str());
    }
    void aCutIsSetAsFieldByField()
    {
        auto const p = mnist("gc200");
        Proposal cut{{{"training.batch_size", "16"}}};
        for (std::size_t i = 0; i < p.model.layers.size(); ++i)
            cut.set.emplace_back("model.layers." + p.model.layers[i].name + ".stage", std::to_string(i / 2));
        cut.set.emplace_back("training.gradient_accumulation_steps", "4");
        auto const byField = [&p](Proposal const &proposal) -> Result<project::Project> {
            auto changed = p;
            for (auto const &[path, value] : proposal.set) { TW_ASSIGN(changed, project::withField(changed, path, value, nullptr)); }
            return changed;
        };
        QVERIFY(*withProposal(p, cut) == *byField(cut));
        auto renamed = cut; // fields behind a new name are those of that name
        renamed.set.insert(renamed.set.begin(), {"model.layers." + p.model.layers.back().name + ".name", "other"});
        renamed.set.back() = {"model.layers.other.stage", "1"};
        for (auto const &[path, value] :
             {std::pair("model.layers.nobody.stage", "1"), std::pair("model.layers.stage", "1"), std::pair("model.layers..stage", "1")})
            for (auto wrong : {cut, renamed}) {
                wrong.set.emplace_back(path, value);
                QCOMPARE(toText(withProposal(p, wrong).error()), toText(byField(wrong).error()));
            }
        for (char const *value : {"-7", "many", ""}) {
            auto wrong = cut;
            wrong.set[1].second = value;
            auto const one = withProposal(p, wrong), other = byField(wrong);
            QCOMPARE(one.ok(), other.ok());
            if (!one.ok()) QCOMPARE(toText(one.error()), toText(other.error()));
        }
    }
    void whatSpreadsComesFirstWhereWhatIsAlwaysLiveIsTooMuch()
    {
        auto const p = mnist("gc200:tiles=4");
        auto const first = firstTrial(p, Bytes{1} << 30);
        QVERIFY(!first.complete && first.fitting.size() <= 1);
        for (auto const &trial : first.fitting) QVERIFY(trial.kind == RemedyKind::Tiles);
        QCOMPARE(first.leftOut, std::string("allow_recompute"));
        QVERIFY(firstTrial(p, 0).leftOut.empty());

        RemedySearch search;
        search.seconds = 600;
        search.samples = 256;
        auto const usual = findRemedies(p, request(), search, {});
        search.alwaysLive = Bytes{1} << 30;
        auto const spread = findRemedies(p, request(), search, {});
        QVERIFY(usual.complete && spread.complete);
        QVERIFY(usual.leftOut.empty());
        auto const proposals = [](Remedies const &remedies) {
            std::vector<Proposal> list;
            for (auto const &trial : remedies.fitting)
                if (toText(trial.proposal).find("allow_recompute") == std::string::npos) list.push_back(trial.proposal);
            return list;
        };
        QVERIFY(proposals(usual) == proposals(spread));
        QVERIFY(proposals(spread).size() == spread.fitting.size());

        search.compileSeconds = 1000; // more than there is: what hardly helps is not tried any more
        auto const hasty = findRemedies(p, request(), search, {});
        QVERIFY(!hasty.complete && hasty.tried < spread.tried);
        for (auto const &trial : hasty.fitting) QVERIFY(trial.kind != RemedyKind::Option && trial.kind != RemedyKind::Batch);
        search.alwaysLive = 0;
        QVERIFY(findRemedies(p, request(), search, {}).complete);
    }
    /// Products are planned anew for each batch, and the plan of a smaller one may need more: one that does not fit says nothing of others.
    void theLargestBatchThatFitsIsFound()
    {
        auto const wide = [](char const *batch) {
            return mnist("gc200",
                         {{"model.layers.dense.units", "8192"},
                          {"model.layers.dense_1.units", "8192"},
                          {"training.batch_size", batch},
                          {"training.replicas", "1"}});
        };
        RemedySearch search;
        search.seconds = 600;
        search.samples = 49152;
        QVERIFY(!tryProposal(wide("1"), {}, request(), {})->fits);
        auto const remedies = findRemedies(wide("16"), request(), search, {});
        auto const batch = std::ranges::find(remedies.fitting, RemedyKind::Batch, &Trial::kind);
        QVERIFY(batch != remedies.fitting.end());
        QCOMPARE(toText(batch->proposal), std::string("training.batch_size=8"));
        // What was tried is said, and nothing of what was not.
        Remedies none;
        none.tried = 2;
        none.kinds = {RemedyKind::Tiles, RemedyKind::Batch};
        QCOMPARE(
            toText(none).text(),
            std::string("None of the changes that were tried makes it fit (more tiles, smaller batch sizes; compiles: 2): make the layers "
                        "named above smaller."));
        QVERIFY(toText(Remedies{}).starts_with("There is no other setting to try: "));
    }
    void whatWasLeftOutIsSaid()
    {
        Remedies none;
        none.tried = 3;
        none.kinds = {RemedyKind::Batch};
        none.leftOut = "allow_recompute";
        for (bool const complete : {true, false}) {
            none.complete = complete;
            auto const text = toText(none);
            QVERIFY2(text.find("compiles: 3") != std::string::npos
                         && text.ends_with(" Not tried, because a tile always holds more than it has: allow_recompute."),
                     text.c_str());
        }
        none.tried = 0;
        QVERIFY(toText(none).starts_with("There was no time to try a change ("));
    }
    void stagesAreCutByMultiplyAddsWhereNoTimeIsLeft()
    {
        auto const p = mnist("gc200:tiles=8");
        RemedySearch search;
        search.seconds = 600;
        search.samples = 256;
        search.compileSeconds = 1000;
        int stages = 0;
        auto const hasty = findRemedies(p, request(), search, {});
        QVERIFY(hasty.cutInHaste && toText(hasty).find("cut by multiply-adds") != std::string::npos);
        for (auto const &trial : hasty.fitting) {
            if (trial.kind != RemedyKind::Stages) continue;
            ++stages;
            auto const changed = withProposal(p, trial.proposal);
            QVERIFY(changed.ok() && !compiler::compile(*changed, request(), {})->outOfMemory);
        }
        QCOMPARE(stages, 1);
        search.compileSeconds = 0;
        QVERIFY(!findRemedies(p, request(), search, {}).cutInHaste);
        search.samples = 32 * 7; // seven steps hold no whole updates of a pipeline: another batch does
        for (auto const &trial : findRemedies(p, request(), search, {}).fitting)
            QVERIFY(compiler::judge(*withProposal(p, trial.proposal), {compiler::RunKind::Train, search.samples, {}}).status().ok());
    }
    void aSearchEndsWithItsTime()
    {
        RemedySearch search;
        search.seconds = -1;
        auto const remedies = findRemedies(mnist("gc200:tiles=4"), request(), search, {});
        QVERIFY(!remedies.complete && remedies.fitting.empty());
        QCOMPARE(remedies.tried, 0);
        std::stop_source stop;
        stop.request_stop();
        JobContext job;
        job.stop = stop.get_token();
        QVERIFY(!findRemedies(mnist("gc200:tiles=4"), request(), {}, job).complete);
    }
    void aTrialThatTakesTooLongIsGivenUp()
    {
        RemedySearch search;
        search.seconds = 1000;
        search.longestTrial = 0;
        auto const remedies = findRemedies(mnist("gc200:tiles=4"), request(), search, {});
        QVERIFY(remedies.tried > 1); // the others are tried all the same
        QVERIFY(!remedies.complete);
    }
    void insightsOfAReportProposeWhatTrains()
    {
        // Handshakes take a third of the time, and twice the batch of 8 does not divide the samples.
        auto const p = mnist("gc200", smallModel({{"data.limit", "88"}, {"training.batch_size", "8"}}));
        auto r = request();
        r.forReport = true;
        auto const outcome = compiler::compile(p, r, {});
        QVERIFY(outcome.ok());
        auto const file = m_folder.path() / "insights.twreport";
        QVERIFY(writeCompileReport(file, p, *outcome).ok());
        auto const reader = store::ReportReader::open(file);
        QVERIFY(reader.ok());
        auto const data = (*reader)->readAll();
        QVERIFY(data.ok());
        int judged = 0;
        for (auto const &insight : data->insights) {
            if (insight.action.empty()) continue;
            auto changed = p;
            auto const action = nlohmann::json::parse(insight.action);
            for (auto const &field : action["set"]) {
                auto const set = project::withField(changed, field["path"].get<std::string>(), field["value"].dump(), nullptr);
                QVERIFY2(set.ok(), insight.action.c_str());
                changed = *set;
            }
            QVERIFY2(model::stepsPerEpoch(changed.training, 88, 1, true, {}).ok(), insight.action.c_str());
            ++judged;
        }
        QVERIFY(judged > 0);
    }
};

TW_REGISTER_TEST(TstProposals);
#include "tst_proposals.moc"
