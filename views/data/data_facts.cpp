#include "views/data/data_facts.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/diagnostics/diagnostic_text.h"

#include "engine/model/resolve.h"

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr double kBalanced = 0.8; ///< the rarest class has this share of an equal share, or more

} // namespace

QString shapeWords(Shape const &shape)
{
    if (shape.empty()) return Words::tr("one number");
    QStringList extents;
    for (auto const extent : shape) extents << QString::number(extent);
    return shape.size() == 1 ? Words::tr("%Ln number(s)", nullptr, pluralOf(shape.front())) : extents.join(QStringLiteral("×"));
}

QString balanceText(data::DataSummary const &summary)
{
    if (summary.classes.empty()) return {};
    auto const rarest = std::ranges::min_element(summary.classes, {}, &data::ClassBalance::train);
    double const share = static_cast<double>(rarest->train) * static_cast<double>(summary.classes.size())
        / static_cast<double>(std::max<std::int64_t>(1, summary.trainCount));
    if (share >= kBalanced) return Words::tr("balanced");
    return Words::tr("unbalanced: class %1 has %2 sample(s)", nullptr, pluralOf(rarest->train))
        .arg(rarest->label)
        .arg(countText(rarest->train));
}

QString dataHeadline(data::DataSummary const &summary)
{
    QStringList counts{Words::tr("%1 training").arg(countText(summary.trainCount))};
    if (summary.validationCount > 0) counts << Words::tr("%1 validation").arg(countText(summary.validationCount));
    if (summary.testCount > 0) counts << Words::tr("%1 test").arg(countText(summary.testCount));
    QString const last = counts.takeLast();
    QString const all = counts.isEmpty() ? last : Words::tr("%1 and %2").arg(counts.join(QStringLiteral(", ")), last);
    QStringList parts{Words::tr("%1 samples of %2").arg(all, shapeWords(summary.sampleShape))};
    if (!summary.classes.empty())
        parts << Words::tr("%Ln class(es)", nullptr, static_cast<int>(summary.classes.size())) << balanceText(summary);
    return parts.join(QStringLiteral(" · "));
}

QList<FactSection> dataFacts(data::DataSummary const &summary, double scale)
{
    FactSection source{{}, {{Words::tr("Source"), messageText(summary.describe)}}};
    source.facts.push_back(
        {Words::tr("Training"), Words::tr("%1 sample(s)", nullptr, pluralOf(summary.trainCount)).arg(countText(summary.trainCount))});
    if (summary.validationCount > 0)
        source.facts.push_back(
            {Words::tr("Validation"),
             Words::tr("%1 sample(s)", nullptr, pluralOf(summary.validationCount)).arg(countText(summary.validationCount))});
    if (summary.testCount > 0)
        source.facts.push_back(
            {Words::tr("Test"), Words::tr("%1 sample(s)", nullptr, pluralOf(summary.testCount)).arg(countText(summary.testCount))});
    source.facts.push_back(
        {Words::tr("Sample"),
         Words::tr("%1 of %2").arg(shapeWords(summary.sampleShape), QString::fromStdString(std::string(toText(summary.dtype)))),
         Words::tr("%1 each").arg(bytesExact(elementCount(summary.sampleShape) * sizeOf(summary.dtype)))});
    source.facts.push_back(
        {Words::tr("Values"),
         Words::tr("%1 to %2, mean %3").arg(numberText(summary.smallest), numberText(summary.largest), numberText(summary.mean)),
         Words::tr("as stored; %1 to %2 in the model").arg(numberText(summary.smallest * scale), numberText(summary.largest * scale))});
    source.facts.push_back({Words::tr("Scale"), numberText(scale), QString::number(scale, 'g', 17)});
    source.facts.push_back({Words::tr("Bytes"), bytesText(summary.bytes), bytesExact(summary.bytes)});
    return {source};
}

std::optional<Diagnostic> shapeProblem(project::Project const &project, Shape const &sample)
{
    auto const model = model::resolve(project.model);
    if (!model.ok() || model->inputs.empty()) return std::nullopt;
    auto const &shape = model->calls[model->inputs.front()].shape;
    Shape const wanted(shape.begin() + 1, shape.end());
    if (elementCount(wanted) == elementCount(sample)) return std::nullopt; // a run reads them in order
    return makeError(ErrorKind::Data, "data.shape.model", "data.path",
                     Message::of("A sample is %1 but the model's input '%2' takes %3.", tilewright::toText(sample),
                                 model->layerOf(model->inputs.front()).layer.name, tilewright::toText(wanted)),
                     Message::of("Change the model's input shape, or choose other data."));
}

} // namespace tilewright::views
