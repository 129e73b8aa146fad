#include "engine/data/dataset.h"

#include "engine/core/parallel.h"
#include "engine/core/random.h"
#include "engine/core/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace tilewright::data {

namespace {

/// Four independent chains keep the multiplier busy: memory speed.
class Hasher {
public:
    void add(std::uint64_t word) { m_state = mixBits(m_state ^ word) + 0x9E3779B97F4A7C15ull; }
    Status add(std::span<std::byte const> bytes, JobContext const &job)
    {
        constexpr std::size_t kStripe = 32, kPoll = std::size_t{1} << 22;
        std::array<std::uint64_t, 4> lane{1, 2, 3, 4};
        std::size_t at = 0;
        for (; bytes.size() - at >= kStripe; at += kStripe) {
            if (at % kPoll == 0 && job.cancelled()) return cancelledError("data");
            std::array<std::uint64_t, 4> words{};
            std::memcpy(words.data(), bytes.data() + at, kStripe);
            for (std::size_t i = 0; i < 4; ++i) {
                lane[i] = (lane[i] ^ words[i]) * 0x9E3779B97F4A7C15ull; // odd: a bijection of the lane
                lane[i] ^= lane[i] >> 29;
            }
        }
        for (auto const value : lane) add(value);
        for (; at < bytes.size(); ++at) add(std::to_integer<std::uint64_t>(bytes[at]));
        add(bytes.size());
        return {};
    }
    std::uint64_t value() const { return mixBits(m_state); }

private:
    std::uint64_t m_state = 0;
};

} // namespace

Result<std::uint64_t> hashOf(Dataset const &dataset, JobContext const &job)
{
    Hasher hasher;
    hasher.add(std::bit_cast<std::uint64_t>(dataset.scale));
    std::vector<DataArray const *> arrays{&dataset.x,           &dataset.y,     &dataset.validationX,
                                          &dataset.validationY, &dataset.testX, &dataset.testY};
    for (auto const *samples : {&dataset.x, &dataset.validationX, &dataset.testX, &dataset.y, &dataset.validationY, &dataset.testY}) {
        if (!samples->input.empty()) TW_TRY(hasher.add(std::as_bytes(std::span(samples->input)), job));
        for (auto const &other : samples->beside) {
            TW_TRY(hasher.add(std::as_bytes(std::span(other.input)), job));
            arrays.push_back(&other);
        }
    }
    for (auto const *array : arrays) {
        hasher.add(array->empty() ? 0 : 1 + static_cast<std::uint64_t>(array->dtype));
        if (array->empty()) continue;
        hasher.add(array->shape.size());
        for (auto const extent : array->shape) hasher.add(static_cast<std::uint64_t>(extent));
        if (array->maker) {
            hasher.add(array->maker->identity());
            hasher.add(static_cast<std::uint64_t>(array->makersFirst));
        } else {
            TW_TRY(hasher.add({array->bytes.get(), static_cast<std::size_t>(array->totalBytes())}, job));
        }
    }
    return hasher.value();
}

namespace {

/// make(from, to) for pieces of [0, count), a round of them at a time.
template <typename Make> Status makeInRounds(std::int64_t count, ThreadPool &pool, JobContext const &job, Make const &make)
{
    constexpr std::int64_t kTask = 128;   // digits: some milliseconds
    constexpr std::int64_t kRound = 4096; // between two reports of progress
    for (std::int64_t begin = 0; begin < count; begin += kRound) {
        auto const end = std::min(count, begin + kRound);
        pool.run(static_cast<std::size_t>(ceilDiv(end - begin, kTask)), [&](std::size_t task) {
            if (job.cancelled()) return;
            auto const from = begin + static_cast<std::int64_t>(task) * kTask;
            make(from, std::min(end, from + kTask));
        });
        if (job.cancelled()) return cancelledError("data");
        job.report("generating data", static_cast<double>(end) / static_cast<double>(count));
    }
    return {};
}

} // namespace

Status makeRecords(DataArray const &array, std::span<std::uint32_t const> order, ThreadPool &pool, JobContext const &job)
{
    for (auto const &other : array.beside) TW_TRY(makeRecords(other, order, pool, job));
    if (!array.maker) return {};
    return makeInRounds(static_cast<std::int64_t>(order.size()), pool, job, [&](std::int64_t from, std::int64_t to) {
        for (auto i = from; i < to; ++i) array.makeRecords(order[static_cast<std::size_t>(i)], 1);
    });
}

Status makeRecords(DataArray const &array, ThreadPool &pool, JobContext const &job)
{
    for (auto const &other : array.beside) TW_TRY(makeRecords(other, pool, job));
    if (!array.maker) return {};
    return makeInRounds(array.count(), pool, job, [&](std::int64_t from, std::int64_t to) { array.makeRecords(from, to - from); });
}

Status checkLabels(DataArray const &labels, int classes)
{
    if (labels.empty())
        return dataError("data.labels.shape", labels.origin.name(), Message::of("the data set has no labels"),
                         Message::of("Name the array or column of the labels (data.y, data.label_column)."));
    if (labels.sampleElements() != 1)
        return dataError("data.labels.shape", labels.origin.name(),
                         Message::of("a label is %1 numbers; class numbers are one each", labels.sampleElements()),
                         Message::of("Use a categorical loss for one-hot labels, a sparse one for class numbers."));
    auto const n = labels.elements();
    for (std::int64_t i = 0; i < n; ++i) {
        auto const value = labels.valueAt(i);
        if (value >= 0 && value < classes && value == std::floor(value)) continue;
        return dataError("data.labels.range", labels.origin.place(i),
                         Message::of("the label %1 is not one of the classes 0 to %2", Argument::figure(numberText(value)), classes - 1),
                         Message::of("Correct the record, or give the last layer as many units as there are classes."));
    }
    return {};
}

Status checkCounts(DataArray const &x, DataArray const &y)
{
    for (auto const &other : x.beside)
        if (other.count() != x.count())
            return dataError(
                "data.shape.count", other.origin.name(),
                Message::of("there are %1 samples but %2 for input '%3' in %4", x.count(), other.count(), other.input, other.origin.name()),
                Message::of("All inputs must have equally many samples, in the same order."));
    for (auto const &other : y.beside)
        if (other.count() != x.count())
            return dataError("data.shape.count", other.origin.name(),
                             other.input == kSampleWeights
                                 ? Message::of("there are %1 samples but %2 weights in %3", x.count(), other.count(), other.origin.name())
                                 : Message::of("there are %1 samples but %2 labels for output '%3' in %4", x.count(), other.count(),
                                               other.input, other.origin.name()),
                             Message::of("Every sample must have its own, in the same order."));
    if (y.empty() || x.count() == y.count()) return {};
    return dataError("data.shape.count", x.origin.name(),
                     Message::of("there are %1 samples but %2 labels in %3", x.count(), y.count(), y.origin.name()),
                     Message::of("Samples and labels must be equally many and in the same order."));
}

} // namespace tilewright::data
