#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/core/text.h"
#include "engine/runtime/insight_changes.h"
#include "engine/runtime/session.h"
#include "engine/store/compare.h"
#include "engine/store/export_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"
#include "engine/store/report_values.h"
#include "engine/workspace/project_store.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

using Reader = std::shared_ptr<store::ReportReader const>;

/// Evaluates all budgets. The first one that is not met fails the command.
Result<int> assertBudgets(Context &context, Reader const &reader, std::vector<std::string> const &expressions)
{
    TW_ASSIGN(auto const values, store::reportValues(*reader));
    auto results = Json::array();
    std::vector<std::vector<std::string>> rows;
    std::optional<store::AssertResult> first, missed;
    for (auto const &expression : expressions) {
        TW_ASSIGN(auto const result, store::evaluateAssert(expression, values));
        results.push_back({{"expression", expression}, {"met", result.met}, {"value", result.value}});
        rows.push_back({result.met ? "met" : "not met", numberText(result.value), expression});
        if (!first) first = result;
        if (!result.met && !missed) missed = result;
    }
    // With several budgets, "value" is that of the first one that is not met, or else of the first.
    Json j{{"met", !missed}, {"value", missed ? missed->value : first->value}, {"results", std::move(results)}};
    auto const text = tableText({"Budget", ">Value", "Expression"}, rows);
    if (missed)
        return context.output.fail(
            makeError(ErrorKind::Budget, "report.budget", missed->expression,
                      Message::of("the budget is not met: the value is %1.", Argument::figure(numberText(missed->value))),
                      Message::of("`tilewright report FILE insights` lists changes that may help.")),
            std::move(j), text);
    if (context.output.json()) context.output.document(std::move(j));
    else context.output.text(text);
    return 0;
}

Result<int> exportTo(Context &context, Reader const &reader, std::vector<std::string> const &more)
{
    auto const format = context.arguments.text("--to");
    if (format.empty())
        return usageError("cli.missing", "--to", Message::of("the option is missing."),
                          Message::of("Choose one of %1.", joinText(store::exportFormats(), ", ")));
    if (more.size() != 2)
        return usageError("cli.missing", "OUT", Message::of("exactly one file to write is required."),
                          Message::of("Usage: tilewright report FILE export --to FORMAT OUT"));
    TW_ASSIGN(auto const claim, claimDestination(more[1]));
    TW_ASSIGN(auto const written, store::exportReport(*reader, format, more[1]));
    if (written.capped)
        context.job.warn(makeWarning("export.capped", more[1], Message::of("only the first %1 events were written.", written.events),
                                     Message::of("`--to json` and `--to csv` hold them all.")));
    if (context.output.json()) {
        Json j{{"path", written.path.string()}, {"format", format}};
        if (format == "perfetto") {
            j["events"] = written.events;
            j["capped"] = written.capped;
        }
        context.output.document(std::move(j));
    } else if (!context.output.quiet()) {
        context.output.text("Wrote " + written.path.string() + "\n");
    }
    return 0;
}

Result<int> compareWith(Context &context, Reader const &a, std::vector<std::string> const &more)
{
    if (more.size() != 2)
        return usageError("cli.missing", "B", Message::of("one other report is wanted."),
                          Message::of("Usage: tilewright report A compare B"));
    TW_ASSIGN(auto const b, store::ReportReader::open(more[1]));
    TW_ASSIGN(auto const comparison, store::compareReports(*a, *b));
    if (context.output.json()) context.output.document(Json(comparison));
    else context.output.text(store::compareText(comparison));
    return 0;
}

/// Adds to each insight the changes that gain, as compiled with the project: "tried", best first.
Status addTried(Context &context, Json &insights)
{
    TW_ASSIGN(auto const open, workspace::openProject(context.arguments.text("--try"), context.job.warnings));
    TW_ASSIGN(auto request, compileRequest(context));
    TW_TRY(runtime::requestEntries(open.project, workspace::dataFolder(open), request, context.job));
    std::vector<runtime::WishedChanges> wishes;
    for (auto const &insight : insights)
        wishes.push_back({insight.value("rule", std::string()).starts_with("memory."),
                          insight.contains("action") ? runtime::proposalsOf(insight["action"]) : std::vector<runtime::Proposal>()});
    auto const tried = runtime::tryChanges(open.project, workspace::dataFolder(open), wishes, request, context.job);
    context.output.clearProgress();
    if (!tried.ok()) return tried.error();
    for (std::size_t i = 0; i < tried->size(); ++i) {
        auto &list = insights[i]["tried"] = Json::array();
        for (auto const &change : (*tried)[i])
            list.push_back({{"set", runtime::setOf(change.trial.proposal)},
                            {"gain", change.gain},
                            {"gain_of", wishes[i].memory ? "memory" : "samples_per_second"},
                            {"samples_per_second", change.trial.samplesPerSecond},
                            {"worst_tile_share", change.trial.share()}});
    }
    return {};
}

Result<int> report(Context &context)
{
    auto const &args = context.arguments;
    auto more = args.list("PART");
    auto const path = args.text("FILE");
    TW_ASSIGN(auto const reader, store::ReportReader::open(path));
    TW_ASSIGN(auto const moment, reader->snapshot()); // all that is told agrees, also of a report that is being written
    if (args.has("--assert")) {
        auto expressions = args.list("--assert");
        expressions.insert(expressions.end(), more.begin(), more.end());
        return assertBudgets(context, reader, expressions);
    }
    if (more.empty()) more.emplace_back("summary");
    if (more[0] == "export") return exportTo(context, reader, more);
    if (more[0] == "compare") return compareWith(context, reader, more);
    if (more.size() > 2)
        return usageError("cli.too-many", more[2], Message::of("'%1' is an unexpected argument.", more[2]),
                          Message::of("Put a query into quotes."));
    TW_ASSIGN(auto const read, store::reportPart(*reader, more[0], more.size() > 1 ? more[1] : std::string()));
    Json part(read);
    if (args.has("--try")) {
        if (more[0] != "insights")
            return usageError("cli.try", "--try", Message::of("only the part insights proposes changes."),
                              Message::of("Usage: tilewright report FILE insights --try PROJECT"));
        TW_TRY(addTried(context, part["insights"]));
    }
    if (context.output.json()) context.output.document(std::move(part));
    else context.output.text(store::reportPartText(more[0], nlohmann::json(part)));
    return 0;
}

} // namespace

std::vector<Command> reportCommands()
{
    return {{.name = "report",
             .group = "Reports",
             .summary = "reads a report: prints a part, exports, compares, checks budgets",
             .details = "Parts: " + joinText(store::reportPartNames(), ", ")
                 + " \"QUERY\".\nmemory accepts the number of a tile, liveness the number of a step. Also: `export --to "
                 + joinText(store::exportFormats(), "|")
                 + " OUT`\nwrites the report in another form, `compare OTHER` lists the differences from "
                   "another report.\nExit code 8 if a budget is not met.",
             .example = "tilewright report run.twreport --assert 'max_tile_bytes<600000'",
             .parameters = {word("FILE", "a report (.twreport)"),
                            words("PART", "the part to read (default: summary), with its argument", false),
                            option("--try", "PROJECT",
                                   "for insights: compile the proposed changes with this project and list those that gain, best first"),
                            option("--to", "FORMAT", "for export: " + joinText(store::exportFormats(), ", ")),
                            repeatedOption("--assert", "EXPR", "a budget, such as 'max_tile_bytes<600000'; may be repeated")},
             .run = report}};
}

} // namespace tilewright::cli
