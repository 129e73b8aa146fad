#include "views/console/console_text.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::views {

namespace {

/// Context of the translations of free functions.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(views)
};

} // namespace

QString levelName(int level)
{
    static char const *const kNames[] = {"debug", "info", "warning", "error"};
    return QString::fromLatin1(kNames[qBound(0, level, 3)]);
}

QString levelText(int level)
{
    switch (qBound(0, level, 3)) {
    case 0: return Text::tr("Debug");
    case 1: return Text::tr("Info");
    case 2: return Text::tr("Warning");
    default: return Text::tr("Error");
    }
}

QString lineTime(QDateTime const &time, QDateTime const &since)
{
    if (!since.isValid()) return time.toString(QStringLiteral("HH:mm:ss.zzz"));
    return Text::tr("+%1 s").arg(QLocale().toString(static_cast<double>(since.msecsTo(time)) / 1000.0, 'f', 3));
}

QString lineText(ConsoleLine const &line)
{
    return line.repeats > 1 ? Text::tr("%1 (%2 times)").arg(line.text, countText(line.repeats)) : line.text;
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
        QJsonObject const object{{QStringLiteral("time"), line.time.toString(Qt::ISODateWithMs)}, {QStringLiteral("level"), levelName(line.level)},
                                 {QStringLiteral("component"), line.component}, {QStringLiteral("code"), line.code},
                                 {QStringLiteral("subject"), line.subject}, {QStringLiteral("text"), line.text},
                                 {QStringLiteral("repeats"), line.repeats}};
        out += QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    }
    return QString::fromUtf8(out);
}

QString consoleHeadline(qint64 errors, qint64 warnings, qint64 lines, qint64 shown)
{
    if (lines == 0) return Text::tr("No messages");
    QStringList parts;
    if (errors > 0) parts.append(errors == 1 ? Text::tr("1 error") : Text::tr("%1 errors").arg(countText(errors)));
    if (warnings > 0) parts.append(warnings == 1 ? Text::tr("1 warning") : Text::tr("%1 warnings").arg(countText(warnings)));
    QString const first = parts.isEmpty() ? Text::tr("No errors") : parts.join(QStringLiteral(", "));
    QString const count = shown == lines ? (lines == 1 ? Text::tr("1 line") : Text::tr("%1 lines").arg(countText(lines)))
                                         : Text::tr("%1 of %2 lines").arg(countText(shown), countText(lines));
    return first + QStringLiteral(" · ") + count;
}

} // namespace tilewright::views
