#include "views/runcontrol/predictions.h"

#include "engine/data/data_source.h"
#include "engine/data/dataset.h"
#include "engine/model/stages.h"

#include <algorithm>

namespace tilewright::views {

int labelOf(data::DataArray const &y, std::int64_t record, std::int64_t position, std::int64_t positions)
{
    if (y.empty() || record >= y.count() || y.sampleElements() % positions != 0) return -1;
    std::int64_t const width = y.sampleElements() / positions, first = record * y.sampleElements() + position * width;
    if (width == 1) return static_cast<int>(y.valueAt(first));
    int best = 0;
    for (std::int64_t i = 1; i < width; ++i)
        if (y.valueAt(first + i) > y.valueAt(first + best)) best = static_cast<int>(i);
    return best;
}

Result<PredictionInfo> predictTestData(project::Project const &original, runtime::TrainingState const &state,
                                       std::filesystem::path const &baseDir, JobContext const &job)
{
    project::Project project = original;
    project.target = "cpu";
    project.model = model::withoutStages(project.model);
    project.training.deviceMapping.clear();
    project.data.limit = project.data.limit > 0 ? std::min<std::int64_t>(project.data.limit, kPredictedSamples) : kPredictedSamples;
    runtime::RunRequest request;
    request.baseDir = baseDir;
    request.threads = 1;
    TW_ASSIGN(auto const predicted, runtime::predict(project, request, &state, job));
    auto const &scores = predicted.outputs.at(0).values;
    auto const &shape = predicted.outputs.at(0).shape; // [samples, …positions, classes]
    std::int64_t const each = predicted.samples > 0 ? static_cast<std::int64_t>(scores.size()) / predicted.samples : 0;
    std::int64_t const classes = shape.size() < 2 ? 0 : shape.back();
    if (classes < 2 || each % classes != 0)
        return makeError(ErrorKind::Invalid, "predict.classes", project.model.name,
                         Message::of("the model's output is not a list of class scores."),
                         Message::of("Samples with predictions are shown for classifiers only."));
    TW_ASSIGN(auto const dataset, data::openDataset(project.data, baseDir, job));
    auto const &x = dataset.testX.empty() ? dataset.x : dataset.testX;
    auto const &y = dataset.testX.empty() ? dataset.y : dataset.testY;

    PredictionInfo info;
    info.step = state.step;
    info.count = std::min<std::int64_t>(predicted.samples, x.count());
    info.sampleShape = x.sampleShape();
    bool const counts = classes <= kMostConfusedClasses;
    if (counts) info.confusion.assign(static_cast<std::size_t>(classes), std::vector<std::int64_t>(static_cast<std::size_t>(classes), 0));
    info.positions = each / classes;
    for (std::int64_t i = 0; i < info.count; ++i) {
        SamplePrediction sample;
        sample.record = i;
        for (std::int64_t at = 0; at < info.positions; ++at) {
            auto const first = scores.begin() + i * each + at * classes;
            auto const best = std::max_element(first, first + classes);
            int const given = static_cast<int>(best - first), label = labelOf(y, i, at, info.positions);
            if (counts && label >= 0 && label < classes) ++info.confusion[static_cast<std::size_t>(label)][static_cast<std::size_t>(given)];
            bool const right = label == given;
            info.rightPositions += right;
            if (at == 0 || (!right && !sample.wrong)) {
                sample.label = label;
                sample.predicted = given;
                sample.confidence = *best;
            }
            sample.wrong = sample.wrong || !right;
            if (info.positions == 1) continue;
            sample.labels.push_back(label);
            sample.classes.push_back(given);
        }
        info.right += !sample.wrong;
        info.samples.push_back(std::move(sample));
    }
    std::stable_sort(info.samples.begin(), info.samples.end(), [](auto const &a, auto const &b) {
        if (a.wrong != b.wrong) return a.wrong;
        return a.wrong && a.confidence > b.confidence;
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
