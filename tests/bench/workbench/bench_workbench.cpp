// What the workbench costs: time until its window is usable, until a report's summary is there, steps per second of a
// live run in the default layout against the same run without a window (alternating, medians), memory, a selection.
//
//   bench_workbench [--rounds N] [--steps N] [--report FILE]      one JSON object on stdout

#include "app/gui/main_window.h"
#include "app/gui/status_strip.h"
#include "resources/resources.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"

#include "engine/runtime/session.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

#include <sys/resource.h>

using namespace tilewright;

namespace {

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

project::Project benchProject(std::int64_t steps)
{
    auto project = *project::fromTemplate("mnist-mlp");
    project = *project::withField(project, "data.limit", std::to_string(steps * 32), nullptr);
    return *project::withField(project, "training.epochs", "3", nullptr);
}

/// Steps per second of the best epoch: the first one warms up.
template <typename Epochs> double pace(Epochs const &epochs)
{
    double best = 0;
    for (auto const &epoch : epochs) best = std::max(best, static_cast<double>(epoch.steps) / epoch.hostSeconds);
    return best;
}

double headless(project::Project const &project, QString const &folder)
{
    runtime::RunRequest request;
    request.report = (folder + QStringLiteral("/headless.twreport")).toStdString();
    auto const ran = runtime::train(project, request, {}, {});
    if (!ran.ok()) qFatal("%s", toText(ran.error()).c_str());
    return pace(ran->epochs);
}

/// Computing time of this thread so far.
double threadSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    auto const seconds = [](timeval const &t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double live(app::MainWindow &window, double &guiShare)
{
    double const before = threadSeconds();
    QElapsedTimer clock;
    clock.start();
    auto &runs = window.session().runs();
    runs.train(views::RunMode::Fused);
    window.showView(QStringLiteral("training"));
    QEventLoop loop; // sleeps between events, as the program does
    QObject::connect(&runs, &views::RunController::finished, &loop, &QEventLoop::quit);
    loop.exec();
    if (runs.live().error) qFatal("%s", runs.live().error->message.c_str());
    guiShare = (threadSeconds() - before) / (static_cast<double>(clock.nsecsElapsed()) / 1e9);
    return pace(runs.live().epochTable);
}

/// From a layer picked to every visible view repainted.
std::vector<double> selections(app::MainWindow &window, int rounds)
{
    std::vector<double> seconds;
    QElapsedTimer clock;
    for (int i = 0; i < rounds; ++i) {
        clock.restart();
        window.session().selection().selectLayer(i % 3 == 0 ? QStringLiteral("dense") : QStringLiteral("dense_%1").arg(i % 3));
        QCoreApplication::processEvents();
        seconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e9);
    }
    return seconds;
}

} // namespace

int main(int argc, char **argv)
{
    QElapsedTimer clock;
    clock.start();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir home;
    for (char const *name : {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TILEWRIGHT_RUN_DIR"}) {
        QString const folder = home.filePath(QString::fromLatin1(name).toLower());
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(name, folder.toUtf8());
    }
    QApplication application(argc, argv);
    int rounds = 5;
    std::int64_t steps = 1875;
    QString report;
    auto const arguments = QApplication::arguments();
    for (qsizetype i = 1; i + 1 < arguments.size(); i += 2) {
        if (arguments[i] == QLatin1String("--rounds")) rounds = arguments[i + 1].toInt();
        if (arguments[i] == QLatin1String("--steps")) steps = arguments[i + 1].toLongLong();
        if (arguments[i] == QLatin1String("--report")) report = arguments[i + 1];
    }
    QJsonObject result;
    initResources();
    views::applyTheme(application, views::ThemeKind::Light);
    app::MainWindow window(true);
    window.resize(1920, 1080);
    window.show();
    QCoreApplication::processEvents();
    result[QStringLiteral("start_to_window_seconds")] = static_cast<double>(clock.nsecsElapsed()) / 1e9;

    clock.restart();
    (void)window.session().document().openTemplate(QStringLiteral("mnist-mlp"));
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    result[QStringLiteral("template_to_canvas_seconds")] = static_cast<double>(clock.nsecsElapsed()) / 1e9;

    auto const project = benchProject(steps);
    std::vector<double> without, with, ratios, shares;
    for (int round = 0; round < rounds; ++round) {
        without.push_back(headless(project, home.path()));
        window.session().document().openProject(project, {}, false);
        with.push_back(live(window, shares.emplace_back()));
        ratios.push_back(with.back() / without.back());
        std::fprintf(stderr, "round %d: %.0f steps/s headless, %.0f live\n", round + 1, without.back(), with.back());
    }
    result[QStringLiteral("headless_steps_per_second")] = median(without);
    result[QStringLiteral("live_steps_per_second")] = median(with);
    result[QStringLiteral("live_over_headless")] = median(ratios);
    result[QStringLiteral("gui_share_of_a_core")] = median(shares);
    result[QStringLiteral("resident_mib")] = static_cast<double>(app::residentBytes()) / 1048576;

    if (report.isEmpty()) report = window.session().runs().live().reportPath;
    std::vector<double> opening;
    for (int i = 0; i < 5; ++i) {
        window.session().closeReport();
        clock.restart();
        window.showView(QStringLiteral("summary"));
        window.session().openReport(report);
        while (!window.session().report()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
        QCoreApplication::processEvents(); // the view's refresh
        QCoreApplication::processEvents(); // and its painting
        opening.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e9);
        while (window.session().jobs().busy()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
    }
    result[QStringLiteral("report_to_summary_seconds")] = median(opening);
    window.applyLayout(QStringLiteral("analyse"));
    while (window.session().jobs().busy() || !window.session().report()->isWhole())
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    auto const selecting = selections(window, 60);
    result[QStringLiteral("selection_to_views_seconds")] = median(selecting);
    result[QStringLiteral("selection_to_views_slowest_seconds")] = *std::ranges::max_element(selecting);
    std::printf("%s", QJsonDocument(result).toJson().constData());
    return 0;
}
