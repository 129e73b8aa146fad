// Layers and models against reference values: outputs, gradients of inputs and weights.
#include "engine/training/step_passes.h"
#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"
#include "tests/engine/layers/case_file.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

struct CaseCounts {
    int checked = 0, skipped = 0;
};

/// "" when the case agrees or is of something not built yet (counted).
QString runCase(QString const &path, CaseCounts &counts)
{
    auto const json = readCase(path);
    auto const skip = [&] {
        ++counts.skipped;
        return QString();
    };
    if (!json.is_object() || !json.contains("model") || !json.contains("expected")) return skip();
    auto const parsed = model::modelFromKeras(json["model"]);
    if (!parsed.ok()) return skip();
    auto const resolved = model::resolve(*parsed);
    if (!resolved.ok()) return skip();
    bool const training = json.value("training", false);
    for (auto const &layer : resolved->layers)
        if (training && layer.layer.className == "Dropout" && layer.layer.number("rate") > 0) return skip(); // random
    std::vector<RefTensor> feeds;
    for (auto const &input : json["inputs"]) feeds.push_back(caseTensor(input));
    auto const built = training::buildWithCotangents(*resolved, feeds[0].shape[0], training, ops::opLookup());
    if (!built.ok()) return toText(built.error()).c_str();
    std::vector<std::size_t> floating;
    for (std::size_t i = 0; i < feeds.size(); ++i)
        if (isFloating(built->infeed[i].dtype)) floating.push_back(i);
    auto const &expected = json["expected"];
    bool const gradients = json.contains("cotangents") && expected.contains("grad_weights");
    std::size_t const outputs = resolved->outputs.size();
    for (std::size_t i = 0; i < outputs; ++i) {
        auto const &spec = built->infeed[feeds.size()];
        feeds.push_back(gradients ? caseTensor(json["cotangents"][i]) : randomTensor(spec.shape, i));
    }
    ++counts.checked;

    JobContext const job;
    auto const passed = passes::runPasses(passes::graphPasses(), built->graph, {ops::opLookup(), {}, job});
    if (!passed.ok()) return toText(passed.error()).c_str();
    for (bool physical : {false, true}) {
        GraphRunner runner{physical ? passed->graph : built->graph};
        runner.physical = physical;
        runner.context.precision = physical ? reference::Precision::Float : reference::Precision::Double;
        runner.infeed = [&](graph::Node const &) { return feeds; };
        auto const &weights = json.value("weights", model::Json::array());
        if (weights.size() != built->weights.size()) return "other number of weights";
        for (std::size_t i = 0; i < weights.size(); ++i) runner.variables[built->weights[i]] = caseTensor(weights[i]);
        if (!runner.run()) return runner.error.c_str();
        auto const &got = runner.outfed.at(0);
        double const tolerance = physical ? 2e-5 : 2e-6;
        auto const check = [&](std::size_t index, model::Json const &want) -> QString {
            if (want.is_null()) return {};
            auto const tensor = caseTensor(want);
            if (tensor.v.empty()) return {};
            double const d = difference(got.at(index), tensor);
            if (tensor.shape != got[index].shape) return QString::fromStdString(built->outfeed[index].name) + " has another shape";
            // A gradient that is mathematically zero (a bias before a batch normalisation) has no magnitude as a reference.
            double size = 0, off = 0;
            for (std::size_t e = 0; e < tensor.v.size() && e < got[index].v.size(); ++e) {
                size = std::max(size, std::abs(tensor.v[e]));
                off = std::max(off, std::abs(tensor.v[e] - got[index].v[e]));
            }
            constexpr double kNothing = 1e-12, kRounding = 1e-6;
            if (size < kNothing && off <= kRounding) return {};
            if (!(d <= tolerance)) return QString("%1 is off by %2").arg(built->outfeed[index].name.c_str()).arg(d);
            return {};
        };
        for (std::size_t i = 0; i < outputs; ++i)
            if (auto const wrong = check(i, expected["outputs"][i]); !wrong.isEmpty()) return wrong;
        if (!gradients) continue;
        for (std::size_t k = 0; k < floating.size(); ++k)
            if (auto const wrong = check(outputs + k, expected["grad_inputs"][floating[k]]); !wrong.isEmpty()) return wrong;
        for (std::size_t k = 0; k < weights.size(); ++k)
            if (auto const wrong = check(outputs + floating.size() + k, expected["grad_weights"][k]); !wrong.isEmpty()) return wrong;
    }
    return {};
}

} // namespace

class TstLayerCases : public QObject {
    Q_OBJECT
private slots:
    void agreeWithReferenceValues_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("atLeast");
        QTest::newRow("layers") << "layer" << 40;
        QTest::newRow("models") << "model" << 3;
        QTest::newRow("real Keras") << "keras_real" << 2;
    }
    void agreeWithReferenceValues()
    {
        QFETCH(QString, folder);
        QFETCH(int, atLeast);
        auto const files = caseFiles(folder);
        if (files.isEmpty()) QSKIP("the reference cases are not here");
        CaseCounts counts;
        QStringList wrong;
        for (auto const &path : files)
            if (auto const message = runCase(path, counts); !message.isEmpty())
                wrong << path.mid(casesFolder().size() + 1) + ": " + message;
        qInfo("%d cases checked, %d skipped", counts.checked, counts.skipped);
        QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join("\n")));
        QVERIFY2(counts.checked >= atLeast, qPrintable(QString::number(counts.checked)));
    }
};

TW_REGISTER_TEST(TstLayerCases);
#include "tst_layer_cases.moc"
