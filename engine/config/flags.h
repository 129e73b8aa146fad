#pragma once

#include "engine/config/option_set.h"

#include <string>
#include <string_view>

namespace tilewright::config {

/// The items of TF_POPLAR_FLAGS that were given; all others have their defaults. A value.
class PoplarFlags : public OptionSet {
public:
    PoplarFlags() : OptionSet(OptionCategory::Flag) {}

    /// Parses `--name=value` or `--name` items separated by spaces. ' and " keep spaces; inside ", a backslash escapes the next character.
    /// Refuses an unknown item (with the nearest name), an item removed from the original, a value of a wrong type, and contradictory
    /// synthetic settings.
    static Result<PoplarFlags> parse(std::string_view text, DiagnosticSink *sink = nullptr);

    bool helpRequested() const { return boolean("help"); }
    /// The items in table order, as parse reads them.
    std::string itemsText() const;

    bool operator==(PoplarFlags const &) const = default;
};

/// One paragraph per flag: name, default, meaning.
std::string flagsHelp();

/// Data that do not move between host and device, and their replacement.
struct SyntheticData {
    bool infeed = false, outfeed = false, seed = false, hostEmbedding = false, parameters = false;
    enum class Fill {
        None,    ///< zeros
        Uniform, ///< from 0 to 1; zeros for integers
        Normal,  ///< mean 0, deviation 1; ones for integers
        Constant
    };
    Fill fill = Fill::None;
    double constant = 0; ///< for Constant; integer tensors use its whole part

    bool any() const { return infeed || outfeed || seed || hostEmbedding || parameters; }
    bool operator==(SyntheticData const &) const = default;
};

/// Explicit categories select only those. --use_synthetic_data without categories selects all. Without both, nothing is synthetic. Refuses
/// an unknown category, an unknown initializer, and an initializer without synthetic data.
Result<SyntheticData> syntheticData(PoplarFlags const &flags);

} // namespace tilewright::config
