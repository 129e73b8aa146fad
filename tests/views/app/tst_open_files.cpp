#include "app/gui/console_strip.h"
#include "app/gui/main_window.h"
#include "app/gui/message_bar.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "tests/views/app/small_project.h"
#include "views/advice/problem_log.h"
#include "views/common/theme.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_row.h"
#include "views/session/session.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::app;

/// What becomes of the open project when a file is opened.
class TstOpenFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    static void openSmall(MainWindow &window) { tests::openSmall(window.session().document()); }

private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    /// Whatever a project's file is called: what is not saved is not replaced without a word.
    void openingAProjectByAnyNameAsksFirst_data()
    {
        QTest::addColumn<QString>("name");
        for (auto const *name : {"X.tilewright.bak", "X.TILEWRIGHT", "copy of project", "twin.txt"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void openingAProjectByAnyNameAsksFirst()
    {
        QFETCH(QString, name);
        QString const path = m_folder.filePath(name);
        {
            views::Session session;
            QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
            bool const twin = name.endsWith(QLatin1String(".txt"));
            QString const made = m_folder.filePath(twin ? QStringLiteral("made.json") : QStringLiteral("made.tilewright"));
            QVERIFY(session.document().save(made).ok());
            QVERIFY(QFile::rename(made, path));
        }
        MainWindow window(true);
        window.show();
        openSmall(window);
        auto &document = window.session().document();
        int questions = 0;
        auto const answerWith = [&](QMessageBox::StandardButton button) {
            auto *timer = new QTimer(&window);
            connect(timer, &QTimer::timeout, timer, [&questions, timer, button] {
                auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
                if (!box) return;
                ++questions;
                timer->deleteLater();
                QTest::mouseClick(box->button(button), Qt::LeftButton);
            });
            timer->start(10);
        };
        answerWith(QMessageBox::Cancel);
        window.openFiles({path});
        QCOMPARE(questions, 1);
        QVERIFY(document.path().isEmpty());
        QCOMPARE(document.field(QStringLiteral("data.limit")), QStringLiteral("640"));
        answerWith(QMessageBox::Discard);
        window.openFiles({path});
        QCOMPARE(questions, 2);
        QCOMPARE(document.path(), path);
    }
    /// A model has no run: it opens on the canvas, not on an empty page of the mode that was on show. The strip states a first problem.
    void aModelOpensOnTheCanvas()
    {
        QString const path = m_folder.filePath(QStringLiteral("model.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"class_name": "Sequential", "config": {"name": "small", "layers": [
            {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 5], "name": "in"}},
            {"class_name": "Dense", "config": {"units": 3, "name": "out"}}]}})");
        file.close();
        MainWindow window(true);
        window.resize(1500, 950);
        window.show();
        openSmall(window);
        QVERIFY(window.session().document().save(m_folder.filePath(QStringLiteral("before.tilewright"))).ok());
        window.applyLayout(QStringLiteral("analyse"));
        QCOMPARE(window.layoutName(), QStringLiteral("analyse"));
        window.openFiles({path});
        QCOMPARE(window.session().document().field(QStringLiteral("model.layers.out.units")), QStringLiteral("3"));
        QCOMPARE(window.layoutName(), QStringLiteral("build"));
        QVERIFY(window.session().document().setField(QStringLiteral("training.batch_size"), QStringLiteral("70000")).ok());
        auto const *strip = window.findChild<ConsoleStrip *>();
        auto const &problems = views::ProblemLog::of(window.session());
        QTRY_VERIFY(problems.count(Severity::Error) > 0);
        QTRY_VERIFY2(!strip->text().contains(QStringLiteral("report their progress here")), qPrintable(strip->text()));
    }
    /// What is typed in a field is saved, although the keyboard never left it.
    void savingTakesWhatIsBeingTyped()
    {
        MainWindow window(true);
        window.resize(1500, 950);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        openSmall(window);
        auto &document = window.session().document();
        QVERIFY(document.save(m_folder.filePath(QStringLiteral("typed.tilewright"))).ok());
        window.activateWindow();
        window.showView(QStringLiteral("plan"));
        QAbstractSpinBox *field = nullptr;
        QTRY_VERIFY([&] {
            for (auto *row : window.findChildren<views::PropertyRow *>())
                if (row->spec().path == QLatin1String("training.epochs") && row->isVisible())
                    field = qobject_cast<QAbstractSpinBox *>(row->editor().input());
            return field != nullptr;
        }());
        field->setFocus();
        QTRY_COMPARE(QApplication::focusWidget(), field);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("7"));
        QCOMPARE(document.field(QStringLiteral("training.epochs")), QStringLiteral("1"));
        window.action(QStringLiteral("file.save"))->trigger();
        QCOMPARE(document.field(QStringLiteral("training.epochs")), QStringLiteral("7"));
        QVERIFY(!document.isModified());
    }
    /// A file of data is offered, and the offer stays until it is answered.
    void dataAreOfferedAndChangeNothing()
    {
        MainWindow window(true);
        window.show();
        openSmall(window);
        auto &document = window.session().document();
        QString const table = m_folder.filePath(QStringLiteral("table.csv"));
        QFile file(table);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1,2,3\n4,5,6\n");
        file.close();
        auto *bar = window.findChild<MessageBar *>();
        auto const before = document.revision();
        window.openFiles({table});
        QTRY_VERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QLatin1String("table.csv holds data")), qPrintable(bar->text()));
        QCOMPARE(document.revision(), before);
        auto *use = bar->findChild<QPushButton *>();
        QCOMPARE(use->text(), QStringLiteral("Use as data"));
        QTest::mouseClick(use, Qt::LeftButton);
        QCOMPARE(document.field(QStringLiteral("data.path")), table);
    }
};

TW_REGISTER_TEST(TstOpenFiles);
#include "tst_open_files.moc"
