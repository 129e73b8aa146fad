#pragma once

#include "views/modeledit/model_graph.h"

#include "engine/core/result.h"

#include <QString>

#include <span>

namespace tilewright::views {

class FitWatch;

/// "235,146 parameters · fits: worst tile 18 % · 1 IPU". Problems come first; estimates are marked. `ipusOfMachine` 0: runs on the host.
QString canvasHeadline(ModelGraph const &graph, FitWatch const &fit, std::span<Diagnostic const> problems, int ipusOfMachine);

} // namespace tilewright::views
