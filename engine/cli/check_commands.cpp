#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/cli/workbench.h"
#include "engine/store/check_report.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

Result<int> checkReportFile(Context &context)
{
    auto const path = context.arguments.text("FILE");
    TW_ASSIGN(auto const reader, store::ReportReader::open(path));
    TW_ASSIGN(auto const violations, store::checkReport(*reader));
    Json j{{"path", path}};
    j["violations"] = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (auto const &v : violations) {
        j["violations"].push_back({{"invariant", v.invariant}, {"what", v.what}, {"subject", v.subject}});
        rows.push_back({std::to_string(v.invariant), v.subject, v.what});
    }
    if (!violations.empty())
        return context.output.fail(makeError(ErrorKind::CheckFailed, "report.invariants", path,
                                             Message::of("%1 invariants of the report do not hold.", violations.size()),
                                             Message::of("Please report this with the report file.")),
                                   std::move(j), tableText({">Invariant", "Where", "What"}, rows));
    if (context.output.json()) context.output.document(std::move(j));
    else context.output.text(path + ": all invariants hold.\n");
    return 0;
}

Result<int> gui(Context &context)
{
    if (!canShowWindows())
        return usageError(
            "gui.no-display", "display", Message::of("no display is available for windows."),
            Message::of("Set DISPLAY or WAYLAND_DISPLAY (`ssh -X` does); `tilewright render` and the other commands need none."));
    auto arguments = context.arguments.list("FILE");
    if (context.output.json()) arguments.insert(arguments.begin(), "--json");
    TW_TRY(startWorkbench(arguments));
    return 0;
}

Result<int> render(Context &context)
{
    for (auto const *name : {"--view", "--out"})
        if (!context.arguments.has(name))
            return usageError("cli.missing", name, Message::of("the option is missing."), Message::of("See `tilewright render --help`."));
    // Drawn by the workbench, which needs no display for it.
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    TW_TRY(startWorkbench(context.raw));
    return 0;
}

} // namespace

std::vector<Command> checkCommands()
{
    return {
        {.name = "check-report",
         .group = "Reports",
         .summary = "checks the invariants of a report",
         .details = "Exit code 9 if an invariant is violated.",
         .example = "tilewright check-report run.twreport",
         .parameters = {word("FILE", "a report (.twreport)")},
         .run = checkReportFile},
        {.name = "render",
         .group = "Reports",
         .summary = "draws a view of a report or project into a file",
         .details = "Requires the workbench (tilewright-gui), but no display.",
         .example = "tilewright render run.twreport --view memory --out memory.png --size 1600x900",
         .parameters = {word("FILE", "a report or a project"),
                        option("--view", "NAME",
                               "name of the view as in the window (runs, training-plan); compare: the differences from another report"),
                        option(
                            "--against", "OTHER",
                            "a report to compare with; for compare, summary, insights, memory, liveness, program, operations, execution"),
                        option("--mode", "NAME", "mode of the view; for execution: flat, flame, bsp, pipeline, exchange, host"),
                        option("--out", "OUT", "a .png, .svg, .pdf or .csv file"), option("--size", "WxH", "size in pixels"),
                        choiceOption("--theme", {"light", "dark", "contrast"}, "colours")},
         .run = render},
        {.name = "gui",
         .group = "Reports",
         .summary = "opens the workbench",
         .example = "tilewright gui mnist.tilewright",
         .parameters = {optionalWord("FILE", "a project or a report")},
         .run = gui},
    };
}

} // namespace tilewright::cli
