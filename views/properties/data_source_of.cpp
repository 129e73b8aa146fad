#include "views/properties/data_source_of.h"

#include "views/session/document.h"

#include <QDir>
#include <QFileInfo>

namespace tilewright::views {

std::filesystem::path dataFolder(Document const &document)
{
    QString const folder = document.path().isEmpty() ? QDir::currentPath() : QFileInfo(document.path()).absolutePath();
    return {folder.toStdString()};
}

data::DataSourceSpec dataSpecOf(project::Project const &project)
{
    auto spec = project.data;
    if (project.training.validationSplit > 0) spec.validationSplit = project.training.validationSplit;
    return spec;
}

} // namespace tilewright::views
