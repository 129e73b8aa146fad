#include "tests/support/runner.h"

#include <QAbstractEventDispatcher>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QHash>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryDir>

namespace {

/// A Qt warning fails the current test function, except warnings about features that a platform without a screen lacks. Qt Test drops a
/// failure at
/// the end of a function, so it is repeated with the first event of the next: the creation of any window or widget is one.
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
        if (event->type() == QEvent::MetaCall && thread() == QThread::currentThread()) watch(receiver);
        return QApplication::notify(receiver, event);
    }

private:
    /// Scroll bars are shown and hidden by posted calls. If the content asks for no bar when one is shown and for a bar when it is hidden,
    /// the calls
    /// never end and the window hangs. The test names that area.
    void watch(QObject *receiver)
    {
        static constexpr int kMost = 2000; // between two turns of the event loop
        if (!m_isWatching) {
            m_isWatching = true;
            connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, this, [this] { m_calls.clear(); });
        }
        if (++m_calls[receiver] < kMost) return;
        auto const *area = qobject_cast<QAbstractScrollArea *>(receiver);
        if (!area) return;
        QStringList path;
        for (QWidget const *each = area; each; each = each->parentWidget())
            path << QStringLiteral("%1 '%2' %3 x %4")
                        .arg(QLatin1String(each->metaObject()->className()), each->accessibleName())
                        .arg(each->width())
                        .arg(each->height());
        qFatal("the scroll bars of this area never come to rest: %s; viewport %d x %d, bars %d and %d",
               qPrintable(path.join(QStringLiteral(" in "))), area->viewport()->width(), area->viewport()->height(),
               area->horizontalScrollBar()->isVisible(), area->verticalScrollBar()->isVisible());
    }
    QHash<QObject *, int> m_calls;
    bool m_isWatching = false;
    QByteArray m_told;
    QRegularExpression const m_warnings{QStringLiteral("^(?!This plugin does not support )")};
};

} // namespace

/// As test_main.cpp, with a display that is not there and folders of its own for settings, caches and devices.
int main(int argc, char **argv)
{
    QTemporaryDir home;
    for (char const *name :
         {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TILEWRIGHT_RUN_DIR"}) {
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
