// Masks and wrappers: steps that do not count change nothing, and layers around layers compute what those compute.
#include "engine/ops/op_def.h"
#include "engine/reference/interpreter.h"
#include "engine/training/step_passes.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace tilewright;
using model::Json;
using reference::RefTensor;

namespace {

constexpr std::int64_t kBatch = 2, kFeatures = 3, kUnits = 4;

RefTensor tensorOf(Shape const &shape, std::uint64_t seed)
{
    RefTensor t{DType::F32, shape, {}};
    for (std::int64_t i = 0; i < elementCount(shape); ++i)
        t.v.push_back(static_cast<float>(std::sin(static_cast<double>(seed * 37 + static_cast<std::uint64_t>(i) * 11))));
    return t;
}

model::Model chain(std::vector<std::pair<std::string, Json>> const &layers)
{
    model::Model m;
    m.name = "chain";
    for (std::size_t i = 0; i < layers.size(); ++i)
        m.layers.push_back(model::makeLayer(layers[i].first, "layer" + std::to_string(i), layers[i].second));
    model::normalizeModel(m);
    return m;
}

/// Adds a layer to a functional model, called once on what these layers give.
auto appenderTo(model::Model &m)
{
    return [&m](model::Layer layer, std::vector<std::string> const &from) {
        auto &call = layer.calls.emplace_back();
        for (auto const &name : from) call.inputs.push_back({name, 0, 0});
        m.layers.push_back(std::move(layer));
    };
}

/// The outputs; `x` by input, weights by their number and shape: equal in models whose weights are equal.
std::vector<RefTensor> predict(model::Model const &m, std::vector<RefTensor> const &x, std::uint64_t weights = 5)
{
    auto const resolved = model::resolve(m);
    if (!resolved.ok()) qFatal("%s", toText(resolved.error()).c_str());
    auto const step = training::buildPrediction(*resolved, kBatch, 1, ops::opLookup());
    if (!step.ok()) qFatal("%s", toText(step.error()).c_str());
    reference::RefState state;
    for (std::size_t v = 0; v < step->graph.variables.size(); ++v)
        state.variables[graph::VariableId(v)] = tensorOf(step->graph.variables[v].shape, weights + v);
    std::vector<RefTensor> out;
    reference::RefFeeds feeds;
    feeds.infeed = [&](graph::Node const &) -> Result<std::vector<RefTensor>> { return x; };
    feeds.outfeed = [&](graph::Node const &, std::span<RefTensor const> values) -> Status {
        out.assign(values.begin(), values.end());
        return {};
    };
    auto const status = reference::runRegion(step->graph, graph::RegionId(0), state, {1, 0, reference::Precision::Double}, feeds);
    if (!status.ok()) qFatal("%s", toText(status.error()).c_str());
    return out;
}

/// Steps of a sequence [batch, steps, n], in this order; a number of -1 gives zeros.
RefTensor stepsOf(RefTensor const &x, std::vector<int> const &which)
{
    RefTensor y{x.dtype, {x.shape[0], static_cast<std::int64_t>(which.size()), x.shape[2]}, {}};
    for (std::int64_t b = 0; b < x.shape[0]; ++b)
        for (int const step : which)
            for (std::int64_t c = 0; c < x.shape[2]; ++c)
                y.v.push_back(step < 0 ? 0.0 : x.v[static_cast<std::size_t>((b * x.shape[1] + step) * x.shape[2] + c)]);
    return y;
}

double difference(RefTensor const &a, RefTensor const &b)
{
    if (a.v.size() != b.v.size()) return 1e300;
    double worst = 0;
    for (std::size_t i = 0; i < a.v.size(); ++i) worst = std::max(worst, std::abs(a.v[i] - b.v[i]));
    return worst;
}

Json sequence(std::int64_t steps, Json config)
{
    config["batch_input_shape"] = {nullptr, steps, kFeatures};
    return config;
}

Json inside(char const *className, Json config) { return {{"class_name", className}, {"config", std::move(config)}}; }

} // namespace

class TstMasks : public QObject {
    Q_OBJECT
private slots:
    void aStepThatDoesNotCountLeavesStateAndOutputAsTheyAre_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<bool>("backwards");
        QTest::addColumn<bool>("unrolled");
        for (auto const *name : {"LSTM", "GRU", "SimpleRNN"})
            for (bool backwards : {false, true})
                for (bool unrolled : {false, true})
                    QTest::addRow("%s%s%s", name, backwards ? ", backwards" : "", unrolled ? ", unrolled" : "")
                        << QString(name) << backwards << unrolled;
    }
    void aStepThatDoesNotCountLeavesStateAndOutputAsTheyAre()
    {
        QFETCH(QString, className);
        QFETCH(bool, backwards);
        QFETCH(bool, unrolled);
        auto const x = tensorOf({kBatch, 3, kFeatures}, 2);
        auto const padded = stepsOf(x, {-1, 0, 1, -1, 2});
        for (bool sequences : {false, true}) {
            Json const config{{"units", kUnits}, {"go_backwards", backwards}, {"unroll", unrolled}, {"return_sequences", sequences}};
            auto const plain = predict(chain({{className.toStdString(), sequence(3, config)}}), {x})[0];
            auto const masked = predict(chain({{"Masking", sequence(5, Json::object())}, {className.toStdString(), config}}), {padded})[0];
            // What is given at a step that does not count was given before, or nothing yet.
            auto const expected = !sequences ? plain : backwards ? stepsOf(plain, {0, 0, 1, 2, 2}) : stepsOf(plain, {-1, 0, 1, 1, 2});
            QVERIFY2(difference(masked, expected) < 1e-12, qPrintable(QString::number(difference(masked, expected))));
        }
    }

    void anInitialStateIsNoOutputUntilAStepCounts()
    {
        model::Model m;
        m.kind = model::ModelKind::Functional;
        auto const append = appenderTo(m);
        append(model::makeInput("x", {2, kFeatures}), {});
        append(model::makeInput("state", {kUnits}), {});
        append(model::makeLayer("Masking", "masking"), {"x"});
        append(model::makeLayer("GRU", "gru", {{"units", kUnits}, {"return_sequences", true}}), {"masking", "state"});
        m.inputs = {{"x", 0, 0}, {"state", 0, 0}};
        m.outputs = {{"gru", 0, 0}};
        auto const step = tensorOf({kBatch, 1, kFeatures}, 2), state = tensorOf({kBatch, kUnits}, 4);
        auto const out = predict(m, {stepsOf(step, {-1, 0}), state})[0];
        for (std::int64_t b = 0; b < kBatch; ++b)
            for (std::int64_t u = 0; u < kUnits; ++u) QCOMPARE(out.v[static_cast<std::size_t>(b * 2 * kUnits + u)], 0.0);
        // The state begins with the first step that counts, as if the other were not there.
        auto const shorter = predict(m, {stepsOf(step, {0, -1}), state})[0];
        QVERIFY(difference(stepsOf(out, {1}), stepsOf(shorter, {0})) < 1e-12);
    }

    void paddingIsLeftOutOfAMean()
    {
        auto const m =
            chain({{"Embedding", {{"input_dim", 6}, {"output_dim", 2}, {"mask_zero", true}, {"batch_input_shape", {nullptr, 4}}}},
                   {"GlobalAveragePooling1D", Json::object()}});
        RefTensor const ids{DType::I32, {kBatch, 4}, {3, 0, 5, 0, 1, 2, 3, 0}};
        auto const table = tensorOf({6, 2}, 5);
        auto const out = predict(m, {ids})[0];
        auto const row = [&](int r, std::size_t c) { return table.v[static_cast<std::size_t>(r) * 2 + c]; };
        for (std::size_t c = 0; c < 2; ++c) {
            QVERIFY(std::abs(out.v[c] - (row(3, c) + row(5, c)) / 2) < 1e-12);
            QVERIFY(std::abs(out.v[2 + c] - (row(1, c) + row(2, c) + row(3, c)) / 3) < 1e-12);
        }
    }

    /// With channels first, the features of an embedding are the steps of the mean: its mask of one step broadcasts, as Keras's does.
    void aMaskOfOneStepCountsAllStepsOfAMean()
    {
        auto const m =
            chain({{"Embedding", {{"input_dim", 6}, {"output_dim", 2}, {"mask_zero", true}, {"batch_input_shape", {nullptr, 1}}}},
                   {"GlobalAveragePooling1D", {{"data_format", "channels_first"}}}});
        RefTensor const ids{DType::I32, {kBatch, 1}, {3, 5}};
        auto const table = tensorOf({6, 2}, 5);
        auto const out = predict(m, {ids})[0];
        QCOMPARE(out.v.size(), std::size_t{kBatch});
        QVERIFY(std::abs(out.v[0] - (table.v[6] + table.v[7])) < 1e-12);
        QVERIFY(std::abs(out.v[1] - (table.v[10] + table.v[11])) < 1e-12);
    }

    void attentionSeesOnlyWhatCounts()
    {
        for (bool causal : {false, true}) {
            auto const modelOf = [causal](std::int64_t steps) {
                model::Model m;
                m.kind = model::ModelKind::Functional;
                auto const append = appenderTo(m);
                append(model::makeInput("x", {steps, kFeatures}), {});
                append(model::makeLayer("Masking", "masking"), {"x"});
                append(model::makeLayer("Attention", "attention", {{"causal", causal}}), {"masking", "masking"});
                m.inputs = {{"x", 0, 0}};
                m.outputs = {{"attention", 0, 0}};
                return m;
            };
            auto const x = tensorOf({kBatch, 3, kFeatures}, 2);
            auto const whole = predict(modelOf(3), {x})[0], padded = predict(modelOf(5), {stepsOf(x, {0, -1, 1, 2, -1})})[0];
            QVERIFY(difference(padded, stepsOf(whole, {0, -1, 1, 2, -1})) < 1e-9); // queries that do not count give 0
        }
    }

    /// A mask of MultiHeadAttention, of all heads or of each: what it hides might as well not be there.
    void anAttentionMaskHidesKeys()
    {
        auto const model = [](std::int64_t keys, Shape const &mask) {
            model::Model m;
            m.name = "heads";
            m.kind = model::ModelKind::Functional;
            auto const append = appenderTo(m);
            m.layers.push_back(model::makeInput("q", {4, kFeatures}));
            m.layers.push_back(model::makeInput("v", {keys, kFeatures}));
            m.inputs = {{"q", 0, 0}, {"v", 0, 0}};
            std::vector<std::string> from{"q", "v"};
            if (!mask.empty()) {
                m.layers.push_back(model::makeInput("mask", Shape(mask.begin() + 1, mask.end())));
                m.inputs.push_back({"mask", 0, 0});
                from.insert(from.end(), {"v", "mask"});
            }
            append(model::makeLayer("MultiHeadAttention", "a", {{"num_heads", 2}, {"key_dim", 3}}), from);
            m.outputs.push_back({"a", 0, 0});
            return m;
        };
        auto const q = tensorOf({kBatch, 4, kFeatures}, 2), v = tensorOf({kBatch, 3, kFeatures}, 3);
        auto const more = stepsOf(v, {0, 2, 1, 2, 0}); // of which the second and the last are hidden
        auto const wanted = predict(model(3, {}), {q, stepsOf(v, {0, 1, 2})})[0];
        QVERIFY(difference(predict(model(5, {}), {q, more})[0], wanted) > 1e-3);
        for (Shape const &shape : {Shape{kBatch, 4, 5}, Shape{kBatch, 1, 5}, Shape{kBatch, 2, 4, 5}, Shape{kBatch, 1, 1, 5}}) {
            RefTensor mask{DType::F32, shape, {}};
            for (std::int64_t i = 0; i < elementCount(shape); ++i) mask.v.push_back(i % 5 == 1 || i % 5 == 4 ? 0.0 : 1.0);
            QVERIFY2(difference(predict(model(5, shape), {q, more, mask})[0], wanted) < 1e-12, qPrintable(QString::number(shape.size())));
        }
        // One head, one query: only what is hidden there changes.
        RefTensor mask{DType::F32, {kBatch, 2, 4, 5}, std::vector<double>(static_cast<std::size_t>(kBatch * 2 * 4 * 5), 1.0)};
        auto const open = predict(model(5, mask.shape), {q, more, mask})[0];
        mask.v[5 * 2 + 3] = 0; // of the first sample's first head the third query
        auto const changed = predict(model(5, mask.shape), {q, more, mask})[0];
        for (std::int64_t i = 0; i < elementCount(open.shape); ++i)
            QCOMPARE(changed.v[static_cast<std::size_t>(i)] != open.v[static_cast<std::size_t>(i)], i / kFeatures == 2);
    }
    void masksThatFollowEachOtherAreOneAfterTheOther()
    {
        model::Model m;
        m.kind = model::ModelKind::Functional;
        auto const append = appenderTo(m);
        append(model::makeInput("x", {2, kFeatures}), {});
        append(model::makeInput("y", {2, kFeatures}), {});
        append(model::makeLayer("Masking", "masking"), {"x"});
        append(model::makeLayer("Concatenate", "joined", {{"axis", 1}}), {"masking", "y"});
        append(model::makeLayer("GlobalAveragePooling1D", "mean"), {"joined"});
        m.inputs = {{"x", 0, 0}, {"y", 0, 0}};
        m.outputs = {{"mean", 0, 0}};
        auto const x = stepsOf(tensorOf({kBatch, 1, kFeatures}, 2), {0, -1}), zeros = stepsOf(x, {-1, -1});
        auto const out = predict(m, {x, zeros})[0]; // one step of x counts, and both of y, which has no mask
        for (std::size_t i = 0; i < out.v.size(); ++i) {
            std::size_t const sample = i / kFeatures, c = i % kFeatures;
            QVERIFY(std::abs(out.v[i] - x.v[sample * 2 * kFeatures + c] / 3) < 1e-12);
        }
    }

    void softmaxLayerRefusesAMask()
    {
        auto const resolved =
            model::resolve(chain({{"Masking", sequence(5, Json::object())}, {"Dense", {{"units", 2}}}, {"Softmax", Json::object()}}));
        QVERIFY(!resolved.ok());
        QCOMPARE(QString::fromStdString(resolved.error().code), QString("model.mask"));
        QCOMPARE(QString::fromStdString(resolved.error().subject), QString("layer2"));
        // A layer that takes the mask ends it.
        QVERIFY(
            model::resolve(chain({{"Masking", sequence(5, Json::object())}, {"LSTM", {{"units", 2}}}, {"Softmax", Json::object()}})).ok());
    }

    void maskedStepsHaveNoLossAndCountInItsMean()
    {
        auto const m = chain({{"Masking", sequence(4, Json::object())}, {"Dense", {{"units", 1}}}});
        auto const resolved = model::resolve(m);
        QVERIFY(resolved.ok());
        model::TrainingPlan plan;
        plan.losses = {*model::parseLoss("MeanSquaredError")};
        plan.metrics = {*model::parseMetric("mse")};
        plan.batchSize = kBatch;
        auto const step = training::buildEvaluation(*resolved, plan, 1, ops::opLookup());
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        auto const x = stepsOf(tensorOf({kBatch, 3, kFeatures}, 2), {0, -1, 1, 2}), labels = tensorOf({kBatch, 4, 1}, 9);
        reference::RefState state;
        for (std::size_t v = 0; v < step->graph.variables.size(); ++v)
            state.variables[graph::VariableId(v)] = tensorOf(step->graph.variables[v].shape, 5 + v);
        std::vector<RefTensor> out;
        reference::RefFeeds feeds;
        feeds.infeed = [&](graph::Node const &) -> Result<std::vector<RefTensor>> { return std::vector<RefTensor>{x, labels}; };
        feeds.outfeed = [&](graph::Node const &, std::span<RefTensor const> values) -> Status {
            out.assign(values.begin(), values.end());
            return {};
        };
        QVERIFY(reference::runRegion(step->graph, graph::RegionId(0), state, {1, 0, reference::Precision::Double}, feeds).ok());
        auto const y = predict(m, {x})[0];
        double sum = 0;
        for (std::size_t i = 0; i < y.v.size(); ++i)
            if (i % 4 != 1) sum += (y.v[i] - labels.v[i]) * (y.v[i] - labels.v[i]);
        QVERIFY(std::abs(out[0].v[0] - sum / 8) < 1e-12);
        // A metric is a mean over what counts: it sends the sum and the number.
        QCOMPARE(step->outfeed[1].tally.reading, Tally::Reading::Ratio);
        QVERIFY(std::abs(figureOf(step->outfeed[1].tally, out[1].v) - sum / 6) < 1e-12);
    }

    void aSequenceIsRightWhenEveryStepThatCountsIs()
    {
        // Steps say their class; the second sample's last step says another one than its label.
        RefTensor x{DType::F32, {kBatch, 4, kFeatures}, std::vector<double>(static_cast<std::size_t>(kBatch * 4 * kFeatures), 0.125)};
        RefTensor labels{DType::I32, {kBatch, 4}, {0, 1, 2, 1, 2, 2, 0, 1}};
        for (std::size_t i = 0; i < labels.v.size(); ++i)
            x.v[i * kFeatures + static_cast<std::size_t>(i + 1 < labels.v.size() ? labels.v[i] : 0)] = 0.75;
        for (bool masked : {false, true}) {
            // A mask of the value that all features of that step have then.
            auto given = x;
            if (masked) std::fill_n(given.v.end() - kFeatures, kFeatures, 0.0);
            auto const resolved = model::resolve(
                chain({{masked ? "Masking" : "Activation", sequence(4, masked ? Json::object() : Json{{"activation", "linear"}})}}));
            QVERIFY(resolved.ok());
            model::TrainingPlan plan;
            plan.losses = {*model::parseLoss("SparseCategoricalCrossentropy")};
            plan.metrics = {*model::parseMetric("sequence_accuracy"), *model::parseMetric("accuracy")};
            plan.batchSize = kBatch;
            auto const step = training::buildEvaluation(*resolved, plan, 1, ops::opLookup());
            QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
            std::vector<RefTensor> out;
            reference::RefState state;
            reference::RefFeeds feeds;
            feeds.infeed = [&](graph::Node const &) -> Result<std::vector<RefTensor>> { return std::vector<RefTensor>{given, labels}; };
            feeds.outfeed = [&](graph::Node const &, std::span<RefTensor const> values) -> Status {
                out.assign(values.begin(), values.end());
                return {};
            };
            QVERIFY(reference::runRegion(step->graph, graph::RegionId(0), state, {1, 0, reference::Precision::Double}, feeds).ok());
            QCOMPARE(out[1].v[0], masked ? 1.0 : 0.5);
            QCOMPARE(masked ? figureOf(step->outfeed[2].tally, out[2].v) : out[2].v[0], masked ? 1.0 : 7.0 / 8.0);
        }
    }

    void bothDirectionsAreTwoLayers_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("mode");
        for (auto const *name : {"LSTM", "GRU", "SimpleRNN"})
            for (auto const *mode : {"concat", "sum", "mul", "ave"}) QTest::addRow("%s %s", name, mode) << QString(name) << QString(mode);
    }
    void bothDirectionsAreTwoLayers()
    {
        QFETCH(QString, className);
        QFETCH(QString, mode);
        auto const name = className.toStdString();
        auto const x = tensorOf({kBatch, 5, kFeatures}, 2);
        for (bool unrolled : {false, true})
            for (bool sequences : {false, true}) {
                Json config{{"units", kUnits}, {"return_sequences", sequences}, {"unroll", unrolled}};
                auto const both = predict(
                    chain({{"Bidirectional", sequence(5, {{"layer", inside(name.c_str(), config)}, {"merge_mode", mode.toStdString()}})}}),
                    {x})[0];
                auto const forward = predict(chain({{name, sequence(5, config)}}), {x})[0];
                config["go_backwards"] = true;
                auto backward = predict(chain({{name, sequence(5, config)}}), {x}, 5 + 3)[0]; // its weights are the second three
                if (sequences) backward = stepsOf(backward, {4, 3, 2, 1, 0});
                RefTensor expected = forward;
                if (mode == "concat") {
                    expected.v.clear();
                    for (std::size_t row = 0; row < forward.v.size() / kUnits; ++row)
                        for (RefTensor const *half : {&forward, static_cast<RefTensor const *>(&backward)})
                            expected.v.insert(expected.v.end(), half->v.begin() + static_cast<std::ptrdiff_t>(row * kUnits),
                                              half->v.begin() + static_cast<std::ptrdiff_t>((row + 1) * kUnits));
                } else {
                    for (std::size_t i = 0; i < expected.v.size(); ++i) {
                        double const a = forward.v[i], b = backward.v[i];
                        expected.v[i] = mode == "mul" ? a * b : mode == "ave" ? (a + b) / 2 : a + b;
                    }
                }
                QVERIFY2(difference(both, expected) < 1e-12, qPrintable(QString::number(difference(both, expected))));
            }
    }

    /// Keras's Bidirectional: a step that does not count gives 0 in the sequence, and leaves the states as they are.
    void maskedStepsOfBothDirectionsAreZero_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<bool>("unrolled");
        for (auto const *name : {"LSTM", "GRU", "SimpleRNN"})
            for (bool unrolled : {false, true}) QTest::addRow("%s%s", name, unrolled ? ", unrolled" : "") << QString(name) << unrolled;
    }
    void maskedStepsOfBothDirectionsAreZero()
    {
        QFETCH(QString, className);
        QFETCH(bool, unrolled);
        auto const name = className.toStdString();
        auto const x = tensorOf({kBatch, 3, kFeatures}, 2);
        auto const padded = stepsOf(x, {-1, 0, 1, -1, 2});
        Json const config{{"units", kUnits}, {"return_sequences", true}, {"return_state", true}, {"unroll", unrolled}};
        for (Json const &mode : {Json("concat"), Json("sum"), Json(nullptr)}) {
            auto const modelOf = [&](std::int64_t steps) {
                model::Model m;
                m.name = "both";
                m.kind = model::ModelKind::Functional;
                auto const append = appenderTo(m);
                m.layers.push_back(model::makeInput("in", {steps, kFeatures}));
                append(model::makeLayer("Masking", "mask"), {"in"});
                append(model::makeLayer("Bidirectional", "both", {{"layer", inside(name.c_str(), config)}, {"merge_mode", mode}}),
                       {"mask"});
                m.inputs = {{"in", 0, 0}};
                int const outputs = model::outputsOf(*m.find("both"));
                for (int i = 0; i < outputs; ++i) m.outputs.push_back({"both", 0, i});
                return m;
            };
            auto const plain = predict(modelOf(3), {x}), masked = predict(modelOf(5), {padded});
            std::size_t const sequences = mode.is_null() ? 2 : 1, states = name == "LSTM" ? 4 : 2;
            QCOMPARE(plain.size(), sequences + states);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                auto const expected = i < sequences ? stepsOf(plain[i], {-1, 0, 1, -1, 2}) : plain[i];
                QVERIFY2(difference(masked[i], expected) < 1e-12, qPrintable(QString("output %1").arg(i)));
            }
            // States come forward first; each is that of its own direction.
            auto const one = [&](bool backwards) {
                model::Model m;
                m.name = "one";
                m.kind = model::ModelKind::Functional;
                auto const append = appenderTo(m);
                m.layers.push_back(model::makeInput("in", {3, kFeatures}));
                auto own = config;
                own["go_backwards"] = backwards;
                append(model::makeLayer(name, "one", own), {"in"});
                m.inputs = {{"in", 0, 0}};
                for (std::size_t i = 0; i <= states / 2; ++i) m.outputs.push_back({"one", 0, static_cast<int>(i)});
                return predict(m, {x}, backwards ? 5 + 3 : 5);
            };
            for (bool backwards : {false, true}) {
                auto const alone = one(backwards);
                for (std::size_t i = 0; i < states / 2; ++i)
                    QVERIFY(difference(plain[sequences + (backwards ? states / 2 : 0) + i], alone[1 + i]) < 1e-12);
            }
        }
    }

    /// As tf.keras: a class that does not use masks computes as without one, and its output has none.
    void layersWithoutMasksDropThem_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        auto const row = [](char const *name, Json const &config = Json::object()) {
            QTest::newRow(name) << QString(name) << QString::fromStdString(config.dump());
        };
        row("Flatten");
        row("Reshape", {{"target_shape", {kFeatures, 5}}});
        row("Permute", {{"dims", {2, 1}}});
        row("Conv1D", {{"filters", 2}, {"kernel_size", 2}});
        row("MaxPooling1D");
        row("AveragePooling1D");
        row("GlobalMaxPooling1D");
        row("Cropping1D");
        row("UpSampling1D");
        row("ZeroPadding1D");
    }
    void layersWithoutMasksDropThem()
    {
        QFETCH(QString, className);
        QFETCH(QString, config);
        auto const json = Json::parse(config.toStdString());
        auto const x = stepsOf(tensorOf({kBatch, 3, kFeatures}, 2), {-1, 0, 1, -1, 2});
        auto own = json;
        own["batch_input_shape"] = {nullptr, 5, kFeatures};
        auto const masked = chain({{"Masking", sequence(5, Json::object())}, {className.toStdString(), json}});
        auto const resolved = model::resolve(masked);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        QVERIFY(!resolved->calls[resolved->outputs[0]].masked);
        QCOMPARE(difference(predict(masked, {x})[0], predict(chain({{className.toStdString(), own}}), {x})[0]), 0.0);
    }

    void aLayerOfEachStepIsThatLayerOfManySamples()
    {
        auto const x = tensorOf({kBatch, 5, kFeatures}, 2);
        Json const dense{{"units", kUnits}, {"activation", "tanh"}};
        auto const steps = predict(chain({{"TimeDistributed", sequence(5, {{"layer", inside("Dense", dense)}})}}), {x})[0];
        auto const plain = predict(chain({{"Dense", sequence(5, dense)}}), {x})[0];
        QCOMPARE(steps.shape, (Shape{kBatch, 5, kUnits}));
        QVERIFY(difference(steps, plain) < 1e-12);
        // A convolution sees one image of a sequence at a time.
        Json const conv{{"filters", 2}, {"kernel_size", 2}};
        auto const images = tensorOf({kBatch, 3, 4, 4, 2}, 3);
        auto const all = predict(
            chain({{"TimeDistributed", {{"layer", inside("Conv2D", conv)}, {"batch_input_shape", {nullptr, 3, 4, 4, 2}}}}}), {images})[0];
        QCOMPARE(all.shape, (Shape{kBatch, 3, 3, 3, 2}));
        for (std::int64_t s = 0; s < 3; ++s) {
            RefTensor image{DType::F32, {kBatch, 4, 4, 2}, {}}, expected{DType::F32, {kBatch, 3, 3, 2}, {}};
            for (std::int64_t b = 0; b < kBatch; ++b) {
                image.v.insert(image.v.end(), images.v.begin() + (b * 3 + s) * 32, images.v.begin() + (b * 3 + s + 1) * 32);
                expected.v.insert(expected.v.end(), all.v.begin() + (b * 3 + s) * 18, all.v.begin() + (b * 3 + s + 1) * 18);
            }
            QVERIFY(difference(predict(chain({{"Conv2D", {{"filters", 2}, {"kernel_size", 2}, {"batch_input_shape", {nullptr, 4, 4, 2}}}}}),
                                       {image})[0],
                               expected)
                    < 1e-12);
        }
    }

    void whatCannotBeWrappedSaysSo_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("code");
        auto const row = [](char const *name, char const *className, Json const &config, char const *code) {
            QTest::newRow(name) << className << QString::fromStdString(config.dump()) << code;
        };
        row("a Dense in both directions", "Bidirectional", {{"layer", inside("Dense", {{"units", 2}})}}, "model.unsupported");
        row("both outputs apart", "Bidirectional", {{"layer", inside("LSTM", {{"units", 2}})}, {"merge_mode", nullptr}},
            "model.shape"); // a Sequential model hands on one
        row("two layers that read alike", "Bidirectional",
            {{"layer", inside("LSTM", {{"units", 2}})}, {"backward_layer", inside("LSTM", {{"units", 2}})}}, "model.bad-argument");
        row("two layers of other units", "Bidirectional",
            {{"layer", inside("LSTM", {{"units", 2}})}, {"backward_layer", inside("LSTM", {{"units", 3}, {"go_backwards", true}})}},
            "model.bad-argument");
        row("no layer", "TimeDistributed", Json::object(), "model.missing-argument");
        row("a layer without a class", "TimeDistributed", {{"layer", {{"units", 2}}}}, "model.bad-argument");
        row("a layer that is not there", "TimeDistributed", {{"layer", inside("Dence", {{"units", 2}})}}, "model.unknown-layer");
        row("a sum of two for each step", "TimeDistributed", {{"layer", inside("Add", Json::object())}}, "model.unsupported");
        row("a bad argument inside", "TimeDistributed", {{"layer", inside("Dense", {{"units", -2}})}}, "model.bad-argument");
    }
    void whatCannotBeWrappedSaysSo()
    {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(QString, code);
        auto json = Json::parse(config.toStdString());
        json["batch_input_shape"] = {nullptr, 5, kFeatures};
        auto const resolved = model::resolve(chain({{className.toStdString(), json}}));
        QVERIFY(!resolved.ok());
        QCOMPARE(QString::fromStdString(resolved.error().code), code);
    }
};

TW_REGISTER_TEST(TstMasks);
#include "tst_masks.moc"
