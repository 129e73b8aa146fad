#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/conformance/conformance.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

namespace tilewright::cli {

namespace {

using conformance::CaseStatus;

/// What failed and what is missing, then the counts.
std::string summaryText(conformance::ConformanceSummary const &summary, bool verbose)
{
    std::vector<std::vector<std::string>> rows;
    for (auto const &result : summary.cases) {
        if (result.status != CaseStatus::Failed && !verbose) continue;
        rows.push_back({result.id, std::string(conformance::toText(result.status)), result.maxError ? numberText(*result.maxError) : "",
                        result.tolerance ? numberText(*result.tolerance) : "", result.reason});
    }
    std::string text;
    if (!rows.empty()) text = tableText({"Case", "Status", ">Error", ">Allowed", "Reason"}, rows) + "\n";
    return text + std::to_string(summary.passed) + " passed, " + std::to_string(summary.failed) + " failed, "
        + std::to_string(summary.unsupported) + " unsupported (" + std::string(conformance::toText(summary.mode)) + " mode, "
        + summary.target + ").\n";
}

Result<int> conformanceCommand(Context &context)
{
    auto const &args = context.arguments;
    conformance::ConformanceOptions options;
    auto const mode = args.text("--mode");
    options.mode = mode == "tile" ? conformance::Mode::Tile : mode == "reference" ? conformance::Mode::Reference : conformance::Mode::Fused;
    options.target = args.text("--target");
    if (args.has("--dump")) options.dumpDir = args.text("--dump");
    options.threads = context.threads;
    std::vector<std::filesystem::path> paths;
    for (auto const &path : args.list("PATH")) paths.emplace_back(path);
    TW_ASSIGN(auto const summary, conformance::runConformance(paths, options, context.job));
    auto const text = summaryText(summary, context.output.verbose());
    if (summary.failed > 0) {
        auto const error = makeError(ErrorKind::CheckFailed, "conformance.failed", "conformance",
                                     Message::of("%1 of %2 cases failed.", summary.failed, summary.cases.size()),
                                     Message::of("The reasons stand with the cases."));
        return context.output.fail(error, conformance::toJson(summary), text);
    }
    if (context.output.json()) context.output.document(conformance::toJson(summary));
    else context.output.text(text);
    return 0;
}

} // namespace

std::vector<Command> conformanceCommands()
{
    return {{.name = "conformance",
             .group = "Running",
             .summary = "runs reference cases and compares the results",
             .details = "A case that needs a missing feature counts as unsupported, never as passed.\n"
                        "Tile mode uses gc200:tiles=8 unless --target is given. Exit code 9 if a case fails.",
             .example = "tilewright conformance cases --mode tile --json",
             .parameters = {words("PATH", "folders or files of cases", true),
                            choiceOption("--mode", {"fused", "tile", "reference"},
                                         "fused: host kernels (default); tile: the memory of each tile; reference: naive loops"),
                            targetOption(), option("--dump", "DIR", "write the results, one .npz per case")},
             .run = conformanceCommand}};
}

} // namespace tilewright::cli
