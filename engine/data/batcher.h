#pragma once

#include "engine/data/tensor_data.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::data {

/// Order in which an epoch visits the samples: 0 … count-1, shuffled (Fisher-Yates on counter-based bits of
/// seed and epoch) or not. Requires: 0 <= count < 2^32.
std::vector<std::uint32_t> epochOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch, bool shuffle);

/// Writes the records `indices` one after the other as floats times `scale`: out[indices.size() ×
/// sampleElements]. Requires: each index < array.count().
void gatherBatch(DataArray const &array, std::span<std::uint32_t const> indices, float scale, float *out);

/// Labels as class numbers (floats are truncated) or as floats: out[indices.size() × sampleElements].
/// Requires: each index < labels.count().
void gatherLabels(DataArray const &labels, std::span<std::uint32_t const> indices, std::int32_t *out);
void gatherLabels(DataArray const &labels, std::span<std::uint32_t const> indices, float *out);

/// Whole micro-batches an epoch has; what is left over at its end is dropped (shapes on the device are fixed).
std::int64_t batchesPerEpoch(std::int64_t samples, std::int64_t batchSize);

/// The element of the infeed that replica `replica` of `replicas` takes in its turn `turn` (0, 1, … counts
/// micro-batches): with replication each replica takes an element of its own, in the order of the replicas.
constexpr std::int64_t replicaElement(std::int64_t turn, std::int64_t replica, std::int64_t replicas) { return turn * replicas + replica; }

/// Records of that element: a part of `order`; empty when the order ends before it.
std::span<std::uint32_t const> replicaBatch(std::span<std::uint32_t const> order, std::int64_t batchSize, std::int64_t turn,
                                            std::int64_t replica, std::int64_t replicas);

} // namespace tilewright::data
