#include "tests/support/runner.h"

#include <QApplication>
#include <QTemporaryDir>

/// As test_main.cpp, with a display that is not there and folders of its own for settings, caches and devices.
int main(int argc, char **argv)
{
    QTemporaryDir home;
    for (char const *name : {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TILEWRIGHT_RUN_DIR"}) {
        QString const folder = home.filePath(QString::fromLatin1(name).toLower());
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(name, folder.toUtf8());
    }
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("tilewright-test"));
    QApplication::setQuitOnLastWindowClosed(false);
    return tilewright::tests::runTests(argc, argv);
}
