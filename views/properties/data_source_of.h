#pragma once

#include "engine/project/project.h"

#include <filesystem>

namespace tilewright::views {

class Document;

/// Where relative paths of data start: the project's folder, else the present one.
std::filesystem::path dataFolder(Document const &document);
/// The data source as a run reads it: the plan's validation split goes before that of the data.
data::DataSourceSpec dataSpecOf(project::Project const &project);

} // namespace tilewright::views
