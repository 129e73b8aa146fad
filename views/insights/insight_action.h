#pragma once

#include "engine/project/project.h"
#include "engine/report/tables.h"

#include <QList>
#include <QString>

#include <utility>
#include <vector>

namespace tilewright::views {

/// One field that an insight would change.
struct FieldChange {
    QString path, before, after;
    bool operator==(FieldChange const &) const = default;
};

/// What an action's JSON asks for; empty when there is none or it cannot be read.
std::vector<std::pair<QString, QString>> actionFields(report::InsightRow const &insight);
/// The same against a project. Fields that already have the value are left out. `stepsPerEpoch`, where known (0: not),
/// bends a proposed steps_per_execution to the largest divisor below it: others are refused when training begins.
QList<FieldChange> fieldChanges(report::InsightRow const &insight, project::Project const &project, std::int64_t stepsPerEpoch = 0);
/// The project with the action applied; an error says which field refuses.
Result<project::Project> withAction(report::InsightRow const &insight, project::Project const &project);
/// "training.batch_size: 32 → 64".
QString changeText(QList<FieldChange> const &changes);

} // namespace tilewright::views
