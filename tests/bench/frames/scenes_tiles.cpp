#include "tests/bench/frames/scene.h"

#include "views/tiles/column_chart.h"
#include "views/tiles/tile_map_widget.h"

#include <QMouseEvent>
#include <QCoreApplication>

#include <random>

namespace tilewright::bench {

using namespace views;

namespace {

constexpr int kIpus = 64, kTilesPerIpu = 1472, kTiles = kIpus * kTilesPerIpu;

std::vector<std::int64_t> noise(int count, unsigned seed, int most)
{
    std::mt19937 random(seed);
    std::vector<std::int64_t> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<std::int64_t>(random() % static_cast<unsigned>(most)));
    return values;
}

std::unique_ptr<QWidget> tileMap()
{
    std::vector<QPoint> places;
    for (int i = 0; i < kTilesPerIpu; ++i) places.emplace_back(i % 64, i / 64);
    auto map = std::make_unique<TileMapWidget>();
    map->setFloor(makeFloor(kIpus, kTilesPerIpu, std::move(places)));
    auto values = noise(kTiles, 1, 700000);
    auto const scale = scaleFor(ScaleKind::ShareOfLimit, values, 638976);
    map->setValues(std::move(values), scale);
    return map;
}

void hover(QWidget &widget, int frame)
{
    QPointF const at(40 + frame * 37 % (widget.width() - 80), 40 + frame * 23 % (widget.height() - 80));
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

std::unique_ptr<QWidget> chart(int positions, int bands)
{
    static constexpr Token kTokens[] = {Token::Weights, Token::Activations, Token::Gradients, Token::Code, Token::Buffers, Token::Stack};
    auto scene = std::make_shared<ColumnScene>();
    scene->axis.count = positions;
    for (int b = 0; b < bands; ++b)
        scene->bands.push_back(
            {QStringLiteral("band %1").arg(b), kTokens[b % 6], b / 6, false, noise(positions, static_cast<unsigned>(b), 100000), true});
    auto made = std::make_unique<ColumnChart>();
    made->setScene(std::move(scene));
    return made;
}

/// In and out again around a place that moves on.
void zoom(QWidget &widget, int frame)
{
    auto &shown = static_cast<ColumnChart &>(widget);
    double const length = shown.scene().axis.length();
    double const span = length / (1 + frame % 40), from = (length - span) * (frame % 97) / 97.0;
    shown.setWindow(from, from + span);
}

} // namespace

std::vector<Scene> tileScenes()
{
    std::vector<Scene> scenes;
    scenes.push_back({QStringLiteral("tile-map-hover"), QStringLiteral("94 208 tiles, the pointer moves"), 16.7, 240, tileMap, hover});
    scenes.push_back({QStringLiteral("tile-map-recolour"), QStringLiteral("94 208 tiles, every value changes and the pointer moves"), 16.7,
                      120, tileMap, [](QWidget &widget, int frame) {
                          auto &map = static_cast<TileMapWidget &>(widget);
                          auto values = map.values();
                          for (std::size_t i = 0; i < values.size(); ++i) values[i] = (values[i] + 7919 * (frame + 1)) % 700000;
                          map.setValues(std::move(values), map.scale());
                          hover(widget, frame);
                      }});
    scenes.push_back({QStringLiteral("tile-profile-zoom"), QStringLiteral("94 208 tiles in 12 bands, zoomed and panned"), 16.7, 120,
                      [] { return chart(kTiles, 12); }, zoom});
    scenes.push_back({QStringLiteral("liveness-zoom"), QStringLiteral("100 000 steps in 12 bands, zoomed and panned"), 16.7, 120,
                      [] { return chart(100000, 12); }, zoom});
    return scenes;
}

} // namespace tilewright::bench
