#pragma once

#include "engine/compiler/compile.h"
#include "engine/runtime/layer_costs.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::runtime {

using tilewright::toText; // keeps the overloads of core visible

/// Field values for project::withField. They belong together: a part of them may violate a rule.
struct Proposal {
    std::vector<std::pair<std::string, std::string>> set;
    bool operator==(Proposal const &) const = default;
};
/// "training.batch_size=16 training.steps_per_execution=2".
std::string toText(Proposal const &proposal);

/// Training samples of an epoch, counted without drawing them; nullopt if they cannot be counted. `dataFolder`: base of relative data
/// paths.
std::optional<std::int64_t> samplesOf(project::Project const &project, std::filesystem::path const &dataFolder, JobContext const &job);

/// Samples of an epoch of the changed project, derived from `samples` of the project before without reading the data. nullopt if the
/// data must be counted again.
std::optional<std::int64_t> samplesAfter(project::Project const &before, project::Project const &after,
                                         std::optional<std::int64_t> samples);

/// How a requested change may be adapted.
enum class WishIs {
    Near, ///< its batch size and steps per execution may change to the nearest values that suit the data
    Exact ///< its fields stay as they are; other fields may change
};

/// The requested change completed by dependent fields, so that all rules accept the result (compiler::judge): gradient accumulation
/// steps that the pipeline's schedule accepts, steps per execution that hold whole weight updates and divide an epoch, a batch size or
/// data limit without a partial batch. Errors: that of the rule that still refuses it; proposal.batch and proposal.updates if no near
/// value divides; proposal.same if nothing changes; proposal.samples if the number of samples is required but unknown.
Result<Proposal> settled(project::Project const &project, Proposal const &wish, std::optional<std::int64_t> samples,
                         WishIs how = WishIs::Near);

/// Further fields to set so that the rules of plan and data accept the project; empty if it is valid or if no setting helps.
Proposal companions(project::Project const &project, std::optional<std::int64_t> samples);

/// Changes of settings that remove an error of the rules (compiler::judge) without causing another one, the most likely first. Empty if
/// no setting removes it.
std::vector<Proposal> cures(project::Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples);

/// The stages of a cut (one per entry of model::stageAssignment), with the accumulation and execution settings that the schedule requires,
/// and a larger target if the current one has too few IPUs. nullopt if the target has no IPUs or the cut belongs to another model.
std::optional<Proposal> inStages(project::Project const &project, std::vector<int> const &stages);
/// The cheapest cuts into `count` pipeline stages by these costs, at most `most`, best first. Empty if the model has too few layers.
std::vector<Proposal> inStages(project::Project const &project, int count, LayerCosts const &costs, std::size_t most = 1);

/// The project with all fields set. An error names the refused field.
Result<project::Project> withProposal(project::Project const &project, Proposal const &proposal);

/// The kind of a remedy, ordered from the least to the largest change of a run.
enum class RemedyKind { Option, Tiles, Chip, Batch, Stages };

/// Result of compiling the changed project.
struct Trial {
    Proposal proposal;
    RemedyKind kind = RemedyKind::Option;
    bool fits = false;
    /// Maximum over the tiles; withGaps decides. The same as a report's max_tile_need, max_tile_bytes and max_tile_bytes_with_gaps.
    Bytes need = 0, withoutGaps = 0, withGaps = 0, limit = 0;
    Bytes alwaysLive = 0;        ///< maximum over the tiles of the always-live bytes
    bool placed = true;          ///< false: the need alone exceeds a tile, and placement was skipped; the other figures equal the need
    int ipus = 0;                ///< per replica
    double samplesPerSecond = 0; ///< modelled
    double cyclesPerStep = 0;    ///< modelled; 0: the target has no cycles
    double share() const { return limit > 0 ? static_cast<double>(withGaps) / static_cast<double>(limit) : 0; }
};
/// "fits, 71 %", "needs 262 %".
Message outcomeText(Trial const &trial);

/// Compiles the changed project outside the cache. Errors: of the rules and of the compile.
Result<Trial> tryProposal(project::Project const &project, Proposal const &proposal, compiler::CompileRequest const &request,
                          JobContext const &job);

struct RemedySearch {
    double seconds = 2.0;                         ///< no trial starts after that time
    double longestTrial = 10.0;                   ///< seconds until a trial is cancelled
    std::optional<std::int64_t> samples;          ///< per epoch, if known
    Bytes alwaysLive = 0;                         ///< maximum over the tiles for the unchanged project; 0: unknown
    double compileSeconds = 0;                    ///< duration of a compile of the project; 0: unknown
    std::function<void(int tried)> progress = {}; ///< called before each trial
};
struct Remedies {
    std::vector<Trial> fitting; ///< compiled changes that fit; best first: the smallest change of a run
    int tried = 0;
    std::vector<RemedyKind> kinds = {}; ///< kinds that were tried, in order
    std::string leftOut = {};           ///< an option that cannot help and was not tried; "": none
    bool cutInHaste = false;            ///< stages were cut by multiply-adds
    bool complete = true;               ///< false: time was up, or the job was cancelled
};
/// For a project that does not fit: the smallest fitting change of each kind. If a tile's always-live bytes alone are too many, changes
/// that spread them are tried first; changes that only reduce other bytes are tried only if time remains, and recomputation, which cannot
/// help, is left out. Without time for a compile of layer costs, stages are cut by multiply-adds.
Remedies findRemedies(project::Project const &project, compiler::CompileRequest const &request, RemedySearch const &search,
                      JobContext const &job);

/// The result as a sentence, for the remedy of an error.
Message toText(Remedies const &remedies);

} // namespace tilewright::runtime
