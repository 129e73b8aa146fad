#pragma once

#include "engine/runtime/proposals.h"

namespace tilewright::runtime {

/// A field and the values to try in it, as project::withField takes them.
struct TuneField {
    std::string path;
    std::vector<std::string> values;
};

struct TuneRequest {
    /// All combinations of their values are tried, as they are: what the rules want besides changes with them (WishIs::Exact). None: the
    /// usual changes (usualChanges), each from the best found so far.
    std::vector<TuneField> fields;
    double seconds = 60;                 ///< no trial begins after that
    std::optional<std::int64_t> samples; ///< of an epoch, where known
    /// Before each trial: how many were made, and the best that fits, or null.
    std::function<void(int tried, Trial const *best)> progress = {};
};

/// What a rule or the compiler would not take.
struct RefusedTrial {
    Proposal wish;
    Diagnostic reason;
};

struct Tuning {
    /// Ranked: what fits before what does not; then the faster; then what leaves more as it is. The project as it is has an
    /// empty proposal.
    std::vector<Trial> trials;
    std::vector<RefusedTrial> refused;
    int withoutEffect = 0; ///< usual changes that came to the memory and speed of another trial; they are not among the trials
    int tried = 0;         ///< compiles
    bool complete = true;  ///< false: time was over, the job was cancelled, or a combination that was asked for was refused
    bool inTime = true;    ///< false: time was over, or the job was cancelled
};

/// The changes that are tried where nobody says which, by groups; of a group one is taken at most: pipeline stages and replicas
/// as far as the target has IPUs, accumulation, partial sums and the share of memory of products, and last the batch size. `costs`: of the
/// layers, by which stages are cut; without them no stages are.
std::vector<std::vector<Proposal>> usualChanges(project::Project const &project, LayerCosts const *costs);

/// Compiles the project with other values and ranks the results. Errors: those of the project as it is, if it does not compile at all.
Result<Tuning> tune(project::Project const &project, compiler::CompileRequest const &request, TuneRequest const &tuning,
                    JobContext const &job);

/// Whether a run so changed would compute other numbers, apart from rounding: another batch, number of updates, element type.
bool changesResults(Proposal const &proposal);

} // namespace tilewright::runtime
