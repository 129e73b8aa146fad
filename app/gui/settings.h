#pragma once

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace tilewright::app {

/// User settings, in the XDG configuration folder. Contains nothing secret.
namespace settings {

/// Empty: follows the desktop.
std::optional<views::ThemeKind> themeChoice();
void setThemeChoice(std::optional<views::ThemeKind> kind);
/// The user's choice, else the theme of the desktop's portal, else of its palette.
views::ThemeKind effectiveTheme();

QString language(); ///< "" = as the desktop has it
void setLanguage(QString const &language);

views::ByteUnits byteUnits();
void setByteUnits(views::ByteUnits units);

/// Newest first; missing files stay listed until removed.
QStringList recentFiles();
void addRecent(QString const &path);
void removeRecent(QString const &path);
void clearRecent();
inline constexpr int kRecentFiles = 64;

QByteArray bytes(QString const &key);
void setBytes(QString const &key, QByteArray const &value);
QStringList keysBelow(QString const &group);
void remove(QString const &key);

} // namespace settings

} // namespace tilewright::app
