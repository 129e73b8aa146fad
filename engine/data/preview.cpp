#include "engine/data/preview.h"

#include "engine/core/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>

namespace tilewright::data {

namespace {

constexpr std::size_t kMaxClasses = 10000; ///< more different labels are numbers to predict, not classes

/// Class number of a record: the label itself, or the place of the one in a one-hot row.
std::optional<std::int32_t> classOf(DataArray const &labels, std::int64_t record)
{
    auto const width = labels.sampleElements();
    if (width == 1) {
        auto const value = labels.valueAt(record);
        if (!(value >= 0 && value <= std::numeric_limits<std::int32_t>::max()) || value != std::floor(value)) return std::nullopt;
        return static_cast<std::int32_t>(value);
    }
    std::optional<std::int32_t> hot;
    for (std::int64_t i = 0; i < width; ++i) {
        auto const value = labels.valueAt(record * width + i);
        if (value == 0) continue;
        if (value != 1 || hot) return std::nullopt;
        hot = static_cast<std::int32_t>(i);
    }
    return hot;
}

std::string className(Dataset const &dataset, std::int32_t label)
{
    auto const number = static_cast<std::size_t>(label);
    return number < dataset.classNames.size() ? dataset.classNames[number] : std::to_string(label);
}

/// Counts the classes of one part; false when a label is none.
bool countClasses(DataArray const &labels, std::int64_t ClassBalance::*count, std::map<std::int32_t, ClassBalance> &all)
{
    for (std::int64_t i = 0; i < labels.count(); ++i) {
        auto const label = classOf(labels, i);
        if (!label) return false;
        auto &balance = all[*label];
        balance.label = *label;
        balance.*count += 1;
        if (all.size() > kMaxClasses) return false;
    }
    return true;
}

void summarizeClasses(Dataset const &dataset, DataSummary &summary)
{
    auto const problem = [&](char const *code, Message message) {
        summary.problems.push_back(makeWarning(code, dataset.y.origin.name(), std::move(message)));
    };
    if (dataset.y.empty())
        return problem("data.problem.no-labels", Message::of("The data have no labels: they can be used to predict, but not to train."));
    std::map<std::int32_t, ClassBalance> all;
    if (!countClasses(dataset.y, &ClassBalance::train, all) || !countClasses(dataset.validationY, &ClassBalance::validation, all)
        || !countClasses(dataset.testY, &ClassBalance::test, all))
        return problem("data.problem.no-classes", Message::of("The labels are not class numbers: use a regression loss."));
    auto const highest = all.rbegin()->first; // there is at least one training sample
    if (static_cast<std::size_t>(highest) < kMaxClasses)
        for (std::int32_t label = 0; label < highest; ++label) all[label].label = label; // show the missing ones too
    for (auto const &[label, balance] : all) summary.classes.push_back(balance);
    for (auto const &balance : summary.classes) {
        auto const name = "Class " + className(dataset, balance.label);
        auto const share = static_cast<double>(summary.trainCount) / static_cast<double>(all.size());
        if (balance.train == 0) problem("data.problem.missing-class", Message::of("%1 has no training samples.", name));
        else if (static_cast<double>(balance.train) < 0.1 * share)
            problem("data.problem.rare-class",
                    Message::of("%1 has only %2 training samples; an equal share would be %3.", name, balance.train,
                                static_cast<std::int64_t>(share)));
    }
}

template <typename T> void convertRecord(DataArray const &array, std::int64_t record, std::vector<double> &out)
{
    auto const from = array.records<T>(record, 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if constexpr (std::is_same_v<T, std::uint16_t>) out[i] = static_cast<double>(halfToFloat(from[i]));
        else out[i] = static_cast<double>(from[i]);
    }
}

/// A record as doubles, exactly. Requires: out.size() is sampleElements().
void readRecord(DataArray const &array, std::int64_t record, std::vector<double> &out)
{
    switch (array.dtype) {
    case DType::F16: convertRecord<std::uint16_t>(array, record, out); break;
    case DType::F32: convertRecord<float>(array, record, out); break;
    case DType::I32: convertRecord<std::int32_t>(array, record, out); break;
    case DType::U8:
    case DType::Bool: convertRecord<std::uint8_t>(array, record, out); break;
    }
}

void summarizeValues(Dataset const &dataset, std::int64_t maxSamples, DataSummary &summary)
{
    auto const count = dataset.x.count(), width = dataset.x.sampleElements();
    if (count == 0 || width == 0) return;
    auto const looked = std::min(count, std::max<std::int64_t>(1, maxSamples));
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
    std::int64_t finite = 0, firstBad = -1;
    bool allEqual = true;
    std::vector<double> values(static_cast<std::size_t>(width)), firstRecord(values.size());
    readRecord(dataset.x, 0, firstRecord);
    for (std::int64_t k = 0; k < looked; ++k) {
        auto const record = k * count / looked;
        readRecord(dataset.x, record, values);
        if (values != firstRecord) allEqual = false;
        for (double const value : values) {
            if (!std::isfinite(value)) {
                if (firstBad < 0) firstBad = record;
                continue;
            }
            low = std::min(low, value);
            high = std::max(high, value);
            sum += value;
            ++finite;
        }
    }
    if (finite > 0) {
        summary.smallest = low;
        summary.largest = high;
        summary.mean = sum / static_cast<double>(finite);
    }
    if (firstBad >= 0)
        summary.problems.push_back(
            makeWarning("data.problem.not-finite", dataset.x.origin.place(firstBad),
                        Message::of("A sample holds a number that is not finite: the loss will not be finite either.")));
    if (allEqual && looked > 1)
        summary.problems.push_back(makeWarning("data.problem.all-equal", dataset.x.origin.name(), Message::of("All samples are equal.")));
}

} // namespace

DataSummary summarize(Dataset const &dataset, std::int64_t previews, std::int64_t maxSamples)
{
    DataSummary summary;
    summary.name = dataset.name;
    summary.describe = dataset.describe;
    summary.trainCount = dataset.x.count();
    summary.validationCount = dataset.validationX.count();
    summary.testCount = dataset.testX.count();
    summary.sampleShape = dataset.x.sampleShape();
    summary.dtype = dataset.x.dtype;
    for (auto const *array : {&dataset.x, &dataset.y, &dataset.validationX, &dataset.validationY, &dataset.testX, &dataset.testY})
        summary.bytes += array->totalBytes();
    if (summary.trainCount > 0) summarizeClasses(dataset, summary);
    summarizeValues(dataset, maxSamples, summary);
    if (dataset.testX.empty())
        summary.problems.push_back(makeWarning("data.problem.no-test", dataset.x.origin.name(),
                                               Message::of("There are no test samples: the accuracy on unseen data remains unknown.")));
    std::vector<double> values(static_cast<std::size_t>(dataset.x.empty() ? 0 : dataset.x.sampleElements()));
    for (std::int64_t record = 0; record < std::min(summary.trainCount, previews); ++record) {
        SamplePreview preview{record, {}, {}};
        if (!dataset.y.empty()) {
            if (auto const label = classOf(dataset.y, record)) preview.label = className(dataset, *label);
            else if (dataset.y.sampleElements() == 1) preview.label = numberText(dataset.y.valueAt(record));
        }
        readRecord(dataset.x, record, values);
        for (double const value : values) preview.values.push_back(static_cast<float>(value * dataset.scale));
        summary.first.push_back(std::move(preview));
    }
    return summary;
}

} // namespace tilewright::data
