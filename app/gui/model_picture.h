#pragma once

#include "engine/project/project.h"

#include <QPixmap>
#include <QSize>
#include <QString>

namespace tilewright::views {
class ReportSnapshot;
}

namespace tilewright::app {

/// A model at a glance: a block per layer from input to output, as tall as what it gives, in the colour of its family.
QPixmap modelPicture(project::Project const &project, QSize const &size, double ratio);
/// The picture kept of a file that was open; null: none. Pictures lie in the cache folder.
QPixmap keptPicture(QString const &file);
void keepPicture(project::Project const &project, QString const &file);
/// Of a report: how full its tiles are, from the first to the last, below their limit.
QPixmap reportPicture(views::ReportSnapshot const &report, QSize const &size, double ratio);
void keepPicture(views::ReportSnapshot const &report);

} // namespace tilewright::app
