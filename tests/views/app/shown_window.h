#pragma once

#include "app/gui/main_window.h"
#include "app/gui/workbench.h"
#include "resources/resources.h"
#include "views/common/theme.h"
#include "views/document/document.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

namespace tilewright::app {

/// The window with the project of mnist-mlp, for tests by mouse and keys.
struct ShownWindow {
    static void prepare()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    static void open(MainWindow &window, QSize const &size)
    {
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        QVERIFY(window.session().document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        settle(window);
    }
    /// The layout asks for itself once more after views were made.
    static void settle(MainWindow &window)
    {
        QTest::qWait(60);
        QTest::qWait(60);
        (void)window;
    }
    static QDockWidget *dock(MainWindow &window, char const *id)
    {
        return window.findChild<QDockWidget *>(QStringLiteral("dock_") + QLatin1String(id));
    }
    static QToolButton *modeButton(MainWindow &window, char const *id)
    {
        return window.findChild<QToolButton *>(QStringLiteral("mode_") + QLatin1String(id));
    }
    static bool inFront(MainWindow &window, char const *id) { return !dock(window, id)->visibleRegion().isEmpty(); }
    static QStringList centreTabs(MainWindow &window)
    {
        QStringList ids;
        for (auto const &id : window.workbench().viewIds())
            if (window.workbench().isInMode(id) && window.workbench().placeOf(id) == Place::Centre) ids << id;
        return ids;
    }
    /// What a person sees: which docks, and where.
    static QMap<QString, QRect> places(MainWindow &window)
    {
        QMap<QString, QRect> found;
        for (auto const *each : window.findChildren<QDockWidget *>())
            if (each->isVisible() && !each->visibleRegion().isEmpty())
                found.insert(each->objectName(), QRect(each->mapTo(&window, QPoint()), each->size()));
        return found;
    }
    static QStringList barTabs(MainWindow &window)
    {
        QStringList texts;
        for (auto const *bar : window.findChildren<QTabBar *>())
            if (bar->isVisible() && qobject_cast<QMainWindow *>(bar->parentWidget()))
                for (int i = 0; i < bar->count(); ++i) texts << bar->tabText(i);
        texts.sort();
        return texts;
    }
};

} // namespace tilewright::app
