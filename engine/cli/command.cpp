#include "engine/cli/command.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

namespace tilewright::cli {

Parameter word(std::string name, std::string help)
{
    return {.name = std::move(name), .value = {}, .help = std::move(help), .required = true};
}

Parameter optionalWord(std::string name, std::string help, std::vector<std::string> choices)
{
    return {.name = std::move(name), .value = {}, .help = std::move(help), .choices = std::move(choices)};
}

Parameter words(std::string name, std::string help, bool required)
{
    return {.name = std::move(name), .value = {}, .help = std::move(help), .required = required, .many = true};
}

Parameter flag(std::string name, std::string help) { return {.name = std::move(name), .value = {}, .help = std::move(help)}; }

Parameter option(std::string name, std::string value, std::string help)
{
    return {.name = std::move(name), .value = std::move(value), .help = std::move(help)};
}

Parameter choiceOption(std::string name, std::vector<std::string> choices, std::string help)
{
    auto value = joinText(choices, "|");
    return {.name = std::move(name), .value = std::move(value), .help = std::move(help), .choices = std::move(choices)};
}

Parameter integerOption(std::string name, std::string value, std::int64_t minimum, std::string help)
{
    return {.name = std::move(name), .value = std::move(value), .help = std::move(help), .minimum = minimum};
}

Parameter repeatedOption(std::string name, std::string value, std::string help)
{
    return {.name = std::move(name), .value = std::move(value), .help = std::move(help), .many = true};
}

Parameter destination(Parameter parameter)
{
    parameter.isDestination = true;
    return parameter;
}

Parameter deviceOption()
{
    return integerOption("--device", "N", 0, "logical device of ipu_config.auto_select_ipus or select_ipus, /device:IPU:N (default 0)");
}
Parameter targetOption() { return option("--target", "NAME", "target to compile for, instead of system.target (see `targets`)"); }

std::string Arguments::text(std::string_view name) const
{
    auto const it = m_values.find(name);
    return it == m_values.end() || it->second.empty() ? std::string() : it->second.back();
}

std::vector<std::string> Arguments::list(std::string_view name) const
{
    auto const it = m_values.find(name);
    return it == m_values.end() ? std::vector<std::string>() : it->second;
}

std::optional<std::int64_t> Arguments::integer(std::string_view name) const
{
    auto const it = m_values.find(name);
    if (it == m_values.end() || it->second.empty()) return std::nullopt;
    return parseInteger(it->second.back());
}

Diagnostic usageError(std::string code, std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Usage, std::move(code), std::move(subject), std::move(message), std::move(remedy));
}

Diagnostic notInstalled(std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Usage, "cli.not-installed", std::move(subject), std::move(message), std::move(remedy));
}

Message suggest(std::string_view name, std::span<std::string const> candidates)
{
    auto const near = nearestName(name, candidates);
    if (!near.empty()) return Message::of("Did you mean '%1'?", near);
    return candidates.empty() ? Message() : Message::of("Choose one of %1.", joinText(candidates, ", "));
}

Result<std::optional<DestinationClaim>> claimDestination(std::filesystem::path const &path)
{
    std::error_code ignored;
    if (DestinationClaim::isHeldHere(path) || std::filesystem::is_directory(std::filesystem::symlink_status(path, ignored)))
        return std::optional<DestinationClaim>();
    TW_ASSIGN(auto claim, DestinationClaim::take(path));
    return std::optional<DestinationClaim>(std::move(claim));
}

Result<std::pair<std::string, std::string>> parseAssignment(std::string const &text)
{
    auto const at = text.find('=');
    if (at == std::string::npos || at == 0)
        return usageError("cli.assignment", text, Message::of("expected PATH=VALUE."), Message::of("Write for example training.epochs=5."));
    return std::pair{text.substr(0, at), text.substr(at + 1)};
}

} // namespace tilewright::cli
