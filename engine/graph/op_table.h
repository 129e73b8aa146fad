#pragma once

#include "engine/graph/graph.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::graph {

/// The alternatives of an AttrValue, in their order.
enum class AttrType : std::uint8_t { Flag, Integer, Real, Text, Integers, Reals };
std::string_view toText(AttrType type);

/// An attribute that nodes of an operation may have. One that may be left out is then false, 0 or empty, which is what Attrs
/// gives; where it means something else, `help` says what.
struct AttrSpec {
    std::string name;
    AttrType type = AttrType::Flag;
    std::string help; ///< one line
    bool required = true;
};
inline AttrSpec optionalAttr(std::string name, AttrType type, std::string help) { return {std::move(name), type, std::move(help), false}; }

/// What sort of work an operation is, for estimates before it is lowered.
enum class Work : std::uint8_t { None, Elements, Movement, Reduction, LookUp, Product };

/// An operand that a flag says is transposed: given its transpose, the operation without the flag computes the same.
struct TransposedOperand {
    std::size_t operand = 0;
    std::string flag;
};

/// The stream of an operation that draws by counter: an integer attribute numbers it, and an operand that may be left out adds
/// an int32 scalar, read as unsigned, to that number. One node then draws from another stream each time it is reached.
struct StreamNumber {
    std::string_view attribute;
    std::size_t operand = 0;
};

/// What the graph knows of an operation. Whoever handles nodes of any operation asks for these, never for a name.
struct OpSpec {
    /// Output types for the given inputs, or Invalid "graph.shape" naming the node.
    std::function<Result<std::vector<Builder::Out>>(Node const &, std::span<Value const *const> inputs)> infer = {};
    /// Appends backward nodes: from the gradients of the outputs (invalid id = none) to those of the inputs.
    /// Empty: not differentiable, gradients stop here.
    std::function<std::vector<ValueId>(Builder &, Node const &, std::span<ValueId const> outputGradients)> gradient = {};
    /// Floating-point operations of one execution.
    std::function<std::int64_t(Graph const &, Node const &)> flops = {};
    int operands = -1; ///< how many it takes; -1: `infer`, or the structure of the graph, says which
    std::vector<AttrSpec> attributes = {};
    /// Outputs that may take over an input's storage: pairs (output, input), best first.
    std::vector<std::pair<int, int>> inPlaceCandidates = {};
    bool hasEffect = false;                  ///< kept although nobody reads its outputs
    bool isRandom = false;                   ///< never merged with an equal node
    std::optional<StreamNumber> stream = {}; ///< of which it draws; equal streams give equal bits
    bool updates = false;                    ///< each output is the operand in its place, changed: it always takes over that storage
    Work work = Work::Elements;
    bool elementwise = false;                      ///< each element of the result is a formula of the operands' elements there
    std::optional<std::size_t> scalarOperand = {}; ///< of which one number does for all rows
    std::optional<TransposedOperand> transposed = {};
    /// Whether the result is a sum over rows of the operands: what several executions add up to is one of all their rows.
    std::function<bool(Graph const &, Node const &)> addsRows = {};
};

/// Finds the spec of an op by name; nullptr when there is none. Passed in: the graph knows no list.
using OpLookup = std::function<OpSpec const *(std::string_view)>;

/// Attributes of any operation, written by passes.
std::span<AttrSpec const> commonAttributes();

/// verifyStructure plus: every op known, its attributes those it declares, every output shaped as its op infers.
Status verify(Graph const &graph, OpLookup const &ops);

/// Appends a node whose outputs are inferred. Requires: the op exists and accepts the inputs.
std::vector<ValueId> addInferred(Builder &builder, OpLookup const &ops, std::string op, std::vector<ValueId> inputs, Attrs attrs = {},
                                 std::string name = {});

} // namespace tilewright::graph
