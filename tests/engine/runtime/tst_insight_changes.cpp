#include "engine/lowering/peak_owners.h"
#include "engine/report/tables.h"
#include "engine/runtime/insight_changes.h"
#include "engine/runtime/layer_problems.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::tests;

/// What an insight offers and a layer is blamed for is what a compile says.
class TstInsightChanges : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    compiler::CompileRequest request() const { return requestIn(m_folder).compile; }

private slots:
    void changesThatGainComeBestFirst()
    {
        auto const p = mnist("gc200:tiles=16", smallModel()); // 256 samples in batches of 32 or less
        auto const batch = [&](std::int64_t factor) {
            return Proposal{{{"training.batch_size", std::to_string(factor * p.training.batchSize)}}};
        };
        Proposal const nothing{{{"training.epochs", "7"}}}; // compiles to the same program
        Proposal const refused{{{"training.batch_size", "-3"}}};
        auto const found =
            tryChanges(p, {}, {{false, {nothing, batch(2), refused, batch(4), batch(2)}}, {true, {batch(2)}}, {}}, request(), {});
        QVERIFY(found.ok());
        QCOMPARE(found->size(), std::size_t{3});
        auto const &gains = (*found)[0];
        QCOMPARE(gains.size(), std::size_t{2}); // each once, and none that gains nothing
        QVERIFY(gains[0].gain > gains[1].gain && gains[1].gain > 0.005);
        QCOMPARE(toText(gains[0].trial.proposal), toText(batch(4)));
        auto const now = compiler::compile(p, request(), {});
        QVERIFY(now.ok());
        QCOMPARE(gains[0].gain, gains[0].trial.samplesPerSecond / now->samplesPerSecond() - 1);
        QVERIFY((*found)[1].empty()); // a larger batch needs no less memory
        QVERIFY((*found)[2].empty());
    }
    void actionsAreReadAsTheyAreWritten()
    {
        Proposal const two{{{"training.batch_size", "64"}, {"data.convert", "device"}}};
        nlohmann::ordered_json action{{"set", setOf(two)}};
        action["or"].push_back({{"set", setOf({{{"ipu_config.matmuls.clear_pass_type", "true"}}})}});
        auto const all = proposalsOf(action);
        QCOMPARE(all.size(), std::size_t{2});
        QVERIFY(all[0] == two);
        QCOMPARE(toText(all[1]), std::string("ipu_config.matmuls.clear_pass_type=true"));
        QVERIFY(proposalsOf(nullptr).empty());
    }
    void theLayerThatFillsATileIsNamed()
    {
        std::string const large = "dense";
        auto const p = mnist("gc200:tiles=16", {{"model.layers.dense.units", "4000"}, {"model.layers.dense_1.units", "16"}});
        auto compileRequest = request();
        compileRequest.forReport = true;
        auto const compiled = compiler::compile(p, compileRequest, {});
        QVERIFY(compiled.ok() && compiled->outOfMemory);
        auto const problems = layerProblems(*compiled);
        QVERIFY(!problems.empty() && problems.size() <= 3);
        QCOMPARE(problems.front().subject, large);
        QVERIFY(problems.front().kind == ErrorKind::DoesNotFit);
        // The bytes are those that are live at the peak: no more than the tile needs.
        auto const &memory = compiled->executable->memory;
        int const tile = memory.ipus.front().worstTile;
        auto const owners = lowering::peakOwners(compiled->executable->program, compiled->detail->liveness, memory, tile);
        Bytes all = 0;
        for (auto const &owner : owners) all += owner.bytes;
        QVERIFY(owners.front().layer == large && owners.front().bytes > memory.need[static_cast<std::size_t>(tile)] / 4);
        QVERIFY(all <= memory.need[static_cast<std::size_t>(tile)]);
        auto const fits = compiler::compile(mnist("gc200:tiles=64", smallModel()), request(), {});
        QVERIFY(fits.ok() && layerProblems(*fits).empty());
    }
};

TW_REGISTER_TEST(TstInsightChanges);
#include "tst_insight_changes.moc"
