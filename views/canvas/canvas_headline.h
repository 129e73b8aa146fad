#pragma once

#include "views/modeledit/model_graph.h"

#include "engine/core/result.h"

#include <QString>

#include <optional>
#include <span>

namespace tilewright::views {

struct FitEstimate;
class Session;

/// What a compile of this very model found.
struct CompiledFit {
    bool fits = true;
    double worstShare = 0; ///< of a tile's memory, modelled
    int worstTile = 0;
    int ipus = 1;
};

/// Of the report on show when it was made of the model as it is, else of the run's compile; empty: neither.
std::optional<CompiledFit> compiledFit(Session &session, ModelGraph const &graph);

/// "235,146 parameters · compiled, fits: worst tile 18 % (estimated 16 %) · 1 IPU"; what is wrong comes first.
QString canvasHeadline(ModelGraph const &graph, FitEstimate const &estimate, std::optional<CompiledFit> const &compiled, std::span<Diagnostic const> problems);

} // namespace tilewright::views
