#include "engine/graph/op_table.h"

#include "engine/graph/rounding.h"

#include <algorithm>
#include <array>

namespace tilewright::graph {

std::string_view toText(AttrType type)
{
    switch (type) {
    case AttrType::Flag: return "bool";
    case AttrType::Integer: return "int";
    case AttrType::Real: return "real";
    case AttrType::Text: return "text";
    case AttrType::Integers: return "ints";
    case AttrType::Reals: return "reals";
    }
    return "";
}

std::span<AttrSpec const> commonAttributes()
{
    static std::array const kCommon{roundingAttribute()};
    return kCommon;
}

namespace {

Diagnostic badAttribute(Node const &node, std::string_view attribute, Message what)
{
    return makeError(ErrorKind::Invalid, "graph.attribute", node.name,
                     Message::of("attribute '%1' of operation '%2' %3", std::string(attribute), node.op, std::move(what)));
}

AttrSpec const *findAttribute(OpSpec const &spec, std::string_view name)
{
    for (std::span<AttrSpec const> const list : {std::span<AttrSpec const>(spec.attributes), commonAttributes()})
        if (auto const it = std::ranges::find(list, name, &AttrSpec::name); it != list.end()) return &*it;
    return nullptr;
}

Status verifyAttributes(Node const &node, OpSpec const &spec)
{
    for (auto const &[name, value] : node.attrs.all()) {
        auto const *known = findAttribute(spec, name);
        if (!known) {
            std::string all;
            for (auto const &attribute : spec.attributes) all += (all.empty() ? "" : ", ") + attribute.name;
            return badAttribute(node, name,
                                all.empty() ? Message::of("does not exist; the operation has no attributes")
                                            : Message::of("does not exist; there are %1", all));
        }
        if (value.index() != static_cast<std::size_t>(known->type))
            return badAttribute(node, name, Message::of("must be %1: %2", std::string(toText(known->type)), known->help));
    }
    for (auto const &attribute : spec.attributes)
        if (attribute.required && !node.attrs.has(attribute.name))
            return badAttribute(node, attribute.name,
                                Message::of("is missing, %1: %2", std::string(toText(attribute.type)), attribute.help));
    return {};
}

} // namespace

Status verify(Graph const &graph, OpLookup const &ops)
{
    TW_TRY(verifyStructure(graph));
    auto const visit = [&](auto &&self, RegionId id) -> Status {
        for (auto nodeId : graph.region(id).nodes) {
            auto const &node = graph.node(nodeId);
            auto const *spec = ops(node.op);
            if (!spec)
                return makeError(ErrorKind::Internal, "graph.unknown-op", node.name, Message::of("operation '%1' does not exist", node.op));
            if (spec->operands >= 0 && node.inputs.size() != static_cast<std::size_t>(spec->operands))
                return makeError(ErrorKind::Invalid, "graph.operands", node.name,
                                 Message::of("operation '%1' has %2 operands, not %3", node.op, spec->operands, node.inputs.size()));
            TW_TRY(verifyAttributes(node, *spec));
            std::vector<Value const *> inputs;
            for (auto input : node.inputs) inputs.push_back(&graph.value(input));
            if (spec->infer) {
                TW_ASSIGN(auto const outputs, spec->infer(node, inputs));
                if (outputs.size() != node.outputs.size())
                    return makeError(ErrorKind::Internal, "graph.shape", node.name, Message::of("has the wrong number of outputs"));
                for (std::size_t i = 0; i < outputs.size(); ++i) {
                    auto const &value = graph.value(node.outputs[i]);
                    if (value.shape != outputs[i].shape || value.dtype != outputs[i].dtype)
                        return makeError(
                            ErrorKind::Internal, "graph.shape", node.name,
                            Message::of("the output is %1, but the operation returns %2", toText(value.shape), toText(outputs[i].shape)));
                }
            }
            for (auto region : node.regions) TW_TRY(self(self, region));
        }
        return {};
    };
    return visit(visit, RegionId(0));
}

std::vector<ValueId> addInferred(Builder &builder, OpLookup const &ops, std::string op, std::vector<ValueId> inputs, Attrs attrs,
                                 std::string name)
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
