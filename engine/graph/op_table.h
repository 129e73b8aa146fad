#pragma once

#include "engine/graph/graph.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::graph {

/// The alternatives of an AttrValue, in order.
enum class AttrType : std::uint8_t { Flag, Integer, Real, Text, Integers, Reals };
std::string_view toText(AttrType type);

/// An attribute of an operation's nodes. A missing optional attribute is false, 0 or empty, as Attrs returns; `help` describes exceptions.
struct AttrSpec {
    std::string name;
    AttrType type = AttrType::Flag;
    std::string help; ///< one line
    bool required = true;
};
inline AttrSpec optionalAttr(std::string name, AttrType type, std::string help) { return {std::move(name), type, std::move(help), false}; }

/// Kind of work, for estimates before lowering.
enum class Work : std::uint8_t { None, Elements, Movement, Reduction, LookUp, Product };

/// An operand with a flag "transposed". With the transposed operand and without the flag, the operation computes the same result.
struct TransposedOperand {
    std::size_t operand = 0;
    std::string flag;
};

/// The random stream of an operation that draws by counter. An integer attribute numbers it; an optional operand adds an int32 scalar, read
/// as unsigned, so that one node draws from another stream each time it runs.
struct StreamNumber {
    std::string_view attribute;
    std::size_t operand = 0;
};

/// The graph's description of an operation. Code that handles arbitrary operations uses it instead of names.
struct OpSpec {
    /// Output types for the given inputs, or Invalid "graph.shape" with the node.
    std::function<Result<std::vector<Builder::Out>>(Node const &, std::span<Value const *const> inputs)> infer = {};
    /// Appends backward nodes: from the gradients of the outputs (invalid id: none) to those of the inputs. Empty: not differentiable;
    /// gradients stop here.
    std::function<std::vector<ValueId>(Builder &, Node const &, std::span<ValueId const> outputGradients)> gradient = {};
    /// Floating-point operations of one execution.
    std::function<std::int64_t(Graph const &, Node const &)> flops = {};
    int operands = -1; ///< number of operands; -1: determined by `infer` or the structure of the graph
    std::vector<AttrSpec> attributes = {};
    /// Outputs that may reuse an input's storage: pairs (output, input), best first.
    std::vector<std::pair<int, int>> inPlaceCandidates = {};
    bool hasEffect = false;                  ///< kept even if its outputs are unused
    bool isRandom = false;                   ///< never merged with an equal node
    std::optional<StreamNumber> stream = {}; ///< its random stream; equal streams give equal bits
    bool updates = false;                    ///< each output is the updated operand at its position and reuses its storage
    Work work = Work::Elements;
    bool elementwise = false;                      ///< each result element depends only on the operands' elements at its position
    std::optional<std::size_t> scalarOperand = {}; ///< an operand of which one number serves all rows
    std::optional<TransposedOperand> transposed = {};
    /// Whether the result is a sum over rows of the operands: the sum of several executions equals one execution over all their rows.
    std::function<bool(Graph const &, Node const &)> addsRows = {};
};

/// Finds the spec of an op by name; nullptr if unknown. Passed as a parameter: the graph has no list of operations.
using OpLookup = std::function<OpSpec const *(std::string_view)>;

/// Attributes of any operation, written by passes.
std::span<AttrSpec const> commonAttributes();

/// verifyStructure, and: every op is known, has its declared attributes, and has outputs with the inferred shapes.
Status verify(Graph const &graph, OpLookup const &ops);

/// Appends a node with inferred outputs. Requires: the op exists and accepts the inputs.
std::vector<ValueId> addInferred(Builder &builder, OpLookup const &ops, std::string op, std::vector<ValueId> inputs, Attrs attrs = {},
                                 std::string name = {});

} // namespace tilewright::graph
