#pragma once

#include "engine/project/project.h"

#include <QList>
#include <QString>

namespace tilewright::views {

/// One line of the outline below the model: its text and the view for changing it.
struct ProjectLine {
    QString title, text, view, icon;
};

/// Training, data, target and configuration in a line each.
QList<ProjectLine> projectLines(project::Project const &project);

} // namespace tilewright::views
