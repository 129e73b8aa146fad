#include "views/console/console_text.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::views {

QString levelName(int level)
{
    static char const *const kNames[] = {"debug", "info", "warning", "error"};
    return QString::fromLatin1(kNames[qBound(0, level, 3)]);
}

QString levelText(int level)
{
    switch (qBound(0, level, 3)) {
    case 0: return Words::tr("Debug");
    case 1: return Words::tr("Info");
    case 2: return Words::tr("Warning");
    default: return Words::tr("Error");
    }
}

QString lineTime(QDateTime const &time, QDateTime const &since)
{
    if (!since.isValid()) return time.toString(QStringLiteral("HH:mm:ss.zzz"));
    return Words::tr("+%1 s").arg(QLocale().toString(static_cast<double>(since.msecsTo(time)) / 1000.0, 'f', 3));
}

QString lineText(ConsoleLine const &line)
{
    return line.repeats > 1 ? Words::tr("%1 (%Ln time(s))", nullptr, pluralOf(line.repeats)).arg(line.text) : line.text;
}

QString plainLine(ConsoleLine const &line)
{
    QString text = line.time.toString(Qt::ISODateWithMs) + QLatin1Char(' ') + levelName(line.level);
    if (!line.component.isEmpty()) text += QLatin1Char(' ') + line.component;
    if (!line.subject.isEmpty()) text += QLatin1Char(' ') + line.subject;
    text += QStringLiteral(": ") + line.text;
    if (line.repeats > 1) text += QStringLiteral(" (x%1)").arg(line.repeats);
    return text;
}

QString toJsonLines(std::vector<ConsoleLine> const &lines)
{
    QByteArray out;
    for (auto const &line : lines) {
        QJsonObject const object{{QStringLiteral("time"), line.time.toString(Qt::ISODateWithMs)},
                                 {QStringLiteral("level"), levelName(line.level)},
                                 {QStringLiteral("component"), line.component},
                                 {QStringLiteral("code"), line.code},
                                 {QStringLiteral("subject"), line.subject},
                                 {QStringLiteral("text"), line.text},
                                 {QStringLiteral("repeats"), line.repeats}};
        out += QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    }
    return QString::fromUtf8(out);
}

QString consoleHeadline(qint64 errors, qint64 warnings, qint64 lines, qint64 shown)
{
    if (lines == 0) return Words::tr("No messages");
    QStringList parts;
    if (errors > 0) parts.append(Words::tr("%Ln error(s)", nullptr, static_cast<int>(errors)));
    if (warnings > 0) parts.append(Words::tr("%Ln warning(s)", nullptr, static_cast<int>(warnings)));
    QString const first = parts.isEmpty() ? Words::tr("No errors") : parts.join(QStringLiteral(", "));
    QString const count = shown == lines ? Words::tr("%Ln line(s)", nullptr, static_cast<int>(lines))
                                         : Words::tr("%1 of %Ln line(s)", nullptr, static_cast<int>(lines)).arg(countText(shown));
    return first + QStringLiteral(" · ") + count;
}

} // namespace tilewright::views
