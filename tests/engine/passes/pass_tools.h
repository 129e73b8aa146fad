#pragma once

#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"
#include "tests/engine/passes/tiny_graph.h"

#include <optional>

namespace tilewright::tests {

struct Context {
    DiagnosticSink sink;
    JobContext job;
    passes::PassContext pass;
    Context() : pass{ops::opLookup(), {}, job} { job.warnings = &sink; }
};

/// The graph after one pass, verified; nothing (and a message) when something fails.
inline std::optional<graph::Graph> after(Result<graph::Graph> (*pass)(graph::Graph, passes::PassContext const &), graph::Graph graph,
                                         passes::PassContext const &context)
{
    if (auto const status = graph::verify(graph, context.ops); !status.ok()) {
        std::cerr << "before: " << toText(status.error()) << "\n";
        return std::nullopt;
    }
    auto result = pass(std::move(graph), context);
    if (!result.ok()) {
        std::cerr << toText(result.error()) << "\n";
        return std::nullopt;
    }
    if (auto const status = graph::verify(*result, context.ops); !status.ok()) {
        std::cerr << "after: " << toText(status.error()) << "\n" << graph::print(*result);
        return std::nullopt;
    }
    return std::move(result).value();
}

/// Runs the pass on the short form; the result in short form.
inline QString passText(Result<graph::Graph> (*pass)(graph::Graph, passes::PassContext const &), QString const &text, int stages = 1)
{
    Context context;
    auto const result = after(pass, tiny(text, stages), context.pass);
    return result ? shortText(*result) : QString("failed");
}

} // namespace tilewright::tests
