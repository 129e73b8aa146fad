#include "engine/config/ipu_config.h"
#include "engine/config/options.h"
#include "engine/graph/partial_sums.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::tests;

/// Which partial sums are float16: as the options say, by kind of sum.
class TstPrecision : public QObject {
    Q_OBJECT

    /// Inputs between two stores, by operation, after the pass.
    static std::map<std::string, std::int64_t> marked(passes::PassOptions const &options, char const *type = "f16")
    {
        Context context;
        context.pass.options = options;
        auto const text = QString(R"(
            %0:T[8, 64], %1:T[64, 32] = infeed()
            %2:T[8, 32] = matmul(%0, %1)
            %3:T[1, 8, 64], %4:T[1, 64, 8] = infeed()
            %5:T[1, 8, 8] = batch_matmul(%3, %4)
            %6:T[32] = reduce_sum(%2) {axes=ints [0]}
            repeat() {count=int 2} {
                %7:T[1, 5, 20], %8:T[3, 20, 4] = infeed()
                %9:T[1, 3, 4] = conv(%7, %8) {strides=ints [1], dilations=ints [1], pad_before=ints [0], pad_after=ints [0], groups=int 1}
                outfeed(%9)
            }
            outfeed(%5, %6))")
                              .replace(":T[", QString(":") + type + "[");
        auto const result = after(passes::markPrecision, tiny(text), context.pass);
        std::map<std::string, std::int64_t> all;
        if (!result) return {{"failed", 0}};
        for (auto const &node : result->nodes)
            if (graph::halfPartials(node) > 0) all[node.op] = graph::halfPartials(node);
        // Marks are printed and read back.
        auto const again = graph::parse(graph::print(graph::compact(*result)));
        if (!again.ok() || !(*again == graph::compact(*result))) return {{"not read back", 0}};
        return all;
    }
    static passes::PassOptions optionsOf(char const *option, int tiles = 8)
    {
        config::IpuConfig configuration;
        if (!configuration.setFromText(option, "half").ok()) qFatal("%s", option);
        return passes::passOptions(configuration, tiles);
    }

private slots:
    void optionsSelectTheMarkedOperations()
    {
        using Marks = std::map<std::string, std::int64_t>;
        QCOMPARE(marked(passes::passOptions(config::IpuConfig(), 8)), Marks());
        QCOMPARE(marked(optionsOf("matmuls.poplar_options.partialsType")), (Marks{{"matmul", 16}, {"batch_matmul", 16}}));
        QCOMPARE(marked(optionsOf("convolutions.poplar_options.partialsType")), (Marks{{"conv", 16}}));
        // float32 has no partial sums of float16, nor has the host.
        QCOMPARE(marked(optionsOf("matmuls.poplar_options.partialsType"), "f32"), Marks());
        QCOMPARE(marked(optionsOf("matmuls.poplar_options.partialsType", 0)), Marks());
    }

    /// The help of the options agrees with the pass.
    void theHelpStatesTheCount()
    {
        for (std::string const option : {"matmuls.poplar_options", "convolutions.poplar_options"}) {
            auto const *info = config::findOption(config::ipuConfigOptions(), option);
            QVERIFY(info);
            auto const options = optionsOf((option + ".partialsType").c_str());
            auto const inputs = option.starts_with("matmuls") ? options.halfProducts : options.halfConvolutions;
            QVERIFY2(info->help.find("half rounds after every " + std::to_string(inputs)) != std::string::npos, info->help.c_str());
            QVERIFY2(info->help.find("both modes") != std::string::npos, info->help.c_str());
        }
    }

    void invalidPartialsAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("number");
        QTest::addColumn<int>("inputs");
        QString const product("%0:f16[8, 4], %1:f16[4, 2] = infeed()\n%2:f16[8, 2] = matmul(%0, %1)\noutfeed(%2)");
        QTest::newRow("float32") << QString(product).replace("f16", "f32") << true << 16;
        QTest::newRow("no sum") << "%0:f16[8, 4] = infeed()\n%2:f16[8, 4] = relu(%0)\noutfeed(%2)" << true << 16;
        QTest::newRow("a maximum") << "%0:f16[8, 4] = infeed()\n%2:f16[4] = reduce_max(%0) {axes=ints [0]}\noutfeed(%2)" << true << 16;
        QTest::newRow("no inputs") << product << true << 0;
        QTest::newRow("no number") << product << false << 16;
    }
    void invalidPartialsAreRefused()
    {
        QFETCH(QString, text);
        QFETCH(bool, number);
        QFETCH(int, inputs);
        auto g = tiny(text);
        QVERIFY(graph::verify(g, ops::opLookup()).ok());
        if (number) g.nodes[1].attrs.set("half_partials", std::int64_t{inputs});
        else g.nodes[1].attrs.set("half_partials", std::to_string(inputs));
        auto const status = graph::verify(g, ops::opLookup());
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("graph.broken"));
        QVERIFY2(status.error().message.find("partial") != std::string::npos, status.error().message.c_str());
    }

    void storesAreCounted()
    {
        auto g = tiny(R"(
            %0:f16[8, 100], %1:f16[100, 32] = infeed()
            %2:f16[8, 32] = matmul(%0, %1)
            %3:f16[2, 5, 20], %4:f16[3, 20, 40] = infeed()
            %5:f16[2, 3, 40] = conv(%3, %4) {strides=ints [1], dilations=ints [1], pad_before=ints [0], pad_after=ints [0], groups=int 1}
            %6:f16[2, 5, 20] = conv_input_grad(%5, %4) {strides=ints [1], dilations=ints [1], pad_before=ints [0], pad_after=ints [0], groups=int 1, input=ints [5]}
            %7:f16[3, 20, 40] = conv_weight_grad(%3, %5) {strides=ints [1], dilations=ints [1], pad_before=ints [0], pad_after=ints [0], groups=int 1, kernel=ints [3]}
            %8:f16[32] = reduce_sum(%2) {axes=ints [0]}
            outfeed(%2, %6, %7, %8))");
        QVERIFY(graph::verify(g, ops::opLookup()).ok());
        std::map<std::string, std::int64_t> stores;
        for (auto &node : g.nodes) {
            if (!graph::sumsPartially(node.op)) continue;
            QCOMPARE(graph::partialStores(g, node), 1);
            graph::setHalfPartials(node, node.op == "reduce_sum" || node.op == "conv_weight_grad" ? 2 : 16);
            stores[node.op] = graph::partialStores(g, node);
        }
        QCOMPARE(stores,
                 (std::map<std::string, std::int64_t>{
                     {"matmul", 7}, {"conv", 3 * 2}, {"conv_input_grad", 3 * 3}, {"conv_weight_grad", 2 * 2}, {"reduce_sum", 4}}));
    }
};

TW_REGISTER_TEST(TstPrecision);
#include "tst_precision.moc"
