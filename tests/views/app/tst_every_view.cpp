#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "translations/translations.h"
#include "views/common/icons.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// Properties of all views.
class TstEveryView : public QObject {
    Q_OBJECT

    static void settle(Session &session)
    {
        QTRY_VERIFY_WITH_TIMEOUT(!session.jobs().busy(), 20000);
        QCoreApplication::processEvents();
    }
    void rows()
    {
        QTest::addColumn<QString>("id");
        for (auto const &view : app::viewList()) QTest::addRow("%s", view.id) << QString::fromLatin1(view.id);
    }
    static View *make(QString const &id, Session &session)
    {
        for (auto const &view : app::viewList())
            if (id == QLatin1String(view.id)) return view.create(session, nullptr);
        return nullptr;
    }

private slots:
    /// A button without layout asks for its icon without room: painting it gives a Qt warning and thus a failure.
    void iconsWithoutRoomAreEmpty()
    {
        auto const one = icon(QStringLiteral("save"));
        QVERIFY(!one.isNull() && !one.pixmap(16, 16).isNull());
        QVERIFY(one.pixmap(0, 16).isNull() && one.pixmap(QSize()).isNull());
    }
    void initTestCase() { initResources(); }
    void hasItsIconAndTitle_data() { rows(); }
    void hasItsIconAndTitle()
    {
        QFETCH(QString, id);
        for (auto const &view : app::viewList())
            if (id == QLatin1String(view.id)) {
                QVERIFY(!icon(QLatin1String(view.icon)).isNull());
                QVERIFY(*view.title);
            }
    }
    void livesWithoutProjectAndReport_data() { rows(); }
    void livesWithoutProjectAndReport()
    {
        QFETCH(QString, id);
        Session session;
        std::unique_ptr<View> const view(make(id, session));
        view->resize(480, 320);
        view->show();
        view->refreshNow();
        settle(session);
        (void)view->exportTables();
        view->restoreState(view->saveState());
        QCOMPARE(view->id(), id);
    }
    void everyControlIsNamed_data() { rows(); }
    void everyControlIsNamed()
    {
        QFETCH(QString, id);
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        std::unique_ptr<View> const view(make(id, session));
        view->resize(1000, 700);
        view->show();
        view->refreshNow();
        settle(session);
        for (auto *child : view->findChildren<QWidget *>()) {
            if (!child->isVisibleTo(view.get()) || qobject_cast<QScrollBar *>(child)
                || child->objectName().startsWith(QLatin1String("qt_")))
                continue;
            bool const control = qobject_cast<QAbstractButton *>(child) || qobject_cast<QLineEdit *>(child)
                || qobject_cast<QComboBox *>(child) || qobject_cast<QAbstractSpinBox *>(child) || qobject_cast<QAbstractSlider *>(child);
            if (!control || qobject_cast<QAbstractSpinBox *>(child->parentWidget()) || qobject_cast<QComboBox *>(child->parentWidget()))
                continue;
            if (qobject_cast<QLineEdit *>(child->parentWidget())) continue; // a line edit's own clear button
            if (QByteArray(child->metaObject()->className()).startsWith("QTab")
                || QByteArray(child->metaObject()->className()).startsWith("CloseButton"))
                continue;
            auto *button = qobject_cast<QAbstractButton *>(child);
            QString const name = child->accessibleName().isEmpty() && button ? button->text() : child->accessibleName();
            if (QByteArray(child->parentWidget()->metaObject()->className()) == "QTabBar") continue;
            QVERIFY2(!name.isEmpty(),
                     qPrintable(QStringLiteral("%1: a %2 (%3) has no name")
                                    .arg(id, QLatin1String(child->metaObject()->className()), child->objectName())));
        }
    }
    void survivesLongAndMirroredTexts_data() { rows(); }
    void survivesLongAndMirroredTexts()
    {
        QFETCH(QString, id);
        for (auto const *locale : {"xx", "xr", "de", "en"}) {
            installTranslation(*qApp, QString::fromLatin1(locale));
            Session session;
            QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
            std::unique_ptr<View> const view(make(id, session));
            view->resize(420, 300);
            view->show();
            view->refreshNow();
            settle(session);
            QVERIFY(!view->grab().isNull());
            QVERIFY2(view->minimumSizeHint().width() <= 620,
                     qPrintable(QStringLiteral("%1 wants %2 px with locale %3")
                                    .arg(id)
                                    .arg(view->minimumSizeHint().width())
                                    .arg(QLatin1String(locale))));
        }
        installTranslation(*qApp, QStringLiteral("en"));
    }
};

TW_REGISTER_TEST(TstEveryView);
#include "tst_every_view.moc"
