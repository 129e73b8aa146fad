#include "views/plots/curve_panel.h"

#include "views/common/format.h"
#include "views/plots/curve_math.h"
#include "views/plots/curve_plot.h"
#include "views/plots/legend_bar.h"

#include <QBoxLayout>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tilewright::views {

namespace {

constexpr Token kCurveTokens[] = {Token::Forward,  Token::InternalExchange, Token::Update,
                                  Token::Backward, Token::Compute,          Token::GlobalExchange};
constexpr int kCurveColors = static_cast<int>(std::size(kCurveTokens));
/// Up to this number, each point has a disc, because one value is not a line.
constexpr std::size_t kFewPoints = 1;

constexpr double kBroad = 4.5; ///< of a line under others
/// From this number of points, lines are thin and not antialiased, because thick ones take most of the time.
constexpr std::size_t kCrowded = 400;

QColor blended(QColor const &ground, QColor const &color, float share)
{
    auto const mix = [share](float a, float b) { return a + (b - a) * share; };
    return QColor::fromRgbF(mix(ground.redF(), color.redF()), mix(ground.greenF(), color.greenF()), mix(ground.blueF(), color.blueF()));
}

QString plainText(std::function<QString(double)> const &text, double value)
{
    if (text) return text(value);
    return value == std::floor(value) && std::abs(value) < 1e15 ? countText(static_cast<std::int64_t>(value)) : numberText(value);
}

} // namespace

Token curveToken(int n) { return kCurveTokens[n % kCurveColors]; }

struct CurvePanel::Impl {
    CurvePanel &panel;
    QLabel *title = nullptr, *readout = nullptr;
    LegendBar *legend = nullptr;
    CurvePlot *plot = nullptr;
    CurveAxes axes;
    std::vector<Curve> curves;
    std::vector<std::vector<double>> smooth; ///< by curve; empty: not smoothed
    std::vector<CurveMark> marks;
    std::vector<QCPAbstractItem *> markItems;
    std::set<QString> hidden;
    double weight = 0;
    bool logarithmic = false, following = true;

    explicit Impl(CurvePanel &owner) : panel(owner) {}

    /// Without curves, axes would show invented values.
    void showAxes()
    {
        for (auto *axis : {plot->xAxis, plot->yAxis}) axis->setVisible(!curves.empty());
    }

    QColor colorOf(int i) const
    {
        auto const &curve = curves[static_cast<std::size_t>(i)];
        return theme()[curve.color.value_or(curveToken(i))];
    }

    Qt::PenStyle penOf(int i) const
    {
        auto const &curve = curves[static_cast<std::size_t>(i)];
        if (curve.shape == CurveShape::Dashed) return Qt::DashLine;
        if (curve.color || i < kCurveColors) return Qt::SolidLine;
        return i < 2 * kCurveColors ? Qt::DotLine : Qt::DashDotLine;
    }

    void smoothOne(std::size_t i)
    {
        auto const &curve = curves[i];
        if (weight > 0 && curve.smooth && curve.x.size() > 2)
            smooth[i] = curve.counts.empty() ? smoothed(curve.x, curve.y, weight) : smoothedMeans(curve.means, curve.counts, weight);
        else smooth[i].clear();
    }

    void showLegend()
    {
        QList<LegendEntry> entries;
        for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
            auto const &curve = curves[static_cast<std::size_t>(i)];
            entries.append({curve.name, colorOf(i), penOf(i), curve.shown});
        }
        legend->setEntries(entries);
    }

    std::pair<double, double> extent() const
    {
        double least = std::numeric_limits<double>::infinity(), greatest = -least;
        for (auto const &curve : curves)
            if (curve.shown && !curve.x.empty()) {
                least = std::min(least, curve.x.front());
                greatest = std::max(greatest, curve.x.back());
            }
        return {least, greatest};
    }

    void fitX()
    {
        auto [least, greatest] = extent();
        if (least > greatest) std::tie(least, greatest) = std::pair(0.0, 1.0);
        if (least == greatest) std::tie(least, greatest) = std::pair(least - 0.5, greatest + 0.5);
        plot->xAxis->setRange(least, greatest);
    }

    void fitY()
    {
        auto const x = plot->xAxis->range();
        double least = std::numeric_limits<double>::infinity(), greatest = -least;
        for (auto const &curve : curves) {
            if (!curve.shown) continue;
            auto const [low, high] = valueRange(curve.x, curve.y, x.lower, x.upper, logarithmic);
            least = std::min(least, low);
            greatest = std::max(greatest, high);
        }
        if (least > greatest) std::tie(least, greatest) = logarithmic ? std::pair(0.1, 1.0) : std::pair(0.0, 1.0);
        if (logarithmic) {
            double const margin = least == greatest ? 2.0 : std::pow(greatest / least, 0.05);
            plot->yAxis->setRange(least / margin, greatest * margin);
            return;
        }
        if (axes.zeroBased) least = std::min(0.0, least);
        double const margin = least == greatest ? std::max(std::abs(least) * 0.1, 1e-12) : (greatest - least) * 0.05;
        plot->yAxis->setRange(axes.zeroBased && least == 0 ? 0 : least - margin, greatest + margin);
    }

    void setFollowing(bool on)
    {
        if (following == on) return;
        following = on;
        if (on) plot->refresh(true);
        emit panel.followingChanged(on);
    }

    /// Gives the graphs the part of the curves for the current range and width.
    void fill()
    {
        if (following) {
            fitX();
            fitY();
        }
        while (plot->graphCount() > static_cast<int>(curves.size()) * 2) plot->removeGraph(plot->graphCount() - 1);
        while (plot->graphCount() < static_cast<int>(curves.size()) * 2) plot->addGraph()->setAdaptiveSampling(false);
        auto const range = plot->xAxis->range();
        int const columns = std::max(1, plot->axisRect()->width());
        for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
            auto const &curve = curves[static_cast<std::size_t>(i)];
            auto const &soft = smooth[static_cast<std::size_t>(i)];
            QColor const color = colorOf(i);
            QColor const faint = blended(theme()[Token::Panel], color, 0.35F); // an opaque line draws twice as fast
            // All raw values are drawn under all smoothed ones.
            draw(*plot->graph(i), curve, curve.y, soft.empty() ? color : faint, penOf(i), range, columns);
            draw(*plot->graph(static_cast<int>(curves.size()) + i), curve, soft, color, penOf(i), range, columns);
        }
        placeMarks();
    }

    void draw(QCPGraph &graph, Curve const &curve, std::vector<double> const &y, QColor const &color, Qt::PenStyle pen,
              QCPRange const &range, int columns) const
    {
        graph.setVisible(curve.shown && !y.empty());
        if (!graph.visible()) {
            graph.data()->clear();
            return;
        }
        auto points = thinned(curve.x, y, range.lower, range.upper, columns);
        std::size_t finite = 0;
        for (auto &value : points.y) {
            if (logarithmic && value <= 0) value = std::numeric_limits<double>::quiet_NaN();
            finite += std::isfinite(value) ? 1 : 0;
        }
        bool const discs = curve.shape == CurveShape::Points || curve.shape == CurveShape::LineAndPoints || finite <= kFewPoints;
        bool const crowded = points.x.size() > kCrowded;
        graph.setAntialiased(!crowded);
        bool const raw = &y == &curve.y && curve.smooth;
        bool const broad = curve.broad && !crowded && !raw;
        graph.setPen(QPen(broad ? blended(theme()[Token::Panel], color, 0.55F) : color, broad ? kBroad : crowded || raw ? 1.0 : 1.6, pen));
        graph.setLineStyle(curve.shape == CurveShape::Points      ? QCPGraph::lsNone
                               : curve.shape == CurveShape::Steps ? QCPGraph::lsStepLeft
                                                                  : QCPGraph::lsLine);
        graph.setScatterStyle(discs ? QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(color), QBrush(color), 5) : QCPScatterStyle());
        graph.setData(QVector<double>(points.x.begin(), points.x.end()), QVector<double>(points.y.begin(), points.y.end()), true);
    }

    void placeMarks()
    {
        for (auto *item : markItems) plot->removeItem(item);
        markItems.clear();
        for (auto const &mark : marks) {
            auto *line = new QCPItemStraightLine(plot);
            line->setPen(QPen(theme()[mark.color], 1));
            line->point1->setCoords(mark.x, plot->yAxis->range().lower);
            line->point2->setCoords(mark.x, plot->yAxis->range().upper);
            markItems.push_back(line);
            if (mark.text.isEmpty()) continue;
            auto *text = new QCPItemText(plot);
            text->setText(mark.text);
            text->setFont(uiFont(TextSize::Caption));
            text->setColor(theme()[Token::SecondaryText]);
            text->setPositionAlignment(Qt::AlignTop | Qt::AlignLeft);
            text->position->setTypeX(QCPItemPosition::ptPlotCoords);
            text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
            text->position->setCoords(mark.x, 0);
            text->setPadding(QMargins(kGrid, 0, 0, 0));
            markItems.push_back(text);
        }
    }

    void hoverAt(std::optional<double> x)
    {
        plot->setCrosshair(x);
        QString const text = x ? panel.readout(*x) : QString();
        readout->setToolTip(text);
        readout->setText(readout->fontMetrics().elidedText(text, Qt::ElideRight, readout->width()));
        emit panel.hovered(x.value_or(std::numeric_limits<double>::quiet_NaN()));
    }

    void clickAt(QPointF pixel)
    {
        double const x = plot->xAxis->pixelToCoord(pixel.x());
        int best = -1;
        double bestDistance = 6.0 * kGrid, bestX = 0;
        for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
            auto const &curve = curves[static_cast<std::size_t>(i)];
            if (!curve.shown || curve.x.empty()) continue;
            auto const at = nearestPoint(curve.x, x);
            double const distance =
                std::hypot(plot->xAxis->coordToPixel(curve.x[at]) - pixel.x(), plot->yAxis->coordToPixel(curve.y[at]) - pixel.y());
            if (distance < bestDistance) std::tie(best, bestDistance, bestX) = std::tuple(i, distance, curve.x[at]);
        }
        if (best >= 0) emit panel.clicked(best, bestX);
    }

    /// Text for screen readers: the current value of each curve.
    void describe()
    {
        QStringList parts;
        for (auto const &curve : curves)
            if (curve.shown && !curve.x.empty())
                parts.append(CurvePanel::tr("%1: %2 at %3")
                                 .arg(curve.name, plainText(axes.yText, curve.y.back()), plainText(axes.xText, curve.x.back())));
        plot->setAccessibleDescription(parts.join(QStringLiteral("; ")));
    }
};

CurvePanel::CurvePanel(QString const &title, QWidget *parent) : QWidget(parent), m(std::make_unique<Impl>(*this))
{
    m->title = new QLabel(title, this);
    m->title->setTextFormat(Qt::PlainText);
    m->readout = new QLabel(this);
    m->readout->setTextFormat(Qt::PlainText);
    m->readout->setAlignment(Qt::AlignTrailing | Qt::AlignVCenter);
    m->readout->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m->legend = new LegendBar(this);
    m->plot = new CurvePlot(this);
    m->plot->setAccessibleName(title);
    m->plot->setFocusPolicy(Qt::ClickFocus);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(title);

    auto *head = new QHBoxLayout;
    head->setSpacing(kGap);
    head->addWidget(m->title);
    head->addWidget(m->readout, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addLayout(head);
    column->addWidget(m->legend);
    column->addWidget(m->plot, 1);

    m->plot->fill = [this] { m->fill(); };
    m->plot->touched = [this] {
        m->setFollowing(false);
        auto const range = m->plot->xAxis->range();
        emit xRangeChanged(range.lower, range.upper);
    };
    m->plot->fitRequested = [this] { fit(); };
    m->plot->hover = [this](std::optional<QPointF> at) {
        m->hoverAt(at ? std::optional(m->plot->xAxis->pixelToCoord(at->x())) : std::nullopt);
    };
    m->plot->click = [this](QPointF pixel, Qt::KeyboardModifiers) { m->clickAt(pixel); };
    connect(m->legend, &LegendBar::toggled, this, &CurvePanel::setCurveShown);
    m->showAxes();
    changeEvent(nullptr);
}

CurvePanel::~CurvePanel() = default;

void CurvePanel::setTitle(QString const &title)
{
    m->title->setText(title);
    m->plot->setAccessibleName(title);
    setAccessibleName(title);
}

void CurvePanel::setAxes(CurveAxes axes)
{
    m->axes = std::move(axes);
    auto const text = [](std::function<QString(double)> given) {
        return [given = std::move(given)](double value) { return plainText(given, value); };
    };
    m->plot->setTexts(m->axes.x, m->axes.y, text(m->axes.xText), text(m->axes.yText));
    m->plot->refresh(false);
}

QString CurvePanel::axisTitle() const { return m->axes.x; }

void CurvePanel::setCurves(std::vector<Curve> curves)
{
    bool sameNames = curves.size() == m->curves.size();
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (m->hidden.contains(curves[i].name)) curves[i].shown = false;
        sameNames = sameNames && curves[i].name == m->curves[i].name;
    }
    m->curves = std::move(curves);
    m->smooth.resize(m->curves.size());
    for (std::size_t i = 0; i < m->curves.size(); ++i) m->smoothOne(i);
    if (!sameNames) m->showLegend();
    m->showAxes();
    m->describe();
    m->plot->refresh(false);
}

std::vector<Curve> const &CurvePanel::curves() const { return m->curves; }

void CurvePanel::setMarks(std::vector<CurveMark> marks)
{
    m->marks = std::move(marks);
    m->plot->refresh(false);
}

void CurvePanel::setSmoothing(double weight)
{
    m->weight = std::clamp(weight, 0.0, 0.999);
    for (std::size_t i = 0; i < m->curves.size(); ++i) m->smoothOne(i);
    m->plot->refresh(true);
}

double CurvePanel::smoothing() const { return m->weight; }

void CurvePanel::setLogarithmic(bool on)
{
    if (m->logarithmic == on) return;
    m->logarithmic = on;
    if (m->following) m->fitX(); // new curves are not drawn yet
    m->plot->setLogarithmic(on);
    m->fitY();
    m->plot->refresh(true);
}

bool CurvePanel::isLogarithmic() const { return m->logarithmic; }

void CurvePanel::setFollowing(bool on) { m->setFollowing(on); }

bool CurvePanel::isFollowing() const { return m->following; }

void CurvePanel::fit()
{
    m->fitX();
    m->fitY();
    m->setFollowing(true);
    m->plot->refresh(true);
}

void CurvePanel::setXRange(double begin, double end)
{
    m->setFollowing(false);
    m->plot->xAxis->setRange(begin, end);
    m->fitY();
    m->plot->refresh(true);
}

std::pair<double, double> CurvePanel::xRange() const { return {m->plot->xAxis->range().lower, m->plot->xAxis->range().upper}; }

std::pair<double, double> CurvePanel::yRange() const { return {m->plot->yAxis->range().lower, m->plot->yAxis->range().upper}; }

void CurvePanel::setCurveShown(int curve, bool shown)
{
    auto &which = m->curves.at(static_cast<std::size_t>(curve));
    which.shown = shown;
    if (shown) m->hidden.erase(which.name);
    else m->hidden.insert(which.name);
    m->showLegend();
    m->plot->refresh(true);
}

void CurvePanel::setCrosshair(std::optional<double> x) { m->plot->setCrosshair(x); }

QString CurvePanel::readout(double x) const
{
    QStringList parts;
    std::optional<double> shownX;
    for (std::size_t i = 0; i < m->curves.size(); ++i) {
        auto const &curve = m->curves[i];
        if (!curve.shown || curve.x.empty()) continue;
        auto const at = nearestPoint(curve.x, x);
        if (!shownX || std::abs(curve.x[at] - x) < std::abs(*shownX - x)) shownX = curve.x[at];
        QString const value = std::isfinite(curve.y[at])
            ? (m->axes.yText ? m->axes.yText(curve.y[at]) : QLocale().toString(curve.y[at], 'g', 7))
            : tr("not a number");
        QString part = tr("%1 %2").arg(curve.name, value);
        if (!m->smooth[i].empty() && std::isfinite(m->smooth[i][at])) {
            double const soft = m->smooth[i][at];
            part = tr("%1 (smoothed %2)").arg(part, m->axes.yText ? m->axes.yText(soft) : numberText(soft));
        }
        parts.append(part);
    }
    if (!shownX) return {};
    parts.prepend(m->axes.x.isEmpty() ? plainText(m->axes.xText, *shownX) : tr("%1 %2").arg(m->axes.x, plainText(m->axes.xText, *shownX)));
    return parts.join(QStringLiteral(" · "));
}

ExportTable CurvePanel::exportTable(QString const &name) const
{
    ExportTable table{name, {m->axes.x.isEmpty() ? QStringLiteral("x") : m->axes.x}, {}};
    std::set<double> all;
    for (auto const &curve : m->curves) {
        table.columns.append(curve.name);
        all.insert(curve.x.begin(), curve.x.end());
    }
    std::vector<std::size_t> next(m->curves.size(), 0);
    for (double const x : all) {
        QStringList row{QString::number(x, 'g', 17)};
        for (std::size_t i = 0; i < m->curves.size(); ++i) {
            auto const &curve = m->curves[i];
            QString cell;
            while (next[i] < curve.x.size() && curve.x[next[i]] == x) cell = QString::number(curve.y[next[i]++], 'g', 17);
            row.append(cell);
        }
        table.rows.append(row);
    }
    return table;
}

int CurvePanel::replots() const { return m->plot->drawn(); }

void CurvePanel::changeEvent(QEvent *event)
{
    if (event) QWidget::changeEvent(event);
    if (event && event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::LanguageChange)
        return;
    QFont bold = uiFont(TextSize::Caption);
    bold.setBold(true);
    m->title->setFont(bold);
    m->readout->setFont(uiFont(TextSize::Caption));
    m->plot->applyTheme();
    m->showLegend();
}

void CurvePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m->plot->refresh(false);
}

void CurvePanel::keyPressEvent(QKeyEvent *event)
{
    if (m->plot->zoomKey(*event, m->plot->axisRect()->center(), true)) return;
    switch (event->key()) {
    case Qt::Key_F: fit(); return;
    case Qt::Key_Left:
    case Qt::Key_Right: m->plot->panX((event->key() == Qt::Key_Left ? -1 : 1) * m->plot->axisRect()->width() / 10.0); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace tilewright::views
