// Every layer class: gradients of inputs and weights against differences in double.
#include "engine/layers/layer_builder.h"
#include "engine/training/step_passes.h"
#include "engine/ops/op_def.h"
#include "tests/engine/passes/graph_runner.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;

namespace {

struct Case {
    std::string name, className;
    Json config;
    std::vector<Shape> inputs; ///< without the batch
    int numbers = 0;           ///< above 0: inputs are whole numbers below this
};

std::vector<Case> cases()
{
    std::vector<Case> all;
    for (auto const &activation : model::activationNames()) {
        all.push_back({"Activation " + activation, "Activation", {{"activation", activation}}, {{4}}});
        all.push_back({"Dense " + activation, "Dense", {{"units", 3}, {"activation", activation}}, {{4}}});
    }
    all.push_back({"Lambda", "Lambda", {{"expression", "x * 2 + 1"}}, {{4}}});
    all.push_back({"Lambda with powers", "Lambda", {{"expression", "x ** 3 - 0.5 * (x * x + 1) ** -2 + (x * x + 1) ** 1.5"}}, {{4}}});
    all.push_back({"Lambda of functions", "Lambda", {{"expression", "tanh(x) * sigmoid(x) + max(x, 0.3) / 3 - min(x, 2 * x)"}}, {{2, 3}}});
    all.push_back({"Lambda of three inputs", "Lambda", {{"expression", "x * x2 - x3 / (x2 * x2 + 1)"}}, {{2, 3}, {1, 3}, {3}}});
    all.push_back({"Lambda without its second input", "Lambda", {{"expression", "select(greater(x, 0), x, exp(x) - 1)"}}, {{3}, {3}}});
    all.push_back({"Dense of rank 3", "Dense", {{"units", 3}, {"activation", "softmax"}}, {{2, 4}}});
    all.push_back({"Dense without bias", "Dense", {{"units", 3}, {"use_bias", false}}, {{4}}});
    all.push_back({"Flatten", "Flatten", Json::object(), {{2, 3}}});
    all.push_back({"Reshape", "Reshape", {{"target_shape", {3, -1}}}, {{2, 3}}});
    all.push_back({"ReLU", "ReLU", Json::object(), {{4}}});
    all.push_back({"ReLU with all arguments", "ReLU", {{"max_value", 1.0}, {"negative_slope", 0.2}, {"threshold", 0.25}}, {{4}}});
    all.push_back({"ReLU with a slope", "ReLU", {{"negative_slope", 0.2}}, {{4}}});
    all.push_back({"ReLU with slope and cap", "ReLU", {{"negative_slope", 0.2}, {"max_value", 0.5}}, {{4}}});
    all.push_back({"LeakyReLU", "LeakyReLU", Json::object(), {{4}}});
    all.push_back({"ELU", "ELU", {{"alpha", 0.7}}, {{4}}});
    all.push_back({"Softmax", "Softmax", Json::object(), {{4}}});
    all.push_back({"Softmax of the last two axes", "Softmax", {{"axis", {2, 3}}}, {{2, 2, 3}}});
    all.push_back({"Softmax of two axes apart", "Softmax", {{"axis", {1, -1}}}, {{2, 2, 3}}});
    all.push_back({"Softmax inside", "Softmax", {{"axis", 1}}, {{3, 2}}});
    all.push_back({"Softmax inside, counted from the end", "Softmax", {{"axis", -2}}, {{2, 3, 2}}});
    all.push_back({"PReLU", "PReLU", Json::object(), {{4}}});
    all.push_back({"PReLU with shared axes", "PReLU", {{"shared_axes", {1, 3}}}, {{2, 3, 2}}});
    all.push_back({"ThresholdedReLU", "ThresholdedReLU", {{"theta", 0.4}}, {{4}}});
    all.push_back({"ActivityRegularization", "ActivityRegularization", {{"l1", 0.1}}, {{4}}});
    all.push_back({"RecomputationCheckpoint", "RecomputationCheckpoint", Json::object(), {{4}}});
    all.push_back({"Dropout", "Dropout", {{"rate", 0.4}}, {{4}}});
    all.push_back({"Dropout with a seed", "Dropout", {{"rate", 0.4}, {"seed", 9}}, {{4}}});
    for (int d = 1; d <= 3; ++d) {
        auto const name = "SpatialDropout" + std::to_string(d) + "D";
        all.push_back({name, name, {{"rate", 0.5}}, {Shape(static_cast<std::size_t>(d) + 1, 2)}});
    }
    all.push_back(
        {"SpatialDropout2D of channels first", "SpatialDropout2D", {{"rate", 0.5}, {"data_format", "channels_first"}}, {{3, 2, 2}}});
    all.push_back({"GaussianNoise", "GaussianNoise", {{"stddev", 0.5}}, {{4}}});
    all.push_back({"GaussianDropout", "GaussianDropout", {{"rate", 0.4}}, {{4}}});
    all.push_back({"AlphaDropout", "AlphaDropout", {{"rate", 0.4}}, {{4}}});
    for (auto const *merge : {"Add", "Multiply", "Average", "Maximum", "Minimum"}) {
        all.push_back({merge, merge, Json::object(), {{2, 3}, {2, 3}, {2, 3}}});
        all.push_back({std::string(merge) + " with broadcasts", merge, Json::object(), {{2, 3}, {1, 3}, {2, 1}}});
        all.push_back({std::string(merge) + " of other ranks", merge, Json::object(), {{3}, {2, 3}}});
    }
    all.push_back({"Subtract", "Subtract", Json::object(), {{2, 3}, {2, 3}}});
    all.push_back({"Subtract with broadcasts", "Subtract", Json::object(), {{1, 3}, {2, 1}}});
    for (auto const *op : {"Abs",   "Neg",  "Exp",   "Sign", "Erf", "HardSwish", "Celu", "Clip", "HardSigmoid", "Selu", "Shrink",
                           "Floor", "Ceil", "Round", "Sin",  "Cos", "Tan",       "Atan", "Sinh", "Cosh",        "Asinh"})
        all.push_back({std::string("Operation ") + op, "Operation", {{"operator", op}}, {{4}}});
    for (auto const *op : {"Add", "Sub", "Mul", "Max", "Min"}) {
        all.push_back({std::string("Operation ") + op, "Operation", {{"operator", op}}, {{2, 3}, {2, 3}}});
        all.push_back({std::string("Operation with a weight: ") + op, "Operation", {{"operator", op}, {"constant_shape", {3}}}, {{2, 3}}});
        all.push_back({std::string("Operation with a number: ") + op,
                       "Operation",
                       {{"operator", op}, {"alpha", 0.7}, {"constant_first", true}},
                       {{3}}});
    }
    for (double const power : {2.0, 3.0, 5.0})
        all.push_back({"Operation Pow", "Operation", {{"operator", "Pow"}, {"alpha", power}}, {{4}}});
    for (bool const ofDividend : {false, true})
        all.push_back({"Operation Mod", "Operation", {{"operator", "Mod"}, {"alpha", 0.7}, {"fmod", ofDividend}}, {{4}}});
    for (auto const *to : {"int32", "bool"})
        all.push_back({std::string("Operation Cast to ") + to, "Operation", {{"operator", "Cast"}, {"to", to}}, {{4}}});
    all.push_back({"Operation Constant", "Operation", {{"operator", "Constant"}, {"constant_shape", {2, 3}}}, {{4}}});
    all.push_back({"Operation Constant of one number", "Operation", {{"operator", "Constant"}, {"shape", {3}}, {"alpha", 0.5}}, {{4}}});
    all.push_back({"Operation Div by a weight", "Operation", {{"operator", "Div"}, {"constant_shape", {3}}}, {{2, 3}}});
    all.push_back({"Operation MatMul", "Operation", {{"operator", "MatMul"}}, {{2, 2, 3}, {3, 4}}});
    all.push_back({"Operation MatMul with a weight", "Operation", {{"operator", "MatMul"}, {"constant_shape", {3, 2}}}, {{2, 3}}});
    for (auto const *op :
         {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare"})
        all.push_back({std::string("Operation ") + op, "Operation", {{"operator", op}, {"axes", {1, -1}}}, {{2, 3, 2}}});
    all.push_back({"Operation LogSoftmax", "Operation", {{"operator", "LogSoftmax"}, {"axes", {1}}}, {{3, 2}}});
    all.push_back({"Operation CumSum", "Operation", {{"operator", "CumSum"}, {"axes", {1}}, {"reverse", true}}, {{3, 2}}});
    all.push_back({"Operation LRN", "Operation", {{"operator", "LRN"}, {"axes", {1}}, {"size", 3}, {"alpha", 0.1}}, {{4, 2}}});
    all.push_back({"Operation Slice",
                   "Operation",
                   {{"operator", "Slice"}, {"axes", {1, 2}}, {"starts", {1, 0}}, {"ends", {5, -1}}, {"steps", {2, 1}}},
                   {{5, 3}}});
    all.push_back({"Operation Pad", "Operation", {{"operator", "Pad"}, {"pads", {1, 0, 0, 2}}, {"alpha", -2.0}}, {{2, 2}}});
    all.push_back({"Operation Tile", "Operation", {{"operator", "Tile"}, {"shape", {2, 3}}}, {{2, 2}}});
    all.push_back({"Operation Expand", "Operation", {{"operator", "Expand"}, {"shape", {2, 3}}}, {{1, 3}}});
    all.push_back({"Operation Gather", "Operation", {{"operator", "Gather"}, {"axes", {1}}, {"indices", {2, 0, 1, 2}}}, {{3, 2}}});
    all.push_back({"Operation Resize", "Operation", {{"operator", "Resize"}, {"axes", {1}}, {"constant_shape", {3, 5}}}, {{3, 2}}});
    all.push_back({"Softmax over a long inner axis", "Softmax", {{"axis", 1}}, {{70, 2}}});
    all.push_back({"Dot", "Dot", {{"axes", 1}}, {{4}, {4}}});
    all.push_back({"Dot normalized", "Dot", {{"axes", {2, 1}}, {"normalize", true}}, {{2, 3}, {3, 2}}});
    all.push_back({"Dot of two ranks", "Dot", {{"axes", {1, -1}}}, {{3, 2}, {3}}});
    all.push_back({"Attention", "Attention", Json::object(), {{2, 3}, {4, 3}}});
    all.push_back({"Attention with a key", "Attention", {{"use_scale", true}, {"causal", true}}, {{3, 3}, {3, 2}, {3, 3}}});
    all.push_back({"Attention between samples", "Attention", {{"causal", true}}, {{3}, {3}}});
    all.push_back({"AdditiveAttention between samples", "AdditiveAttention", Json::object(), {{3}, {3}}});
    all.push_back({"AdditiveAttention", "AdditiveAttention", Json::object(), {{2, 3}, {4, 3}}});
    all.push_back({"AdditiveAttention without scale", "AdditiveAttention", {{"use_scale", false}}, {{2, 3}, {3, 2}, {3, 3}}});
    all.push_back({"MultiHeadAttention", "MultiHeadAttention", {{"num_heads", 2}, {"key_dim", 2}}, {{3, 3}, {2, 4}}});
    all.push_back({"MultiHeadAttention with all arguments",
                   "MultiHeadAttention",
                   {{"num_heads", 2}, {"key_dim", 2}, {"value_dim", 3}, {"use_bias", false}, {"output_shape", 5}, {"dropout", 0.3}},
                   {{3, 3}, {2, 4}, {2, 2}}});
    all.push_back({"MultiHeadAttention along one axis of two",
                   "MultiHeadAttention",
                   {{"num_heads", 2}, {"key_dim", 2}, {"attention_axes", {1}}},
                   {{2, 2, 3}, {3, 2, 3}}});
    all.push_back({"MultiHeadAttention over two axes", "MultiHeadAttention", {{"num_heads", 1}, {"key_dim", 2}}, {{2, 2, 3}, {2, 3}}});
    all.push_back({"Permute", "Permute", {{"dims", {3, 1, 2}}}, {{2, 3, 2}}});
    all.push_back({"RepeatVector", "RepeatVector", {{"n", 3}}, {{4}}});
    all.push_back({"Embedding", "Embedding", {{"input_dim", 5}, {"output_dim", 3}}, {{4}}, 5});
    all.push_back({"Embedding of two axes", "Embedding", {{"input_dim", 5}, {"output_dim", 3}}, {{2, 2}}, 5});
    all.push_back({"Cropping1D", "Cropping1D", {{"cropping", {1, 2}}}, {{5, 2}}});
    all.push_back({"Cropping2D", "Cropping2D", {{"cropping", {{1, 0}, {0, 2}}}}, {{2, 4, 2}}});
    all.push_back({"Cropping3D", "Cropping3D", {{"cropping", 1}, {"data_format", "channels_first"}}, {{2, 3, 3, 3}}});
    all.push_back({"ZeroPadding1D", "ZeroPadding1D", {{"padding", 2}}, {{2, 2}}});
    all.push_back({"ZeroPadding2D", "ZeroPadding2D", {{"padding", {{1, 0}, {0, 2}}}, {"data_format", "channels_first"}}, {{2, 2, 1}}});
    all.push_back({"ZeroPadding3D", "ZeroPadding3D", {{"padding", {1, 0, 1}}}, {{1, 2, 1, 2}}});
    all.push_back({"UpSampling1D", "UpSampling1D", {{"size", 3}}, {{2, 2}}});
    all.push_back({"UpSampling2D", "UpSampling2D", {{"size", {2, 1}}, {"data_format", "channels_first"}}, {{1, 2, 2}}});
    all.push_back({"UpSampling2D bilinear", "UpSampling2D", {{"size", {3, 2}}, {"interpolation", "bilinear"}}, {{3, 2, 2}}});
    all.push_back({"UpSampling3D", "UpSampling3D", Json::object(), {{1, 2, 1, 2}}});
    all.push_back({"Rescaling", "Rescaling", {{"scale", 0.5}, {"offset", -1.0}}, {{2, 3}}});
    all.push_back({"Normalization", "Normalization", {{"mean", {0.5, 1.0}}, {"variance", {4.0, 0.25}}}, {{3, 2}}});
    all.push_back({"Normalization of one mean", "Normalization", {{"axis", nullptr}, {"mean", 0.5}, {"variance", 2.0}}, {{3, 2}}});
    all.push_back({"Resizing", "Resizing", {{"height", 5}, {"width", 2}}, {{3, 4, 2}}});
    all.push_back({"Resizing nearest", "Resizing", {{"height", 5}, {"width", 2}, {"interpolation", "nearest"}}, {{3, 4, 2}}});
    all.push_back({"CenterCrop", "CenterCrop", {{"height", 2}, {"width", 3}}, {{5, 4, 2}}});
    all.push_back({"EinsumDense",
                   "EinsumDense",
                   {{"equation", "ab,bc->ac"}, {"output_shape", {3}}, {"bias_axes", "c"}, {"activation", "tanh"}},
                   {{4}}});
    all.push_back({"EinsumDense of heads",
                   "EinsumDense",
                   {{"equation", "abc,cde->abde"}, {"output_shape", {nullptr, 2, 3}}, {"bias_axes", "de"}},
                   {{3, 4}}});
    all.push_back({"EinsumDense with the rest first",
                   "EinsumDense",
                   {{"equation", "...x,xy->...y"}, {"output_shape", {3}}, {"bias_axes", "y"}},
                   {{2, 2, 4}}});
    all.push_back({"EinsumDense with the rest last",
                   "EinsumDense",
                   {{"equation", "ab...,bc->ac..."}, {"output_shape", {3}}, {"bias_axes", "c"}},
                   {{4, 2, 2}}});
    all.push_back({"EinsumDense by place",
                   "EinsumDense",
                   {{"equation", "abc,bcd->abd"}, {"output_shape", {nullptr, 2}}, {"bias_axes", "bd"}},
                   {{3, 2}}});
    all.push_back({"EinsumDense that sums an axis",
                   "EinsumDense",
                   {{"equation", "abc,bd->ad"}, {"output_shape", {3}}, {"bias_axes", "d"}},
                   {{2, 2}}});
    all.push_back({"LocallyConnected1D", "LocallyConnected1D", {{"filters", 2}, {"kernel_size", 2}, {"strides", 2}}, {{5, 2}}});
    all.push_back(
        {"LocallyConnected2D", "LocallyConnected2D", {{"filters", 2}, {"kernel_size", {2, 1}}, {"activation", "tanh"}}, {{3, 3, 2}}});
    all.push_back({"LocallyConnected2D of channels first",
                   "LocallyConnected2D",
                   {{"filters", 2}, {"kernel_size", 2}, {"data_format", "channels_first"}},
                   {{2, 3, 3}}});
    all.push_back({"Concatenate", "Concatenate", Json::object(), {{2, 3}, {2, 1}}});
    all.push_back({"Concatenate inside", "Concatenate", {{"axis", 1}}, {{2, 3}, {1, 3}}});
    for (auto const *recurrent : {"LSTM", "GRU", "SimpleRNN"}) {
        all.push_back({recurrent, recurrent, {{"units", 2}}, {{3, 2}}});
        all.push_back({std::string(recurrent) + " of sequences, backwards",
                       recurrent,
                       {{"units", 2}, {"return_sequences", true}, {"go_backwards", true}},
                       {{3, 2}}});
    }
    all.push_back({"Masking", "Masking", {{"mask_value", 0.5}}, {{3, 2}}});
    Json const cell{{"class_name", "LSTMCell"}, {"config", {{"units", 2}}}}, other{{"class_name", "GRUCell"}, {"config", {{"units", 3}}}};
    all.push_back({"RNN", "RNN", {{"cell", cell}}, {{3, 2}}});
    all.push_back({"RNN of two cells",
                   "RNN",
                   {{"cell", {{"class_name", "StackedRNNCells"}, {"config", {{"cells", {cell, other}}}}}}, {"return_sequences", true}},
                   {{3, 2}}});
    for (auto const *mode : {"concat", "sum", "mul", "ave"}) {
        Json const gru{{"class_name", "GRU"}, {"config", {{"units", 2}, {"return_sequences", true}}}};
        all.push_back({std::string("Bidirectional ") + mode, "Bidirectional", {{"layer", gru}, {"merge_mode", mode}}, {{3, 2}}});
    }
    for (auto const *format : {"channels_last", "channels_first"}) {
        Json const config{{"filters", 2}, {"kernel_size", 2}, {"recurrent_activation", "sigmoid"}, {"data_format", format}};
        Json sequences = config;
        sequences["return_sequences"] = true;
        all.push_back({std::string("ConvLSTM1D, ") + format, "ConvLSTM1D", sequences, {{2, 3, 3}}});
        all.push_back({std::string("Bidirectional ConvLSTM1D, ") + format,
                       "Bidirectional",
                       {{"layer", {{"class_name", "ConvLSTM1D"}, {"config", config}}}},
                       {{2, 3, 3}}});
    }
    all.push_back({"Bidirectional RNN", "Bidirectional", {{"layer", {{"class_name", "RNN"}, {"config", {{"cell", cell}}}}}}, {{3, 2}}});
    all.push_back({"TimeDistributed",
                   "TimeDistributed",
                   {{"layer", {{"class_name", "Dense"}, {"config", {{"units", 3}, {"activation", "softmax"}}}}}},
                   {{3, 2}}});
    all.push_back({"TimeDistributed norm",
                   "TimeDistributed",
                   {{"layer", {{"class_name", "BatchNormalization"}, {"config", Json::object()}}}},
                   {{3, 2}}});
    Json const conv{{"filters", 2}, {"kernel_size", 2}};
    for (int n = 1; n <= 3; ++n) {
        Shape shape(static_cast<std::size_t>(n), 3);
        shape.push_back(2);
        auto const d = std::to_string(n) + "D";
        all.push_back({"Conv" + d, "Conv" + d, conv, {shape}});
        Shape steps = shape;
        steps.insert(steps.begin(), 2);
        all.push_back({"ConvLSTM" + d, "ConvLSTM" + d, {{"filters", 2}, {"kernel_size", 2}, {"recurrent_activation", "sigmoid"}}, {steps}});
        all.push_back({"Conv" + d + "Transpose", "Conv" + d + "Transpose", conv, {shape}});
        if (n < 3) all.push_back({"SeparableConv" + d, "SeparableConv" + d, conv, {shape}});
        Json first = conv;
        first["data_format"] = "channels_first";
        first["padding"] = "same";
        Shape planes{2};
        for (int i = 0; i < n; ++i) planes.push_back(3 + i);
        all.push_back({"Conv" + d + " of channels first", "Conv" + d, first, {planes}});
        all.push_back({"Conv" + d + "Transpose of channels first", "Conv" + d + "Transpose", first, {planes}});
    }
    all.push_back(
        {"Conv1D, causal", "Conv1D", {{"filters", 2}, {"kernel_size", 3}, {"padding", "causal"}, {"dilation_rate", 2}}, {{4, 2}}});
    all.push_back({"Conv2D in groups",
                   "Conv2D",
                   {{"filters", 4}, {"kernel_size", 2}, {"groups", 2}, {"strides", {1, 2}}, {"padding", "same"}},
                   {{3, 3, 2}}});
    all.push_back({"Conv2D of one element", "Conv2D", {{"filters", 3}, {"kernel_size", 1}, {"activation", "tanh"}}, {{2, 2, 2}}});
    all.push_back({"Conv2DTranspose with strides",
                   "Conv2DTranspose",
                   {{"filters", 2}, {"kernel_size", 3}, {"strides", 2}, {"padding", "same"}},
                   {{2, 2, 2}}});
    all.push_back({"DepthwiseConv2D", "DepthwiseConv2D", {{"kernel_size", 2}, {"depth_multiplier", 2}}, {{3, 3, 2}}});
    std::vector<Shape> const images{{5, 2}, {5, 4, 2}, {3, 4, 2, 2}};
    for (int d = 1; d <= 3; ++d)
        for (std::string const kind : {"Max", "Average"}) {
            std::vector<Shape> const image{images[static_cast<std::size_t>(d - 1)]};
            auto const name = kind + "Pooling" + std::to_string(d) + "D";
            all.push_back({name, name, Json::object(), image});
            all.push_back({name + " overlapping, padded", name, {{"pool_size", 3}, {"strides", 2}, {"padding", "same"}}, image});
            all.push_back({name + " leaving gaps", name, {{"pool_size", 1}, {"strides", 2}}, image});
            all.push_back(
                {name + " of channels first", name, {{"pool_size", 2}, {"strides", 1}, {"data_format", "channels_first"}}, image});
            all.push_back({"Global" + name, "Global" + name, Json::object(), image});
            all.push_back(
                {"Global" + name + " of channels first", "Global" + name, {{"data_format", "channels_first"}, {"keepdims", true}}, image});
        }
    all.push_back({"BatchNormalization", "BatchNormalization", Json::object(), {{4}}});
    all.push_back({"BatchNormalization of an image", "BatchNormalization", {{"epsilon", 0.1}}, {{2, 3, 2}}});
    all.push_back({"BatchNormalization of channels first", "BatchNormalization", {{"axis", 1}, {"scale", false}}, {{2, 3, 2}}});
    all.push_back({"LayerNormalization", "LayerNormalization", Json::object(), {{5}}});
    all.push_back({"LayerNormalization over two axes", "LayerNormalization", {{"axis", {1, 2}}, {"center", false}}, {{2, 3}}});
    all.push_back({"LayerNormalization over alternating axes", "LayerNormalization", {{"axis", {1, 3}}}, {{2, 2, 3, 2}}});
    all.push_back({"LayerNormalization over an inner axis", "LayerNormalization", {{"axis", 1}}, {{3, 2}}});
    for (auto const *name : {"GroupNormalization", "InstanceNormalization"}) {
        all.push_back({name, name, Json::object(), {{3, 4}}});
        all.push_back({std::string(name) + " of channels first", name, {{"channels_axis", 1}}, {{4, 3}}});
    }
    all.push_back({"GroupNormalization of neighbours", "GroupNormalization", {{"strided_channel_grouping", false}}, {{3, 4}}});
    all.push_back({"GroupNormalization of neighbours, channels first",
                   "GroupNormalization",
                   {{"strided_channel_grouping", false}, {"channels_axis", 1}},
                   {{4, 3}}});
    return all;
}

Result<model::ResolvedModel> modelOf(Case const &c)
{
    model::Model m;
    m.name = "model";
    m.kind = model::ModelKind::Functional;
    model::Call call;
    for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        auto const name = "input_" + std::to_string(i);
        auto input = model::makeInput(name, c.inputs[i], c.numbers > 0 ? "int32" : "float32");
        input.calls.emplace_back();
        m.layers.push_back(std::move(input));
        m.inputs.push_back({name, 0, 0});
        call.inputs.push_back({name, 0, 0});
    }
    auto layer = model::makeLayer(c.className, "layer", c.config);
    layer.calls.push_back(std::move(call));
    m.layers.push_back(std::move(layer));
    m.outputs.push_back({"layer", 0, 0});
    return model::resolve(m);
}

} // namespace

class TstLayerGradients : public QObject {
    Q_OBJECT
private slots:
    void agreeWithDifferences_data()
    {
        QTest::addColumn<int>("index");
        auto const all = cases();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
    }
    void agreeWithDifferences()
    {
        QFETCH(int, index);
        auto const c = cases()[static_cast<std::size_t>(index)];
        auto const resolved = modelOf(c);
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        auto const built = training::buildWithCotangents(*resolved, 3, true, ops::opLookup());
        QVERIFY2(built.ok(), built.ok() ? "" : toText(built.error()).c_str());
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            // Feeds first, then weights: the things whose gradients leave, in this order.
            std::vector<RefTensor> inputs;
            for (auto const &spec : built->infeed) {
                auto const own = deriveSeed(seed, inputs.size() + 50);
                inputs.push_back(isFloating(spec.dtype) ? randomTensor(spec.shape, own, -2, 2)
                                                        : randomIntegers(spec.shape, own, static_cast<std::uint64_t>(c.numbers)));
            }
            std::size_t const feeds = c.inputs.size(), perturbed = c.numbers > 0 ? 0 : feeds;
            std::vector<RefTensor> weights;
            for (auto id : built->weights)
                weights.push_back(randomTensor(built->graph.variable(id).shape, deriveSeed(seed, weights.size())));
            auto const run = [&] {
                GraphRunner runner{built->graph};
                runner.context.precision = reference::Precision::Double;
                runner.infeed = [&](graph::Node const &) { return inputs; };
                for (std::size_t i = 0; i < weights.size(); ++i) runner.variables[built->weights[i]] = weights[i];
                if (!runner.run()) qWarning("%s", runner.error.c_str());
                return runner.outfed.at(0);
            };
            auto const sum = [&] {
                auto const out = run();
                double total = 0;
                for (std::size_t e = 0; e < out[0].v.size(); ++e) total += out[0].v[e] * inputs[feeds].v[e];
                return total;
            };
            auto const stated = run();
            for (std::size_t k = 0; k < perturbed + weights.size(); ++k) {
                auto &tensor = k < perturbed ? inputs[k] : weights[k - perturbed];
                for (std::size_t e = 0; e < tensor.v.size(); ++e) {
                    double const h = 1e-5, at = tensor.v[e];
                    tensor.v[e] = at + h;
                    double const up = sum();
                    tensor.v[e] = at - h;
                    double const down = sum();
                    tensor.v[e] = at;
                    double const measured = (up - down) / (2 * h);
                    QVERIFY2(std::abs(stated[k + 1].v[e] - measured) <= 2e-6 * std::max(1.0, std::abs(measured)),
                             qPrintable(QString("%1 element %2: %3, differences say %4")
                                            .arg(built->outfeed[k + 1].name.c_str())
                                            .arg(e)
                                            .arg(stated[k + 1].v[e], 0, 'g', 12)
                                            .arg(measured, 0, 'g', 12)));
                }
            }
        }
    }
    /// NAME_regularizer and NAME_constraint of every class reach a weight.
    void everyLimitArgumentReachesAWeight()
    {
        std::set<std::string> reached;
        for (auto const &c : cases())
            for (auto const &param : model::findLayerSpec(c.className)->params) {
                bool const penalty = param.type == model::ParamType::Regularizer;
                if (param.name == "activity_regularizer" || (!penalty && param.type != model::ParamType::Constraint)) continue;
                auto limited = c;
                limited.config[param.name] = penalty ? Json("l2") : Json("non_neg");
                for (char const *flag : {"use_bias", "center", "scale"})
                    if (limited.config.contains(flag)) limited.config[flag] = true;
                auto const resolved = modelOf(limited);
                QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
                auto const &weights = resolved->layers.back().weights;
                auto const has = [&](model::ResolvedWeight const &weight) {
                    return penalty ? weight.regularizer.has_value() : weight.constraint.has_value();
                };
                QVERIFY2(std::ranges::any_of(weights, has), (c.className + ", " + param.name).c_str());
                reached.insert(param.name);
            }
        QVERIFY2(reached.size() >= 16, qPrintable(QString::number(reached.size())));
    }
    void everyLayerClassIsChecked()
    {
        std::set<std::string> checked{"InputLayer"};
        for (auto const &c : cases()) checked.insert(c.className);
        for (auto const &builder : layers::builtinLayerBuilders()) QVERIFY2(checked.contains(builder.className), builder.className.c_str());
    }
    void everyLayerOfTheModelCanBeBuilt()
    {
        for (auto const &spec : model::builtinLayers()) QVERIFY2(layers::findLayerBuilder(spec.className), spec.className.c_str());
    }
};

TW_REGISTER_TEST(TstLayerGradients);
#include "tst_layer_gradients.moc"
