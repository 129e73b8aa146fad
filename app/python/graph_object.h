#pragma once

#include "app/python/errors.h"
#include "engine/compiler/functions.h"
#include "engine/graph/control.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::python {

/// The graph of one function while Python builds it. Values and variables are numbers; shapes and types are inferred by the operations.
class GraphObject {
public:
    using Ids = std::vector<std::size_t>;
    struct Tensor {
        std::string name;
        Shape shape;
        std::string dtype;
    };

    explicit GraphObject(std::string name);

    /// The arguments, or inside a loop the element of each pass. Once in a function.
    Ids infeed(std::vector<Tensor> const &tensors);
    void outfeed(Ids const &values, std::vector<std::string> const &names);
    std::size_t constant(double value, Shape const &shape, std::string const &dtype);
    std::size_t constants(std::vector<double> const &values, Shape const &shape, std::string const &dtype);
    /// `outputs`: shapes and types, for operations whose operands and attributes do not tell them (reshape, cast, broadcast).
    Ids op(std::string const &kind, Ids const &inputs, py::dict const &attributes, std::string const &name,
           std::vector<std::pair<Shape, std::string>> const &outputs);
    std::size_t variable(std::string const &name, Shape const &shape, std::string const &dtype);
    /// Error: Usage "session.no-variable".
    std::size_t variableNamed(std::string const &name) const;
    std::size_t read(std::size_t variable);
    void assign(std::size_t variable, std::size_t value);
    /// Gradients of a scalar, or of the sum of a tensor's elements; -1: none.
    std::vector<std::int64_t> gradients(std::size_t of, Ids const &values, Ids const &variables);

    /// The layers of a project's model on these inputs, of one batch size; returns its outputs. Its weights are variables under their names
    /// ("dense/kernel"), shared with an earlier call.
    Ids model(project::Project const &project, Ids const &inputs, bool training);

    /// A loop of `count` passes; returns its number, which every pass sees, and the carried values.
    Ids beginRepeat(std::int64_t count, Ids const &carried, std::string const &name);
    Ids beginWhile(std::int64_t limit, Ids const &carried, std::string const &name); ///< opens the test
    Ids whileBody(std::size_t predicate);
    void beginIf(std::size_t predicate, std::string const &name);
    void otherwise(Ids const &results);
    Ids end(Ids const &results); ///< of the innermost loop or branch

    Shape const &shape(std::size_t value) const { return at(value).shape; }
    std::string dtype(std::size_t value) const;
    std::string text() const { return graph::print(m_function.graph); }
    std::string const &name() const { return m_function.name; }
    /// Requires nothing; error: Usage "python.open-loop" if a loop or branch is open.
    compiler::Function const &function() const;

private:
    using Open =
        std::variant<std::unique_ptr<graph::RepeatBuilder>, std::unique_ptr<graph::WhileBuilder>, std::unique_ptr<graph::IfBuilder>>;
    graph::Value const &at(std::size_t value) const;
    std::vector<graph::ValueId> ids(Ids const &values) const;
    template <typename Kind> Kind &open(char const *call);
    void joinVariables(std::size_t firstVariable, std::size_t firstNode);

    compiler::Function m_function;
    graph::Builder m_builder;
    std::vector<Open> m_open;
    std::vector<std::size_t> m_carried; ///< of the open loops
};

void defineGraph(py::module_ &module);

} // namespace tilewright::python
