#include "tests/support/test_registry.h"

#include "views/advice/problem_list.h"
#include "views/config/config_specs.h"
#include "views/config/config_view.h"
#include "views/config/machine_layout.h"
#include "views/config/machine_picture.h"
#include "views/config/schedule_widget.h"
#include "views/document/document.h"
#include "views/properties/property_row.h"
#include "views/properties/property_table.h"
#include "views/session/selection.h"

#include "engine/model/stages.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

struct Window {
    Session session;
    std::unique_ptr<View> view;
    explicit Window(char const *name = "mnist-mlp")
    {
        if (!session.document().openTemplate(QLatin1String(name)).ok()) qFatal("no template");
        view.reset(configView().create(session, nullptr));
        view->resize(800, 500);
        view->show();
        view->refreshNow();
    }
    QTabWidget &pages() const { return *view->findChild<QTabWidget *>(); }
    PropertyTable *table(QString const &path) const
    {
        for (auto *table : view->findChildren<PropertyTable *>())
            if (table->row(path)) return table;
        return nullptr;
    }
};

} // namespace

class TstConfigView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void theHeadlineNamesSystemAndChanges()
    {
        Window window;
        QCOMPARE(window.view->headline(), QStringLiteral("gc200 · 1 IPU(s), 1,472 tile(s) · all options at their defaults"));
        QVERIFY(window.session.document().setField(QStringLiteral("ipu_config.scheduling.algorithm"), QStringLiteral("CLUSTERING")).ok());
        window.view->refreshNow();
        QCOMPARE(window.view->headline(), QStringLiteral("gc200 · 1 IPU(s), 1,472 tile(s) · 1 option(s) changed"));
    }
    void everyOptionHasItsRow()
    {
        Window window;
        for (auto const &option : config::ipuConfigOptions())
            QVERIFY2(window.table(QStringLiteral("ipu_config.") + QString::fromStdString(option.path)), option.path.c_str());
        window.pages().setCurrentIndex(2);
        for (auto const &option : config::engineOptions())
            QVERIFY2(window.table(QStringLiteral("engine_options.") + QString::fromStdString(option.path)), option.path.c_str());
    }
    void thePreviewExplainsItsTimes()
    {
        Window window("mnist-cnn");
        auto &document = window.session.document();
        QVERIFY(document.setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=64,ipus=2")).ok());
        QVERIFY(document
                    .edit(QStringLiteral("stages"),
                          [](project::Project &project) -> Status {
                              TW_ASSIGN(project.model, model::withStages(project.model, std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1}));
                              project.training.gradientAccumulationSteps = project.training.stepsPerExecution = 4;
                              return {};
                          })
                    .ok());
        window.pages().setCurrentIndex(1);
        window.view->refreshNow();
        auto const says = [&](char const *text) {
            auto const labels = window.view->findChildren<QLabel *>();
            return std::ranges::any_of(
                labels, [&](QLabel const *label) { return label->isVisible() && label->text().contains(QLatin1String(text)); });
        };
        auto *schedule = window.view->findChild<ScheduleWidget *>();
        QVERIFY(schedule && schedule->isVisible());
        QVERIFY(says("estimated from multiply-adds"));
        QTRY_VERIFY_WITH_TIMEOUT(says("cycles of the compiler"), 60000);
        QCOMPARE(schedule->preview().unit, model::CostUnit::Cycles);
        // Another schedule is drawn with the same costs at once; another batch is an estimate again.
        QVERIFY(document.setField(QStringLiteral("training.pipeline_schedule"), QStringLiteral("interleaved")).ok());
        window.view->refreshNow();
        QVERIFY(says("cycles of the compiler"));
        QVERIFY(document.setField(QStringLiteral("training.batch_size"), QStringLiteral("16")).ok());
        window.view->refreshNow();
        QVERIFY(says("estimated from multiply-adds"));
        QTRY_VERIFY_WITH_TIMEOUT(says("cycles of the compiler"), 60000);
    }
    /// Fields that are only stored come after those with an effect, in a closed group.
    void optionsWithoutEffectComeLastAndMuted()
    {
        Window window;
        int idle = 0;
        for (auto const &specs : {ipuConfigSpecs(), engineOptionSpecs(), parallelSpecs(window.session.document().project())})
            for (std::size_t i = 0; i < specs.size(); ++i) {
                idle += !specs[i].hasEffect;
                QVERIFY2(i == 0 || specs[i - 1].hasEffect || !specs[i].hasEffect, qPrintable(specs[i].path));
                QCOMPARE(specs[i].group == QStringLiteral("Without effect"), !specs[i].hasEffect);
            }
        QVERIFY(idle > 0);
        QString const kept = QStringLiteral("ipu_config.optimizations.math.dot_strength");
        auto *table = window.table(kept);
        QVERIFY(table && !table->row(kept)->spec().hasEffect);
        QVERIFY(!table->row(kept)->isVisible());
        QVERIFY(table->row(QStringLiteral("ipu_config.scheduling.algorithm"))->isVisible());
        table->setFilterText(QStringLiteral("dot_strength"));
        QVERIFY(table->row(kept)->isVisible());
    }
    void conflictsAreShownWithAFixButton()
    {
        Window window;
        QVERIFY(
            window.session.document().setField(QStringLiteral("ipu_config.io_tiles.place_ops_on_io_tiles"), QStringLiteral("true")).ok());
        window.view->refreshNow();
        auto *list = window.view->findChild<ProblemList *>();
        QVERIFY(list->isVisible());
        QCOMPARE(list->problems().size(), std::size_t{1}); // the note "no effect yet" is beside the field
        auto const errors = [&] { return std::ranges::count(list->problems(), Severity::Error, &Diagnostic::severity); };
        QCOMPARE(errors(), 1);
        QTest::mouseClick(list->findChild<QPushButton *>(), Qt::LeftButton);
        window.view->refreshNow();
        QCOMPARE(errors(), 0);
        QCOMPARE(window.session.document().project().config.integer("io_tiles.num_io_tiles"), 32);
    }
    void theTargetIsChosenByParts()
    {
        Window window;
        window.pages().setCurrentIndex(3);
        auto *table = window.table(QStringLiteral("system.target"));
        QVERIFY(table);
        table->apply(QStringLiteral("system.target"), QStringLiteral("pod16"));
        QCOMPARE(window.session.document().project().target, std::string("pod16"));
        window.view->refreshNow();
        table->apply(QStringLiteral("system.target:ipus"), QStringLiteral("4"));
        table->apply(QStringLiteral("system.target:tiles"), QStringLiteral("64"));
        QCOMPARE(window.session.document().project().target, std::string("pod16:ipus=4,tiles=64"));
        table->apply(QStringLiteral("system.target:tiles"), QStringLiteral("5000"));
        QVERIFY(table->row(QStringLiteral("system.target:tiles"))->isRefused());
        table->reset(QStringLiteral("system.target:tiles"));
        table->reset(QStringLiteral("system.target:ipus"));
        QCOMPARE(window.session.document().project().target, std::string("pod16"));
    }
    void everyMachineIsDrawnInsideItsBoards_data()
    {
        QTest::addColumn<int>("ipus");
        QTest::addColumn<int>("perBoard");
        for (int const ipus : {1, 2, 3, 4, 16, 64}) QTest::addRow("%d", ipus) << ipus << 4;
        QTest::newRow("mk1 pair") << 2 << 2;
    }
    void everyMachineIsDrawnInsideItsBoards()
    {
        QFETCH(int, ipus);
        QFETCH(int, perBoard);
        auto const placed = placeMachine(ipus, perBoard, 400, 30, 8);
        QCOMPARE(placed.ipus.size(), static_cast<std::size_t>(ipus));
        QCOMPARE(placed.boards.size(), static_cast<std::size_t>((ipus + perBoard - 1) / perBoard));
        for (std::size_t a = 0; a < placed.ipus.size(); ++a) {
            QVERIFY(placed.boards[a / static_cast<std::size_t>(perBoard)].contains(placed.ipus[a]));
            QCOMPARE(placed.ipuAt(placed.ipus[a].center()), static_cast<int>(a));
            for (std::size_t b = 0; b < a; ++b) QVERIFY(!placed.ipus[a].intersects(placed.ipus[b]));
        }
        // Every IPU but a lonely one is linked: rungs and rails as the compiler has them.
        QCOMPARE(placed.links.size(), static_cast<std::size_t>(ipus / 2 + std::max(0, ipus - 2)));
    }
    void aClickOnAnIpuSelectsIt()
    {
        Window window;
        QVERIFY(window.session.document().setField(QStringLiteral("system.target"), QStringLiteral("m2000")).ok());
        window.pages().setCurrentIndex(3);
        window.view->refreshNow();
        auto *picture = window.view->findChild<MachinePicture *>();
        QTRY_VERIFY(picture->isVisible() && !picture->rectOf(3).isEmpty());
        QTest::mouseClick(picture, Qt::LeftButton, {}, picture->rectOf(3).center().toPoint());
        QCOMPARE(window.session.selection().current().kind, SelectionKind::Ipu);
        QCOMPARE(window.session.selection().current().ids, std::vector<int>{3});
        QVERIFY(picture->tipOf(3).contains(QStringLiteral("IPU 3")));
    }
    void aSelectedOptionIsBroughtIntoView()
    {
        Window window;
        Selected option;
        option.kind = SelectionKind::Option;
        option.name = QStringLiteral("engine_options.opt.enableInlining");
        window.session.selection().select(option);
        window.view->refreshNow();
        QCOMPARE(window.pages().currentIndex(), 2);
        option.name = QStringLiteral("ipu_config.matmuls.poplar_options");
        window.session.selection().select(option);
        window.view->refreshNow();
        QCOMPARE(window.pages().currentIndex(), 0);
    }
    void fieldsOfThePlanElsewhereMoveNothing()
    {
        Window window;
        Selected option;
        option.kind = SelectionKind::Option;
        option.name = QStringLiteral("training.epochs");
        window.session.selection().select(option);
        window.view->refreshNow();
        QCOMPARE(window.pages().currentIndex(), 0);
        option.name = QStringLiteral("training.replicas");
        window.session.selection().select(option);
        window.view->refreshNow();
        QCOMPARE(window.pages().currentIndex(), 1);
        QVERIFY(!window.table(option.name)->isAncestorOf(QApplication::focusWidget())); // the keyboard stays where it is
    }
    void theTextsAreThoseOfTheConfiguration()
    {
        Window window;
        window.pages().setCurrentIndex(4);
        auto const panes = window.view->findChildren<QPlainTextEdit *>();
        QCOMPARE(panes.size(), 2);
        config::IpuConfig read;
        QVERIFY(window.session.document().setField(QStringLiteral("ipu_config.optimizations.math.fast"), QStringLiteral("true")).ok());
        window.view->refreshNow();
        auto const json = std::ranges::find_if(panes, [](auto *pane) { return pane->accessibleName() == QStringLiteral("JSON"); });
        QVERIFY(json != panes.end());
        auto const status = read.fromJsonText((*json)->toPlainText().toStdString());
        QVERIFY2(status.ok(), status.ok() ? "" : status.error().message.c_str());
        QCOMPARE(read == window.session.document().project().config, true);
        for (auto const *pane : panes) QVERIFY(pane->isReadOnly() && !pane->accessibleName().isEmpty());
    }
};

TW_REGISTER_TEST(TstConfigView);
#include "tst_config_view.moc"
