#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"

#include <pybind11/pybind11.h>

#include <stop_token>
#include <string>
#include <vector>

namespace tilewright::python {

namespace py = pybind11;

/// A Diagnostic on its way to Python, where it is `_tilewright.Error`.
struct Failure : std::exception {
    explicit Failure(Diagnostic why) : diagnostic(std::move(why)) {}
    char const *what() const noexcept override { return diagnostic.message.c_str(); }
    Diagnostic diagnostic;
};

/// `_tilewright.Error` with code, kind, message, subject and remedy.
void defineErrors(py::module_ &module);

template <typename T> T orThrow(Result<T> result)
{
    if (!result.ok()) throw Failure(result.error());
    return std::move(result).value();
}
inline void orThrow(Status const &status)
{
    if (!status.ok()) throw Failure(status.error());
}

/// A job of Python's main thread: Ctrl-C, or an exception in a callback, stops it.
class PythonJob {
public:
    PythonJob();
    JobContext const &context() const { return m_context; }
    /// Calls into Python with the interpreter's lock. Its exception stops the job, and finish() throws it.
    void call(std::function<void()> const &body);
    /// Looks for Ctrl-C, with the lock, at most every 20 ms.
    void poll();
    /// Throws what a callback threw. Call without other exceptions under way, with the lock.
    void finish();
    /// Warnings as texts; they are told once.
    std::vector<std::string> takeWarnings();

private:
    std::stop_source m_stop;
    DiagnosticSink m_warnings;
    std::size_t m_told = 0;
    JobContext m_context;
    std::exception_ptr m_thrown;
    std::int64_t m_polled = 0; ///< milliseconds of the steady clock
};

} // namespace tilewright::python
