#include "engine/project/project.h"
#include "engine/store/project_file.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const document = store::projectFromJson({reinterpret_cast<char const *>(bytes), size}, "fuzz");
    if (!document.ok()) return 0;
    DiagnosticSink sink;
    auto const project = project::projectFromParts(document->parts, &sink);
    // A project that was read can be written, and reads back equal.
    if (project.ok()) {
        auto const again = project::projectFromParts(project::projectParts(*project), &sink);
        TW_CHECK(again.ok() && project::projectParts(*again) == project::projectParts(*project), "a project changes when it is written");
    }
    return 0;
}
