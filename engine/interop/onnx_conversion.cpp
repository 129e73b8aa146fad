#include "engine/interop/onnx_conversion.h"

#include "engine/core/text.h"
#include "engine/interop/turned_axes.h"
#include "engine/model/layer_spec.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace tilewright::interop {

using model::Json;

std::optional<std::size_t> OnnxOperand::batchAxis() const
{
    auto const found = std::ranges::find(axes, 0);
    return constant || found == axes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - axes.begin()));
}

Shape OnnxOperand::extents() const
{
    if (constant) return constant->shape;
    Shape all;
    for (auto const axis : axes) all.push_back(axis < 0 ? 1 : axis == 0 ? kBatchExtent : shape[static_cast<std::size_t>(axis)]);
    return all;
}

std::vector<std::size_t> OnnxOperand::order() const
{
    std::vector<std::size_t> all;
    for (std::size_t place = 1; place < shape.size(); ++place)
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            if (axes[axis] == static_cast<int>(place)) all.push_back(axis);
    return all;
}

Diagnostic onnxRefusal(Message reason) { return makeError(ErrorKind::Invalid, "import.onnx-node", "", std::move(reason), Message()); }

Diagnostic mixedSamples()
{
    return makeError(ErrorKind::Invalid, kMixedSamples, "", Message::of("it mixes the samples of a batch"), Message());
}

OnnxConversion::OnnxConversion(OnnxGraph const &graph, std::optional<std::size_t> batchAxis) : m_graph(graph), m_batchAxis(batchAxis)
{
    m_model.name = graph.name.empty() ? "model" : graph.name;
    m_model.kind = model::ModelKind::Functional;
    for (auto const &node : graph.nodes)
        for (auto const &input : node.inputs) ++m_readers[input];
    for (auto const &output : graph.outputs) ++m_readers[output.name];
}

OnnxOperand const *OnnxConversion::find(std::string const &name) const
{
    auto const found = m_operands.find(name);
    return found == m_operands.end() ? nullptr : &found->second;
}

int OnnxConversion::readers(std::string const &name) const
{
    auto const found = m_readers.find(name);
    return found == m_readers.end() ? 0 : found->second;
}

Result<OnnxTensor> OnnxConversion::constant(OnnxNode const &node, std::size_t input, char const *what) const
{
    auto const *found = has(node, input) ? find(node.inputs[input]) : nullptr;
    if (!found) return onnxRefusal(Message::of("the input %1 is missing", std::string(what)));
    if (!found->constant) return onnxRefusal(Message::of("the input %1 is computed, not a constant", std::string(what)));
    if (!found->isUniform) return *found->constant;
    auto tensor = *found->constant;
    auto const count = static_cast<std::size_t>(tensor.count());
    if (tensor.isFloat()) tensor.floats.assign(count, tensor.floats.at(0));
    else tensor.integers.assign(count, tensor.integers.at(0));
    return tensor;
}

Result<std::vector<std::int64_t>> OnnxConversion::integers(OnnxNode const &node, std::size_t input) const
{
    TW_ASSIGN(auto const tensor, constant(node, input, "that gives sizes"));
    if (tensor.isFloat()) return onnxRefusal(Message::of("an input that gives sizes holds no whole numbers"));
    return tensor.integers;
}

Result<std::vector<std::int64_t>> OnnxConversion::listed(OnnxNode const &node, char const *attribute, std::size_t input) const
{
    if (node.has(attribute)) return node.integers(attribute);
    return has(node, input) ? integers(node, input) : std::vector<std::int64_t>();
}

std::vector<float> floatsOf(OnnxTensor const &tensor)
{
    if (tensor.isFloat()) return tensor.floats;
    return {tensor.integers.begin(), tensor.integers.end()};
}

FileArray fileArray(std::string name, Shape shape, std::vector<float> const &values)
{
    FileArray array{std::move(name), DType::F32, std::move(shape), std::vector<std::byte>(4 * values.size())};
    if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    return array;
}

OnnxTensor transposedTensor(OnnxTensor const &tensor, std::vector<std::size_t> const &order)
{
    if (std::ranges::is_sorted(order)) return tensor;
    OnnxTensor result{tensor.name, tensor.type, {}, {}, {}};
    for (auto const axis : order) result.shape.push_back(tensor.shape[axis]);
    auto const turn = [&](auto const &from, auto &to) {
        auto const bytes = turnedAxes(std::as_bytes(std::span(from)), sizeof from[0], tensor.shape, order);
        to.resize(from.size());
        if (!bytes.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
    };
    turn(tensor.floats, result.floats);
    turn(tensor.integers, result.integers);
    return result;
}

// Layouts

Result<OnnxOperand> OnnxConversion::permuted(OnnxOperand const &operand, std::vector<std::size_t> const &order)
{
    Json dims = Json::array();
    for (auto const axis : order) dims.push_back(operand.axes[axis]);
    TW_ASSIGN(auto result, layer("Permute", {{"dims", dims}}, {operand}));
    result.axes = operand.axes;
    for (std::size_t place = 0; place < order.size(); ++place) result.axes[order[place]] = static_cast<int>(place) + 1;
    return result;
}

Result<OnnxOperand> OnnxConversion::arranged(OnnxOperand const &operand, std::vector<std::size_t> const &order)
{
    auto const now = operand.order();
    if (now == order) return operand;
    auto const extents = operand.extents();
    // Axes of one element may lie anywhere; the others must be permuted if they are in another order.
    auto const long_ = [&](std::vector<std::size_t> const &axes) {
        std::vector<std::size_t> kept;
        std::ranges::copy_if(axes, std::back_inserter(kept), [&](auto axis) { return extents[axis] != 1; });
        return kept;
    };
    auto result = operand;
    if (long_(now) != long_(order)) {
        std::vector<std::size_t> moved;
        std::ranges::copy_if(order, std::back_inserter(moved), [&](auto axis) { return operand.axes[axis] > 0; });
        std::ranges::copy_if(now, std::back_inserter(moved), [&](auto axis) { return std::ranges::find(order, axis) == order.end(); });
        TW_ASSIGN(result, permuted(operand, moved));
    }
    if (result.order() == order) return result;
    Json target = Json::array();
    for (auto const axis : order) target.push_back(extents[axis]);
    if (target.empty()) target.push_back(1);
    auto axes = operand.axes;
    for (auto &axis : axes) axis = axis == 0 ? 0 : -1;
    for (std::size_t place = 0; place < order.size(); ++place) axes[order[place]] = static_cast<int>(place) + 1;
    TW_ASSIGN(result, layer("Reshape", {{"target_shape", target}}, {result}));
    result.axes = std::move(axes);
    return result;
}

Result<OnnxOperand> OnnxConversion::plain(OnnxOperand const &operand)
{
    std::vector<std::size_t> order;
    auto const batch = operand.batchAxis();
    for (std::size_t axis = 0; axis < operand.axes.size(); ++axis)
        if (axis != batch) order.push_back(axis);
    return arranged(operand, order);
}

namespace {

/// Axes of the old shape that become axes of the new one, with the same elements.
struct AxisGroup {
    std::vector<std::size_t> from, to;
};

/// None: the shapes differ in their number of elements.
std::optional<std::vector<AxisGroup>> groupsBetween(Shape const &from, Shape const &to)
{
    std::vector<AxisGroup> groups;
    std::size_t i = 0, j = 0;
    while (i < from.size() || j < to.size()) {
        AxisGroup group;
        if (i < from.size() && from[i] == 1 && (j == to.size() || to[j] != 1)) group.from.push_back(i++);
        else if (j < to.size() && to[j] == 1 && (i == from.size() || from[i] != 1)) group.to.push_back(j++);
        else if (i == from.size() || j == to.size()) return {};
        else {
            std::int64_t a = from[i], b = to[j];
            group = {{i++}, {j++}};
            while (a != b)
                if (a < b && i < from.size()) group.from.push_back(i), a *= from[i++];
                else if (b < a && j < to.size()) group.to.push_back(j), b *= to[j++];
                else return {};
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace

Result<OnnxOperand> OnnxConversion::reshaped(OnnxOperand const &operand, Shape const &extents)
{
    auto const from = operand.extents();
    auto const groups = groupsBetween(from, extents);
    if (!groups) return onnxRefusal(Message::of("%1 cannot become %2", toText(from), toText(extents)));
    // Views: axes of one element come and go.
    auto result = operand;
    result.axes.assign(extents.size(), -1);
    bool isView = true;
    for (auto const &group : *groups) {
        if (group.from.size() == 1 && group.to.size() == 1) result.axes[group.to[0]] = operand.axes[group.from[0]];
        else if (group.to.empty()) isView = isView && operand.axes[group.from[0]] < 0;
        else if (!group.from.empty()) isView = false;
        for (auto const axis : group.from)
            if (operand.axes[axis] == 0 && (group.from.size() > 1 || group.to.size() != 1)) return mixedSamples();
    }
    if (isView) return result;
    TW_ASSIGN(auto const source, plain(operand));
    Json target = Json::array();
    std::vector<int> axes;
    for (std::size_t axis = 0, place = 1; axis < extents.size(); ++axis) {
        bool const isBatch = extents[axis] == kBatchExtent && operand.batchAxis();
        axes.push_back(isBatch ? 0 : static_cast<int>(place++));
        if (!isBatch) target.push_back(extents[axis]);
    }
    if (target.empty()) target.push_back(1);
    bool const flat = target.size() == 1 && source.shape.size() > 2;
    TW_ASSIGN(result, layer(flat ? "Flatten" : "Reshape", flat ? Json::object() : Json{{"target_shape", target}}, {source}));
    result.axes = std::move(axes);
    return result;
}

Result<OnnxTensor> OnnxConversion::besideOperand(OnnxTensor const &constant, OnnxOperand const &operand,
                                                 std::vector<std::size_t> const &order, std::size_t rank) const
{
    auto wide = constant;
    wide.shape.insert(wide.shape.begin(), rank - constant.shape.size(), 1);
    std::vector<std::size_t> moved;
    if (auto const batch = operand.batchAxis()) {
        auto const place = *batch + rank - operand.rank();
        if (wide.shape[place] != 1) return mixedSamples();
        moved.push_back(place);
    }
    for (std::size_t axis = 0; axis < rank; ++axis) // those that the operand lacks are 1
        if (std::ranges::find(order, axis) == order.end() && std::ranges::find(moved, axis) == moved.end()) moved.push_back(axis);
    moved.insert(moved.end(), order.begin(), order.end());
    auto result = transposedTensor(wide, moved);
    while (result.shape.size() > 1 && result.shape.front() == 1) result.shape.erase(result.shape.begin());
    return result;
}

Result<std::int64_t> OnnxConversion::layerAxis(OnnxOperand const &operand, std::int64_t axis) const
{
    auto const rank = static_cast<std::int64_t>(operand.rank());
    auto const at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) return onnxRefusal(Message::of("axis %1 is none of its input %2", axis, toText(operand.extents())));
    auto const place = operand.axes[static_cast<std::size_t>(at)];
    if (place == 0) return mixedSamples();
    if (place < 0) return onnxRefusal(Message::of("axis %1 has one element", axis));
    return place;
}

// Layers

std::string OnnxConversion::scopeOf(OnnxNode const &node)
{
    auto const end = node.name.rfind('/');
    if (end == std::string::npos || end == 0) return {};
    return node.name.substr(0, end);
}

std::string OnnxConversion::nameFor(std::string const &className)
{
    auto const isFree = [&](std::string const &name) { return !name.empty() && !m_model.find(name); };
    auto const unnamed = [&] { return model::uniqueLayerName(m_model, className); };
    if (!m_node || m_node->name.empty()) return unnamed();
    // A layer that only prepares the node's own one leaves the name to it.
    auto const helps = [&](std::string_view prefix, std::string_view op) { return className.starts_with(prefix) && m_node->op != op; };
    if (helps("ZeroPadding", "Pad") || helps("Permute", "Transpose") || helps("Reshape", "Reshape")) return unnamed();
    auto scope = scopeOf(*m_node);
    if (scope.empty()) return isFree(m_node->name) && m_node->name.front() != '/' ? m_node->name : unnamed();
    if (scope.front() == '/') scope.erase(0, 1);
    auto last = scope.substr(scope.rfind('/') + 1); // all of it without a slash
    bool const isNumber = last.find_first_not_of("0123456789") == std::string::npos;
    if (isNumber) last = model::snakeCase(className) + "_" + last;
    if (isFree(last)) return last;
    std::ranges::replace(scope, '/', '_');
    if (!isNumber && isFree(scope)) return scope;
    for (int number = 1;; ++number)
        if (auto name = last + "_" + model::snakeCase(className) + (number > 1 ? "_" + std::to_string(number) : ""); isFree(name))
            return name;
}

Result<OnnxOperand> OnnxConversion::layer(std::string className, Json config, std::vector<OnnxOperand> const &inputs,
                                          std::vector<FileArray> arrays)
{
    auto made = model::makeLayer(className, nameFor(className), std::move(config));
    model::Call call;
    std::vector<Shape> shapes;
    for (auto const &input : inputs) {
        call.inputs.push_back(input.ref);
        shapes.push_back(input.shape);
    }
    made.calls.push_back(std::move(call));
    model::normalizeLayer(made);
    TW_TRY(model::checkLayer(made));
    auto const *spec = model::findLayerSpec(made.className);
    TW_ASSIGN(auto shape, spec->outputShape(made, shapes));
    OnnxOperand result;
    result.ref = {made.name, 0, 0};
    result.shape = std::move(shape);
    if (!inputs.empty()) result.type = inputs.front().type;
    for (auto &array : arrays) setArray(made.name, std::move(array));
    m_model.layers.push_back(std::move(made));
    return result;
}

Result<OnnxOperand> OnnxConversion::asComputed(OnnxOperand const &constant, std::optional<std::size_t> batch)
{
    auto const &tensor = *constant.constant;
    if (!m_anchor) return onnxRefusal(Message::of("the graph has no input"));
    Json shape = Json::array();
    std::vector<int> axes;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        auto const extent = tensor.shape[axis];
        bool const isBatch = extent == kBatchExtent && constant.isUniform;
        if (!isBatch && axis == batch && extent != 1) return mixedSamples();
        if (extent < 1) return onnxRefusal(Message::of("a constant of the shape %1 has no elements", toText(tensor.shape)));
        if (isBatch) axes.push_back(0);
        else if (axis == batch) axes.push_back(-1);
        else {
            shape.push_back(extent);
            axes.push_back(static_cast<int>(shape.size()));
        }
    }
    if (shape.empty()) shape.push_back(1);
    Json config{{"operator", "Constant"}};
    std::vector<FileArray> arrays;
    if (constant.isUniform || (tensor.count() == 1 && !constant.isTrained)) {
        double const number = tensor.number(0), most = static_cast<double>(std::numeric_limits<float>::max());
        if (std::isnan(number)) return onnxRefusal(Message::of("a constant is not a number"));
        config["shape"] = shape;
        config["alpha"] = std::clamp(number, -most, most);
    } else {
        config["constant_shape"] = shape;
        Shape stored;
        for (auto const &extent : shape) stored.push_back(extent.get<std::int64_t>());
        arrays.push_back(fileArray("constant", std::move(stored), floatsOf(tensor)));
        if (!constant.isTrained) config["trainable"] = false;
    }
    TW_ASSIGN(auto result, layer("Operation", std::move(config), {*m_anchor}, std::move(arrays)));
    result.axes = std::move(axes);
    result.type = constant.type;
    return result;
}

OnnxOperand OnnxConversion::furtherOutput(OnnxOperand const &first, int tensor, Shape shape) const
{
    OnnxOperand result = first;
    result.ref.tensor = tensor;
    result.shape = std::move(shape);
    return result;
}

OnnxOperand OnnxConversion::like(OnnxOperand result, OnnxOperand const &operand)
{
    result.axes = operand.axes;
    return result;
}

void OnnxConversion::setArray(std::string const &layer, FileArray array)
{
    auto &arrays = m_arrays.try_emplace(layer, LayerArrays{layer, {}, LayerArrays::Order::Named}).first->second.arrays;
    if (auto const old = std::ranges::find(arrays, array.path, &FileArray::path); old != arrays.end()) *old = std::move(array);
    else arrays.push_back(std::move(array));
}

std::vector<LayerArrays> OnnxConversion::takeArrays()
{
    std::vector<LayerArrays> all;
    for (auto &[name, arrays] : m_arrays) all.push_back(std::move(arrays));
    return all;
}

Status OnnxConversion::addInput(OnnxValue const &value, std::vector<std::int64_t> const &sizes, std::string const &file)
{
    auto const subject = file + ": " + value.name;
    if (!value.hasShape || (m_batchAxis && value.extents.size() <= *m_batchAxis))
        return makeError(ErrorKind::Invalid, "import.onnx-input", subject, Message::of("the input has no shape with a batch."),
                         Message::of("Export the model again with the shapes of its inputs."));
    OnnxOperand operand;
    operand.type = value.type;
    Json shape = Json::array({nullptr});
    operand.shape = {-1};
    std::size_t given = 0;
    for (std::size_t axis = 0; axis < value.extents.size(); ++axis) {
        auto const &extent = value.extents[axis];
        if (axis == m_batchAxis) {
            operand.axes.push_back(0);
            continue;
        }
        auto size = extent.size;
        if (size < 0 && given < sizes.size()) size = sizes[given++];
        if (size < 1)
            return makeError(ErrorKind::Invalid, "import.open-shape", subject,
                             extent.name.empty() ? Message::of("axis %1 of the input has no size.", axis)
                                                 : Message::of("axis %1 of the input, %2, has no size.", axis, extent.name),
                             Message::of("Give the sizes of the open axes: --size %1=N, such as --size %1=80.", value.name));
        operand.axes.push_back(static_cast<int>(operand.shape.size()));
        operand.shape.push_back(size);
        shape.push_back(size);
    }
    if (operand.shape.size() == 1) { // a scalar is one number of a sample
        operand.shape.push_back(1);
        shape.push_back(1);
    }
    bool const whole = value.type == OnnxType::Int32 || value.type == OnnxType::Int64;
    auto name = value.name;
    std::ranges::replace(name, '/', '_');
    auto input = model::makeLayer("InputLayer", m_model.find(name) || name.empty() ? model::uniqueLayerName(m_model, "InputLayer") : name,
                                  {{"batch_input_shape", shape}, {"dtype", whole ? "int32" : "float32"}});
    model::normalizeLayer(input);
    input.calls.push_back({});
    operand.ref = {input.name, 0, 0};
    m_model.inputs.push_back(operand.ref);
    m_model.layers.push_back(std::move(input));
    if (!m_anchor) m_anchor = operand;
    set(value.name, std::move(operand));
    return {};
}

Status OnnxConversion::finish(std::string const &file, std::vector<Diagnostic> &warnings)
{
    m_node = nullptr;
    for (auto const &output : m_graph.outputs) {
        auto const *found = find(output.name);
        // A constant is an output of each sample, if it is one of the whole graph.
        std::optional<OnnxOperand> made;
        if (found && found->constant && m_anchor && (!m_batchAxis || found->isUniform)) {
            TW_ASSIGN(made, asComputed(*found));
            found = &*made;
        }
        if (!found || found->constant || (made && m_batchAxis && !made->batchAxis()))
            return makeError(ErrorKind::Invalid, "import.onnx-output", file + ": " + output.name,
                             Message::of("the output does not depend on an input."), Message::of("Take it out of the graph's outputs."));
        TW_ASSIGN(auto const result, plain(*found));
        if (result.batchAxis().value_or(0) != 0)
            warnings.push_back(
                makeWarning("import.batch-first", file + ": " + output.name,
                            Message::of("axis %1 of this output is the batch; the project's output has it first.", *result.batchAxis()),
                            Message::of("Expect the axes in that order.")));
        m_model.outputs.push_back(result.ref);
    }
    return {};
}

} // namespace tilewright::interop
