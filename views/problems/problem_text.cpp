#include "views/problems/problem_text.h"
#include "views/common/words.h"
#include "views/diagnostics/diagnostic_text.h"

#include <QStringList>

#include <algorithm>

namespace tilewright::views {

QString problemsHeadline(std::vector<Diagnostic> const &problems)
{
    auto const count = [&](Severity severity) {
        return static_cast<int>(std::count_if(problems.begin(), problems.end(), [&](auto const &p) { return p.severity == severity; }));
    };
    int const errors = count(Severity::Error), warnings = count(Severity::Warning), notes = count(Severity::Note);
    QStringList parts;
    if (errors > 0) parts.append(Words::tr("%Ln error(s)", nullptr, errors));
    if (warnings > 0) parts.append(Words::tr("%Ln warning(s)", nullptr, warnings));
    if (parts.isEmpty()) parts.append(Words::tr("No problems"));
    if (notes > 0) parts.append(Words::tr("%Ln note(s)", nullptr, notes));
    return parts.join(QStringLiteral(", "));
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Error: return Words::tr("Error");
    case Severity::Warning: return Words::tr("Warning");
    case Severity::Note: return Words::tr("Note");
    }
    return {};
}

QString plainProblem(Diagnostic const &problem)
{
    static char const *const kNames[] = {"note", "warning", "error"};
    QString line =
        QString::fromLatin1(kNames[static_cast<int>(problem.severity)]) + QLatin1Char(' ') + QString::fromStdString(problem.code);
    if (!problem.subject.empty()) line += QLatin1Char(' ') + QString::fromStdString(problem.subject);
    line += QStringLiteral(": ") + sentence(QString::fromStdString(problem.message));
    if (!problem.remedy.empty()) line += QLatin1Char(' ') + sentence(QString::fromStdString(problem.remedy));
    return line;
}

} // namespace tilewright::views
