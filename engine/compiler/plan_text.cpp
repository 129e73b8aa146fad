#include "engine/compiler/plan_text.h"

#include "engine/core/json_text.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>

namespace tilewright::compiler {

std::string planText(std::string const &plan)
{
    auto const json = jsonOrDiscarded(plan);
    if (!json.is_object() || !json.contains("chosen")) return plan;
    auto const &chosen = json["chosen"];
    auto const number = [](nlohmann::json const &in, char const *key) { return in.is_object() ? in.value(key, std::int64_t{0}) : 0; };
    auto const product = [&](char const *part, std::initializer_list<char const *> keys) {
        std::string text;
        for (auto const *key : keys)
            text += (text.empty() ? "" : " x ") + groupedDigits(chosen.contains(part) ? number(chosen[part], key) : 0);
        return text;
    };
    std::string text = product("split", {"rows", "inner", "columns", "serial"}) + " pieces (rows, inner, columns, serial) of "
        + product("block", {"rows", "inner", "columns"}) + " on " + groupedDigits(number(chosen, "tiles")) + " tiles, "
        + groupedDigits(chosen.contains("cycles") ? number(chosen["cycles"], "total") : 0) + " cycles estimated";
    if (chosen.contains("splits"))
        for (auto const &[member, splits] : chosen["splits"].items())
            text += "; " + member + " in " + groupedDigits(number(splits, "count")) + " serial splits over "
                + splits.value("over", std::string());
    if (json.contains("alternatives")) text += "; " + std::to_string(json["alternatives"].size()) + " other plans";
    if (auto const group = json.value("group", nlohmann::json::object()); !group.empty()) {
        bool const apart = group.value("planned", std::string()) == "apart";
        auto const cycles = [&](char const *key) { return groupedDigits(number(group, key)) + " cycles"; };
        bool const forMemory = group.value("for_memory", false);
        text += "; the " + std::to_string(number(group, "products")) + " products of its weights "
            + (apart           ? "apart, "
                   : forMemory ? "together for memory, "
                               : "together, ")
            + cycles(apart ? "cycles_apart" : "cycles_together") + " instead of " + cycles(apart ? "cycles_together" : "cycles_apart");
    }
    return text;
}

} // namespace tilewright::compiler
