#include "engine/model/layers/operation_rules.h"

#include "engine/core/text.h"
#include "engine/model/layers/merge_rules.h"

#include <algorithm>
#include <limits>

namespace tilewright::model {

namespace {

using Kind = OperatorShape;

std::vector<OperatorSpec> makeOperators()
{
    std::vector<OperatorSpec> all;
    for (auto const *name :
         {"Abs",   "Neg", "Exp", "Log", "Sqrt", "Reciprocal", "Sign", "Erf",  "HardSwish", "IsNaN", "Not",   "Floor", "Ceil",
          "Round", "Sin", "Cos", "Tan", "Asin", "Acos",       "Atan", "Sinh", "Cosh",      "Asinh", "Acosh", "Atanh"})
        all.push_back({name});
    all.push_back({"Cast", Kind::Same, 1, 1, {"to"}});
    all.push_back({"Celu", Kind::Same, 1, 1, {}, {"alpha"}});
    all.push_back({"Clip", Kind::Same, 1, 1, {}, {"min", "max"}});
    all.push_back({"HardSigmoid", Kind::Same, 1, 1, {}, {"alpha", "beta"}});
    all.push_back({"LRN", Kind::Same, 1, 1, {"axes", "size"}, {"alpha", "beta", "bias"}});
    all.push_back({"Selu", Kind::Same, 1, 1, {}, {"alpha", "beta"}});
    all.push_back({"Shrink", Kind::Same, 1, 1, {}, {"alpha", "bias"}});
    for (auto const *name :
         {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Or", "Xor"})
        all.push_back({name, Kind::Broadcast, 1, 2, {}, {"alpha", "constant_shape", "constant_first"}});
    all.push_back({"Mod", Kind::Broadcast, 1, 2, {}, {"alpha", "constant_shape", "constant_first", "fmod"}});
    all.push_back({"Where", Kind::Broadcast, 3, 3});
    all.push_back({"MatMul", Kind::Product, 1, 2, {}, {"constant_shape", "constant_first"}});
    for (auto const *name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
                             "ReduceLogSumExp", "ReduceSumSquare"})
        all.push_back({name, Kind::Reduced, 1, 1, {"axes"}, {"keepdims"}});
    for (auto const *name : {"ArgMax", "ArgMin"}) all.push_back({name, Kind::Reduced, 1, 1, {"axes"}, {"keepdims", "reverse"}});
    for (auto const *name : {"LogSoftmax", "Hardmax"}) all.push_back({name, Kind::Same, 1, 1, {"axes"}});
    all.push_back({"CumSum", Kind::Same, 1, 1, {"axes"}, {"exclusive", "reverse"}});
    all.push_back({"Slice", Kind::Sliced, 1, 1, {"axes", "starts", "ends"}, {"steps"}});
    all.push_back({"Pad", Kind::Padded, 1, 1, {"pads"}, {"alpha"}});
    all.push_back({"Tile", Kind::Tiled, 1, 1, {"shape"}});
    all.push_back({"Expand", Kind::Expanded, 1, 1, {"shape"}});
    all.push_back({"Gather", Kind::Gathered, 1, 1, {"axes", "indices"}});
    all.push_back({"Resize", Kind::Resized, 1, 1, {"axes", "constant_shape"}});
    all.push_back({"OneHot", Kind::Encoded, 1, 1, {"size"}, {"alpha", "beta"}});
    all.push_back({"Constant", Kind::Fixed, 1, 1, {}, {"shape", "alpha", "constant_shape"}});
    return all;
}

Diagnostic shapeError(Layer const &layer, Message message, Message remedy)
{
    return layerError(layer, "model.shape", std::move(message), std::move(remedy));
}

OperatorSpec const &operatorOf(Layer const &layer) { return *findOperator(layer.text("operator")); }

std::vector<std::string_view> const &attributeNames()
{
    static std::vector<std::string_view> const names{"axes",           "keepdims",       "starts",    "ends",    "steps", "pads", "shape",
                                                     "indices",        "size",           "alpha",     "beta",    "bias",  "min",  "max",
                                                     "constant_shape", "constant_first", "exclusive", "reverse", "fmod",  "to"};
    return names;
}

Status checkOperation(Layer const &layer)
{
    auto const &spec = operatorOf(layer);
    auto const has = [](auto const &list, std::string_view name) { return std::ranges::find(list, name) != list.end(); };
    for (auto const name : attributeNames()) {
        bool const given = !layer.isNull(name);
        if (!given && has(spec.required, name))
            return layerError(layer, "model.missing-argument",
                              Message::of("the operator %1 needs the argument %2", std::string(spec.name), std::string(name)),
                              Message::of("give it a value"));
        if (given && !has(spec.required, name) && !has(spec.optional, name))
            return layerError(layer, "model.bad-argument",
                              Message::of("the operator %1 has no argument %2", std::string(spec.name), std::string(name)),
                              Message::of("set it to null"));
    }
    if (spec.shape == Kind::Fixed && layer.isNull("constant_shape") == layer.isNull("shape"))
        return layerError(layer, "model.bad-argument", Message::of("the operator Constant has no numbers, or two kinds of them"),
                          Message::of("give it either shape, with alpha, or constant_shape"));
    if (spec.shape == Kind::Padded)
        for (auto const amount : layer.integers("pads"))
            if (amount < 0)
                return layerError(layer, "model.bad-argument", Message::of("pads has the negative entry %1", amount),
                                  Message::of("use Slice to cut"));
    return {};
}

/// The operand that is a weight, with an open batch in front.
Shape constantShape(Layer const &layer)
{
    Shape shape{-1};
    for (auto const extent : layer.integers("constant_shape")) shape.push_back(extent);
    return shape;
}

/// Operands in order, the weight among them.
std::vector<Shape> operands(Layer const &layer, std::span<Shape const> inputs)
{
    std::vector<Shape> all(inputs.begin(), inputs.end());
    if (hasConstant(layer)) all.insert(layer.flag("constant_first") ? all.begin() : all.end(), constantShape(layer));
    return all;
}

Result<Shape> productShape(Layer const &layer, std::span<Shape const> inputs)
{
    auto const all = operands(layer, inputs);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].size() < 3)
            return shapeError(layer, Message::of("operand %1 of MatMul, %2, is no matrix", i + 1, toText(all[i])),
                              Message::of("put a Reshape before it: a sample needs two axes or more"));
    TW_ASSIGN(std::int64_t const batch, commonBatch(layer, inputs));
    auto const &a = all[0], &b = all[1];
    auto const rank = std::max(a.size(), b.size());
    if (a.back() != b[b.size() - 2])
        return shapeError(layer, Message::of("%1 and %2 cannot be multiplied", toText(a), toText(b)),
                          Message::of("the last axis of the first operand must be as long as the last but one of the second"));
    Shape out(rank, 1);
    out[0] = batch;
    for (std::size_t back = 3; back < rank; ++back)
        for (auto const &one : all) {
            if (back >= one.size()) continue;
            auto const extent = one[one.size() - back];
            if (auto &to = out[rank - back]; to == 1) to = extent;
            else if (extent != 1 && extent != to)
                return shapeError(layer, Message::of("%1 and %2 cannot be multiplied", toText(a), toText(b)),
                                  Message::of("the axes before the matrices must be equal or 1"));
        }
    out[rank - 2] = a[a.size() - 2];
    out[rank - 1] = b.back();
    return out;
}

Result<Shape> reducedShape(Layer const &layer, Shape const &input)
{
    TW_ASSIGN(auto const axes, operationAxes(layer, input));
    bool const arg = layer.text("operator").starts_with("Arg");
    if (arg && axes.size() != 1)
        return shapeError(layer, Message::of("%1 takes one axis", layer.text("operator")), Message::of("give one number as axes"));
    Shape out;
    for (std::size_t i = 0; i < input.size(); ++i) {
        bool const gone = std::ranges::find(axes, i) != axes.end();
        if (!gone) out.push_back(input[i]);
        else if (layer.flag("keepdims")) out.push_back(1);
    }
    if (out.size() == 1) out.push_back(1); // a sample has an axis
    return out;
}

Result<Shape> movedShape(Layer const &layer, Shape const &input)
{
    Shape out = input;
    auto const given = layer.integers(operatorOf(layer).shape == Kind::Padded ? "pads" : "shape");
    auto const axes = input.size() - 1;
    auto const wanted = operatorOf(layer).shape == Kind::Padded ? 2 * axes : axes;
    if (given.size() != wanted)
        return shapeError(layer, Message::of("%1 numbers are given for the %2 axes of %3", given.size(), axes, toText(input)),
                          Message::of("give %1: the batch is not counted", wanted));
    for (std::size_t i = 0; i < axes; ++i) {
        auto &extent = out[i + 1];
        switch (operatorOf(layer).shape) {
        case Kind::Padded: extent += given[i] + given[i + axes]; break;
        case Kind::Tiled: extent *= std::max<std::int64_t>(1, given[i]); break;
        default:
            if (extent != 1 && given[i] != extent && given[i] != 1)
                return shapeError(layer,
                                  Message::of("%1 cannot be expanded to %2", toText(input), toText(Shape(given.begin(), given.end()))),
                                  Message::of("extents must be equal or 1"));
            extent = std::max(extent, given[i]);
        }
    }
    return out;
}

/// Without an operand that counts: the input gives the batch.
Result<Shape> fixedShape(Layer const &layer, std::span<Shape const> inputs)
{
    if (inputs.size() != 1 || inputs[0].empty())
        return shapeError(layer, Message::of("the operator Constant has %1 inputs", inputs.size()),
                          Message::of("connect one, which gives the number of samples"));
    Shape out{inputs[0][0]};
    for (auto const extent : layer.integers(hasConstant(layer) ? "constant_shape" : "shape")) out.push_back(extent);
    return out;
}

Result<Shape> operationShape(Layer const &layer, std::span<Shape const> inputs)
{
    auto const &spec = operatorOf(layer);
    if (spec.shape == Kind::Fixed) return fixedShape(layer, inputs);
    bool const scalar = spec.shape == Kind::Broadcast && !layer.isNull("alpha");
    int const given = static_cast<int>(inputs.size()) + (hasConstant(layer) || scalar ? 1 : 0);
    bool const weighted = spec.shape == Kind::Resized; // its weight is no operand
    int const wanted = spec.minInputs == spec.maxInputs ? spec.maxInputs + (weighted ? 1 : 0) : spec.maxInputs;
    if (given != wanted || (scalar && hasConstant(layer)))
        return shapeError(layer, Message::of("the operator %1 takes %2 operands and has %3", std::string(spec.name), wanted, given),
                          Message::of("connect them, or give the last one as alpha or constant_shape"));
    if (inputs[0].size() < 2)
        return shapeError(layer, Message::of("input of rank 1, %1", toText(inputs[0])),
                          Message::of("give it a batch and at least one more axis"));
    switch (spec.shape) {
    case Kind::Same: {
        if (!layer.isNull("axes")) TW_TRY(operationAxes(layer, inputs[0]));
        return inputs[0];
    }
    case Kind::Broadcast: return broadcastShape(layer, operands(layer, inputs));
    case Kind::Product: return productShape(layer, inputs);
    case Kind::Reduced: return reducedShape(layer, inputs[0]);
    case Kind::Sliced: {
        TW_ASSIGN(auto const slice, slicedAxes(layer, inputs[0]));
        return slice.size;
    }
    case Kind::Padded:
    case Kind::Tiled:
    case Kind::Expanded: return movedShape(layer, inputs[0]);
    case Kind::Gathered:
    case Kind::Resized: {
        TW_ASSIGN(auto const axes, operationAxes(layer, inputs[0]));
        Shape out = inputs[0];
        auto const matrix = layer.integers("constant_shape");
        auto const indices = layer.integers("indices");
        bool const fits = spec.shape == Kind::Gathered
            ? std::ranges::all_of(indices, [&](auto i) { return i >= 0 && i < out[axes[0]]; }) && !indices.empty()
            : matrix.size() == 2 && matrix[0] == out[axes[0]];
        if (axes.size() != 1 || !fits)
            return shapeError(layer, Message::of("%1 does not fit the input %2", std::string(spec.name), toText(inputs[0])),
                              Message::of("give one axis, and indices or a matrix for its extent"));
        out[axes[0]] = spec.shape == Kind::Gathered ? std::ssize(indices) : matrix[1];
        return out;
    }
    case Kind::Encoded: {
        Shape out = inputs[0];
        out.push_back(layer.integer("size"));
        return out;
    }
    case Kind::Fixed: break;
    }
    return inputs[0];
}

ParamInfo listParam(std::string name, double least, std::string help)
{
    return {.name = std::move(name),
            .type = ParamType::IntList,
            .min = least,
            .max = 1e9,
            .help = std::move(help),
            .nullable = true,
            .length = -1};
}
ParamInfo numberParam(std::string name, std::string help)
{
    return {.name = std::move(name), .type = ParamType::Float, .help = std::move(help), .nullable = true};
}
ParamInfo flagParam(std::string name, std::string help)
{
    return {.name = std::move(name), .type = ParamType::Bool, .help = std::move(help), .nullable = true};
}

std::vector<ParamInfo> operationParams()
{
    ParamInfo op{.name = "operator", .type = ParamType::Enum, .help = "the operator of ONNX", .required = true};
    for (auto const &spec : operatorSpecs()) op.allowed.emplace_back(spec.name);
    ParamInfo size{.name = "size",
                   .type = ParamType::Int,
                   .min = 1,
                   .max = 1e9,
                   .help = "window of LRN in channels; elements of a row of OneHot",
                   .nullable = true};
    return {
        std::move(op),
        listParam("axes", -32, "axes of the operator, counted with the batch as axis 0; null: it has none"),
        flagParam("keepdims", "reduced axes stay, with extent 1"),
        listParam("starts", -1e9, "first index of Slice along each of its axes; negative: from the end"),
        listParam("ends", -1e9, "index behind the last one of Slice along each of its axes; negative: from the end"),
        listParam("steps", 1, "steps of Slice along each of its axes; null: 1"),
        listParam("pads", 0, "elements that Pad puts before each axis without the batch, then those behind each"),
        listParam("shape", 1, "extents of Expand and Constant, or repetitions of Tile, along each axis without the batch"),
        listParam("indices", 0, "indices that Gather takes along its axis"),
        std::move(size),
        numberParam(
            "alpha",
            "alpha of the operator; second operand of arithmetic with one number; value of Pad and Constant; what OneHot puts elsewhere"),
        numberParam("beta", "beta of the operator (gamma of Selu); what OneHot puts at the number"),
        numberParam("bias", "bias of LRN and Shrink"),
        numberParam("min", "least value of Clip; null: no limit"),
        numberParam("max", "largest value of Clip; null: no limit"),
        listParam("constant_shape", 1, "shape of the operand that is a weight of the layer, without the batch; null: there is none"),
        flagParam("constant_first", "the weight, or alpha, is the first operand"),
        flagParam("exclusive", "CumSum without the element itself"),
        flagParam("reverse", "CumSum from the end of the axis; of equal numbers, ArgMax and ArgMin take the last"),
        flagParam("fmod", "the result of Mod has the sign of the first operand, not that of the second"),
        {.name = "to",
         .type = ParamType::Enum,
         .allowed = {"float16", "int32", "bool"},
         .help = "what Cast rounds to: half precision, whole numbers towards 0, or 1 for all numbers but 0",
         .nullable = true},
        {.name = "constant_initializer",
         .type = ParamType::Initializer,
         .defaultJson = R"({"class_name": "Ones", "config": {}})",
         .help = "initializer of the weight"}};
}

} // namespace

std::span<OperatorSpec const> operatorSpecs()
{
    static std::vector<OperatorSpec> const all = makeOperators();
    return all;
}

OperatorSpec const *findOperator(std::string_view name)
{
    auto const all = operatorSpecs();
    auto const found = std::ranges::find(all, name, &OperatorSpec::name);
    return found == all.end() ? nullptr : &*found;
}

Result<std::vector<std::size_t>> operationAxes(Layer const &layer, Shape const &input)
{
    auto const rank = static_cast<std::int64_t>(input.size());
    std::vector<std::size_t> axes;
    for (auto const axis : layer.integers("axes")) {
        auto const at = axis < 0 ? axis + rank : axis;
        if (at < 1 || at >= rank || std::ranges::find(axes, static_cast<std::size_t>(at)) != axes.end())
            return shapeError(layer,
                              Message::of("axis %1 is not an axis of %2 other than the batch, or is given twice", axis, toText(input)),
                              Message::of("use an axis from 1 to %1, or -1 for the last", rank - 1));
        axes.push_back(static_cast<std::size_t>(at));
    }
    if (axes.empty()) return shapeError(layer, Message::of("no axis is given"), Message::of("name an axis of %1", toText(input)));
    return axes;
}

Result<SlicedAxes> slicedAxes(Layer const &layer, Shape const &input)
{
    TW_ASSIGN(auto const axes, operationAxes(layer, input));
    auto const starts = layer.integers("starts"), ends = layer.integers("ends");
    auto steps = layer.integers("steps");
    if (layer.isNull("steps")) steps.assign(axes.size(), 1);
    if (starts.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size())
        return shapeError(layer, Message::of("axes, starts, ends and steps differ in length"),
                          Message::of("give one number for each axis"));
    SlicedAxes slice{Shape(input.size(), 0), input, Shape(input.size(), 1)};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        auto const n = input[axes[i]];
        auto const inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + n : at, 0, n); };
        auto const begin = inside(starts[i]), end = inside(ends[i]);
        if (begin >= end)
            return shapeError(layer, Message::of("the slice of axis %1 of %2 is empty", axes[i], toText(input)),
                              Message::of("use an end behind the start"));
        slice.begin[axes[i]] = begin;
        slice.step[axes[i]] = steps[i];
        slice.size[axes[i]] = (end - begin + steps[i] - 1) / steps[i];
    }
    return slice;
}

LayerSpec operationLayer()
{
    return {
        .className = "Operation",
        .category = "Core",
        .help = "An operator of ONNX that no layer of Keras computes. The arguments that the operator does not have are null.",
        .params = operationParams(),
        .maxInputs = 3,
        .outputShape = operationShape,
        .weights = [](Layer const &layer, std::span<Shape const>) -> Result<std::vector<WeightSpec>> {
            if (!hasConstant(layer)) return std::vector<WeightSpec>();
            TW_ASSIGN(Initializer first, parseInitializer(layer.config["constant_initializer"], layer.name));
            return std::vector<WeightSpec>{{"constant", layer.integers("constant_shape"), std::move(first)}};
        },
        .check = checkOperation,
        .multiplyAdds =
            [](Layer const &layer, std::span<Shape const> inputs, Shape const &output) {
                if (operatorOf(layer).shape == Kind::Resized)
                    return sampleElements(output) * static_cast<double>(layer.integers("constant_shape").front());
                if (operatorOf(layer).shape != Kind::Product) return sampleElements(output);
                auto const first = operands(layer, inputs).front();
                return sampleElements(output) * static_cast<double>(first.back());
            },
    };
}

} // namespace tilewright::model
