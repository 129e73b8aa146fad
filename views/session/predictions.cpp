#include "views/session/predictions.h"

#include "engine/data/dataset.h"
#include "engine/data/data_source.h"
#include "engine/model/stages.h"

#include <algorithm>

namespace tilewright::views {

namespace {

/// The label of a record: a class number, or the largest of a one-hot row; -1 where there is none.
int labelOf(data::DataArray const &y, std::int64_t record)
{
    if (y.empty() || record >= y.count()) return -1;
    std::int64_t const width = y.sampleElements();
    if (width == 1) return static_cast<int>(y.valueAt(record));
    int best = 0;
    for (std::int64_t i = 1; i < width; ++i)
        if (y.valueAt(record * width + i) > y.valueAt(record * width + best)) best = static_cast<int>(i);
    return best;
}

} // namespace

Result<PredictionInfo> predictTestData(project::Project const &original, runtime::TrainingState const &state,
                                       std::filesystem::path const &baseDir, JobContext const &job)
{
    project::Project project = original;
    project.target = "cpu";
    project.model = model::withoutStages(project.model);
    project.data.limit = project.data.limit > 0 ? std::min<std::int64_t>(project.data.limit, kPredictedSamples) : kPredictedSamples;
    runtime::RunRequest request;
    request.baseDir = baseDir;
    request.threads = 1;
    TW_ASSIGN(auto const predicted, runtime::predict(project, request, &state, job));
    auto const &scores = predicted.outputs.at(0).values;
    std::int64_t const classes = predicted.samples > 0 ? static_cast<std::int64_t>(scores.size()) / predicted.samples : 0;
    if (classes < 2)
        return makeError(ErrorKind::Invalid, "predict.classes", project.model.name, "the model's output is no list of class scores.",
                         "Samples with predictions are shown for classifiers only.");
    TW_ASSIGN(auto const dataset, data::openDataset(project.data, baseDir, job));
    auto const &x = dataset.testX.empty() ? dataset.x : dataset.testX;
    auto const &y = dataset.testX.empty() ? dataset.y : dataset.testY;

    PredictionInfo info;
    info.step = state.step;
    info.count = std::min<std::int64_t>(predicted.samples, x.count());
    info.sampleShape = x.sampleShape();
    info.confusion.assign(static_cast<std::size_t>(classes), std::vector<std::int64_t>(static_cast<std::size_t>(classes), 0));
    for (std::int64_t i = 0; i < info.count; ++i) {
        auto const first = scores.begin() + i * classes;
        auto const best = std::max_element(first, first + classes);
        SamplePrediction sample;
        sample.record = i;
        sample.predicted = static_cast<int>(best - first);
        sample.confidence = *best;
        sample.label = labelOf(y, i);
        if (sample.label >= 0 && sample.label < classes)
            ++info.confusion[static_cast<std::size_t>(sample.label)][static_cast<std::size_t>(sample.predicted)];
        info.right += sample.label == sample.predicted;
        info.samples.push_back(std::move(sample));
    }
    std::stable_sort(info.samples.begin(), info.samples.end(), [](auto const &a, auto const &b) {
        bool const wrongA = a.label != a.predicted, wrongB = b.label != b.predicted;
        if (wrongA != wrongB) return wrongA;
        return wrongA && a.confidence > b.confidence;
    });
    if (static_cast<int>(info.samples.size()) > kShownSamples) info.samples.resize(kShownSamples);
    for (auto &sample : info.samples) {
        std::int64_t const elements = x.sampleElements();
        for (std::int64_t i = 0; i < elements; ++i)
            sample.values.push_back(static_cast<float>(x.valueAt(sample.record * elements + i) * dataset.scale));
    }
    return info;
}

} // namespace tilewright::views
