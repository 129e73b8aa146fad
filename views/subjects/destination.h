#pragma once

#include "views/session/selection.h"

#include <QString>

#include <optional>

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

class Session;

/// Where a text or a figure leads: the selection to make and the view to show.
struct Destination {
    QString view;      ///< "" keeps the current view
    Selected selected; ///< None keeps the selection
    bool isNull() const { return view.isEmpty() && selected.kind == SelectionKind::None; }
    bool operator==(Destination const &) const = default;
};

/// The place named by the subject of a message: a layer ("dense", "dense (call 1)", "model.layers.dense.units"), an option
/// ("ipu_config.io_tiles.num_io_tiles"), a field of the plan ("training.batch_size", "loss") or of the data ("data.path"), a tile ("tile
/// 12"). nullopt: a file, or something that does not exist.
std::optional<Destination> destinationOf(project::Project const &project, QString const &subject);

/// Selects the place and, with `show`, requests its view. Returns false if the subject has no place.
bool goToSubject(Session &session, QString const &subject, bool show, QObject *from);

} // namespace tilewright::views
