#pragma once

#include "engine/config/option_set.h"

#include <string>
#include <string_view>

namespace tilewright::config {

/// The items of TF_POPLAR_FLAGS that were given; others have their defaults. A value.
class PoplarFlags : public OptionSet {
public:
    PoplarFlags() : OptionSet(OptionCategory::Flag) {}

    /// `--name=value` or `--name` items between spaces; ' and " keep spaces together, a backslash inside "
    /// takes the next character as it is. Refused: an unknown item (with the nearest name), one that was
    /// removed from the original, a value of the wrong type, synthetic settings that contradict each other.
    static Result<PoplarFlags> parse(std::string_view text, DiagnosticSink *sink = nullptr);

    bool helpRequested() const { return boolean("help"); }
    /// Items as parse reads them, in table order.
    std::string itemsText() const;

    bool operator==(PoplarFlags const &) const = default;
};

/// One paragraph per flag: name, default, meaning.
std::string flagsHelp();

/// Which data does not move between host and device, and what is found instead.
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

/// Categories given: only those; none and --use_synthetic_data: all; neither: nothing is synthetic.
/// Refused: an unknown category, an unknown initializer, an initializer without synthetic data.
Result<SyntheticData> syntheticData(PoplarFlags const &flags);

} // namespace tilewright::config
