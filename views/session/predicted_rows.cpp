#include "views/session/predicted_rows.h"

#include "engine/core/job_context.h"
#include "engine/data/npy.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/runcontrol/predictions.h"
#include "views/session/project_tasks.h"

#include <algorithm>

namespace tilewright::views {

namespace {

enum class Form { Values, Classes, TwoClasses }; ///< TwoClasses: one probability

Form formOf(project::Project const &project, runtime::PredictedOutput const &output, std::int64_t each)
{
    auto const &losses = project.training.losses;
    if (losses.empty()) return Form::Values;
    auto const &loss = losses.front().className;
    if (loss == "BinaryCrossentropy" && each == 1) return Form::TwoClasses;
    bool const classes = loss.ends_with("CategoricalCrossentropy") && output.shape.size() >= 2 && output.shape.back() > 1;
    return classes ? Form::Classes : Form::Values;
}

/// Class numbers of a sample's positions; of a long sequence the first.
QString classesText(std::vector<int> const &classes)
{
    constexpr std::size_t kMost = 24;
    QStringList words;
    for (std::size_t i = 0; i < std::min(kMost, classes.size()); ++i) words << QString::number(classes[i]);
    if (classes.size() > kMost) words << QStringLiteral("…");
    return words.join(QLatin1Char(' '));
}

struct Counts {
    std::int64_t right = 0, of = 0; ///< samples without an error; samples with labels
};

/// A row for each sample; counts all samples, also those that are not shown.
Counts classRows(TaskResult &result, runtime::PredictedOutput const &output, Form form, std::int64_t samples, data::DataArray const *labels,
                 std::size_t most)
{
    std::int64_t const each = static_cast<std::int64_t>(output.values.size()) / std::max<std::int64_t>(1, samples);
    std::int64_t const width = form == Form::TwoClasses ? 1 : output.shape.back(), positions = each / width;
    bool const known = labels && labels->count() >= samples && labels->sampleElements() % positions == 0;
    result.columns = {Words::tr("Sample"), positions > 1 ? Words::tr("Predicted classes") : Words::tr("Predicted class")};
    if (positions == 1) result.columns << Words::tr("Probability");
    if (known)
        result.columns << (positions > 1 ? Words::tr("True classes") : Words::tr("True class"))
                       << (positions > 1 ? Words::tr("Positions right") : Words::tr("Right"));
    Counts counts;
    for (std::int64_t i = 0; i < samples; ++i) {
        std::vector<int> given, truth;
        double score = 0;
        std::int64_t right = 0;
        for (std::int64_t at = 0; at < positions; ++at) {
            auto const first = output.values.begin() + i * each + at * width;
            auto const best = form == Form::TwoClasses ? first : std::max_element(first, first + width);
            bool const second = form == Form::TwoClasses && *best >= 0.5F;
            given.push_back(form == Form::TwoClasses ? static_cast<int>(second) : static_cast<int>(best - first));
            score = form == Form::TwoClasses && !second ? 1 - static_cast<double>(*best) : static_cast<double>(*best);
            if (!known) continue;
            truth.push_back(labelOf(*labels, i, at, positions));
            right += truth.back() == given.back();
        }
        if (known) {
            ++counts.of;
            counts.right += right == positions;
        }
        if (result.rows.size() >= most) continue;
        TaskRow row{{QString::number(i), classesText(given)}, {}};
        if (positions == 1) row.cells << numberText(score);
        if (known)
            row.cells << classesText(truth)
                      << (positions > 1 ? Words::tr("%1 of %2").arg(right).arg(positions)
                              : right   ? Words::tr("right")
                                        : Words::tr("wrong"));
        result.rows.push_back(std::move(row));
    }
    return counts;
}

void valueRows(TaskResult &result, runtime::PredictOutcome const &outcome, std::size_t most)
{
    result.columns = {Words::tr("Sample"), Words::tr("Output"), Words::tr("Largest at"), Words::tr("Its value")};
    for (std::size_t i = 0; i < std::min<std::size_t>(most, static_cast<std::size_t>(outcome.samples)); ++i)
        for (auto const &output : outcome.outputs) {
            auto const each = output.values.size() / static_cast<std::size_t>(std::max<std::int64_t>(1, outcome.samples));
            if (each == 0) continue;
            auto const first = output.values.begin() + static_cast<std::ptrdiff_t>(i * each);
            auto const largest = std::max_element(first, first + static_cast<std::ptrdiff_t>(each));
            result.rows.push_back({{QString::number(i), QString::fromStdString(output.name), QString::number(largest - first),
                                    numberText(static_cast<double>(*largest))},
                                   {}});
        }
}

} // namespace

QString samplesText(runtime::SamplesOf of, std::int64_t count)
{
    int const n = pluralOf(count);
    switch (of) {
    case runtime::SamplesOf::Test: return Words::tr("%1 test sample(s)", nullptr, n).arg(countText(count));
    case runtime::SamplesOf::Validation: return Words::tr("%1 validation sample(s)", nullptr, n).arg(countText(count));
    case runtime::SamplesOf::Train: return Words::tr("%1 training sample(s)", nullptr, n).arg(countText(count));
    }
    return {};
}

void fillPredictedRows(TaskResult &result, project::Project const &project, runtime::PredictOutcome const &outcome,
                       data::DataArray const *labels, std::size_t most)
{
    QString const all = samplesText(outcome.samplesOf, outcome.samples);
    auto const &output = outcome.outputs.at(0);
    auto const each = static_cast<std::int64_t>(output.values.size()) / std::max<std::int64_t>(1, outcome.samples);
    auto const form = outcome.outputs.size() == 1 && each > 0 ? formOf(project, output, each) : Form::Values;
    Counts counts;
    if (form == Form::Values) valueRows(result, outcome, most);
    else counts = classRows(result, output, form, outcome.samples, labels && !labels->empty() ? labels : nullptr, most);
    result.headline = counts.of > 0
        ? Words::tr("%1 of %2 right (%3)")
              .arg(countText(counts.right), all, shareText(static_cast<double>(counts.right) / static_cast<double>(counts.of)))
        : Words::tr("Predictions for %1").arg(all);
    if (static_cast<std::int64_t>(most) < outcome.samples)
        result.headline += QStringLiteral(" · ") + Words::tr("the first %1 are shown").arg(countText(static_cast<std::int64_t>(most)));
}

Status savePredictions(runtime::PredictOutcome const &outcome, std::filesystem::path const &path)
{
    std::vector<data::NamedArray> arrays;
    for (auto const &output : outcome.outputs)
        arrays.push_back({outcome.outputs.size() == 1 ? std::string("predictions") : output.name,
                          data::borrowArray(DType::F32, output.shape, output.values.data())});
    return data::writeNpz(path, arrays, false, {});
}

} // namespace tilewright::views
