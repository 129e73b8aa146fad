#include "views/execution/bsp_image.h"

#include "views/common/theme.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kBlock = 16;         // columns written together: a cache line per row of pixels
constexpr double kExactWork = 4e7; // events times rows per frame that are summed one by one

struct Mix {
    float r = 0, g = 0, b = 0;
    void add(Mix const &color, float share)
    {
        r += color.r * share;
        g += color.g * share;
        b += color.b * share;
    }
};
Mix operator-(Mix const &a, Mix const &b) { return {a.r - b.r, a.g - b.g, a.b - b.b}; }

Mix mixOf(Token token)
{
    QColor const c = theme()[token];
    return {static_cast<float>(c.red()), static_cast<float>(c.green()), static_cast<float>(c.blue())};
}

/// Rows of tiles per row of pixels; neighbouring rows of pixels with the same tiles form a band.
struct Bands {
    std::vector<int> first, last, y0, y1; ///< rows of tiles [first, last), of pixels [y0, y1)
    std::size_t size() const { return first.size(); }
};

Bands bandsOf(RowWindow const &rows, int height, int bottom)
{
    Bands bands;
    for (int y = 0; y < height; ++y) {
        int const first = static_cast<int>(rows.top + y * rows.perPixel);
        int const last = std::min(bottom, std::max(first + 1, static_cast<int>(rows.top + (y + 1) * rows.perPixel)));
        if (first >= bottom) break;
        if (bands.size() > 0 && bands.first.back() == first) {
            bands.y1.back() = y + 1;
            continue;
        }
        bands.first.push_back(first);
        bands.last.push_back(last);
        bands.y0.push_back(y);
        bands.y1.push_back(y + 1);
    }
    return bands;
}

/// Colours of one column by row of tiles: `base` plus the shares of compute and exchange.
void mixColumn(Mix const &base, Mix const &compute, Mix const &exchange, float const *computed, float const *exchanged, int rows,
               QRgb *colors)
{
    for (int r = 0; r < rows; ++r) {
        auto const channel = [&](float from, float byCompute, float byExchange) {
            float const value = from + byCompute * computed[r] + byExchange * exchanged[r];
            return static_cast<int>(std::min(255.0f, std::max(0.0f, value)));
        };
        int const red = channel(base.r, compute.r, exchange.r), green = channel(base.g, compute.g, exchange.g),
                  blue = channel(base.b, compute.b, exchange.b);
        colors[r] = 0xff000000u | static_cast<QRgb>(red << 16 | green << 8 | blue);
    }
}

/// Mean of two colours, all channels at once.
QRgb meanOf(QRgb a, QRgb b) { return (a & b) + (((a ^ b) & 0xfefefefeu) >> 1); }

QRgb meanOf(QRgb const *colors, int count)
{
    unsigned r = 0, g = 0, b = 0;
    for (int i = 0; i < count; ++i) {
        r += colors[i] >> 16 & 255;
        g += colors[i] >> 8 & 255;
        b += colors[i] & 255;
    }
    auto const n = static_cast<unsigned>(count);
    return 0xff000000u | r / n << 16 | g / n << 8 | b / n;
}

Mix scaled(Mix const &m, float factor) { return {m.r * factor, m.g * factor, m.b * factor}; }

/// Inputs for painting a range of columns.
struct Picture {
    BspTimeline const &bsp;
    ColumnGrid const &grid;
    Bands const &bands;
    int top, bottom; ///< rows of tiles
    bool coarse;
    QRgb *pixels;
    std::ptrdiff_t stride;
};

void paintColumns(Picture const &p, int firstColumn, int lastColumn)
{
    Mix const ground = mixOf(Token::Panel), compute = mixOf(Token::Compute) - ground, inside = mixOf(Token::InternalExchange) - ground,
              between = mixOf(Token::GlobalExchange) - ground, stream = mixOf(Token::Stream) - ground, sync = mixOf(Token::Sync) - ground,
              idle = mixOf(Token::Idle) - ground;
    BspBlock::Sums sums(p.bsp.rows());
    int const rows = p.bottom - p.top;
    // An odd stride; with a power of two all columns would map to the same cache lines.
    std::size_t const height = static_cast<std::size_t>(rows) + 17 - static_cast<std::size_t>(rows) % 16;
    std::vector<QRgb> colors(height * kBlock);
    std::int64_t counted = p.grid.start(firstColumn); // `before`: ticks by phase up to there
    PhaseTicks before = p.bsp.events->busy({0, counted});
    for (int block = firstColumn; block < lastColumn; block += kBlock) {
        int const columns = std::min(kBlock, lastColumn - block);
        for (int c = 0; c < columns; ++c) {
            TimeSpan const span{p.grid.start(block + c), std::max(p.grid.start(block + c + 1), p.grid.start(block + c) + 1)};
            auto const length = static_cast<float>(span.length());
            std::fill(sums.compute.begin() + p.top, sums.compute.begin() + p.bottom, 0.0f);
            std::fill(sums.exchange.begin() + p.top, sums.exchange.begin() + p.bottom, 0.0f);
            p.bsp.sum(span, p.top, p.bottom, p.coarse, sums);
            if (span.begin != counted) before = p.bsp.events->busy({0, span.begin}); // deeper than a tick per pixel
            counted = span.end;
            PhaseTicks const after = p.bsp.events->busy({0, span.end});
            auto const share = [&](LanePhase phase) {
                auto const k = static_cast<std::size_t>(phase);
                return static_cast<float>(after[k] - before[k]) / length;
            };
            Mix base = ground;
            base.add(stream, share(LanePhase::Stream));
            base.add(sync, share(LanePhase::Sync));
            base.add(idle, share(LanePhase::Idle) * 0.3f);
            base.add({1, 1, 1}, 0.5f); // rounds
            float const global = share(LanePhase::GlobalExchange), exchanging = share(LanePhase::InternalExchange) + global;
            Mix exchange;
            exchange.add(inside, exchanging > 0 ? 1 - global / exchanging : 1);
            exchange.add(between, exchanging > 0 ? global / exchanging : 0);
            mixColumn(base, scaled(compute, 1 / length), scaled(exchange, 1 / length), sums.compute.data() + p.top,
                      sums.exchange.data() + p.top, rows, colors.data() + static_cast<std::size_t>(c) * height);
            before = after;
        }
        for (std::size_t k = 0; k < p.bands.size(); ++k) {
            QRgb line[kBlock] = {};
            QRgb const *from = colors.data() + (p.bands.first[k] - p.top);
            int const count = p.bands.last[k] - p.bands.first[k];
            if (count <= 2)
                for (int c = 0; c < kBlock; ++c)
                    line[c] = meanOf(from[static_cast<std::size_t>(c) * height],
                                     from[static_cast<std::size_t>(c) * height + static_cast<std::size_t>(count) - 1]);
            else
                for (int c = 0; c < columns; ++c) line[c] = meanOf(from + static_cast<std::size_t>(c) * height, count);
            for (int y = p.bands.y0[k]; y < p.bands.y1[k]; ++y) {
                QRgb *to = p.pixels + y * p.stride + block;
                if (columns == kBlock) std::copy_n(line, kBlock, to);
                else std::copy_n(line, columns, to);
            }
        }
    }
}

} // namespace

void paintBsp(BspTimeline const &bsp, ColumnGrid const &grid, RowWindow const &rows, int height, ThreadPool &pool, QImage &image)
{
    if (image.width() != grid.width() || image.height() != std::max(1, height))
        image = QImage(grid.width(), std::max(1, height), QImage::Format_RGB32);
    int const all = bsp.rows();
    int const top = std::clamp(static_cast<int>(rows.top), 0, all);
    int const bottom = std::clamp(static_cast<int>(std::ceil(rows.top + rows.perPixel * height)), top, all);
    Bands const bands = bandsOf(rows, height, bottom);
    if (bands.size() == 0 || !bsp.events || bands.y1.back() < height) image.fill(theme()[Token::Panel]);
    if (bands.size() == 0 || !bsp.events) return;
    TimeSpan const window = grid.axis().window;
    double const events = static_cast<double>(bsp.events->lowerBound(window.end) - bsp.events->firstNotEnded(window.begin));
    Picture const picture{bsp,
                          grid,
                          bands,
                          top,
                          bottom,
                          events * (bottom - top) > kExactWork,
                          reinterpret_cast<QRgb *>(image.bits()),
                          image.bytesPerLine() / 4};
    constexpr int kPart = 8 * kBlock;
    pool.run(static_cast<std::size_t>((grid.width() + kPart - 1) / kPart), [&](std::size_t part) {
        int const first = static_cast<int>(part) * kPart;
        paintColumns(picture, first, std::min(grid.width(), first + kPart));
    });
}

} // namespace tilewright::views
