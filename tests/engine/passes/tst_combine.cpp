#include "tests/engine/passes/graph_runner.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

/// Products with a common operand, and look-ups in a common table, become one.
class TstCombine : public QObject {
    Q_OBJECT

    static std::optional<graph::Graph> combined(QString const &text, bool products = true, bool lookUps = true)
    {
        Context context;
        context.pass.options.combineProducts = products;
        context.pass.options.combineLookUps = lookUps;
        return after(passes::combineAlike, tiny(text), context.pass);
    }
    static QString textOf(QString const &text, bool products = true, bool lookUps = true)
    {
        auto const result = combined(text, products, lookUps);
        return result ? shortText(*result) : QString("failed");
    }
    static int count(graph::Graph const &g, std::string const &op)
    {
        int n = 0;
        for (auto const &region : g.regions)
            for (auto id : region.nodes) n += g.node(id).op == op;
        return n;
    }
    /// What leaves a graph whose feeds are drawn by their shapes.
    static std::vector<std::vector<RefTensor>> outputsOf(graph::Graph const &g)
    {
        GraphRunner runner(g);
        std::uint64_t seed = 3;
        runner.infeed = [&](graph::Node const &node) {
            std::vector<RefTensor> fed;
            for (auto output : node.outputs) {
                auto const &value = g.value(output);
                fed.push_back(value.dtype == DType::I32 ? randomIntegers(value.shape, seed++, 5) : randomTensor(value.shape, seed++));
            }
            return fed;
        };
        if (!runner.run()) qFatal("%s", runner.error.c_str());
        return runner.outfed;
    }
    static bool keepsNumbers(QString const &text)
    {
        auto const before = outputsOf(tiny(text));
        auto const result = combined(text);
        if (!result) return false;
        auto const now = outputsOf(*result);
        if (before.size() != now.size()) return false;
        for (std::size_t i = 0; i < before.size(); ++i)
            for (std::size_t k = 0; k < before[i].size(); ++k) {
                if (before[i][k].shape != now[i][k].shape) return false;
                for (std::size_t e = 0; e < before[i][k].v.size(); ++e)
                    if (std::abs(before[i][k].v[e] - now[i][k].v[e]) > 1e-5) return false;
            }
        return true;
    }

private slots:
    void productsOfOneInputAreOne()
    {
        QString const text = R"(
            %0:f32[4, 3], %1:f32[3, 2], %2:f32[3, 2] = infeed()
            %3:f32[4, 2] = matmul(%0, %1)
            %4:f32[4, 2] = relu(%3)
            %5:f32[4, 2] = matmul(%0, %2)
            outfeed(%4, %5))";
        QCOMPARE(textOf(text), lines(R"(
            %0:f32[4, 3], %1:f32[3, 2], %2:f32[3, 2] = infeed()
            %3:f32[3, 4] = concat(%1, %2) {axis=int 1}
            %4:f32[4, 4] = matmul(%0, %3)
            %5:f32[4, 2], %6:f32[4, 2] = split(%4) {axis=int 1, parts=int 2}
            %7:f32[4, 2] = relu(%5)
            outfeed(%7, %6))"));
        QCOMPARE(textOf(text, false, true), lines(text));
        QVERIFY(keepsNumbers(text));
    }
    void productsOfOneMatrixAreOne()
    {
        QString const text = R"(
            %0:f32[4, 3], %1:f32[2, 2, 3], %2:f32[3, 5] = infeed()
            %3:f32[4, 5] = matmul(%0, %2)
            %4:f32[4, 5] = matmul(%1, %2)
            outfeed(%3, %4))";
        auto const result = combined(text);
        QVERIFY(result);
        QCOMPARE(count(*result, "matmul"), 1);
        QVERIFY(keepsNumbers(text));
    }
    void transposedOperandsAndUnequalPartsKeepTheirNumbers()
    {
        for (auto const *text : {R"(
            %0:f32[3, 4], %1:f32[2, 3], %2:f32[5, 3] = infeed()
            %3:f32[4, 2] = matmul(%0, %1) {transpose_a=true, transpose_b=true}
            %4:f32[4, 5] = matmul(%0, %2) {transpose_a=true, transpose_b=true}
            outfeed(%3, %4))",
                                 R"(
            %0:f32[3, 4], %1:f32[3, 2], %2:f32[5, 3] = infeed()
            %3:f32[4, 5] = matmul(%0, %2) {transpose_a=true, transpose_b=true}
            %4:f32[2, 5] = matmul(%1, %2) {transpose_a=true, transpose_b=true}
            outfeed(%3, %4))"}) {
            auto const result = combined(text);
            QVERIFY(result);
            QCOMPARE(count(*result, "matmul"), 1);
            QVERIFY(keepsNumbers(text));
        }
    }
    void dependentProductsStayApart()
    {
        QString const text = R"(
            %0:f32[3, 3], %1:f32[3, 3] = infeed()
            %2:f32[3, 3] = matmul(%0, %1)
            %3:f32[3, 3] = tanh(%2)
            %4:f32[3, 3] = matmul(%3, %1)
            outfeed(%4))";
        QCOMPARE(textOf(text), lines(text));
    }
    void twoPairsThatWaitForEachOtherAreNotBothCombined()
    {
        // Combining a with d and b with c would make each pair wait for the other.
        QString const text = R"(
            %0:f32[3, 3], %1:f32[3, 3], %2:f32[3, 3] = infeed()
            %3:f32[3, 3] = matmul(%0, %2)
            %4:f32[3, 3] = tanh(%3)
            %5:f32[3, 3] = matmul(%1, %4)
            %6:f32[3, 3] = matmul(%1, %2)
            %7:f32[3, 3] = tanh(%6)
            %8:f32[3, 3] = matmul(%0, %7)
            outfeed(%5, %8))";
        auto const result = combined(text);
        QVERIFY(result);
        QVERIFY(count(*result, "matmul") < 4);
        QVERIFY(keepsNumbers(text));
    }
    void lookUpsInOneTableAreOne()
    {
        QString const text = R"(
            %0:f32[5, 2], %1:i32[3], %2:i32[2, 2] = infeed()
            %3:f32[3, 2] = gather(%0, %1)
            %4:f32[2, 2, 2] = gather(%0, %2)
            outfeed(%3, %4))";
        auto const result = combined(text);
        QVERIFY(result);
        QCOMPARE(count(*result, "gather"), 1);
        QCOMPARE(textOf(text, true, false), lines(text));
        QVERIFY(keepsNumbers(text));
    }
};

TW_REGISTER_TEST(TstCombine);
#include "tst_combine.moc"
