#pragma once

#include "views/widgets/fact_list.h"

#include "engine/project/project.h"

#include <QStringList>

namespace tilewright::views {

/// What follows of layers and cannot be typed: shapes, parameters, multiply-adds, weights. Problems of the model
/// stand in their place when it does not resolve.
struct LayerFacts {
    QString headline; ///< "dense: Dense, 401,920 parameters, output [None, 512]"
    QList<FactSection> sections;
    QStringList problems;
};
LayerFacts layerFacts(project::Project const &project, QStringList const &names, std::vector<Diagnostic> const &problems);

/// The project on one page, for when nothing is selected.
LayerFacts projectFacts(project::Project const &project, std::vector<Diagnostic> const &problems);

/// Names of a selection of layers: one a line.
QStringList layerNames(QString const &selected);

} // namespace tilewright::views
