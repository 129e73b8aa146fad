#pragma once

#include "engine/runtime/session.h"

/// Parts that runs of a project and of an exported executable share.
namespace tilewright::runtime {

/// Runs a loaded model over samples in this order and returns its outputs. Requires: the order holds whole executions.
Result<std::vector<PredictedOutput>> predictSamples(Session &session, data::DataArray const &x, double scale,
                                                    std::vector<std::uint32_t> const &order, JobContext const &job);
/// Runs a loaded evaluation or training, which has its feeds, over `turns` micro-batches of each replica in this order. Returns the means
/// of loss and metrics.
struct SampleMeans {
    double loss = 0;
    std::vector<std::pair<std::string, double>> metrics;
};
Result<SampleMeans> meansOf(Session &session, std::vector<std::uint32_t> const &order, std::int64_t turns, std::string const &phase,
                            JobContext const &job);
/// Keeps the first samples of each output, and returns an error that names the first value that is not finite.
std::optional<Diagnostic> keepSamples(std::vector<PredictedOutput> &outputs, std::int64_t samples);

} // namespace tilewright::runtime
