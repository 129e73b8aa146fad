#include "app/gui/command_palette.h"
#include "app/gui/main_window.h"
#include "app/gui/palette_entry.h"
#include "app/gui/settings.h"
#include "app/gui/workbench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme.h"
#include "views/document/document.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::app;

class TstCommandPalette : public QObject {
    Q_OBJECT

    static PaletteEntry named(QString const &text, QString const &words = {}) { return {text, {}, {}, words, true, {}}; }
    static void openSmall(MainWindow &window)
    {
        auto &document = window.session().document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
    }
    /// Texts of the entries that match best, as the list shows them.
    static QStringList found(MainWindow &window, QString const &query, int most = 5)
    {
        CommandPalette palette(QStringLiteral("hint"), thingEntries(window), &window);
        palette.setAttribute(Qt::WA_DeleteOnClose, false);
        palette.findChild<QLineEdit *>()->setText(query);
        auto const *list = palette.findChild<QListWidget *>();
        QStringList texts;
        for (int i = 0; i < std::min(list->count(), most); ++i) texts << list->item(i)->text();
        return texts;
    }

private slots:
    void wholeWordsRankBeforePartsAndLetters()
    {
        auto const score = [](char const *query, PaletteEntry const &entry) { return matchScore(QLatin1String(query), entry); };
        QVERIFY(score("tile", named("worst tile")) > score("tile", named("tiles per IPU")));
        QVERIFY(score("tile", named("tiles per IPU")) > score("tile", named("projectile")));
        QVERIFY(score("mem", named("Show Memory")) > score("mem", named("some theme")));
        QVERIFY(score("stage", named("Configuration", "pipeline stage")) > score("stage", named("save as template")));
        QVERIFY(score("dark", named("Theme: dark")) > score("dark", named("data_1/relu/kernel")));
        QCOMPARE(score("xyz", named("Show Memory")), 0);
        QCOMPARE(score("memory xyz", named("Show Memory")), 0);
        QVERIFY(score("memory show", named("Show Memory")) > 0);
    }
    void aWordOfTheNameRanksBeforeAFurtherWord()
    {
        auto const acting = [](char const *text, char const *words) {
            auto entry = named(QLatin1String(text), QLatin1String(words));
            entry.acts = true;
            return entry;
        };
        QVERIFY(matchScore(QStringLiteral("pipeline"), acting("Propose 2 pipeline stages of equal cost", ""))
                > matchScore(QStringLiteral("pipeline"), acting("Show Execution", "pipeline")));
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        QStringList const texts = found(window, QStringLiteral("pipeline"), 3);
        QVERIFY2(texts.front().startsWith(QStringLiteral("Propose")), qPrintable(texts.join(" | ")));
        for (auto const &text : texts)
            QVERIFY2(text.contains(QStringLiteral("pipeline"), Qt::CaseInsensitive), qPrintable(texts.join(" | ")));
    }
    void theListIsAsHighAsItsMatches()
    {
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        CommandPalette palette(QStringLiteral("hint"), thingEntries(window), &window);
        palette.setAttribute(Qt::WA_DeleteOnClose, false);
        palette.show();
        int const whole = palette.height();
        palette.findChild<QLineEdit *>()->setText(QStringLiteral("worst tile xyz"));
        QVERIFY2(palette.height() < whole / 2, qPrintable(QStringLiteral("%1 of %2").arg(palette.height()).arg(whole)));
        palette.findChild<QLineEdit *>()->clear();
        QCOMPARE(palette.height(), whole);
    }
    void actionsRankBeforeFieldsWhenTheWordMatchesWholly_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("wanted");
        QStringList const stages{QStringLiteral("Propose 2 pipeline stage(s)"), QStringLiteral("Propose 4 pipeline stage(s)"),
                                 QStringLiteral("Propose 8 pipeline stage(s)")};
        QTest::newRow("stage") << "stage"
                               << (stages + QStringList{QStringLiteral("Show Execution"), QStringLiteral("Show IPU configuration")});
        QTest::newRow("pipeline") << "pipeline" << (stages + QStringList{QStringLiteral("Show Execution")});
        QTest::newRow("evaluate") << "evaluate" << QStringList{QStringLiteral("Evaluate")};
        QTest::newRow("dark") << "dark" << QStringList{QStringLiteral("Theme: dark")};
    }
    /// The wanted entries come before every field, option and thing of a report.
    void actionsRankBeforeFieldsWhenTheWordMatchesWholly()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, wanted);
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        QStringList const texts = found(window, query, 60);
        auto const firstField = std::ranges::find_if(texts, [](QString const &text) {
            return text.startsWith(QLatin1String("training.")) || text.startsWith(QLatin1String("ipu_config."));
        });
        for (auto const &text : wanted)
            QVERIFY2(std::find(texts.begin(), firstField, text) != firstField,
                     qPrintable(text + QStringLiteral(" in ") + texts.join(" | ")));
    }
    void proposingStagesCutsTheModelInOneUndoStep()
    {
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        auto &document = window.session().document();
        for (auto const &entry : thingEntries(window))
            if (entry.text == QStringLiteral("Propose 2 pipeline stage(s)")) entry.run();
        auto const &layers = document.project().model.layers;
        QVERIFY(std::ranges::any_of(layers, [](auto const &layer) { return layer.stage == 1; }));
        QCOMPARE(document.undoStack().count(), 1);
    }
    void aModeOfExecutionIsShownByItsName()
    {
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        for (auto const &entry : thingEntries(window))
            if (entry.text == QStringLiteral("Show Execution: BSP")) entry.run();
        auto const *view = window.workbench().currentView();
        QVERIFY(view);
        QCOMPARE(view->id(), QStringLiteral("execution"));
        QCOMPARE(view->saveState().value(QLatin1String("mode")).toString(), QStringLiteral("bsp"));
    }
    void plainWordsFindTheObviousThing_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("stage") << "stage schedule"
                               << "training.pipeline_schedule";
        QTest::newRow("pipeline") << "pipeline schedule"
                                  << "training.pipeline_schedule";
        QTest::newRow("dark") << "dark"
                              << "Theme: dark";
        QTest::newRow("pod4") << "pod4"
                              << "Target: pod4";
        QTest::newRow("settings") << "settings"
                                  << "Settings …";
        QTest::newRow("add lstm") << "add lstm"
                                  << "Add LSTM";
        QTest::newRow("batch size") << "batch size"
                                    << "training.batch_size";
        QTest::newRow("layer") << "dense_1"
                               << "dense_1";
        QTest::newRow("timeline") << "timeline"
                                  << "Show Execution";
    }
    void plainWordsFindTheObviousThing()
    {
        QFETCH(QString, query);
        QFETCH(QString, wanted);
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        QStringList const texts = found(window, query);
        QVERIFY2(texts.contains(wanted), qPrintable(texts.join(QStringLiteral(" | "))));
    }
    void choosingATargetOrAThemeSetsIt()
    {
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        openSmall(window);
        auto const choose = [&](QString const &text) {
            for (auto const &entry : thingEntries(window))
                if (entry.text == text) return entry.run();
            QFAIL(qPrintable(text));
        };
        choose(QStringLiteral("Target: pod4"));
        QCOMPARE(QString::fromStdString(window.session().document().project().target), QStringLiteral("pod4"));
        choose(QStringLiteral("Theme: dark"));
        QCOMPARE(settings::themeChoice(), std::optional(views::ThemeKind::Dark));
        QCOMPARE(views::theme().kind, views::ThemeKind::Dark);
        choose(QStringLiteral("Theme: as the desktop"));
        QCOMPARE(settings::themeChoice(), std::optional<views::ThemeKind>());
        auto const layers = window.session().document().project().model.layers.size();
        choose(QStringLiteral("Add Dropout"));
        QCOMPARE(window.session().document().project().model.layers.size(), layers + 1);
    }
    void everyActionIsListedWithItsKeyAndUnavailableOnesAreNotRun()
    {
        MainWindow window(true);
        window.resize(1000, 700);
        window.show();
        auto const entries = commandEntries(window);
        for (auto const &[id, action] : window.actions()) {
            QString const keys = action->shortcut().toString(QKeySequence::NativeText);
            QVERIFY2(std::ranges::any_of(entries,
                                         [&](PaletteEntry const &entry) {
                                             return entry.text.contains(
                                                        action->text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&')))
                                                 && entry.keys == keys && entry.enabled == action->isEnabled();
                                         }),
                     qPrintable(id));
        }
        QVERIFY(!window.action(QStringLiteral("run.pause"))->isEnabled());
        CommandPalette::commands(window);
        auto *palette = window.findChild<CommandPalette *>();
        QVERIFY(palette);
        auto *line = palette->findChild<QLineEdit *>();
        line->setText(QStringLiteral("pause"));
        auto const *list = palette->findChild<QListWidget *>();
        QCOMPARE(list->item(0)->text(), QStringLiteral("Pause"));
        QVERIFY(!(list->item(0)->flags() & Qt::ItemIsEnabled));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(palette->isVisible());
    }
};

TW_REGISTER_TEST(TstCommandPalette);

#include "tst_command_palette.moc"
