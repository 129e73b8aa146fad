#pragma once

#include "engine/core/job_context.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Runs reference cases ("keras-conformance-1") and compares the computed results with the expected ones.
namespace tilewright::conformance {

/// The implementation under test: the optimised graph on host kernels, the compiled program on tile memories, or the oracle on the graph as
/// built.
enum class Mode { Fused, Tile, Reference };
std::string_view toText(Mode mode);

/// Default target of tile mode. The other modes run without a machine ("cpu") by default.
inline constexpr std::string_view kTileTarget = "gc200:tiles=8";

struct ConformanceOptions {
    Mode mode = Mode::Fused;
    std::string target;                           ///< "" = kTileTarget in tile mode, else cpu
    std::optional<std::filesystem::path> dumpDir; ///< receives ID.npz for each case, with the computed tensors
    int threads = 0;                              ///< parallel cases; 0 = all cores
};

enum class CaseStatus {
    Passed,
    Failed,
    Unsupported ///< the case needs a missing feature; never counted as passed
};
std::string_view toText(CaseStatus status);

struct CaseResult {
    std::string id; ///< as the file says, else its path
    CaseStatus status = CaseStatus::Failed;
    /// Error of the comparison nearest to, or farthest beyond, its limit, in the measure of that comparison (absolute, or relative if the
    /// case bounds that). nullopt: nothing was compared.
    std::optional<double> maxError;
    std::optional<double> tolerance; ///< the limit of that comparison: passed means maxError <= tolerance
    std::string reason;              ///< empty when passed
    bool operator==(CaseResult const &) const = default;
};

struct ConformanceSummary {
    std::string target;
    Mode mode = Mode::Fused;
    int passed = 0, failed = 0, unsupported = 0;
    std::vector<CaseResult> cases; ///< in the order of the given paths, files of a folder by name
};

/// Runs all cases in `paths`: files, or folders with all their *.json of the format (except index.json). A failing case is a result, not an
/// error. Progress: phase "Conformance". Errors: Data "conformance.path" (no such path, or no case in it), Usage "conformance.target" (tile
/// mode on cpu), those of target::parseMachine, Invalid "file.write" and "file.folder" of the dump, Cancelled.
Result<ConformanceSummary> runConformance(std::span<std::filesystem::path const> paths, ConformanceOptions const &options,
                                          JobContext const &job);

/// The document of `tilewright conformance --json`.
nlohmann::ordered_json toJson(ConformanceSummary const &summary);

} // namespace tilewright::conformance
