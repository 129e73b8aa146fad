#include "tests/engine/cli/program_run.h"

#include <QDir>
#include <QFile>
#include <QtTest>

namespace tilewright::tests {

namespace {
constexpr int kTimeoutMs = 120'000;
}

QJsonObject ProgramRun::object() const { return QJsonDocument::fromJson(out).object(); }
QJsonArray ProgramRun::array() const { return QJsonDocument::fromJson(out).array(); }

QList<QJsonObject> ProgramRun::events() const
{
    QList<QJsonObject> all;
    for (auto const &line : out.split('\n')) {
        if (line.isEmpty()) continue;
        auto const object = QJsonDocument::fromJson(line).object();
        if (!object.contains("event")) return {};
        all.append(object);
    }
    return all;
}

QList<QJsonObject> ProgramRun::events(QString const &name) const
{
    QList<QJsonObject> named;
    for (auto const &event : events())
        if (event["event"].toString() == name) named.append(event);
    return named;
}

Sandbox::Sandbox() : m_environment(QProcessEnvironment::systemEnvironment())
{
    // Nothing of the caller's settings reaches the program.
    for (auto const &key : m_environment.keys())
        if (key.startsWith("TF_") || key.startsWith("POPLAR") || key.startsWith("POPLIBS") || key.startsWith("XDG_")
            || key.startsWith("OMPI_") || key.startsWith("PMI") || key == "DISPLAY" || key == "WAYLAND_DISPLAY")
            m_environment.remove(key);
    m_environment.insert("HOME", path("home"));
    m_environment.insert("XDG_CACHE_HOME", path("cache"));
    m_environment.insert("TILEWRIGHT_RUN_DIR", path("devices"));
    for (auto const *name : {"home", "cache", "devices"}) QDir().mkpath(path(name));
}

void Sandbox::setVariable(QString const &name, QString const &value) { m_environment.insert(name, value); }

std::unique_ptr<QProcess> Sandbox::start(QStringList const &arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setWorkingDirectory(m_folder.path());
    process->start(TILEWRIGHT_PROGRAM, arguments);
    return process;
}

ProgramRun Sandbox::finish(QProcess &process)
{
    ProgramRun ran;
    // A process that has ended already is nothing to wait for.
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(kTimeoutMs)) {
        process.kill();
        process.waitForFinished();
        ran.err = "[did not end in time]\n";
    } else if (process.exitStatus() == QProcess::NormalExit) {
        ran.code = process.exitCode();
    } else {
        ran.err = "[ended by signal " + QByteArray::number(process.exitCode()) + "]\n";
    }
    ran.out = process.readAllStandardOutput();
    ran.err += process.readAllStandardError();
    return ran;
}

ProgramRun Sandbox::run(QStringList const &arguments, QByteArray const &input) const
{
    auto const process = start(arguments);
    process->waitForStarted();
    if (!input.isEmpty()) process->write(input);
    process->closeWriteChannel();
    return finish(*process);
}

ProgramRun Sandbox::shell(QString const &script) const
{
    QProcess process;
    auto environment = m_environment;
    environment.insert("T", TILEWRIGHT_PROGRAM);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start("/bin/sh", {"-c", script});
    process.waitForStarted();
    process.closeWriteChannel();
    return finish(process);
}

void Sandbox::write(QString const &name, QByteArray const &content) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

QByteArray Sandbox::read(QString const &name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString Sandbox::project(QString const &name, QStringList const &settings) const
{
    auto const ran = run(QStringList{"new", "mnist-mlp", name, "data.limit=320", "training.epochs=1", "--quiet"} + settings);
    if (ran.code != 0) qWarning("%s", ran.all().constData());
    return name;
}

} // namespace tilewright::tests
