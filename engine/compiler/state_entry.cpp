// Entries without samples: initial values, weights in and out.
#include "engine/compiler/state_entry.h"

#include "engine/graph/op_builder.h"
#include "engine/model/initializers.h"
#include "engine/ops/op_def.h"

#include <algorithm>

namespace tilewright::compiler {

namespace {

using graph::Role;
using graph::ValueId;
using graph::VariableId;

/// The number that all elements of a state begin with.
Result<double> firstValueOf(graph::Variable const &variable)
{
    if (variable.initializer.empty()) return 0.0;
    TW_ASSIGN(auto const json, model::parseJson(variable.initializer, variable.name));
    TW_ASSIGN(auto const initializer, model::parseInitializer(json, variable.name));
    TW_ASSIGN(auto const values, model::initialize(initializer, variable.shape, 0));
    if (std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end()) return values.empty() ? 0.0 : values.front();
    return makeError(ErrorKind::Invalid, "compile.initialise", variable.name,
                     Message::of("the entry initialise sets state to one number, but its initial values differ."),
                     Message::of("Leave out the entry initialise."));
}

bool isUsed(graph::Graph const &graph, VariableId id)
{
    return std::ranges::any_of(graph.nodes, [&](graph::Node const &node) { return node.variable == id; });
}

/// Sets all state that is no weight.
Status addFills(graph::OpBuilder &b, executable::Entry const &other)
{
    for (std::size_t v = 0; v < other.graph.variables.size(); ++v) {
        auto const &variable = other.graph.variables[v];
        bool const isState = variable.role != Role::Weight && variable.role != Role::Accumulator && variable.role != Role::Temporary;
        if (!isState || !isUsed(other.graph, VariableId(v))) continue;
        TW_ASSIGN(double const value, firstValueOf(variable));
        b.b.stage = variable.stage;
        VariableId const id = graph::addVariable(b.graph(), variable);
        b.b.assign(id, b.op("fill_like", {b.readOnce(id)}, {{"value", value}}, variable.name + "/Initialise"));
    }
    return {};
}

} // namespace

Result<executable::Entry> makeStateEntry(RunKind kind, executable::Entry const &other)
{
    TW_CHECK(executable::movesState(toText(kind)), "an entry that moves no state");
    executable::Entry entry;
    entry.kind = entry.name = std::string(toText(kind));
    entry.stageIpus = other.stageIpus;
    entry.graph.name = other.graph.name;
    entry.graph.stages = other.graph.stages;
    graph::OpBuilder b(entry.graph, graph::addRegion(entry.graph, "main"), ops::opLookup());
    std::vector<graph::FeedSpec> feeds;
    for (auto const id : other.weights) {
        auto const &weight = other.graph.variable(id);
        feeds.push_back({weight.name, weight.shape, weight.dtype});
        entry.weights.push_back(graph::addVariable(entry.graph, weight));
    }
    if (kind == RunKind::WeightsOut) {
        std::vector<ValueId> values;
        for (auto const id : entry.weights) {
            b.b.stage = entry.graph.variable(id).stage;
            values.push_back(b.readOnce(id));
        }
        b.b.stage = 0;
        b.b.add("outfeed", values, {}, {{"queue", std::string("outfeed")}}, "outfeed");
        entry.outfeed = std::move(feeds);
    } else {
        std::vector<graph::Builder::Out> outs;
        for (auto const &feed : feeds) outs.push_back({feed.shape, feed.dtype});
        auto const values = b.b.add("infeed", {}, outs, {{"queue", std::string("infeed")}}, "infeed");
        for (std::size_t w = 0; w < values.size(); ++w) {
            entry.graph.value(values[w]).name = feeds[w].name;
            b.b.stage = entry.graph.variable(entry.weights[w]).stage;
            b.b.assign(entry.weights[w], values[w]);
        }
        entry.infeed = std::move(feeds);
        if (kind == RunKind::Initialise) TW_TRY(addFills(b, other));
    }
    return entry;
}

} // namespace tilewright::compiler
