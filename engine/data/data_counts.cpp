#include "engine/data/data_counts.h"

#include "engine/core/held_out.h"
#include "engine/data/digits.h"

#include <algorithm>

namespace tilewright::data {

std::optional<DataCounts> countsAtOnce(DataSourceSpec const &spec)
{
    if (!spec.path.empty() || !spec.validationPath.empty() || (spec.format != "auto" && spec.format != "digits")) return std::nullopt;
    DigitOptions const digits;
    auto const limited = [&](std::int64_t count) { return spec.limit > 0 ? std::min(count, spec.limit) : count; };
    DataCounts counts{limited(digits.trainCount), 0, limited(digits.testCount), {kDigitSide, kDigitSide}};
    auto const kept = keptSamples(counts.train, spec.validationSplit);
    if (spec.validationSplit == 0 || kept == 0 || kept == counts.train) return counts;
    counts.validation = counts.train - kept;
    counts.train = kept;
    return counts;
}

DataCounts countsOf(Dataset const &dataset)
{
    return {dataset.x.count(), dataset.validationX.count(), dataset.testX.count(), dataset.x.sampleShape()};
}

Result<DataCounts> countData(DataSourceSpec const &spec, std::filesystem::path const &folder, JobContext const &job)
{
    if (auto const known = countsAtOnce(spec)) return *known;
    TW_ASSIGN(auto const dataset, openDataset(spec, folder, job));
    return countsOf(dataset);
}

} // namespace tilewright::data
