#pragma once

#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright {

/// The only ways by which text becomes JSON: nesting and size are checked before anything is built of it. Errors are
/// Invalid with the code given, or "json.limit"; they name line and column below `subject`, and quote next to
/// nothing of the text.
Result<nlohmann::json> parseJson(std::string_view text, std::string const &subject, char const *code = "json.syntax");
Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text, std::string const &subject, char const *code = "json.syntax");

/// For those who word the error themselves: a discarded value when the text is no JSON or beyond the limits.
nlohmann::json jsonOrDiscarded(std::string_view text);
nlohmann::ordered_json orderedJsonOrDiscarded(std::string_view text);

/// The text of a file that is to hold JSON, read no further than Limit::JsonBytes. Errors: those of readFile, or
/// "json.limit".
Result<std::string> readJsonText(std::filesystem::path const &path);

} // namespace tilewright
