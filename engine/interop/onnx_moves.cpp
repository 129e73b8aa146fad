// Rules for operators that move elements: shapes, parts, padding, table look-ups.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

std::int64_t counted(std::int64_t axis, std::size_t rank) { return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis; }

/// The target of a Reshape with its open extent. The batch may be written as the number that the file had for it.
Result<Shape> targetOf(OnnxConversion &conversion, OnnxNode const &node, OnnxOperand const &x)
{
    TW_ASSIGN(auto target, conversion.listed(node, "shape", 1));
    auto const from = x.extents();
    bool const zeroIsZero = node.integer("allowzero", 0) != 0;
    for (std::size_t i = 0; i < target.size(); ++i)
        if (target[i] == 0 && !zeroIsZero && i < from.size()) target[i] = from[i];
    auto const total = elementCount(from);
    auto const close = [&](Shape shape) -> std::optional<Shape> {
        std::int64_t known = 1;
        auto open = shape.end();
        for (auto at = shape.begin(); at != shape.end(); ++at)
            if (*at == -1) open = at;
            else known *= *at;
        if (open != shape.end() && known > 0 && total % known == 0) *open = total / known;
        return elementCount(shape) == total ? std::optional(shape) : std::nullopt;
    };
    auto const hasBatch = [](Shape const &shape) { return std::ranges::find(shape, kBatchExtent) != shape.end(); };
    auto const closed = close(target);
    if (closed && (!x.batchAxis() || hasBatch(*closed))) return *closed;
    if (x.batchAxis() && !hasBatch(target))
        for (std::size_t i = 0; i < target.size(); ++i) {
            auto tried = target;
            tried[i] = kBatchExtent;
            if (auto const fits = close(tried); fits && hasBatch(*fits)) return *fits;
        }
    if (closed) return *closed;
    return onnxRefusal(Message::of("%1 cannot become %2", toText(from), toText(Shape(target.begin(), target.end()))));
}

Status reshape(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto const target, targetOf(conversion, node, x));
    return keep(conversion, node, conversion.reshaped(x, target));
}

Status flatten(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto const extents = x.extents();
    auto const axis = counted(node.integer("axis", 1), extents.size());
    if (axis < 0 || axis > std::ssize(extents)) return onnxRefusal(Message::of("axis %1 is none of its input %2", axis, toText(extents)));
    return keep(
        conversion, node,
        conversion.reshaped(
            x, {elementCount(Shape(extents.begin(), extents.begin() + axis)), elementCount(Shape(extents.begin() + axis, extents.end()))}));
}

Status squeeze(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto const extents = x.extents();
    TW_ASSIGN(auto axes, conversion.listed(node, "axes", 1));
    for (auto &axis : axes) axis = counted(axis, extents.size());
    Shape left;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        bool const named = std::ranges::find(axes, static_cast<std::int64_t>(i)) != axes.end();
        bool const gone = axes.empty() ? extents[i] == 1 : named;
        if (gone && extents[i] != 1) return onnxRefusal(Message::of("axis %1 has more than one element", i));
        if (!gone) left.push_back(extents[i]);
    }
    return keep(conversion, node, conversion.reshaped(x, left));
}

Status unsqueeze(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto extents = x.extents();
    TW_ASSIGN(auto axes, conversion.listed(node, "axes", 1));
    auto const rank = extents.size() + axes.size();
    for (auto &axis : axes) axis = counted(axis, rank);
    std::ranges::sort(axes);
    auto result = x;
    for (auto const axis : axes) {
        if (axis < 0 || axis > std::ssize(result.axes)) return onnxRefusal(Message::of("axis %1 is none of its result", axis));
        result.axes.insert(result.axes.begin() + axis, -1);
    }
    return keep(conversion, node, result);
}

Status transpose(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto perm = node.integers("perm");
    if (perm.empty())
        for (std::size_t i = x.rank(); i-- > 0;) perm.push_back(static_cast<std::int64_t>(i));
    if (perm.size() != x.rank()) return onnxRefusal(Message::of("perm names %1 axes of %2", perm.size(), toText(x.extents())));
    auto result = x;
    for (std::size_t i = 0; i < perm.size(); ++i) result.axes[i] = x.axes.at(static_cast<std::size_t>(counted(perm[i], x.rank())));
    return keep(conversion, node, result);
}

Status concat(OnnxConversion &conversion, OnnxNode const &node)
{
    if (node.inputs.size() == 1) return keep(conversion, node, conversion.operand(node, 0));
    std::vector<OnnxOperand> given;
    OnnxOperand const *computed = nullptr;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) given.push_back(conversion.operand(node, i));
    for (auto const &one : given)
        if (!one.constant && !computed) computed = &one;
    if (!computed) return onnxRefusal(Message::of("all of its inputs are constants"));
    auto const batch = computed->batchAxis();
    for (auto &one : given) {
        if (!one.constant) continue;
        if (batch && !(one.isUniform && *batch < one.rank() && one.constant->shape[*batch] == kBatchExtent)) return mixedSamples();
        TW_ASSIGN(one, conversion.asComputed(one));
    }
    auto const &first = given[0];
    auto const at = static_cast<std::size_t>(counted(node.integer("axis", 0), first.rank()));
    if (at >= first.rank())
        return onnxRefusal(Message::of("axis %1 is none of its input %2", node.integer("axis", 0), toText(first.extents())));
    if (first.axes[at] == 0) return mixedSamples();
    // All axes that any operand has.
    std::vector<std::size_t> order = first.order();
    for (auto const &one : given) {
        if (one.rank() != first.rank() || one.batchAxis() != first.batchAxis()) return mixedSamples();
        for (std::size_t axis = 0; axis < one.rank(); ++axis)
            if ((axis == at || one.axes[axis] > 0) && std::ranges::find(order, axis) == order.end()) {
                order.push_back(axis);
                std::ranges::sort(order);
            }
    }
    std::vector<OnnxOperand> operands;
    for (auto const &operand : given) {
        TW_ASSIGN(auto one, conversion.arranged(operand, order));
        operands.push_back(std::move(one));
    }
    auto const place = operands[0].axes[at];
    bool const isLast = place + 1 == static_cast<int>(operands[0].shape.size());
    TW_ASSIGN(auto result, conversion.layer("Concatenate", {{"axis", isLast ? -1 : place}}, operands));
    return keep(conversion, node, OnnxConversion::like(std::move(result), operands[0]));
}

Result<OnnxOperand> slicedAlong(OnnxConversion &conversion, OnnxOperand const &x, std::int64_t axis, std::int64_t start, std::int64_t end)
{
    TW_ASSIGN(auto const place, conversion.layerAxis(x, axis));
    auto const n = x.shape[static_cast<std::size_t>(place)];
    if (start == 0 && end >= n) return x;
    return elementwise(conversion, "Slice", {{"axes", {place}}, {"starts", {start}}, {"ends", {end}}}, x);
}

Status split(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto const axis = node.integer("axis", 0);
    TW_ASSIGN(auto const place, conversion.layerAxis(x, axis));
    TW_ASSIGN(auto sizes, conversion.listed(node, "split", 1));
    auto const n = x.shape[static_cast<std::size_t>(place)], parts = std::ssize(node.outputs);
    if (sizes.empty()) sizes.assign(static_cast<std::size_t>(parts), (n + parts - 1) / parts);
    if (std::ssize(sizes) != parts) return onnxRefusal(Message::of("it has %1 sizes for %2 outputs", sizes.size(), parts));
    std::int64_t start = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 1) return onnxRefusal(Message::of("a part is empty"));
        TW_ASSIGN(auto part, slicedAlong(conversion, x, axis, start, std::min(n, start + sizes[i])));
        if (!node.outputs[i].empty()) conversion.set(node.outputs[i], std::move(part));
        start += sizes[i];
    }
    return {};
}

/// Elements of an axis by their places, which may repeat.
Result<OnnxOperand> taken(OnnxConversion &conversion, OnnxOperand const &x, std::int64_t axis, std::vector<std::int64_t> const &indices)
{
    constexpr std::size_t kMostParts = 4096; // each run of neighbours is an operation of the graph
    TW_ASSIGN(auto const place, conversion.layerAxis(x, axis));
    if (indices.size() > kMostParts) return onnxRefusal(Message::of("it takes %1 parts of an axis", indices.size()));
    return elementwise(conversion, "Gather", {{"axes", {place}}, {"indices", indices}}, x);
}

struct Steps {
    std::int64_t start, end, step;
};
Result<OnnxOperand> backwards(OnnxConversion &conversion, OnnxOperand const &x, std::int64_t axis, Steps steps)
{
    auto const n = x.extents().at(static_cast<std::size_t>(counted(axis, x.rank())));
    auto const inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + n : at, -1, n - 1); };
    std::vector<std::int64_t> indices;
    for (auto at = inside(steps.start); at > inside(steps.end) && std::ssize(indices) < n; at += steps.step) indices.push_back(at);
    if (indices.empty()) return onnxRefusal(Message::of("the slice is empty"));
    return taken(conversion, x, axis, indices);
}

Status slice(OnnxConversion &conversion, OnnxNode const &node)
{
    auto x = conversion.operand(node, 0);
    auto const extents = x.extents();
    TW_ASSIGN(auto starts, conversion.listed(node, "starts", 1));
    TW_ASSIGN(auto ends, conversion.listed(node, "ends", 2));
    TW_ASSIGN(auto axes, conversion.listed(node, "axes", 3));
    TW_ASSIGN(auto steps, conversion.listed(node, "steps", 4));
    if (axes.empty())
        for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    if (steps.empty()) steps.assign(axes.size(), 1);
    if (starts.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size())
        return onnxRefusal(Message::of("axes, starts, ends and steps differ in length"));
    Json places = Json::array(), from = Json::array(), to = Json::array(), by = Json::array();
    bool strided = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        auto const at = static_cast<std::size_t>(counted(axes[i], extents.size()));
        if (at >= extents.size()) return onnxRefusal(Message::of("axis %1 is none of its input %2", axes[i], toText(extents)));
        auto const n = extents[at];
        if (steps[i] < 0) {
            TW_ASSIGN(x, backwards(conversion, x, axes[i], {starts[i], ends[i], steps[i]}));
            continue;
        }
        if (steps[i] == 0) return onnxRefusal(Message::of("a step is 0"));
        auto const inside = [&](std::int64_t place) { return std::clamp<std::int64_t>(place < 0 ? place + n : place, 0, n); };
        auto const start = inside(starts[i]), end = inside(ends[i]);
        if (start == 0 && end == n && steps[i] == 1) continue;
        if (start >= end) return onnxRefusal(Message::of("the slice is empty"));
        TW_ASSIGN(auto const place, conversion.layerAxis(x, axes[i]));
        places.push_back(place);
        from.push_back(start);
        to.push_back(end);
        by.push_back(steps[i]);
        strided = strided || steps[i] > 1;
    }
    if (places.empty()) return keep(conversion, node, x);
    Json config{{"axes", places}, {"starts", from}, {"ends", to}};
    if (strided) config["steps"] = by;
    return keep(conversion, node, elementwise(conversion, "Slice", std::move(config), x));
}

/// Rows of a computed table by computed numbers: a product with one-hot rows.
Result<OnnxOperand> gatheredRows(OnnxConversion &conversion, OnnxOperand const &data, OnnxOperand const &indices, std::int64_t axis)
{
    auto const extents = data.extents(), places = indices.extents();
    if (axis != 0) return onnxRefusal(Message::of("its indices are computed, and its axis is not the first"));
    if (data.batchAxis() || indices.batchAxis()) return mixedSamples();
    Shape const rest(extents.begin() + 1, extents.end());
    TW_ASSIGN(auto const table, conversion.reshaped(data, {extents[0], elementCount(rest)}));
    TW_ASSIGN(auto const list, conversion.reshaped(indices, {elementCount(places)}));
    TW_ASSIGN(auto const rows, oneHotRows(conversion, list, extents[0], 1));
    TW_ASSIGN(auto result, matrixProduct(conversion, rows, table));
    auto shape = places;
    shape.insert(shape.end(), rest.begin(), rest.end());
    TW_ASSIGN(result, conversion.reshaped(result, shape));
    result.type = data.type;
    return result;
}

/// Rows of a table by computed numbers are an Embedding; parts of a tensor by constant numbers, an Operation.
Status gather(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &data = conversion.operand(node, 0), &at = conversion.operand(node, 1);
    auto const axis = counted(node.integer("axis", 0), data.rank());
    if (data.constant && !at.constant) {
        auto const &table = *data.constant;
        if (table.shape.size() != 2 || axis != 0 || data.isUniform) return onnxRefusal(Message::of("its table is no matrix of rows"));
        TW_ASSIGN(auto const indices, conversion.plain(at));
        TW_ASSIGN(auto result,
                  conversion.layer("Embedding", {{"input_dim", table.shape[0]}, {"output_dim", table.shape[1]}}, {indices},
                                   {fileArray("embeddings", table.shape, floatsOf(table))}));
        if (!data.isTrained) freeze(conversion, result);
        result.axes = indices.axes;
        result.axes.push_back(static_cast<int>(result.shape.size()) - 1);
        result.type = OnnxType::Float;
        return keep(conversion, node, result);
    }
    if (!at.constant) return keep(conversion, node, gatheredRows(conversion, data, at, axis));
    TW_ASSIGN(auto indices, conversion.integers(node, 1));
    auto const shape = at.constant->shape;
    TW_ASSIGN(auto const place, conversion.layerAxis(data, axis));
    auto const n = data.shape[static_cast<std::size_t>(place)];
    for (auto &index : indices) index = index < 0 ? index + n : index;
    TW_ASSIGN(auto result, taken(conversion, data, axis, indices));
    if (shape.size() == 1) return keep(conversion, node, result);
    auto extents = result.extents();
    extents.erase(extents.begin() + axis);
    extents.insert(extents.begin() + axis, shape.begin(), shape.end());
    return keep(conversion, node, conversion.reshaped(result, extents));
}

/// Padding with elements of the operand: the outermost, or those mirrored at it.
Result<OnnxOperand> paddedByOwn(OnnxConversion &conversion, OnnxOperand const &x, std::vector<std::int64_t> const &pads, bool mirrors)
{
    auto result = x;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        auto const before = pads[axis], after = pads[axis + x.rank()], n = x.extents()[axis];
        if (before == 0 && after == 0) continue;
        if (n < 1 || before < 0 || after < 0 || (mirrors && std::max(before, after) >= n))
            return onnxRefusal(Message::of("an amount does not fit its axis"));
        std::vector<std::int64_t> indices;
        for (auto at = -before; at < n + after; ++at) {
            auto const mirrored = at < 0 ? -at : at >= n ? 2 * (n - 1) - at : at;
            indices.push_back(mirrors ? mirrored : std::clamp<std::int64_t>(at, 0, n - 1));
        }
        TW_ASSIGN(result, taken(conversion, result, static_cast<std::int64_t>(axis), indices));
    }
    return result;
}

/// Amounts by axis of ONNX, first those before, then those behind.
Status pad(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto pads, conversion.listed(node, node.has("paddings") ? "paddings" : "pads", 1));
    auto const rank = x.rank();
    if (pads.size() != 2 * rank) return onnxRefusal(Message::of("it has %1 amounts for %2 axes", pads.size(), rank));
    if (std::ranges::all_of(pads, [](auto amount) { return amount == 0; })) return keep(conversion, node, x);
    double value = static_cast<double>(node.number("value", 0));
    if (conversion.has(node, 2)) {
        TW_ASSIGN(auto const given, conversion.constant(node, 2, "constant_value"));
        if (given.count() > 0) value = given.number(0);
    }
    if (node.text("mode", "constant") != "constant")
        return keep(conversion, node, paddedByOwn(conversion, x, pads, node.text("mode", "") == "reflect"));
    Shape before(x.shape.size() - 1, 0), after = before;
    bool isSpatial = x.shape.size() >= 4 && x.shape.size() <= 5 && value == 0;
    bool const last = x.axes.size() == x.shape.size() && x.axes[1] + 1 == static_cast<int>(x.shape.size());
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (pads[axis] == 0 && pads[axis + rank] == 0) continue;
        if (pads[axis] < 0 || pads[axis + rank] < 0) return onnxRefusal(Message::of("an amount is negative"));
        TW_ASSIGN(auto const place, conversion.layerAxis(x, static_cast<std::int64_t>(axis)));
        before[static_cast<std::size_t>(place) - 1] = pads[axis];
        after[static_cast<std::size_t>(place) - 1] = pads[axis + rank];
        if (place == (last ? std::ssize(x.shape) - 1 : 1)) isSpatial = false;
    }
    if (isSpatial) {
        Json amounts = Json::array();
        auto const first = last ? std::size_t{0} : std::size_t{1};
        for (std::size_t i = 0; i + 2 < x.shape.size(); ++i) amounts.push_back({before[first + i], after[first + i]});
        TW_ASSIGN(auto result,
                  conversion.layer("ZeroPadding" + std::to_string(x.shape.size() - 2) + "D",
                                   {{"padding", amounts}, {"data_format", last ? "channels_last" : "channels_first"}}, {x}));
        return keep(conversion, node, OnnxConversion::like(std::move(result), x));
    }
    auto all = before;
    all.insert(all.end(), after.begin(), after.end());
    Json config{{"pads", all}};
    if (value != 0)
        config["alpha"] = std::isfinite(value) ? value : std::copysign(static_cast<double>(std::numeric_limits<float>::max()), value);
    return keep(conversion, node, elementwise(conversion, "Pad", std::move(config), x));
}

Status expand(OnnxConversion &conversion, OnnxNode const &node)
{
    auto x = conversion.operand(node, 0);
    TW_ASSIGN(auto const sizes, conversion.integers(node, 1));
    while (x.rank() < sizes.size()) x.axes.insert(x.axes.begin(), -1);
    TW_ASSIGN(auto source, conversion.plain(x));
    auto const extents = source.extents();
    Json shape = Json::array();
    bool changes = false;
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        auto const back = extents.size() - axis;
        auto const wanted = back > sizes.size() ? 1 : sizes[sizes.size() - back];
        if (source.axes[axis] == 0) continue;
        if (wanted == kBatchExtent) return mixedSamples();
        shape.push_back(std::max(extents[axis], wanted));
        changes = changes || (extents[axis] == 1 && wanted > 1);
        order.push_back(axis);
    }
    if (!changes) return keep(conversion, node, x);
    return keep(conversion, node, elementwise(conversion, "Expand", {{"shape", shape}}, source));
}

Status tile(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto const source, conversion.plain(x));
    TW_ASSIGN(auto const repeats, conversion.integers(node, 1));
    if (repeats.size() != x.rank()) return onnxRefusal(Message::of("it repeats %1 axes of %2", repeats.size(), toText(x.extents())));
    Json shape = Json::array();
    for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
        if (source.axes[axis] != 0) shape.push_back(repeats[axis]);
        else if (repeats[axis] != 1) return mixedSamples();
    }
    return keep(conversion, node, elementwise(conversion, "Tile", {{"shape", shape}}, source));
}

/// Blocks of channels become pixels, or pixels channels.
Status blocks(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const x = conversion.operand(node, 0);
    auto const b = node.integer("blocksize", 1);
    auto const e = x.extents();
    if (e.size() != 4 || b < 1) return onnxRefusal(Message::of("its input is no image"));
    bool const toSpace = node.op == "DepthToSpace", columnFirst = node.text("mode", "DCR") == "CRD";
    Shape split, joined;
    std::vector<std::size_t> perm;
    if (toSpace) {
        split = columnFirst ? Shape{e[0], e[1] / (b * b), b, b, e[2], e[3]} : Shape{e[0], b, b, e[1] / (b * b), e[2], e[3]};
        perm = columnFirst ? std::vector<std::size_t>{0, 1, 4, 2, 5, 3} : std::vector<std::size_t>{0, 3, 4, 1, 5, 2};
        joined = {e[0], e[1] / (b * b), e[2] * b, e[3] * b};
    } else {
        split = {e[0], e[1], e[2] / b, b, e[3] / b, b};
        perm = {0, 3, 5, 1, 2, 4};
        joined = {e[0], e[1] * b * b, e[2] / b, e[3] / b};
    }
    TW_ASSIGN(auto const parts, conversion.reshaped(x, split));
    auto turned = parts;
    for (std::size_t i = 0; i < perm.size(); ++i) turned.axes[i] = parts.axes[perm[i]];
    return keep(conversion, node, conversion.reshaped(turned, joined));
}

/// The elements outside a triangle become 0: a product with a mask.
Status triangle(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    auto const e = x.extents();
    if (e.size() < 2) return onnxRefusal(Message::of("its input is no matrix"));
    std::int64_t k = 0;
    if (conversion.has(node, 1)) {
        TW_ASSIGN(auto const given, conversion.integers(node, 1));
        if (given.size() == 1) k = given[0];
    }
    auto const rows = e[e.size() - 2], columns = e.back();
    bool const upper = node.integer("upper", 1) != 0;
    if (rows == kBatchExtent || columns == kBatchExtent) return mixedSamples();
    if (rows * columns > 1 << 24) return onnxRefusal(Message::of("the matrix is too large"));
    std::vector<float> mask;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) mask.push_back((upper ? c - r >= k : c - r <= k) ? 1.0F : 0.0F);
    return keep(conversion, node, arithmetic(conversion, "Mul", x, constantOf({rows, columns}, std::move(mask))));
}

Status oneHot(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    TW_ASSIGN(auto const depth, conversion.constant(node, 1, "depth"));
    TW_ASSIGN(auto const values, conversion.constant(node, 2, "values"));
    if (depth.count() != 1 || values.count() != 2) return onnxRefusal(Message::of("its depth or values are no single numbers"));
    TW_ASSIGN(auto const source, conversion.plain(x));
    TW_ASSIGN(auto result,
              operation(conversion, "OneHot",
                        {{"size", static_cast<std::int64_t>(depth.number(0))}, {"alpha", values.number(0)}, {"beta", values.number(1)}},
                        {source}));
    result.axes = source.axes;
    auto const axis = counted(node.integer("axis", -1), source.rank() + 1);
    if (axis < 0 || axis > std::ssize(result.axes)) return onnxRefusal(Message::of("axis %1 is none of its result", axis));
    result.axes.insert(result.axes.begin() + axis, static_cast<int>(result.shape.size()) - 1);
    result.type = values.type;
    return keep(conversion, node, result);
}

} // namespace

std::span<OnnxRule const> moveRules()
{
    static std::vector<OnnxRule> const all{
        {"Reshape", reshape},     {"Flatten", flatten}, {"Squeeze", squeeze},     {"Unsqueeze", unsqueeze}, {"Transpose", transpose},
        {"Concat", concat, true}, {"Split", split},     {"Slice", slice},         {"Gather", gather, true}, {"Pad", pad},
        {"Expand", expand},       {"Tile", tile},       {"DepthToSpace", blocks}, {"SpaceToDepth", blocks}, {"Trilu", triangle},
        {"OneHot", oneHot}};
    return all;
}

} // namespace tilewright::interop
