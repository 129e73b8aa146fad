#include "views/wording/config_words.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <cmath>

namespace tilewright::views {

namespace {

QString wordsOf(QJsonValue const &value)
{
    if (value.isArray()) return plainConfigValue(QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact)));
    if (value.isObject()) return plainConfigValue(QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact)));
    if (value.isBool()) return value.toBool() ? Words::tr("yes") : Words::tr("no");
    return value.isDouble() ? numberText(value.toDouble()) : value.toVariant().toString();
}

/// "while (loss above 0.1)" out of {"while": {"loss_above": 0.1}}: one block of a training loop.
QString blockText(QString const &name, QJsonObject const &arguments)
{
    QStringList parts;
    for (auto it = arguments.begin(); it != arguments.end(); ++it)
        parts << QString(it.key()).replace(QLatin1Char('_'), QLatin1Char(' ')) + QLatin1Char(' ') + wordsOf(it.value());
    return parts.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, parts.join(QStringLiteral(", ")));
}

} // namespace

QString optionSourceLabel(QString const &source)
{
    if (source == QLatin1String("project")) return Words::tr("project");
    return source == QLatin1String("default") ? Words::tr("default") : source;
}

QString optionScopeLabel(QString const &scope)
{
    if (scope == QLatin1String("training")) return Words::tr("training");
    if (scope == QLatin1String("engine")) return Words::tr("engine");
    return scope == QLatin1String("ipu_config") ? Words::tr("IPU configuration") : scope;
}

QString plainConfigValue(QString const &json)
{
    auto const document = QJsonDocument::fromJson(json.toUtf8());
    if (document.isArray()) {
        QStringList parts;
        for (auto const &each : document.array()) parts.append(wordsOf(each));
        return parts.isEmpty() ? Words::tr("none") : parts.join(QStringLiteral(", "));
    }
    auto const object = document.object();
    QString name = object.value(QStringLiteral("class_name")).toString();
    if (object.size() == 1 && object.begin()->isObject()) return blockText(object.begin().key(), object.begin()->toObject());
    if (name.isEmpty()) {
        QString const bare = json.trimmed();
        if (bare == QLatin1String("true")) return Words::tr("yes");
        if (bare == QLatin1String("false")) return Words::tr("no");
        if (bare == QLatin1String("null")) return Words::tr("none");
        bool whole = false, real = false;
        qlonglong const count = bare.toLongLong(&whole);
        double const number = bare.toDouble(&real);
        if (whole) return countText(count);
        if (real && std::isfinite(number)) return numberText(number);
        return bare.size() > 1 && bare.startsWith(QLatin1Char('"')) ? bare.mid(1, bare.size() - 2) : bare;
    }
    auto const rate = object.value(QStringLiteral("config")).toObject().value(QStringLiteral("learning_rate"));
    if (rate.isObject()) name += QStringLiteral(", ") + rate.toObject().value(QStringLiteral("class_name")).toString();
    if (rate.isDouble()) name += QStringLiteral(", ") + Words::tr("learning rate %1").arg(numberText(rate.toDouble()));
    return name;
}

} // namespace tilewright::views
