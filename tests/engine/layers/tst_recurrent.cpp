// Recurrent layers beyond the reference cases: their loops, both forms, refused arguments.
#include "engine/model/summary.h"
#include "engine/training/step_passes.h"
#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"
#include "engine/reference/interpreter.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace tilewright;
using model::Json;
using reference::RefTensor;

namespace {

constexpr std::int64_t kBatch = 2, kSteps = 5, kFeatures = 3;

model::Model modelOf(std::string const &className, Json config)
{
    config["units"] = 4;
    config["batch_input_shape"] = {nullptr, kSteps, kFeatures};
    model::Model m;
    m.name = "recurrent";
    m.layers.push_back(model::makeLayer(className, "cell", config));
    model::normalizeModel(m);
    return m;
}

RefTensor tensorOf(Shape const &shape, std::uint64_t seed)
{
    RefTensor t{DType::F32, shape, {}};
    for (std::int64_t i = 0; i < elementCount(shape); ++i)
        t.v.push_back(static_cast<float>(std::sin(static_cast<double>(seed * 37 + static_cast<std::uint64_t>(i) * 11))));
    return t;
}

/// The same as a functional model that returns the state after the output.
model::Model statefulModelOf(std::string const &className, Json config)
{
    config["units"] = 4;
    config["return_state"] = true;
    model::Model m;
    m.name = "recurrent";
    m.kind = model::ModelKind::Functional;
    m.layers.push_back(model::makeInput("x", {kSteps, kFeatures}));
    m.layers.push_back(model::makeLayer(className, "cell", config));
    m.layers.back().calls.push_back({{{"x"}}, Json::object(), -1});
    m.inputs.push_back({"x"});
    for (int i = 0; i < model::outputsOf(m.layers.back()); ++i) m.outputs.push_back({"cell", 0, i});
    return m;
}

/// Outputs, gradient of the input, gradients of the weights; one feed, weights by their number.
std::vector<RefTensor> run(model::Model const &model, RefTensor const &x, bool training = false, std::uint64_t seed = 1)
{
    auto const resolved = model::resolve(model);
    if (!resolved.ok()) qFatal("%s", toText(resolved.error()).c_str());
    auto const step = training::buildWithCotangents(*resolved, kBatch, training, ops::opLookup());
    if (!step.ok()) qFatal("%s", toText(step.error()).c_str());
    reference::RefState state;
    for (std::size_t v = 0; v < step->graph.variables.size(); ++v) {
        auto const &variable = step->graph.variables[v];
        auto t = tensorOf(variable.shape, 5 + v);
        if (variable.dtype == DType::I32) t = {DType::I32, variable.shape, std::vector<double>(t.v.size(), 0.0)};
        state.variables[graph::VariableId(v)] = std::move(t);
    }
    std::vector<RefTensor> out;
    reference::RefFeeds feeds;
    feeds.infeed = [&](graph::Node const &) -> Result<std::vector<RefTensor>> {
        std::vector<RefTensor> fed{x};
        for (std::size_t i = 1; i < step->infeed.size(); ++i) fed.push_back(tensorOf(step->infeed[i].shape, 2 + i));
        return fed;
    };
    feeds.outfeed = [&](graph::Node const &, std::span<RefTensor const> values) -> Status {
        out.assign(values.begin(), values.end());
        return {};
    };
    if (auto const status = reference::runRegion(step->graph, graph::RegionId(0), state, {seed, 0, reference::Precision::Double}, feeds);
        !status.ok())
        qFatal("%s", toText(status.error()).c_str());
    return out;
}

std::vector<RefTensor> run(std::string const &className, Json const &config, RefTensor const &x, bool training = false,
                           std::uint64_t seed = 1)
{
    return run(modelOf(className, config), x, training, seed);
}

double difference(RefTensor const &a, RefTensor const &b)
{
    if (a.shape != b.shape) return 1e300;
    double worst = 0;
    for (std::size_t i = 0; i < a.v.size(); ++i) worst = std::max(worst, std::abs(a.v[i] - b.v[i]));
    return worst;
}

RefTensor reversedSteps(RefTensor const &x)
{
    RefTensor y = x;
    std::int64_t const row = x.shape[2];
    for (std::int64_t b = 0; b < x.shape[0]; ++b)
        for (std::int64_t t = 0; t < x.shape[1]; ++t)
            std::copy_n(x.v.begin() + (b * x.shape[1] + x.shape[1] - 1 - t) * row, row, y.v.begin() + (b * x.shape[1] + t) * row);
    return y;
}

std::vector<std::pair<std::string, Json>> const kLayers{
    {"LSTM", Json::object()},
    {"LSTM", {{"activation", "softsign"}, {"recurrent_activation", "hard_sigmoid"}, {"use_bias", false}}},
    {"GRU", Json::object()},
    {"GRU", {{"reset_after", false}}},
    {"GRU", {{"use_bias", false}, {"recurrent_activation", "hard_sigmoid"}}},
    {"SimpleRNN", Json::object()},
    {"SimpleRNN", {{"activation", "sigmoid"}}},
};

} // namespace

class TstRecurrent : public QObject {
    Q_OBJECT

    static model::Model rnnOf(std::vector<std::pair<std::string, Json>> const &cells, bool sequences, bool unroll)
    {
        Json list = Json::array();
        for (auto const &[className, config] : cells) list.push_back({{"class_name", className}, {"config", config}});
        Json const cell = list.size() == 1 ? list[0] : Json{{"class_name", "StackedRNNCells"}, {"config", {{"cells", list}}}};
        model::Model m;
        m.name = "recurrent";
        m.layers.push_back(model::makeLayer(
            "RNN", "cell",
            {{"cell", cell}, {"return_sequences", sequences}, {"unroll", unroll}, {"batch_input_shape", {nullptr, kSteps, kFeatures}}}));
        model::normalizeModel(m);
        return m;
    }
    /// `input`: steps, axes, channels.
    static model::Model convLstmOf(int spatial, Shape const &input, Json config)
    {
        Json shape = Json::array({nullptr});
        for (auto const extent : input) shape.push_back(extent);
        config["batch_input_shape"] = shape;
        model::Model m;
        m.name = "recurrent";
        m.layers.push_back(model::makeLayer("ConvLSTM" + std::to_string(spatial) + "D", "cell", config));
        model::normalizeModel(m);
        return m;
    }

    static void addLayers()
    {
        QTest::addColumn<int>("layer");
        QTest::addColumn<bool>("sequences");
        for (std::size_t i = 0; i < kLayers.size(); ++i)
            for (bool sequences : {false, true})
                QTest::addRow("%s %zu%s", kLayers[i].first.c_str(), i, sequences ? ", sequences" : "") << static_cast<int>(i) << sequences;
    }

private slots:
    void unrolledStepsGiveTheSameNumbers_data() { addLayers(); }
    void unrolledStepsGiveTheSameNumbers()
    {
        QFETCH(int, layer);
        QFETCH(bool, sequences);
        auto [className, config] = kLayers[static_cast<std::size_t>(layer)];
        config["return_sequences"] = sequences;
        for (bool backwards : {false, true}) {
            config["go_backwards"] = backwards;
            auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
            auto const loop = run(className, config, x);
            config["unroll"] = true;
            auto const steps = run(className, config, x);
            config["unroll"] = false;
            QCOMPARE(loop.size(), steps.size());
            for (std::size_t i = 0; i < loop.size(); ++i) QVERIFY2(difference(loop[i], steps[i]) < 1e-12, std::to_string(i).c_str());
        }
    }

    void theStateIsGivenBehindTheOutput_data() { addLayers(); }
    void theStateIsGivenBehindTheOutput()
    {
        QFETCH(int, layer);
        QFETCH(bool, sequences);
        auto [className, config] = kLayers[static_cast<std::size_t>(layer)];
        config["return_sequences"] = sequences;
        auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        std::size_t const states = className == "LSTM" ? 2 : 1;
        auto const looped = run(statefulModelOf(className, config), x);
        QCOMPARE(looped.size(),
                 1 + states + 1 + (config.value("use_bias", true) ? 3 : 2)); // the gradients of the input and of the weights follow
        // h is the output of the last step.
        auto const alone = run(className, config, x);
        QVERIFY(difference(looped[0], alone[0]) < 1e-12);
        RefTensor last = looped[0];
        if (sequences) {
            last = {DType::F32, {kBatch, 4}, {}};
            for (std::int64_t b = 0; b < kBatch; ++b)
                for (std::int64_t u = 0; u < 4; ++u)
                    last.v.push_back(looped[0].v[static_cast<std::size_t>((b * kSteps + kSteps - 1) * 4 + u)]);
        }
        QVERIFY(difference(looped[1], last) < 1e-12);
        // c of an LSTM, and all gradients through both: as without a loop.
        config["unroll"] = true;
        auto const steps = run(statefulModelOf(className, config), x);
        QCOMPARE(steps.size(), looped.size());
        for (std::size_t i = 0; i < looped.size(); ++i) QVERIFY2(difference(looped[i], steps[i]) < 1e-12, std::to_string(i).c_str());
    }

    void encoderStatesInitialiseTheDecoder()
    {
        // An encoder's state begins the decoder: seq2seq as Keras writes it.
        model::Model m;
        m.kind = model::ModelKind::Functional;
        m.layers = {model::makeInput("x", {kSteps, kFeatures}), model::makeLayer("LSTM", "encoder", {{"units", 4}, {"return_state", true}}),
                    model::makeLayer("LSTM", "decoder", {{"units", 4}})};
        m.layers[1].calls.push_back({{{"x"}}, Json::object(), -1});
        m.layers[2].calls.push_back({{{"x"}, {"encoder", 0, 1}, {"encoder", 0, 2}}, Json::object(), -1});
        m.inputs = {{"x"}};
        m.outputs = {{"decoder"}};
        auto const resolved = model::resolve(m);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        QCOMPARE(model::summarize(*resolved).rows[2].connectedTo, (std::vector<std::string>{"x[0][0]", "encoder[0][1]", "encoder[0][2]"}));
        auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        auto const begun = run(m, x);
        m.layers[2].calls[0].inputs.resize(1); // from zeros
        auto const fresh = run(m, x);
        QVERIFY(difference(begun[0], fresh[0]) > 1e-3);
        m.layers[2].calls[0].inputs = {{"x"}, {"encoder", 0, 1}, {"encoder", 0, 3}};
        QCOMPARE(model::resolve(m).error().code, std::string("model.dangling-reference"));
        m.kind = model::ModelKind::Sequential;
        QCOMPARE(model::resolve(m).error().code, std::string("model.shape"));
    }

    /// Keras: the input reversed in time; outputs stay in the order in which they are made.
    void backwardsReadsTheInputFromItsEnd_data() { addLayers(); }
    void backwardsReadsTheInputFromItsEnd()
    {
        QFETCH(int, layer);
        QFETCH(bool, sequences);
        auto [className, config] = kLayers[static_cast<std::size_t>(layer)];
        config["return_sequences"] = sequences;
        auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        auto const forwards = run(className, config, reversedSteps(x));
        config["go_backwards"] = true;
        auto const backwards = run(className, config, x);
        QVERIFY(difference(forwards[0], backwards[0]) < 1e-12);
        QVERIFY(difference(reversedSteps(forwards[1]), backwards[1]) < 1e-12);
        for (std::size_t i = 2; i < forwards.size(); ++i) QVERIFY(difference(forwards[i], backwards[i]) < 1e-12);
        QVERIFY(difference(run(className, Json{{"return_sequences", sequences}}, x)[0], backwards[0]) > 1e-3);
    }

    void gradientsAreDifferencesWithDropout_data() { addLayers(); }
    void gradientsAreDifferencesWithDropout()
    {
        QFETCH(int, layer);
        QFETCH(bool, sequences);
        auto [className, config] = kLayers[static_cast<std::size_t>(layer)];
        config["return_sequences"] = sequences;
        config["dropout"] = 0.3;
        config["recurrent_dropout"] = 0.4;
        auto x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        auto const whole = run(className, config, x, true);
        auto const cotangent = tensorOf(whole[0].shape, 3);
        auto const value = [&](RefTensor const &at) {
            auto const y = run(className, config, at, true)[0];
            double sum = 0;
            for (std::size_t i = 0; i < y.v.size(); ++i) sum += y.v[i] * cotangent.v[i];
            return sum;
        };
        int zeros = 0;
        for (std::size_t i = 0; i < x.v.size(); ++i) {
            auto moved = x;
            moved.v[i] += 1e-5;
            double const up = value(moved);
            moved.v[i] -= 2e-5;
            double const slope = (up - value(moved)) / 2e-5;
            QVERIFY2(std::abs(slope - whole[1].v[i]) < 1e-6, std::to_string(whole[1].v[i]).c_str());
            zeros += slope == 0;
        }
        // A feature that is dropped is dropped in all steps.
        QCOMPARE(zeros % kSteps, 0);
        bool dropped = false;
        for (std::uint64_t seed = 1; seed < 6 && !dropped; ++seed) {
            auto const other = run(className, config, x, true, seed);
            dropped = std::ranges::find(other[1].v, 0.0) != other[1].v.end();
        }
        QVERIFY(dropped);
        QVERIFY(difference(run(className, config, x)[0], whole[0]) > 1e-4); // drops in training only
    }

    void aTrainedLayerHasOneBodyForwardAndOneBackward_data() { addLayers(); }
    void aTrainedLayerHasOneBodyForwardAndOneBackward()
    {
        QFETCH(int, layer);
        QFETCH(bool, sequences);
        auto [className, config] = kLayers[static_cast<std::size_t>(layer)];
        config["return_sequences"] = sequences;
        auto m = modelOf(className, config);
        if (sequences) m.layers.push_back(model::makeLayer("Flatten", "flatten"));
        m.layers.push_back(model::makeLayer("Dense", "dense", {{"units", 3}, {"activation", "softmax"}}));
        model::TrainingPlan plan;
        plan.batchSize = kBatch;
        plan.losses = {*model::parseLoss("sparse_categorical_crossentropy")};
        auto const resolved = model::resolve(m);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        auto const step = training::buildTraining(*resolved, plan, ops::opLookup());
        QVERIFY2(step.ok(), step.ok() ? "" : toText(step.error()).c_str());
        JobContext const job;
        auto const passed = passes::runPasses(passes::graphPasses(), step->graph, {ops::opLookup(), {}, job});
        QVERIFY2(passed.ok(), passed.ok() ? "" : toText(passed.error()).c_str());
        auto const &g = passed->graph;
        int forward = 0, backward = 0, products = 0, outside = 0;
        std::set<std::uint32_t> bodies;
        for (auto const &region : g.regions)
            for (auto id : region.nodes) {
                auto const &node = g.node(id);
                if (node.op != "repeat" || node.layer != "cell") continue;
                QCOMPARE(node.attrs.integer("count"), kSteps);
                (node.pass == graph::Pass::Backward ? backward : forward) += 1;
                bodies.insert(node.regions[0].index);
            }
        QCOMPARE(forward, 1);
        QCOMPARE(backward, 1);
        for (std::size_t r = 0; r < g.regions.size(); ++r)
            for (auto id : g.regions[r].nodes)
                if (g.node(id).op == "matmul" && g.node(id).layer == "cell")
                    (bodies.contains(static_cast<std::uint32_t>(r)) ? products : outside) += 1;
        // In the loops: state times recurrent kernel and its gradient. Outside: the inputs of all steps, and the kernels'
        // gradients over all steps. (The input of the model needs no gradient.)
        int const parts = className == "GRU" && config.contains("reset_after") ? 2 : 1;
        QCOMPARE(products, 2 * parts);
        QCOMPARE(outside, 2 + parts);
    }

    void unsupportedArgumentsAreRefusedByName_data()
    {
        QTest::addColumn<QString>("argument");
        for (char const *argument : {"time_major"}) QTest::newRow(argument) << QString(argument);
    }
    void unsupportedArgumentsAreRefusedByName()
    {
        QFETCH(QString, argument);
        for (char const *className : {"LSTM", "GRU", "SimpleRNN"}) {
            auto const resolved = model::resolve(modelOf(className, {{argument.toStdString(), true}}));
            QVERIFY(!resolved.ok());
            QCOMPARE(resolved.error().code, std::string("model.unsupported"));
            QVERIFY(resolved.error().message.find(argument.toStdString()) != std::string::npos);
            QCOMPARE(resolved.error().subject, std::string("cell"));
        }
    }

    void aMatrixHasNoSteps()
    {
        model::Model m;
        m.layers.push_back(model::makeLayer("LSTM", "cell", {{"units", 4}, {"batch_input_shape", {nullptr, 7}}}));
        auto const resolved = model::resolve(m);
        QVERIFY(!resolved.ok());
        QCOMPARE(resolved.error().code, std::string("model.shape"));
    }

    void furtherInputsAreTheFirstState()
    {
        auto const with = [](char const *className, std::vector<Shape> const &states) {
            model::Model m;
            m.kind = model::ModelKind::Functional;
            auto add = [&](model::Layer layer, std::vector<std::string> const &from) {
                model::Call call;
                for (auto const &name : from) call.inputs.push_back({name});
                layer.calls = {call};
                m.layers.push_back(std::move(layer));
            };
            std::vector<std::string> names{"x"};
            add(model::makeInput("x", {kSteps, kFeatures}), {});
            for (auto const &shape : states) {
                names.push_back("s" + std::to_string(names.size()));
                add(model::makeInput(names.back(), shape), {});
            }
            add(model::makeLayer(className, "cell", {{"units", 4}}), names);
            for (auto const &name : names) m.inputs.push_back({name});
            m.outputs = {{"cell"}};
            return model::resolve(m);
        };
        QVERIFY(with("SimpleRNN", {{4}}).ok());
        QVERIFY(with("LSTM", {{4}, {4}}).ok());
        auto const half = with("LSTM", {{4}});
        QVERIFY(!half.ok());
        QCOMPARE(half.error().code, std::string("model.shape"));
        QVERIFY(!with("GRU", {{5}}).ok());
        QVERIFY(!with("GRU", {{4}, {4}}).ok());
    }

    void forgetGatesBeginOpen()
    {
        auto const resolved = model::resolve(modelOf("LSTM", Json::object()));
        QVERIFY(resolved.ok());
        auto const &bias = resolved->layers.back().weights[2];
        auto const parsed = model::parseInitializer(model::initializerJson(bias.initializer));
        QVERIFY(parsed.ok());
        auto const values = model::initialize(*parsed, bias.shape, 7);
        QVERIFY(values.ok());
        for (std::size_t i = 0; i < 16; ++i) QCOMPARE((*values)[i], i / 4 == 1 ? 1.0f : 0.0f);
        auto const closed = model::resolve(modelOf("LSTM", {{"unit_forget_bias", false}}));
        QCOMPARE(closed->layers.back().weights[2].initializer.className, std::string("Zeros"));
    }

    void aCellInAnRnnEqualsItsLayer_data() { addLayers(); }
    void aCellInAnRnnEqualsItsLayer()
    {
        QFETCH(int, layer);
        QFETCH(bool, sequences);
        auto const &[className, config] = kLayers[static_cast<std::size_t>(layer)];
        auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        for (bool unroll : {false, true})
            for (bool training : {false, true}) {
                auto cell = config, whole = config;
                for (auto *each : {&cell, &whole}) {
                    (*each)["dropout"] = 0.3;
                    (*each)["recurrent_dropout"] = 0.4;
                }
                cell["units"] = 4;
                for (char const *argument : {"return_sequences", "unroll"}) whole[argument] = *argument == 'u' ? unroll : sequences;
                auto const expected = run(className, whole, x, training);
                auto const got = run(rnnOf({{className + "Cell", cell}}, sequences, unroll), x, training);
                QCOMPARE(got.size(), expected.size());
                for (std::size_t i = 0; i < got.size(); ++i) QCOMPARE(difference(got[i], expected[i]), 0.0);
            }
    }

    void stackedCellsEqualLayersOneAfterTheOther()
    {
        auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        std::vector<std::pair<std::string, Json>> const cells{
            {"LSTM", {{"units", 4}}}, {"GRU", {{"units", 3}, {"reset_after", false}}}, {"SimpleRNN", {{"units", 2}, {"use_bias", false}}}};
        for (bool sequences : {false, true}) {
            model::Model layers;
            layers.name = "recurrent";
            std::vector<std::pair<std::string, Json>> inside;
            for (auto const &[className, config] : cells) {
                auto own = config;
                own["return_sequences"] = sequences || layers.layers.size() + 1 < cells.size();
                if (layers.layers.empty()) own["batch_input_shape"] = {nullptr, kSteps, kFeatures};
                layers.layers.push_back(model::makeLayer(className, "layer_" + std::to_string(layers.layers.size()), own));
                inside.emplace_back(className + "Cell", config);
            }
            model::normalizeModel(layers);
            auto const expected = run(layers, x);
            for (bool unroll : {false, true}) {
                auto const got = run(rnnOf(inside, sequences, unroll), x);
                QCOMPARE(got.size(), expected.size());
                for (std::size_t i = 0; i < got.size(); ++i) QVERIFY2(difference(got[i], expected[i]) < 1e-12, std::to_string(i).c_str());
            }
        }
        std::vector<std::pair<std::string, Json>> inside;
        inside.emplace_back("LSTMCell", Json{{"units", 4}});
        inside.emplace_back("GRUCell", Json{{"units", 3}});
        auto rnn = rnnOf(inside, true, false).layers.back();
        rnn.config["return_state"] = true;
        QCOMPARE(model::outputsOf(rnn), 4); // the output, h and c of the LSTM, h of the GRU
    }

    void whatIsNoCellIsRefused()
    {
        auto const codeOf = [](model::Model const &m) {
            auto const resolved = model::resolve(m);
            return resolved.ok() ? std::string() : resolved.error().code;
        };
        QCOMPARE(codeOf(rnnOf({{"LSTMCell", {{"units", 4}}}}, false, false)), std::string());
        QCOMPARE(codeOf(rnnOf({{"Dense", {{"units", 4}}}}, false, false)), std::string("model.unsupported"));
        QCOMPARE(codeOf(rnnOf({{"LSTM", {{"units", 4}}}, {"GRUCell", {{"units", 4}}}}, false, false)), std::string("model.unsupported"));
        QCOMPARE(codeOf(rnnOf({{"LSTMCell", {{"units", 4}, {"dropout", 1.0}}}}, false, false)), std::string("model.bad-argument"));
        QCOMPARE(codeOf(rnnOf({{"LSTMCell", {{"units", 4}, {"unitz", 4}}}}, false, false)), std::string("model.unknown-argument"));
        QCOMPARE(codeOf(rnnOf({}, false, false)), std::string("model.bad-argument"));
        QCOMPARE(codeOf(modelOf("LSTMCell", {{"units", 4}, {"activation", "relu"}})),
                 std::string("model.bad-argument")); // not inside an RNN
    }

    /// An axis of one element changes nothing, whichever number of axes there are.
    void convolutionsOverMoreAxesGeneraliseThoseOverFewer()
    {
        for (char const *padding : {"same", "valid"})
            for (bool sequences : {false, true}) {
                Json config{{"filters", 2}, {"padding", padding}, {"return_sequences", sequences}, {"strides", 2}, {"kernel_size", 3}};
                auto const x = tensorOf({kBatch, 3, 7, 2}, 2);
                auto const one = run(convLstmOf(1, {3, 7, 2}, config), x);
                for (int spatial : {2, 3}) {
                    Shape input{3, 7, 2}, shape{kBatch, 3, 7, 2};
                    std::vector<std::int64_t> kernel{3}, strides{2};
                    for (int axis = 1; axis < spatial; ++axis) {
                        input.insert(input.begin() + 1, 1);
                        shape.insert(shape.begin() + 2, 1);
                        kernel.insert(kernel.begin(), 1);
                        strides.insert(strides.begin(), 1);
                    }
                    config["kernel_size"] = kernel;
                    config["strides"] = strides;
                    auto wide = x;
                    wide.shape = shape;
                    auto const more = run(convLstmOf(spatial, input, config), wide);
                    QCOMPARE(more.size(), one.size());
                    for (std::size_t i = 0; i < more.size(); ++i) {
                        auto flat = more[i];
                        QCOMPARE(flat.v.size(), one[i].v.size());
                        flat.shape = one[i].shape;
                        QVERIFY2(difference(flat, one[i]) < 1e-12, std::to_string(i).c_str());
                    }
                }
            }
    }

    void aConvolutionOfOnePositionIsAnLstm()
    {
        Json const gates{{"recurrent_activation", "hard_sigmoid"}, {"return_sequences", true}};
        auto const x = tensorOf({kBatch, kSteps, kFeatures}, 2);
        auto const lstm = run("LSTM", gates, x);
        auto wide = x;
        wide.shape = {kBatch, kSteps, 1, 1, kFeatures};
        Json config{{"filters", 4}, {"kernel_size", 1}, {"return_sequences", true}};
        auto const conv = run(convLstmOf(2, {kSteps, 1, 1, kFeatures}, config), wide);
        QCOMPARE(conv.size(), lstm.size());
        for (std::size_t i = 0; i < conv.size(); ++i) {
            auto flat = conv[i];
            flat.shape = lstm[i].shape;
            QVERIFY2(difference(flat, lstm[i]) < 1e-12, std::to_string(i).c_str());
        }
        config["unroll"] = true;
        auto const unrolled = run(convLstmOf(2, {kSteps, 1, 1, kFeatures}, config), wide);
        for (std::size_t i = 0; i < conv.size(); ++i) QVERIFY(difference(conv[i], unrolled[i]) < 1e-12);
    }
};

TW_REGISTER_TEST(TstRecurrent);
#include "tst_recurrent.moc"
