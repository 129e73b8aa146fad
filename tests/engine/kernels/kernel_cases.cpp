#include "tests/engine/kernels/kernel_cases.h"

#include "engine/core/random.h"
#include "engine/graph/expr.h"
#include "tests/support/random_conv.h"

namespace tilewright::test {

namespace {

using graph::Attrs;
using reference::RefOutput;
using reference::RefTensor;

graph::Node nodeOf(std::string op, Attrs attrs = {}, std::vector<int> inPlace = {})
{
    graph::Node node;
    node.name = op;
    node.op = std::move(op);
    node.attrs = std::move(attrs);
    node.inPlace = std::move(inPlace);
    return node;
}

/// The shape with extent 1 along the axes of `ones`, bit by bit from the first axis.
Shape withOnes(Shape shape, unsigned ones)
{
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (ones >> i & 1U) shape[i] = 1;
    return shape;
}

class Cases {
public:
    explicit Cases(std::uint32_t seed) : m_random(seed) {}

    std::vector<KernelCase> all;

    RefTensor floats(Shape shape, double low = -2, double high = 2)
    {
        return randomTensor(m_random, DType::F32, std::move(shape), low, high);
    }
    RefTensor halves(Shape shape) { return randomTensor(m_random, DType::F16, std::move(shape), -2, 2); }
    RefTensor ints(Shape shape, int low, int high) { return randomInts(m_random, std::move(shape), low, high); }

    void add(graph::Node node, std::vector<RefTensor> inputs, std::vector<RefOutput> outputs, double tolerance = 2e-6)
    {
        KernelCase c{node.op, std::move(node), std::move(inputs), std::move(outputs), tolerance, 0};
        for (auto const &input : c.inputs) c.title += " " + toText(input.shape);
        if (!c.node.inPlace.empty()) c.title += " in place";
        all.push_back(std::move(c));
    }
    /// The tolerance of a sum depends on its addends, not on the result after cancellation.
    void lastIsASumOf(std::int64_t n) { all.back().magnitude = 2 * std::sqrt(static_cast<double>(n)); }

    void matmuls()
    {
        struct Extents {
            std::int64_t m, n, k;
        };
        for (auto const [m, n, k] : {Extents{1, 1, 1},
                                     {3, 5, 7},
                                     {32, 10, 128},
                                     {33, 129, 65},
                                     {1, 300, 40},
                                     {200, 1, 31},
                                     {128, 256, 190},
                                     {9, 4, 1},
                                     {320, 264, 40}}) {
            for (bool ta : {false, true})
                for (bool tb : {false, true})
                    add(nodeOf("matmul", {{"transpose_a", ta}, {"transpose_b", tb}}),
                        {floats(ta ? Shape{k, m} : Shape{m, k}), floats(tb ? Shape{n, k} : Shape{k, n})}, {{{m, n}, DType::F32}});
            for (std::size_t i = all.size() - 4; i < all.size(); ++i) all[i].magnitude = 2 * std::sqrt(static_cast<double>(k));
        }
        add(nodeOf("matmul"), {floats({2, 3, 4}), floats({4, 5})}, {{{2, 3, 5}, DType::F32}});
    }

    void convolutions(std::uint32_t seed)
    {
        for (std::uint64_t i = 0; i < 30; ++i) {
            RandomStream random(deriveSeed(seed, i));
            auto const conv = tests::randomConv(random, 7);
            auto const &g = conv.geometry;
            for (std::string op : {"conv", "conv_input_grad", "conv_weight_grad"}) {
                auto const [first, second] = conv.operands(op);
                add(nodeOf(op, conv.of(op)), {floats(first), floats(second)}, {{conv.result(op), DType::F32}});
                auto const terms = op == "conv" ? g.kernelElements() * g.channels
                    : op == "conv_input_grad"   ? g.kernelElements() * g.filters
                                                : g.batch * g.outPositions();
                lastIsASumOf(terms);
            }
        }
    }

    void reductions()
    {
        for (auto const &shape : {Shape{1, 1}, Shape{1, 7}, Shape{7, 1}, Shape{31, 33}, Shape{32, 256}, Shape{5000, 3}, Shape{3, 5000},
                                  Shape{1, 70000}, Shape{2, 90001}, Shape{2100, 70}, Shape{40}, Shape{4, 5, 6}, Shape{}}) {
            Shape const rows(shape.begin(), shape.end() - (shape.empty() ? 0 : 1));
            for (char const *op : {"reduce_sum", "reduce_max"}) {
                add(nodeOf(op), {floats(shape)}, {{{}, DType::F32}});
                lastIsASumOf(elementCount(shape));
                add(nodeOf(op), {ints(shape, -9, 9)}, {{{}, DType::I32}});
                // Every set of axes.
                for (unsigned set = 1; set < 1U << shape.size(); ++set) {
                    Shape axes, kept;
                    for (std::size_t i = 0; i < shape.size(); ++i)
                        if (set >> i & 1U) axes.push_back(static_cast<std::int64_t>(i));
                        else kept.push_back(shape[i]);
                    Shape const ones = withOnes(shape, set);
                    add(nodeOf(op, {{"axes", axes}}), {floats(shape)}, {{kept, DType::F32}});
                    lastIsASumOf(elementCount(shape) / elementCount(ones));
                    add(nodeOf(op, {{"axes", axes}, {"keepdims", true}}), {ints(shape, -9, 9)}, {{ones, DType::I32}});
                }
            }
            for (unsigned set = 0; set < 1U << shape.size(); ++set) {
                Shape axes, kept;
                for (std::size_t i = 0; i < shape.size(); ++i)
                    if (set == 0 || set >> i & 1U) axes.push_back(static_cast<std::int64_t>(i));
                    else kept.push_back(shape[i]);
                if (axes.empty()) continue;
                add(nodeOf("reduce_mean", {{"axes", axes}}), {floats(shape)}, {{kept, DType::F32}});
                lastIsASumOf(elementCount(shape) / std::max<std::int64_t>(1, elementCount(kept)));
                add(nodeOf("reduce_min", {{"axes", axes}}), {floats(shape)}, {{kept, DType::F32}});
                add(nodeOf("reduce_min", {{"axes", axes}}), {ints(shape, -9, 9)}, {{kept, DType::I32}});
                add(nodeOf("reduce_prod", {{"axes", axes}}), {floats(shape, 0.999, 1.001)}, {{kept, DType::F32}}, 1e-4);
                add(nodeOf("reduce_prod", {{"axes", axes}}), {ints(shape, -9, 9)}, {{kept, DType::I32}});
            }
            add(nodeOf("argmax"), {floats(shape)}, {{rows, DType::I32}});
            add(nodeOf("argmin"), {floats(shape)}, {{rows, DType::I32}});
        }
        struct Pair {
            Shape big, small;
        };
        for (auto const &[big, small] : {Pair{{3, 4}, {4}},
                                         {{3, 4}, {3, 1}},
                                         {{3, 4}, {}},
                                         {{2, 3, 4, 5}, {3, 1, 5}},
                                         {{2, 3, 4, 5}, {2, 1, 4, 1}},
                                         {{6, 7}, {6, 7}},
                                         {{1, 6, 7}, {6, 7}},
                                         {{5, 1, 3}, {1, 1, 3}},
                                         {{400, 90}, {90}},
                                         {{90, 600}, {90, 1}},
                                         {{3, 40, 50, 20}, {40, 1, 20}}}) {
            add(nodeOf("reduce_to"), {floats(big)}, {{small, DType::F32}});
            lastIsASumOf(elementCount(big) / elementCount(small));
            add(nodeOf("broadcast"), {floats(small)}, {{big, DType::F32}});
            add(nodeOf("broadcast"), {ints(small, -5, 5)}, {{big, DType::I32}});
            add(nodeOf("broadcast"), {halves(small)}, {{big, DType::F16}});
        }
    }

    void losses()
    {
        for (auto const &shape : {Shape{1, 1}, Shape{1, 10}, Shape{32, 10}, Shape{77, 3}, Shape{5, 1001}, Shape{300, 40}, Shape{2, 3, 5}}) {
            auto const rc = graph::rowsCols(shape);
            Shape const rows(shape.begin(), shape.end() - 1);
            for (int in : {-1, 0}) {
                std::vector<int> const place = in < 0 ? std::vector<int>{} : std::vector<int>{in};
                add(nodeOf("softmax", {}, place), {floats(shape, -6, 6)}, {{shape, DType::F32}});
                add(nodeOf("log_softmax", {}, place), {floats(shape, -6, 6)}, {{shape, DType::F32}});
                add(nodeOf("softmax_grad", {}, place), {floats(shape, 0, 1), floats(shape)}, {{shape, DType::F32}});
                add(nodeOf("log_softmax_grad", {}, place), {floats(shape, -4, 0), floats(shape)}, {{shape, DType::F32}});
                std::vector<int> const second = in < 0 ? std::vector<int>{} : std::vector<int>{-1, 0};
                add(nodeOf("sparse_xent", {}, second), {floats(shape, -6, 6), ints(rows, -1, static_cast<int>(rc.cols))},
                    {{rows, DType::F32}, {shape, DType::F32}});
                add(nodeOf("cat_xent", {}, second), {floats(shape, -6, 6), floats(shape, 0, 1)}, {{rows, DType::F32}, {shape, DType::F32}});
                for (auto const &scale : {rows, Shape{}}) {
                    add(nodeOf("sparse_xent_grad", {}, place),
                        {floats(shape, 0, 1), ints(rows, -1, static_cast<int>(rc.cols)), floats(scale)}, {{shape, DType::F32}});
                    add(nodeOf("cat_xent_grad", {}, place), {floats(shape, 0, 1), floats(shape, 0, 1), floats(scale)},
                        {{shape, DType::F32}});
                }
            }
        }
    }

    void layouts()
    {
        add(nodeOf("reshape"), {floats({3, 8})}, {{{4, 6}, DType::F32}});
        add(nodeOf("reshape", {}, {0}), {floats({3, 8})}, {{{24}, DType::F32}});
        add(nodeOf("copy"), {floats({300, 400})}, {{{300, 400}, DType::F32}});
        add(nodeOf("copy"), {ints({3}, 0, 5)}, {{{3}, DType::I32}});
        add(nodeOf("fill_like", {{"value", 1.5}}), {floats({3, 8})}, {{{3, 8}, DType::F32}});
        add(nodeOf("fill_like", {{"value", 0.0}}, {0}), {ints({9}, 0, 5)}, {{{9}, DType::I32}});
        for (auto dtype : {DType::F32, DType::I32, DType::F16, DType::U8, DType::Bool}) {
            for (auto to : {DType::F32, DType::I32, DType::F16, DType::U8, DType::Bool}) {
                add(nodeOf("cast"), {randomTensor(m_random, dtype, {37}, -4, 300)}, {{{37}, to}});
                add(nodeOf("cast"), {randomTensor(m_random, dtype, {130, 300}, -70000, 70000)}, {{{130, 300}, to}});
            }
            add(nodeOf("constant", {{"value", 2.7}}), {}, {{{5, 7}, dtype}});
            add(nodeOf("constant", {{"value", -1.5}}), {}, {{{200000}, dtype}});
            add(nodeOf("constant", {{"values", std::vector<double>{1, -2.5, 300, 0}}}), {}, {{{4}, dtype}});
            add(nodeOf("zeros"), {}, {{{3, 3}, dtype}});
        }
        for (std::int64_t axis : {0, 1, 2}) {
            Shape a{2, 3, 4}, b{2, 3, 4}, c{2, 3, 4};
            auto const k = static_cast<std::size_t>(axis);
            a[k] = 1;
            b[k] = 6;
            c[k] = a[k] + b[k];
            add(nodeOf("concat", {{"axis", axis}}), {floats(a), floats(b)}, {{c, DType::F32}});
            add(nodeOf("slice", {{"axis", axis}, {"start", std::int64_t{1}}, {"size", std::int64_t{6}}}), {floats(c)}, {{b, DType::F32}});
            add(nodeOf("slice", {{"axis", axis}, {"start", std::int64_t{0}}, {"size", std::int64_t{1}}}), {ints(c, 0, 9)},
                {{a, DType::I32}});
        }
        add(nodeOf("split", {{"axis", std::int64_t{1}}, {"parts", std::int64_t{4}}}), {floats({300, 400})},
            std::vector<RefOutput>(4, {{300, 100}, DType::F32}));
        add(nodeOf("split", {{"axis", std::int64_t{0}}, {"parts", std::int64_t{3}}}), {halves({6, 5})},
            std::vector<RefOutput>(3, {{2, 5}, DType::F16}));
        using Ints = std::vector<std::int64_t>;
        add(nodeOf("slice", {{"starts", Ints{0, 2, 1}}, {"sizes", Ints{2, 3, 4}}}), {floats({2, 6, 7})}, {{{2, 3, 4}, DType::F32}});
        add(nodeOf("slice", {{"starts", Ints{100, 50}}, {"sizes", Ints{300, 200}}}), {halves({500, 260})}, {{{300, 200}, DType::F16}});
        add(nodeOf("pad", {{"before", Ints{1, 0, 2}}, {"after", Ints{0, 3, 1}}}), {floats({2, 3, 4})}, {{{3, 6, 7}, DType::F32}});
        add(nodeOf("pad", {{"before", Ints{0, 70}}, {"after", Ints{9, 0}}}), {ints({300, 200}, -9, 9)}, {{{309, 270}, DType::I32}});
        add(nodeOf("transpose", {{"perm", Ints{1, 0}}}), {floats({300, 170})}, {{{170, 300}, DType::F32}});
        add(nodeOf("transpose", {{"perm", Ints{0}}}), {floats({70000})}, {{{70000}, DType::F32}});
        add(nodeOf("transpose", {{"perm", Ints{0, 2, 1, 3}}}), {halves({3, 20, 5, 33})}, {{{3, 5, 20, 33}, DType::F16}});
        add(nodeOf("transpose", {{"perm", Ints{2, 0, 1}}}), {ints({4, 1, 9}, 0, 99)}, {{{9, 4, 1}, DType::I32}});
        add(nodeOf("concat", {{"axis", std::int64_t{1}}}), {floats({400, 100}), floats({400, 60}), floats({400, 1})},
            {{{400, 161}, DType::F32}});
        add(nodeOf("concat", {{"axis", std::int64_t{0}}}), {halves({3})}, {{{3}, DType::F16}});
    }

    void tables()
    {
        // Some numbers name no row.
        for (auto const [rows, cols, n] : {std::array<std::int64_t, 3>{1, 1, 1}, {7, 5, 40}, {3000, 40, 900}, {50, 129, 3}}) {
            int const last = static_cast<int>(rows);
            add(nodeOf("gather"), {floats({rows, cols}), ints({n}, -1, last)}, {{{n, cols}, DType::F32}});
            add(nodeOf("gather"), {halves({rows, cols}), ints({n, 2}, -1, last)}, {{{n, 2, cols}, DType::F16}});
            add(nodeOf("scatter_add", {{"rows", rows}}), {floats({n, cols}), ints({n}, -1, last)}, {{{rows, cols}, DType::F32}});
            lastIsASumOf(n);
        }
    }

    void alongAxes()
    {
        for (auto const &shape : {Shape{1}, Shape{70}, Shape{3, 5}, Shape{400, 130}, Shape{2, 70, 3}, Shape{5, 1, 9}, Shape{2, 3, 4, 65}}) {
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                Attrs const along{{"axis", static_cast<std::int64_t>(axis)}};
                Shape without = shape;
                without.erase(without.begin() + static_cast<std::ptrdiff_t>(axis));
                for (char const *op : {"argmax", "argmin"}) add(nodeOf(op, along), {floats(shape)}, {{without, DType::I32}});
                for (bool exclusive : {false, true})
                    for (bool reverse : {false, true}) {
                        auto attrs = along;
                        attrs.set("exclusive", exclusive);
                        attrs.set("reverse", reverse);
                        add(nodeOf("cumsum", attrs), {floats(shape)}, {{shape, DType::F32}}, 1e-5);
                        lastIsASumOf(shape[axis]);
                        add(nodeOf("cumsum", attrs), {ints(shape, -9, 9)}, {{shape, DType::I32}});
                        add(nodeOf("cumprod", attrs), {floats(shape, 0.9, 1.1)}, {{shape, DType::F32}}, 1e-4);
                    }
                // Numbers before and after the tensor are clamped into it.
                for (std::int64_t const size : {std::int64_t{1}, shape[axis]}) {
                    Shape part = shape;
                    part[axis] = size;
                    auto attrs = along;
                    attrs.set("size", size);
                    int const last = static_cast<int>(shape[axis]);
                    add(nodeOf("dynamic_slice", attrs), {floats(shape), ints({}, -2, last)}, {{part, DType::F32}});
                    add(nodeOf("dynamic_slice", attrs), {halves(shape), ints({1}, -2, last)}, {{part, DType::F16}});
                    add(nodeOf("dynamic_update", along), {floats(shape), floats(part), ints({}, -2, last)}, {{shape, DType::F32}});
                }
            }
            for (auto const type : {DType::F32, DType::F16, DType::I32}) {
                Shape rows = shape;
                rows.push_back(6);
                add(nodeOf("one_hot", {{"depth", std::int64_t{6}}}), {ints(shape, -1, 6)}, {{rows, type}});
            }
        }
    }

    void batchedProducts()
    {
        struct Extents {
            std::int64_t m, n, k;
        };
        for (auto const [m, n, k] : {Extents{1, 1, 1}, {16, 16, 32}, {5, 9, 7}, {40, 300, 64}}) {
            for (bool ta : {false, true})
                for (bool tb : {false, true}) {
                    Shape a{2, 3, ta ? k : m, ta ? m : k}, b{2, 3, tb ? n : k, tb ? k : n};
                    add(nodeOf("batch_matmul", {{"transpose_a", ta}, {"transpose_b", tb}}), {floats(a), floats(b)},
                        {{{2, 3, m, n}, DType::F32}});
                    lastIsASumOf(k);
                }
        }
        add(nodeOf("batch_matmul"), {floats({2, 1, 3, 4}), floats({5, 4, 6})}, {{{2, 5, 3, 6}, DType::F32}});
        add(nodeOf("batch_matmul", {{"transpose_b", true}}), {floats({3, 4}), floats({2, 6, 4})}, {{{2, 3, 6}, DType::F32}});
        add(nodeOf("batch_matmul"), {floats({300, 2, 3}), floats({300, 3, 4})}, {{{300, 2, 4}, DType::F32}});
        add(nodeOf("batch_matmul"), {floats({2, 3}), floats({3, 4})}, {{{2, 4}, DType::F32}});
    }

    void updates()
    {
        for (auto const &shape : {Shape{1}, Shape{7}, Shape{33, 5}, Shape{260, 130}}) {
            RefOutput const out{shape, DType::F32};
            auto const g = [&] { return floats(shape); };
            auto const positive = [&] { return floats(shape, 0.2, 3); };
            auto const rate = [&] { return floats({}, 0.05, 0.2); };
            add(nodeOf("opt.sgd", {}, {0}), {g(), g(), rate()}, {out});
            for (bool nesterov : {false, true})
                add(nodeOf("opt.momentum", {{"nesterov", nesterov}}, {0, 1}), {g(), g(), g(), rate(), rate()}, {out, out});
            Attrs const rms{{"rho", 0.9}, {"epsilon", 1e-7}};
            add(nodeOf("opt.rmsprop", rms, {0, 1}), {g(), positive(), g(), rate()}, {out, out});
            add(nodeOf("opt.rmsprop", rms), {g(), positive(), g(), rate()}, {out, out});
            for (bool centered : {false, true}) {
                for (bool momentum : {false, true}) {
                    Attrs const full{{"rho", 0.9}, {"epsilon", 1e-3}, {"momentum", momentum}, {"centered", centered}};
                    auto const large = [&] { return floats(shape, 5, 9); };
                    std::vector<RefTensor> four{g(), large(), g(), g(), g(), rate()};
                    if (momentum) four.push_back(floats({}, 0.7, 0.9));
                    add(nodeOf("opt.rmsprop_full", full, {0, 1, 2, 3}), four, {out, out, out, out}, 4e-6);
                    add(nodeOf("opt.rmsprop_full", full), four, {out, out, out, out}, 4e-6);
                    std::vector<RefTensor> in{g(), large()};
                    std::vector<RefOutput> outs{out, out};
                    if (centered) {
                        in.push_back(g());
                        outs.push_back(out);
                    }
                    if (momentum) {
                        in.push_back(g());
                        outs.push_back(out);
                    }
                    in.push_back(g());
                    in.push_back(rate());
                    if (momentum) in.push_back(floats({}, 0.7, 0.9));
                    add(nodeOf("opt.rmsprop_full", full), in, outs, 4e-6);
                }
            }
            Attrs const adam{{"beta1", 0.9}, {"beta2", 0.999}, {"epsilon", 1e-7}};
            add(nodeOf("opt.adam", adam, {0, 1, 2}), {g(), g(), positive(), g(), rate()}, {out, out, out});
            add(nodeOf("opt.adam_amsgrad", adam, {0, 1, 2, 3}), {g(), g(), positive(), positive(), g(), rate()}, {out, out, out, out});
            add(nodeOf("opt.adamax", adam, {0, 1, 2}), {g(), g(), positive(), g(), rate()}, {out, out, out});
            add(nodeOf("opt.adadelta", {{"rho", 0.95}, {"epsilon", 1e-5}}, {0, 1, 2}), {g(), positive(), positive(), g(), rate()},
                {out, out, out}, 4e-6);
            // v' = 0.9 v + r g, w' = w - s v' / (sqrt |g| + 0.1), and a state that stays.
            Attrs const stepped{{"expr",
                                 std::string("t7 t1 a2 | 6: mul a4 a3; axpby(0.9,1) a1 t0; abs a3; sqrt t2; add_scalar(0.1) t3; "
                                             "mul a5 t1; div t5 t4; sub a0 t6")}};
            for (bool inPlace : {false, true})
                add(nodeOf("opt.update", stepped, inPlace ? std::vector<int>{0, 1, 2} : std::vector<int>{}),
                    {g(), g(), positive(), g(), rate(), rate()}, {out, out, out}, 4e-6);
            add(nodeOf("accumulate", {{"scale", 0.25}}, {0}), {g(), g()}, {out});
            add(nodeOf("accumulate_running", {}, {0}), {g(), g(), ints({}, 0, 5)}, {out});
            for (double keep : {0.0, 0.3, 0.9})
                add(nodeOf("dropout", {{"rate", keep}, {"node_seed", std::int64_t{11}}}, {0}), {g(), ints({}, 0, 1000)}, {out});
            // Streams with numbers of the caller: the addend is read as unsigned.
            for (int added : {-1, 5})
                add(nodeOf("dropout", {{"rate", 0.5}, {"node_seed", std::int64_t{1} << 32}}, {0}),
                    {g(), ints({}, 0, 1000), ints({}, added, added)}, {out});
        }
        for (auto const &shape : {Shape{1}, Shape{7, 31}, Shape{70, 300}}) {
            Attrs const noise{{"mean", 0.5}, {"stddev", 2.0}, {"node_seed", std::int64_t{12}}};
            add(nodeOf("random.normal", noise), {floats(shape), ints({}, 0, 1000)}, {{shape, DType::F32}});
            add(nodeOf("random.normal", noise), {halves(shape), ints({}, 0, 1000)}, {{shape, DType::F16}}, 1e-3);
            add(nodeOf("random.normal", noise), {floats(shape), ints({}, 0, 1000), ints({}, -1, 4000)}, {{shape, DType::F32}});
        }
        for (char const *kind : {"constant", "adam", "adamax"})
            for (int it : {0, 1, 999})
                add(nodeOf("opt.step_size",
                           {{"kind", std::string(kind)}, {"learning_rate", 0.001}, {"decay", 0.01}, {"beta1", 0.9}, {"beta2", 0.999}}),
                    {ints({}, it, it)}, {{{}, DType::F32}});
        for (std::vector<double> const &schedule : {std::vector<double>{0, 0.1},
                                                    {1, 0.1, 7, 0.9, 0},
                                                    {1, 0.1, 7, 0.9, 1},
                                                    {2, 0.1, 7, 0.5, 0},
                                                    {2, 0.1, 7, 0.5, 1},
                                                    {3, 0.1, 9, 0.01, 2, 0},
                                                    {3, 0.1, 9, 0.01, 0.5, 1},
                                                    {4, 0.1, 9, 0.1, 0, 0.1},
                                                    {4, 0.01, 20, 0, 5, 0.2},
                                                    {5, 0.1, 5, 2, 0.5, 0.1},
                                                    {5, 0.1, 4, 1, 1, 0},
                                                    {6, 2, 3, 9, 0.3, 0.2, 0.1}})
            for (int it : {0, 1, 3, 4, 5, 9, 10, 15, 16, 40})
                for (char const *kind : {"constant", "adam"})
                    add(nodeOf("opt.step_size",
                               {{"kind", std::string(kind)}, {"schedule", schedule}, {"decay", 0.01}, {"beta1", 0.9}, {"beta2", 0.999}}),
                        {ints({}, it, it)}, {{{}, DType::F32}});
        for (char const *formula : {"1 - 0.999 ^ t", "sqrt(1 - 0.999 ^ t) / (1 - 0.9 ^ t)", "0.9 * (1 - 0.5 * 0.96 ^ (0.004 * t))", "2"})
            for (int it : {0, 1, 999})
                add(nodeOf("opt.coefficient", {{"formula", std::string(formula)}}), {ints({}, it, it)}, {{{}, DType::F32}});
        add(nodeOf("increment", {{"by", std::int64_t{3}}}, {0}), {ints({}, -7, 7)}, {{{}, DType::I32}});
    }

    void pooling()
    {
        struct Pool {
            Shape in;
            std::vector<std::int64_t> window, stride, before, after;
        };
        for (auto const &[in, window, stride, before, after] : {Pool{{2, 9, 3}, {2}, {2}, {0}, {0}},
                                                                {{1, 10, 1}, {4}, {3}, {1}, {1}},
                                                                {{2, 6, 8, 70}, {2, 2}, {2, 2}, {0, 0}, {0, 0}},
                                                                {{1, 11, 10, 2}, {5, 5}, {3, 3}, {2, 2}, {2, 2}},
                                                                {{3, 7, 5, 1}, {3, 2}, {1, 2}, {0, 0}, {0, 1}},
                                                                {{2, 4, 6, 5, 3}, {2, 3, 2}, {2, 1, 1}, {0, 1, 0}, {0, 1, 1}},
                                                                {{2, 7, 7, 130}, {7, 7}, {1, 1}, {0, 0}, {0, 0}},
                                                                {{1, 56, 60, 32}, {3, 3}, {2, 2}, {0, 0}, {1, 1}},
                                                                {{1, 90, 40, 24}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
                                                                {{2, 300, 70}, {2}, {5}, {0}, {0}},
                                                                {{1, 3, 40, 40, 20}, {2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 0}}}) {
            Shape out = in;
            for (std::size_t i = 0; i < window.size(); ++i) out[i + 1] = (in[i + 1] + before[i] + after[i] - window[i]) / stride[i] + 1;
            Attrs attrs{{"window", window}, {"stride", stride}, {"before", before}, {"after", after}};
            // Whole numbers have many equal maxima.
            for (double const high : {0.04, 2.0}) {
                add(nodeOf("pool.max", attrs), {floats(in, -high, high)}, {{out, DType::F32}}, 0);
                add(nodeOf("pool.max_grad", attrs), {floats(in, -high, high), floats(out)}, {{in, DType::F32}});
            }
            add(nodeOf("pool.max", attrs), {halves(in)}, {{out, DType::F16}}, 0);
            add(nodeOf("pool.average", attrs), {floats(in)}, {{out, DType::F32}});
            all.back().magnitude = 2;
            attrs.set("extent", std::vector<std::int64_t>(in.begin() + 1, in.end() - 1));
            add(nodeOf("pool.average_grad", attrs), {floats(out)}, {{in, DType::F32}});
        }
    }

    void norms()
    {
        using View = std::vector<std::int64_t>;
        for (View const &view : {View{1, 1, 1, 1}, View{5, 1, 1, 7}, View{300, 1, 1, 768}, View{1, 900, 3, 1}, View{1, 5000, 64, 1},
                                 View{1, 6, 1000, 1}, View{4, 300, 30, 1}, View{3, 20, 4, 8}, View{1, 16, 5, 700}, View{40, 1, 6, 50}}) {
            auto const n = view[0] * view[1] * view[2] * view[3], groups = view[0] * view[2];
            Shape const shape{view[0], n / view[0]};
            Attrs const attrs{{"view", view}, {"epsilon", 1e-3}};
            RefOutput const result{shape, DType::F32}, statistic{{groups}, DType::F32};
            add(nodeOf("norm.whiten", attrs), {floats(shape)}, {result, statistic, statistic}, 4e-6);
            all.back().magnitude = 1;
            auto onePass = attrs;
            onePass.set("one_pass", true);
            add(nodeOf("norm.whiten", onePass), {floats(shape)}, {result, statistic, statistic}, 4e-6);
            all.back().magnitude = 1;
            // Far from zero relative to its spread, where sums of squares would lose precision.
            add(nodeOf("norm.whiten", attrs), {floats(shape, 99, 101)}, {result, statistic, statistic}, 2e-4);
            all.back().magnitude = 1;
            add(nodeOf("norm.whiten_grad", attrs), {floats(shape), floats({groups}, 0.1, 2), floats(shape)}, {result}, 4e-6);
        }
        add(nodeOf("norm.whiten", {{"view", View{1, 33, 5, 1}}, {"epsilon", 1e-3}}), {halves({33, 5})},
            {{{33, 5}, DType::F16}, {{5}, DType::F32}, {{5}, DType::F32}}, 1e-3);
    }

    /// A primitive over all broadcasts of its operands.
    void primitive(graph::PrimInfo const &prim, std::vector<Shape> const &outputs, DType dtype)
    {
        bool const positive = prim.prim == graph::Prim::Log || prim.prim == graph::Prim::Sqrt || prim.prim == graph::Prim::Rsqrt
            || prim.prim == graph::Prim::Log1p || prim.prim == graph::Prim::Div || prim.prim == graph::Prim::Reciprocal;
        for (auto const &shape : outputs) {
            auto const rank = static_cast<unsigned>(shape.size());
            unsigned const every = (1U << rank) - 1;
            for (int kind = 0; kind < 9; ++kind) {
                if (kind >= 6 && prim.arity < 2) break;
                std::vector<RefTensor> in;
                for (int a = 0; a < prim.arity; ++a) {
                    // Operand `kind % arity` is repeated, unless kind is 0 (all full) or 5 (all full, in place). One operand is never
                    // repeated alone: nothing else would give the result its shape.
                    Shape operand = shape;
                    if (prim.arity > 1 && kind % 5 != 0 && a == (prim.arity - 1 + kind) % prim.arity) {
                        if (kind == 1) operand = {};
                        if (kind == 2) operand = rank == 0 ? Shape{} : Shape{shape.back()};
                        if (kind == 3) operand = withOnes(shape, rank == 0 ? 0 : 1U << (rank - 1));
                        if (kind == 4) operand = withOnes(shape, every);
                        if (kind == 6) operand = withOnes(shape, 0b0101);
                        if (kind == 7) operand = withOnes(shape, 0b1010);
                    }
                    // Two operands that are both repeated.
                    if (kind == 8 && a == 0) operand = withOnes(shape, 0b0101);
                    if (kind == 8 && a == 1) operand = withOnes(shape, 0b1010);
                    if (dtype == DType::I32) in.push_back(ints(operand, -9, 9));
                    else if (dtype == DType::F16) in.push_back(halves(operand));
                    else if (positive) in.push_back(floats(operand, 0.1, 5));
                    else in.push_back(floats(operand, -4, 4));
                }
                Attrs attrs;
                if (prim.parameters > 0) attrs.set("p0", dtype == DType::I32 ? -3.0 : -0.75);
                if (prim.parameters > 1) attrs.set("p1", dtype == DType::I32 ? 4.0 : 1.25);
                bool const half = dtype == DType::F16;
                add(nodeOf(std::string(prim.name), attrs, kind == 5 ? std::vector<int>{0} : std::vector<int>{}), in, {{shape, dtype}},
                    half ? 1e-3 : 1e-6);
                // Operands are of this size: gelu's tail is a difference of numbers near 1.
                all.back().magnitude = 1;
            }
        }
    }

    void fused()
    {
        auto const map = [](char const *text, std::vector<int> inPlace = {}) {
            return nodeOf("map", {{"expr", std::string(text)}}, std::move(inPlace));
        };
        for (auto const &shape : {Shape{1, 1}, Shape{3, 5}, Shape{32, 256}, Shape{64, 1000}, Shape{4, 5, 6}, Shape{200, 513}}) {
            Shape const column = withOnes(shape, 1U << (shape.size() - 1)), row{shape.back()};
            RefOutput const out{shape, DType::F32};
            add(map("2: add a0 a1; relu t0"), {floats(shape), floats(row)}, {out});
            add(map("2: add a0 a1; relu t0", {0}), {floats(shape), floats(row)}, {out});
            add(map("3: mul a0 a1; add t0 a2; tanh t1; mul t2 a0", {0}), {floats(shape), floats(column), floats({})}, {out});
            add(map("3: sub a0 a1; square t0; square t0; add t1 t2; leaky_relu(0.3) t3; axpby(2,-1) t4 a2; max t5 t0"),
                {floats(shape), floats(row), floats(shape)}, {out});
            // More intermediate results alive at once than the stack holds.
            std::string many = "1:";
            for (int i = 0; i < 20; ++i) many += (i ? "; add_scalar(" : " add_scalar(") + std::to_string(i) + ") a0";
            for (int i = 0; i < 19; ++i) many += i == 0 ? "; sub t0 t1" : "; sub t" + std::to_string(19 + i) + " t" + std::to_string(i + 1);
            add(map(many.c_str()), {floats(shape)}, {out});
            add(map("2: add a0 a1; relu t0"), {halves(shape), halves(row)}, {{shape, DType::F16}}, 1e-3);
            add(map("2: add a0 a1; relu t0", {0}), {halves(shape), halves(row)}, {{shape, DType::F16}}, 1e-3);
            add(map("2: add a0 a1; relu t0"), {halves(shape), floats(row)}, {out});
            add(map("2: add a0 a1; relu t0; mul t1 a0", {0}), {ints(shape, -5, 5), ints(column, -5, 5)}, {{shape, DType::I32}});
        }
    }

private:
    std::mt19937 m_random;
};

} // namespace

std::vector<KernelCase> kernelCases(std::uint32_t seed)
{
    Cases cases(seed);
    cases.matmuls();
    cases.convolutions(seed);
    cases.reductions();
    cases.losses();
    cases.layouts();
    cases.tables();
    cases.batchedProducts();
    cases.alongAxes();
    cases.updates();
    cases.pooling();
    cases.norms();
    return std::move(cases.all);
}

std::vector<KernelCase> elementwiseCases(std::uint32_t seed)
{
    Cases cases(seed);
    for (auto const &prim : graph::primitives()) {
        cases.primitive(prim, {{1}, {3, 5}, {2, 3, 70}, {5, 1030}, {140, 300}}, DType::F32);
        cases.primitive(prim, {{9, 31}}, DType::F16);
        if (graph::has(prim.prim, graph::kWhole)) cases.primitive(prim, {{1}, {3, 5}, {5, 1030}}, DType::I32);
    }
    cases.fused();
    return std::move(cases.all);
}

} // namespace tilewright::test
