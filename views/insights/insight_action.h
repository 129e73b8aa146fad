#pragma once

#include "engine/project/project.h"
#include "engine/report/insight_tables.h"

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

/// Fields of an action's JSON; empty without an action or if it cannot be read.
std::vector<std::pair<QString, QString>> actionFields(report::InsightRow const &insight);
/// Changes of a project for these fields, without fields that already have the value.
QList<FieldChange> fieldChanges(std::vector<std::pair<QString, QString>> const &fields, project::Project const &project);
/// "training.batch_size: 32 → 64".
QString changeText(QList<FieldChange> const &changes);

} // namespace tilewright::views
