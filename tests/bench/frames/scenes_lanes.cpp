#include "tests/bench/frames/scene.h"

#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"

#include <QElapsedTimer>

#include <cmath>
#include <cstdio>
#include <random>

namespace tilewright::bench {

namespace {

using namespace views;

struct Columns {
    std::vector<std::int64_t> start, duration, type;
};

constexpr int kTypes = 200;

std::shared_ptr<LaneLod const> randomBlock(std::mt19937_64 &random, int events, std::vector<LanePhase> const &phases)
{
    auto const columns = std::make_shared<Columns>();
    std::int64_t time = 0;
    for (int i = 0; i < events; ++i) {
        // Supersteps: compute, exchange, sync; lengths over three orders of magnitude.
        std::int64_t const length = i % 3 == 2 ? 40 : 20 + static_cast<std::int64_t>(std::exp2(static_cast<double>(random() % 1000) / 100));
        columns->start.push_back(time);
        columns->duration.push_back(length);
        columns->type.push_back(static_cast<std::int64_t>(random() % (kTypes / 5)) * 5 + i % 3);
        time += length + (random() % 16 == 0 ? 100 : 0);
    }
    return std::make_shared<LaneLod const>(EventSpans{columns->start, columns->duration, columns->type}, phases, columns);
}

std::unique_ptr<QWidget> makePane(int lanes, int eventsPerLane, std::int64_t repeats)
{
    std::mt19937_64 random(1);
    std::vector<LanePhase> phases;
    LaneSet set;
    for (int t = 0; t < kTypes; ++t) {
        phases.push_back(static_cast<LanePhase>(t % 5));
        set.styles.push_back({QStringLiteral("Dense_%1/step").arg(t), phaseToken(phases.back()), t % 5 == 4, false});
    }
    std::vector<std::shared_ptr<LaneTimeline const>> all;
    std::int64_t end = 0;
    QElapsedTimer timer;
    timer.start();
    for (int lane = 0; lane < lanes; ++lane) {
        auto const block = randomBlock(random, eventsPerLane, phases);
        Lane row;
        row.name = QStringLiteral("IPU %1").arg(lane);
        row.events = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{block, 0, repeats, block->lastEnd()}});
        row.height = lanes > 16 ? 15 : 40;
        end = std::max(end, row.events->extent().end);
        all.push_back(row.events);
        set.lanes.push_back(row);
    }
    std::printf("  built %d lanes in %lld ms\n", lanes, static_cast<long long>(timer.elapsed()));
    auto pane = std::make_unique<TimePane>();
    auto *widget = new LanesWidget(pane->window(), pane.get());
    pane->addCanvas(widget);
    pane->showCanvas(widget);
    pane->window().setExtent({0, end}, true);
    widget->setLanes(std::move(set));
    pane->overview().setLanes(all);
    return pane;
}

/// From all to very deep and back, panning at each depth.
void zoomAndPan(QWidget &widget, int frame, int frames)
{
    auto &window = static_cast<TimePane &>(widget).window();
    double const way = std::sin(M_PI * frame / frames);
    double const share = std::exp2(-24 * way);
    auto const whole = static_cast<double>(window.extent().length());
    auto const length = static_cast<std::int64_t>(std::max(2000.0, whole * share));
    auto const middle = static_cast<std::int64_t>(whole * (0.3 + 0.3 * std::sin(frame * 0.05)));
    window.show({middle - length / 2, middle - length / 2 + length}, true);
}

/// Zoomed out between all and a twentieth, where columns hold most events.
void zoomWide(QWidget &widget, int frame, int frames)
{
    auto &window = static_cast<TimePane &>(widget).window();
    auto const whole = static_cast<double>(window.extent().length());
    auto const length = static_cast<std::int64_t>(whole * (0.05 + 0.95 * std::abs(std::cos(3 * M_PI * frame / frames))));
    window.show({static_cast<std::int64_t>(whole * 0.2), static_cast<std::int64_t>(whole * 0.2) + length}, true);
}

} // namespace

std::vector<Scene> laneScenes()
{
    auto const big = [] { return makePane(64, 10000000 / 64, 1); };
    auto const repeated = [] { return makePane(64, 2000, 100000); };
    return {
        {QStringLiteral("lanes"), QStringLiteral("10^7 events in 64 lanes, all zooms"), 16.7, 240, big,
         [](QWidget &w, int f) { zoomAndPan(w, f, 240); }},
        {QStringLiteral("lanes-wide"), QStringLiteral("10^7 events in 64 lanes, zoomed out"), 16.7, 240, big,
         [](QWidget &w, int f) { zoomWide(w, f, 240); }},
        {QStringLiteral("lanes-repeated"), QStringLiteral("patterns unrolling to 1.3 * 10^10 events, all zooms"), 16.7, 240, repeated,
         [](QWidget &w, int f) { zoomAndPan(w, f, 240); }},
        {QStringLiteral("lanes-labels"), QStringLiteral("8 lanes of labelled boxes, panned"), 16.7, 240,
         [] { return makePane(8, 20000, 10); },
         [](QWidget &w, int f) {
             auto &window = static_cast<TimePane &>(w).window();
             window.show({100000 + f * 400, 100000 + f * 400 + 60000}, true);
         }},
    };
}

} // namespace tilewright::bench
