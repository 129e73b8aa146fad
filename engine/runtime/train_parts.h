#pragma once

#include "engine/runtime/data_reader.h"
#include "engine/runtime/run.h"

/// Parts of a training that need no session.
namespace tilewright::runtime {

/// The generated records that a training reads, first to last: those of its first epoch or steps, in their order, then those of its
/// validation.
std::vector<DataReader::Wanted> wantedRecords(project::Project const &project, RunRequest const &request, data::Dataset const &dataset);

/// The remedy if training leaves the range of finite numbers.
Message remedyOfNumbers();
/// A number with at most so many decimals.
std::string figureText(double value, int decimals);

} // namespace tilewright::runtime
