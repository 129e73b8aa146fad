#pragma once

#include "engine/project/project.h"

#include <QPixmap>
#include <QSize>
#include <QString>

namespace tilewright::views {
class ReportSnapshot;
}

namespace tilewright::app {

/// A small picture of a model: a block per layer from input to output, with a height by its output and the colour of its family.
QPixmap modelPicture(project::Project const &project, QSize const &size, double ratio);
/// The stored picture of a file that was open; null: none. Pictures are in the cache folder.
QPixmap keptPicture(QString const &file);
void keepPicture(project::Project const &project, QString const &file);
/// A small picture of a report: use of its tiles in order, below their limit.
QPixmap reportPicture(views::ReportSnapshot const &report, QSize const &size, double ratio);
void keepPicture(views::ReportSnapshot const &report);

} // namespace tilewright::app
