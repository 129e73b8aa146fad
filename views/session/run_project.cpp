#include "views/session/run_project.h"

#include "engine/core/json_text.h"
#include "engine/core/message_json.h"
#include "engine/store/run_reports.h"
#include "views/common/words.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/session/run_list.h"

#include <nlohmann/json.hpp>

#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::views {

std::map<std::string, std::string> storedProject(Run const &entry)
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

Result<project::Project> projectOfRun(Run const &entry)
{
    auto const parts = storedProject(entry);
    if (parts.empty())
        return makeError(ErrorKind::Invalid, "runs.no-project", entry.title.toStdString(),
                         Message::of("the project of this run was not kept."),
                         Message::of("Runs started in the workbench keep their project."));
    DiagnosticSink ignored;
    return project::projectFromParts(parts, &ignored);
}

bool isReportFile(QString const &path) { return store::isReportFile(path.toStdString()); }

QString reasonOfRun(Run const &entry)
{
    if (entry.state == QLatin1String("interrupted")) return Words::tr("The program ended during the run.");
    auto const json = QJsonDocument::fromJson(entry.json.toUtf8()).object();
    auto const error = json.value(QLatin1String("error"));
    auto const text = [&](char const *key) { return json.value(QLatin1String(key)).toString().toStdString(); };
    auto const message = error.isObject() ? error.toObject().value(QLatin1String("message")).toString() : error.toString();
    if (message.isEmpty()) return {};
    Diagnostic diagnostic{.code = text("error_code"), .subject = text("error_subject"), .message = message.toStdString()};
    auto const stored = orderedJsonOrDiscarded(entry.json.toStdString());
    if (stored.is_object() && stored.contains("error_message"))
        // A pattern that gives another text than the English one belongs to something else.
        if (auto const parts = messageFromJson(stored["error_message"]); parts && parts->text() == diagnostic.message.text())
            diagnostic.message = *parts;
    QString const subject = subjectText(diagnostic), said = sentence(diagnosticText(diagnostic).message);
    return subject.isEmpty() ? said : QStringLiteral("%1: %2").arg(subject, said);
}

} // namespace tilewright::views
