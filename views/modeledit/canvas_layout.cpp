#include "views/modeledit/canvas_layout.h"

#include "engine/core/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace tilewright::views {

using nlohmann::json;

namespace {

std::string freeName(CanvasLayout &layout)
{
    for (int i = 1;; ++i)
        if (std::string name = "group " + std::to_string(i); !layout.find(name)) return name;
}

std::string pinOfGroup(std::string const &group) { return "group:" + group; }

} // namespace

LayerGroup *CanvasLayout::find(std::string const &group)
{
    auto const it = std::find_if(groups.begin(), groups.end(), [&](LayerGroup const &each) { return each.name == group; });
    return it == groups.end() ? nullptr : &*it;
}

LayerGroup const *CanvasLayout::groupOf(std::string const &layer) const
{
    for (auto const &group : groups)
        if (std::find(group.layers.begin(), group.layers.end(), layer) != group.layers.end()) return &group;
    return nullptr;
}

CanvasLayout parseCanvasLayout(std::string const &text)
{
    CanvasLayout layout;
    json const root = jsonOrDiscarded(text);
    if (!root.is_object()) return layout;
    if (auto const it = root.find("direction"); it != root.end()) layout.leftToRight = *it == "right";
    if (auto const it = root.find("pins"); it != root.end() && it->is_object())
        for (auto const &[name, at] : it->items())
            if (at.is_array() && at.size() == 2 && at[0].is_number() && at[1].is_number()) {
                QPointF const point(at[0].get<double>(), at[1].get<double>());
                if (std::abs(point.x()) < 1e7 && std::abs(point.y()) < 1e7) layout.pins[name] = point;
            }
    std::set<std::string> taken;
    if (auto const it = root.find("groups"); it != root.end() && it->is_array())
        for (auto const &item : *it) {
            if (!item.is_object() || !item.contains("name") || !item["name"].is_string()) continue;
            LayerGroup group{item["name"].get<std::string>(), {}, item.contains("folded") && item["folded"] == true};
            if (group.name.empty() || layout.find(group.name)) continue;
            if (auto const layers = item.find("layers"); layers != item.end() && layers->is_array())
                for (auto const &layer : *layers)
                    if (layer.is_string() && taken.insert(layer.get<std::string>()).second)
                        group.layers.push_back(layer.get<std::string>());
            if (!group.layers.empty()) layout.groups.push_back(std::move(group));
        }
    return layout;
}

std::string printCanvasLayout(CanvasLayout const &layout)
{
    json root = json::object();
    if (layout.leftToRight) root["direction"] = "right";
    for (auto const &[name, at] : layout.pins) root["pins"][name] = {at.x(), at.y()};
    for (auto const &group : layout.groups) {
        json item{{"name", group.name}, {"layers", group.layers}};
        if (group.folded) item["folded"] = true;
        root["groups"].push_back(std::move(item));
    }
    return root.dump();
}

CanvasLayout grouped(CanvasLayout layout, std::vector<std::string> const &layers, std::string const &name)
{
    if (layers.empty()) return layout;
    for (auto const &layer : layers)
        for (auto &group : layout.groups) std::erase(group.layers, layer);
    std::erase_if(layout.groups, [](LayerGroup const &group) { return group.layers.empty(); });
    std::string const own = name.empty() || layout.find(name) ? freeName(layout) : name;
    layout.groups.push_back({own, layers, false});
    return layout;
}

CanvasLayout ungrouped(CanvasLayout layout, std::string const &group)
{
    std::erase_if(layout.groups, [&](LayerGroup const &each) { return each.name == group; });
    layout.pins.erase(pinOfGroup(group));
    return layout;
}

CanvasLayout groupedByScope(CanvasLayout layout, std::vector<std::string> const &layers)
{
    std::map<std::string, std::vector<std::string>> scopes;
    for (auto const &layer : layers) {
        auto const at = layer.find_last_of("/.");
        if (at != std::string::npos && at > 0 && !layout.groupOf(layer)) scopes[layer.substr(0, at)].push_back(layer);
    }
    for (auto const &[scope, members] : scopes)
        if (members.size() > 1) layout = grouped(std::move(layout), members, scope);
    return layout;
}

CanvasLayout layoutRenamed(CanvasLayout layout, std::string const &from, std::string const &to)
{
    if (from == to) return layout;
    if (auto const pin = layout.pins.find(from); pin != layout.pins.end()) layout.pins[to] = pin->second;
    for (auto &group : layout.groups) {
        auto const at = std::find(group.layers.begin(), group.layers.end(), from);
        if (at != group.layers.end() && std::find(group.layers.begin(), group.layers.end(), to) == group.layers.end())
            group.layers.insert(at, to);
    }
    return layout;
}

CanvasLayout pruned(CanvasLayout layout, std::vector<std::string> const &layers)
{
    std::set<std::string> known(layers.begin(), layers.end());
    for (auto &group : layout.groups) std::erase_if(group.layers, [&](std::string const &layer) { return !known.contains(layer); });
    std::erase_if(layout.groups, [](LayerGroup const &group) { return group.layers.empty(); });
    for (auto const &group : layout.groups) known.insert(pinOfGroup(group.name));
    std::erase_if(layout.pins, [&](auto const &pin) { return !known.contains(pin.first); });
    return layout;
}

} // namespace tilewright::views
