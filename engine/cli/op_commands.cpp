#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/op_compile.h"
#include "engine/config/option_value.h"
#include "engine/core/build.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/program/codelets/description.h"
#include "engine/report/build_report.h"
#include "engine/store/report_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

/// Extents of every kind, as options: "transpose_a" is --transpose-a.
std::string dimOption(std::string_view dim)
{
    std::string name = "--" + std::string(dim);
    std::ranges::replace(name, '_', '-');
    return name;
}

std::vector<std::pair<std::string, std::string>> dimOptions()
{
    std::vector<std::pair<std::string, std::string>> all; // option, dim
    for (auto const &kind : compiler::opKinds())
        for (auto const *dims : {&kind.dims, &kind.optional})
            for (auto const dim : *dims)
                if (std::ranges::none_of(all, [&](auto const &entry) { return entry.second == dim; }))
                    all.emplace_back(dimOption(dim), std::string(dim));
    return all;
}

Status writeOpReport(std::string const &path, compiler::OpRequest const &request, compiler::OpCompileResult const &result)
{
    // Exchanges of a report show who talks to whom; the figures do not need that.
    auto const schedule = lowering::makeSchedule(result.lowered.program, result.machine, true);
    report::CompileFacts facts{.program = result.lowered.program,
                               .liveness = result.liveness,
                               .memory = result.memory,
                               .schedule = schedule,
                               .machine = result.machine};
    facts.meta = {{"title", "op " + request.kind}, {"writer_version", std::string(version())}, {"execution_mode", "none"}};
    return store::writeReport(path, report::buildCompileReport(facts));
}

std::string opText(compiler::OpRequest const &request, compiler::OpCompileResult const &result, Json const &document)
{
    auto const share = [&](Cycles cycles) {
        return groupedDigits(cycles)
            + (result.cycles.total > 0
                   ? " (" + fixedText(100.0 * static_cast<double>(cycles) / static_cast<double>(result.cycles.total), 1) + " %)"
                   : "");
    };
    std::string text = request.kind + " on " + result.machine.name + ", modelled\n\n";
    text += tableText({"Cycles", ">"},
                      {{"total", groupedDigits(result.cycles.total)},
                       {"compute", share(result.cycles.compute)},
                       {"exchange", share(result.cycles.exchange)},
                       {"sync", share(result.cycles.sync)}});
    text += "\n" + secondsText(result.emulatedSeconds);
    if (result.tflops > 0) text += ", " + fixedText(result.tflops, 2) + " TFLOPS";
    text += "; " + groupedDigits(result.vertices) + " vertices in " + std::to_string(result.computeSets) + " compute sets, "
        + bytesText(result.exchangedBytes) + " exchanged\n";
    auto const &memory = document.at("memory");
    text += "Worst tile   " + groupedDigits(memory.at("max_tile_bytes_with_gaps").get<std::int64_t>()) + " of "
        + groupedDigits(memory.at("tile_limit").get<std::int64_t>()) + " bytes placed\n";
    if (auto const &plan = document.at("plan"); !plan.empty()) text += "Plan " + plan.dump() + "\n";
    return text;
}

Result<int> runOp(Context &context)
{
    auto const &args = context.arguments;
    compiler::OpRequest request;
    request.kind = args.text("KIND");
    for (auto const &[name, dim] : dimOptions())
        if (auto const value = args.integer(name)) request.dims[dim] = *value;
    request.name = args.text("--name");
    request.pattern = args.text("--pattern");
    for (auto const &[name, type] : {std::pair{"--dtype", true}, std::pair{"--partials", false}}) {
        if (!args.has(name)) continue;
        auto const parsed = parseDType(args.text(name));
        if (!parsed)
            return usageError("cli.argument", name, Message::of("'%1' is not a type.", args.text(name)),
                              Message::of("Choose one of f16, f32, i32, u8, bool."));
        if (type) request.dtype = *parsed;
        else request.partials = *parsed;
    }
    if (args.has("--available-memory-proportion")) {
        auto const share = config::parseMemoryProportion(args.text("--available-memory-proportion"), "--available-memory-proportion");
        if (!share.ok()) {
            auto error = share.error();
            error.kind = ErrorKind::Usage;
            return error;
        }
        request.availableMemoryProportion = *share;
    }
    TW_ASSIGN(request.machine, target::parseMachine(args.has("--target") ? args.text("--target") : "gc200"));
    TW_ASSIGN(auto const result, compiler::compileOp(request, context.job));
    Json document = compiler::toJson(result);
    document["target"] = result.machine.name;
    if (args.has("--report")) {
        TW_TRY(writeOpReport(args.text("--report"), request, result));
        document["report"] = args.text("--report");
    }
    auto const text = opText(request, result, document);
    if (!result.memory.fits)
        return context.output.fail(lowering::outOfMemory(result.lowered.program, result.liveness, result.memory, result.machine),
                                   std::move(document), text);
    if (context.output.json()) context.output.document(std::move(document));
    else context.output.text(text);
    return 0;
}

std::string_view kindName(cost::ParamKind kind)
{
    switch (kind) {
    case cost::ParamKind::Integer: return "integer";
    case cost::ParamKind::IntegerList: return "integer_list";
    case cost::ParamKind::Type: return "type";
    case cost::ParamKind::Choice: return "choice";
    case cost::ParamKind::Flag: return "flag";
    }
    return "integer";
}

Json codeletJson(program::Codelet const &codelet)
{
    auto const &description = *codelet.description;
    Json j{{"name", program::fullName(codelet)}, {"alias", codelet.name}, {"family", description.family}, {"title", description.title}};
    j["has_function"] = static_cast<bool>(codelet.run);
    j["parameters"] = Json::array();
    for (auto const &p : description.params) {
        Json row{{"name", p.name},
                 {"type", kindName(p.kind)},
                 {"required", p.defaultText.empty()},
                 {"default", p.defaultText.empty() ? Json() : Json(p.defaultText)},
                 {"help", p.help}};
        if (!p.choices.empty()) row["choices"] = p.choices;
        j["parameters"].push_back(std::move(row));
    }
    j["per_worker"] = description.perWorker;
    j["code_bytes"] = codelet.codeBytes;
    j["source"] = description.source;
    return j;
}

int listCodelets(Output &out)
{
    if (out.json()) {
        auto list = Json::array();
        for (auto const &codelet : program::builtinCodelets()) list.push_back(codeletJson(codelet));
        out.document(std::move(list));
        return 0;
    }
    std::vector<std::vector<std::string>> rows;
    for (auto const &codelet : program::builtinCodelets()) {
        auto const &description = *codelet.description;
        std::vector<std::string> params;
        for (auto const &p : description.params)
            params.push_back(p.defaultText.empty() ? p.name : "[" + p.name + "=" + p.defaultText + "]");
        rows.push_back(
            {description.family, codelet.name, description.library, codelet.run ? "yes" : "no", description.title, joinText(params, " ")});
    }
    std::ranges::stable_sort(rows, {}, [](auto const &row) -> std::string const & { return row.front(); });
    out.text(tableText({"Family", "Codelet", "In the library", "Compiled", "What", "Parameters"}, rows));
    return 0;
}

/// Parameters as the numbers they are.
Json parameterValue(cost::CostParam const &parameter, std::string const &text)
{
    auto const number = [](std::string const &digits) -> Json {
        auto const value = parseInteger(digits);
        return value ? Json(*value) : Json(digits);
    };
    switch (parameter.kind) {
    case cost::ParamKind::Integer: return number(text);
    case cost::ParamKind::IntegerList: {
        auto list = Json::array();
        for (auto const &part : splitText(text, ',')) list.push_back(number(part));
        return list;
    }
    case cost::ParamKind::Flag: return text == "1" || text == "true";
    case cost::ParamKind::Type:
    case cost::ParamKind::Choice: return text;
    }
    return text;
}

Result<int> runVertex(Context &context)
{
    auto const &args = context.arguments;
    auto &out = context.output;
    if (args.has("--list")) return listCodelets(out);
    if (!args.has("NAME"))
        return usageError("cli.missing", "NAME", Message::of("this argument is missing."),
                          Message::of("`tilewright vertex --list` lists the codelets."));
    TW_ASSIGN(auto const *codelet, program::codeletNamed(args.text("NAME")));
    TW_ASSIGN(auto const machine, target::parseMachine(args.has("--target") ? args.text("--target") : "gc200"));
    if (!machine.isEmulated())
        return usageError("cli.argument", "--target", Message::of("a vertex runs on an IPU."),
                          Message::of("Choose a chip, such as gc200."));
    cost::ParamMap given;
    for (auto const &assignment : args.list("PARAM=VALUE")) {
        TW_ASSIGN(auto const pair, parseAssignment(assignment));
        given[pair.first] = pair.second;
    }
    TW_ASSIGN(auto const price, program::priceVertex(*codelet, given, machine.chip));
    auto const &description = *codelet->description;
    auto const name = program::fullName(*codelet);
    Json j{{"name", name},
           {"target", machine.name},
           {"cycles", price.cycles},
           {"per_worker", description.perWorker},
           {"tile_cycles", price.tileCycles}};
    j["seconds"] = static_cast<double>(price.tileCycles) / static_cast<double>(machine.chip.clockHz);
    j["code_bytes"] = price.codeBytes;
    j["state_bytes"] = price.stateBytes;
    j["has_function"] = static_cast<bool>(codelet->run);
    j["parameters"] = Json::object();
    std::vector<std::vector<std::string>> rows;
    for (auto const &p : description.params) {
        auto const &value = price.params.at(p.name);
        j["parameters"][p.name] = parameterValue(p, value);
        rows.push_back({p.name, value, p.help});
    }
    if (out.json()) {
        out.document(std::move(j));
    } else {
        out.text(name + " on " + machine.name + ": " + groupedDigits(price.cycles)
                 + (description.perWorker ? " cycles of one worker, " : " cycles, ")
                 + (description.perWorker ? groupedDigits(price.tileCycles) + " of the tile, " : std::string()) + "modelled\n"
                 + groupedDigits(price.codeBytes) + " bytes of code on each tile that has one, " + groupedDigits(price.stateBytes)
                 + " of state for each\n" + (codelet->run ? "" : "It has a price and no function yet: nothing is compiled to it.\n") + "\n"
                 + tableText({"Parameter", "Value", "What"}, rows));
    }
    return 0;
}

std::string opDetails()
{
    std::string text = "Kinds, each with its options:";
    for (auto const &kind : compiler::opKinds()) {
        text += "\n  " + std::string(kind.name) + ": " + std::string(kind.help) + "\n    ";
        std::vector<std::string> names;
        for (auto const dim : kind.dims) names.push_back(dimOption(dim) + " N");
        for (auto const dim : kind.optional) names.push_back("[" + dimOption(dim) + (compiler::isYesOrNo(dim) ? " 0|1]" : " N]"));
        text += joinText(names, " ");
    }
    return text;
}

} // namespace

std::vector<Command> opCommands()
{
    std::vector<Parameter> parameters{word("KIND", "the kind of operation"), targetOption()};
    for (auto const &[name, dim] : dimOptions()) {
        std::string takers;
        for (auto const &kind : compiler::opKinds())
            if (std::ranges::find(kind.dims, dim) != kind.dims.end() || std::ranges::find(kind.optional, dim) != kind.optional.end())
                takers += (takers.empty() ? "" : ", ") + std::string(kind.name);
        parameters.push_back(integerOption(name, compiler::isYesOrNo(dim) ? "0|1" : "N", 0, "for " + takers));
    }
    parameters.push_back(option("--name", "NAME", "for elementwise: add, multiply, relu, … (see `ops`)"));
    parameters.push_back(option("--pattern", "NAME", "for exchange: all_to_all, broadcast, neighbour, gather"));
    parameters.push_back(option("--dtype", "TYPE", "f16 or f32 (default)"));
    parameters.push_back(option("--partials", "TYPE", "for products: type of the partial sums, f16 or f32"));
    parameters.push_back(
        option("--available-memory-proportion", "X", "for products: share of a tile's memory for temporaries (default 0.6)"));
    parameters.push_back(destination(option("--report", "FILE", "write a report (.twreport)")));
    return {
        {.name = "op",
         .group = "Cost model",
         .summary = "compiles one operation alone and prints its plan and cycles",
         .details = opDetails(),
         .example = "tilewright op matmul --m 4096 --k 4096 --n 4096 --dtype f16 --target gc200",
         .parameters = std::move(parameters),
         .run = runOp},
        {.name = "vertex",
         .group = "Cost model",
         .summary = "prints the cycles of one codelet",
         .example = "tilewright vertex --list",
         .parameters = {optionalWord("NAME", "name of the codelet in the library, with or without namespace"),
                        words("PARAM=VALUE", "its parameters", false), targetOption(),
                        flag("--list", "list the codelets with their parameters")},
         .run = runVertex},
    };
}

} // namespace tilewright::cli
