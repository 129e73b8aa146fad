#include "views/insights/insight_action.h"

#include "views/common/words.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace tilewright::views {

namespace {

/// As the project's fields are written: numbers and truth values bare, texts without quotes, the rest JSON.
QString valueText(QJsonValue const &value)
{
    switch (value.type()) {
    case QJsonValue::Bool: return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    case QJsonValue::Double: {
        double const number = value.toDouble();
        auto const whole = static_cast<qint64>(number);
        return static_cast<double>(whole) == number ? QString::number(whole) : QString::number(number, 'g', 15);
    }
    case QJsonValue::String: return value.toString();
    case QJsonValue::Array: return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    case QJsonValue::Object: return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    case QJsonValue::Null:
    case QJsonValue::Undefined: break;
    }
    return QStringLiteral("null");
}

std::vector<std::pair<QString, QString>> fieldsOf(QJsonObject const &alternative)
{
    std::vector<std::pair<QString, QString>> fields;
    for (auto const &entry : alternative.value(QLatin1String("set")).toArray()) {
        auto const one = entry.toObject();
        if (auto const path = one.value(QLatin1String("path")).toString(); !path.isEmpty())
            fields.emplace_back(path, valueText(one.value(QLatin1String("value"))));
    }
    return fields;
}

} // namespace

std::vector<std::vector<std::pair<QString, QString>>> actionAlternatives(report::InsightRow const &insight)
{
    std::vector<std::vector<std::pair<QString, QString>>> all;
    if (insight.action.empty()) return all;
    auto const action = QJsonDocument::fromJson(QByteArray::fromStdString(insight.action)).object();
    if (auto first = fieldsOf(action); !first.empty()) all.push_back(std::move(first));
    for (auto const &other : action.value(QLatin1String("or")).toArray())
        if (auto fields = fieldsOf(other.toObject()); !fields.empty()) all.push_back(std::move(fields));
    return all;
}

std::vector<std::pair<QString, QString>> actionFields(report::InsightRow const &insight)
{
    auto all = actionAlternatives(insight);
    return all.empty() ? std::vector<std::pair<QString, QString>>() : std::move(all.front());
}

QList<FieldChange> fieldChanges(std::vector<std::pair<QString, QString>> const &fields, project::Project const &project)
{
    QList<FieldChange> changes;
    for (auto const &[path, after] : fields) {
        auto const before = project::field(project, path.toStdString());
        FieldChange const change{path, before.ok() ? QString::fromStdString(*before).trimmed() : QString(), after};
        if (change.before != change.after) changes << change;
    }
    return changes;
}

QString changeText(QList<FieldChange> const &changes)
{
    QStringList words;
    for (auto const &change : changes)
        words
            << QStringLiteral("%1: %2 → %3").arg(change.path, change.before.isEmpty() ? QStringLiteral("–") : change.before, change.after);
    return words.join(QLatin1Char('\n'));
}

QString proposedText(QList<FieldChange> const &changes)
{
    if (changes.size() == 1) return Words::tr("Change %1").arg(changeText(changes));
    QString text = Words::tr("Change together:");
    for (auto const &change : changes) {
        text += QStringLiteral("\n• ") + changeText({change});
        if (change.path == QLatin1String("data.limit")) text += Words::tr(" (drops the samples that fill no whole batch)");
    }
    return text;
}

QString changeInSentence(QList<FieldChange> const &changes) { return changeText(changes).replace(QLatin1Char('\n'), QStringLiteral("; ")); }

} // namespace tilewright::views
