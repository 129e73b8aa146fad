#include "app/view_list.h"
#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/memory/memory_widget.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"

#include <QTemporaryDir>
#include <QUndoStack>
#include <QtTest>

#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// Views on one session, all visible.
struct ReportViews {
    Session session;
    std::vector<std::unique_ptr<View>> views;

    explicit ReportViews(std::vector<char const *> const &ids)
    {
        for (auto const &descriptor : app::viewList())
            for (auto const *id : ids)
                if (QLatin1String(id) == QLatin1String(descriptor.id)) {
                    views.emplace_back(descriptor.create(session, nullptr));
                    views.back()->resize(900, 600);
                    views.back()->show();
                }
    }
    void open(int limit, int epochs, QString const &path = {})
    {
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        for (auto const &[field, value] :
             {std::pair("system.target", QStringLiteral("gc200:tiles=64")), std::pair("data.limit", QString::number(limit)),
              std::pair("training.steps_per_execution", QStringLiteral("1")), std::pair("training.epochs", QString::number(epochs))})
            QVERIFY(document.setField(QString::fromLatin1(field), value).ok());
        if (!path.isEmpty()) QVERIFY(document.save(path).ok());
    }
    void settle()
    {
        for (int i = 0; i < 3; ++i) {
            QCoreApplication::processEvents();
            QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(views, [](auto const &view) { return view->isSettled(); }), 20000);
        }
    }
    std::map<QString, int> refreshes() const
    {
        std::map<QString, int> counts;
        for (auto const &view : views) counts[view->id()] = view->refreshes();
        return counts;
    }
    static QString differences(std::map<QString, int> const &before, std::map<QString, int> const &now)
    {
        QStringList words;
        for (auto const &[id, count] : now)
            if (count != before.at(id)) words << QStringLiteral("%1: %2").arg(id).arg(count - before.at(id));
        return words.join(QStringLiteral(", "));
    }
};

} // namespace

/// The events of a report: another one, more rows, stale. Each recomputes only what it concerns.
class TstReportEvents : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void anEditRecomputesNoViewOfAReport()
    {
        ReportViews bench(
            {"summary", "insights", "memory", "liveness", "program", "operations", "execution", "runs", "log", "compile", "training"});
        QCOMPARE(bench.views.size(), std::size_t(11));
        auto &session = bench.session;
        bench.open(640, 1);
        session.runs().compile();
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive() && session.report() && session.report()->isWhole(), 60000);
        bench.settle();
        QTRY_VERIFY(!session.reportIsStale());
        auto const before = bench.refreshes();
        // Jobs that read or add up a report; trials of changes and the estimate are of the project.
        std::set<JobKind> const ofReport{JobKind::ReadContents, JobKind::AddUp,  JobKind::Compare,  JobKind::Facts,
                                         JobKind::Timeline,     JobKind::LayOut, JobKind::ReadRuns, JobKind::ReadReport};
        QStringList jobs;
        connect(&session.jobs(), &JobRunner::changed, this, [&] {
            for (auto const &job : session.jobs().jobs())
                if (ofReport.contains(job.kind)) jobs << job.name;
        });
        for (auto const *batch : {"16", "64"}) {
            QVERIFY(session.document().setField(QStringLiteral("training.batch_size"), QString::fromLatin1(batch)).ok());
            bench.settle();
        }
        for (auto const &view : bench.views)
            if (view->id() != QLatin1String("runs") && view->id() != QLatin1String("log") && view->id() != QLatin1String("training"))
                QTRY_VERIFY2(view->state().kind == ViewState::Stale || view->id() == QLatin1String("compile"), qPrintable(view->id()));
        QVERIFY2(ReportViews::differences(before, bench.refreshes()).isEmpty(),
                 qPrintable(ReportViews::differences(before, bench.refreshes())));
        QVERIFY2(jobs.isEmpty(), qPrintable(jobs.join(QLatin1Char(','))));
        disconnect(&session.jobs(), nullptr, this, nullptr);
    }

    void growthRecomputesNoViewOfTheCompile()
    {
        ReportViews bench({"memory", "liveness", "program", "operations", "canvas"});
        auto &session = bench.session;
        bench.open(640, 100000, m_folder.filePath(QStringLiteral("grows.tilewright")));
        session.runs().train(RunMode::Fused);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole() && !session.report()->data().ipuSplits.empty(), 60000);
        bench.settle();
        std::vector<Growth> grown;
        connect(&session, &Session::reportGrown, this, [&](Growth growth) { grown.push_back(growth); });
        QTRY_VERIFY_WITH_TIMEOUT(!grown.empty(), 30000);
        bench.settle();
        session.selection().selectIds(SelectionKind::Tile, {3});
        bench.settle();
        auto const before = bench.refreshes();
        grown.clear();
        QTRY_VERIFY_WITH_TIMEOUT(grown.size() >= 2, 30000);
        bench.settle();
        QVERIFY(std::ranges::all_of(grown, [](Growth growth) { return growth == Growth::Rows; }));
        QVERIFY2(ReportViews::differences(before, bench.refreshes()).isEmpty(),
                 qPrintable(ReportViews::differences(before, bench.refreshes())));
        // The run ends: its last figures are shown, and what was chosen in Memory stays chosen.
        session.runs().stopAfterStep();
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive() && !session.report()->isLive(), 60000);
        QTRY_VERIFY(!grown.empty() && grown.back() == Growth::Figures);
        bench.settle();
        for (auto const &view : bench.views) {
            if (auto const *memory = qobject_cast<MemoryWidget const *>(view.get())) {
                QCOMPARE(memory->chosenTiles(), std::vector<int>{3});
                QCOMPARE(memory->refreshes(), before.at(QStringLiteral("memory")));
            }
            if (view->id() == QLatin1String("operations")) QVERIFY(view->refreshes() > before.at(QStringLiteral("operations")));
        }
        disconnect(&session, nullptr, this, nullptr);
    }
};

TW_REGISTER_TEST(TstReportEvents);

#include "tst_report_events.moc"
