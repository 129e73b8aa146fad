#include "views/session/run_project.h"

#include "views/session/session.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::views {

std::map<std::string, std::string> storedProject(HistoryEntry const &entry)
{
    std::map<std::string, std::string> parts;
    auto const json = QJsonDocument::fromJson(entry.json.toUtf8()).object().value(QLatin1String("project")).toObject();
    for (auto it = json.begin(); it != json.end(); ++it) {
        // Parts are texts; other writers may have nested them.
        QString const text = it.value().isString() ? it.value().toString()
                                                   : QString::fromUtf8(QJsonDocument(it.value().toObject()).toJson(QJsonDocument::Compact));
        parts[it.key().toStdString()] = text.toStdString();
    }
    return parts;
}

Result<project::Project> projectOfRun(HistoryEntry const &entry)
{
    auto const parts = storedProject(entry);
    if (parts.empty())
        return makeError(ErrorKind::Invalid, "history.no-project", entry.title.toStdString(),
                         Message::of("the project of this run was not kept."),
                         Message::of("Runs started in the workbench keep their project."));
    DiagnosticSink ignored;
    return project::projectFromParts(parts, &ignored);
}

} // namespace tilewright::views
