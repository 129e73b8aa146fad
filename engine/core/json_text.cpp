#include "engine/core/json_text.h"

#include "engine/core/files.h"
#include "engine/core/limits.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace tilewright {

namespace {

/// " line 3 column 7 byte 42" of a position that counts from 0. All three count from 1, as editors do.
std::string placeOf(std::string_view text, std::size_t byte)
{
    auto const before = text.substr(0, std::min(byte, text.size()));
    auto const lines = std::ranges::count(before, '\n');
    auto const start = before.rfind('\n');
    auto const column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return " line " + std::to_string(lines + 1) + " column " + std::to_string(column) + " byte " + std::to_string(before.size() + 1);
}

Diagnostic tooLarge(std::string const &subject)
{
    return makeError(ErrorKind::Invalid, "json.limit", subject,
                     Message::of("the JSON text has more than %1 bytes.", limitOf(Limit::JsonBytes)), limitRemedy(Limit::JsonBytes));
}

/// Where the nesting goes beyond the limit. Up to the first fault of a text this sees brackets and strings as the
/// parser does, so that what it lets pass is never deeper.
std::optional<std::size_t> tooDeepAt(std::string_view text)
{
    auto const most = limitOf(Limit::JsonDepth);
    std::int64_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            else if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > most) return i;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::nullopt;
}

bool isWithinLimits(std::string_view text)
{
    return static_cast<std::int64_t>(text.size()) <= limitOf(Limit::JsonBytes) && !tooDeepAt(text);
}

template <typename Json> Result<Json> parse(std::string_view text, std::string const &subject, char const *code)
{
    if (static_cast<std::int64_t>(text.size()) > limitOf(Limit::JsonBytes)) return tooLarge(subject);
    if (auto const at = tooDeepAt(text))
        return makeError(ErrorKind::Invalid, "json.limit", subject + placeOf(text, *at),
                         Message::of("the JSON text is nested more than %1 levels deep.", limitOf(Limit::JsonDepth)),
                         limitRemedy(Limit::JsonDepth));
    try {
        return Json::parse(text.begin(), text.end());
    } catch (nlohmann::json::parse_error const &error) {
        auto const at = error.byte > 0 ? error.byte - 1 : 0; // theirs counts from 1
        auto const rest = text.substr(std::min(at, text.size()));
        return makeError(ErrorKind::Invalid, code, subject + placeOf(text, at),
                         rest.empty() ? Message::of("this is not valid JSON: the text ends too early.")
                                      : Message::of("this is not valid JSON: an error at %1.", quotedContent(rest)),
                         Message::of("Correct it there."));
    } catch (nlohmann::json::exception const &) { // a number beyond any double
        return makeError(ErrorKind::Invalid, code, subject, Message::of("this is not valid JSON: a number is out of range."),
                         Message::of("Correct it there."));
    }
}

template <typename Json> Json parseOrDiscard(std::string_view text)
{
    if (!isWithinLimits(text)) return Json(nlohmann::detail::value_t::discarded);
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

} // namespace

Result<nlohmann::json> parseJson(std::string_view text, std::string const &subject, char const *code)
{
    return parse<nlohmann::json>(text, subject, code);
}

Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text, std::string const &subject, char const *code)
{
    return parse<nlohmann::ordered_json>(text, subject, code);
}

nlohmann::json jsonOrDiscarded(std::string_view text) { return parseOrDiscard<nlohmann::json>(text); }
nlohmann::ordered_json orderedJsonOrDiscarded(std::string_view text) { return parseOrDiscard<nlohmann::ordered_json>(text); }

Result<std::string> readJsonText(std::filesystem::path const &path)
{
    auto const most = limitOf(Limit::JsonBytes);
    TW_ASSIGN(auto text, readFile(path, most + 1));
    if (static_cast<std::int64_t>(text.size()) > most) return tooLarge(path.string());
    return text;
}

} // namespace tilewright
