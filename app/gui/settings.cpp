#include "app/gui/settings.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QSettings>

namespace tilewright::app::settings {

namespace {

class Store : public QSettings {
public:
    Store() : QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("tilewright"), QStringLiteral("workbench")) {}
};
/// org.freedesktop.appearance: 1 dark, 2 light; nothing if no portal answers in time.
std::optional<views::ThemeKind> desktopTheme()
{
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return std::nullopt;
    auto message =
        QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.portal.Desktop"), QStringLiteral("/org/freedesktop/portal/desktop"),
                                       QStringLiteral("org.freedesktop.portal.Settings"), QStringLiteral("Read"));
    message << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme");
    auto const reply = bus.call(message, QDBus::Block, 150);
    if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty()) return std::nullopt;
    QVariant value = reply.arguments().first();
    for (int depth = 0; depth < 3 && value.canConvert<QDBusVariant>(); ++depth) value = value.value<QDBusVariant>().variant();
    if (value.toUInt() == 1) return views::ThemeKind::Dark;
    if (value.toUInt() == 2) return views::ThemeKind::Light;
    return std::nullopt;
}

QVariant value(char const *key) { return Store().value(QLatin1String(key)); }
void set(char const *key, QVariant const &value) { Store().setValue(QLatin1String(key), value); }

} // namespace

std::optional<views::ThemeKind> themeChoice()
{
    QString const text = value("theme").toString();
    if (text == QLatin1String("light")) return views::ThemeKind::Light;
    if (text == QLatin1String("dark")) return views::ThemeKind::Dark;
    if (text == QLatin1String("contrast")) return views::ThemeKind::HighContrast;
    return std::nullopt;
}

void setThemeChoice(std::optional<views::ThemeKind> kind)
{
    set("theme",
        !kind                                  ? QStringLiteral("system")
            : *kind == views::ThemeKind::Light ? QStringLiteral("light")
            : *kind == views::ThemeKind::Dark  ? QStringLiteral("dark")
                                               : QStringLiteral("contrast"));
}

views::ThemeKind effectiveTheme()
{
    if (auto const choice = themeChoice()) return *choice;
    return desktopTheme().value_or(views::systemTheme());
}

QString language() { return value("language").toString(); }
void setLanguage(QString const &language) { set("language", language); }

views::ByteUnits byteUnits()
{
    QString const text = value("byte_units").toString();
    return text == QLatin1String("decimal") ? views::ByteUnits::Decimal
        : text == QLatin1String("plain")    ? views::ByteUnits::Plain
                                            : views::ByteUnits::Binary;
}

void setByteUnits(views::ByteUnits units)
{
    set("byte_units",
        units == views::ByteUnits::Decimal     ? QStringLiteral("decimal")
            : units == views::ByteUnits::Plain ? QStringLiteral("plain")
                                               : QStringLiteral("binary"));
    views::setByteUnits(units);
}

QStringList recentFiles() { return value("recent").toStringList(); }

void addRecent(QString const &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    while (files.size() > kRecentFiles) files.removeLast();
    set("recent", files);
}

void removeRecent(QString const &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    set("recent", files);
}

void clearRecent() { set("recent", QStringList()); }

QByteArray bytes(QString const &key) { return Store().value(key).toByteArray(); }
void setBytes(QString const &key, QByteArray const &value) { Store().setValue(key, value); }
void remove(QString const &key) { Store().remove(key); }

QStringList keysBelow(QString const &group)
{
    Store s;
    s.beginGroup(group);
    return s.childGroups() + s.childKeys();
}

} // namespace tilewright::app::settings
