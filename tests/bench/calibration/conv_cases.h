#pragma once

#include "tests/bench/calibration/dense_cases.h"

#include "engine/graph/conv.h"

/// The convolutional net of published_measurements (Q6 and Q7): a 7x7 convolution of stride 2, a pooling, two
/// residual blocks of two 3x3 convolutions, the largest value of each channel, a dense layer; float16, one
/// image of 224x224x4.
namespace tilewright::calibration
{

/// Padding "same" of an axis: before and after.
inline std::pair<std::int64_t, std::int64_t> samePadding(std::int64_t in, std::int64_t kernel,
                                                         std::int64_t stride)
{
    std::int64_t const out = (in + stride - 1) / stride,
                       all = std::max<std::int64_t>((out - 1) * stride + kernel - in, 0);
    return {all / 2, all - all / 2};
}

inline graph::Attrs windowAttrs(Shape const &x, std::int64_t kernel, std::int64_t stride)
{
    graph::ConvAttrs attrs;
    for (std::size_t axis : {1, 2}) {
        auto const [before, after] = samePadding(x[axis], kernel, stride);
        attrs.strides.push_back(stride);
        attrs.dilations.push_back(1);
        attrs.before.push_back(before);
        attrs.after.push_back(after);
    }
    return graph::toAttrs(attrs);
}

inline ValueId conv(Net &n, ValueId x, std::string layer, std::int64_t kernel, std::int64_t stride,
                    std::int64_t filters)
{
    n.b.layer = std::move(layer);
    auto const shape = n.g.value(x).shape;
    auto const w = n.b.read(n.weight("kernel", {kernel, kernel, shape[3], filters}));
    return n.op("conv", {x, w}, windowAttrs(shape, kernel, stride), "Conv");
}

inline ValueId pool(Net &n, ValueId x, std::int64_t window, std::int64_t stride, std::int64_t before,
                    std::int64_t after)
{
    using Two = std::vector<std::int64_t>;
    return n.op("pool.max", {x},
                {{"window", Two{window, window}},
                 {"stride", Two{stride, stride}},
                 {"before", Two{before, before}},
                 {"after", Two{after, after}}},
                "MaxPool");
}

inline void residualNet(Net &n, bool train)
{
    auto const in = n.feed({{1, 224, 224, 4}, {1, 1000}}, {n.type, n.type});
    auto x = n.op("relu", {conv(n, in[0], "conv1", 7, 2, 64)}, {}, "Relu");
    n.b.layer = "pool";
    auto const whole = n.g.value(x).shape;
    auto const [before, after] = samePadding(whole[1], 3, 2);
    x = pool(n, x, 3, 2, before, after);
    for (std::string const block : {"b0", "b1"}) {
        auto const inner = n.op("relu", {conv(n, x, block + "/1", 3, 1, 64)}, {}, "Relu");
        auto const outer = conv(n, inner, block + "/2", 3, 1, 64);
        x = n.op("relu", {n.op("add", {outer, x}, {}, "Add")}, {}, "Relu");
    }
    n.b.layer = "top";
    auto const shape = n.g.value(x).shape;
    x = n.b.one("reshape", {pool(n, x, shape[1], 1, 0, 0)}, {1, 64}, n.type, {}, "Flat");
    x = n.dense(x, "fc", 64, 1000, nullptr);
    auto const loss = n.meanLoss(x, in[1], false);
    if (train) n.sgd(loss, 0.1);
    n.outfeed({loss});
}

inline std::vector<Case> convCases()
{
    return {
        {"tf.resnet_size.inference (Q6)",
         "gc200",
         false,
         25260426,
         0,
         {},
         [](Net &n) { residualNet(n, false); },
         DType::F16},
        {"tf.resnet_size.train (Q7)",
         "gc200",
         false,
         39743117,
         0,
         {},
         [](Net &n) { residualNet(n, true); },
         DType::F16},
    };
}

} // namespace tilewright::calibration
