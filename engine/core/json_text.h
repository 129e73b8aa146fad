#pragma once

#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright {

/// The only functions that turn text into JSON. They check nesting and size before they build anything. Errors are Invalid with the given
/// code, or "json.limit". They name line and column below `subject` and quote only a few characters.
Result<nlohmann::json> parseJson(std::string_view text, std::string const &subject, char const *code = "json.syntax");
Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text, std::string const &subject, char const *code = "json.syntax");

/// For callers with their own error message: returns a discarded value if the text is not JSON or exceeds a limit.
nlohmann::json jsonOrDiscarded(std::string_view text);
nlohmann::ordered_json orderedJsonOrDiscarded(std::string_view text);

/// The text of a JSON file, up to Limit::JsonBytes. Errors: those of readFile, or "json.limit".
Result<std::string> readJsonText(std::filesystem::path const &path);

} // namespace tilewright
