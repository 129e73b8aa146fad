#include "app/gui/main_window.h"
#include "app/gui/settings_dialog.h"
#include "app/gui/workbench.h"
#include "resources/resources.h"
#include "tests/support/kept_report.h"
#include "tests/support/test_registry.h"
#include "tests/views/diagnostics/registry_texts.h"
#include "translations/translations.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"
#include "views/session/view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QXmlStreamReader>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::app;

/// The language changes while everything is open, and nothing of the old one stays.
class TstLanguage : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QSet<QString> m_english, m_german; ///< texts that differ between the two, without values and marks of keys
    QStringList m_help;                ///< of the engine's registries, long enough to be known within another text

    static QString plain(QString text)
    {
        text.remove(QLatin1Char('&'));
        return text.section(QLatin1Char('\t'), 0, 0).trimmed();
    }
    void readTexts()
    {
        QFile file(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/translations/tilewright_de.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString source;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == QLatin1String("source")) source = plain(xml.readElementText());
            else if (xml.name() == QLatin1String("translation") && !source.contains(QLatin1Char('%'))) {
                QString const german = plain(xml.readElementText(QXmlStreamReader::IncludeChildElements));
                m_german.insert(german);
                if (german != source) m_english.insert(source);
            }
        }
        m_english.subtract(m_german); // "Name" and the like: one cannot tell
        // Ids of values, units and phases are the same in every language.
        for (auto const &each : registryTexts())
            if (each.text.find(' ') == std::string::npos && each.text[0] >= 'a')
                m_english.remove(QString::fromStdString(each.text)); // arguments are named like types
        m_english.subtract({QStringLiteral("Constant"), QStringLiteral("none"), QStringLiteral("interleaved"), QStringLiteral("tiles"),
                            QStringLiteral("update"), QStringLiteral("Exchange"), QStringLiteral("all")});
        QVERIFY(m_english.size() > 1000);
        for (auto const &each : registryTexts())
            if (each.prose && each.text.size() >= 16 && each.text.find(' ') != std::string::npos)
                m_help << QString::fromStdString(each.text);
        QVERIFY(m_help.size() > 300);
        // The shown report belongs to a project that was created in English.
        QString const title = QStringLiteral("Handwritten digits with dense layers");
        QVERIFY(m_help.removeOne(title) && m_english.remove(title));
    }
    bool isEnglish(QString const &text) const
    {
        return m_english.contains(text) || std::ranges::any_of(m_help, [&](auto const &help) { return text.contains(help); });
    }
    /// All texts in the window, with their places.
    static QList<std::pair<QString, QString>> texts(QWidget &root)
    {
        QList<std::pair<QString, QString>> all;
        auto const add = [&](QObject const &where, QString const &text) {
            if (where.objectName().startsWith(QLatin1String("qt_"))) return; // Qt's own words are translated by Qt
            if (!text.isEmpty())
                all.append({plain(text), QLatin1String(where.metaObject()->className()) + QLatin1Char(' ') + where.objectName()});
        };
        for (auto *action : root.findChildren<QAction *>()) {
            add(*action, action->text());
            add(*action, action->toolTip());
        }
        for (auto *widget : root.findChildren<QWidget *>()) {
            add(*widget, widget->toolTip());
            add(*widget, widget->accessibleName());
            add(*widget, widget->accessibleDescription());
            add(*widget, widget->windowTitle());
            if (auto *label = qobject_cast<QLabel *>(widget)) add(*widget, label->text());
            if (auto *button = qobject_cast<QAbstractButton *>(widget)) add(*widget, button->text());
            if (auto *group = qobject_cast<QGroupBox *>(widget)) add(*widget, group->title());
            if (auto *edit = qobject_cast<QLineEdit *>(widget)) add(*widget, edit->placeholderText());
            if (auto *box = qobject_cast<QComboBox *>(widget))
                for (int i = 0; i < box->count(); ++i) add(*widget, box->itemText(i));
            if (auto *tabs = qobject_cast<QTabBar *>(widget))
                for (int i = 0; i < tabs->count(); ++i) add(*widget, tabs->tabText(i));
            if (auto *view = qobject_cast<QAbstractItemView *>(widget); view && view->model())
                for (int column = 0; column < view->model()->columnCount(); ++column)
                    add(*widget, view->model()->headerData(column, Qt::Horizontal).toString());
            if (auto *tree = qobject_cast<QTreeWidget *>(widget))
                for (QTreeWidgetItemIterator it(tree); *it; ++it) add(*widget, (*it)->toolTip(0));
            if (auto *list = qobject_cast<QListWidget *>(widget))
                for (int i = 0; i < list->count(); ++i) add(*widget, list->item(i)->toolTip());
        }
        return all;
    }
    static void settle(MainWindow &window)
    {
        QCoreApplication::processEvents();
        QTRY_VERIFY_WITH_TIMEOUT(!window.session().jobs().busy(), 20000);
        QTest::qWait(120);
        QTRY_VERIFY_WITH_TIMEOUT(!window.session().jobs().busy(), 20000);
    }
    /// The report that the kept pictures show.
    std::shared_ptr<views::ReportSnapshot const> report()
    {
        auto const opened = views::ReportSnapshot::open(tests::unpackKeptReport(m_folder.path()), {});
        return opened.ok() ? *opened : nullptr;
    }

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
        installTranslation(*qApp, QStringLiteral("en"));
        readTexts();
    }
    void cleanup() { installTranslation(*qApp, QStringLiteral("en")); }

    void nothingOfTheOldLanguageStays_data()
    {
        QTest::addColumn<QString>("mode");
        for (auto const *mode : {"build", "train", "analyse"}) QTest::newRow(mode) << QString::fromLatin1(mode);
    }
    void nothingOfTheOldLanguageStays()
    {
        QFETCH(QString, mode);
        MainWindow window(true);
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto &session = window.session();
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        session.showReport(report());
        window.applyLayout(mode);
        settle(window);
        for (auto const &id : window.workbench().viewIds())
            if (window.workbench().isInMode(id)) window.showView(id);
        session.selection().selectLayer(QStringLiteral("dense"));
        settle(window);
        auto const project = session.document().project();
        auto const made = window.workbench().madeViews().size();
        QVERIFY(made >= 5);
        QVERIFY(std::ranges::any_of(texts(window), [&](auto const &text) { return isEnglish(text.first); }));

        QElapsedTimer took;
        took.start();
        installTranslation(*qApp, QStringLiteral("de"));
        settle(window);
        for (auto const &id : window.workbench().viewIds())
            if (window.workbench().isInMode(id)) window.showView(id);
        settle(window);
        QVERIFY2(took.elapsed() < 20000, qPrintable(QString::number(took.elapsed())));

        QStringList left;
        int german = 0;
        for (auto const &[text, where] : texts(window)) {
            if (isEnglish(text)) left << where + QStringLiteral(": ") + text;
            german += m_german.contains(text);
        }
        left.removeDuplicates();
        QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char('\n'))));
        QVERIFY(german > 100);
        // Open items stay open.
        QVERIFY(session.document().project() == project);
        QCOMPARE(session.selection().current().name, QStringLiteral("dense"));
        QCOMPARE(window.layoutName(), mode);
        QVERIFY(window.workbench().madeViews().size() >= made);
        QVERIFY(session.report() && session.report()->isWhole());

        // And back, by a person's click in the settings.
        installTranslation(*qApp, QStringLiteral("en"));
        settle(window);
        QStringList still;
        for (auto const &[text, where] : texts(window))
            if (text == QLatin1String("Einstellungen …") || text == QLatin1String("Datei")) still << where;
        QVERIFY2(still.isEmpty(), qPrintable(still.join(QLatin1Char('\n'))));
    }
    void theSettingsThemselvesChange()
    {
        SettingsDialog dialog(nullptr);
        dialog.show();
        installTranslation(*qApp, QStringLiteral("de"));
        QCoreApplication::processEvents();
        QCOMPARE(dialog.windowTitle(), QStringLiteral("Einstellungen"));
        for (auto const &[text, where] : texts(dialog)) QVERIFY2(!isEnglish(text), qPrintable(where + text));
    }
    void aWindowThatOnlyShowsItsStartPageChangesToo()
    {
        MainWindow window(true);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        installTranslation(*qApp, QStringLiteral("de"));
        settle(window);
        QStringList left;
        for (auto const &[text, where] : texts(window))
            if (isEnglish(text)) left << where + QStringLiteral(": ") + text;
        QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char('\n'))));
        QVERIFY(!window.workbench().isVisible());
    }
};

TW_REGISTER_TEST(TstLanguage);
#include "tst_language.moc"
