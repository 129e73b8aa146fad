#include "views/tiles/tile_image.h"

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kHatchPeriod = 4;  ///< device pixels
constexpr int kSeparateFrom = 5; ///< cells of at least this width are separated by a line

/// Pixels of an image as rows.
struct Canvas {
    QRgb *bits;
    qsizetype stride;
    int width, height;
    void fill(int left, int top, int right, int bottom, QRgb color) // right, bottom exclusive
    {
        left = std::max(left, 0);
        right = std::min(right, width);
        if (left >= right) return;
        for (int y = std::max(top, 0); y < std::min(bottom, height); ++y)
            std::fill(bits + y * stride + left, bits + y * stride + right, color);
    }
    void hatch(int left, int top, int right, int bottom, QRgb color)
    {
        for (int y = std::max(top, 0); y < std::min(bottom, height); ++y)
            for (int x = std::max(left, 0); x < std::min(right, width); ++x)
                if ((x + y) % kHatchPeriod == 0) bits[y * stride + x] = color;
    }
};

} // namespace

void paintTiles(QImage &image, TileFloor const &floor, FloorGeometry const &geometry, std::span<std::int64_t const> values,
                TileScale const &scale, Theme const &theme, std::span<char const> marked)
{
    if (image.isNull()) return;
    Canvas canvas{reinterpret_cast<QRgb *>(image.bits()), image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)), image.width(),
                  image.height()};
    ScaleColors const colors(scale, theme);
    QRgb const ground = theme[Token::Panel].rgb(), accent = theme[Token::Accent].rgb();
    QRgb const hatch = theme[Token::Text].rgb();
    int const width = geometry.cell.width(), height = geometry.cell.height();
    int const gapX = width >= kSeparateFrom ? 1 : 0, gapY = height >= kSeparateFrom ? 1 : 0;
    int const tiles = std::min(floor.tiles(), static_cast<int>(values.size()));
    for (int ipu = 0; ipu < floor.ipus; ++ipu) {
        auto const panel = geometry.panelOf(floor, ipu);
        canvas.fill(panel.left(), panel.top(), panel.left() + panel.width(), panel.top() + panel.height(), ground);
        int const base = ipu * floor.tilesPerIpu;
        for (int i = 0; i < floor.tilesPerIpu && base + i < tiles; ++i) {
            auto const place = floor.cells[static_cast<std::size_t>(i)];
            int const left = panel.x() + place.x() * width, top = panel.y() + place.y() * height;
            auto const value = values[static_cast<std::size_t>(base + i)];
            canvas.fill(left, top, left + width - gapX, top + height - gapY, colors(value));
            if (scale.isOver(value) && width > 2 && height > 2) canvas.hatch(left, top, left + width - gapX, top + height - gapY, hatch);
        }
    }
    if (marked.empty() || marked.size() < static_cast<std::size_t>(floor.tiles())) return;
    // A line between marked and unmarked tiles: single tiles get a frame, areas a border.
    std::vector<char> at(static_cast<std::size_t>(floor.columns) * static_cast<std::size_t>(floor.rows));
    int const line = std::clamp(std::max(width, height) / 4, 1, 3);
    for (int ipu = 0; ipu < floor.ipus; ++ipu) {
        std::fill(at.begin(), at.end(), 0);
        bool any = false;
        for (int i = 0; i < floor.tilesPerIpu; ++i)
            if (marked[static_cast<std::size_t>(ipu * floor.tilesPerIpu + i)]) {
                auto const place = floor.cells[static_cast<std::size_t>(i)];
                at[static_cast<std::size_t>(place.y() * floor.columns + place.x())] = 1;
                any = true;
            }
        if (!any) continue;
        auto const has = [&](int column, int row) {
            return column >= 0 && row >= 0 && column < floor.columns && row < floor.rows
                && at[static_cast<std::size_t>(row * floor.columns + column)];
        };
        auto const panel = geometry.panelOf(floor, ipu);
        for (int row = 0; row < floor.rows; ++row)
            for (int column = 0; column < floor.columns; ++column) {
                if (!has(column, row)) continue;
                int const left = panel.x() + column * width, top = panel.y() + row * height, right = left + width, bottom = top + height;
                bool const l = !has(column - 1, row), r = !has(column + 1, row), t = !has(column, row - 1), b = !has(column, row + 1);
                // A second line in the ground colour inside, if there is room, because the accent alone is invisible on dark colours.
                if (width >= kSeparateFrom + 2 * line && height >= kSeparateFrom + 2 * line) {
                    if (l) canvas.fill(left - 1 + line, top, left + line, bottom - 1, ground);
                    if (r) canvas.fill(right - line - 1, top, right - line, bottom - 1, ground);
                    if (t) canvas.fill(left, top - 1 + line, right - 1, top + line, ground);
                    if (b) canvas.fill(left, bottom - line - 1, right - 1, bottom - line, ground);
                }
                if (l) canvas.fill(left - 1, top - 1, left - 1 + line, bottom, accent);
                if (r) canvas.fill(right - line, top - 1, right, bottom, accent);
                if (t) canvas.fill(left - 1, top - 1, right, top - 1 + line, accent);
                if (b) canvas.fill(left - 1, bottom - line, right, bottom, accent);
            }
    }
}

} // namespace tilewright::views
