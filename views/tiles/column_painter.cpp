#include "views/tiles/column_painter.h"

#include "views/common/frame_pool.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tilewright::views {

namespace {

constexpr double kShadeStep = 0.24;     ///< towards the ground
constexpr double kLeastContrast = 1.15; ///< of bands that touch
constexpr double kSeparateFrom = 5;     ///< positions of at least this width are separated

QColor mixed(QColor const &a, QColor const &b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

} // namespace

QColor bandColor(ColumnBand const &band, Theme const &theme)
{
    return mixed(theme[band.token], theme[Token::Panel], kShadeStep * (band.shade % kShades));
}

bool differInLightness(ColumnBand const &a, ColumnBand const &b)
{
    static std::array const themes{makeTheme(ThemeKind::Light), makeTheme(ThemeKind::Dark), makeTheme(ThemeKind::HighContrast)};
    return std::ranges::all_of(
        themes, [&](Theme const &theme) { return contrastRatio(bandColor(a, theme), bandColor(b, theme)) >= kLeastContrast; });
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

/// Sixteen columns (a cache line of pixels) of a plot, initially transparent. Drawn lying, each contiguous, then turned into the image,
/// because
/// writing along the columns of an image misses the cache each time.
class ColumnBlock {
public:
    static constexpr int kColumns = 16;
    explicit ColumnBlock(QImage const &image)
        : m_width(image.width()), m_height(image.height()),
          m_pixels(static_cast<std::size_t>(kColumns) * static_cast<std::size_t>(m_height))
    {
    }
    void column(int x, int top, int bottom, QRgb color) // bottom exclusive
    {
        auto *first = at(x);
        if (int const from = std::max(0, top), to = std::min(bottom, m_height); from < to) std::fill(first + from, first + to, color);
    }
    void clear() { std::fill(m_pixels.begin(), m_pixels.end(), 0); }
    /// Columns left … left + kColumns - 1 are complete. `bits`: the image's data, with rows `stride` pixels apart.
    void write(int left, QRgb *bits, qsizetype stride)
    {
        auto *to = bits + left;
        int const count = std::min(kColumns, m_width - left);
        std::array<QRgb const *, kColumns> from{};
        for (int k = 0; k < kColumns; ++k) from[static_cast<std::size_t>(k)] = at(left + k);
        for (int y = 0; y < m_height; ++y, to += stride) {
            if (count == kColumns) // unrolled: the loop would cost more than its body
                [&]<std::size_t... K>(std::index_sequence<K...>) { ((to[K] = from[K][y]), ...); }
            (std::make_index_sequence<kColumns>{});
            else for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) to[k] = from[k][y]; }
    }

private:
    QRgb *at(int x) { return m_pixels.data() + static_cast<std::size_t>(x % kColumns) * static_cast<std::size_t>(m_height); }
    int m_width, m_height;
    std::vector<QRgb> m_pixels;
};

} // namespace

void ColumnPainter::paint(QPainter &painter, QRect const &plot, ColumnScene const &scene, AxisWindow const &window, double low, double high,
                          Theme const &theme) const
{
    if (plot.isEmpty() || high <= low || scene.axis.count == 0 || m_sums.size() != scene.bands.size()) return;
    // One painter call per band and column would take longer than everything else together.
    double const ratio = painter.device()->devicePixelRatioF();
    QImage image(std::max(1, static_cast<int>(plot.width() * ratio)), std::max(1, static_cast<int>(plot.height() * ratio)),
                 QImage::Format_ARGB32_Premultiplied);
    int const width = image.width(), height = image.height();
    AxisWindow device = window;
    device.pixels = width;
    auto const columns = columnStats(m_totals, scene.axis, device);
    auto const yOf = [&](double value) { return static_cast<int>(std::lround(height - (value - low) / (high - low) * height)); };
    double const perPosition =
        window.to > window.from ? window.pixels / ((window.to - window.from) / (scene.axis.length() / scene.axis.count)) : 0;
    bool const apart = perPosition >= kSeparateFrom;
    std::vector<QRgb> colors;
    for (auto const &band : scene.bands) colors.push_back(bandColor(band, theme).rgba());
    QRgb const ground = theme[Token::Panel].rgba(), line = theme[Token::Text].rgba();
    QColor faint = theme[Token::Text];
    faint.setAlpha(56);
    QRgb const veil = qPremultiply(faint.rgba()), more = theme.diverging(0.8).rgba(), less = theme.diverging(-0.8).rgba();
    int const lineWidth = std::max(1, static_cast<int>(ratio));
    auto const draw = [&](int x, ColumnBlock &pixels, int &lastTop) {
        auto const &column = columns[static_cast<std::size_t>(x)];
        if (column.first < 0) return;
        double const from = device.coordinateOf(x), to = device.coordinateOf(x + 1);
        if (apart && scene.axis.edges.empty() && scene.axis.edge(column.first + 1) <= to + 1e-9)
            return; // the last pixel of a position stays free
        if (scene.signedValues) {
            auto const worst = std::abs(column.min) > std::abs(column.max) ? column.min : column.max;
            if (worst == 0) return;
            int const top = yOf(static_cast<double>(std::max<std::int64_t>(0, column.max))),
                      bottom = yOf(static_cast<double>(std::min<std::int64_t>(0, column.min)));
            pixels.column(x, top, std::max(bottom, top + 1), worst > 0 ? more : less);
            return;
        }
        double sum = 0;
        for (std::size_t b = 0; b < scene.bands.size(); ++b) {
            auto const &band = scene.bands[b];
            if (!band.shown) continue;
            auto const one = static_cast<std::size_t>(column.first);
            double const value = column.first == column.last ? static_cast<double>(one < band.values.size() ? band.values[one] : 0)
                                                             : m_sums[b].mean(scene.axis, from, to);
            if (value <= 0) continue;
            int const bottom = yOf(sum);
            sum += value;
            int const top = yOf(sum);
            pixels.column(x, top, bottom, colors[b]);
            if (bottom - top >= kOutlinedFrom * lineWidth) pixels.column(x, top, top + lineWidth, ground); // separates like colours
        }
        // Extremes: a veil up to the largest value with a line at it, so that a single high tile among hundreds is visible.
        int const max = yOf(static_cast<double>(column.max)), mean = yOf(sum);
        if (max < mean) pixels.column(x, max, mean, veil);
        int const joined = lastTop >= 0 && !apart ? lastTop : max;
        int const lineTop = std::clamp(std::min(max, joined), 0, height - lineWidth);
        pixels.column(x, lineTop, std::max(std::max(max, joined), lineTop + lineWidth), line);
        lastTop = max;
    };
    auto *const bits = reinterpret_cast<QRgb *>(image.bits());
    auto const stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    int const half = width / 2 / ColumnBlock::kColumns * ColumnBlock::kColumns;
    auto const drawHalf = [&](std::size_t part) {
        ColumnBlock block(image);
        int lastTop = -1;
        if (part == 1)
            for (int x = half - 1; x >= 0 && lastTop < 0; --x)
                if (columns[static_cast<std::size_t>(x)].first >= 0)
                    lastTop = yOf(static_cast<double>(columns[static_cast<std::size_t>(x)].max));
        for (int left = part == 0 ? 0 : half; left < (part == 0 ? half : width); left += ColumnBlock::kColumns) {
            block.clear();
            for (int x = left; x < std::min(left + ColumnBlock::kColumns, width); ++x) draw(x, block, lastTop);
            block.write(left, bits, stride);
        }
    };
    framePool().run(2, drawHalf);
    painter.drawImage(QRectF(plot), image);
}

} // namespace tilewright::views
