#pragma once

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace tilewright::app {

/// What the person has chosen, in the XDG configuration folder. Nothing secret is kept.
namespace settings {

/// Empty: as the desktop has it.
std::optional<views::ThemeKind> themeChoice();
void setThemeChoice(std::optional<views::ThemeKind> kind);
/// The choice; else what the desktop's portal says; else what its palette looks like.
views::ThemeKind effectiveTheme();

QString language(); ///< "" = as the desktop has it
void setLanguage(QString const &language);

views::ByteUnits byteUnits();
void setByteUnits(views::ByteUnits units);

/// Newest first; missing files stay listed until somebody removes them.
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
