#include "views/canvas/canvas_scene.h"
#include "views/canvas/canvas_metrics.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

QString q(std::string const &text) { return QString::fromStdString(text); }

void describeLayer(CanvasNode &node, LayerInfo const &layer)
{
    node.title = q(layer.name);
    node.subtitle = layer.arguments.isEmpty() ? q(layer.className) : q(layer.className) + QStringLiteral(" · ") + layer.arguments;
    QStringList facts{layer.shape.empty() ? QCoreApplication::translate("views", "shape not known") : shapeText(layer.shape)};
    if (layer.parameters > 0)
        facts << QCoreApplication::translate("views", "%1 param.").arg(shortCount(static_cast<double>(layer.parameters)));
    if (layer.bytes() > 0) facts << QStringLiteral("≈ ") + bytesText(layer.bytes());
    node.factParts = facts;
    node.shape = layer.shape.empty() ? QString() : shapeText(layer.shape);
    node.exact = layerText(layer);
    node.family = layer.family;
    node.stage = layer.stage;
    node.input = layer.input;
    node.output = layer.output;
    node.placeholder = layer.placeholder;
}

void describeGroup(CanvasNode &node, LayerGroup const &group, ModelGraph const &graph)
{
    std::int64_t parameters = 0;
    Bytes bytes = 0;
    node.stage = -1;
    for (int const row : node.rows) {
        auto const &layer = graph.layers[static_cast<std::size_t>(row)];
        parameters += layer.parameters;
        bytes += layer.bytes();
        node.stage = std::max(node.stage, layer.stage);
        node.input = node.input || layer.input;
        node.output = node.output || layer.output;
    }
    auto const &last = graph.layers[static_cast<std::size_t>(node.rows.back())];
    node.title = q(group.name);
    int const folded = static_cast<int>(node.rows.size());
    node.subtitle = QCoreApplication::translate("views", "%n layer(s), folded", nullptr, folded);
    node.factParts = QStringList{shapeText(last.shape),
                                 QCoreApplication::translate("views", "%1 param.").arg(shortCount(static_cast<double>(parameters))),
                                 QStringLiteral("≈ ") + bytesText(bytes)};
    node.shape = last.shape.empty() ? QString() : shapeText(last.shape);
    QStringList names;
    for (int const row : node.rows) names << q(graph.layers[static_cast<std::size_t>(row)].name);
    node.exact = QCoreApplication::translate("views", "Group %1: %2. Double-click unfolds it.")
                     .arg(node.title, names.mid(0, 20).join(QStringLiteral(", ")));
    node.family = graph.layers[static_cast<std::size_t>(node.rows.front())].family;
}

void addNodes(CanvasScene &scene, CanvasLayout const &layout)
{
    for (std::size_t row = 0; row < scene.graph.layers.size(); ++row) {
        auto const &layer = scene.graph.layers[row];
        LayerGroup const *group = layout.groupOf(layer.name);
        bool const folded = group && group->folded;
        std::string const id = folded ? kGroupPrefix + group->name : layer.name;
        auto const [place, fresh] = scene.places.emplace(id, static_cast<int>(scene.nodes.size()));
        if (fresh) {
            scene.nodes.push_back({});
            scene.nodes.back().id = id;
            scene.nodes.back().group = folded;
        }
        scene.nodes[static_cast<std::size_t>(place->second)].rows.push_back(static_cast<int>(row));
        scene.ofLayer.emplace(layer.name, place->second);
    }
    for (auto &node : scene.nodes) {
        auto const &first = scene.graph.layers[static_cast<std::size_t>(node.rows.front())];
        if (node.group) describeGroup(node, *layout.groupOf(first.name), scene.graph);
        else describeLayer(node, first);
    }
}

void addEdges(CanvasScene &scene)
{
    std::map<std::pair<int, int>, std::size_t> between; // edges of folded groups are merged
    for (auto const &edge : scene.graph.edges) {
        int const from = scene.ofLayer.at(scene.graph.layers[static_cast<std::size_t>(edge.from)].name);
        int const to = scene.ofLayer.at(scene.graph.layers[static_cast<std::size_t>(edge.to)].name);
        bool const bundled = scene.nodes[static_cast<std::size_t>(from)].group || scene.nodes[static_cast<std::size_t>(to)].group;
        if (bundled && from == to) continue;
        if (bundled)
            if (auto const it = between.find({from, to}); it != between.end()) {
                scene.edges[it->second].edges.push_back(edge.edge);
                continue;
            }
        between[{from, to}] = scene.edges.size();
        scene.edges.push_back({from, to, {edge.edge}, {}, false});
    }
}

void addProblems(CanvasScene &scene, std::span<Diagnostic const> problems)
{
    for (auto const &problem : problems) {
        auto const it = scene.ofLayer.find(problem.subject);
        if (it == scene.ofLayer.end()) continue;
        auto &node = scene.nodes[static_cast<std::size_t>(it->second)];
        node.problem = std::max(node.problem, static_cast<int>(problem.severity));
        auto const said = diagnosticText(problem);
        QString text = said.message;
        if (node.group) text.prepend(q(problem.subject) + QStringLiteral(": "));
        if (!said.remedy.isEmpty()) text += QStringLiteral("\n→ ") + said.remedy;
        if (!node.problemText.isEmpty()) node.problemText += u'\n';
        node.problemText += text;
    }
}

/// If the text is too wide, drop its first parts: first the shape (also shown at the port), then the cost.
QString fittingFacts(QStringList parts, QFontMetricsF const &metrics, double room)
{
    QString const dot = QStringLiteral(" · ");
    while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(dot)) > room) parts.removeFirst();
    return metrics.elidedText(parts.join(dot), Qt::ElideMiddle, room);
}

/// Widths follow the text within limits; wider texts are elided in the middle or lose whole parts.
void measure(CanvasScene &scene)
{
    QFont bold = uiFont(TextSize::Body);
    bold.setBold(true);
    QFontMetricsF const title(bold), caption(uiFont(TextSize::Caption));
    double const height = 2 * canvas::kPadding + title.height() + 2 * caption.height();
    for (auto &node : scene.nodes) {
        double const wide = title.horizontalAdvance(node.title), second = caption.horizontalAdvance(node.subtitle),
                     third = caption.horizontalAdvance(node.factParts.join(QStringLiteral(" · ")));
        double const text = std::max({wide, second, third});
        double const width = std::clamp(std::ceil(text) + canvas::kTextLeft + canvas::kTextRight, canvas::kLeastWidth, canvas::kMostWidth);
        double const room = width - canvas::kTextLeft - canvas::kTextRight;
        if (wide > room) node.title = title.elidedText(node.title, Qt::ElideMiddle, room);
        if (second > room) node.subtitle = caption.elidedText(node.subtitle, Qt::ElideMiddle, room);
        node.facts = fittingFacts(node.factParts, caption, room);
        // Widths in multiples of a grid keep columns of similar layers aligned.
        node.rect = QRectF(0, 0, std::min(canvas::kMostWidth, std::ceil(width / 16) * 16), std::ceil(height));
    }
}

/// Points where the edges of a drawing pass ranks: two per route.
std::map<std::pair<std::string, std::string>, std::vector<double>> passedRanks(CanvasScene const &scene)
{
    std::map<std::pair<std::string, std::string>, std::vector<double>> passed;
    for (auto const &edge : scene.edges) {
        std::vector<double> at;
        for (qsizetype i = 1; i + 2 < edge.route.size(); i += 2) at.push_back(scene.leftToRight ? edge.route[i].y() : edge.route[i].x());
        if (edge.backward) std::reverse(at.begin(), at.end());
        passed.emplace(std::pair(scene.nodes[static_cast<std::size_t>(edge.from)].id, scene.nodes[static_cast<std::size_t>(edge.to)].id),
                       std::move(at));
    }
    return passed;
}

/// Stages. In a pipelined model a layer without a stage belongs to the stage of its input.
std::vector<int> lanesOf(CanvasScene const &scene)
{
    std::vector<int> lanes;
    for (auto const &node : scene.nodes) lanes.push_back(node.stage);
    if (scene.graph.stages == 0) return lanes;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto const &edge : scene.edges) {
            int &lane = lanes[static_cast<std::size_t>(edge.to)];
            if (scene.nodes[static_cast<std::size_t>(edge.to)].stage >= 0 || lane >= lanes[static_cast<std::size_t>(edge.from)]) continue;
            lane = lanes[static_cast<std::size_t>(edge.from)];
            changed = true;
        }
    }
    for (int &lane : lanes) lane = std::max(lane, 0);
    return lanes;
}

void place(CanvasScene &scene, CanvasLayout const &layout, CanvasScene const *previous)
{
    LayoutGraph graph;
    auto const lanes = lanesOf(scene);
    for (auto &node : scene.nodes) {
        LayoutNode item{node.rect.width(), node.rect.height(), lanes[graph.nodes.size()], {}, {}};
        if (previous && previous->leftToRight == scene.leftToRight)
            if (int const before = previous->node(node.id); before >= 0) {
                QPointF const centre = previous->nodes[static_cast<std::size_t>(before)].rect.center();
                item.previous = LayoutPoint{centre.x(), centre.y()};
            }
        if (auto const pin = layout.pins.find(node.id); pin != layout.pins.end()) {
            item.pinned = LayoutPoint{pin->second.x(), pin->second.y()};
            node.pinned = true;
        }
        graph.nodes.push_back(item);
    }
    std::map<std::pair<std::string, std::string>, std::vector<double>> passed;
    if (previous && previous->leftToRight == scene.leftToRight) passed = passedRanks(*previous);
    for (auto const &edge : scene.edges) {
        auto const before =
            passed.find({scene.nodes[static_cast<std::size_t>(edge.from)].id, scene.nodes[static_cast<std::size_t>(edge.to)].id});
        graph.edges.push_back({edge.from, edge.to, before == passed.end() ? std::vector<double>{} : before->second});
    }
    LayoutOptions options;
    options.leftToRight = scene.leftToRight;
    if (options.leftToRight) options.rankGap = canvas::kRankGapAcross;
    LayeredLayout const placed = layeredLayout(graph, options);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        scene.nodes[i].rect.moveCenter({placed.centres[i].x, placed.centres[i].y});
        scene.bounds = scene.bounds.united(scene.nodes[i].rect);
    }
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        for (auto const &point : placed.routes[e]) scene.edges[e].route << QPointF(point.x, point.y);
        scene.edges[e].backward = placed.backward[e] != 0;
        scene.bounds = scene.bounds.united(scene.edges[e].route.boundingRect());
    }
    if (scene.graph.stages > 0)
        for (auto const &lane : placed.lanes) {
            double const length = lane.end - lane.begin;
            scene.lanes.push_back({lane.lane,
                                   scene.leftToRight ? QRectF(lane.begin, scene.bounds.top(), length, scene.bounds.height())
                                                     : QRectF(scene.bounds.left(), lane.begin, scene.bounds.width(), length)});
        }
}

void frame(CanvasScene &scene, CanvasLayout const &layout)
{
    double const title = QFontMetricsF(uiFont(TextSize::Caption)).height() + canvas::kPadding;
    for (auto const &group : layout.groups) {
        if (group.folded) continue;
        QRectF rect;
        for (auto const &layer : group.layers)
            if (int const node = scene.nodeOf(layer); node >= 0) rect = rect.united(scene.nodes[static_cast<std::size_t>(node)].rect);
        if (rect.isEmpty()) continue;
        rect.adjust(-canvas::kFrameMargin, -canvas::kFrameMargin - title, canvas::kFrameMargin, canvas::kFrameMargin);
        scene.frames.push_back({group.name, q(group.name), rect});
        scene.bounds = scene.bounds.united(rect);
    }
}

} // namespace

int CanvasScene::node(std::string const &id) const
{
    auto const it = places.find(id);
    return it == places.end() ? -1 : it->second;
}

int CanvasScene::nodeOf(std::string const &layer) const
{
    auto const it = ofLayer.find(layer);
    return it == ofLayer.end() ? -1 : it->second;
}

std::vector<std::string> CanvasScene::layersOf(int node) const
{
    std::vector<std::string> names;
    for (int const row : nodes[static_cast<std::size_t>(node)].rows) names.push_back(graph.layers[static_cast<std::size_t>(row)].name);
    return names;
}

CanvasScene buildScene(ModelGraph graph, CanvasLayout const &layout, std::span<Diagnostic const> problems, CanvasScene const *previous)
{
    CanvasScene scene;
    scene.graph = std::move(graph);
    scene.leftToRight = layout.leftToRight;
    addNodes(scene, layout);
    addEdges(scene);
    addProblems(scene, problems);
    measure(scene);
    place(scene, layout, previous);
    frame(scene, layout);
    // Lanes extend beyond all layers and leave room for their names.
    for (auto &lane : scene.lanes) {
        if (scene.leftToRight) lane.rect.adjust(0, -canvas::kLaneMargin, 0, canvas::kLaneMargin);
        else lane.rect.adjust(-canvas::kLaneMargin, 0, canvas::kLaneMargin, 0);
    }
    for (auto const &lane : scene.lanes) scene.bounds = scene.bounds.united(lane.rect);
    return scene;
}

} // namespace tilewright::views
