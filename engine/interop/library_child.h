#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/interop/child_teller.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tilewright::interop {

/// A library that parses strangers' files. Its module is loaded in a child process only: a damaged or hostile file can crash the library,
/// keep it busy for ever, or take all memory, and the library costs every start of the program time.
struct ChildLibrary {
    char const *module;                                                    ///< "tilewright-hdf5.so", in lib/tilewright
    char const *package;                                                   ///< "libhdf5": what to install if the module cannot be loaded
    Diagnostic (*damaged)(std::string subject, std::string const &reason); ///< the error about a file
    Diagnostic (*missing)(std::string subject);                            ///< the error of a build without the module
};

/// What the parent reads from a child. Every length is checked: a child that went wrong may write anything.
class ChildReader {
public:
    ChildReader(int descriptor, ChildLimits const &limits, JobContext const &job) : m_descriptor(descriptor), m_limits(limits), m_job(job)
    {
    }

    ChildLimits const &limits() const { return m_limits; }
    /// False: the pipe ended, or the job was cancelled.
    bool take(void *to, std::size_t size);
    template <typename Number> bool number(Number &value) { return take(&value, sizeof value); }
    bool text(std::string &value);
    /// A 32-bit number of things that have texts.
    bool count(std::uint32_t &value);
    /// A 32-bit rank and 64-bit extents; the number of elements.
    bool shape(Shape &shape, std::int64_t &elements);
    bool image(std::string &to);

    /// Counts the bytes of an array. False: the arrays are larger than the limit.
    bool reserve(std::int64_t bytes);

private:
    int m_descriptor;
    ChildLimits const &m_limits;
    JobContext const &m_job;
    std::int64_t m_bytes = 0;
};

/// What the child does with the module; false: the module lacks the function.
using ChildWork = std::function<bool(void *module, int descriptor)>;
/// Reads a message of a module's own kind; false: it makes no sense.
using ChildHearer = std::function<bool(char kind, ChildReader &reader)>;

/// Runs `work` in a child with limits on time and memory, and hears its messages. `name` appears in errors. Returns the image that the
/// child wrote, if any. Errors: those of the library's two functions; "import.too-large".
Result<std::string> inLibraryChild(ChildLibrary const &library, std::string const &name, ChildLimits const &limits, JobContext const &job,
                                   ChildWork const &work, ChildHearer const &hear);

/// A function of the module; null: it has none of that name.
void *symbolOf(void *module, char const *name);
template <typename Function> Function *functionIn(void *module, char const *name)
{
    return reinterpret_cast<Function *>(symbolOf(module, name));
}

/// Whether the build has the module.
bool hasModule(ChildLibrary const &library);

} // namespace tilewright::interop
