#pragma once

#include "views/session/selection.h"

#include <QString>

#include <optional>

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

class Session;

/// Where a message leads: what becomes selected (None: nothing) and the view that shows it.
struct SubjectLink {
    Selected selected;
    QString view;
    bool operator==(SubjectLink const &) const = default;
};

/// The place a subject names: a layer ("dense", "dense (call 1)", "model.layers.dense.units"), an option
/// ("ipu_config.io_tiles.num_io_tiles"), a field of the plan ("training.batch_size", "loss") or of the data
/// ("data.path"), a tile ("tile 12"). nullopt: a file, or something that is not there.
std::optional<SubjectLink> linkOf(project::Project const &project, QString const &subject);

/// Selects it and, when `show`, asks for its view. Returns false when the subject leads nowhere.
bool goToSubject(Session &session, QString const &subject, bool show, QObject *from);

} // namespace tilewright::views
