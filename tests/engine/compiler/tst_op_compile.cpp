#include "engine/compiler/op_compile.h"
#include "tests/bench/calibration/dense_products.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace tilewright;
using compiler::OpRequest;

namespace {

OpRequest request(std::string kind, std::map<std::string, std::int64_t, std::less<>> dims, char const *target = "gc200")
{
    OpRequest r;
    r.kind = std::move(kind);
    r.dims = std::move(dims);
    r.machine = target::parseMachine(target).value();
    return r;
}

OpRequest product(std::int64_t m, std::int64_t k, std::int64_t n, DType type = DType::F16)
{
    auto r = request("matmul", {{"m", m}, {"k", k}, {"n", n}}, "bow");
    r.dtype = type;
    return r;
}

std::string codeOf(OpRequest const &r)
{
    auto const result = compiler::compileOp(r, {});
    return result.ok() ? "" : result.error().code;
}

} // namespace

class TstOpCompile : public QObject {
    Q_OBJECT
private slots:
    void everyKindCompilesAndAddsUp()
    {
        for (auto const *target : {"gc200", "gc200:tiles=8", "gc2"}) {
            std::vector<OpRequest> all{request("matmul", {{"m", 30}, {"k", 300}, {"n", 70}}, target),
                                       request("conv2d",
                                               {{"batch", 2},
                                                {"height", 12},
                                                {"width", 9},
                                                {"in", 6},
                                                {"out", 8},
                                                {"kernel", 3},
                                                {"stride", 2},
                                                {"groups", 2},
                                                {"training", 1}},
                                               target),
                                       request("elementwise", {{"n", 10000}}, target),
                                       request("reduce", {{"outer", 300}, {"inner", 77}}, target),
                                       request("softmax", {{"rows", 40}, {"cols", 1000}}, target),
                                       request("allreduce", {{"bytes", 100000}, {"replicas", 4}}, target)};
            all[2].name = "tanh";
            for (auto const *pattern : {"all_to_all", "broadcast", "neighbour", "gather"}) {
                all.push_back(request("exchange", {{"bytes", 4096}}, target));
                all.back().pattern = pattern;
            }
            for (auto const &r : all) {
                auto const result = compiler::compileOp(r, {});
                QVERIFY2(result.ok(), qPrintable(QString::fromStdString(r.kind + r.pattern + (result.ok() ? "" : toText(result.error())))));
                auto const &c = result->cycles;
                QCOMPARE(c.total, c.compute + c.exchange + c.sync);
                QVERIFY(c.total > 0);
                QVERIFY(r.kind == "exchange" ? c.compute == 0 && result->vertices == 0 : c.compute > 0 && result->vertices > 0);
                QVERIFY(std::abs(result->emulatedSeconds * double(r.machine.chip.clockHz) - double(c.total)) < 1e-3 * double(c.total));
                Bytes sum = 0;
                for (auto bytes : result->memory.withoutGaps) sum += bytes;
                QCOMPARE(sum, result->memory.ipus[0].totalWithoutGaps);
                for (auto const &step : result->lowered.program.steps) QVERIFY(step.kind != program::StepKind::StreamCopy);
                auto const j = compiler::toJson(*result);
                for (auto const *key : {"cycles", "emulated_seconds", "tflops", "plan", "alternatives", "memory", "vertices"})
                    QVERIFY2(j.contains(key), key);
                QCOMPARE(j["plan"].empty(), r.kind != "matmul" && r.kind != "conv2d");
            }
        }
    }

    void exchangePatternsMoveTheStatedBytes()
    {
        auto const of = [](char const *pattern) {
            auto r = request("exchange", {{"bytes", 5888}}); // a word from each of 1,472 tiles
            r.pattern = pattern;
            return compiler::compileOp(r, {}).value();
        };
        auto const all = of("all_to_all"), one = of("broadcast"), next = of("neighbour"), gather = of("gather");
        QCOMPARE(all.exchangedBytes, Bytes{5888} * 1472);
        QCOMPARE(next.exchangedBytes, Bytes{5888} * 1472);
        QCOMPARE(one.schedule.exchanges[0].totalSent, Bytes{5888});
        QCOMPARE(one.schedule.exchanges[0].totalReceived, Bytes{5888} * 1472);
        QVERIFY(all.cycles.exchange > next.cycles.exchange);  // as many bytes in many messages
        QVERIFY(one.cycles.exchange <= next.cycles.exchange); // neighbours share their bus
        QVERIFY(gather.cycles.exchange > 5888 / 4 * 1472);    // one tile receives it all
        QVERIFY(!gather.memory.fits);
    }

    void denseProductsAreNearWhatWasMeasured()
    {
        double sum = 0, sumAbs = 0;
        int count = 0;
        for (auto const &set : calibration::publishedProducts()) {
            for (auto const &[batch, measured] : set.points) {
                auto const result = compiler::compileOp(product(set.size, set.size, batch, set.type), {}).value();
                double const error = std::log(result.tflops / measured);
                QVERIFY2(
                    std::abs(error) < std::log(1.35),
                    qPrintable(QString("%1 batch %2: model %3, measured %4").arg(set.name).arg(batch).arg(result.tflops).arg(measured)));
                QVERIFY2(result.memory.fits, set.name);
                auto const plan = nlohmann::json::parse(result.plan)["chosen"]["cycles"]["total"].get<double>();
                QVERIFY2(std::abs(std::log(plan / double(result.cycles.total))) < 0.25,
                         qPrintable(
                             QString("%1 batch %2: planner %3, schedule %4").arg(set.name).arg(batch).arg(plan).arg(result.cycles.total)));
                sum += error;
                sumAbs += std::abs(error);
                ++count;
            }
        }
        QVERIFY2(std::abs(sum / count) < 0.1, qPrintable(QString::number(std::exp(sum / count))));
        QVERIFY2(sumAbs / count < 0.1, qPrintable(QString::number(sumAbs / count)));
    }

    void halfPartialsAreFasterAndSmaller()
    {
        auto half = product(1024, 1024, 1024), single = half;
        half.partials = DType::F16;
        single.partials = DType::F32;
        auto const a = compiler::compileOp(half, {}).value(), b = compiler::compileOp(single, {}).value();
        QVERIFY(a.cycles.total < b.cycles.total);
        QVERIFY(a.memory.ipus[0].totalWithoutGaps < b.memory.ipus[0].totalWithoutGaps);
    }

    void lessMemoryForTemporariesIsSlowerAndSmaller()
    {
        auto wide = product(1024, 1024, 8192), narrow = wide;
        narrow.availableMemoryProportion = 0.1;
        auto const a = compiler::compileOp(wide, {}).value(), b = compiler::compileOp(narrow, {}).value();
        QVERIFY(a.cycles.total < b.cycles.total);
        QVERIFY(a.memory.ipus[0].maxWithoutGaps > b.memory.ipus[0].maxWithoutGaps);
    }

    void residentWeightsAreNotSentAgain()
    {
        auto free = product(64, 1024, 1024, DType::F32), resident = free;
        resident.dims["resident"] = 1;
        auto const a = compiler::compileOp(free, {}).value(), b = compiler::compileOp(resident, {}).value();
        auto const sends = [](compiler::OpCompileResult const &result) {
            for (auto const &exchange : result.lowered.program.exchanges)
                for (auto const &t : exchange.transfers)
                    if (t.src == result.lowered.variables[0][1]) return true;
            return false;
        };
        QVERIFY(sends(a));
        QVERIFY(!sends(b));
        QVERIFY(b.cycles.exchange < a.cycles.exchange);
    }

    void aMatrixTimesAVectorIsDotProducts()
    {
        // published_measurements M5: 3,802 cycles of compute and 8,697 of exchange on the software model.
        auto r = product(10000, 1000, 1, DType::F32);
        r.machine = target::parseMachine("gc200").value();
        auto const result = compiler::compileOp(r, {}).value();
        auto const &codelets = result.lowered.program.codelets;
        QVERIFY(std::ranges::find(codelets, "ConvPartialHorizontalMac") != codelets.end());
        QVERIFY2(result.cycles.compute > 2700 && result.cycles.compute < 5200, qPrintable(QString::number(result.cycles.compute)));
        QVERIFY2(result.cycles.exchange > 6000 && result.cycles.exchange < 11500, qPrintable(QString::number(result.cycles.exchange)));
    }

    void theSameRequestGivesTheSameResult()
    {
        auto const r = product(333, 257, 129);
        auto const a = compiler::compileOp(r, {}).value(), b = compiler::compileOp(r, {}).value();
        QCOMPARE(compiler::toJson(a).dump(), compiler::toJson(b).dump());
        QVERIFY(a.lowered.program == b.lowered.program);
    }

    void refusesUnknownNames()
    {
        auto const unknown = compiler::compileOp(request("matmull", {}), {});
        QVERIFY(!unknown.ok());
        QCOMPARE(unknown.error().code, std::string("op.kind"));
        QVERIFY(unknown.error().remedy.find("'matmul'") != std::string::npos);
        QCOMPARE(codeOf(request("matmul", {{"m", 4}, {"k", 4}})), std::string("op.missing"));
        std::map<std::string, std::int64_t, std::less<>> conv{{"batch", 1}, {"height", 4}, {"width", 4},
                                                              {"in", 3},    {"out", 4},    {"kernel", 5}};
        conv["valid"] = 1;
        QCOMPARE(codeOf(request("conv2d", conv)), std::string("op.argument")); // does not fit
        conv["valid"] = 0;
        conv["groups"] = 2;
        QCOMPARE(codeOf(request("conv2d", conv)), std::string("op.argument")); // 3 channels
        QCOMPARE(codeOf(request("matmul", {{"m", 4}, {"k", 4}, {"n", 0}})), std::string("op.argument"));
        QCOMPARE(codeOf(request("matmul", {{"m", 4}, {"k", 4}, {"n", 4}, {"rows", 1}})), std::string("op.argument"));
        QCOMPARE(codeOf(request("elementwise", {{"n", 4}})), std::string("op.argument"));
        QCOMPARE(codeOf(request("exchange", {{"bytes", 4}})), std::string("op.argument"));
        QCOMPARE(codeOf(request("softmax", {{"rows", 4}, {"cols", 4}}, "cpu")), std::string("op.argument"));
        auto proportion = product(4, 4, 4);
        proportion.availableMemoryProportion = 0;
        QCOMPARE(codeOf(proportion), std::string("op.argument"));
    }
};

TW_REGISTER_TEST(TstOpCompile);
#include "tst_op_compile.moc"
