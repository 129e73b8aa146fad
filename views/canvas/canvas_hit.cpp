#include "views/canvas/canvas_metrics.h"
#include "views/canvas/canvas_scene.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

double distanceTo(QPointF const &at, QPointF const &a, QPointF const &b)
{
    QPointF const d = b - a;
    double const length = QPointF::dotProduct(d, d);
    double const t = length > 0 ? std::clamp(QPointF::dotProduct(at - a, d) / length, 0.0, 1.0) : 0.0;
    return QLineF(at, a + t * d).length();
}

} // namespace

int nodeAt(CanvasScene const &scene, QPointF const &at)
{
    for (std::size_t i = scene.nodes.size(); i-- > 0;)
        if (scene.nodes[i].rect.contains(at)) return static_cast<int>(i);
    return -1;
}

QPointF outputPort(CanvasScene const &scene, CanvasNode const &node)
{
    return scene.leftToRight ? QPointF(node.rect.right(), node.rect.center().y()) : QPointF(node.rect.center().x(), node.rect.bottom());
}

int outputPortAt(CanvasScene const &scene, QPointF const &at, double reach)
{
    for (std::size_t i = scene.nodes.size(); i-- > 0;)
        if (QLineF(outputPort(scene, scene.nodes[i]), at).length() <= reach) return static_cast<int>(i);
    return -1;
}

QRectF badgeRect(CanvasNode const &node)
{
    double const size = canvas::kBadge;
    return {node.rect.right() - size * 0.7, node.rect.top() - size * 0.3, size, size};
}

int badgeAt(CanvasScene const &scene, QPointF const &at)
{
    for (std::size_t i = scene.nodes.size(); i-- > 0;)
        if (scene.nodes[i].problem >= 0 && badgeRect(scene.nodes[i]).contains(at)) return static_cast<int>(i);
    return -1;
}

int edgeAt(CanvasScene const &scene, QPointF const &at, double reach)
{
    int best = -1;
    double nearest = reach;
    for (std::size_t i = 0; i < scene.edges.size(); ++i) {
        auto const &route = scene.edges[i].route;
        for (qsizetype p = 1; p < route.size(); ++p)
            if (double const d = distanceTo(at, route[p - 1], route[p]); d <= nearest) {
                nearest = d;
                best = static_cast<int>(i);
            }
    }
    return best;
}

QRectF frameTitleRect(CanvasFrame const &frame)
{
    QFontMetricsF const metrics(uiFont(TextSize::Caption));
    double const width = std::min(frame.rect.width(), metrics.horizontalAdvance(QStringLiteral("▾ ") + frame.title) + 4 * canvas::kPadding);
    return {frame.rect.left(), frame.rect.top(), width, metrics.height() + canvas::kPadding};
}

int frameTitleAt(CanvasScene const &scene, QPointF const &at)
{
    for (std::size_t i = 0; i < scene.frames.size(); ++i)
        if (frameTitleRect(scene.frames[i]).contains(at)) return static_cast<int>(i);
    return -1;
}

std::vector<int> nodesIn(CanvasScene const &scene, QRectF const &area)
{
    std::vector<int> nodes;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (area.intersects(scene.nodes[i].rect)) nodes.push_back(static_cast<int>(i));
    return nodes;
}

int neighbour(CanvasScene const &scene, int node, Qt::Key arrow)
{
    if (scene.nodes.empty()) return -1;
    if (node < 0) return 0;
    bool const forward = arrow == (scene.leftToRight ? Qt::Key_Right : Qt::Key_Down);
    bool const back = arrow == (scene.leftToRight ? Qt::Key_Left : Qt::Key_Up);
    QPointF const from = scene.nodes[u(node)].rect.center();
    int best = -1;
    double nearest = 0;
    auto const offer = [&](int candidate, double distance) {
        if (best >= 0 && distance >= nearest) return;
        best = candidate;
        nearest = distance;
    };
    if (forward || back) {
        for (auto const &edge : scene.edges) {
            if (forward && edge.from == node && edge.to != node)
                offer(edge.to, QLineF(from, scene.nodes[u(edge.to)].rect.center()).length());
            if (back && edge.to == node && edge.from != node)
                offer(edge.from, QLineF(from, scene.nodes[u(edge.from)].rect.center()).length());
        }
        return best;
    }
    double const sign = arrow == Qt::Key_Right || arrow == Qt::Key_Down ? 1 : -1;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        QPointF const d = scene.nodes[i].rect.center() - from;
        double const across = sign * (scene.leftToRight ? d.y() : d.x()), along = std::abs(scene.leftToRight ? d.x() : d.y());
        if (across > 1 && along < across) offer(static_cast<int>(i), across + 3 * along);
    }
    return best;
}

std::vector<int> traced(CanvasScene const &scene, int node, bool downstream)
{
    std::vector<std::vector<int>> next(scene.nodes.size());
    for (auto const &edge : scene.edges) next[u(downstream ? edge.from : edge.to)].push_back(downstream ? edge.to : edge.from);
    std::vector<char> seen(scene.nodes.size(), 0);
    std::vector<int> found{node};
    seen[u(node)] = 1;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (int const other : next[u(found[i])])
            if (!seen[u(other)]) {
                seen[u(other)] = 1;
                found.push_back(other);
            }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<int> findNodes(CanvasScene const &scene, QString const &words)
{
    std::vector<int> found;
    QStringList const parts = words.split(u' ', Qt::SkipEmptyParts);
    if (parts.isEmpty()) return found;
    for (auto const &layer : scene.graph.layers) {
        QString const text = QString::fromStdString(layer.name + ' ' + layer.className) + u' ' + layer.arguments;
        bool const all =
            std::all_of(parts.begin(), parts.end(), [&](QString const &part) { return text.contains(part, Qt::CaseInsensitive); });
        int const node = all ? scene.nodeOf(layer.name) : -1;
        if (node >= 0 && std::find(found.begin(), found.end(), node) == found.end()) found.push_back(node);
    }
    return found;
}

} // namespace tilewright::views
