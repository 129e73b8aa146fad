#include "tests/support/test_registry.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdio>
#include <cstring>

namespace tilewright::tests {

std::vector<TestClass> &registeredTests()
{
    static std::vector<TestClass> tests;
    return tests;
}

} // namespace tilewright::tests

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
    std::string const wanted = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
    std::vector<char *> arguments{argv[0]};
    for (int i = wanted.empty() ? 1 : 2; i < argc; ++i) arguments.push_back(argv[i]);
    int failures = 0;
    bool found = false;
    for (auto const &test : tilewright::tests::registeredTests()) {
        if (!wanted.empty() && test.name != wanted) continue;
        found = true;
        auto const object = test.create();
        failures += QTest::qExec(object.get(), static_cast<int>(arguments.size()), arguments.data());
    }
    if (!found) {
        std::fprintf(stderr, "no test class named '%s'\n", wanted.c_str());
        return 2;
    }
    return failures == 0 ? 0 : 1;
}
