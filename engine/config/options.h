#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What a person may configure, once: the option tables. Property editors, the command line's `options`
/// and the help pages read these tables; nothing else lists options.
namespace tilewright::config {

using OptionDict = std::map<std::string, std::string>;
using OptionValue = std::variant<bool, std::int64_t, double, std::string, OptionDict, std::vector<std::int64_t>>;

enum class OptionType {
    Bool,
    Int,
    Float,
    Text,
    Path,
    Enum,   ///< held as text, one of `allowed`
    Dict,   ///< text to text
    IntList ///< a list, or one bare integer which becomes a list of one
};

/// NotYet: the option is kept, saved and checked, but nothing reads it in this version.
enum class Effect { Active, NotYet };

/// Which table an option stands in; decides how its full name is written.
enum class OptionCategory {
    IpuConfig, ///< ipu_config.PATH
    Flag,      ///< an item --PATH of TF_POPLAR_FLAGS
    Engine,    ///< a key of POPLAR_ENGINE_OPTIONS and of compilation_poplar_options
    Target,    ///< a key of POPLAR_TARGET_OPTIONS
    Runtime    ///< a key of POPLAR_RUNTIME_OPTIONS
};

/// One option. A description, never a value somebody set.
struct OptionInfo {
    std::string path; ///< full name inside its table ("optimizations.math.fast")
    OptionType type = OptionType::Bool;
    OptionValue defaultValue;
    std::vector<std::string> allowed; ///< not empty: the only values (Enum, some Text)
    std::optional<double> min, max;   ///< inclusive bounds of Int, Float and each entry of IntList
    std::string unit;                 ///< "bytes", "tiles", "ms", … or empty
    std::string help;                 ///< what it does; what else there is to know, helpNotes() says
    OptionCategory category = OptionCategory::IpuConfig;
    bool deprecated = false;
    std::string deprecatedMessage;
    Effect effect = Effect::NotYet;
    std::vector<std::string> inactiveValues; ///< values of an Active option that are not treated yet
    std::string activePart;                  ///< of an Active option that stands for several: the only ones with an effect yet
    bool inExecutableHash = true;            ///< a change makes another executable
    std::string since;                       ///< version of the program that first listed it
};

/// The tables, in the order of the reference, ipu_config.md. Paths are unique within each.
std::span<OptionInfo const> ipuConfigOptions(); ///< section 2
std::span<OptionInfo const> poplarFlags();      ///< section 4, paths without the leading dashes
std::span<OptionInfo const> engineOptions();    ///< section 5
std::span<OptionInfo const> targetOptions();
std::span<OptionInfo const> runtimeOptions();
std::span<OptionInfo const> optionsOf(OptionCategory category);

/// Exact lookup; null when there is none.
OptionInfo const *findOption(std::span<OptionInfo const> table, std::string_view path);
/// Full path of the option that `path` most likely meant: one that ends in it, else the nearest
/// spelling of the whole, else of the last name; "" when nothing is near.
std::string nearestOption(std::span<OptionInfo const> table, std::string_view path);
/// "optimizations.math" when it is a prefix of options and not an option itself.
bool isOptionGroup(std::span<OptionInfo const> table, std::string_view path);

/// "ipu_config.io_tiles.num_io_tiles", "TF_POPLAR_FLAGS --use_ipu_model", "POPLAR_ENGINE_OPTIONS
/// debug.instrument".
std::string placeOf(OptionCategory category, std::string_view path);
inline std::string placeOf(OptionInfo const &option) { return placeOf(option.category, option.path); }

std::string_view toText(OptionCategory category);
std::string_view toText(OptionType type);
/// "an integer from 0 to 192 (tiles)", "one of AUTO, ZIGZAG", …: what would be right, for messages and help.
Message expectedText(OptionInfo const &option);
/// What is to be said behind an option's help: that it has no effect yet, for example.
struct HelpNote {
    std::string_view text; ///< "%1 has no effect yet."
    std::string value;     ///< in the place of %1
};
std::vector<HelpNote> helpNotes(OptionInfo const &option);
/// Help and notes.
std::string fullHelp(OptionInfo const &option);
/// Several lines: name, type, default, allowed values, full help, effect.
std::string describeOption(OptionInfo const &option);

/// Refused with its nearest right name (code config.unknown-option).
Diagnostic unknownOption(OptionCategory category, std::string_view path);
/// What setting `value` should tell: deprecation and missing effect. Empty when there is nothing to tell.
std::vector<Diagnostic> settingWarnings(OptionInfo const &option, OptionValue const &value);

} // namespace tilewright::config
