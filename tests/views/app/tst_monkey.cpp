#include "app/gui/main_window.h"
#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "translations/translations.h"
#include "views/common/calm_style.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/reports/report_file.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QAbstractButton>
#include <QApplication>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// Somebody who tries everything in every state: real mouse and key events anywhere in the window, views that come and
/// go, runs that begin, pause and stop, another theme, size of type and language meanwhile. Nothing may crash or warn, and nothing may be
/// read on the window's thread.
///
/// TILEWRIGHT_MONKEY_ACTIONS (1,000; each 1,000 in a window of their own) and TILEWRIGHT_MONKEY_SEED (by the clock when 0; 1)
/// make it another one: a seed that is printed with a failure does the same again.
class TstMonkey : public QObject {
    Q_OBJECT
    static constexpr int kActions = 1000;
    std::unique_ptr<QTemporaryDir> m_folder;
    QRandomGenerator m_random;
    QStringList m_done; ///< the last actions, for the log of a failure

    int upTo(int n) { return n <= 1 ? 0 : static_cast<int>(m_random.bounded(n)); }
    template <typename List> auto const &oneOf(List const &list)
    {
        return list[static_cast<typename List::size_type>(upTo(static_cast<int>(list.size())))];
    }
    void note(QString const &what)
    {
        m_done << what;
        if (m_done.size() > 30) m_done.removeFirst();
        if (qEnvironmentVariableIsSet("TILEWRIGHT_MONKEY_TALKS")) std::fprintf(stderr, "%s\n", qPrintable(what));
    }
    /// A visible widget of the window, and a point in it.
    QWidget *target(QWidget &window, QPoint *point)
    {
        QPoint const at(upTo(window.width()), upTo(window.height()));
        auto *widget = window.childAt(at);
        if (!widget) widget = &window;
        *point = widget->mapFrom(&window, at);
        return widget;
    }
    void click(QWidget &window)
    {
        static std::vector<Qt::KeyboardModifiers> const modifiers{Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ControlModifier,
                                                                  Qt::ShiftModifier};
        QPoint point;
        auto *widget = target(window, &point);
        note(QStringLiteral("click %1 '%2' %3,%4")
                 .arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName())
                 .arg(point.x())
                 .arg(point.y()));
        switch (upTo(8)) {
        case 0: return QTest::mouseDClick(widget, Qt::LeftButton, {}, point);
        case 1: return QTest::mouseClick(widget, Qt::RightButton, {}, point);
        default: return QTest::mouseClick(widget, Qt::LeftButton, oneOf(modifiers), point);
        }
    }
    void drag(QWidget &window)
    {
        QPoint point;
        auto *widget = target(window, &point);
        note(QStringLiteral("drag %1").arg(QLatin1String(widget->metaObject()->className())));
        QTest::mousePress(widget, Qt::LeftButton, {}, point);
        for (int i = 0; i < 3; ++i) {
            point += {upTo(80) - 40, upTo(80) - 40};
            QTest::mouseMove(widget, point);
        }
        QTest::mouseRelease(widget, Qt::LeftButton, {}, point);
    }
    void wheel(QWidget &window)
    {
        QPoint point;
        auto *widget = target(window, &point);
        note(QStringLiteral("wheel %1").arg(QLatin1String(widget->metaObject()->className())));
        QWheelEvent event(point, widget->mapToGlobal(point), {}, {0, upTo(2) ? 120 : -120}, Qt::NoButton,
                          upTo(2) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(widget, &event);
    }
    void key()
    {
        static std::vector<std::pair<Qt::Key, Qt::KeyboardModifiers>> const keys{{Qt::Key_Left, {}},
                                                                                 {Qt::Key_Right, {}},
                                                                                 {Qt::Key_Up, {}},
                                                                                 {Qt::Key_Down, {}},
                                                                                 {Qt::Key_Tab, {}},
                                                                                 {Qt::Key_Backtab, Qt::ShiftModifier},
                                                                                 {Qt::Key_Return, {}},
                                                                                 {Qt::Key_Escape, {}},
                                                                                 {Qt::Key_Space, {}},
                                                                                 {Qt::Key_Delete, {}},
                                                                                 {Qt::Key_Home, {}},
                                                                                 {Qt::Key_End, {}},
                                                                                 {Qt::Key_PageDown, {}},
                                                                                 {Qt::Key_F, {}},
                                                                                 {Qt::Key_G, {}},
                                                                                 {Qt::Key_L, {}},
                                                                                 {Qt::Key_O, {}},
                                                                                 {Qt::Key_P, {}},
                                                                                 {Qt::Key_1, {}},
                                                                                 {Qt::Key_7, {}},
                                                                                 {Qt::Key_Plus, {}},
                                                                                 {Qt::Key_Minus, {}},
                                                                                 {Qt::Key_A, Qt::ControlModifier},
                                                                                 {Qt::Key_C, Qt::ControlModifier},
                                                                                 {Qt::Key_Z, Qt::ControlModifier},
                                                                                 {Qt::Key_Y, Qt::ControlModifier},
                                                                                 {Qt::Key_F, Qt::ControlModifier},
                                                                                 {Qt::Key_Left, Qt::AltModifier},
                                                                                 {Qt::Key_Right, Qt::AltModifier}};
        auto *focus = QApplication::focusWidget();
        if (!focus) return;
        auto const &[code, with] = oneOf(keys);
        note(QStringLiteral("key %1 to %2").arg(QKeySequence(code | with).toString(), QLatin1String(focus->metaObject()->className())));
        QTest::keyClick(focus, code, with);
    }
    void select(Session &session)
    {
        static std::vector<SelectionKind> const kinds{
            SelectionKind::Op,   SelectionKind::ComputeSet, SelectionKind::Program,      SelectionKind::Variable, SelectionKind::VertexType,
            SelectionKind::Tile, SelectionKind::Ipu,        SelectionKind::LivenessStep, SelectionKind::Run,      SelectionKind::Insight};
        switch (upTo(4)) {
        case 0: note(QStringLiteral("select dense")); return session.selection().selectLayer(QStringLiteral("dense"));
        case 1: note(QStringLiteral("select nothing")); return session.selection().clear();
        default: {
            auto const kind = oneOf(kinds);
            int const id = upTo(40) - 1; // also what is not there
            note(QStringLiteral("select kind %1, %2").arg(static_cast<int>(kind)).arg(id));
            return session.selection().selectIds(kind, {id, id + upTo(3)});
        }
        }
    }
    void run(Session &session)
    {
        auto &runs = session.runs();
        if (!runs.isActive()) {
            if (!session.document().isOpen()) return;
            int const what = upTo(5);
            note(QStringLiteral("run %1").arg(what));
            if (what == 0) runs.compile();
            else runs.train(what < 3 ? RunMode::Tile : RunMode::Fused);
            return;
        }
        int const what = upTo(7);
        note(QStringLiteral("run goes %1").arg(what));
        switch (what) {
        case 0:
        case 1: return runs.pause();
        case 2: return runs.step();
        case 3: return runs.superstep();
        case 4: return runs.watchTile(upTo(16));
        case 5: return runs.resume();
        default: return runs.stopAfterStep();
        }
    }
    void openSomething(Session &session)
    {
        int const what = upTo(6);
        note(QStringLiteral("open %1").arg(what));
        switch (what) {
        case 0:
            // As the window does it: a run ends before another project opens.
            session.runs().stopAfterStep();
            QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
            return prepare(session);
        case 1: return session.closeReport();
        case 2: return session.openReport(m_folder->filePath(QStringLiteral("kept.twreport")));
        case 3: return session.pinBaseline(m_folder->filePath(QStringLiteral("kept.twreport")));
        case 4: return session.setBaseline(session.report());
        default:
            if (auto const path = session.runs().live().reportPath; QFileInfo::exists(path)) session.openReport(path);
        }
    }
    /// What changes every widget there is.
    void dress()
    {
        int const what = upTo(3);
        switch (what) {
        case 0: {
            auto const kind = oneOf(std::vector{ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast});
            note(QStringLiteral("theme %1").arg(static_cast<int>(kind)));
            return applyTheme(*qApp, kind);
        }
        case 1: {
            double const scale = oneOf(std::vector{0.8, 1.0, 1.25, 1.6});
            note(QStringLiteral("type %1").arg(scale));
            setTextScale(scale);
            return applyTheme(*qApp, theme().kind);
        }
        default: {
            QString const language =
                oneOf(QStringList{QStringLiteral("en"), QStringLiteral("de"), QStringLiteral("xx"), QStringLiteral("xr")});
            note(QStringLiteral("language ") + language);
            return installTranslation(*qApp, language);
        }
        }
    }
    void prepare(Session &session)
    {
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document.setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=16")).ok());
        QVERIFY(document.setField(QStringLiteral("data.limit"), QStringLiteral("320")).ok());
    }

private slots:
    void initTestCase()
    {
        initResources();
        applyTheme(*qApp, ThemeKind::Light);
    }
    void cleanup()
    {
        setTextScale(1);
        installTranslation(*qApp, QStringLiteral("en"));
        applyTheme(*qApp, ThemeKind::Light);
    }
    void triesEverything_data()
    {
        QTest::addColumn<quint32>("seed");
        QTest::addColumn<int>("actions");
        bool ok = false;
        int actions = qEnvironmentVariableIntValue("TILEWRIGHT_MONKEY_ACTIONS", &ok);
        if (!ok) actions = kActions;
        int seed = qEnvironmentVariableIntValue("TILEWRIGHT_MONKEY_SEED", &ok);
        if (!ok) seed = 1;
        if (seed == 0) seed = static_cast<int>(QDateTime::currentSecsSinceEpoch() % 1000000 * 100);
        for (; actions > 0; actions -= kActions, ++seed)
            QTest::addRow("TILEWRIGHT_MONKEY_SEED=%d", seed) << static_cast<quint32>(seed) << std::min(actions, kActions);
    }
    void triesEverything()
    {
        QFETCH(quint32, seed);
        QFETCH(int, actions);
        m_random.seed(seed);
        m_done.clear();
        m_folder = std::make_unique<QTemporaryDir>();

        app::MainWindow window(true);
        window.resize(1400, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto &session = window.session();
        prepare(session);
        session.runs().compile();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        QTRY_VERIFY(session.report() && session.report()->isWhole());
        QVERIFY(QFile::copy(session.report()->path(), m_folder->filePath(QStringLiteral("kept.twreport"))));

        // Menus and dialogs open event loops of their own: whatever stays open is sent away.
        QTimer closer;
        connect(&closer, &QTimer::timeout, this, [] {
            if (auto *popup = QApplication::activePopupWidget()) popup->close();
            else if (auto *modal = QApplication::activeModalWidget()) modal->close();
        });
        closer.start(15);

        auto const views = app::viewList();
        int const reads = ReportFile::windowReads();
        for (int i = 0; i < actions; ++i) {
            switch (upTo(21)) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4:
            case 5:
            case 6: click(window); break;
            case 7: drag(window); break;
            case 8: wheel(window); break;
            case 9:
            case 10:
            case 11:
            case 12: key(); break;
            case 13:
            case 14: {
                QString const id = QLatin1String(oneOf(views).id);
                note(QStringLiteral("show ") + id);
                (void)window.showView(id);
                break;
            }
            case 15:
            case 16: select(session); break;
            case 17: run(session); break;
            case 18: openSomething(session); break;
            case 19: upTo(6) == 0 ? dress() : key(); break; // Qt styles every widget anew: it takes as long as a hundred clicks
            default: {
                QSize const size(800 + upTo(900), 600 + upTo(500));
                note(QStringLiteral("resize, or another mode"));
                int const what = upTo(24);
                if (what < 8) window.resize(size);
                else if (what == 8) window.applyLayout(QStringLiteral("present")); // larger type, as dress() does
                else window.applyLayout(oneOf(QStringList{QStringLiteral("build"), QStringLiteral("train"), QStringLiteral("analyse")}));
            }
            }
            QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
            if (!window.isVisible()) window.show(); // somebody closed it: its project is in the autosave
            if (QTest::currentTestFailed()) break;
        }
        if (QTest::currentTestFailed()) qInfo("before that: %s", qPrintable(m_done.join(QStringLiteral("; "))));
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 60000);
        closer.stop();
        if (ReportFile::windowReads() != reads) qInfo("read on the window's thread: %s", ReportFile::lastWindowRead().c_str());
        QCOMPARE(ReportFile::windowReads() - reads, 0);
    }
};

TW_REGISTER_TEST(TstMonkey);
#include "tst_monkey.moc"
