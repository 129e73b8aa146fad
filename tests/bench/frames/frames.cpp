#include "tests/bench/frames/scene.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace tilewright;

namespace {

/// CPU milliseconds of this thread: the cost of a frame, independent of the load of the machine.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double percentile(std::vector<double> const &sorted, double share)
{
    return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

/// True when the scene keeps its budget.
bool run(bench::Scene const &scene)
{
    auto const widget = scene.make();
    widget->resize(1920, 1080);
    widget->show();
    QApplication::processEvents();
    std::vector<double> times, computed;
    for (int frame = 0; frame < scene.frames; ++frame) {
        QElapsedTimer timer;
        double const before = threadMs();
        timer.start();
        scene.play(*widget, frame);
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        computed.push_back(threadMs() - before);
    }
    std::ranges::sort(computed);
    std::vector<double> sorted = times;
    std::ranges::sort(sorted);
    bool const good = percentile(sorted, 0.95) <= scene.budgetMs;
    auto const slowest = std::ranges::max_element(times) - times.begin();
    std::printf("%-22s p50 %6.2f  p95 %6.2f  p99 %6.2f  max %6.2f ms (frame %3d of %d)  computing p95 %6.2f  budget %5.1f %s  %s\n",
                qPrintable(scene.name), percentile(sorted, 0.5), percentile(sorted, 0.95), percentile(sorted, 0.99), sorted.back(),
                static_cast<int>(slowest), scene.frames, percentile(computed, 0.95), scene.budgetMs, good ? "ok  " : "OVER",
                qPrintable(scene.what));
    std::fflush(stdout);
    return good;
}

} // namespace

/// bench_frames [scene …]: all scenes, or those whose name begins like this. Exit code 1 if one exceeds its budget.
int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    views::applyTheme(application, views::ThemeKind::Light);
    QStringList const wanted = application.arguments().mid(1);
    std::vector<bench::Scene> scenes;
    for (auto const &list : {bench::laneScenes(), bench::bspScenes(), bench::tileScenes(), bench::canvasScenes()})
        scenes.insert(scenes.end(), list.begin(), list.end());
    bool good = true;
    for (auto const &scene : scenes) {
        bool const chosen =
            wanted.isEmpty() || std::ranges::any_of(wanted, [&](QString const &name) { return scene.name.startsWith(name); });
        if (chosen) good = run(scene) && good;
    }
    return good ? 0 : 1;
}
