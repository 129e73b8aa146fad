#pragma once

#include "engine/core/tally.h"
#include "engine/core/types.h"

#include <string>
#include <string_view>

namespace tilewright::graph {

/// One tensor of an infeed or outfeed, per micro-batch and replica.
struct FeedSpec {
    std::string name;
    Shape shape;
    DType dtype = DType::F32;
    Tally tally = {}; ///< of an output of a training or an evaluation: how its figure is read
    bool operator==(FeedSpec const &) const = default;
};

/// Labels of several outputs are fed as "output/labels". Returns the name of the output, or "" for the labels of a single one.
inline std::string outputOfLabels(FeedSpec const &feed)
{
    constexpr std::string_view kEnd = "/labels";
    return feed.name.ends_with(kEnd) ? feed.name.substr(0, feed.name.size() - kEnd.size()) : std::string();
}

/// Whether the feed holds the sample weights (f32 [batch]), the last feed of a training with weights.
inline bool isSampleWeights(FeedSpec const &feed) { return feed.name == "/sample_weight"; }

} // namespace tilewright::graph
