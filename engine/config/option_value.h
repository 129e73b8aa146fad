#pragma once

#include "engine/config/options.h"

#include <nlohmann/json_fwd.hpp>

/// Option values: checks, text form and JSON form.
namespace tilewright::config {

/// Checks exact type, range and allowed values. No coercion: an integer is not a float, a bool is not an integer. A bare integer is
/// accepted for IntList. Also checks known dict keys. Codes: config.wrong-type, config.out-of-range, config.not-allowed, config.bad-text.
Status checkValue(OptionInfo const &option, OptionValue const &value);
/// Checks only the entry `key` of a dict option; `value` is the entry's text.
Status checkDictEntry(OptionInfo const &option, std::string const &key, std::string const &value);
/// The share of a tile's memory that a text such as "0.6" gives: from kLeastMemoryProportion (less than a byte of a tile) up to 1.
Result<double> parseMemoryProportion(std::string_view text, std::string const &place);
inline constexpr double kLeastMemoryProportion = 1e-6;
/// Warning for a dict key that is unknown or not read; nullopt if there is none.
std::optional<Diagnostic> dictKeyWarning(OptionInfo const &option, std::string const &key);

/// Parses the command line's text: true/false (also True/False), 12, 0.9, plain text, {"k":"v"} for dicts, [1,2] or 1,2 or 1 for lists. The
/// result passes checkValue.
Result<OptionValue> parseValue(OptionInfo const &option, std::string_view text);
/// Reads JSON. `enumsAsInts`: files of the original library hold the number of an enum value. The result passes checkValue.
Result<OptionValue> valueFromJson(OptionInfo const &option, nlohmann::json const &json, bool enumsAsInts = false);

nlohmann::json valueToJson(OptionValue const &value);
/// true, 12, 0.9, plain text, {"k":"v"}, [1, 2]. parseValue reads it back.
std::string toText(OptionValue const &value);
/// The same with text in quotes and escaped, for one line.
std::string quotedText(OptionValue const &value);
/// Name, type, default, allowed, min, max, unit, help, category, deprecated, effect, since.
nlohmann::json optionToJson(OptionInfo const &option);

} // namespace tilewright::config
