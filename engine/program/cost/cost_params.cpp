#include "engine/program/cost/cost_params.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/program/cost/op_table.h"

#include <algorithm>
#include <optional>

namespace tilewright::cost {

namespace {

std::optional<bool> parseFlag(std::string_view text)
{
    if (text == "1" || text == "true" || text == "yes") return true;
    if (text == "0" || text == "false" || text == "no") return false;
    return std::nullopt;
}

Message rangeText(CostParam const &param) { return Message::of("Give a whole number from %1 to %2.", param.minimum, param.maximum); }

/// Why `text` is not a value of the parameter, or nothing.
std::optional<Diagnostic> checkValue(std::string_view codelet, CostParam const &param, std::string const &text)
{
    auto const bad = [&](Message message, Message remedy) {
        return makeError(ErrorKind::Usage, "cost.bad-parameter", std::string(codelet) + " " + param.name,
                         Message::of("\"%1\" %2", text, std::move(message)), std::move(remedy));
    };
    auto const inRange = [&](std::int64_t value) { return value >= param.minimum && value <= param.maximum; };
    switch (param.kind) {
    case ParamKind::Integer: {
        std::optional<std::int64_t> const value = parseInteger(text);
        if (!value) return bad(Message::of("is not a whole number"), rangeText(param));
        if (!inRange(*value)) return bad(Message::of("is out of range"), rangeText(param));
        return std::nullopt;
    }
    case ParamKind::IntegerList:
        for (std::string const &part : splitText(text, ',')) {
            std::optional<std::int64_t> const value = parseInteger(part);
            if (!value || !inRange(*value)) return bad(Message::of("is not a list of sizes"), Message::of("Give numbers like 64,64,32."));
        }
        return std::nullopt;
    case ParamKind::Type:
    case ParamKind::Choice: {
        std::string value = text;
        if (param.kind == ParamKind::Type) {
            std::optional<ValueType> const type = parseValueType(text);
            if (!type) return bad(Message::of("is not an element type"), Message::of("Use f16, f32, f8, i32, u32, u8 or bool."));
            value = toText(*type);
        } else {
            value = canonicalOp(text);
        }
        std::vector<std::string> const &all = param.choices;
        if (all.empty() || std::find(all.begin(), all.end(), value) != all.end() || std::find(all.begin(), all.end(), text) != all.end())
            return std::nullopt;
        std::string const nearest = nearestName(text, all);
        return bad(Message::of("is not possible here"),
                   nearest.empty() ? Message::of("Use one of %1.", joinText(all, ", ")) : Message::of("Did you mean \"%1\"?", nearest));
    }
    case ParamKind::Flag:
        if (!parseFlag(text)) return bad(Message::of("is neither 0 nor 1"), Message::of("Give 0 or 1."));
        return std::nullopt;
    }
    return std::nullopt;
}

/// The machine's own number for a parameter whose default is "target".
std::int64_t targetDefault(CostParam const &param, ParamMap const &values, target::Chip const &chip)
{
    if (param.name == "load") return chip.weightLoadBytes;
    if (param.name == "clockHz") return chip.clockHz;
    auto const in = values.find("in");
    bool const isFloat = in != values.end() && parseValueType(in->second) == ValueType(ValueType::F32);
    return isFloat ? chip.convUnitsF32 : chip.convUnitsF16;
}

/// Formulas are products of their parameters: beyond this the result is no time a tile could spend, and
/// 64-bit arithmetic would end.
constexpr double kLargestWork = 1e14;
/// Parameters of so small a range describe the codelet's form, not its work.
constexpr std::int64_t kFormParameter = 64;

} // namespace

std::int64_t Args::integer(std::string_view name) const { return parseInteger(text(name)).value_or(0); }
bool Args::flag(std::string_view name) const { return parseFlag(text(name)).value_or(false); }
ValueType Args::type(std::string_view name) const { return parseValueType(text(name)).value_or(ValueType()); }

std::string const &Args::text(std::string_view name) const
{
    auto const found = m_values.find(name);
    TW_CHECK(found != m_values.end(), "a codelet reads a parameter it does not declare: " + std::string(name));
    return found->second;
}

std::vector<std::int64_t> Args::list(std::string_view name) const
{
    std::vector<std::int64_t> values;
    for (std::string const &part : splitText(text(name), ',')) values.push_back(parseInteger(part).value_or(0));
    return values;
}

Result<ParamMap> resolveParams(std::string_view codelet, std::span<CostParam const> params, ParamMap const &given, target::Chip const &chip)
{
    std::vector<std::string> names;
    for (CostParam const &param : params) names.push_back(param.name);
    for (auto const &[name, value] : given) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        std::string const nearest = nearestName(name, names);
        Message remedy = Message::of("It has no parameters.");
        if (!nearest.empty()) remedy = Message::of("Did you mean '%1'?", nearest);
        else if (!names.empty()) remedy = Message::of("Its parameters are %1.", joinText(names, ", "));
        return makeError(ErrorKind::Usage, "cost.unknown-parameter", std::string(codelet) + " " + name,
                         Message::of("the codelet has no such parameter"), remedy);
    }
    ParamMap values = given;
    double work = 1;
    for (CostParam const &param : params) {
        auto found = values.find(param.name);
        if (found == values.end()) {
            if (param.defaultText.empty())
                return makeError(ErrorKind::Usage, "cost.missing-parameter", std::string(codelet) + " " + param.name,
                                 Message::of("the codelet needs this parameter: %1", param.help), Message::of("Add %1=VALUE.", param.name));
            std::string const text = param.defaultText == "target" ? std::to_string(targetDefault(param, values, chip)) : param.defaultText;
            found = values.emplace(param.name, text).first;
        }
        if (std::optional<Diagnostic> const problem = checkValue(codelet, param, found->second)) return *problem;
        if (param.maximum <= kFormParameter) continue;
        if (param.kind == ParamKind::Integer)
            work *= static_cast<double>(std::max<std::int64_t>(1, parseInteger(found->second).value_or(1)));
        if (param.kind == ParamKind::IntegerList) {
            double sum = 1;
            for (std::string const &part : splitText(found->second, ',')) sum += static_cast<double>(parseInteger(part).value_or(0));
            work *= sum;
        }
    }
    if (work > kLargestWork)
        return makeError(ErrorKind::Usage, "cost.bad-parameter", std::string(codelet),
                         Message::of("the parameters together describe more work than any tile could hold"),
                         Message::of("Give sizes of one tile."));
    return values;
}

CostParam integerParam(std::string name, std::string defaultText, std::string help, std::int64_t minimum, std::int64_t maximum)
{
    return {.name = std::move(name),
            .kind = ParamKind::Integer,
            .defaultText = std::move(defaultText),
            .help = std::move(help),
            .choices = {},
            .minimum = minimum,
            .maximum = maximum};
}

CostParam listParam(std::string name, std::string help)
{
    return {.name = std::move(name), .kind = ParamKind::IntegerList, .defaultText = {}, .help = std::move(help)};
}

CostParam typeParam(std::string name, std::string defaultText, std::string help, std::vector<std::string> choices)
{
    return {.name = std::move(name),
            .kind = ParamKind::Type,
            .defaultText = std::move(defaultText),
            .help = std::move(help),
            .choices = std::move(choices)};
}

CostParam choiceParam(std::string name, std::string defaultText, std::string help, std::vector<std::string> choices)
{
    return {.name = std::move(name),
            .kind = ParamKind::Choice,
            .defaultText = std::move(defaultText),
            .help = std::move(help),
            .choices = std::move(choices)};
}

CostParam flagParam(std::string name, std::string help)
{
    return {.name = std::move(name), .kind = ParamKind::Flag, .defaultText = "0", .help = std::move(help)};
}

} // namespace tilewright::cost
