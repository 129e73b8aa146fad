#include "app/gui/figure.h"
#include "app/gui/render.h"
#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "tests/views/execution/small_report.h"
#include "views/canvas/canvas_widget.h"
#include "views/canvas/minimap.h"
#include "views/document/document.h"
#include "views/modeledit/document_edits.h"
#include "views/modeledit/model_edits.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"
#include "views/widgets/color_keys.h"

#include "engine/compiler/compile.h"
#include "engine/project/project.h"
#include "engine/runtime/run_report.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTemporaryDir>
#include <QProcess>
#include <QtTest>

#include <algorithm>

using namespace tilewright;

class TstRender : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_report, m_project;

private slots:
    void initTestCase()
    {
        initResources();
        auto project = project::withField(*project::fromTemplate("mnist-mlp"), "system.target", "gc200:tiles=32", nullptr);
        compiler::CompileRequest request;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(*project, request, {});
        QVERIFY(compiled.ok());
        m_report = m_folder.filePath(QStringLiteral("r.twreport"));
        QVERIFY(runtime::writeCompileReport(m_report.toStdString(), *project, *compiled).ok());
        m_project = m_folder.filePath(QStringLiteral("p.tilewright"));
        views::Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(session.document().save(m_project).ok());
    }
    void modesOfTheExecutionViewAreDrawn()
    {
        auto const render = [&](QString const &view, QString const &mode, QString const &out) {
            return app::renderCommand(
                *qApp, {m_report, QStringLiteral("--view"), view, QStringLiteral("--mode"), mode, QStringLiteral("--out"), out});
        };
        QSet<QByteArray> pictures;
        for (auto const *mode : {"flat", "flame", "bsp", "exchange"}) {
            QString const out = m_folder.filePath(QLatin1String(mode) + QStringLiteral(".png"));
            QCOMPARE(render(QStringLiteral("execution"), QLatin1String(mode), out), 0);
            QFile file(out);
            QVERIFY(file.open(QIODevice::ReadOnly));
            pictures.insert(file.readAll());
        }
        QCOMPARE(pictures.size(), 4);
        QString const none = m_folder.filePath(QStringLiteral("none.png"));
        QCOMPARE(render(QStringLiteral("execution"), QStringLiteral("nonsense"), none), 2);
        QCOMPARE(render(QStringLiteral("memory"), QStringLiteral("flame"), none), 2);
        QCOMPARE(render(QStringLiteral("execution"), QStringLiteral("pipeline"), none), 3); // this model has no stages
        QVERIFY(!QFileInfo::exists(none));
    }
    /// Figures, not windows: nothing that one presses, types into or scrolls; the title and where it comes from.
    void figuresHoldNoControls_data()
    {
        QTest::addColumn<QString>("view");
        for (auto const *view : {"summary", "memory", "liveness", "program", "operations", "execution", "insights", "compile", "log",
                                 "canvas", "outline", "problems"})
            QTest::addRow("%s", view) << QString::fromLatin1(view);
    }
    void figuresHoldNoControls()
    {
        QFETCH(QString, view);
        views::Session session;
        bool const ofProject = view == QLatin1String("canvas") || view == QLatin1String("outline") || view == QLatin1String("problems");
        if (ofProject) QVERIFY(session.document().openFile(m_project).ok());
        if (view == QLatin1String("problems"))
            QVERIFY(session.document()
                        .setField(QStringLiteral("ipu_config.io_tiles.place_ops_on_io_tiles"), QStringLiteral("true"))
                        .ok()); // none exist
        if (!ofProject) session.showReport(views::ReportSnapshot::open(m_report, {}).value());
        auto const list = app::viewList();
        auto const descriptor = std::ranges::find_if(list, [&](auto const &one) { return view == QLatin1String(one.id); });
        auto const figure = app::unseenView(*descriptor, session, {}, {1000, 700});
        QCOMPARE(figure->state().kind, views::ViewState::Ready);
        app::turnIntoFigure(*figure, QStringLiteral("The title"), true);
        for (auto const *widget : figure->findChildren<QWidget *>()) {
            if (!widget->isVisible()) continue;
            bool const control = qobject_cast<QAbstractButton const *>(widget) || qobject_cast<QComboBox const *>(widget)
                || qobject_cast<QLineEdit const *>(widget) || qobject_cast<QScrollBar const *>(widget)
                || qobject_cast<QTabBar const *>(widget) || qobject_cast<QSlider const *>(widget);
            QVERIFY2(!control, qPrintable(widget->accessibleName() + QLatin1Char(' ') + QLatin1String(widget->metaObject()->className())));
        }
        auto const *source = figure->findChild<QLabel *>(QStringLiteral("figureSource"));
        QVERIFY(source && source->isVisible());
        QVERIFY2(source->text().startsWith(QStringLiteral("The title")) && source->text().contains(QStringLiteral("Tilewright")),
                 qPrintable(source->text()));
        QVERIFY(!figure->headline().isEmpty());
        for (auto const *label : figure->findChildren<QLabel *>())
            QVERIFY2(!label->text().contains(QStringLiteral("</a>")), qPrintable(label->text())); // nothing to follow on paper
        // Nothing is cut where it was scrolled.
        for (auto const *area : figure->findChildren<QAbstractScrollArea *>())
            if (area->isVisible() && figure->height() < 8000)
                QVERIFY2(area->verticalScrollBar()->maximum() <= 0, qPrintable(area->accessibleName()));
        if (view == QLatin1String("canvas"))
            QVERIFY2(figure->width() < 800, qPrintable(QString::number(figure->width()))); // no empty page around a small model
        else QVERIFY(figure->height() >= 700 && figure->width() == 1000);
    }
    void aFigureOfACanvasShowsTheWholeModel()
    {
        views::Session session;
        QVERIFY(session.document().openFile(m_project).ok());
        auto const longer = [](model::Model const &model) {
            std::vector<model::Layer> layers;
            for (int i = 0; i < 20; ++i) layers.push_back(model::makeLayer("Dense", "more_" + std::to_string(i)));
            return views::appendLayers(model, layers, model.layers.back().name);
        };
        views::editModel(session, QStringLiteral("Add"), longer, nullptr);
        auto const list = app::viewList();
        auto const descriptor =
            std::ranges::find_if(list, [](auto const &one) { return QLatin1String(one.id) == QLatin1String("canvas"); });
        for (bool const grows : {false, true}) {
            auto const figure = app::unseenView(*descriptor, session, {}, {1280, 900});
            auto *canvas = figure->findChild<views::CanvasWidget *>();
            auto const *minimap = figure->findChild<views::CanvasMinimap *>();
            QVERIFY(!canvas->visibleScene().contains(canvas->scene().bounds) && minimap->isVisible()); // as in a window
            app::turnIntoFigure(*figure, QStringLiteral("The title"), grows);
            QVERIFY(canvas->visibleScene().contains(canvas->scene().bounds));
            QVERIFY(!minimap->isVisible());
        }
    }
    void contentBelowAFigureOfAGivenSizeIsMentioned()
    {
        views::Session session;
        session.showReport(views::ReportSnapshot::open(m_report, {}).value());
        auto const list = app::viewList();
        auto const descriptor =
            std::ranges::find_if(list, [](auto const &one) { return QLatin1String(one.id) == QLatin1String("summary"); });
        auto const source = [&](bool grows) {
            auto const figure = app::unseenView(*descriptor, session, {}, {900, 400});
            app::turnIntoFigure(*figure, QStringLiteral("The title"), grows);
            return figure->findChild<QLabel *>(QStringLiteral("figureSource"))->text();
        };
        QVERIFY2(source(false).contains(QStringLiteral("only the upper")), qPrintable(source(false)));
        QVERIFY2(!source(true).contains(QStringLiteral("only the upper")), qPrintable(source(true)));
    }
    void lanesWithoutRoomInAFigureOfAGivenSizeAreCounted()
    {
        auto data = tests::smallReport();
        data.target.ipus = data.target.ipusPerReplica = 32;
        for (int ipu = 2; ipu < 32; ++ipu) {
            data.lanes.push_back({report::kNone, "IPU " + std::to_string(ipu), "ipu", "cycle", ipu, report::kNone, report::kNone, 0});
            data.events.push_back({0, ipu, data.events.front().events});
        }
        views::Session session;
        session.showReport(views::ReportSnapshot::ofData(std::move(data), QStringLiteral("many")));
        auto const list = app::viewList();
        auto const descriptor =
            std::ranges::find_if(list, [](auto const &one) { return QLatin1String(one.id) == QLatin1String("execution"); });
        auto const source = [&](bool grows) {
            auto const figure = app::unseenView(*descriptor, session, {}, {900, 350});
            app::turnIntoFigure(*figure, QStringLiteral("The title"), grows);
            for (auto const *bar : figure->findChildren<QScrollBar *>())
                if (bar->isVisible()) return QStringLiteral("a scroll bar");
            auto const *legend = figure->findChild<views::ColorKeys *>();
            if (!legend || !legend->isVisible()) return QStringLiteral("no legend");
            return figure->findChild<QLabel *>(QStringLiteral("figureSource"))->text();
        };
        QVERIFY2(source(false).contains(QStringLiteral(" more lane")), qPrintable(source(false)));
        QVERIFY2(source(true).contains(QStringLiteral("The title")) && !source(true).contains(QStringLiteral(" more lane")),
                 qPrintable(source(true)));
    }
    void viewsHaveTheNamesOfTheWindow()
    {
        auto const render = [&](QStringList const &more) {
            return app::renderCommand(
                *qApp, QStringList{m_report, QStringLiteral("--out"), m_folder.filePath(QStringLiteral("named.png"))} + more);
        };
        for (auto const *name : {"runs", "runs", "summary"}) QCOMPARE(render({QStringLiteral("--view"), QLatin1String(name)}), 0);
        QCOMPARE(render({QStringLiteral("--view"), QStringLiteral("ipu-configuration")}), 3); // of projects
        // Two reports beside each other.
        QCOMPARE(render({QStringLiteral("--view"), QStringLiteral("compare")}), 2);
        QCOMPARE(
            render({QStringLiteral("--view"), QStringLiteral("compare"), QStringLiteral("--against"), QStringLiteral("/no/such.twreport")}),
            5);
        QCOMPARE(render({QStringLiteral("--view"), QStringLiteral("compare"), QStringLiteral("--against"), m_report}), 0);
        QVERIFY(QImage(m_folder.filePath(QStringLiteral("named.png"))).height() > 300);
    }
    void viewsThatCompareDrawAnotherReport()
    {
        auto project = project::withField(*project::fromTemplate("mnist-mlp"), "system.target", "gc200:tiles=16", nullptr);
        project = project::withField(*project, "model.layers.dense_1.activation", "tanh", nullptr);
        compiler::CompileRequest request;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(*project, request, {});
        QVERIFY(compiled.ok());
        QString const other = m_folder.filePath(QStringLiteral("other.twreport"));
        QVERIFY(runtime::writeCompileReport(other.toStdString(), *project, *compiled).ok());
        auto const contentOf = [](QString const &path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QStringList const comparing{QStringLiteral("summary"),  QStringLiteral("insights"), QStringLiteral("memory"),
                                    QStringLiteral("liveness"), QStringLiteral("program"),  QStringLiteral("operations"),
                                    QStringLiteral("execution")};
        for (auto const &view : app::viewList()) {
            if (!view.renders) continue;
            QString const name = QString::fromLatin1(view.id), alone = m_folder.filePath(name + QStringLiteral("-alone.png")),
                          both = m_folder.filePath(name + QStringLiteral("-both.png"));
            int const code = app::renderCommand(
                *qApp, {m_report, QStringLiteral("--view"), name, QStringLiteral("--against"), other, QStringLiteral("--out"), both});
            if (name == QLatin1String("runs")) continue; // compare draws it
            QVERIFY2(code == (comparing.contains(name) ? 0 : 2), qPrintable(name));
            QCOMPARE(QFileInfo::exists(both), code == 0);
            if (code != 0) continue;
            QCOMPARE(app::renderCommand(*qApp, {m_report, QStringLiteral("--view"), name, QStringLiteral("--out"), alone}), 0);
            QVERIFY2(contentOf(alone) != contentOf(both), qPrintable(name));
        }
        // Projects are not compared, and a table has the columns of its picture.
        QString const none = m_folder.filePath(QStringLiteral("none.png"));
        QCOMPARE(app::renderCommand(*qApp,
                                    {m_project, QStringLiteral("--view"), QStringLiteral("operations"), QStringLiteral("--against"), other,
                                     QStringLiteral("--out"), none}),
                 2);
        QCOMPARE(app::renderCommand(*qApp,
                                    {m_report, QStringLiteral("--view"), QStringLiteral("operations"), QStringLiteral("--against"),
                                     QStringLiteral("/no/such.twreport"), QStringLiteral("--out"), none}),
                 5);
        QVERIFY(!QFileInfo::exists(none));
        for (auto const *name : {"operations", "program", "execution"}) {
            QString const csv = m_folder.filePath(QLatin1String(name) + QStringLiteral(".csv"));
            QCOMPARE(app::renderCommand(*qApp,
                                        {m_report, QStringLiteral("--view"), QLatin1String(name), QStringLiteral("--against"), other,
                                         QStringLiteral("--out"), csv}),
                     0);
            QVERIFY2(contentOf(csv).contains("Cycles of a step, difference"), name);
        }
    }
    void messagesOfThePlatformAreHidden()
    {
        // Neither a folder for sockets nor a display: a script on a server.
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("XDG_RUNTIME_DIR"));
        environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
        QString const out = m_folder.filePath(QStringLiteral("quiet.png"));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(
            QStringLiteral(TILEWRIGHT_GUI_PROGRAM),
            {QStringLiteral("render"), m_report, QStringLiteral("--view"), QStringLiteral("summary"), QStringLiteral("--out"), out});
        QVERIFY(program.waitForFinished(60000));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(QFileInfo::exists(out));
        QCOMPARE(QString::fromUtf8(program.readAllStandardError()), QString());
    }
    void everyViewIsDrawn_data()
    {
        QTest::addColumn<QString>("view");
        for (auto const &view : app::viewList())
            if (view.renders) QTest::addRow("%s", view.id) << QString::fromLatin1(view.id);
    }
    void everyViewIsDrawn()
    {
        QFETCH(QString, view);
        // Some views need a report, others a project, a few need a running process: those that cannot be drawn are refused, and no file is
        // written.
        static QStringList const ofReports{QStringLiteral("summary"), QStringLiteral("memory"),     QStringLiteral("liveness"),
                                           QStringLiteral("program"), QStringLiteral("operations"), QStringLiteral("execution")};
        QString file;
        for (auto const &tried : {m_report, m_project}) {
            QString const first = m_folder.filePath(view + QStringLiteral("-first.png"));
            QFile::remove(first);
            int const code = app::renderCommand(*qApp, {tried, QStringLiteral("--view"), view, QStringLiteral("--out"), first});
            QVERIFY(code == 0 || code == 3);
            QCOMPARE(QFileInfo::exists(first), code == 0);
            if (code == 0 && file.isEmpty()) file = tried;
        }
        if (ofReports.contains(view)) QCOMPARE(file, m_report);
        if (view == QLatin1String("canvas")) QCOMPARE(file, m_project);
        if (file.isEmpty()) return;
        for (auto const *theme : {"light", "dark"}) {
            QString const out = m_folder.filePath(view + QLatin1String(theme) + QStringLiteral(".png"));
            QCOMPARE(app::renderCommand(*qApp,
                                        {file, QStringLiteral("--view"), view, QStringLiteral("--out"), out, QStringLiteral("--size"),
                                         QStringLiteral("900x600"), QStringLiteral("--theme"), QLatin1String(theme)}),
                     0);
            QImage const image(out);
            QCOMPARE(image.size(), QSize(900, 600));
            // Not blank: more than the ground's colour.
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); y += 3)
                for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
            QVERIFY2(colours.size() > 4, qPrintable(view));
        }
        QString const svg = m_folder.filePath(view + QStringLiteral(".svg"));
        QCOMPARE(app::renderCommand(*qApp, {file, QStringLiteral("--view"), view, QStringLiteral("--out"), svg}), 0);
        QVERIFY(QFileInfo(svg).size() > 500);
    }
    void undrawableViewsAreRefused_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<bool>("ofProject");
        QTest::addColumn<QString>("end");
        QTest::newRow("memory of a project") << QStringLiteral("memory") << true << QStringLiteral(".png");
        QTest::newRow("its table") << QStringLiteral("memory") << true << QStringLiteral(".csv");
        QTest::newRow("canvas of a report") << QStringLiteral("canvas") << false << QStringLiteral(".svg");
    }
    void undrawableViewsAreRefused()
    {
        QFETCH(QString, view);
        QFETCH(bool, ofProject);
        QFETCH(QString, end);
        QString const out = m_folder.filePath(QStringLiteral("refused") + end);
        QCOMPARE(
            app::renderCommand(*qApp, {ofProject ? m_project : m_report, QStringLiteral("--view"), view, QStringLiteral("--out"), out}), 3);
        QVERIFY(!QFileInfo::exists(out));
    }
    void wrongUseShowsTheCorrectForm()
    {
        // Views that show nothing of a file are refused by name for any file.
        for (auto const *name : {"monitor", "inspector", "help", "console", "layers", "palette"})
            QCOMPARE(app::renderCommand(*qApp,
                                        {m_report, QStringLiteral("--view"), QLatin1String(name), QStringLiteral("--out"),
                                         m_folder.filePath(QStringLiteral("none.png"))}),
                     2);
        QCOMPARE(app::renderCommand(*qApp, {m_report}), 2);
        QCOMPARE(
            app::renderCommand(
                *qApp, {m_report, QStringLiteral("--view"), QStringLiteral("nothing"), QStringLiteral("--out"), QStringLiteral("x.png")}),
            2);
        QCOMPARE(app::renderCommand(*qApp,
                                    {QStringLiteral("/no/such/file.twreport"), QStringLiteral("--view"), QStringLiteral("memory"),
                                     QStringLiteral("--out"), QStringLiteral("x.png")}),
                 5);
        QCOMPARE(app::renderCommand(*qApp,
                                    {QStringLiteral("/no/such/file.tilewright"), QStringLiteral("--view"), QStringLiteral("memory"),
                                     QStringLiteral("--out"), QStringLiteral("x.png")}),
                 3);
        QCOMPARE(app::renderCommand(*qApp,
                                    {m_report, QStringLiteral("--view"), QStringLiteral("memory"), QStringLiteral("--out"),
                                     QStringLiteral("/no/folder/x.png")}),
                 5);
        for (auto const *name : {"x.exe", "x", "png", "x.png.txt"})
            QCOMPARE(
                app::renderCommand(
                    *qApp, {m_report, QStringLiteral("--view"), QStringLiteral("memory"), QStringLiteral("--out"), QLatin1String(name)}),
                2);
        QCOMPARE(app::renderCommand(*qApp,
                                    {m_report, QStringLiteral("--view"), QStringLiteral("memory"), QStringLiteral("--size"),
                                     QStringLiteral("12"), QStringLiteral("--out"), QStringLiteral("x.png")}),
                 2);
    }
};

TW_REGISTER_TEST(TstRender);
#include "tst_render.moc"
