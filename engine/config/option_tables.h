#pragma once

#include "engine/config/options.h"

/// Helpers to build the tables, for this folder only.
namespace tilewright::config::detail {

std::vector<OptionInfo> coreOptions();
std::vector<OptionInfo> optimizationOptions();

/// Adds the common fields of a table's options: category, effect (from option_effects.cpp) and `since`.
std::vector<OptionInfo> finishTable(std::vector<OptionInfo> table, OptionCategory category);

/// option_effects.cpp
bool isActive(OptionCategory category, std::string_view path);
/// OptionInfo::reason; empty if an emulator can have the option.
std::string_view reasonAgainst(OptionCategory category, std::string_view path);
/// OptionInfo::activePart.
std::string activePart(OptionCategory category, std::string_view path);
/// The keys of a dict option that are read, and further known keys.
std::vector<std::string> activeDictKeys(std::string_view path);
std::vector<std::string> knownDictKeys(std::string_view path);

// Short constructors of table entries.
OptionInfo boolOption(std::string path, bool defaultValue, std::string help);
OptionInfo intOption(std::string path, std::int64_t defaultValue, std::optional<double> min, std::optional<double> max, std::string unit,
                     std::string help);
OptionInfo floatOption(std::string path, double defaultValue, double min, double max, std::string help);
OptionInfo textOption(std::string path, std::string defaultValue, std::string help);
OptionInfo pathOption(std::string path, std::string defaultValue, std::string help);
OptionInfo enumOption(std::string path, std::string defaultValue, std::vector<std::string> allowed, std::string help);
OptionInfo dictOption(std::string path, std::string help);
OptionInfo deprecated(OptionInfo option, std::string message);
OptionInfo intListOption(std::string path, double min, std::string unit, std::string help);

} // namespace tilewright::config::detail
