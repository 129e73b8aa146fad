#include "tests/support/runner.h"

#include <QApplication>
#include <QRegularExpression>
#include <QTemporaryDir>

namespace {

/// A warning of Qt fails the test function in which it is said; only what a platform without a screen cannot do is no
/// warning. Qt Test forgets what fails a test at its end, so it is told again with the first event of the next: the making
/// of any window or widget is one.
class TestApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override
    {
        if (auto const *function = QTest::currentTestFunction(); function && thread() == QThread::currentThread()) {
            QByteArray const now = QByteArray(function) + '(' + QTest::currentDataTag() + ')';
            if (now != m_told) {
                m_told = now;
                QTest::failOnWarning(m_warnings);
            }
        }
        return QApplication::notify(receiver, event);
    }

private:
    QByteArray m_told;
    QRegularExpression const m_warnings{QStringLiteral("^(?!This plugin does not support )")};
};

} // namespace

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
    TestApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("tilewright-test"));
    QApplication::setQuitOnLastWindowClosed(false);
    return tilewright::tests::runTests(argc, argv);
}
