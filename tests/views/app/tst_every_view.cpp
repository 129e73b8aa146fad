#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "translations/translations.h"
#include "views/common/icons.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include "engine/model/templates.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
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

    /// Texts that a person reads: of labels, buttons and fields, and of the cells of all tables.
    static QStringList textsOf(QWidget &root)
    {
        QStringList texts;
        for (auto const *label : root.findChildren<QLabel *>()) texts << label->text();
        for (auto const *button : root.findChildren<QAbstractButton *>()) texts << button->text();
        for (auto const *line : root.findChildren<QLineEdit *>()) texts << line->text();
        for (auto const *box : root.findChildren<QComboBox *>()) texts << box->currentText();
        for (auto const *items : root.findChildren<QAbstractItemView *>()) {
            auto const *model = items->model();
            if (!model) continue;
            int const rows = std::min(model->rowCount(), 200);
            for (int column = 0; column < model->columnCount(); ++column) {
                texts << model->headerData(column, Qt::Horizontal).toString();
                for (int row = 0; row < rows; ++row) texts << model->index(row, column).data().toString();
            }
        }
        return texts;
    }
    /// A value that was printed instead of told: an absent one, an empty structure, a number that stands for none.
    static bool isRaw(QString const &text)
    {
        static QRegularExpression const raw(
            QStringLiteral(R"(^(null|nan|inf|-inf|-1|\{\}|\[\]|undefined|true null)$|\(\s*\)|%[1-9]|(?:^|[ :])(?:nan|null)(?:$|[ ,;.]))"));
        return raw.match(text.trimmed()).hasMatch();
    }
    static project::Project small(std::vector<std::pair<std::string, std::string>> const &fields)
    {
        auto project = project::fromTemplate("mnist-mlp").value();
        for (auto const &[path, value] : fields) {
            auto changed = project::withField(project, path, value, nullptr);
            if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
            project = std::move(changed).value();
        }
        return project;
    }

private slots:
    void noViewShowsRawValues_data()
    {
        QTest::addColumn<QStringList>("fields");
        QTest::addColumn<bool>("runs");
        QStringList const few{QStringLiteral("system.target=gc200:tiles=8"), QStringLiteral("data.limit=256"),
                              QStringLiteral("training.epochs=1")};
        QTest::newRow("a run") << few << true;
        QTest::newRow("does not fit") << QStringList{QStringLiteral("system.target=gc200:tiles=4"), QStringLiteral("data.limit=1000"),
                                                     QStringLiteral("training.batch_size=1000")}
                                      << false;
        QTest::newRow("loss is not a number")
            << (few + QStringList{QStringLiteral(R"(training.optimizer={"class_name": "SGD", "config": {"learning_rate": 1e30}})")})
            << true;
        QTest::newRow("on the host") << QStringList{QStringLiteral("system.target=cpu"), QStringLiteral("data.limit=256"),
                                                    QStringLiteral("training.epochs=1")}
                                     << true;
        QTest::newRow("a pipeline") << QStringList{QStringLiteral("system.target=gc200:tiles=8,ipus=2"),
                                                   QStringLiteral("data.limit=256"),
                                                   QStringLiteral("training.epochs=1"),
                                                   QStringLiteral("model.layers.flatten.stage=0"),
                                                   QStringLiteral("model.layers.dense.stage=0"),
                                                   QStringLiteral("model.layers.dense_1.stage=1"),
                                                   QStringLiteral("model.layers.dense_2.stage=1"),
                                                   QStringLiteral("training.gradient_accumulation_steps=4"),
                                                   QStringLiteral("training.steps_per_execution=4")}
                                    << true;
    }
    /// All views of several projects and their reports, in both languages.
    void noViewShowsRawValues()
    {
        QFETCH(QStringList, fields);
        QFETCH(bool, runs);
        std::vector<std::pair<std::string, std::string>> set;
        for (auto const &field : fields)
            set.emplace_back(field.section(QLatin1Char('='), 0, 0).toStdString(), field.section(QLatin1Char('='), 1).toStdString());
        Session session;
        session.document().openProject(small(set), {}, false);
        if (runs) session.runs().train(RunMode::Fused);
        else session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        settle(session);
        QStringList faults;
        for (auto const *language : {"en", "de"}) {
            installTranslation(*qApp, QString::fromLatin1(language));
            for (auto const &descriptor : app::viewList()) {
                if (QLatin1String(descriptor.id) == QLatin1String("help")) continue; // pages about values
                std::unique_ptr<View> const view(descriptor.create(session, nullptr));
                view->resize(1200, 900);
                view->show();
                view->refreshNow();
                settle(session);
                for (auto const &text : textsOf(*view))
                    if (isRaw(text))
                        faults << QStringLiteral("%1 (%2): “%3”").arg(QLatin1String(descriptor.id), QLatin1String(language), text);
            }
        }
        installTranslation(*qApp, QStringLiteral("en"));
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }
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
