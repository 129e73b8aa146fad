#include "engine/data/batcher.h"

#include "engine/core/random.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

// Compiled with -O3 (CMakeLists.txt) so that the conversions below become vector code.

namespace tilewright::data {

namespace {

/// Makes the records readable. Requires that they exist.
void requireRecords(DataArray const &array, std::span<std::uint32_t const> indices)
{
    std::uint32_t highest = 0;
    for (auto const index : indices) highest = std::max(highest, index);
    TW_CHECK(indices.empty() || highest < array.count(), "a batch asks for a record that is not there");
    if (array.maker)
        for (auto const index : indices) array.makeRecords(index, 1);
}

template <typename From, typename Convert, typename To>
void gather(DataArray const &array, std::span<std::uint32_t const> indices, Convert convert, To *__restrict out)
{
    auto const n = static_cast<std::size_t>(array.sampleElements());
    auto const *const all = reinterpret_cast<From const *>(array.bytes.get());
    for (auto const index : indices) {
        From const *__restrict const from = all + static_cast<std::size_t>(index) * n;
        for (std::size_t i = 0; i < n; ++i) out[i] = convert(from[i]);
        out += n;
    }
}

template <typename To> void gatherAs(DataArray const &array, std::span<std::uint32_t const> indices, To *out)
{
    requireRecords(array, indices);
    switch (array.dtype) {
    case DType::F16:
        gather<std::uint16_t>(
            array, indices, [](std::uint16_t v) { return static_cast<To>(halfToFloat(v)); }, out);
        break;
    case DType::F32:
        gather<float>(
            array, indices, [](float v) { return static_cast<To>(v); }, out);
        break;
    case DType::I32:
        gather<std::int32_t>(
            array, indices, [](std::int32_t v) { return static_cast<To>(v); }, out);
        break;
    case DType::U8:
        gather<std::uint8_t>(
            array, indices, [](std::uint8_t v) { return static_cast<To>(v); }, out);
        break;
    case DType::Bool:
        gather<std::uint8_t>(
            array, indices, [](std::uint8_t v) { return static_cast<To>(v != 0); }, out);
        break;
    }
}

} // namespace

std::vector<std::uint32_t> epochOrder(std::int64_t count, std::uint64_t seed, std::int64_t epoch, bool shuffle)
{
    TW_CHECK(count >= 0 && count < (std::int64_t{1} << 32), "epochOrder: count");
    std::vector<std::uint32_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0u);
    if (!shuffle) return order;
    auto const stream = deriveSeed(seed, static_cast<std::uint64_t>(epoch));
    for (std::size_t i = order.size(); i > 1; --i) {
        // 32 random bits times i, shifted: uniform to within i / 2^32 without a division.
        auto const j = static_cast<std::size_t>((randomBits(stream, i) >> 32) * i >> 32);
        std::swap(order[i - 1], order[j]);
    }
    return order;
}

void gatherBatch(DataArray const &array, std::span<std::uint32_t const> indices, float scale, float *out)
{
    if (array.dtype == DType::U8) {
        requireRecords(array, indices);
        gather<std::uint8_t>(
            array, indices, [scale](std::uint8_t v) { return static_cast<float>(v) * scale; }, out);
        return;
    }
    gatherAs(array, indices, out);
    if (scale == 1) return;
    auto const n = indices.size() * static_cast<std::size_t>(array.sampleElements());
    for (std::size_t i = 0; i < n; ++i) out[i] *= scale;
}

void gatherLabels(DataArray const &labels, std::span<std::uint32_t const> indices, std::int32_t *out) { gatherAs(labels, indices, out); }

void gatherLabels(DataArray const &labels, std::span<std::uint32_t const> indices, float *out) { gatherAs(labels, indices, out); }

void gatherBytes(DataArray const &array, std::span<std::uint32_t const> indices, std::uint8_t *out)
{
    TW_CHECK(array.dtype == DType::U8, "gatherBytes: type");
    requireRecords(array, indices);
    gather<std::uint8_t>(
        array, indices, [](std::uint8_t v) { return v; }, out);
}

std::int64_t batchesPerEpoch(std::int64_t samples, std::int64_t batchSize)
{
    TW_CHECK(batchSize > 0, "batchesPerEpoch: batchSize");
    return samples / batchSize;
}

std::span<std::uint32_t const> replicaBatch(std::span<std::uint32_t const> order, std::int64_t batchSize, std::int64_t turn,
                                            std::int64_t replica, std::int64_t replicas)
{
    auto const element = replicaElement(turn, replica, replicas);
    auto const begin = element * batchSize;
    if (begin + batchSize > static_cast<std::int64_t>(order.size())) return {};
    return order.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(batchSize));
}

} // namespace tilewright::data
