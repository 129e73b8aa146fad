#pragma once

#include "views/common/theme.h"
#include "views/plots/chart.h"

#include <vector>

class QCPItemText;

namespace tilewright::views {

struct ScatterPoint {
    double x = 0, y = 0;
    double radius = kGrid;
    Token token = Token::Compute;
    bool marked = false;
};

/// A line behind the points, with a text at its right end.
struct ChartLine {
    std::vector<double> x, y;
    Token token = Token::Text;
    QString text;
};

/// Points of different sizes, with reference lines.
class ScatterChart : public Chart {
    Q_OBJECT
public:
    explicit ScatterChart(QWidget *parent);
    ~ScatterChart() override;
    int elements() const override { return static_cast<int>(m_points.size()); }

protected:
    void setScatter(std::vector<ScatterPoint> points, std::vector<ChartLine> lines);
    void setMarkedPoints(std::vector<char> const &marked);
    void fillPlot() override;
    int elementUnder(QPointF const &pixel) const override;
    QRectF rectOf(int index) const override;
    int neighbour(int from, int key) const override;

private:
    class Discs;
    bool isShown(ScatterPoint const &point) const;
    QPointF pixelOf(ScatterPoint const &point) const;
    std::vector<ScatterPoint> m_points;
    std::vector<ChartLine> m_lines;
    std::vector<QCPItemText *> m_texts;
};

} // namespace tilewright::views
