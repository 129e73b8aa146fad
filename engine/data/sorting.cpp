#include "engine/data/sorting.h"

#include "engine/core/random.h"
#include "engine/core/text.h"

#include <algorithm>

namespace tilewright::data {

namespace {

namespace fs = std::filesystem;

struct Sequences {
    DataArray x, y;
};

Sequences sequences(std::uint64_t seed, std::int64_t count)
{
    std::vector<std::int32_t> symbols;
    symbols.reserve(static_cast<std::size_t>(count * kSortingLength));
    for (std::int64_t i = 0; i < count * kSortingLength; ++i)
        symbols.push_back(static_cast<std::int32_t>(randomBits(seed, static_cast<std::uint64_t>(i)) >> 60)); // 16 of them
    auto sorted = symbols;
    for (auto at = sorted.begin(); at != sorted.end(); at += kSortingLength) std::sort(at, at + kSortingLength);
    Shape const shape{count, kSortingLength};
    return {makeArray(shape, std::move(symbols)), makeArray(shape, std::move(sorted))};
}

Status addInputs(std::map<std::string, std::string> const &inputs, DataArray &samples)
{
    for (auto const &[input, array] : inputs) {
        if (array != "positions")
            return makeError(ErrorKind::Invalid, "data.field", "data.inputs",
                             Message::of("the embedded sequences have no array '%1'.", array), Message::of("They have: positions."));
        auto other = sequencePositions(samples.count());
        other.input = input;
        samples.beside.push_back(std::move(other));
    }
    return {};
}

Result<Dataset> openSorting(DataSourceSpec const &spec, fs::path const &, JobContext const &)
{
    SortingOptions options;
    options.seed = spec.seed;
    if (spec.limit > 0) {
        options.trainCount = std::min(options.trainCount, spec.limit);
        options.testCount = std::min(options.testCount, spec.limit);
    }
    TW_ASSIGN(auto dataset, generateSorting(options));
    TW_TRY(addInputs(spec.inputs, dataset.x));
    TW_TRY(addInputs(spec.inputs, dataset.testX)); // the same for both
    return dataset;
}

} // namespace

DataArray sequencePositions(std::int64_t count)
{
    std::vector<std::int32_t> positions;
    positions.reserve(static_cast<std::size_t>(count * kSortingLength));
    for (std::int64_t i = 0; i < count * kSortingLength; ++i) positions.push_back(static_cast<std::int32_t>(i % kSortingLength));
    return makeArray({count, kSortingLength}, std::move(positions));
}

Result<Dataset> generateSorting(SortingOptions const &options)
{
    auto train = sequences(deriveSeed(options.seed, 1), options.trainCount),
         test = sequences(deriveSeed(options.seed, 2), options.testCount);
    Dataset dataset;
    dataset.name = "sorting";
    dataset.x = std::move(train.x);
    dataset.y = std::move(train.y);
    dataset.testX = std::move(test.x);
    dataset.testY = std::move(test.y);
    dataset.describe = Message::of("Embedded generator of sequences to sort, seed %1: %2 training and %3 test sequences.",
                                   std::to_string(options.seed), options.trainCount, options.testCount);
    return dataset;
}

DataFormat sortingFormat()
{
    return {"sorting", "Embedded sequences of 16 symbols, to be sorted; further inputs: positions.", [](fs::path const &) { return false; },
            openSorting, true};
}

} // namespace tilewright::data
