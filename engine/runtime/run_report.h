#pragma once

#include "engine/core/host_work.h"
#include "engine/data/dataset.h"
#include "engine/runtime/host_record.h"
#include "engine/runtime/run.h"

#include <memory>

namespace tilewright::runtime {

struct Remedies;

/// Writes the report of a compile: every finished compile-time part, and the static schedule of one step as a run of kind `profile`.
/// Threads affect only the time. `remedies`: what was tried for a project that does not fit; the insight memory.does-not-fit holds it, so
/// that a reader without the project knows.
Status writeCompileReport(std::filesystem::path const &path, project::Project const &project, compiler::CompileOutcome const &compiled,
                          HostWork const &work = {}, Remedies const *remedies = nullptr);

/// The growing report of a run: compile parts first, then series by step and epoch with the host's activity and log, and at the end the
/// timeline with the executed trip counts. A default-constructed object does nothing.
class RunReport {
public:
    RunReport();
    ~RunReport();
    Status begin(std::filesystem::path const &path, project::Project const &project, compiler::CompileOutcome const &compiled,
                 data::Dataset const &dataset, std::int64_t stepsPerEpoch, Mode mode, HostRecord &host);
    void step(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics);
    void epoch(EpochResult const &result);
    /// `measured`: cycles of the tiles, if there were tiles.
    Status finish(TrainOutcome const &outcome, std::optional<program::MeasuredCycles> measured = {});

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tilewright::runtime
