#include "engine/config/environment.h"

#include "engine/config/option_value.h"
#include "engine/core/json_text.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <regex>
#include <sstream>

namespace tilewright::config {

namespace {

using Json = nlohmann::json;

std::string_view variableOf(OptionCategory category)
{
    switch (category) {
    case OptionCategory::Engine: return "POPLAR_ENGINE_OPTIONS";
    case OptionCategory::Target: return "POPLAR_TARGET_OPTIONS";
    case OptionCategory::Runtime: return "POPLAR_RUNTIME_OPTIONS";
    case OptionCategory::IpuConfig:
    case OptionCategory::Flag: break;
    }
    TW_CHECK(false, "a table that has no variable of its own");
}

} // namespace

Result<EngineOptions> EngineOptions::fromJson(OptionCategory category, Json const &json, DiagnosticSink *sink)
{
    std::string const variable(variableOf(category));
    if (!json.is_object())
        return makeError(ErrorKind::Invalid, "config.bad-json", variable, Message::of("this is not a JSON object"),
                         Message::of("Write it like {\"%1\": \"…\"}.", optionsOf(category).front().path));
    EngineOptions options(category);
    DiagnosticSink warnings;
    for (auto const &item : json.items()) {
        auto const &value = item.value();
        auto const *option = findOption(optionsOf(category), item.key());
        if (option && value.is_string()) {
            TW_TRY(options.setFromText(item.key(), value.get<std::string>(), &warnings));
        } else if (option && value.is_boolean() && option->type == OptionType::Enum) {
            // {"target.deterministicWorkers": true}: a word of the enum written without quotes.
            TW_TRY(options.setFromText(item.key(), value.get<bool>() ? "true" : "false", &warnings));
        } else if (option && value.is_number_integer() && option->type == OptionType::Text) {
            TW_TRY(options.setFromText(item.key(), value.dump(), &warnings));
        } else if (option) {
            auto const read = valueFromJson(*option, value);
            if (!read.ok()) return read.error();
            TW_TRY(options.set(item.key(), *read, &warnings));
        } else {
            return unknownOption(category, item.key());
        }
    }
    if (sink)
        for (auto const &warning : warnings.all()) sink->add(warning);
    return options;
}

Result<EngineOptions> EngineOptions::parse(OptionCategory category, std::string_view json, DiagnosticSink *sink)
{
    auto const document = jsonOrDiscarded(json);
    if (document.is_discarded())
        return makeError(ErrorKind::Invalid, "config.bad-json", std::string(variableOf(category)), Message::of("this is not JSON"),
                         Message::of("Write it like {\"%1\": \"…\"}.", optionsOf(category).front().path));
    return fromJson(category, document, sink);
}

Result<XlaFlags> XlaFlags::parse(std::string_view text, DiagnosticSink *sink)
{
    XlaFlags flags;
    std::istringstream items{std::string(text)};
    for (std::string item; items >> item;) {
        auto const equals = item.find('=');
        auto const name = item.substr(0, equals);
        auto const value = equals == std::string::npos ? std::string() : item.substr(equals + 1);
        bool const on = value.empty() || value == "true" || value == "1";
        if (name == "--xla_dump_to") flags.dumpTo = value;
        else if (name == "--xla_dump_hlo_as_dot") flags.asDot = on;
        else if (name == "--xla_dump_hlo_as_text") flags.asText = on;
        else if (name == "--xla_dump_hlo_pass_re") flags.passes = value;
        else if (sink)
            sink->add(makeWarning("config.no-effect-yet", "XLA_FLAGS " + name.substr(0, 200),
                                  Message::of("this item is set, but the program does not read it")));
    }
    flags.asText = flags.asText || !flags.asDot;
    try {
        std::regex const pattern(flags.passes);
    } catch (std::regex_error const &) {
        return makeError(ErrorKind::Invalid, "config.bad-pattern", "XLA_FLAGS --xla_dump_hlo_pass_re",
                         Message::of("%1 is no regular expression", flags.passes.substr(0, 200)),
                         Message::of("Use .* to dump the graph after every pass."));
    }
    return flags;
}

Result<EnvironmentOptions> readEnvironment(EnvironmentLookup const &lookup, DiagnosticSink *sink)
{
    EnvironmentOptions options;
    auto const find = [&](char const *name) -> std::string_view {
        char const *text = lookup ? lookup(name) : nullptr;
        return text ? std::string_view(text) : std::string_view();
    };
    if (auto const text = find("TF_POPLAR_FLAGS"); !text.empty()) { TW_ASSIGN(options.flags, PoplarFlags::parse(text, sink)); }
    if (auto const text = find("POPLAR_ENGINE_OPTIONS"); !text.empty()) {
        TW_ASSIGN(options.engine, EngineOptions::parse(OptionCategory::Engine, text, sink));
    }
    if (auto const text = find("POPLAR_TARGET_OPTIONS"); !text.empty()) {
        TW_ASSIGN(options.target, EngineOptions::parse(OptionCategory::Target, text, sink));
    }
    if (auto const text = find("POPLAR_RUNTIME_OPTIONS"); !text.empty()) {
        TW_ASSIGN(options.runtime, EngineOptions::parse(OptionCategory::Runtime, text, sink));
    }
    TW_ASSIGN(options.logs, readLogLevels(lookup, sink));
    if (auto const text = find("XLA_FLAGS"); !text.empty()) { TW_ASSIGN(options.xla, XlaFlags::parse(text, sink)); }
    for (char const *name : {"TF_POPLAR_GFLOAT", "PVTI_OPTIONS", "IPUOF_VIPU_API_HOST", "IPUOF_VIPU_API_PARTITION_ID"})
        if (sink && !find(name).empty())
            sink->add(makeWarning("config.no-effect-yet", name, Message::of("this variable is set, but the program does not read it")));
    return options;
}

Result<EnvironmentOptions> environmentOverProject(EnvironmentOptions project, EnvironmentOptions const &environment)
{
    project.flags.overlay(environment.flags);
    project.engine.overlay(environment.engine);
    project.target.overlay(environment.target);
    project.runtime.overlay(environment.runtime);
    project.logs.overlay(environment.logs);
    if (!environment.xla.dumpTo.empty()) project.xla = environment.xla;
    auto const synthetic = syntheticData(project.flags);
    if (!synthetic.ok()) return synthetic.error();
    return project;
}

Result<EngineOptions> effectiveEngineOptions(IpuConfig const &config, EnvironmentOptions const &options, DiagnosticSink *sink)
{
    auto json = Json::object();
    for (auto const &[key, text] : config.dict("compilation_poplar_options")) json[key] = text;
    auto merged = EngineOptions::fromJson(OptionCategory::Engine, json, sink);
    if (!merged.ok()) {
        auto error = merged.error();
        error.subject = placeOf(OptionCategory::IpuConfig, "compilation_poplar_options");
        if (auto const space = merged.error().subject.rfind(' '); space != std::string::npos)
            error.subject += "." + merged.error().subject.substr(space + 1);
        return error;
    }
    merged->overlay(options.engine);
    return merged;
}

std::string hashText(IpuConfig const &config, EnvironmentOptions const &options)
{
    std::string text = "tilewright configuration 1\n";
    for (auto const &option : ipuConfigOptions()) {
        if (!option.inExecutableHash) continue;
        auto const value = config.get(option.path);
        TW_CHECK(value.ok(), "an option of the table has no value");
        text += "ipu_config " + option.path + "=" + quotedText(*value) + "\n";
    }
    text += options.flags.hashText();
    // What the compiler sees is the merged set; a compile refuses what does not merge before it asks for this.
    auto const engine = effectiveEngineOptions(config, options);
    TW_CHECK(engine.ok(), "engine options of a checked configuration do not merge");
    text += engine->hashText() + options.target.hashText() + options.runtime.hashText();
    return text;
}

} // namespace tilewright::config
