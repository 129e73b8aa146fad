#include "app/python/graph_object.h"

#include "app/python/arrays.h"
#include "app/python/project_object.h"
#include "engine/core/text.h"
#include "engine/layers/forward.h"
#include "engine/ops/op_def.h"
#include "engine/passes/autodiff.h"

#include <pybind11/stl.h>

#include <algorithm>

namespace tilewright::python {

namespace {

DType typeNamed(std::string const &name)
{
    auto const type = parseDType(name);
    if (!type)
        throw Failure(makeError(ErrorKind::Usage, "python.dtype", name, Message::of("'%1' is no type of the device.", name),
                                Message::of("Choose float32, float16, int32, uint8 or bool.")));
    return *type;
}

graph::AttrValue attributeOf(std::string const &name, graph::AttrType type, py::handle value)
{
    using graph::AttrType;
    try {
        switch (type) {
        case AttrType::Flag: return value.cast<bool>();
        case AttrType::Integer: return value.cast<std::int64_t>();
        case AttrType::Real: return value.cast<double>();
        case AttrType::Text: return value.cast<std::string>();
        case AttrType::Integers: return value.cast<std::vector<std::int64_t>>();
        case AttrType::Reals: return value.cast<std::vector<double>>();
        }
    } catch (py::cast_error const &) {
        throw Failure(makeError(ErrorKind::Usage, "python.attribute", name,
                                Message::of("the attribute is to be a value of the kind %1.", std::string(graph::toText(type)))));
    }
    return false;
}

graph::Attrs attributesOf(ops::OpDef const &op, py::dict const &given)
{
    graph::Attrs attributes;
    for (auto const &[key, value] : given) {
        auto const name = key.cast<std::string>();
        auto const spec = std::ranges::find(op.spec.attributes, name, &graph::AttrSpec::name);
        if (spec == op.spec.attributes.end())
            throw Failure(makeError(ErrorKind::Usage, "python.attribute", op.name,
                                    Message::of("the operation has no attribute '%1'.", name),
                                    Message::of("`tilewright ops` lists them.")));
        attributes.set(name, attributeOf(name, spec->type, value));
    }
    return attributes;
}

} // namespace

GraphObject::GraphObject(std::string name) : m_builder(m_function.graph, graph::addRegion(m_function.graph, "main"))
{
    m_function.name = std::move(name);
    m_function.graph.name = m_function.name;
    m_builder.layer = m_function.name;
}

graph::Value const &GraphObject::at(std::size_t value) const
{
    if (value >= m_function.graph.values.size())
        throw Failure(makeError(ErrorKind::Usage, "python.value", std::to_string(value), Message::of("the graph has no such value.")));
    return m_function.graph.values[value];
}

std::vector<graph::ValueId> GraphObject::ids(Ids const &values) const
{
    std::vector<graph::ValueId> all;
    for (auto const value : values) {
        at(value);
        all.emplace_back(value);
    }
    return all;
}

static GraphObject::Ids numbers(std::vector<graph::ValueId> const &values)
{
    GraphObject::Ids all;
    for (auto const value : values) all.push_back(value.index);
    return all;
}

GraphObject::Ids GraphObject::infeed(std::vector<Tensor> const &tensors)
{
    if (!m_function.infeed.empty())
        throw Failure(makeError(ErrorKind::Usage, "python.infeed", name(), Message::of("the function has an infeed already.")));
    std::vector<graph::Builder::Out> outs;
    for (auto const &tensor : tensors) {
        auto const type = typeNamed(tensor.dtype);
        m_function.infeed.push_back({tensor.name, tensor.shape, type});
        outs.push_back({tensor.shape, type});
    }
    return numbers(m_builder.add("infeed", {}, outs, {{"queue", std::string("infeed")}}, "infeed"));
}

void GraphObject::outfeed(Ids const &values, std::vector<std::string> const &names)
{
    if (!m_function.outfeed.empty())
        throw Failure(makeError(ErrorKind::Usage, "python.outfeed", name(), Message::of("the function has an outfeed already.")));
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const &value = at(values[i]);
        m_function.outfeed.push_back({i < names.size() ? names[i] : "output_" + std::to_string(i), value.shape, value.dtype});
    }
    m_builder.add("outfeed", ids(values), {}, {{"queue", std::string("outfeed")}}, "outfeed");
}

std::size_t GraphObject::constant(double value, Shape const &shape, std::string const &dtype)
{
    return m_builder.constant(value, shape, typeNamed(dtype)).index;
}

std::size_t GraphObject::constants(std::vector<double> const &values, Shape const &shape, std::string const &dtype)
{
    if (static_cast<std::int64_t>(values.size()) != elementCount(shape))
        throw Failure(makeError(ErrorKind::Usage, "python.constant", toText(shape),
                                Message::of("the shape has %1 elements, and %2 values are given.", elementCount(shape), values.size())));
    return m_builder.one("constant", {}, shape, typeNamed(dtype), {{"values", values}}).index;
}

GraphObject::Ids GraphObject::op(std::string const &kind, Ids const &inputs, py::dict const &attributes, std::string const &opName,
                                 std::vector<std::pair<Shape, std::string>> const &outputs)
{
    auto const *def = ops::findOp(kind);
    if (!def) {
        std::vector<std::string> names;
        for (auto const &known : ops::builtinOps()) names.push_back(known.name);
        auto const near = nearestName(kind, names);
        throw Failure(makeError(ErrorKind::Usage, "python.op", kind, Message::of("there is no operation '%1'.", kind),
                                near.empty() ? Message::of("`tilewright ops` lists them.") : Message::of("Did you mean '%1'?", near)));
    }
    if (def->spec.operands >= 0 && static_cast<std::size_t>(def->spec.operands) != inputs.size())
        throw Failure(makeError(ErrorKind::Usage, "python.operands", kind,
                                Message::of("the operation has %1 operands, not %2.", def->spec.operands, inputs.size())));
    if (!def->spec.infer && outputs.empty())
        throw Failure(makeError(ErrorKind::Usage, "python.op", kind, Message::of("its operands do not tell the shape of the result."),
                                Message::of("Give it as outputs.")));
    graph::Node node;
    node.op = kind;
    node.inputs = ids(inputs);
    node.attrs = attributesOf(*def, attributes);
    node.name = opName.empty() ? kind : opName;
    std::vector<graph::Value const *> operands;
    for (auto const input : node.inputs) operands.push_back(&m_function.graph.value(input));
    std::vector<graph::Builder::Out> outs;
    for (auto const &[shape, dtype] : outputs) outs.push_back({shape, typeNamed(dtype)});
    if (outs.empty()) outs = orThrow(def->spec.infer(node, operands));
    return numbers(m_builder.add(kind, std::move(node.inputs), std::move(outs), std::move(node.attrs), opName.empty() ? kind : opName));
}

std::size_t GraphObject::variable(std::string const &variableName, Shape const &shape, std::string const &dtype)
{
    graph::Variable variable;
    variable.name = variableName;
    variable.shape = shape;
    variable.dtype = typeNamed(dtype);
    variable.layer = variableName.substr(0, variableName.find('/'));
    variable.trainable = true;
    return graph::addVariable(m_function.graph, std::move(variable)).index;
}

std::size_t GraphObject::variableNamed(std::string const &variableName) const
{
    auto const &all = m_function.graph.variables;
    auto const it = std::ranges::find(all, variableName, &graph::Variable::name);
    if (it == all.end())
        throw Failure(
            makeError(ErrorKind::Usage, "session.no-variable", variableName, Message::of("the graph has no variable of this name.")));
    return static_cast<std::size_t>(it - all.begin());
}

std::size_t GraphObject::read(std::size_t variable) { return m_builder.read(graph::VariableId(variable)).index; }

void GraphObject::assign(std::size_t variable, std::size_t value) { m_builder.assign(graph::VariableId(variable), ids({value}).front()); }

std::vector<std::int64_t> GraphObject::gradients(std::size_t of, Ids const &values, Ids const &variables)
{
    auto const &value = at(of);
    auto const one = m_builder.constant(1, value.shape, value.dtype);
    std::vector<passes::GradientSeed> const seeds{{graph::ValueId(of), one}};
    std::vector<graph::VariableId> wanted;
    for (auto const variable : variables) wanted.emplace_back(variable);
    auto const asked = ids(values);
    auto const found = orThrow(passes::appendGradients(m_builder, ops::opLookup(), {seeds, wanted, asked, false}));
    std::vector<std::int64_t> result;
    for (auto const gradient : found.values) result.push_back(gradient.valid() ? static_cast<std::int64_t>(gradient.index) : -1);
    for (auto const variable : wanted) {
        auto const it = found.variables.find(variable);
        result.push_back(it == found.variables.end() ? -1 : static_cast<std::int64_t>(it->second.index));
    }
    return result;
}

/// Nodes behind `firstNode` that use a variable with the name of an earlier one use that one.
void GraphObject::joinVariables(std::size_t firstVariable, std::size_t firstNode)
{
    auto &graph = m_function.graph;
    bool all = true;
    for (std::size_t v = firstVariable; v < graph.variables.size(); ++v) {
        auto const first = std::ranges::find(graph.variables, graph.variables[v].name, &graph::Variable::name);
        auto const earlier = static_cast<std::size_t>(first - graph.variables.begin());
        all &= earlier < firstVariable;
        if (earlier >= firstVariable) continue;
        for (std::size_t n = firstNode; n < graph.nodes.size(); ++n)
            if (graph.nodes[n].variable == graph::VariableId(v)) graph.nodes[n].variable = graph::VariableId(earlier);
    }
    if (all) graph.variables.resize(firstVariable);
}

GraphObject::Ids GraphObject::model(project::Project const &project, Ids const &inputs, bool training)
{
    auto const resolved = orThrow(model::resolve(project.model));
    if (inputs.size() != resolved.inputs.size())
        throw Failure(makeError(ErrorKind::Usage, "python.operands", resolved.name,
                                Message::of("the model has %1 inputs, not %2.", resolved.inputs.size(), inputs.size())));
    auto const &first = inputs.empty() ? Shape() : at(inputs.front()).shape;
    if (first.empty())
        throw Failure(makeError(ErrorKind::Usage, "python.operands", resolved.name, Message::of("an input has no dimension of samples.")));
    orThrow(layers::checkBatch(resolved, first.front()));
    auto const firstVariable = m_function.graph.variables.size(), firstNode = m_function.graph.nodes.size();
    layers::BuildContext context(resolved, m_function.graph, ops::opLookup(), first.front(), training);
    context.b.setRegion(m_builder.region());
    auto const specs = layers::inputSpecs(context);
    auto operands = ids(inputs);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (at(inputs[i]).shape != specs[i].shape)
            throw Failure(makeError(ErrorKind::Usage, "python.operands", specs[i].name,
                                    Message::of("the input takes %1, not %2.", toText(specs[i].shape), toText(at(inputs[i]).shape))));
        if (at(inputs[i]).dtype != specs[i].dtype) operands[i] = context.cast(operands[i], specs[i].dtype);
    }
    auto const forward = orThrow(layers::buildForward(context, operands));
    for (auto const &counter : context.randomCounters())
        m_builder.assign(counter.variable, m_builder.one("increment", {counter.read}, {}, DType::I32, {{"by", std::int64_t{1}}}, "draws"));
    joinVariables(firstVariable, firstNode);
    return numbers(forward.outputs);
}

GraphObject::Ids GraphObject::beginRepeat(std::int64_t count, Ids const &carried, std::string const &loopName)
{
    auto loop = std::make_unique<graph::RepeatBuilder>(m_builder, loopName, count, ids(carried), std::vector<graph::ValueId>(),
                                                       std::vector<char>(), true);
    Ids inside{loop->index().index};
    for (std::size_t i = 0; i < carried.size(); ++i) inside.push_back(loop->carried(i).index);
    m_open.emplace_back(std::move(loop));
    m_carried.push_back(carried.size());
    return inside;
}

GraphObject::Ids GraphObject::beginWhile(std::int64_t limit, Ids const &carried, std::string const &loopName)
{
    auto loop = std::make_unique<graph::WhileBuilder>(m_builder, loopName, limit, ids(carried));
    Ids inside;
    for (std::size_t i = 0; i < carried.size(); ++i) inside.push_back(loop->carried(i).index);
    m_open.emplace_back(std::move(loop));
    m_carried.push_back(carried.size());
    return inside;
}

template <typename Kind> Kind &GraphObject::open(char const *call)
{
    auto *const innermost = m_open.empty() ? nullptr : std::get_if<std::unique_ptr<Kind>>(&m_open.back());
    if (!innermost)
        throw Failure(makeError(ErrorKind::Usage, "python.open-loop", call, Message::of("nothing is open that it belongs to.")));
    return **innermost;
}

GraphObject::Ids GraphObject::whileBody(std::size_t predicate)
{
    auto &loop = open<graph::WhileBuilder>("while_body");
    loop.repeatedly(ids({predicate}).front());
    Ids inside;
    for (std::size_t i = 0; i < m_carried.back(); ++i) inside.push_back(loop.carried(i).index);
    return inside;
}

void GraphObject::beginIf(std::size_t predicate, std::string const &branchName)
{
    m_open.emplace_back(std::make_unique<graph::IfBuilder>(m_builder, branchName, ids({predicate}).front()));
    m_carried.push_back(0);
}

void GraphObject::otherwise(Ids const &results) { open<graph::IfBuilder>("otherwise").otherwise(ids(results)); }

GraphObject::Ids GraphObject::end(Ids const &results)
{
    if (m_open.empty()) throw Failure(makeError(ErrorKind::Usage, "python.open-loop", "end", Message::of("no loop or branch is open.")));
    auto const values = ids(results);
    auto const closed = std::visit(
        [&]<typename Kind>(std::unique_ptr<Kind> &innermost) {
            if constexpr (std::is_same_v<Kind, graph::RepeatBuilder>) return innermost->finish(values, {});
            else return innermost->finish(values);
        },
        m_open.back());
    m_open.pop_back();
    m_carried.pop_back();
    return numbers(closed);
}

std::string GraphObject::dtype(std::size_t value) const { return numpyName(at(value).dtype); }

compiler::Function const &GraphObject::function() const
{
    if (!m_open.empty())
        throw Failure(makeError(ErrorKind::Usage, "python.open-loop", name(), Message::of("a loop or a branch of the function is open.")));
    return m_function;
}

void defineGraph(py::module_ &module)
{
    using namespace py::literals;
    py::class_<GraphObject>(
        module, "Graph", "The graph of one function. Values and variables are numbers; operations are those that `tilewright ops` lists.")
        .def(py::init<std::string>(), "name"_a)
        .def_property_readonly("name", &GraphObject::name)
        .def(
            "infeed",
            [](GraphObject &graph, std::vector<std::tuple<std::string, Shape, std::string>> const &tensors) {
                std::vector<GraphObject::Tensor> all;
                for (auto const &[name, shape, dtype] : tensors) all.push_back({name, shape, dtype});
                return graph.infeed(all);
            },
            "tensors"_a, "Reads an element of (name, shape, dtype): the arguments, or in a loop what each pass takes. Once.")
        .def("outfeed", &GraphObject::outfeed, "values"_a, "names"_a = std::vector<std::string>(),
             "Sends the results, or in a loop those of each pass. Once.")
        .def("constant", &GraphObject::constant, "value"_a, "shape"_a = Shape(), "dtype"_a = "float32", "A tensor of equal elements.")
        .def("constants", &GraphObject::constants, "values"_a, "shape"_a, "dtype"_a = "float32", "A tensor of these elements, row-major.")
        .def("op", &GraphObject::op, "kind"_a, "inputs"_a, "attributes"_a = py::dict(), "name"_a = "",
             "outputs"_a = std::vector<std::pair<Shape, std::string>>(),
             "Appends an operation; returns its results, whose shapes and types it infers.")
        .def("variable", &GraphObject::variable, "name"_a, "shape"_a, "dtype"_a = "float32",
             "A variable; functions that are compiled together share those of one name.")
        .def("variable_named", &GraphObject::variableNamed, "name"_a, "A variable that the layers of a model have made.")
        .def("read", &GraphObject::read, "variable"_a)
        .def("assign", &GraphObject::assign, "variable"_a, "value"_a)
        .def("gradients", &GraphObject::gradients, "of"_a, "values"_a = GraphObject::Ids(), "variables"_a = GraphObject::Ids(),
             "Gradients of the sum of a tensor's elements to values, then to variables; -1: it does not depend on it.")
        .def(
            "model",
            [](GraphObject &graph, ProjectObject const &project, GraphObject::Ids const &inputs, bool training) {
                return graph.model(project.project, inputs, training);
            },
            "project"_a, "inputs"_a, "training"_a = false,
            "The layers of a project's model on these inputs; returns its outputs. Weights are variables under their names.")
        .def("begin_repeat", &GraphObject::beginRepeat, "count"_a, "carried"_a = GraphObject::Ids(), "name"_a = "repeat",
             "Opens a loop; returns the number of the pass and the carried values.")
        .def("begin_while", &GraphObject::beginWhile, "limit"_a, "carried"_a = GraphObject::Ids(), "name"_a = "while",
             "Opens the test of a loop of at most `limit` passes; returns the carried values.")
        .def("while_body", &GraphObject::whileBody, "predicate"_a, "Closes the test and opens the body; returns the carried values.")
        .def("begin_if", &GraphObject::beginIf, "predicate"_a, "name"_a = "if", "Opens the branch for a predicate that is not zero.")
        .def("otherwise", &GraphObject::otherwise, "results"_a, "Closes the first branch with its results and opens the other.")
        .def("end", &GraphObject::end, "results"_a = GraphObject::Ids(),
             "Closes the innermost loop with the next carried values, or the second branch with its results; returns those of the whole.")
        .def("shape", &GraphObject::shape, "value"_a)
        .def("dtype", &GraphObject::dtype, "value"_a)
        .def("text", &GraphObject::text, "The graph in the text form of the engine.");
}

} // namespace tilewright::python
