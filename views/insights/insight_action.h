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

/// The changes that an action's JSON proposes, the likeliest first, each as fields to set together; empty when there is none or it cannot
/// be read.
std::vector<std::vector<std::pair<QString, QString>>> actionAlternatives(report::InsightRow const &insight);
/// The first of them.
std::vector<std::pair<QString, QString>> actionFields(report::InsightRow const &insight);
/// Changes of a project for these fields, without fields that already have the value.
QList<FieldChange> fieldChanges(std::vector<std::pair<QString, QString>> const &fields, project::Project const &project);
/// A field a line: "training.batch_size: 32 → 64".
QString changeText(QList<FieldChange> const &changes);
/// What a change would do, in words: "Change training.batch_size: 32 → 64", or a heading above a line for each field.
QString proposedText(QList<FieldChange> const &changes);
/// The fields within a sentence, separated by semicolons.
QString changeInSentence(QList<FieldChange> const &changes);

} // namespace tilewright::views
