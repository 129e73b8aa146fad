#include "engine/config/log_levels.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilewright::config {

namespace {

std::vector<std::string> const &levelNames()
{
    static std::vector<std::string> const kNames{"OFF", "ERR", "WARN", "INFO", "DEBUG", "TRACE"};
    return kNames;
}

std::vector<std::string> const &componentNames()
{
    static std::vector<std::string> const kNames{"compiler", "planner", "allocator", "runtime", "device", "cache", "data", "store"};
    return kNames;
}

std::string shown(std::string_view text)
{
    std::string result(text.substr(0, 100));
    for (char &c : result)
        if (c < 0x20 || c > 0x7e) c = '?';
    return result;
}

Diagnostic badName(std::string subject, std::string_view text, Message const &what, std::vector<std::string> const &names)
{
    auto const near = text.size() > 100 ? std::string() : nearestName(text, names);
    auto const all = Message::of("one of %1", joinText(names, ", "));
    return makeError(ErrorKind::Invalid, "config.log-level", std::move(subject), Message::of("\"%1\" is not %2", shown(text), what),
                     near.empty() ? Message::of("It must be %1.", all) : Message::of("Did you mean %1? It must be %2.", near, all));
}

bool equalIgnoringCase(std::string_view a, std::string_view b)
{
    auto const upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return upper(x) == upper(y); });
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// A verbose level of the original framework: 0 is quiet, larger is more.
Result<LogLevel> parseVerbosity(std::string const &variable, std::string_view text)
{
    auto const number = parseIntegerAs<int>(trimmed(text));
    if (!number || *number < 0)
        return makeError(ErrorKind::Invalid, "config.log-level", variable, Message::of("\"%1\" is not a verbose level", shown(text)),
                         Message::of("Give an integer of at least 0."));
    if (*number == 0) return LogLevel::Warn;
    if (*number == 1) return LogLevel::Info;
    return *number == 2 ? LogLevel::Debug : LogLevel::Trace;
}

/// Source files of the original stack and what does their work here.
std::optional<LogComponent> componentOfFile(std::string_view file)
{
    static constexpr std::pair<std::string_view, LogComponent> kFiles[] = {
        {"poplar_compiler", LogComponent::Compiler},      {"poplar_executable", LogComponent::Runtime},
        {"poplar_executor", LogComponent::Device},        {"poplar_platform", LogComponent::Device},
        {"poplar_executable_cache", LogComponent::Cache}, {"infeed_allocator", LogComponent::Data},
    };
    for (auto const &[name, component] : kFiles)
        if (name == file) return component;
    for (std::size_t i = 0; i < componentNames().size(); ++i)
        if (componentNames()[i] == file) return static_cast<LogComponent>(i);
    return std::nullopt;
}

Diagnostic inVariable(Diagnostic error, std::string variable)
{
    error.subject = std::move(variable);
    return error;
}

} // namespace

std::string_view toText(LogLevel level) { return levelNames()[static_cast<std::size_t>(level)]; }
std::string_view toText(LogComponent component) { return componentNames()[static_cast<std::size_t>(component)]; }

Result<LogLevel> parseLogLevel(std::string_view text)
{
    auto const word = trimmed(text);
    for (std::size_t i = 0; i < levelNames().size(); ++i)
        if (equalIgnoringCase(word, levelNames()[i])) return static_cast<LogLevel>(i);
    return badName("--log", word, Message::of("a log level"), levelNames());
}

Result<LogComponent> parseLogComponent(std::string_view text)
{
    auto const word = trimmed(text);
    for (std::size_t i = 0; i < componentNames().size(); ++i)
        if (word == componentNames()[i]) return static_cast<LogComponent>(i);
    return badName("--log", word, Message::of("a component of the log"), componentNames());
}

LogLevel LogLevels::level(LogComponent component) const { return m_levels[static_cast<std::size_t>(component)].value_or(LogLevel::Warn); }

bool LogLevels::logs(LogComponent component, LogLevel wanted) const { return wanted <= level(component); }
bool LogLevels::isSet(LogComponent component) const { return m_levels[static_cast<std::size_t>(component)].has_value(); }
void LogLevels::set(LogComponent component, LogLevel value) { m_levels[static_cast<std::size_t>(component)] = value; }

Status LogLevels::setFromText(std::string_view text)
{
    LogLevels changed = *this;
    for (auto const &part : splitText(text, ',')) {
        auto const equals = part.find('=');
        if (equals == std::string::npos)
            return makeError(ErrorKind::Invalid, "config.log-level", "--log", Message::of("\"%1\" has no level", shown(part)),
                             Message::of("Write COMPONENT=LEVEL, for example compiler=DEBUG or all=INFO."));
        std::string_view const name = trimmed(std::string_view(part).substr(0, equals));
        TW_ASSIGN(LogLevel const value, parseLogLevel(std::string_view(part).substr(equals + 1)));
        if (name == "all") {
            changed.m_levels.fill(value);
        } else {
            TW_ASSIGN(LogComponent const component, parseLogComponent(name));
            changed.set(component, value);
        }
    }
    *this = changed;
    return {};
}

void LogLevels::overlay(LogLevels const &winner)
{
    for (std::size_t i = 0; i < kLogComponents; ++i)
        if (winner.m_levels[i]) m_levels[i] = winner.m_levels[i];
}

std::string LogLevels::text() const
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kLogComponents; ++i)
        if (m_levels[i]) parts.push_back(componentNames()[i] + "=" + std::string(toText(*m_levels[i])));
    return joinText(parts, ",");
}

Result<LogLevels> readLogLevels(EnvironmentLookup const &lookup, DiagnosticSink *sink)
{
    using enum LogComponent;
    LogLevels levels;
    auto const find = [&](char const *name) -> std::optional<std::string> {
        char const *text = lookup ? lookup(name) : nullptr;
        if (!text || !*text) return std::nullopt;
        return std::string(text);
    };
    if (auto const text = find("TF_CPP_MIN_VLOG_LEVEL")) {
        TW_ASSIGN(LogLevel const level, parseVerbosity("TF_CPP_MIN_VLOG_LEVEL", *text));
        for (std::size_t i = 0; i < kLogComponents; ++i) levels.set(static_cast<LogComponent>(i), level);
    }
    if (auto const text = find("POPLAR_LOG_LEVEL")) {
        auto const level = parseLogLevel(*text);
        if (!level.ok()) return inVariable(level.error(), "POPLAR_LOG_LEVEL");
        for (auto const component : {Allocator, Runtime, Device}) levels.set(component, *level);
    }
    if (auto const text = find("POPLIBS_LOG_LEVEL")) {
        auto const level = parseLogLevel(*text);
        if (!level.ok()) return inVariable(level.error(), "POPLIBS_LOG_LEVEL");
        levels.set(Planner, *level);
    }
    if (auto const text = find("TF_POPLAR_VLOG_LEVEL")) {
        TW_ASSIGN(LogLevel const level, parseVerbosity("TF_POPLAR_VLOG_LEVEL", *text));
        for (auto const component : {Compiler, Cache, Data, Store}) levels.set(component, level);
    }
    if (auto const text = find("TF_CPP_VMODULE")) {
        for (auto const &part : splitText(*text, ',')) {
            auto const equals = part.find('=');
            if (equals == std::string::npos)
                return makeError(ErrorKind::Invalid, "config.log-level", "TF_CPP_VMODULE", Message::of("\"%1\" has no level", shown(part)),
                                 Message::of("Write file=level,file=level."));
            std::string_view const file = trimmed(std::string_view(part).substr(0, equals));
            TW_ASSIGN(LogLevel const level, parseVerbosity("TF_CPP_VMODULE", std::string_view(part).substr(equals + 1)));
            if (auto const component = componentOfFile(file)) levels.set(*component, level);
            else if (sink)
                sink->add(makeWarning("config.unknown-key", "TF_CPP_VMODULE", Message::of("no component logs for \"%1\"", shown(file)),
                                      Message::of("Components are %1.", joinText(componentNames(), ", "))));
        }
    }
    return levels;
}

} // namespace tilewright::config
