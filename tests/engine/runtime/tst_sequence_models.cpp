// Models of sequences whose sizes are at the edge of what plans and placements take.
#include "engine/data/npy.h"
#include "tests/engine/runtime/functional_models.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"

using namespace tilewright;
using namespace tilewright::tests;

class TstSequenceModels : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// On random samples of that shape in two classes.
    project::Project projectFor(model::Model model, Shape const &sample, char const *target, Fields const &fields)
    {
        constexpr std::int64_t kSamples = 16;
        RandomStream random(7);
        std::vector<float> x(static_cast<std::size_t>(kSamples * elementCount(sample)));
        std::vector<std::int32_t> y;
        for (auto &value : x) value = static_cast<float>(random.uniform() - 0.5);
        for (std::int64_t s = 0; s < kSamples; ++s) y.push_back(static_cast<std::int32_t>(s % 2));
        Shape all = sample;
        all.insert(all.begin(), kSamples);
        std::vector<data::NamedArray> const arrays{{"x", data::makeArray(all, x)}, {"y", data::makeArray({kSamples}, y)}};
        if (!data::writeNpz(m_folder.path() / "set.npz", arrays, false, {}).ok()) qFatal("no data");
        Fields with{{"data.path", (m_folder.path() / "set.npz").string()}, {"data.limit", "0"}};
        with.insert(with.end(), fields.begin(), fields.end());
        auto p = mnist(target, with);
        p.model = std::move(model);
        return p;
    }
    model::Model withHead(Shape const &sample, Json layer)
    {
        return functional({inputLayer("x", sample, "float32"), std::move(layer), layerOf("Flatten", "flat", Json::object(), {"middle"}),
                           layerOf("Dense", "out", {{"units", 2}, {"activation", "softmax"}}, {"flat"})},
                          {"x"}, {"out"});
    }

private slots:
    /// A batch of one product is planned as a product alone, and its operands lie as that plan wants them.
    void attentionOverOneSampleAgreesInBothModes_data()
    {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("batch");
        for (auto const *layer : {"Attention", "AdditiveAttention", "Dot"})
            for (auto const *batch : {"1", "16"}) QTest::addRow("%s, batch %s", layer, batch) << layer << batch;
    }
    void attentionOverOneSampleAgreesInBothModes()
    {
        QFETCH(QString, layer);
        QFETCH(QString, batch);
        Json const config = layer == "Dot" ? Json{{"axes", {2, 2}}} : Json::object();
        auto const model = withHead({8, 4}, layerOf(layer.toUtf8().constData(), "middle", config, {"x", "x"}));
        auto const p = projectFor(model, {8, 4}, "gc200:tiles=4", {{"training.batch_size", batch.toStdString()}});
        auto const verified = runtime::verify(p, requestIn(m_folder), 1, {});
        QVERIFY2(verified.ok(), verified.ok() ? "" : toText(verified.error()).c_str());
        QVERIFY2(verified->agrees, qPrintable(QString::number(verified->maxRelativeError)));
    }
    /// Ranges of columns of a batch of one.
    void aDotWithSerialPassesAgreesInBothModes()
    {
        auto const model = withHead({64, 64}, layerOf("Dot", "middle", {{"axes", {2, 2}}}, {"x", "x"}));
        auto const p = projectFor(model, {64, 64}, "gc200:tiles=4",
                                  {{"training.batch_size", "1"}, {"ipu_config.matmuls.poplar_options.availableMemoryProportion", "0.02"}});
        auto const compiled = compiler::compile(p, requestIn(m_folder).compile, {});
        QVERIFY2(compiled.ok(), compiled.ok() ? "" : toText(compiled.error()).c_str());
        bool serial = false;
        for (auto const &variable : compiled->executable->program.variables)
            serial = serial || (variable.name.find("middle") != std::string::npos && variable.name.find("/split1/") != std::string::npos);
        QVERIFY2(serial, "no product has passes");
        auto const verified = runtime::verify(p, requestIn(m_folder), 1, {});
        QVERIFY2(verified.ok() && verified->agrees, verified.ok() ? "differ" : toText(verified.error()).c_str());
    }
    /// The stacks of a cell's values all lie beside its state unless they would fill those tiles.
    void theStacksOfALongLoopAreSpread()
    {
        auto const sizes = [&](std::int64_t steps) {
            auto const model = withHead({steps, 8}, layerOf("LSTM", "middle", {{"units", 32}}, {"x"}));
            auto const p = projectFor(model, {steps, 8}, "gc200:tiles=64", {{"training.batch_size", "4"}});
            auto const compiled = compiler::compile(p, requestIn(m_folder).compile, {});
            if (!compiled.ok()) qFatal("%s", toText(compiled.error()).c_str());
            return compiled->executable->memory.ipus.front();
        };
        auto const few = sizes(64), many = sizes(1024);
        QVERIFY(few.fits && many.fits);
        // Sixteen times the steps: the worst tile grows as all tiles do.
        double const all = static_cast<double>(many.totalWithoutGaps) / static_cast<double>(few.totalWithoutGaps);
        double const worst = static_cast<double>(many.maxWithoutGaps) / static_cast<double>(few.maxWithoutGaps);
        QVERIFY2(worst < 1.5 * all, qPrintable(QString("worst tile %1 times, all tiles %2 times").arg(worst).arg(all)));
    }
};

TW_REGISTER_TEST(TstSequenceModels);
#include "tst_sequence_models.moc"
