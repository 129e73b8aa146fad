#pragma once

#include "engine/lowering/memory.h"
#include "engine/ops/op_def.h"
#include "engine/passes/autodiff.h"
#include "engine/passes/pass.h"

#include <map>
#include <string>
#include <vector>

/// The dense programs of published_measurements (Q3, Q4, Q5, Q11) and poplar_expectations (functional), with the
/// bytes that the real compiler needed.
namespace tilewright::calibration {

using graph::Builder;
using graph::Graph;
using graph::Role;
using graph::ValueId;
using graph::VariableId;

struct Net {
    Graph g;
    Builder b;
    DType type;
    std::vector<VariableId> weights;

    explicit Net(std::string name, DType t) : b((g.name = std::move(name), graph::addRegion(g, "main"), g), graph::RegionId(0)), type(t) {}
    Net(Net const &) = delete;

    ValueId op(std::string kind, std::vector<ValueId> inputs, graph::Attrs attrs = {}, std::string name = {})
    {
        return ops::appendOp(b, std::move(kind), std::move(inputs), std::move(attrs), std::move(name));
    }
    VariableId weight(std::string name, Shape shape)
    {
        graph::Variable v;
        v.name = b.layer + "/" + std::move(name);
        v.shape = std::move(shape);
        v.dtype = type;
        v.role = Role::Weight;
        v.layer = b.layer;
        v.trainable = true;
        weights.push_back(graph::addVariable(g, std::move(v)));
        return weights.back();
    }
    ValueId dense(ValueId x, std::string layer, std::int64_t in, std::int64_t out, char const *activation)
    {
        b.layer = std::move(layer);
        auto const w = b.read(weight("kernel", {in, out}));
        auto const bias = b.read(weight("bias", {out}));
        x = op("matmul", {x, w}, {}, "MatMul");
        x = op("add", {x, bias}, {}, "BiasAdd");
        return activation ? op(activation, {x}, {}, activation) : x;
    }
    std::vector<ValueId> feed(std::vector<Shape> shapes, std::vector<DType> types)
    {
        b.layer = "input";
        b.role = Role::Input;
        std::vector<Builder::Out> outs;
        for (std::size_t i = 0; i < shapes.size(); ++i) outs.push_back({shapes[i], types[i]});
        auto const values = b.add("infeed", {}, std::move(outs), {}, "Infeed");
        b.role = Role::Activation;
        return values;
    }
    ValueId meanLoss(ValueId logits, ValueId labels, bool sparse)
    {
        b.layer = "loss";
        auto const loss = graph::addInferred(b, ops::opLookup(), sparse ? "sparse_xent" : "cat_xent", {logits, labels}, {}, "Xent")[0];
        auto const rows = elementCount(g.value(loss).shape);
        auto const sum = op("reduce_sum", {loss}, {}, "Sum");
        return op("mul_scalar", {sum}, {{"p0", 1.0 / static_cast<double>(rows)}}, "Mean");
    }
    void outfeed(std::vector<ValueId> values)
    {
        b.layer = "output";
        b.add("outfeed", std::move(values), {}, {}, "Outfeed");
    }
    void sgd(ValueId loss, double rate)
    {
        b.pass = graph::Pass::Backward;
        auto const gradients = passes::appendGradients(b, ops::opLookup(), loss, weights);
        TW_CHECK(gradients.ok(), "no gradient");
        b.pass = graph::Pass::Update;
        b.layer = "update";
        auto const lr = b.constant(rate, {}, DType::F32);
        for (auto v : weights) {
            auto const updated = op("opt.sgd", {b.read(v), gradients->at(v), lr}, {}, g.variable(v).name + "/sgd");
            b.assign(v, updated);
        }
    }
};

struct Case {
    char const *name;
    char const *target;
    bool code;
    double total, worst; ///< published bytes without gaps; 0 = not published
    std::map<MemoryCategory, double> parts;
    void (*build)(Net &);
    DType type = DType::F32;
};

inline void threeLayers(Net &n, std::int64_t batch, bool train)
{
    auto const in = n.feed({{batch, 50176}, {batch, 64}}, {n.type, n.type});
    auto x = n.dense(in[0], "fc1", 50176, 32, "relu");
    x = n.dense(x, "fc2", 32, 64, "relu");
    x = n.dense(x, "fc3", 64, 64, "relu");
    auto const loss = n.meanLoss(x, in[1], false);
    if (train) n.sgd(loss, 0.01);
    else n.outfeed({loss});
}

inline ValueId layer(Net &n, ValueId l, ValueId r, ValueId bias, std::string name, bool halves)
{
    n.b.layer = std::move(name);
    auto const half = [&](std::int64_t i) {
        auto const part = n.op("slice", {r}, {{"axis", std::int64_t{1}}, {"start", 32 * i}, {"size", std::int64_t{32}}}, "split");
        return n.op("matmul", {l, part}, {}, "dot");
    };
    auto const product =
        halves ? n.op("concat", {half(0), half(1)}, {{"axis", std::int64_t{1}}}, "concat") : n.op("matmul", {l, r}, {}, "dot");
    return n.op("sigmoid", {n.op("add", {product, bias}, {}, "add")}, {}, "Sigmoid");
}

inline void functional(Net &n, bool train, bool halves = false)
{
    auto const in = train ? n.feed({{64, 64}, {64, 64}, {64, 64}, {64}}, {DType::F32, DType::F32, DType::F32, DType::I32})
                          : n.feed({{64, 64}, {64, 64}, {64, 64}}, {DType::F32, DType::F32, DType::F32});
    n.b.layer = "f0";
    auto const w0 = n.b.read(n.weight("w", {64, 64}));
    n.b.layer = "f1";
    auto const w1 = n.b.read(n.weight("w", {64, 64}));
    auto const a1 = layer(n, in[0], w0, in[1], "f0", halves);
    auto const f = layer(n, a1, w1, in[2], "f1", halves);
    n.b.layer = "sub";
    auto const out = n.op("sub", {a1, f}, {}, "sub");
    if (train) n.sgd(n.meanLoss(out, in[3], true), 0.001);
    n.outfeed({out});
}

inline std::vector<Case> cases()
{
    return {
        {"tf.matmul_size.inference (Q3)", "gc200", false, 12181182, 0, {}, [](Net &n) { threeLayers(n, 2, false); }, DType::F16},
        {"tf.matmul_size.train_bs1 (Q4)", "gc200", false, 7738391, 0, {}, [](Net &n) { threeLayers(n, 1, true); }, DType::F16},
        {"tf.matmul_size.init_20_layers (Q5)",
         "gc200",
         true,
         0,
         162410,
         {},
         [](Net &n) {
             // The initialiser program: every variable overwritten. (The library draws random numbers, in place too.)
             std::int64_t in = 50176;
             for (int i = 0; i <= 20; ++i) {
                 n.b.layer = "fc" + std::to_string(i);
                 std::int64_t const out = i == 20 ? 4 : 1400;
                 for (auto v : {n.weight("kernel", {in, out}), n.weight("bias", {out})})
                     n.b.assign(v, n.op("fill_like", {n.b.read(v)}, {{"value", 0.01}}, "Fill"));
                 in = out;
             }
         },
         DType::F16},
        {"addons.dense_4096_1024 (Q11)",
         "gc200",
         true,
         0,
         0,
         {{MemoryCategory::VertexCode, 3565158},
          {MemoryCategory::InternalExchangeCode, 368640},
          {MemoryCategory::VertexState, 182272},
          {MemoryCategory::ControlCode, 102400}},
         [](Net &n) {
             n.outfeed({n.dense(n.feed({{16, 4096}}, {n.type})[0], "dense", 4096, 1024, nullptr)});
         }},
        {"tf.functional.inference", "gc200:tiles=8", false, 204616, 25647, {}, [](Net &n) { functional(n, false); }},
        {"tf.functional.training_constants", "gc200:tiles=8", false, 290009, 37483, {}, [](Net &n) { functional(n, true, true); }},
        {"mnist (time only)",
         "gc200",
         true,
         0,
         0,
         {},
         [](Net &n) {
             auto const in = n.feed({{128, 784}, {128}}, {DType::F32, DType::I32});
             auto x = n.dense(in[0], "fc1", 784, 512, "relu");
             x = n.dense(x, "fc2", 512, 512, "relu");
             x = n.dense(x, "fc3", 512, 10, nullptr);
             auto const loss = n.meanLoss(x, in[1], true);
             n.sgd(loss, 0.01);
             n.outfeed({loss});
         }},
        {"tf.functional.training", "gc200:tiles=8", false, 278188, 35069, {}, [](Net &n) { functional(n, true); }},
    };
}

} // namespace tilewright::calibration
