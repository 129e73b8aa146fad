#pragma once

#include <QDir>
#include <QFile>
#include <QString>

namespace tilewright::tests {

/// The small report beside the reference pictures (tests/views/pictures), unpacked into a folder; empty on failure.
inline QString unpackKeptReport(QString const &folder, QString const &name = QStringLiteral("digits.twreport"))
{
    QFile kept(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/tests/views/pictures/") + name + QStringLiteral(".z"));
    QFile file(QDir(folder).filePath(name));
    if (!kept.open(QIODevice::ReadOnly) || !file.open(QIODevice::WriteOnly)) return {};
    file.write(qUncompress(kept.readAll()));
    return file.fileName();
}

} // namespace tilewright::tests
