#include "views/tiles/column_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tilewright::views {

namespace {

constexpr double kShadeStep = 0.24;   ///< towards the ground
constexpr int kShades = 4;
constexpr int kHatchPeriod = 6;       ///< device pixels
constexpr double kSeparateFrom = 5;   ///< positions this many pixels wide stand apart

QColor mixed(QColor const &a, QColor const &b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share), static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

} // namespace

QColor bandColor(ColumnBand const &band, Theme const &theme)
{
    return mixed(theme[band.token], theme[Token::Panel], kShadeStep * (band.shade % kShades));
}

QBrush bandBrush(ColumnBand const &band, Theme const &theme)
{
    return band.hatched ? QBrush(theme[Token::SecondaryText], Qt::BDiagPattern) : QBrush(bandColor(band, theme));
}

std::vector<std::int64_t> stackTotals(ColumnScene const &scene)
{
    std::vector<std::int64_t> totals(static_cast<std::size_t>(std::max(0, scene.axis.count)), 0);
    for (auto const &band : scene.bands) {
        if (!band.shown) continue;
        for (std::size_t i = 0; i < std::min(totals.size(), band.values.size()); ++i) totals[i] += band.values[i];
    }
    return totals;
}

void ColumnPainter::setScene(ColumnScene const &scene)
{
    m_sums.clear();
    for (auto const &band : scene.bands) m_sums.emplace_back(band.values, scene.axis);
    m_totals = stackTotals(scene);
    m_low = m_high = 0;
    for (auto const total : m_totals) {
        m_low = std::min(m_low, total);
        m_high = std::max(m_high, total);
    }
}

namespace {

/// The plot as pixels of the device, transparent at first. Sixteen columns (a cache line of pixels) are drawn
/// lying, each in one piece, then turned into the image: writing down an image's rows misses the cache every time.
class Pixels {
public:
    static constexpr int kBlock = 16;
    Pixels(int width, int height) : m_image(std::max(1, width), std::max(1, height), QImage::Format_ARGB32_Premultiplied),
        m_block(static_cast<std::size_t>(kBlock) * static_cast<std::size_t>(m_image.height())) {}
    int width() const { return m_image.width(); }
    int height() const { return m_image.height(); }
    QImage const &image() const { return m_image; }
    void column(int x, int top, int bottom, QRgb color) // bottom exclusive
    {
        auto *first = at(x);
        if (int const from = std::max(0, top), to = std::min(bottom, height()); from < to) std::fill(first + from, first + to, color);
    }
    void hatch(int x, int top, int bottom, QRgb color)
    {
        auto *first = at(x);
        for (int y = std::max(0, top); y < std::min(bottom, height()); ++y)
            if ((x + y) % kHatchPeriod == 0) first[y] = color;
    }
    void begin() { std::fill(m_block.begin(), m_block.end(), 0); }
    /// Columns left … left + kBlock - 1 are done.
    void end(int left)
    {
        auto const stride = m_image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
        auto *to = reinterpret_cast<QRgb *>(m_image.bits()) + left;
        int const count = std::min(kBlock, width() - left);
        std::array<QRgb const *, kBlock> from{};
        for (int k = 0; k < kBlock; ++k) from[static_cast<std::size_t>(k)] = at(left + k);
        for (int y = 0; y < height(); ++y, to += stride) {
            if (count == kBlock) // written out: the loop would cost more than its work
                [&]<std::size_t... K>(std::index_sequence<K...>) { ((to[K] = from[K][y]), ...); }(std::make_index_sequence<kBlock>{});
            else
                for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) to[k] = from[k][y];
        }
    }
private:
    QRgb *at(int x) { return m_block.data() + static_cast<std::size_t>(x % kBlock) * static_cast<std::size_t>(height()); }
    QImage m_image;
    std::vector<QRgb> m_block;
};

} // namespace

void ColumnPainter::paint(QPainter &painter, QRect const &plot, ColumnScene const &scene, AxisWindow const &window, double low, double high, Theme const &theme) const
{
    if (plot.isEmpty() || high <= low || scene.axis.count == 0 || m_sums.size() != scene.bands.size()) return;
    // A painter call per band and column would take longer than everything else together.
    double const ratio = painter.device()->devicePixelRatioF();
    Pixels pixels(static_cast<int>(plot.width() * ratio), static_cast<int>(plot.height() * ratio));
    AxisWindow device = window;
    device.pixels = pixels.width();
    auto const columns = columnStats(m_totals, scene.axis, device);
    auto const yOf = [&](double value) { return static_cast<int>(std::lround(pixels.height() - (value - low) / (high - low) * pixels.height())); };
    double const perPosition = window.to > window.from ? window.pixels / ((window.to - window.from) / (scene.axis.length() / scene.axis.count)) : 0;
    bool const apart = perPosition >= kSeparateFrom;
    std::vector<QRgb> colors;
    for (auto const &band : scene.bands) colors.push_back(bandColor(band, theme).rgba());
    QRgb const line = theme[Token::Text].rgba(), gap = theme[Token::SecondaryText].rgba();
    QColor faint = theme[Token::Text];
    faint.setAlpha(56);
    QRgb const veil = qPremultiply(faint.rgba()), more = theme.diverging(0.8).rgba(), less = theme.diverging(-0.8).rgba();
    int const lineWidth = std::max(1, static_cast<int>(ratio));
    int lastTop = -1;
    auto const draw = [&](int x) {
        auto const &column = columns[static_cast<std::size_t>(x)];
        if (column.first < 0) return;
        double const from = device.coordinateOf(x), to = device.coordinateOf(x + 1);
        if (apart && scene.axis.edges.empty() && scene.axis.edge(column.last + 1) <= to + 1e-9) return; // a position's last pixel stays free
        if (scene.signedValues) {
            auto const worst = std::abs(column.min) > std::abs(column.max) ? column.min : column.max;
            if (worst == 0) return;
            int const top = yOf(static_cast<double>(std::max<std::int64_t>(0, column.max))), bottom = yOf(static_cast<double>(std::min<std::int64_t>(0, column.min)));
            pixels.column(x, top, std::max(bottom, top + 1), worst > 0 ? more : less);
            return;
        }
        double sum = 0;
        for (std::size_t b = 0; b < scene.bands.size(); ++b) {
            auto const &band = scene.bands[b];
            if (!band.shown) continue;
            auto const one = static_cast<std::size_t>(column.first);
            double const value = column.first == column.last ? static_cast<double>(one < band.values.size() ? band.values[one] : 0) : m_sums[b].mean(scene.axis, from, to);
            if (value <= 0) continue;
            int const bottom = yOf(sum);
            sum += value;
            int const top = yOf(sum);
            if (band.hatched) pixels.hatch(x, top, bottom, gap);
            else pixels.column(x, top, bottom, colors[b]);
        }
        // Extremes: a veil up to the largest, a line at it, so that a single high tile among hundreds shows.
        int const max = yOf(static_cast<double>(column.max)), mean = yOf(sum);
        if (max < mean) pixels.column(x, max, mean, veil);
        int const joined = lastTop >= 0 && !apart ? lastTop : max;
        int const lineTop = std::clamp(std::min(max, joined), 0, pixels.height() - lineWidth);
        pixels.column(x, lineTop, std::max(std::max(max, joined), lineTop + lineWidth), line);
        lastTop = max;
    };
    for (int left = 0; left < pixels.width(); left += Pixels::kBlock) {
        pixels.begin();
        for (int x = left; x < std::min(left + Pixels::kBlock, pixels.width()); ++x) draw(x);
        pixels.end(left);
    }
    painter.drawImage(QRectF(plot), pixels.image());
}

} // namespace tilewright::views
