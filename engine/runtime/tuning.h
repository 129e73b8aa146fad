#pragma once

#include "engine/runtime/proposals.h"

namespace tilewright::runtime {

/// A field and the values to try, as for project::withField.
struct TuneField {
    std::string path;
    std::vector<std::string> values;
};

struct TuneRequest {
    /// Tries all combinations of these values. Other fields are adapted if the rules require it (WishIs::Exact). Empty: tries the default
    /// changes (usualChanges), each from the best settings so far.
    std::vector<TuneField> fields;
    double seconds = 60;                 ///< no trial starts after that time
    std::optional<std::int64_t> samples; ///< per epoch, if known
    /// Called before each trial with the number of trials so far and the best fitting one, or null.
    std::function<void(int tried, Trial const *best)> progress = {};
};

/// A trial that a rule or the compiler refused.
struct RefusedTrial {
    Proposal wish;
    Diagnostic reason;
};

struct Tuning {
    /// Ranked: fitting before not fitting, then by speed, then by size of the change. The unchanged project has an empty proposal.
    std::vector<Trial> trials;
    std::vector<RefusedTrial> refused;
    int withoutEffect = 0; ///< usual changes with the same memory and speed as another trial; not in `trials`
    int tried = 0;         ///< compiles
    bool complete = true;  ///< false: time was up, the job was cancelled, or a requested combination was refused
    bool inTime = true;    ///< false: time was over, or the job was cancelled
};

/// The default changes to try, in groups; at most one change per group is used: pipeline stages and replicas up to the target's IPUs,
/// accumulation, partial sums and memory share of products, and last the batch size. `costs`: of the layers, for cutting stages; without
/// them no stages are tried.
std::vector<std::vector<Proposal>> usualChanges(project::Project const &project, LayerCosts const *costs);

/// Compiles the project with other values and ranks the results. Errors: those of the unchanged project, if it cannot be compiled.
Result<Tuning> tune(project::Project const &project, compiler::CompileRequest const &request, TuneRequest const &tuning,
                    JobContext const &job);

/// Whether the change affects the results by more than rounding: another batch size, number of updates or element type.
bool changesResults(Proposal const &proposal);

} // namespace tilewright::runtime
