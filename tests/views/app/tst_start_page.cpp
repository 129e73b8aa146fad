#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "app/gui/settings.h"
#include "app/gui/start_page.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/session/session.h"

#include <QAction>
#include <QApplication>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::app;

/// What a crash left unsaved is offered until somebody takes or discards it.
class TstStartPage : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    /// A saved project with the autosave of a session that ended without saving: 9 epochs instead of 5.
    QString crashed(QString const &name)
    {
        QString const path = m_folder.filePath(name);
        views::Session session;
        auto &document = session.document();
        if (!document.openTemplate(QStringLiteral("mnist-mlp")).ok() || !document.save(path).ok()) return {};
        settings::addRecent(path);
        if (!document.setField(QStringLiteral("training.epochs"), QStringLiteral("9")).ok()) return {};
        document.writeAutosaveNow();
        return path;
    }
    static QPushButton *card(QWidget const &page, QString const &title)
    {
        for (auto *each : page.findChildren<QPushButton *>())
            if (each->accessibleName() == title) return each;
        return nullptr;
    }

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    void cardsOfTheStartPageStandInLine()
    {
        StartPage page;
        page.resize(1100, 900);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTest::qWait(60);
        QMap<int, QSet<int>> heights; // by whether the card is of a template
        QSet<int> widths;
        int cards = 0;
        for (auto const *card : page.findChildren<QPushButton *>()) {
            if (card->property("role") != QLatin1String("card")) continue;
            bool const lesson = card->accessibleDescription().isEmpty() || !card->accessibleDescription().contains(QLatin1Char('\n'));
            if (card->accessibleName() != QLatin1String("Empty project")) heights[lesson] << card->height();
            else heights[0] << card->height();
            widths << card->width();
            ++cards;
            QVERIFY2(card->height() >= card->heightForWidth(card->width()), qPrintable(card->accessibleName()));
            QVERIFY2(!card->accessibleDescription().contains(QLatin1Char('%'))
                         || card->accessibleDescription().contains(QStringLiteral("99 %")),
                     qPrintable(card->accessibleDescription())); // not compiled, not known
        }
        QVERIFY(cards >= 8);
        QCOMPARE(heights[0].size(), qsizetype(1));
        QCOMPARE(heights[1].size(), qsizetype(1));
        QVERIFY(widths.size() <= 2); // an odd pixel goes to one column
    }
    /// A recent project whose session crashed says so before it is opened.
    void recentProjectsNameUnsavedChanges()
    {
        QString const name = QStringLiteral("named.tilewright"), path = crashed(name);
        QVERIFY(views::Document::hasRecovery(path));
        StartPage page;
        QVERIFY(card(page, name));
        QVERIFY(card(page, name)->accessibleDescription().contains(QStringLiteral("Unsaved changes of ")));
        settings::removeRecent(path);
    }
    void unsavedChangesAreOfferedUntilTheyAreTaken()
    {
        QString const path = crashed(QStringLiteral("digits.tilewright"));
        MainWindow window(true);
        window.resize(1440, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto *page = window.findChild<StartPage *>();
        QString const offer = QStringLiteral("Recover “digits”");
        QVERIFY(card(*page, offer));
        window.openFiles({path});
        auto *bar = window.findChild<MessageBar *>();
        QTRY_VERIFY(bar->isVisible() && bar->text().contains(QStringLiteral("unsaved changes to “digits")));
        // Ctrl+N, without an answer.
        window.action(QStringLiteral("file.new"))->trigger();
        QTRY_VERIFY(page->isVisible());
        QVERIFY(!bar->isVisible()); // the project that it was about is closed
        QVERIFY(card(*page, offer));
        QTest::mouseClick(card(*page, offer), Qt::LeftButton);
        auto &document = window.session().document();
        QTRY_COMPARE(document.field(QStringLiteral("training.epochs")), QStringLiteral("9"));
        QVERIFY(document.isModified());
        QVERIFY(document.save(path).ok());
        QVERIFY(!views::Document::hasRecovery(path));
        StartPage later;
        QVERIFY(!card(later, offer));
        settings::removeRecent(path);
    }
    void aQuestionReturnsWhenAnotherMessageGoes()
    {
        QWidget window;
        MessageBar bar(&window);
        window.resize(800, 200);
        bar.resize(800, 40);
        window.show();
        int recovered = 0;
        bar.ask(QStringLiteral("There are unsaved changes."), QStringLiteral("Recover"), [&] { ++recovered; });
        bar.show(MessageBar::Note, QStringLiteral("Written: model.json"), {}, QStringLiteral("Open"), [] {});
        QCOMPARE(bar.text(), QStringLiteral("Written: model.json"));
        auto *button = bar.findChild<QPushButton *>();
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(bar.isVisible());
        QCOMPARE(bar.text(), QStringLiteral("There are unsaved changes."));
        bar.show(MessageBar::Error, QStringLiteral("The file cannot be read."), {}, {}, {});
        bar.dismiss(); // its cause is gone
        QCOMPARE(bar.text(), QStringLiteral("There are unsaved changes."));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(recovered, 1);
        QVERIFY(!bar.isVisible());
        bar.ask(QStringLiteral("There are unsaved changes."), QStringLiteral("Recover"), [&] { ++recovered; });
        QTest::mouseClick(bar.findChild<QToolButton *>(), Qt::LeftButton); // "no" is an answer, too
        QVERIFY(!bar.isVisible());
        bar.show(MessageBar::Error, QStringLiteral("The file cannot be read."), {}, {}, {});
        bar.clear();
        QVERIFY(bar.isVisible()); // an error stays
        bar.dismiss();
        QVERIFY(!bar.isVisible());
        QCOMPARE(recovered, 1);
    }
};

TW_REGISTER_TEST(TstStartPage);
#include "tst_start_page.moc"
