#include "views/properties/data_source_of.h"

#include "views/session/fix_trials.h"

namespace tilewright::views {

std::filesystem::path dataFolder(Document const &document) { return dataFolderOf(document); }

data::DataSourceSpec dataSpecOf(project::Project const &project)
{
    auto spec = project.data;
    if (project.training.validationSplit > 0) spec.validationSplit = project.training.validationSplit;
    return spec;
}

} // namespace tilewright::views
