#pragma once

#include "engine/runtime/session.h"

namespace tilewright::runtime {

/// The last, smaller batch of an epoch on the `cpu` target: a program of its own that takes over the state of the session and gives it
/// back.
class TailBatch {
public:
    /// Requires: the samples do not divide into batches; dataset and pool outlive it.
    static Result<std::unique_ptr<TailBatch>> make(project::Project const &project, RunRequest const &request, data::Dataset const &dataset,
                                                   ThreadPool &pool, JobContext const &job);
    /// Runs the last samples of an epoch's order. Its outputs go where those of `main` go.
    Status run(Session &main, std::vector<std::uint32_t> const &epochOrder);
    std::int64_t samples() const { return m_samples; }

private:
    std::unique_ptr<Session> m_session;
    std::int64_t m_samples = 0;
};

} // namespace tilewright::runtime
