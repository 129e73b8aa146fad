#pragma once

#include "views/subjects/facts.h"

#include "engine/project/project.h"

#include <QStringList>

namespace tilewright::views {

/// Derived facts of layers: shapes, parameters, multiply-adds, weights. If the model does not resolve, its problems are listed instead.
struct LayerFacts {
    QString headline; ///< "dense: Dense, 401,920 parameters, output [None, 512]"
    QList<FactSection> sections;
    QStringList problems;
};
LayerFacts layerFacts(project::Project const &project, QStringList const &names, std::vector<Diagnostic> const &problems);

/// Facts of the project, for an empty selection.
LayerFacts projectFacts(project::Project const &project, std::vector<Diagnostic> const &problems);

/// Names of a selection of layers: one a line.
QStringList layerNames(QString const &selected);

} // namespace tilewright::views
