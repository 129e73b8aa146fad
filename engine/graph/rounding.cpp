#include "engine/graph/rounding.h"

namespace tilewright::graph {

namespace {
constexpr char const *kRoundingName = "rounding", *kOwn = "stochastic", *kAlike = "stochastic_alike";
}

Rounding roundingOf(Node const &node)
{
    if (!node.attrs.has(kRoundingName)) return Rounding::Nearest;
    return node.attrs.text(kRoundingName) == kAlike ? Rounding::StochasticAlike : Rounding::Stochastic;
}

void setRounding(Node &node, Rounding rounding)
{
    if (rounding == Rounding::Nearest) node.attrs.all().erase(kRoundingName);
    else node.attrs.set(kRoundingName, std::string(rounding == Rounding::StochasticAlike ? kAlike : kOwn));
}

AttrSpec roundingAttribute()
{
    return optionalAttr(kRoundingName, AttrType::Text,
                        "how results are rounded to float16: stochastic, stochastic_alike; to the nearest without it");
}

} // namespace tilewright::graph
