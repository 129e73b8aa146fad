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

using tilewright::toText; // the overloads of core stay visible beside ours

/// Fields that could be set, as project::withField takes them. They belong together: set one without the others and a
/// rule may refuse it.
struct Proposal {
    std::vector<std::pair<std::string, std::string>> set;
    bool operator==(Proposal const &) const = default;
};
/// "training.batch_size=16 training.steps_per_execution=2".
std::string toText(Proposal const &proposal);

/// Training samples of an epoch, counted without drawing them; nothing where the data cannot be counted. `dataFolder`: where
/// relative data paths start.
std::optional<std::int64_t> samplesOf(project::Project const &project, std::filesystem::path const &dataFolder, JobContext const &job);

/// The proposal bent until every rule takes it that will judge it when it is set, compiled and trained: steps per
/// execution that divide an epoch and hold whole weight updates, a batch that divides the samples. Errors: the rule's that
/// would not take it; proposal.batch and proposal.updates, where nothing near divides; proposal.same, where it would change
/// nothing; proposal.samples, where the number of samples decides and is not known.
Result<Proposal> settled(project::Project const &project, Proposal const &wish, std::optional<std::int64_t> samples);

/// The stages of a cut (one for each entry of model::stageAssignment), with what the schedule wants of accumulation and execution and,
/// where the target has too few IPUs, a larger one. Nothing where the target has no IPUs or the cut is of another model.
std::optional<Proposal> inStages(project::Project const &project, std::vector<int> const &stages);
/// The `most` cuts into so many pipeline stages that cost least by these costs, best first. None where the model has too few layers.
std::vector<Proposal> inStages(project::Project const &project, int count, LayerCosts const &costs, std::size_t most = 1);

/// The project with all fields set; an error names the field that was refused.
Result<project::Project> withProposal(project::Project const &project, Proposal const &proposal);

/// What a remedy touches. In this order they leave more to less of a run as it was.
enum class RemedyKind { Option, Tiles, Chip, Batch, Stages };

/// What a compile of the changed project said.
struct Trial {
    Proposal proposal;
    RemedyKind kind = RemedyKind::Option;
    bool fits = false;
    /// The largest of any tile; with gaps decides. As a report's max_tile_need, max_tile_bytes and max_tile_bytes_with_gaps.
    Bytes need = 0, withoutGaps = 0, withGaps = 0, limit = 0;
    Bytes alwaysLive = 0;        ///< the largest of any tile: what it holds whatever runs
    bool placed = true;          ///< false: the need alone is too much, and nobody looked for room; the others are the need then
    int ipus = 0;                ///< of a replica
    double samplesPerSecond = 0; ///< modelled
    double cyclesPerStep = 0;    ///< modelled; 0: the target has none
    double share() const { return limit > 0 ? static_cast<double>(withGaps) / static_cast<double>(limit) : 0; }
};
/// "fits, 71 %", "needs 262 %".
Message outcomeText(Trial const &trial);

/// Compiles the changed project, apart from the cache. Errors: of the rules and of the compile.
Result<Trial> tryProposal(project::Project const &project, Proposal const &proposal, compiler::CompileRequest const &request,
                          JobContext const &job);

struct RemedySearch {
    double seconds = 2.0;                         ///< no trial begins after that
    double longestTrial = 10.0;                   ///< seconds, after which one is given up
    std::optional<std::int64_t> samples;          ///< of an epoch, where known
    Bytes alwaysLive = 0;                         ///< the largest of any tile of the project as it is; 0: not known
    double compileSeconds = 0;                    ///< that a compile of the project takes; 0: not known
    std::function<void(int tried)> progress = {}; ///< before each trial
};
struct Remedies {
    std::vector<Trial> fitting; ///< each was compiled and fits; best first: what leaves most of a run as it was
    int tried = 0;
    std::vector<RemedyKind> kinds = {}; ///< of which something was tried, in their order
    std::string leftOut = {};           ///< an option of which no trial was needed to know that it cannot help; "": none
    bool cutInHaste = false;            ///< stages are cut by multiply-adds
    bool complete = true;               ///< false: time was over, or the job was cancelled
};
/// For a project that does not fit: of each kind of change the least that makes it fit. Where a tile's always-live bytes alone are too
/// much, what spreads them over more memory is tried before what lessens the others, which hardly helps then and is tried only where the
/// time is left for a compile; recomputation, which cannot help, is left out. Stages are cut by multiply-adds where there is no time left
/// to compile for the costs of layers.
Remedies findRemedies(project::Project const &project, compiler::CompileRequest const &request, RemedySearch const &search,
                      JobContext const &job);

/// The same in a sentence, to be an error's remedy.
Message toText(Remedies const &remedies);

} // namespace tilewright::runtime
