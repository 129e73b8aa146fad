#pragma once

#include "engine/compiler/log_line.h"
#include "engine/core/job_context.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::compiler {

/// Forwards warnings to the job's sink and keeps those that were not drained yet.
class WarningTap {
public:
    /// Requires: the sink of the warnings of `outer` outlives it.
    explicit WarningTap(JobContext const &outer);
    ~WarningTap() { forward(); }
    WarningTap(WarningTap const &) = delete;
    WarningTap &operator=(WarningTap const &) = delete;
    JobContext const &job() const { return m_job; }
    /// Appends the warnings since the last call as lines at `hostNs`.
    void drain(std::vector<LogLine> &lines, std::int64_t hostNs);

private:
    void forward();
    JobContext const m_outer;
    JobContext m_job;
    DiagnosticSink m_sink;
    std::size_t m_drained = 0, m_forwarded = 0;
};

} // namespace tilewright::compiler
