// Rules for operators that read or write elements by their indices.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tilewright::interop {

using model::Json;

Result<OnnxOperand> oneHotRows(OnnxConversion &conversion, OnnxOperand const &x, std::int64_t size, std::size_t axis)
{
    TW_ASSIGN(auto const source, conversion.plain(x));
    TW_ASSIGN(auto rows, operation(conversion, "OneHot", {{"size", size}}, {source}));
    rows.axes = source.axes;
    rows.axes.insert(rows.axes.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<int>(rows.shape.size()) - 1);
    return rows;
}

namespace {

OnnxOperand zero() { return constantOf({}, {0.0F}); }

/// The operand under one more axis of ONNX at the end: axis `axis`, which has one element in its old place.
OnnxOperand withAxisLast(OnnxOperand x, std::size_t axis)
{
    x.axes.push_back(x.axes[axis]);
    x.axes[axis] = -1;
    return x;
}

/// x and the indices into its axis `axis`, both computed. Error: they differ in another axis.
struct Indexed {
    OnnxOperand x, indices;
    std::size_t axis = 0;
    std::int64_t size = 0;
};
Result<Indexed> indexed(OnnxConversion &conversion, OnnxNode const &node)
{
    Indexed all{conversion.operand(node, 0), conversion.operand(node, 1)};
    TW_ASSIGN(all.axis, axisOf(node, all.x, 0));
    for (auto *operand : {&all.x, &all.indices}) {
        auto const &other = operand == &all.x ? all.indices : all.x;
        if (operand->constant) { TW_ASSIGN(*operand, conversion.asComputed(*operand, other.batchAxis())); }
    }
    if (all.x.batchAxis() == all.axis) return mixedSamples();
    auto own = all.x.extents(), others = all.indices.extents();
    if (own.size() != others.size()) return onnxRefusal(Message::of("its indices %1 do not fit its input %2", toText(others), toText(own)));
    all.size = own[all.axis];
    own[all.axis] = others[all.axis];
    if (own != others) return onnxRefusal(Message::of("its indices %1 do not fit its input %2", toText(others), toText(all.x.extents())));
    return all;
}

/// Sums over one-hot rows.
Status gatherElements(OnnxConversion &conversion, OnnxNode const &node)
{
    TW_ASSIGN(auto const all, indexed(conversion, node));
    auto const rank = all.x.rank();
    TW_ASSIGN(auto const rows, oneHotRows(conversion, all.indices, all.size, rank));
    TW_ASSIGN(auto const chosen, selection(conversion, {rows, withAxisLast(all.x, all.axis), zero()}));
    return keep(conversion, node, reducedBy(conversion, "ReduceSum", chosen, {rank}, false), all.x.type);
}

Status scatterElements(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const reduction = node.text("reduction", "none");
    if (reduction != "none" && reduction != "add") return onnxRefusal(Message::of("its reduction is %1", reduction));
    TW_ASSIGN(auto const all, indexed(conversion, node));
    auto const rank = all.x.rank();
    TW_ASSIGN(auto const rows, oneHotRows(conversion, all.indices, all.size, rank));
    auto updates = conversion.operand(node, 2);
    if (updates.constant) updates.constant->shape.push_back(1);
    else updates.axes.push_back(-1);
    TW_ASSIGN(auto const chosen, selection(conversion, {rows, updates, zero()}));
    // The last axis takes the place of the one that the sum removes.
    auto const summed = [&](std::string const &op, OnnxOperand const &of) -> Result<OnnxOperand> {
        TW_ASSIGN(auto result, reducedBy(conversion, op, of, {all.axis}, false));
        auto const last = result.axes.back();
        result.axes.pop_back();
        result.axes.insert(result.axes.begin() + static_cast<std::ptrdiff_t>(all.axis), last);
        return result;
    };
    TW_ASSIGN(auto const written, summed("ReduceSum", chosen));
    if (reduction == "add") return keep(conversion, node, arithmetic(conversion, "Add", all.x, written), all.x.type);
    TW_ASSIGN(auto const covered, summed("ReduceMax", rows));
    return keep(conversion, node, selection(conversion, {covered, written, all.x}), all.x.type);
}

/// The numbers of the places that constant tuples of indices name, among `tuple` axes from `first` on.
struct Places {
    std::vector<std::int64_t> numbers;
    std::size_t tuple = 0;
};
Result<Places> placesOf(OnnxConversion &conversion, OnnxNode const &node, Shape const &extents, std::size_t batchAxes)
{
    TW_ASSIGN(auto const indices, conversion.integers(node, 1));
    auto const &shape = conversion.operand(node, 1).constant->shape;
    Places places;
    if (shape.empty() || shape.back() < 1) return onnxRefusal(Message::of("its indices have no axes"));
    places.tuple = static_cast<std::size_t>(shape.back());
    if (batchAxes + places.tuple > extents.size() || batchAxes >= shape.size())
        return onnxRefusal(Message::of("its indices %1 do not fit its input %2", toText(shape), toText(extents)));
    auto const inEach = elementCount(Shape(shape.begin() + static_cast<std::ptrdiff_t>(batchAxes), shape.end() - 1));
    for (std::size_t at = 0; at < indices.size(); at += places.tuple) {
        auto number = static_cast<std::int64_t>(at / places.tuple) / std::max<std::int64_t>(1, inEach);
        for (std::size_t i = 0; i < places.tuple; ++i) {
            auto const n = extents[batchAxes + i];
            auto const index = indices[at + i] < 0 ? indices[at + i] + n : indices[at + i];
            if (index < 0 || index >= n) return onnxRefusal(Message::of("the index %1 is outside an axis of %2", index, n));
            number = number * n + index;
        }
        places.numbers.push_back(number);
    }
    return places;
}

/// The input with `axes` axes joined to one.
Result<OnnxOperand> joined(OnnxConversion &conversion, OnnxOperand const &x, std::size_t axes)
{
    auto const extents = x.extents();
    auto const middle = extents.begin() + static_cast<std::ptrdiff_t>(axes);
    if (auto const batch = x.batchAxis(); batch && *batch < axes) return mixedSamples();
    Shape shape{elementCount(Shape(extents.begin(), middle))};
    shape.insert(shape.end(), middle, extents.end());
    return conversion.reshaped(x, shape);
}

Status gatherNd(OnnxConversion &conversion, OnnxNode const &node)
{
    constexpr std::size_t kMostParts = 4096;
    auto const &x = conversion.operand(node, 0);
    auto const extents = x.extents();
    auto const batchAxes = static_cast<std::size_t>(std::max<std::int64_t>(0, node.integer("batch_dims", 0)));
    TW_ASSIGN(auto const places, placesOf(conversion, node, extents, batchAxes));
    if (places.numbers.size() > kMostParts) return onnxRefusal(Message::of("it takes %1 parts of an axis", places.numbers.size()));
    TW_ASSIGN(auto const list, joined(conversion, x, batchAxes + places.tuple));
    TW_ASSIGN(auto const place, conversion.layerAxis(list, 0));
    TW_ASSIGN(auto const taken, elementwise(conversion, "Gather", {{"axes", {place}}, {"indices", places.numbers}}, list));
    auto shape = conversion.operand(node, 1).constant->shape;
    shape.pop_back();
    shape.insert(shape.end(), extents.begin() + static_cast<std::ptrdiff_t>(batchAxes + places.tuple), extents.end());
    return keep(conversion, node, conversion.reshaped(taken, shape), x.type);
}

/// Updates at constant places: a product with the matrix of the places, beside a mask of what they cover.
Status scatterNd(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const reduction = node.text("reduction", "none");
    if (reduction != "none" && reduction != "add" && reduction != "mul") return onnxRefusal(Message::of("its reduction is %1", reduction));
    auto x = conversion.operand(node, 0), updates = conversion.operand(node, 2);
    if (x.constant) { TW_ASSIGN(x, conversion.asComputed(x, updates.batchAxis())); }
    if (updates.constant) { TW_ASSIGN(updates, conversion.asComputed(updates, x.batchAxis())); }
    auto const extents = x.extents();
    TW_ASSIGN(auto const places, placesOf(conversion, node, extents, 0));
    auto numbers = places.numbers;
    std::ranges::sort(numbers);
    bool const repeats = std::ranges::adjacent_find(numbers) != numbers.end();
    if (reduction == "mul" && repeats) return onnxRefusal(Message::of("it multiplies an element several times"));
    TW_ASSIGN(auto const list, joined(conversion, x, places.tuple));
    TW_ASSIGN(auto const given, joined(conversion, updates, conversion.operand(node, 1).constant->shape.size() - 1));
    auto const rows = list.extents()[0], count = std::ssize(places.numbers);
    auto const width = elementCount(list.extents()) / std::max<std::int64_t>(1, rows);
    if (list.batchAxis() || given.batchAxis()) return mixedSamples();
    if (rows * count > 1 << 24) return onnxRefusal(Message::of("the matrix is too large"));
    std::vector<float> matrix(static_cast<std::size_t>(rows * count), 0), cover(static_cast<std::size_t>(rows), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        auto const row = places.numbers[static_cast<std::size_t>(i)];
        matrix[static_cast<std::size_t>(row * count + i)] = 1;
        cover[static_cast<std::size_t>(row)] = 1;
    }
    TW_ASSIGN(auto const before, conversion.reshaped(list, {rows, width}));
    TW_ASSIGN(auto const changes, conversion.reshaped(given, {count, width}));
    TW_ASSIGN(auto const written, matrixProduct(conversion, constantOf({rows, count}, std::move(matrix)), changes));
    auto const covers = constantOf({rows, 1}, std::move(cover));
    Result<OnnxOperand> result = before;
    if (reduction == "add") result = arithmetic(conversion, "Add", before, written);
    else if (reduction == "none") result = selection(conversion, {covers, written, before});
    else {
        TW_ASSIGN(auto const product, arithmetic(conversion, "Mul", before, written));
        result = selection(conversion, {covers, product, before});
    }
    if (!result.ok()) return result.error();
    return keep(conversion, node, conversion.reshaped(*result, extents), x.type);
}

/// The largest or least elements of an axis in order: maxima one after the other, each out of what the ones before left.
Status topK(OnnxConversion &conversion, OnnxNode const &node)
{
    constexpr std::int64_t kMostParts = 64;
    auto const x = conversion.operand(node, 0);
    TW_ASSIGN(auto const axis, axisOf(node, x, -1));
    TW_ASSIGN(auto const place, conversion.layerAxis(x, static_cast<std::int64_t>(axis)));
    std::int64_t count = node.integer("k", 0);
    if (conversion.has(node, 1)) {
        TW_ASSIGN(auto const given, conversion.integers(node, 1));
        if (given.size() == 1) count = given[0];
    }
    auto const size = x.extents()[axis];
    if (count < 1 || count > size || count > kMostParts) return onnxRefusal(Message::of("it takes %1 of %2 elements", count, size));
    bool const isLargest = node.integer("largest", 1) != 0;
    auto const lost = (isLargest ? -1.0F : 1.0F) * std::numeric_limits<float>::max();
    auto left = x;
    std::vector<OnnxOperand> values, indices;
    auto const reduced = [&](char const *op) -> Result<OnnxOperand> {
        TW_ASSIGN(auto result, operation(conversion, op, {{"axes", {place}}, {"keepdims", true}}, {left}));
        return OnnxConversion::like(std::move(result), left);
    };
    for (std::int64_t i = 0; i < count; ++i) {
        TW_ASSIGN(auto value, reduced(isLargest ? "ReduceMax" : "ReduceMin"));
        TW_ASSIGN(auto index, reduced(isLargest ? "ArgMax" : "ArgMin"));
        values.push_back(std::move(value));
        indices.push_back(index);
        if (i + 1 == count) break;
        auto extents = index.extents();
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
        TW_ASSIGN(auto const flat, conversion.reshaped(index, extents));
        TW_ASSIGN(auto const rows, oneHotRows(conversion, flat, size, axis));
        TW_ASSIGN(left, selection(conversion, {rows, constantOf({}, {lost}), left}));
        TW_ASSIGN(left, conversion.arranged(left, x.order()));
    }
    auto const joinedParts = [&](std::vector<OnnxOperand> const &parts) -> Result<OnnxOperand> {
        if (parts.size() == 1) return parts[0];
        TW_ASSIGN(auto result, conversion.layer("Concatenate", {{"axis", place}}, parts));
        return OnnxConversion::like(std::move(result), x);
    };
    if (node.outputs.size() > 1 && !node.outputs[1].empty() && conversion.readers(node.outputs[1]) > 0) {
        TW_ASSIGN(auto result, joinedParts(indices));
        result.type = OnnxType::Int64;
        conversion.set(node.outputs[1], std::move(result));
    }
    if (node.outputs[0].empty()) return {};
    return keep(conversion, node, joinedParts(values), x.type);
}

/// The identity matrix in the shape of the input.
Status eyeLike(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    auto const extents = x.extents();
    if (extents.size() != 2) return onnxRefusal(Message::of("its input is no matrix"));
    if (x.batchAxis()) return mixedSamples();
    if (elementCount(extents) > 1 << 24) return onnxRefusal(Message::of("the matrix is too large"));
    std::vector<float> values;
    for (std::int64_t row = 0; row < extents[0]; ++row)
        for (std::int64_t column = 0; column < extents[1]; ++column) values.push_back(column - row == node.integer("k", 0) ? 1.0F : 0.0F);
    auto matrix = constantOf(extents, std::move(values));
    matrix.type = static_cast<OnnxType>(node.integer("dtype", static_cast<std::int64_t>(x.type)));
    conversion.set(node.outputs.at(0), std::move(matrix));
    return {};
}

} // namespace

std::span<OnnxRule const> indexRules()
{
    static std::vector<OnnxRule> const all{{"GatherElements", gatherElements, true},
                                           {"ScatterElements", scatterElements, true},
                                           {"Scatter", scatterElements, true},
                                           {"GatherND", gatherNd},
                                           {"ScatterND", scatterNd, true},
                                           {"EyeLike", eyeLike},
                                           {"TopK", topK}};
    return all;
}

} // namespace tilewright::interop
