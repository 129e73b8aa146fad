#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::interop {

/// Element types of ONNX that occur in models; the numbers are those of TensorProto.DataType.
enum class OnnxType : std::int32_t { Float = 1, UInt8 = 2, Int8 = 3, Int32 = 6, Int64 = 7, Text = 8, Bool = 9, Half = 10, Double = 11 };

/// A tensor with its numbers: floats for types of floating point, integers for whole numbers and truth values.
struct OnnxTensor {
    std::string name;
    OnnxType type = OnnxType::Float;
    Shape shape;
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
    bool operator==(OnnxTensor const &) const = default;

    bool isFloat() const { return type == OnnxType::Float || type == OnnxType::Half || type == OnnxType::Double; }
    std::int64_t count() const { return elementCount(shape); }
    double number(std::size_t i) const { return isFloat() ? static_cast<double>(floats[i]) : static_cast<double>(integers[i]); }
};

/// An attribute of a node; the member of its kind is filled.
struct OnnxAttribute {
    enum class Kind : std::int32_t { Float, Integer, Text, Tensor, Floats, Integers, Texts, Other };
    std::string name;
    Kind kind = Kind::Other;
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
    std::vector<std::string> texts;
    OnnxTensor tensor = {};
    bool operator==(OnnxAttribute const &) const = default;
};

struct OnnxNode {
    std::string op, domain, name;
    std::vector<std::string> inputs, outputs; ///< "": an optional one that is absent
    std::vector<OnnxAttribute> attributes;
    bool operator==(OnnxNode const &) const = default;

    OnnxAttribute const *find(std::string_view attribute) const;
    bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
    std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
    float number(std::string_view attribute, float otherwise) const;
    std::string text(std::string_view attribute, std::string const &otherwise) const;
    std::vector<std::int64_t> integers(std::string_view attribute) const;

    OnnxNode &with(std::string attribute, std::int64_t value);
    OnnxNode &with(std::string attribute, float value);
    OnnxNode &with(std::string attribute, std::vector<std::int64_t> values);
    OnnxNode &withText(std::string attribute, std::string value);
    OnnxNode &withTexts(std::string attribute, std::vector<std::string> values);
};

/// An extent of an input or output: a number, or a name ("batch"), or neither.
struct OnnxExtent {
    std::int64_t size = -1;
    std::string name;
    bool operator==(OnnxExtent const &) const = default;
};

struct OnnxValue {
    std::string name;
    OnnxType type = OnnxType::Float;
    bool hasShape = false;
    std::vector<OnnxExtent> extents;
    bool operator==(OnnxValue const &) const = default;
};

/// A model of ONNX as a value: what the file holds, nothing interpreted.
struct OnnxGraph {
    std::string name, producer;
    std::int64_t opset = 13; ///< of the standard operators
    std::vector<OnnxValue> inputs, outputs;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxNode> nodes; ///< in topological order
    bool operator==(OnnxGraph const &) const = default;
};

} // namespace tilewright::interop
