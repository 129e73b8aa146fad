#include "views/wording/stage_words.h"

#include "views/common/words.h"
#include "views/wording/labels.h"

#include <QRegularExpression>

namespace tilewright::views {

QString stageLabel(std::string const &name)
{
    static QRegularExpression const parts(QStringLiteral("^([Ss])tage (\\d+)(?: (\\w+))?$"));
    QString const text = QString::fromStdString(name);
    auto const found = parts.match(text);
    if (!found.hasMatch()) return text;
    QString const stage = found.captured(1) == QLatin1String("S") ? Words::tr("Stage %1").arg(found.captured(2))
                                                                  : Words::tr("stage %1").arg(found.captured(2));
    QString const pass = found.captured(3);
    if (pass.isEmpty()) return stage;
    QString const label = passLabel(pass.toStdString()); // in English as the report has it
    return Words::tr("%1 %2", "a stage and its pass").arg(stage, label.compare(pass, Qt::CaseInsensitive) == 0 ? pass : label);
}

QString branchLabel(std::string const &label)
{
    if (label == "then") return Words::tr("then", "branch of a program");
    if (label == "else") return Words::tr("else", "branch of a program");
    if (label == "test") return Words::tr("test", "of a loop");
    if (label == "body") return Words::tr("body", "of a loop");
    return stageLabel(label);
}

} // namespace tilewright::views
