#include "views/canvas/canvas_painter.h"
#include "views/canvas/canvas_metrics.h"

#include "views/common/theme.h"
#include "views/modeledit/layer_family.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace tilewright::views {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

QColor mixed(QColor const &a, QColor const &b, double share)
{
    auto const mix = [&](double x, double y) { return static_cast<float>(x + (y - x) * share); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

/// Rounded at bends, straight along ranks.
QPainterPath edgePath(QPolygonF const &route, bool leftToRight)
{
    QPainterPath path(route.first());
    for (qsizetype i = 1; i < route.size(); ++i) {
        QPointF const a = route[i - 1], b = route[i];
        if (leftToRight ? a.y() == b.y() : a.x() == b.x()) {
            path.lineTo(b);
            continue;
        }
        QPointF const bend = leftToRight ? QPointF((b.x() - a.x()) / 2, 0) : QPointF(0, (b.y() - a.y()) / 2);
        path.cubicTo(a + bend, b - bend, b);
    }
    return path;
}

void paintArrow(QPainter &painter, QPolygonF const &route, bool leftToRight, bool backward)
{
    QPointF const tip = route.last();
    double const s = 5, sign = backward ? -1 : 1;
    QPointF const back = leftToRight ? QPointF(-s * 1.4 * sign, 0) : QPointF(0, -s * 1.4 * sign);
    QPointF const side = leftToRight ? QPointF(0, s * 0.8) : QPointF(s * 0.8, 0);
    std::array<QPointF, 3> const head{tip, tip + back + side, tip + back - side};
    painter.drawPolygon(head.data(), 3);
}

class ScenePainter {
public:
    ScenePainter(QPainter &painter, CanvasScene const &scene, Overlay const &overlay, CanvasPaint const &paint)
        : p(painter), m_scene(scene), m_overlay(overlay), m_paint(paint), m_look(theme()), m_title(uiFont(TextSize::Body)),
          m_caption(uiFont(TextSize::Caption)), m_titleHeight(0), m_captionHeight(QFontMetricsF(m_caption).height())
    {
        m_title.setBold(true);
        m_titleHeight = QFontMetricsF(m_title).height();
    }

    void run()
    {
        bool const fine = m_paint.zoom >= canvas::kTextZoom;
        p.setRenderHint(QPainter::Antialiasing, fine);
        lanes();
        frames();
        edges(fine);
        if (m_paint.zoom < canvas::kBoxZoom) plainBoxes();
        else
            for (std::size_t i = 0; i < m_scene.nodes.size(); ++i)
                if (m_paint.visible.intersects(m_scene.nodes[i].rect.adjusted(-40, -40, 40, 40))) node(static_cast<int>(i), fine);
        if (m_paint.zoom < canvas::kTextZoom) marks();
        if (!m_paint.pulling.isNull()) {
            p.setRenderHint(QPainter::Antialiasing);
            p.setPen(QPen(m_look[m_paint.targetRefused ? Token::Bad : Token::Accent], 2 / m_paint.zoom, Qt::DashLine));
            p.drawLine(m_paint.pulling);
        }
        if (!m_paint.band.isNull()) {
            QColor fill = m_look[Token::Accent];
            p.setPen(QPen(fill, 1 / m_paint.zoom));
            fill.setAlphaF(0.12f);
            p.setBrush(fill);
            p.drawRect(m_paint.band);
        }
    }

private:
    QColor groundOf(CanvasNode const &node) const
    {
        QColor const ground = m_look[Token::Panel];
        if (m_overlay.kind == OverlayKind::None || m_overlay.kind == OverlayKind::Stage) {
            if (m_overlay.kind == OverlayKind::Stage && node.stage >= 0) return mixed(ground, stageColor(node.stage), 0.35);
            return ground;
        }
        double share = -1;
        for (int const row : node.rows) share = std::max(share, m_overlay.shareOf(m_scene.graph.layers[u(row)].name));
        return share < 0 ? ground : m_look.sequential(share);
    }

    void lanes()
    {
        for (auto const &lane : m_scene.lanes) {
            QColor tint = stageColor(lane.stage);
            tint.setAlphaF(m_look.kind == ThemeKind::HighContrast ? 0.0f : 0.09f);
            p.fillRect(lane.rect, tint);
            p.setPen(QPen(m_look[Token::Border], 1 / m_paint.zoom, Qt::DashLine));
            if (m_scene.leftToRight) p.drawLine(lane.rect.topLeft(), lane.rect.bottomLeft());
            else p.drawLine(lane.rect.topLeft(), lane.rect.topRight());
            if (m_paint.zoom < canvas::kTextZoom) continue;
            p.setFont(m_title);
            p.setPen(m_look[Token::SecondaryText]);
            QRectF const text = lane.rect.adjusted(canvas::kPadding, canvas::kPadding, 0, 0);
            p.setBrush(stageColor(lane.stage));
            QRectF const chip(text.left(), text.top() + m_titleHeight * 0.2, m_titleHeight * 0.6, m_titleHeight * 0.6);
            p.save();
            p.setPen(Qt::NoPen);
            p.drawRoundedRect(chip, 2, 2);
            p.restore();
            p.drawText(text.adjusted(m_titleHeight, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                       QCoreApplication::translate("views", "stage %1").arg(lane.stage));
        }
    }

    void frames()
    {
        for (auto const &frame : m_scene.frames) {
            if (!m_paint.visible.intersects(frame.rect)) continue;
            QColor fill = m_look[Token::Text];
            fill.setAlphaF(0.04f);
            p.setBrush(fill);
            p.setPen(QPen(m_look[Token::Border], 1.5 / m_paint.zoom));
            p.drawRoundedRect(frame.rect, canvas::kRadius, canvas::kRadius);
            if (m_paint.zoom < canvas::kTextZoom) continue;
            p.setFont(m_caption);
            p.setPen(m_look[Token::SecondaryText]);
            p.drawText(frameTitleRect(frame).adjusted(canvas::kPadding, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                       QStringLiteral("▾ ") + frame.title);
        }
    }

    void edges(bool fine)
    {
        QColor const plain = mixed(m_look[Token::Panel], m_look[Token::SecondaryText], 0.75);
        for (std::size_t i = 0; i < m_scene.edges.size(); ++i) {
            auto const &edge = m_scene.edges[i];
            if (!m_paint.visible.intersects(edge.route.boundingRect().adjusted(-8, -8, 8, 8))) continue;
            int const index = static_cast<int>(i);
            bool const strong = index == m_paint.selectedEdge || index == m_paint.dropEdge;
            bool const touched =
                m_paint.selected.contains(m_scene.nodes[u(edge.from)].id) || m_paint.selected.contains(m_scene.nodes[u(edge.to)].id);
            QColor const color = edge.backward ? m_look[Token::Bad]
                : strong                       ? m_look[Token::Accent]
                : touched                      ? m_look[Token::Text]
                                               : plain;
            QPen pen(color, fine ? (strong ? 3 : touched ? 2 : 1.4) : 0);
            if (strong && !fine) pen.setWidthF(3 / m_paint.zoom);
            if (edge.backward) pen.setStyle(Qt::DashLine);
            p.setPen(pen);
            p.setBrush(Qt::NoBrush);
            if (!fine) {
                p.drawPolyline(edge.route);
                continue;
            }
            bool const straight = edge.route.size() == 2
                && (m_scene.leftToRight ? edge.route[0].y() == edge.route[1].y() : edge.route[0].x() == edge.route[1].x());
            if (straight) p.drawLine(edge.route[0], edge.route[1]);
            else p.drawPath(edgePath(edge.route, m_scene.leftToRight));
            p.setPen(Qt::NoPen);
            p.setBrush(color);
            paintArrow(p, edge.route, m_scene.leftToRight, edge.backward);
        }
        if (m_paint.zoom >= canvas::kDetailZoom) shapes();
    }

    /// The shape is written once beside each port, not once per edge.
    void shapes()
    {
        std::vector<char> feeds(m_scene.nodes.size(), 0);
        for (auto const &edge : m_scene.edges) feeds[u(edge.from)] = 1;
        QFontMetricsF const metrics(m_caption);
        QColor ground = m_look[Token::Window];
        ground.setAlphaF(0.8f);
        p.setFont(m_caption);
        p.setPen(m_look[Token::SecondaryText]);
        for (std::size_t i = 0; i < m_scene.nodes.size(); ++i) {
            auto const &node = m_scene.nodes[i];
            if (!feeds[i] || node.shape.isEmpty() || !m_paint.visible.intersects(node.rect.adjusted(0, 0, 160, 40))) continue;
            QPointF const port = outputPort(m_scene, node);
            double const width = metrics.horizontalAdvance(node.shape);
            QRectF const text = m_scene.leftToRight
                ? QRectF(port.x() + canvas::kPadding, port.y() - m_captionHeight - 2, width, m_captionHeight)
                : QRectF(port.x() + canvas::kPadding, port.y() + 3, width, m_captionHeight);
            p.fillRect(text, ground); // an edge can cross it
            p.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, node.shape);
        }
    }

    void plainBoxes()
    {
        // One fill per colour, so that thousands of boxes need few calls.
        std::map<QRgb, std::vector<QRectF>> boxes;
        for (auto const &node : m_scene.nodes) {
            if (!m_paint.visible.intersects(node.rect)) continue;
            bool const tinted = m_overlay.kind != OverlayKind::None;
            boxes[(tinted ? groundOf(node) : m_look[node.family]).rgb()].push_back(node.rect);
        }
        p.setPen(Qt::NoPen);
        for (auto const &[color, rects] : boxes) {
            p.setBrush(QColor(color));
            p.drawRects(rects.data(), static_cast<int>(rects.size()));
        }
    }

    /// Small drawings: selected, highlighted and erroneous layers stay visible.
    void marks()
    {
        p.setBrush(Qt::NoBrush);
        for (auto const &node : m_scene.nodes) {
            if (!m_paint.visible.intersects(node.rect)) continue;
            if (m_paint.selected.contains(node.id)) {
                p.setPen(QPen(m_look[Token::Accent], 3 / m_paint.zoom));
                p.drawRect(node.rect);
            } else if (isLit(node)) {
                p.setPen(QPen(m_look[Token::Accent], 1.5 / m_paint.zoom, Qt::DotLine));
                p.drawRect(node.rect);
            }
            if (node.problem >= 0)
                p.fillRect(QRectF(node.rect.topRight() - QPointF(8, 0) / m_paint.zoom, QSizeF(8, 8) / m_paint.zoom), problemColor(node));
        }
    }

    bool isLit(CanvasNode const &node) const
    {
        return std::any_of(node.rows.begin(), node.rows.end(),
                           [&](int row) { return m_paint.lit.contains(m_scene.graph.layers[u(row)].name); });
    }

    QColor problemColor(CanvasNode const &node) const
    {
        return m_look[node.problem >= static_cast<int>(Severity::Error) ? Token::Bad : Token::Warning];
    }

    void halo(CanvasNode const &node)
    {
        if (!m_paint.selected.contains(node.id) && !isLit(node)) return;
        QColor accent = m_look[Token::Accent];
        bool const selected = m_paint.selected.contains(node.id);
        QColor soft = accent;
        soft.setAlphaF(selected ? 0.28f : 0.14f);
        p.setPen(Qt::NoPen);
        p.setBrush(soft);
        p.drawRoundedRect(node.rect.adjusted(-5, -5, 5, 5), canvas::kRadius + 5, canvas::kRadius + 5);
    }

    void node(int index, bool fine)
    {
        auto const &node = m_scene.nodes[u(index)];
        QColor const ground = groundOf(node), family = m_look[node.family];
        QColor const text = m_overlay.kind == OverlayKind::None || ground == m_look[Token::Panel] || m_overlay.kind == OverlayKind::Stage
            ? m_look[Token::Text]
            : textOn(ground);
        bool const selected = m_paint.selected.contains(node.id), target = index == m_paint.target;
        if (fine) halo(node);
        QColor const line = target                                ? m_look[m_paint.targetRefused ? Token::Bad : Token::Good]
            : selected || isLit(node) || index == m_paint.hovered ? m_look[Token::Accent]
                                                                  : m_look[Token::Border];
        if (!fine) {
            p.setPen(QPen(line, 0));
            p.setBrush(ground);
            p.drawRect(node.rect);
            p.fillRect(QRectF(node.rect.topLeft(), QSizeF(canvas::kStripe * 2, node.rect.height())), family);
            return;
        }
        if (node.group) body(node.rect.translated(4, 4), line, ground, 1); // drawn as a stack of cards
        body(node.rect, line, ground, target || selected ? 2 : 1);
        if (node.placeholder) {
            p.setPen(QPen(m_look[Token::SecondaryText], 1, Qt::DashLine));
            p.setBrush(Qt::NoBrush);
            p.drawRoundedRect(node.rect.adjusted(2, 2, -2, -2), canvas::kRadius, canvas::kRadius);
        }
        p.fillRect(
            QRectF(node.rect.left() + 2, node.rect.top() + canvas::kRadius, canvas::kStripe - 2, node.rect.height() - 2 * canvas::kRadius),
            family);
        texts(node, text, family);
        ports(node, index);
        if (node.problem >= 0) badge(node);
        if (m_paint.focused && m_paint.current == node.id) {
            p.setPen(QPen(m_look[Token::Text], 1, Qt::DotLine));
            p.setBrush(Qt::NoBrush);
            p.drawRoundedRect(node.rect.adjusted(-3, -3, 3, 3), canvas::kRadius + 3, canvas::kRadius + 3);
        }
    }

    /// Fills are several times faster than a stroked outline.
    void body(QRectF const &rect, QColor const &line, QColor const &ground, double width)
    {
        p.setPen(Qt::NoPen);
        p.setBrush(line);
        p.drawRoundedRect(rect, canvas::kRadius, canvas::kRadius);
        p.setBrush(ground);
        p.drawRoundedRect(rect.adjusted(width, width, -width, -width), canvas::kRadius - width, canvas::kRadius - width);
    }

    void texts(CanvasNode const &node, QColor const &text, QColor const &family)
    {
        bool const small = m_paint.zoom < canvas::kDetailZoom;
        QRectF const box(node.rect.left() + canvas::kStripe + kGrid, node.rect.top() + canvas::kPadding, canvas::kLetter, canvas::kLetter);
        p.setPen(Qt::NoPen);
        p.setBrush(family);
        p.drawRoundedRect(box, 3, 3);
        p.setFont(m_caption);
        p.setPen(textOn(family));
        if (!small) p.drawText(box, Qt::AlignCenter, node.group ? QString(u'▸') : QString(familyLetter(node.family)));
        double const left = node.rect.left() + canvas::kTextLeft;
        double y = node.rect.top() + canvas::kPadding;
        QRectF line(left, y, node.rect.right() - left - 2, m_titleHeight);
        p.setFont(m_title);
        p.setPen(text);
        p.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, node.title);
        if (small) return;
        p.setFont(m_caption);
        line = QRectF(left, y + m_titleHeight, line.width(), m_captionHeight);
        p.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, node.subtitle);
        if (text == m_look[Token::Text]) p.setPen(m_look[Token::SecondaryText]);
        p.drawText(line.translated(0, m_captionHeight), Qt::AlignLeft | Qt::AlignVCenter, node.facts);
        if (!node.pinned) return;
        QPointF const pin(node.rect.left() + canvas::kStripe + kGrid + canvas::kLetter / 2, node.rect.bottom() - canvas::kPadding);
        p.setPen(QPen(m_look[Token::SecondaryText], 1.2));
        p.drawLine(pin, pin - QPointF(0, 6));
        p.setBrush(m_look[Token::SecondaryText]);
        p.drawEllipse(pin - QPointF(0, 8), 2.4, 2.4);
    }

    void ports(CanvasNode const &node, int index)
    {
        bool const shown = index == m_paint.hovered || m_paint.selected.contains(node.id);
        if (!shown && m_paint.zoom < canvas::kDetailZoom) return;
        p.setPen(QPen(m_look[shown ? Token::Accent : Token::SecondaryText], 1.2));
        p.setBrush(m_look[node.output ? Token::SecondaryText : Token::Panel]);
        double const r = shown ? canvas::kPort * 1.5 : canvas::kPort;
        p.drawEllipse(outputPort(m_scene, node), r, r);
    }

    void badge(CanvasNode const &node)
    {
        QRectF const rect = badgeRect(node);
        QColor const color = problemColor(node);
        p.setPen(QPen(m_look[Token::Panel], 1.5));
        p.setBrush(color);
        if (node.problem >= static_cast<int>(Severity::Error)) {
            p.drawEllipse(rect);
        } else {
            std::array<QPointF, 3> const triangle{QPointF(rect.center().x(), rect.top()), rect.bottomRight(), rect.bottomLeft()};
            p.drawPolygon(triangle.data(), 3);
        }
        p.setFont(m_title);
        p.setPen(textOn(color));
        p.drawText(rect, Qt::AlignCenter, QStringLiteral("!"));
    }

    QPainter &p;
    CanvasScene const &m_scene;
    Overlay const &m_overlay;
    CanvasPaint const &m_paint;
    Theme const &m_look;
    QFont m_title, m_caption;
    double m_titleHeight, m_captionHeight;
};

} // namespace

void paintScene(QPainter &painter, CanvasScene const &scene, Overlay const &overlay, CanvasPaint const &paint)
{
    ScenePainter(painter, scene, overlay, paint).run();
}

QRectF paintLegend(QPainter &painter, QRectF const &area, Overlay const &overlay)
{
    if (overlay.kind == OverlayKind::None) return {};
    Theme const &look = theme();
    QFont const font = uiFont(TextSize::Caption);
    QFontMetricsF const metrics(font);
    double const line = metrics.height(), most = std::max(80.0, area.width() * 0.6);
    QString const title = metrics.elidedText(overlay.why.isEmpty() ? overlay.title : overlay.why, Qt::ElideRight, most);
    bool const bar = overlay.why.isEmpty() && overlay.kind != OverlayKind::Stage;
    QString const high = bar ? overlay.textOf(overlay.most) : QString();
    double const width =
        std::min(most, std::max(metrics.horizontalAdvance(title), metrics.horizontalAdvance(high) + 120)) + 2 * canvas::kPadding;
    QRectF const box(area.left(), area.bottom() - (bar ? 2 : 1) * line - 2 * canvas::kPadding, width,
                     (bar ? 2 : 1) * line + 2 * canvas::kPadding);
    QColor ground = look[Token::Raised];
    ground.setAlphaF(0.92f);
    painter.setPen(look[Token::Border]);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(font);
    painter.setPen(look[Token::Text]);
    QRectF const inner = box.adjusted(canvas::kPadding, canvas::kPadding, -canvas::kPadding, -canvas::kPadding);
    painter.drawText(QRectF(inner.topLeft(), QSizeF(inner.width(), line)), Qt::AlignLeft | Qt::AlignVCenter, title);
    if (!bar) return box;
    double const ramp = inner.width() - metrics.horizontalAdvance(high) - metrics.horizontalAdvance(QStringLiteral("0")) - 3 * kGrid;
    double x = inner.left();
    painter.drawText(QPointF(x, inner.bottom() - metrics.descent()), QStringLiteral("0"));
    x += metrics.horizontalAdvance(QStringLiteral("0")) + kGrid;
    constexpr int kSteps = 32;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(x + ramp * i / kSteps, inner.bottom() - line + 3, ramp / kSteps + 0.5, line - 6),
                         look.sequential((i + 0.5) / kSteps));
    painter.drawText(QPointF(x + ramp + kGrid, inner.bottom() - metrics.descent()), high);
    return box;
}

} // namespace tilewright::views
