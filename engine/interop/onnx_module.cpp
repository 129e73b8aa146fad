// The module that links libonnx and protobuf, loaded only in the child process that reads or writes a file. Whatever happens here, the
// parent has an error to show.
#include "engine/interop/onnx_child.h"

#include "engine/kernels/half.h"

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/stubs/logging.h>

#include <cstring>
#include <exception>
#include <fcntl.h>
#include <limits>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace tilewright::interop {

namespace {

constexpr int kDepth = 64; // of messages inside messages

/// The numbers of a tensor, from its raw bytes or from the list of its type.
template <typename Stored, typename Number, typename List>
bool collect(onnx::TensorProto const &tensor, List const &list, std::size_t count, std::vector<Number> &to)
{
    if (tensor.has_raw_data()) {
        auto const &raw = tensor.raw_data();
        if (raw.size() != count * sizeof(Stored)) return false;
        for (std::size_t i = 0; i < count; ++i) {
            Stored value;
            std::memcpy(&value, raw.data() + i * sizeof value, sizeof value);
            to.push_back(static_cast<Number>(value));
        }
        return true;
    }
    if (static_cast<std::size_t>(list.size()) != count) return false;
    for (auto const value : list) to.push_back(static_cast<Number>(static_cast<Stored>(value)));
    return true;
}

class Reader {
public:
    Reader(Teller &teller, ChildLimits const &limits) : m_tell(teller), m_limits(limits) {}

    bool model(onnx::ModelProto const &model)
    {
        auto const &graph = model.graph();
        std::int64_t opset = 1;
        for (auto const &set : model.opset_import())
            if (set.domain().empty() || set.domain() == "ai.onnx") opset = set.version();
        m_tell.kind(OnnxMessage::Model);
        m_tell.text(graph.name());
        m_tell.text(model.producer_name());
        m_tell.number64(opset);
        for (auto const &value : graph.input()) this->value(OnnxMessage::Input, value);
        for (auto const &value : graph.output()) this->value(OnnxMessage::Output, value);
        for (auto const &tensor : graph.initializer()) {
            m_tell.kind(OnnxMessage::Initializer);
            if (!this->tensor(tensor, tensor.name())) return false;
        }
        if (graph.sparse_initializer_size() > 0)
            return refuse(graph.sparse_initializer(0).values().name(), "sparse tensors cannot be read");
        for (auto const &node : graph.node())
            if (!this->node(node)) return false;
        return true;
    }

private:
    bool refuse(std::string const &path, std::string const &why)
    {
        m_tell.error(path, why);
        return false;
    }

    void value(OnnxMessage kind, onnx::ValueInfoProto const &value)
    {
        auto const &type = value.type().tensor_type();
        m_tell.kind(kind);
        m_tell.text(value.name());
        m_tell.number32(static_cast<std::uint32_t>(value.type().has_tensor_type() ? type.elem_type() : 0));
        m_tell.bytes(type.has_shape() ? "1" : "\0", 1);
        m_tell.number32(static_cast<std::uint32_t>(type.shape().dim_size()));
        for (auto const &extent : type.shape().dim()) {
            m_tell.number64(extent.has_dim_value() ? extent.dim_value() : -1);
            m_tell.text(extent.dim_param());
        }
    }

    bool tensor(onnx::TensorProto const &tensor, std::string const &path)
    {
        if (tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.has_segment())
            return refuse(path, "the numbers lie in another file");
        std::int64_t count = 1;
        for (auto const extent : tensor.dims()) {
            if (extent < 0) return refuse(path, "an extent is negative");
            if (__builtin_mul_overflow(count, extent, &count) || count > m_limits.elements) {
                m_tell.tooLarge(path, "elements");
                return false;
            }
        }
        m_bytes += 8 * count;
        if (m_bytes > 2 * m_limits.bytes) {
            m_tell.tooLarge(path, "inflated_bytes");
            return false;
        }
        m_tell.text(tensor.name());
        m_tell.number32(static_cast<std::uint32_t>(tensor.data_type()));
        m_tell.number32(static_cast<std::uint32_t>(tensor.dims_size()));
        for (auto const extent : tensor.dims()) m_tell.number64(extent);
        return numbers(tensor, static_cast<std::size_t>(count), path);
    }

    bool numbers(onnx::TensorProto const &tensor, std::size_t count, std::string const &path)
    {
        std::vector<float> floats;
        std::vector<std::int64_t> integers;
        std::vector<std::uint16_t> halves;
        bool whole = true;
        switch (tensor.data_type()) {
        case onnx::TensorProto::FLOAT: whole = collect<float>(tensor, tensor.float_data(), count, floats); break;
        case onnx::TensorProto::DOUBLE: whole = collect<double>(tensor, tensor.double_data(), count, floats); break;
        case onnx::TensorProto::FLOAT16:
            whole = collect<std::uint16_t>(tensor, tensor.int32_data(), count, halves);
            for (auto const half : halves) floats.push_back(kernels::halfToFloat(half));
            break;
        case onnx::TensorProto::INT64: whole = collect<std::int64_t>(tensor, tensor.int64_data(), count, integers); break;
        case onnx::TensorProto::INT32: whole = collect<std::int32_t>(tensor, tensor.int32_data(), count, integers); break;
        case onnx::TensorProto::INT8: whole = collect<std::int8_t>(tensor, tensor.int32_data(), count, integers); break;
        case onnx::TensorProto::UINT8: whole = collect<std::uint8_t>(tensor, tensor.int32_data(), count, integers); break;
        case onnx::TensorProto::BOOL: whole = collect<std::uint8_t>(tensor, tensor.int32_data(), count, integers); break;
        case onnx::TensorProto::STRING: m_tell.kind(OnnxNumbers::None); return true;
        default: return refuse(path, "the type of this tensor cannot be read");
        }
        if (!whole) return refuse(path, "the tensor does not hold as many numbers as its shape");
        bool const isFloat = tensor.data_type() == onnx::TensorProto::FLOAT || tensor.data_type() == onnx::TensorProto::DOUBLE
            || tensor.data_type() == onnx::TensorProto::FLOAT16;
        m_tell.kind(isFloat ? OnnxNumbers::Floats : OnnxNumbers::Integers);
        if (isFloat) m_tell.bytes(floats.data(), 4 * floats.size());
        else m_tell.bytes(integers.data(), 8 * integers.size());
        return true;
    }

    template <typename Kind> void attributeKind(onnx::AttributeProto const &attribute, Kind kind, std::size_t count)
    {
        m_tell.text(attribute.name());
        m_tell.kind(kind);
        m_tell.number32(static_cast<std::uint32_t>(count));
    }

    bool attribute(onnx::AttributeProto const &attribute, std::string const &path)
    {
        using Kind = OnnxAttribute::Kind;
        auto const size = [](auto const &list) { return static_cast<std::size_t>(list.size()); };
        switch (attribute.type()) {
        case onnx::AttributeProto::FLOAT: {
            attributeKind(attribute, Kind::Float, 1);
            float const value = attribute.f();
            m_tell.bytes(&value, 4);
            return true;
        }
        case onnx::AttributeProto::INT:
            attributeKind(attribute, Kind::Integer, 1);
            m_tell.number64(attribute.i());
            return true;
        case onnx::AttributeProto::STRING:
            attributeKind(attribute, Kind::Text, 1);
            m_tell.text(attribute.s());
            return true;
        case onnx::AttributeProto::FLOATS:
            attributeKind(attribute, Kind::Floats, size(attribute.floats()));
            for (float const value : attribute.floats()) m_tell.bytes(&value, 4);
            return true;
        case onnx::AttributeProto::INTS:
            attributeKind(attribute, Kind::Integers, size(attribute.ints()));
            for (auto const value : attribute.ints()) m_tell.number64(value);
            return true;
        case onnx::AttributeProto::STRINGS:
            attributeKind(attribute, Kind::Texts, size(attribute.strings()));
            for (auto const &value : attribute.strings()) m_tell.text(value);
            return true;
        case onnx::AttributeProto::TENSOR:
            m_tell.text(attribute.name());
            m_tell.kind(Kind::Tensor);
            return tensor(attribute.t(), path + "/" + attribute.name());
        default:
            m_tell.text(attribute.name());
            m_tell.kind(Kind::Other);
            return true;
        }
    }

    bool node(onnx::NodeProto const &node)
    {
        auto const path = node.name().empty() ? node.op_type() : node.name();
        m_tell.kind(OnnxMessage::Node);
        m_tell.text(node.op_type());
        m_tell.text(node.domain());
        m_tell.text(node.name());
        m_tell.number32(static_cast<std::uint32_t>(node.input_size()));
        for (auto const &input : node.input()) m_tell.text(input);
        m_tell.number32(static_cast<std::uint32_t>(node.output_size()));
        for (auto const &output : node.output()) m_tell.text(output);
        m_tell.number32(static_cast<std::uint32_t>(node.attribute_size()));
        for (auto const &attribute : node.attribute())
            if (!this->attribute(attribute, path)) return false;
        return true;
    }

    Teller &m_tell;
    ChildLimits const &m_limits;
    std::int64_t m_bytes = 0;
};

bool parse(char const *path, onnx::ModelProto &model)
{
    int const file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    google::protobuf::io::FileInputStream stream(file);
    google::protobuf::io::CodedInputStream coded(&stream);
    coded.SetTotalBytesLimit(std::numeric_limits<int>::max());
    coded.SetRecursionLimit(kDepth);
    bool const whole = model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
    ::close(file);
    return whole;
}

/// The checker's words without its traces of the source.
std::string firstLine(char const *text)
{
    std::string const all = text;
    return all.substr(0, all.find('\n'));
}

void fill(onnx::TensorProto &to, OnnxTensor const &tensor)
{
    to.set_name(tensor.name);
    to.set_data_type(static_cast<int>(tensor.type));
    for (auto const extent : tensor.shape) to.add_dims(extent);
    auto &raw = *to.mutable_raw_data();
    if (tensor.isFloat()) raw.assign(reinterpret_cast<char const *>(tensor.floats.data()), 4 * tensor.floats.size());
    else raw.assign(reinterpret_cast<char const *>(tensor.integers.data()), 8 * tensor.integers.size());
}

void fill(onnx::AttributeProto &to, OnnxAttribute const &attribute)
{
    using Kind = OnnxAttribute::Kind;
    to.set_name(attribute.name);
    switch (attribute.kind) {
    case Kind::Float:
        to.set_type(onnx::AttributeProto::FLOAT);
        to.set_f(attribute.floats.front());
        return;
    case Kind::Integer:
        to.set_type(onnx::AttributeProto::INT);
        to.set_i(attribute.integers.front());
        return;
    case Kind::Text:
        to.set_type(onnx::AttributeProto::STRING);
        to.set_s(attribute.texts.front());
        return;
    case Kind::Floats:
        to.set_type(onnx::AttributeProto::FLOATS);
        for (float const value : attribute.floats) to.add_floats(value);
        return;
    case Kind::Integers:
        to.set_type(onnx::AttributeProto::INTS);
        for (auto const value : attribute.integers) to.add_ints(value);
        return;
    case Kind::Texts:
        to.set_type(onnx::AttributeProto::STRINGS);
        for (auto const &value : attribute.texts) to.add_strings(value);
        return;
    case Kind::Tensor:
        to.set_type(onnx::AttributeProto::TENSOR);
        fill(*to.mutable_t(), attribute.tensor);
        return;
    case Kind::Other: return;
    }
}

void fill(onnx::ValueInfoProto &to, OnnxValue const &value)
{
    to.set_name(value.name);
    auto &type = *to.mutable_type()->mutable_tensor_type();
    type.set_elem_type(static_cast<int>(value.type));
    if (!value.hasShape) return;
    auto &shape = *type.mutable_shape();
    for (auto const &extent : value.extents) {
        auto &one = *shape.add_dim();
        if (extent.size >= 0) one.set_dim_value(extent.size);
        else if (!extent.name.empty()) one.set_dim_param(extent.name);
    }
}

void fill(onnx::ModelProto &model, OnnxGraph const &graph)
{
    model.set_ir_version(8); // of opset 15 to 17
    model.set_producer_name(graph.producer);
    auto &set = *model.add_opset_import();
    set.set_version(graph.opset);
    auto &to = *model.mutable_graph();
    to.set_name(graph.name);
    for (auto const &value : graph.inputs) fill(*to.add_input(), value);
    for (auto const &value : graph.outputs) fill(*to.add_output(), value);
    for (auto const &tensor : graph.initializers) fill(*to.add_initializer(), tensor);
    for (auto const &node : graph.nodes) {
        auto &one = *to.add_node();
        one.set_op_type(node.op);
        one.set_domain(node.domain);
        one.set_name(node.name);
        for (auto const &input : node.inputs) one.add_input(input);
        for (auto const &output : node.outputs) one.add_output(output);
        for (auto const &attribute : node.attributes) fill(*one.add_attribute(), attribute);
    }
}

/// The checker throws, and so does protobuf for texts that are not UTF-8. Exceptions end here.
template <typename Work> void guarded(Teller &tell, Work const &work)
{
    google::protobuf::SetLogHandler(nullptr);
    try {
        work();
    } catch (std::bad_alloc const &) {
        throw;
    } catch (std::exception const &problem) {
        tell.error("", firstLine(problem.what()));
    }
}

} // namespace

} // namespace tilewright::interop

extern "C" void tilewrightTellOnnx(int descriptor, char const *path, tilewright::interop::ChildLimits const &limits)
{
    using namespace tilewright::interop;
    Teller tell(descriptor);
    guarded(tell, [&] {
        onnx::ModelProto model;
        if (!parse(path, model)) return tell.error("", "the bytes are not those of a model");
        if (!model.has_graph()) return tell.error("", "the file has no graph");
        onnx::checker::check_model(model);
        if (Reader(tell, limits).model(model)) tell.kind(ChildMessage::End);
    });
}

extern "C" void tilewrightImageOnnx(int descriptor, tilewright::interop::OnnxGraph const &graph)
{
    using namespace tilewright::interop;
    Teller tell(descriptor);
    guarded(tell, [&] {
        onnx::ModelProto model;
        fill(model, graph);
        onnx::checker::check_model(model);
        std::string image;
        if (model.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<int>::max()) || !model.SerializeToString(&image))
            return tell.error("", "the model is larger than the 2 GB of a protobuf");
        tell.image(image.data(), image.size());
        tell.kind(ChildMessage::End);
    });
}

static_assert(std::is_same_v<decltype(tilewrightTellOnnx), tilewright::interop::TellOnnx>);
static_assert(std::is_same_v<decltype(tilewrightImageOnnx), tilewright::interop::ImageOnnx>);
