#pragma once

#include "engine/project/project.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::random_models {

struct DrawnProject {
    project::Project project;       ///< its data are `NAME.npz` beside it
    std::vector<std::string> drawn; ///< words for what it has: "layer Dense", "loss Hinge", "optimizer Adam", "replicas", …
};

/// Every word that draws of all seeds must have between them: each layer class, loss, optimizer and metric of the registries, and what
/// a plan can be.
std::vector<std::string> wordsToDraw();

/// The project of a seed. Writes its data to FOLDER/NAME.npz. Equal seeds give equal projects and data.
Result<DrawnProject> drawProject(std::uint64_t seed, std::filesystem::path const &folder, std::string const &name);

/// The project's JSON twin, as a file.
Status writeTwin(project::Project const &project, std::filesystem::path const &file);

} // namespace tilewright::random_models
