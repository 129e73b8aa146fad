#pragma once

#include "engine/graph/op_table.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::graph {

/// A builder with an op table: it infers outputs, omits operations without effect, and reads each variable once.
class OpBuilder {
public:
    OpBuilder(Graph &graph, RegionId region, OpLookup lookup) : ops(std::move(lookup)), b(graph, region) {}

    OpLookup ops;
    Builder b;
    std::string suffix; ///< appended to node names: "_1" in the second call of a shared layer

    Graph &graph() { return b.graph(); }
    Value const &value(ValueId id) { return b.graph().value(id); }

    /// Appends an op with inferred output types. Returns its first output.
    ValueId op(std::string name, std::vector<ValueId> inputs, Attrs attrs = {}, std::string leaf = {});
    ValueId reshape(ValueId value, Shape shape, std::string leaf = "Reshape");
    ValueId broadcast(ValueId value, Shape shape);
    ValueId cast(ValueId value, DType dtype);
    ValueId scaled(ValueId value, double factor, std::string leaf = {});
    /// The quotient: a product with the inverse only where that has the same bits, or where the value's type does not hold the number.
    ValueId divided(ValueId value, double number, std::string leaf = {});
    /// Sum of all elements divided by their number.
    ValueId mean(ValueId value, std::string leaf = "Mean");

    /// Reads a variable once per region; later calls return the same value. Requires: no assignment to it in this region since.
    ValueId readOnce(VariableId variable);
    /// Registers the existing reads in the builder's region. Requires: no assignment before a read there.
    void adoptReads();
    /// A state variable, beside a weight or separate, initialised to zeros.
    VariableId addState(std::string name, Shape shape, DType dtype, Role role, std::string layer, int stage);

private:
    std::map<std::pair<RegionId, VariableId>, ValueId> m_reads;
};

} // namespace tilewright::graph
