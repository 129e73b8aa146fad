#pragma once

#include "engine/core/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::cli {

/// A result replaces an earlier result of its kind, but no other file. `what` names the kind. Error: Usage "cli.exists".
Status requireReplaceable(std::filesystem::path const &path, std::string const &what,
                          std::function<bool(std::filesystem::path const &)> const &isFormer);

/// The place of predictions, for `predict` and `run`: an .npz that does not exist yet, or holds predictions of these outputs; `force`: any
/// other file too. Errors: Usage "cli.suffix", "cli.exists".
Status requirePlaceOfPredictions(std::filesystem::path const &path, std::vector<std::string> const &outputs, bool force);

/// The name of the array of an output: "predictions" if it is the only one.
std::string predictionName(std::vector<std::string> const &outputs, std::size_t index);

} // namespace tilewright::cli
