#include "tests/views/pictures/picture_compare.h"

#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace tilewright::tests {

namespace {

constexpr int kBlur = 2;  ///< pixels to each side: a letter becomes a grey spot, however its edges are drawn
constexpr int kLike = 14; ///< of 255, of the channel that differs most
constexpr int kReach = 1; ///< permitted shift of letters
constexpr int kSquare = 16;
constexpr int kSeen = 16; ///< pixels in one square

/// The mean of the pixels around each.
QImage blurred(QImage const &image)
{
    QImage result(image.size(), QImage::Format_RGB32);
    int const w = image.width(), h = image.height();
    auto const pass = [](QImage const &from, QImage &to, int count, int lines, auto const &at) {
        for (int line = 0; line < lines; ++line)
            for (int i = 0; i < count; ++i) {
                int r = 0, g = 0, b = 0, n = 0;
                for (int k = std::max(0, i - kBlur); k <= std::min(count - 1, i + kBlur); ++k, ++n) {
                    QPoint const p = at(k, line);
                    QRgb const pixel = reinterpret_cast<QRgb const *>(from.constScanLine(p.y()))[p.x()];
                    r += qRed(pixel), g += qGreen(pixel), b += qBlue(pixel);
                }
                QPoint const p = at(i, line);
                reinterpret_cast<QRgb *>(to.scanLine(p.y()))[p.x()] = qRgb(r / n, g / n, b / n);
            }
    };
    QImage half(image.size(), QImage::Format_RGB32);
    pass(image, half, w, h, [](int i, int line) { return QPoint(i, line); });
    pass(half, result, h, w, [](int i, int line) { return QPoint(line, i); });
    return result;
}

int distance(QRgb a, QRgb b)
{
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

bool hasLike(QRgb pixel, QImage const &image, int x, int y)
{
    for (int v = std::max(0, y - kReach); v <= std::min(image.height() - 1, y + kReach); ++v) {
        auto const *line = reinterpret_cast<QRgb const *>(image.constScanLine(v));
        for (int u = std::max(0, x - kReach); u <= std::min(image.width() - 1, x + kReach); ++u)
            if (distance(pixel, line[u]) <= kLike) return true;
    }
    return false;
}

} // namespace

bool PictureDifference::seen() const { return sizes || worst >= kSeen; }

PictureDifference comparePictures(QImage const &kept, QImage const &drawn)
{
    PictureDifference result;
    if (kept.size() != drawn.size()) {
        result.sizes = true;
        result.marked = drawn;
        return result;
    }
    result.marked = drawn.convertToFormat(QImage::Format_RGB32);
    QImage const a = blurred(kept.convertToFormat(QImage::Format_RGB32)), b = blurred(result.marked);
    {
        QPainter pale(&result.marked);
        pale.fillRect(b.rect(), QColor(255, 255, 255, 190));
    }
    int const columns = b.width() / (kSquare / 2) + 2, rows = b.height() / (kSquare / 2) + 2;
    std::vector<int> squares(static_cast<std::size_t>(columns * rows), 0); // of half their side, four make one
    for (int y = 0; y < b.height(); ++y) {
        auto const *before = reinterpret_cast<QRgb const *>(a.constScanLine(y)), *now = reinterpret_cast<QRgb const *>(b.constScanLine(y));
        for (int x = 0; x < b.width(); ++x) {
            if (before[x] == now[x] || (hasLike(before[x], b, x, y) && hasLike(now[x], a, x, y))) continue;
            ++result.pixels;
            result.marked.setPixel(x, y, qRgb(220, 0, 0));
            ++squares[static_cast<std::size_t>(y / (kSquare / 2) * columns + x / (kSquare / 2))];
        }
    }
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < columns; ++column) {
            auto const at = static_cast<std::size_t>(row * columns + column), below = at + static_cast<std::size_t>(columns);
            int const sum = squares[at] + squares[at + 1] + squares[below] + squares[below + 1];
            if (sum <= result.worst) continue;
            result.worst = sum;
            result.where = QRect(column * kSquare / 2, row * kSquare / 2, kSquare, kSquare);
        }
    if (result.worst > 0) {
        QPainter frame(&result.marked);
        frame.setPen(QColor(0, 0, 220));
        frame.drawRect(result.where.adjusted(-3, -3, 3, 3));
    }
    return result;
}

} // namespace tilewright::tests
