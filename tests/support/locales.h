#pragma once

#include <QDir>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace tilewright::tests {

/// Compiles a locale of the C library, such as "de_DE", into a folder of its own (the package `locales` has the definitions). Programs
/// find it by LOCPATH. Returns the name to set in LC_ALL, or "" where the locale cannot be made.
inline QString makeLocale(QString const &name, QTemporaryDir const &folder)
{
    QString const full = name + QStringLiteral(".UTF-8");
    if (QDir(folder.filePath(full)).exists()) return full;
    QProcess make;
    make.start(QStringLiteral("localedef"),
               {QStringLiteral("--no-archive"), QStringLiteral("-c"), QStringLiteral("-f"), QStringLiteral("UTF-8"), QStringLiteral("-i"),
                name, folder.filePath(full)});
    make.waitForFinished(60'000);
    return QDir(folder.filePath(full)).exists() ? full : QString();
}

} // namespace tilewright::tests
