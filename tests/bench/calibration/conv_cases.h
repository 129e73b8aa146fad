#pragma once

#include "tests/bench/calibration/dense_cases.h"

#include "engine/graph/conv.h"

/// The convolutional net of published_measurements (Q6 and Q7): a 7x7 convolution of stride 2, a pooling, two residual
/// blocks of two 3x3 convolutions, the largest value of each channel, a dense layer; float16, one image of 224x224x4.
namespace tilewright::calibration {

/// Padding "same" of an axis: before and after.
inline std::pair<std::int64_t, std::int64_t> samePadding(std::int64_t in, std::int64_t kernel, std::int64_t stride)
{
    std::int64_t const out = (in + stride - 1) / stride, all = std::max<std::int64_t>((out - 1) * stride + kernel - in, 0);
    return {all / 2, all - all / 2};
}

inline ValueId conv(Net &n, ValueId x, std::string layer, std::int64_t kernel, std::int64_t stride, std::int64_t filters)
{
    n.b.layer = std::move(layer);
    auto const shape = n.g.value(x).shape;
    graph::ConvAttrs attrs;
    for (std::size_t axis : {1, 2}) {
        auto const [before, after] = samePadding(shape[axis], kernel, stride);
        attrs.strides.push_back(stride);
        attrs.dilations.push_back(1);
        attrs.before.push_back(before);
        attrs.after.push_back(after);
    }
    return n.op("conv", {x, n.b.read(n.weight("kernel", {kernel, kernel, shape[3], filters}))}, graph::toAttrs(attrs), "Conv");
}

inline ValueId maxPool(Net &n, ValueId x, std::int64_t window, std::int64_t stride, std::int64_t before, std::int64_t after)
{
    auto const both = [](std::int64_t size) { return std::vector<std::int64_t>{size, size}; };
    return n.op("pool.max", {x}, {{"window", both(window)}, {"stride", both(stride)}, {"before", both(before)}, {"after", both(after)}},
                "MaxPool");
}

inline void residualNet(Net &n, bool train)
{
    auto const in = n.feed({{1, 224, 224, 4}, {1, 1000}}, {n.type, n.type});
    auto x = n.op("relu", {conv(n, in[0], "conv1", 7, 2, 64)}, {}, "Relu");
    n.b.layer = "pool";
    auto const [before, after] = samePadding(n.g.value(x).shape[1], 3, 2);
    x = maxPool(n, x, 3, 2, before, after);
    for (std::string const block : {"b0", "b1"}) {
        auto const inner = n.op("relu", {conv(n, x, block + "/1", 3, 1, 64)}, {}, "Relu");
        auto const outer = conv(n, inner, block + "/2", 3, 1, 64);
        x = n.op("relu", {n.op("add", {outer, x}, {}, "Add")}, {}, "Relu");
    }
    n.b.layer = "top";
    x = n.b.one("reshape", {maxPool(n, x, n.g.value(x).shape[1], 1, 0, 0)}, {1, 64}, n.type, {}, "Flat");
    x = n.dense(x, "fc", 64, 1000, nullptr);
    auto const loss = n.meanLoss(x, in[1], false);
    if (train) n.sgd(loss, 0.1);
    n.outfeed({loss});
}

inline std::vector<Case> convCases()
{
    return {
        {"tf.resnet_size.inference (Q6)", "gc200", false, 25260426, 0, {}, [](Net &n) { residualNet(n, false); }, DType::F16},
        {"tf.resnet_size.train (Q7)", "gc200", false, 39743117, 0, {}, [](Net &n) { residualNet(n, true); }, DType::F16},
    };
}

} // namespace tilewright::calibration
