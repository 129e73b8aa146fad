#pragma once

#include "engine/compiler/entry_graph.h"
#include "engine/executable/cache.h"

#include <string_view>
#include <vector>

namespace tilewright::compiler {

/// Options of the software model alone.
inline constexpr std::string_view kOfTheModel[] = {"ipu_model.compile_ipu_code", "ipu_model.tiles_per_ipu", "ipu_model.version"};

/// Everything that the compile of a project depends on. `batch`: of a micro-batch; `beside`: the further entries.
executable::CacheKey cacheKey(project::Project const &project, CompileRequest const &request, target::Machine const &machine,
                              Distribution const &distribution, std::int64_t batch, std::vector<EntryShape> const &beside);

} // namespace tilewright::compiler
