#pragma once

#include <QProcess>
#include <QStandardPaths>
#include <QString>

namespace tilewright::tests {

struct ToolResult {
    bool installed = false;
    int code = -1;
    QString output; ///< stdout and stderr together
    bool ok() const { return installed && code == 0; }
};

/// Runs a program of the system; at most a minute.
inline ToolResult runTool(QString const &name, QStringList const &arguments, QString const &folder = {})
{
    ToolResult result;
    auto const program = QStandardPaths::findExecutable(name);
    if (program.isEmpty()) return result;
    result.installed = true;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        result.output = name + QStringLiteral(" took more than a minute");
        return result;
    }
    result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    result.output = QString::fromUtf8(process.readAll());
    return result;
}

} // namespace tilewright::tests
