#include "views/plots/scatter_chart.h"

#include "views/plots/plot_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tilewright::views {

namespace {
constexpr double kReach = 2;      ///< pixels around a disc that react like the disc
constexpr float kOpacity = 0.75F; ///< overlapping discs stay distinguishable
constexpr double kLineWidth = 1.5;
} // namespace

/// The discs. The library's graphs have one size for all points.
class ScatterChart::Discs : public QCPAbstractItem {
public:
    Discs(PlotSurface *plot, ScatterChart const &chart) : QCPAbstractItem(plot), m_chart(chart) {}
    double selectTest(QPointF const &, bool, QVariant *) const override { return -1; }

protected:
    void draw(QCPPainter *painter) override
    {
        painter->setAntialiasing(true);
        auto const &look = theme();
        for (auto const &point : m_chart.m_points) {
            if (!m_chart.isShown(point)) continue;
            QColor fill = look[point.token];
            fill.setAlphaF(kOpacity);
            painter->setBrush(fill);
            painter->setPen(QPen(look[point.marked ? Token::Accent : Token::Panel], point.marked ? 2.5 : 1));
            painter->drawEllipse(m_chart.pixelOf(point), point.radius, point.radius);
        }
    }

private:
    ScatterChart const &m_chart;
};

ScatterChart::ScatterChart(QWidget *parent) : Chart(parent)
{
    auto *discs = new Discs(&surface(), *this); // owned by the plot
    discs->setSelectable(false);
    discs->setClipToAxisRect(false); // discs at an edge are complete
}

ScatterChart::~ScatterChart() = default;

void ScatterChart::setScatter(std::vector<ScatterPoint> points, std::vector<ChartLine> lines)
{
    bool const same = std::ranges::equal(points, m_points, [](auto const &a, auto const &b) { return a.x == b.x && a.y == b.y; });
    m_points = std::move(points);
    m_lines = std::move(lines);
    if (!same) setCurrent(-1);
    changed();
}

void ScatterChart::setMarkedPoints(std::vector<char> const &marked)
{
    for (std::size_t i = 0; i < m_points.size(); ++i) m_points[i].marked = i < marked.size() && marked[i];
    changed();
}

QPointF ScatterChart::pixelOf(ScatterPoint const &point) const
{
    return {surface().xAxis->coordToPixel(point.x), surface().yAxis->coordToPixel(point.y)};
}

bool ScatterChart::isShown(ScatterPoint const &point) const { return surfaceRect().adjusted(-1, -1, 1, 1).contains(pixelOf(point)); }

void ScatterChart::fillPlot()
{
    auto &plot = surface();
    auto const &look = theme();
    while (plot.graphCount() > static_cast<int>(m_lines.size())) plot.removeGraph(plot.graphCount() - 1);
    while (plot.graphCount() < static_cast<int>(m_lines.size())) plot.addGraph();
    for (auto *text : m_texts) plot.removeItem(text);
    m_texts.clear();
    for (int i = 0; i < plot.graphCount(); ++i) {
        auto const &line = m_lines[static_cast<std::size_t>(i)];
        plot.graph(i)->setPen(QPen(look[line.token], kLineWidth));
        plot.graph(i)->setData(QVector<double>(line.x.begin(), line.x.end()), QVector<double>(line.y.begin(), line.y.end()), true);
        if (line.text.isEmpty() || line.y.empty()) continue;
        auto *text = new QCPItemText(&plot);
        text->setFont(uiFont(TextSize::Caption));
        text->setColor(look[Token::SecondaryText]);
        text->setText(QFontMetrics(text->font()).elidedText(line.text, Qt::ElideRight, static_cast<int>(surfaceRect().width())));
        text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        text->position->setTypeY(QCPItemPosition::ptPlotCoords);
        text->position->setCoords(1, line.y.back());
        m_texts.push_back(text);
    }
}

int ScatterChart::elementUnder(QPointF const &pixel) const
{
    int best = -1;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (!isShown(m_points[i])) continue;
        QPointF const offset = pixelOf(m_points[i]) - pixel;
        double const distance = std::hypot(offset.x(), offset.y());
        if (distance > m_points[i].radius + kReach || distance >= nearest) continue;
        nearest = distance;
        best = static_cast<int>(i);
    }
    return best;
}

QRectF ScatterChart::rectOf(int index) const
{
    auto const &point = m_points[static_cast<std::size_t>(index)];
    double const reach = point.radius + 2 * kReach;
    QPointF const at = pixelOf(point);
    return {at.x() - reach, at.y() - reach, 2 * reach, 2 * reach};
}

int ScatterChart::neighbour(int from, int key) const
{
    bool const alongX = key == Qt::Key_Left || key == Qt::Key_Right, up = key == Qt::Key_Right || key == Qt::Key_Up;
    // Points at the same position differ by index, so each one can be reached.
    auto const placeOf = [this, alongX](int i) {
        auto const &point = m_points[static_cast<std::size_t>(i)];
        return std::pair(alongX ? point.x : point.y, i);
    };
    int best = -1;
    for (int i = 0; i < elements(); ++i) {
        auto const place = placeOf(i);
        if (from >= 0 && (up ? place <= placeOf(from) : place >= placeOf(from))) continue;
        // The next point; without a start, the first or the last.
        if (best < 0 || (up ? place < placeOf(best) : place > placeOf(best))) best = i;
    }
    return best;
}

} // namespace tilewright::views
