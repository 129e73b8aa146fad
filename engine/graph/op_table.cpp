#include "engine/graph/op_table.h"

namespace tilewright::graph {

Status verify(Graph const &graph, OpLookup const &ops)
{
    TW_TRY(verifyStructure(graph));
    auto const visit = [&](auto &&self, RegionId id) -> Status {
        for (auto nodeId : graph.region(id).nodes) {
            auto const &node = graph.node(nodeId);
            auto const *spec = ops(node.op);
            if (!spec)
                return makeError(ErrorKind::Internal, "graph.unknown-op", node.name, "operation '" + node.op + "' does not exist");
            std::vector<Value const *> inputs;
            for (auto input : node.inputs) inputs.push_back(&graph.value(input));
            if (spec->infer) {
                TW_ASSIGN(auto const outputs, spec->infer(node, inputs));
                if (outputs.size() != node.outputs.size())
                    return makeError(ErrorKind::Internal, "graph.shape", node.name, "has the wrong number of outputs");
                for (std::size_t i = 0; i < outputs.size(); ++i) {
                    auto const &value = graph.value(node.outputs[i]);
                    if (value.shape != outputs[i].shape || value.dtype != outputs[i].dtype)
                        return makeError(ErrorKind::Internal, "graph.shape", node.name,
                                         "output is " + toText(value.shape) + " but the operation gives "
                                             + toText(outputs[i].shape));
                }
            }
            for (auto region : node.regions) TW_TRY(self(self, region));
        }
        return {};
    };
    return visit(visit, RegionId(0));
}

std::vector<ValueId> addInferred(Builder &builder, OpLookup const &ops, std::string op, std::vector<ValueId> inputs,
                                 Attrs attrs, std::string name)
{
    auto const *spec = ops(op);
    TW_CHECK(spec, "no op " + op);
    Node probe;
    probe.op = op;
    probe.attrs = attrs;
    probe.name = name.empty() ? op : name;
    std::vector<Value const *> values;
    for (auto input : inputs) values.push_back(&builder.graph().value(input));
    auto outputs = spec->infer(probe, values);
    TW_CHECK(outputs.ok(), toText(outputs.error()));
    return builder.add(std::move(op), std::move(inputs), std::move(outputs).value(), std::move(attrs), std::move(name));
}

} // namespace tilewright::graph
