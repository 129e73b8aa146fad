#include "engine/config/option_value.h"

#include "engine/config/option_tables.h"
#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::config {

namespace {

using Json = nlohmann::json;

/// One line of valid UTF-8: values are printed one per line, saved as JSON and hashed.
bool isPlainLine(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        auto const lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x20 || lead == 0x7f) return false;
        std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : 2;
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || i + length > text.size()) return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
        if (length > 2) {
            // No overlong forms, surrogates or code points beyond the last one.
            auto const next = static_cast<unsigned char>(text[i + 1]);
            if ((lead == 0xe0 && next < 0xa0) || (lead == 0xed && next > 0x9f) || (lead == 0xf0 && next < 0x90)
                || (lead == 0xf4 && next > 0x8f))
                return false;
        }
        i += length;
    }
    return true;
}

/// Outside text inside a message: cut short, and bytes that are not plain text replaced.
std::string shown(std::string_view text)
{
    constexpr std::size_t kShown = 120;
    std::string result(text.substr(0, kShown));
    if (!isPlainLine(result))
        for (char &c : result)
            if (c < 0x20 || c > 0x7e) c = '?';
    if (text.size() > kShown) result += "…";
    return result;
}

Diagnostic wrongType(OptionInfo const &option, Message const &found)
{
    return makeError(ErrorKind::Invalid, "config.wrong-type", placeOf(option), Message::of("%1 is not of its type", found),
                     Message::of("It must be %1.", expectedText(option)));
}

Diagnostic outOfRange(OptionInfo const &option, std::string const &found)
{
    return makeError(ErrorKind::Invalid, "config.out-of-range", placeOf(option), Message::of("%1 is out of range", found),
                     Message::of("It must be %1.", expectedText(option)));
}

Status checkText(OptionInfo const &option, std::string const &text)
{
    if (isPlainLine(text)) return {};
    return makeError(ErrorKind::Invalid, "config.bad-text", placeOf(option), Message::of("the text has control characters or is not UTF-8"),
                     Message::of("Give it as one line of UTF-8 text."));
}

Status checkRange(OptionInfo const &option, double number, std::string const &text)
{
    if (!std::isfinite(number) || (option.min && number < *option.min) || (option.max && number > *option.max))
        return outOfRange(option, text);
    return {};
}

Status checkInt(OptionInfo const &option, std::int64_t number)
{
    return checkRange(option, static_cast<double>(number), std::to_string(number));
}

Status checkAllowed(OptionInfo const &option, std::string const &text)
{
    if (option.allowed.empty() || std::find(option.allowed.begin(), option.allowed.end(), text) != option.allowed.end()) return {};
    auto const near = text.size() > 200 ? std::string() : nearestName(text, option.allowed);
    return makeError(ErrorKind::Invalid, "config.not-allowed", placeOf(option), Message::of("\"%1\" is not one of its values", shown(text)),
                     near.empty() ? Message::of("It must be %1.", expectedText(option))
                                  : Message::of("Did you mean %1? It must be %2.", near, expectedText(option)));
}

/// The two engine options that take a count or a word.
Status checkNumberOrWord(OptionInfo const &option, std::string const &text)
{
    bool const threads = option.path == "streamCallbacks.numWorkerThreads";
    bool const lookahead = option.path == "streamCallbacks.maxLookahead";
    if (option.category != OptionCategory::Engine || (!threads && !lookahead)) return {};
    std::string const word = threads ? "auto" : "unlimited";
    auto const number = parseInteger(text);
    if (text == word || (number && *number >= 0)) return {};
    return makeError(ErrorKind::Invalid, "config.wrong-type", placeOf(option), Message::of("%1 is not a count", shown(text)),
                     Message::of("It must be an integer of at least 0 or %1.", word));
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

/// What JSON calls the value, for messages; containers only by kind.
Message shownJson(Json const &json)
{
    if (json.is_object()) return Message::of("a dictionary");
    if (json.is_array()) return Message::of("a list");
    if (json.is_binary()) return Message::of("binary data");
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::int64_t> jsonInt(Json const &json)
{
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    if (json.is_number_integer()) return json.get<std::int64_t>();
    return std::nullopt;
}

/// Values of dict options may be written as text, number or bool; they are kept as text.
std::optional<std::string> jsonScalarText(Json const &json)
{
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
    if (auto const number = jsonInt(json)) return std::to_string(*number);
    if (json.is_number_float()) return numberText(json.get<double>());
    return std::nullopt;
}

Result<OptionDict> dictFromJson(OptionInfo const &option, Json const &json)
{
    OptionDict dict;
    for (auto const &item : json.items()) {
        auto const text = jsonScalarText(item.value());
        if (!text)
            return makeError(ErrorKind::Invalid, "config.wrong-type", placeOf(option) + "." + shown(item.key()),
                             Message::of("%1 cannot be an entry of a dictionary option", shownJson(item.value())),
                             Message::of("Give text, a number, true or false."));
        dict[item.key()] = *text;
    }
    return dict;
}

} // namespace

Result<double> parseMemoryProportion(std::string_view text, std::string const &place)
{
    auto const remedy = Message::of("Give a share of the tile's memory from 0.000001 up to 1, for example 0.6.");
    auto const share = parseReal(text);
    if (!share) return makeError(ErrorKind::Invalid, "config.wrong-type", place, Message::of("%1 is not a number", shown(text)), remedy);
    if (*share < kLeastMemoryProportion || *share > 1.0)
        return makeError(ErrorKind::Invalid, "config.out-of-range", place, Message::of("%1 is out of range", shown(text)), remedy);
    return *share;
}

Status checkDictEntry(OptionInfo const &option, std::string const &key, std::string const &value)
{
    TW_TRY(checkText(option, key));
    TW_TRY(checkText(option, value));
    std::string const place = placeOf(option) + "." + shown(key);
    if (key.empty())
        return makeError(ErrorKind::Invalid, "config.bad-text", placeOf(option), Message::of("an entry has no key"),
                         Message::of("Every entry needs a key."));
    if (option.path == "compilation_poplar_options") {
        auto const *known = findOption(engineOptions(), key);
        if (!known) return {};
        auto parsed = parseValue(*known, value);
        if (parsed.ok()) return {};
        auto error = parsed.error();
        error.subject = place;
        return error;
    }
    if (option.path == "gcl_poplar_options") return {};
    if (key == "availableMemoryProportion") {
        if (auto const share = parseMemoryProportion(value, place); !share.ok()) return share.error();
    }
    if (key == "poolUseIntrospectiveMapping" && value != "true" && value != "false")
        return makeError(ErrorKind::Invalid, "config.not-allowed", place, Message::of("\"%1\" is neither true nor false", shown(value)),
                         Message::of("Give true or false."));
    if (key == "partialsType" && value != "half" && value != "float") {
        Message remedy = Message::of("Give half or float.");
        if (value == "float16" || value == "f16") remedy = Message::of("Write half instead.");
        if (value == "float32" || value == "f32") remedy = Message::of("Write float instead.");
        return makeError(ErrorKind::Invalid, "config.not-allowed", place,
                         Message::of("\"%1\" is not a type of partial results", shown(value)), std::move(remedy));
    }
    return {};
}

std::optional<Diagnostic> dictKeyWarning(OptionInfo const &option, std::string const &key)
{
    auto const known = detail::knownDictKeys(option.path);
    if (known.empty()) return std::nullopt;
    std::string const place = placeOf(option) + "." + shown(key);
    if (std::find(known.begin(), known.end(), key) == known.end()) {
        auto const near = key.size() > 200 ? std::string() : nearestName(key, known);
        return makeWarning("config.unknown-key", place, Message::of("this key is not known and has no effect"),
                           near.empty() ? Message() : Message::of("Did you mean %1?", near));
    }
    if (option.path == "compilation_poplar_options") {
        auto const *engine = findOption(engineOptions(), key);
        if (engine && engine->effect == Effect::Active) return std::nullopt;
        if (engine && engine->effect == Effect::Cannot)
            return makeWarning("config.cannot-act", place,
                               Message::of("this key is kept but has no effect on an emulated device: %1", engine->reason));
    } else if (option.effect != Effect::Active) {
        return std::nullopt; // the option's own warning says so
    } else {
        auto const active = detail::activeDictKeys(option.path);
        if (std::find(active.begin(), active.end(), key) != active.end()) return std::nullopt;
    }
    return makeWarning("config.no-effect-yet", place, Message::of("this key is kept but has no effect yet in this version"));
}

Status checkValue(OptionInfo const &option, OptionValue const &value)
{
    auto mistyped = [&]() -> Status { return wrongType(option, quotedText(value)); };
    switch (option.type) {
    case OptionType::Bool:
        if (!std::holds_alternative<bool>(value)) return mistyped();
        return {};
    case OptionType::Int:
        if (auto const *number = std::get_if<std::int64_t>(&value)) return checkInt(option, *number);
        return mistyped();
    case OptionType::Float:
        if (auto const *number = std::get_if<double>(&value)) return checkRange(option, *number, numberText(*number));
        return mistyped();
    case OptionType::Text:
    case OptionType::Path:
    case OptionType::Enum: {
        auto const *text = std::get_if<std::string>(&value);
        if (!text) return mistyped();
        TW_TRY(checkText(option, *text));
        TW_TRY(checkNumberOrWord(option, *text));
        return checkAllowed(option, *text);
    }
    case OptionType::Dict: {
        auto const *dict = std::get_if<OptionDict>(&value);
        if (!dict) return mistyped();
        for (auto const &[key, text] : *dict) TW_TRY(checkDictEntry(option, key, text));
        return {};
    }
    case OptionType::IntList: {
        if (auto const *number = std::get_if<std::int64_t>(&value)) return checkInt(option, *number);
        auto const *list = std::get_if<std::vector<std::int64_t>>(&value);
        if (!list) return mistyped();
        for (auto const number : *list) TW_TRY(checkInt(option, number));
        return {};
    }
    }
    return {};
}

Result<OptionValue> parseValue(OptionInfo const &option, std::string_view text)
{
    OptionValue value;
    auto const word = trimmed(text);
    switch (option.type) {
    case OptionType::Bool:
        if (word == "true" || word == "True") value = true;
        else if (word == "false" || word == "False") value = false;
        else return wrongType(option, "\"" + shown(text) + "\"");
        break;
    case OptionType::Int:
        if (auto const number = parseInteger(word)) value = *number;
        else return wrongType(option, "\"" + shown(text) + "\"");
        break;
    case OptionType::Float: {
        auto const number = parseReal(word);
        // As in Python, 1 is an integer and 1.0 is a float, and types are exact.
        if (!number || parseInteger(word)) {
            auto error = wrongType(option, "\"" + shown(text) + "\"");
            if (parseInteger(word)) error.remedy += " " + Message::of("Write %1.0 instead.", word);
            return error;
        }
        value = *number;
        break;
    }
    case OptionType::Text:
    case OptionType::Path:
    case OptionType::Enum: value = std::string(text); break;
    case OptionType::Dict: {
        auto const json = jsonOrDiscarded(word);
        if (!json.is_object()) return wrongType(option, "\"" + shown(text) + "\"");
        return valueFromJson(option, json);
    }
    case OptionType::IntList: {
        auto list = word;
        bool const bracketed =
            list.size() >= 2 && ((list.front() == '[' && list.back() == ']') || (list.front() == '(' && list.back() == ')'));
        if (bracketed) list = trimmed(list.substr(1, list.size() - 2));
        std::vector<std::int64_t> numbers;
        if (!list.empty()) {
            auto parts = splitText(list, ',');
            // Python writes a tuple of one as (2,).
            if (bracketed && parts.size() > 1 && trimmed(parts.back()).empty()) parts.pop_back();
            for (auto const &part : parts) {
                auto const number = parseInteger(trimmed(part));
                if (!number) return wrongType(option, "\"" + shown(text) + "\"");
                numbers.push_back(*number);
            }
        }
        value = std::move(numbers);
        break;
    }
    }
    TW_TRY(checkValue(option, value));
    return value;
}

Result<OptionValue> valueFromJson(OptionInfo const &option, Json const &json, bool enumsAsInts)
{
    OptionValue value;
    switch (option.type) {
    case OptionType::Bool:
        if (!json.is_boolean()) return wrongType(option, shownJson(json));
        value = json.get<bool>();
        break;
    case OptionType::Int: {
        auto const number = jsonInt(json);
        if (!number) return wrongType(option, shownJson(json));
        value = *number;
        break;
    }
    case OptionType::Float:
        if (!json.is_number_float()) return wrongType(option, shownJson(json));
        value = json.get<double>();
        break;
    case OptionType::Enum:
        if (auto const number = jsonInt(json); number && enumsAsInts) {
            if (*number < 0 || *number >= static_cast<std::int64_t>(option.allowed.size()))
                return outOfRange(option, std::to_string(*number));
            value = option.allowed[static_cast<std::size_t>(*number)];
            break;
        }
        [[fallthrough]];
    case OptionType::Text:
    case OptionType::Path:
        if (!json.is_string()) return wrongType(option, shownJson(json));
        value = json.get<std::string>();
        break;
    case OptionType::Dict: {
        if (!json.is_object()) return wrongType(option, shownJson(json));
        TW_ASSIGN(value, dictFromJson(option, json));
        break;
    }
    case OptionType::IntList: {
        std::vector<std::int64_t> numbers;
        if (auto const single = jsonInt(json)) numbers.push_back(*single);
        else if (!json.is_array()) return wrongType(option, shownJson(json));
        else
            for (auto const &entry : json) {
                auto const number = jsonInt(entry);
                if (!number) return wrongType(option, Message::of("a list that holds %1", shownJson(entry)));
                numbers.push_back(*number);
            }
        value = std::move(numbers);
        break;
    }
    }
    TW_TRY(checkValue(option, value));
    return value;
}

Json valueToJson(OptionValue const &value)
{
    return std::visit([](auto const &held) { return Json(held); }, value);
}

std::string toText(OptionValue const &value)
{
    if (auto const *text = std::get_if<std::string>(&value)) return *text;
    return quotedText(value);
}

std::string quotedText(OptionValue const &value)
{
    if (auto const *number = std::get_if<double>(&value)) {
        auto text = numberText(*number);
        // 1.0 stays a float when it is read again; inf and nan only occur in messages.
        if (std::isfinite(*number) && text.find_first_of(".e") == std::string::npos) text += ".0";
        return text;
    }
    if (auto const *list = std::get_if<std::vector<std::int64_t>>(&value)) {
        std::vector<std::string> parts;
        for (auto const number : *list) parts.push_back(std::to_string(number));
        return "[" + joinText(parts, ", ") + "]";
    }
    return valueToJson(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json optionToJson(OptionInfo const &option)
{
    Json json{{"name", option.path},
              {"full_name", placeOf(option)},
              {"category", toText(option.category)},
              {"type", toText(option.type)},
              {"default", valueToJson(option.defaultValue)},
              {"allowed", option.allowed},
              {"unit", option.unit},
              {"help", fullHelp(option)},
              {"deprecated", option.deprecated},
              {"effect", option.effect == Effect::NotYet ? "not_yet" : toText(option.effect)},
              {"in_executable_hash", option.inExecutableHash},
              {"since", option.since}};
    if (option.min) json["min"] = *option.min;
    if (option.max) json["max"] = *option.max;
    if (!option.reason.empty()) json["reason"] = option.reason;
    if (option.deprecated) json["deprecated_message"] = option.deprecatedMessage;
    return json;
}

} // namespace tilewright::config
