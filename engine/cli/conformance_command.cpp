#include "engine/cli/command.h"

namespace tilewright::cli {

namespace {

Result<int> conformance(Context &)
{
    return notInstalled("conformance", "this build has no runner of reference cases.", "Use a build with engine/conformance.");
}

} // namespace

std::vector<Command> conformanceCommands()
{
    return {{.name = "conformance",
             .group = "Running",
             .summary = "runs reference cases and compares",
             .details = "Tile mode runs on gc200:tiles=8 unless --target says otherwise. Exit code 9 when a case fails.",
             .example = "tilewright conformance cases --mode tile --json",
             .parameters = {words("PATH", "folders or files of cases", true),
                            choiceOption("--mode", {"fused", "tile", "reference"}, "what computes"), targetOption(),
                            option("--dump", "DIR", "write what was computed, one .npz per case")},
             .run = conformance}};
}

} // namespace tilewright::cli
