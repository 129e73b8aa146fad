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

/// The option tables: everything that can be configured. Property editors, `tilewright options` and the help pages read them. No other list
/// of options exists.
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
    IntList ///< a list, or one bare integer, which becomes a list of one
};

/// NotYet: the option is kept, saved and checked, but not read in this version.
/// Cannot: an emulator has nothing that the option could change; OptionInfo::reason tells why.
enum class Effect { Active, NotYet, Cannot };

/// The table of an option. It determines the form of the full name.
enum class OptionCategory {
    IpuConfig, ///< ipu_config.PATH
    Flag,      ///< an item --PATH of TF_POPLAR_FLAGS
    Engine,    ///< a key of POPLAR_ENGINE_OPTIONS and of compilation_poplar_options
    Target,    ///< a key of POPLAR_TARGET_OPTIONS
    Runtime    ///< a key of POPLAR_RUNTIME_OPTIONS
};

/// Description of one option, without a value.
struct OptionInfo {
    std::string path; ///< full name inside its table ("optimizations.math.fast")
    OptionType type = OptionType::Bool;
    OptionValue defaultValue;
    std::vector<std::string> allowed; ///< not empty: the only values (Enum, some Text)
    std::optional<double> min, max;   ///< inclusive bounds of Int, Float and each entry of IntList
    std::string unit;                 ///< "bytes", "tiles", "ms", … or empty
    std::string help;                 ///< the effect; helpNotes() adds further notes
    OptionCategory category = OptionCategory::IpuConfig;
    bool deprecated = false;
    std::string deprecatedMessage;
    Effect effect = Effect::NotYet;
    std::string reason;           ///< for Cannot: one sentence
    std::string activePart;       ///< for an Active option that stands for several: those with an effect
    bool inExecutableHash = true; ///< a change requires a new executable
    std::string since;            ///< version of the program that first listed it
};

/// The tables, in the order of the reference, ipu_config.md. Paths are unique within each.
std::span<OptionInfo const> ipuConfigOptions(); ///< section 2
std::span<OptionInfo const> poplarFlags();      ///< section 4, paths without the leading dashes
std::span<OptionInfo const> engineOptions();    ///< section 5
std::span<OptionInfo const> targetOptions();
std::span<OptionInfo const> runtimeOptions();
std::span<OptionInfo const> optionsOf(OptionCategory category);

/// Exact lookup; null if there is none.
OptionInfo const *findOption(std::span<OptionInfo const> table, std::string_view path);
/// Full path of the option that `path` most likely means: one that ends in it, else the nearest spelling of the whole, else of the last
/// name; "" if nothing is near.
std::string nearestOption(std::span<OptionInfo const> table, std::string_view path);
/// "optimizations.math" when it is a prefix of options and not an option itself.
bool isOptionGroup(std::span<OptionInfo const> table, std::string_view path);

/// "ipu_config.io_tiles.num_io_tiles", "TF_POPLAR_FLAGS --use_ipu_model", "POPLAR_ENGINE_OPTIONS
/// debug.instrument".
std::string placeOf(OptionCategory category, std::string_view path);
inline std::string placeOf(OptionInfo const &option) { return placeOf(option.category, option.path); }

std::string_view toText(OptionCategory category);
std::string_view toText(OptionType type);
/// "active", "not yet", "cannot".
std::string_view toText(Effect effect);
/// The valid values, for messages and help: "an integer from 0 to 192 (tiles)", "one of AUTO, ZIGZAG", …
Message expectedText(OptionInfo const &option);
/// A note after an option's help, for example that it has no effect yet.
struct HelpNote {
    std::string_view text; ///< "%1 has no effect yet."
    std::string value;     ///< replaces %1
};
std::vector<HelpNote> helpNotes(OptionInfo const &option);
/// Help and notes.
std::string fullHelp(OptionInfo const &option);
/// Several lines: name, type, default, allowed values, full help, effect.
std::string describeOption(OptionInfo const &option);

/// Error with the nearest valid name (code config.unknown-option).
Diagnostic unknownOption(OptionCategory category, std::string_view path);
/// Warnings for setting `value`: deprecation and missing effect. May be empty.
std::vector<Diagnostic> settingWarnings(OptionInfo const &option, OptionValue const &value);

} // namespace tilewright::config
