#pragma once

#include <QPointF>

#include <map>
#include <string>
#include <vector>

// What a project keeps of how its model lies on the canvas (project::Project::layout). It may name layers that are
// not there (undo may bring them back); who opens a project prunes it.
namespace tilewright::views {

struct LayerGroup {
    std::string name;
    std::vector<std::string> layers;
    bool folded = false;
    bool operator==(LayerGroup const &) const = default;
};

struct CanvasLayout {
    bool leftToRight = false;
    std::map<std::string, QPointF> pins; ///< centre of layers (or of "group:NAME") that a person put somewhere
    std::vector<LayerGroup> groups;      ///< a layer is in at most one
    bool operator==(CanvasLayout const &) const = default;

    LayerGroup *find(std::string const &group);
    LayerGroup const *groupOf(std::string const &layer) const;
};

/// Whatever cannot be read is left out; other programs' keys are not kept.
CanvasLayout parseCanvasLayout(std::string const &json);
std::string printCanvasLayout(CanvasLayout const &layout);

/// The layers as one group with a name of its own; they leave the groups they were in.
CanvasLayout grouped(CanvasLayout layout, std::vector<std::string> const &layers, std::string const &name = {});
CanvasLayout ungrouped(CanvasLayout layout, std::string const &group);
/// Groups, where there are none yet, by the part of the names before the last "/" or "." that layers share.
CanvasLayout groupedByScope(CanvasLayout layout, std::vector<std::string> const &layers);
/// The layout after a layer got another name. What it says of the old name stays: undo brings that back, and the
/// layout is no part of undo.
CanvasLayout layoutRenamed(CanvasLayout layout, std::string const &from, std::string const &to);
/// Without what no layer of `layers` has.
CanvasLayout pruned(CanvasLayout layout, std::vector<std::string> const &layers);

} // namespace tilewright::views
