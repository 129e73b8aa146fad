#include "engine/interop/onnx_file.h"

#include "engine/core/limits.h"
#include "engine/core/safe_text.h"
#include "engine/interop/library_child.h"
#include "engine/interop/onnx_child.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilewright::interop {

OnnxAttribute const *OnnxNode::find(std::string_view attribute) const
{
    auto const found = std::ranges::find(attributes, attribute, &OnnxAttribute::name);
    return found == attributes.end() ? nullptr : &*found;
}

std::int64_t OnnxNode::integer(std::string_view attribute, std::int64_t otherwise) const
{
    auto const *found = find(attribute);
    return found && !found->integers.empty() ? found->integers.front() : otherwise;
}

float OnnxNode::number(std::string_view attribute, float otherwise) const
{
    auto const *found = find(attribute);
    return found && !found->floats.empty() ? found->floats.front() : otherwise;
}

std::string OnnxNode::text(std::string_view attribute, std::string const &otherwise) const
{
    auto const *found = find(attribute);
    return found && !found->texts.empty() ? found->texts.front() : otherwise;
}

std::vector<std::int64_t> OnnxNode::integers(std::string_view attribute) const
{
    auto const *found = find(attribute);
    return found ? found->integers : std::vector<std::int64_t>();
}

OnnxNode &OnnxNode::with(std::string attribute, std::int64_t value)
{
    attributes.push_back({std::move(attribute), OnnxAttribute::Kind::Integer, {}, {value}, {}});
    return *this;
}

OnnxNode &OnnxNode::with(std::string attribute, float value)
{
    attributes.push_back({std::move(attribute), OnnxAttribute::Kind::Float, {value}, {}, {}});
    return *this;
}

OnnxNode &OnnxNode::with(std::string attribute, std::vector<std::int64_t> values)
{
    attributes.push_back({std::move(attribute), OnnxAttribute::Kind::Integers, {}, std::move(values), {}});
    return *this;
}

OnnxNode &OnnxNode::withText(std::string attribute, std::string value)
{
    attributes.push_back({std::move(attribute), OnnxAttribute::Kind::Text, {}, {}, {std::move(value)}});
    return *this;
}

OnnxNode &OnnxNode::withTexts(std::string attribute, std::vector<std::string> values)
{
    attributes.push_back({std::move(attribute), OnnxAttribute::Kind::Texts, {}, {}, std::move(values)});
    return *this;
}

namespace {

Diagnostic onnxDamaged(std::string subject, std::string const &why)
{
    return makeError(ErrorKind::Invalid, "import.onnx", std::move(subject), Message::of("the ONNX file cannot be read: %1.", why),
                     Message::of("Export the model again, and test it with onnx.checker.check_model(FILE)."));
}

Diagnostic noOnnx(std::string subject)
{
    return makeError(ErrorKind::Usage, "import.no-onnx", std::move(subject), Message::of("this build has no module for ONNX files."),
                     Message::of("Build with libonnx-dev and libprotobuf-dev, or save the model with Keras."));
}

constexpr ChildLibrary kOnnxLibrary{"tilewright-onnx.so", "libonnx1", onnxDamaged, noOnnx};

bool hearValue(ChildReader &reader, OnnxValue &value)
{
    std::uint32_t count = 0;
    char hasShape = 0;
    if (!reader.text(value.name) || !reader.number(value.type) || !reader.take(&hasShape, 1) || !reader.count(count)) return false;
    value.hasShape = hasShape != 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        auto &extent = value.extents.emplace_back();
        if (!reader.number(extent.size) || !reader.text(extent.name)) return false;
    }
    return true;
}

bool hearTensor(ChildReader &reader, OnnxTensor &tensor)
{
    std::int64_t count = 0;
    OnnxNumbers kind = OnnxNumbers::None;
    if (!reader.text(tensor.name) || !reader.number(tensor.type) || !reader.shape(tensor.shape, count) || !reader.number(kind))
        return false;
    auto const size = static_cast<std::size_t>(count);
    if (kind == OnnxNumbers::Floats) {
        if (!tensor.isFloat() || !reader.reserve(4 * count)) return false;
        tensor.floats.resize(size);
        return reader.take(tensor.floats.data(), 4 * size);
    }
    if (kind == OnnxNumbers::Integers) {
        if (tensor.isFloat() || !reader.reserve(8 * count)) return false;
        tensor.integers.resize(size);
        return reader.take(tensor.integers.data(), 8 * size);
    }
    return tensor.type == OnnxType::Text;
}

bool hearAttribute(ChildReader &reader, OnnxAttribute &attribute)
{
    std::uint32_t count = 0;
    if (!reader.text(attribute.name) || !reader.number(attribute.kind)) return false;
    switch (attribute.kind) {
    case OnnxAttribute::Kind::Float:
    case OnnxAttribute::Kind::Floats:
        if (!reader.count(count)) return false;
        attribute.floats.resize(count);
        return reader.take(attribute.floats.data(), 4 * std::size_t{count});
    case OnnxAttribute::Kind::Integer:
    case OnnxAttribute::Kind::Integers:
        if (!reader.count(count)) return false;
        attribute.integers.resize(count);
        return reader.take(attribute.integers.data(), 8 * std::size_t{count});
    case OnnxAttribute::Kind::Text:
    case OnnxAttribute::Kind::Texts:
        if (!reader.count(count)) return false;
        for (std::uint32_t i = 0; i < count; ++i)
            if (!reader.text(attribute.texts.emplace_back())) return false;
        return true;
    case OnnxAttribute::Kind::Tensor: return hearTensor(reader, attribute.tensor);
    case OnnxAttribute::Kind::Other: return true;
    }
    return false;
}

bool hearNode(ChildReader &reader, OnnxNode &node)
{
    if (!reader.text(node.op) || !reader.text(node.domain) || !reader.text(node.name)) return false;
    std::uint32_t count = 0;
    for (auto *list : {&node.inputs, &node.outputs}) {
        if (!reader.count(count)) return false;
        for (std::uint32_t i = 0; i < count; ++i)
            if (!reader.text(list->emplace_back())) return false;
    }
    if (!reader.count(count)) return false;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!hearAttribute(reader, node.attributes.emplace_back())) return false;
    return true;
}

bool hearOnnx(char kind, ChildReader &reader, OnnxGraph &graph)
{
    switch (static_cast<OnnxMessage>(kind)) {
    case OnnxMessage::Model: return reader.text(graph.name) && reader.text(graph.producer) && reader.number(graph.opset);
    case OnnxMessage::Input: return hearValue(reader, graph.inputs.emplace_back());
    case OnnxMessage::Output: return hearValue(reader, graph.outputs.emplace_back());
    case OnnxMessage::Initializer: return hearTensor(reader, graph.initializers.emplace_back());
    case OnnxMessage::Node: return hearNode(reader, graph.nodes.emplace_back());
    }
    return false;
}

/// Names become those of layers. (Texts of attributes may be any bytes.)
bool namesAreUtf8(OnnxGraph const &graph)
{
    auto const areUtf8 = [](std::vector<std::string> const &names) { return std::ranges::all_of(names, isUtf8); };
    auto const ofValue = [](OnnxValue const &value) {
        return isUtf8(value.name) && std::ranges::all_of(value.extents, [](auto const &extent) { return isUtf8(extent.name); });
    };
    auto const ofNode = [&](OnnxNode const &node) {
        return areUtf8({node.op, node.domain, node.name}) && areUtf8(node.inputs) && areUtf8(node.outputs)
            && std::ranges::all_of(node.attributes, [](auto const &attribute) { return isUtf8(attribute.name); });
    };
    return areUtf8({graph.name, graph.producer}) && std::ranges::all_of(graph.inputs, ofValue)
        && std::ranges::all_of(graph.outputs, ofValue)
        && std::ranges::all_of(graph.initializers, [](auto const &tensor) { return isUtf8(tensor.name); })
        && std::ranges::all_of(graph.nodes, ofNode);
}

} // namespace

Result<OnnxGraph> readOnnx(std::filesystem::path const &path, JobContext const &job)
{
    ChildLimits const limits{limitOf(Limit::Elements), limitOf(Limit::InflatedBytes), limitOf(Limit::JsonBytes)};
    OnnxGraph graph;
    auto const file = path.string();
    auto const work = [&](void *module, int descriptor) {
        auto *const tell = functionIn<TellOnnx>(module, kTellOnnx);
        if (tell) tell(descriptor, file.c_str(), limits);
        return tell != nullptr;
    };
    TW_TRY(inLibraryChild(kOnnxLibrary, file, limits, job, work,
                          [&](char kind, ChildReader &reader) { return hearOnnx(kind, reader, graph); }));
    if (!namesAreUtf8(graph)) return onnxDamaged(file, "a name in it is not UTF-8");
    return graph;
}

Result<std::string> onnxImage(OnnxGraph const &graph, std::string const &name, JobContext const &job)
{
    ChildLimits limits{limitOf(Limit::Elements), 0, limitOf(Limit::JsonBytes)};
    for (auto const &tensor : graph.initializers) limits.bytes += 4 * tensor.count() * 4;
    auto const work = [&](void *module, int descriptor) {
        auto *const tell = functionIn<ImageOnnx>(module, kImageOnnx);
        if (tell) tell(descriptor, graph);
        return tell != nullptr;
    };
    return inLibraryChild(kOnnxLibrary, name, limits, job, work, [](char, ChildReader &) { return false; });
}

bool hasOnnx() { return hasModule(kOnnxLibrary); }

} // namespace tilewright::interop
