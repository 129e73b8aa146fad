#pragma once

#include "views/subjects/facts.h"

#include "engine/data/preview.h"
#include "engine/project/project.h"

namespace tilewright::views {

/// "28×28", "32×32×3", "one number".
QString shapeWords(Shape const &shape);
/// "balanced", or the rarest class.
QString balanceText(data::DataSummary const &summary);
/// "60,000 training and 10,000 test samples of 28×28 · 10 classes · balanced".
QString dataHeadline(data::DataSummary const &summary);
QList<FactSection> dataFacts(data::DataSummary const &summary, double scale);
/// A mismatch between a sample and the model's input; nullopt: it fits, or the model does not resolve.
std::optional<Diagnostic> shapeProblem(project::Project const &project, Shape const &sample);

} // namespace tilewright::views
