#pragma once

#include "engine/core/result.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace tilewright {

/// Every long engine call receives one. The callee polls `stop` every few milliseconds and reports progress by work done. All members are
/// optional.
struct JobContext {
    std::stop_token stop;
    /// Called with (phase, fraction of that phase in 0..1) on the thread that runs the job.
    std::function<void(std::string_view, double)> progress;
    DiagnosticSink *warnings = nullptr;

    bool cancelled() const { return stop.stop_requested(); }
    void report(std::string_view phase, double fraction) const
    {
        if (progress) progress(phase, fraction);
    }
    void warn(Diagnostic diagnostic) const
    {
        if (warnings) warnings->add(std::move(diagnostic));
    }
};

/// The error that every cancelled job returns.
inline Diagnostic cancelledError(std::string subject)
{
    return makeError(ErrorKind::Cancelled, "job.cancelled", std::move(subject), Message::of("cancelled"));
}

} // namespace tilewright
