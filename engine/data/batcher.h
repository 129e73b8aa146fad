#pragma once

#include "engine/data/tensor_data.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::data {

/// The order of the samples in an epoch: 0 … count-1, shuffled (Fisher-Yates on counter-based bits of seed and epoch) or not. Requires: 0
/// <= count < 2^32.
std::vector<std::uint32_t> epochOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch, bool shuffle);

/// Writes the records `indices` consecutively as floats times `scale`: out[indices.size() × sampleElements]. Requires: each index <
/// array.count().
void gatherBatch(DataArray const &array, std::span<std::uint32_t const> indices, float scale, float *out);

/// Writes labels as class numbers (floats are truncated) or as floats: out[indices.size() × sampleElements]. Requires: each index <
/// labels.count().
void gatherLabels(DataArray const &labels, std::span<std::uint32_t const> indices, std::int32_t *out);
void gatherLabels(DataArray const &labels, std::span<std::uint32_t const> indices, float *out);
/// The stored bytes. Requires: uint8.
void gatherBytes(DataArray const &array, std::span<std::uint32_t const> indices, std::uint8_t *out);

/// Whole micro-batches of an epoch. The remainder is dropped, because shapes on the device are fixed.
std::int64_t batchesPerEpoch(std::int64_t samples, std::int64_t batchSize);

/// The infeed element of replica `replica` of `replicas` in turn `turn` (0, 1, … counts micro-batches). Each replica takes an element of
/// its own, in the order of the replicas.
constexpr std::int64_t replicaElement(std::int64_t turn, std::int64_t replica, std::int64_t replicas) { return turn * replicas + replica; }

/// The records of that element: a part of `order`; empty if the order ends before it.
std::span<std::uint32_t const> replicaBatch(std::span<std::uint32_t const> order, std::int64_t batchSize, std::int64_t turn,
                                            std::int64_t replica, std::int64_t replicas);

} // namespace tilewright::data
