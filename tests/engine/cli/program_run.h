#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace tilewright::tests {

/// The result of a run of the program.
struct ProgramRun {
    int code = -1; ///< -1: did not end by itself
    QByteArray out, err;

    /// stdout as the one JSON document it is meant to be; an empty one when it is not.
    QJsonObject object() const;
    QJsonArray array() const;
    /// stdout as lines of JSON; an empty list when a line is not an object with "event".
    QList<QJsonObject> events() const;
    /// The events of one name.
    QList<QJsonObject> events(QString const &name) const;
    QString errorCode() const { return object()["error"].toObject()["code"].toString(); }
    /// For QVERIFY2: the complete output.
    QByteArray all() const { return "exit " + QByteArray::number(code) + "\n" + err + out.right(3000); }
};

/// Those of the wanted keys that an object lacks.
inline QStringList missingKeys(QJsonObject const &object, QStringList const &wanted)
{
    QStringList missing;
    for (auto const &key : wanted)
        if (!object.contains(key)) missing << key;
    return missing;
}

/// Runs the program in a folder of its own, with cache, device registry and home inside it.
class Sandbox {
public:
    Sandbox();
    QString path(QString const &name) const { return m_folder.filePath(name); }
    ProgramRun run(QStringList const &arguments, QByteArray const &input = {}) const;
    /// A script of /bin/sh, where "$T" is the program: for limits, closed streams and pipes.
    ProgramRun shell(QString const &script) const;
    std::unique_ptr<QProcess> start(QStringList const &arguments) const;
    /// Waits for the end and collects the remaining output.
    static ProgramRun finish(QProcess &process);
    void setVariable(QString const &name, QString const &value);

    void write(QString const &name, QByteArray const &content) const;
    QByteArray read(QString const &name) const;
    /// `tilewright new mnist-mlp NAME` with few samples.
    QString project(QString const &name, QStringList const &settings = {}) const;

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
};

} // namespace tilewright::tests
