#include "tests/bench/frames/scene.h"

#include "views/execution/bsp_canvas.h"
#include "views/time/time_pane.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace tilewright::bench {

namespace {

using namespace views;

struct Columns {
    std::vector<std::int64_t> start, duration, type, vec;
};

std::unique_ptr<QWidget> makeBsp(int tiles, int phases, int vectors)
{
    std::mt19937_64 random(1);
    std::vector<std::vector<std::int64_t>> values;
    for (int v = 0; v < vectors; ++v) {
        std::vector<std::int64_t> byTile;
        for (int t = 0; t < tiles; ++t) byTile.push_back(t % 7 == v % 7 ? 0 : 100 + static_cast<std::int64_t>(random() % 900));
        values.push_back(std::move(byTile));
    }
    auto const columns = std::make_shared<Columns>();
    std::int64_t time = 0;
    for (int i = 0; i < phases; ++i) {
        std::int64_t const vec = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(vectors));
        columns->start.push_back(time);
        columns->duration.push_back(i % 3 == 1 ? 30 : 1000);
        columns->type.push_back(i % 3 == 0 ? 0 : i % 3 == 1 ? 4 : 1);
        columns->vec.push_back(i % 3 == 1 ? -1 : vec);
        time += columns->duration.back();
    }
    std::vector<LanePhase> const phaseOfType{LanePhase::Compute, LanePhase::InternalExchange, LanePhase::GlobalExchange, LanePhase::Stream,
                                             LanePhase::Sync};
    auto const lod = std::make_shared<LaneLod const>(EventSpans{columns->start, columns->duration, columns->type}, phaseOfType, columns);
    std::vector<int> order(static_cast<std::size_t>(tiles));
    std::iota(order.begin(), order.end(), 0);
    BspTimeline bsp;
    bsp.events = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{lod, 0, 1, time}});
    bsp.blocks.push_back(std::make_shared<BspBlock const>(
        lod, columns->vec, [&](std::int64_t v) { return std::span<std::int64_t const>(values[static_cast<std::size_t>(v)]); }, order));
    auto pane = std::make_unique<TimePane>();
    auto *canvas = new BspCanvas(pane->window(), pane.get());
    pane->addCanvas(canvas);
    pane->showCanvas(canvas);
    pane->window().setExtent({0, time}, true);
    pane->overview().setLanes({bsp.events});
    canvas->setTiles(std::move(bsp), order, QStringLiteral("IPU 0"));
    return pane;
}

void zoom(QWidget &widget, int frame)
{
    auto &window = static_cast<TimePane &>(widget).window();
    auto const whole = static_cast<double>(window.extent().length());
    double const share = std::exp2(-12 * std::sin(std::numbers::pi * frame / 240));
    auto const length = static_cast<std::int64_t>(whole * share);
    auto const middle = static_cast<std::int64_t>(whole * (0.4 + 0.1 * std::sin(frame * 0.05)));
    window.show({middle - length / 2, middle - length / 2 + length}, true);
}

} // namespace

std::vector<Scene> bspScenes()
{
    return {
        {QStringLiteral("bsp"), QStringLiteral("1,472 tiles x 10^4 phases, 300 kinds"), 16.7, 240, [] { return makeBsp(1472, 10000, 300); },
         zoom},
        {QStringLiteral("bsp-distinct"), QStringLiteral("1,472 tiles x 10^4 phases, all different"), 16.7, 240,
         [] { return makeBsp(1472, 10000, 10000); }, zoom},
        {QStringLiteral("bsp-long"), QStringLiteral("1,472 tiles x 10^6 phases"), 16.7, 240, [] { return makeBsp(1472, 1000000, 300); },
         zoom},
    };
}

} // namespace tilewright::bench
