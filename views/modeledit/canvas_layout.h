#pragma once

#include <QPointF>

#include <map>
#include <string>
#include <vector>

// The stored layout of a model on the canvas (project::Project::layout). It may name missing layers, because undo may restore them; opening
// a project removes them.
namespace tilewright::views {

struct LayerGroup {
    std::string name;
    std::vector<std::string> layers;
    bool folded = false;
    bool operator==(LayerGroup const &) const = default;
};

struct CanvasLayout {
    bool leftToRight = false;
    std::map<std::string, QPointF> pins; ///< centres of layers (or of "group:NAME") placed by the user
    std::vector<LayerGroup> groups;      ///< a layer is in at most one
    bool operator==(CanvasLayout const &) const = default;

    LayerGroup *find(std::string const &group);
    LayerGroup const *groupOf(std::string const &layer) const;
};

/// Ignores content it cannot read; does not keep unknown keys.
CanvasLayout parseCanvasLayout(std::string const &json);
std::string printCanvasLayout(CanvasLayout const &layout);

/// Makes a new group of the layers, with a unique name. They leave their previous groups.
CanvasLayout grouped(CanvasLayout layout, std::vector<std::string> const &layers, std::string const &name = {});
CanvasLayout ungrouped(CanvasLayout layout, std::string const &group);
/// Makes groups, if there are none, by the common part of names before the last "/" or ".".
CanvasLayout groupedByScope(CanvasLayout layout, std::vector<std::string> const &layers);
/// The layout after a layer was renamed. Entries of the old name stay: undo restores that name, and the layout is not part of undo.
CanvasLayout layoutRenamed(CanvasLayout layout, std::string const &from, std::string const &to);
/// Without entries of layers outside of `layers`.
CanvasLayout pruned(CanvasLayout layout, std::vector<std::string> const &layers);

} // namespace tilewright::views
