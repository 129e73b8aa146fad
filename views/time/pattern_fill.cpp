#include "views/time/pattern_fill.h"

#include <QPainter>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace tilewright::views {

namespace {

constexpr int kPeriod = 8; // of all Qt brush patterns
constexpr int kWidth = 64;
constexpr std::size_t kMost = 256;

QImage const &sample(QBrush const &pattern, QRgb ground)
{
    static std::map<std::tuple<int, QRgb, QRgb>, QImage> samples; // used by one thread, the one that draws
    if (samples.size() > kMost) samples.clear();
    auto &image = samples[{pattern.style(), pattern.color().rgb(), ground}];
    if (image.isNull()) {
        image = QImage(kWidth, kPeriod, QImage::Format_RGB32);
        image.fill(ground);
        QPainter(&image).fillRect(image.rect(), pattern);
    }
    return image;
}

} // namespace

void fillPattern(QImage &image, QRect area, QBrush const &pattern, QRgb ground)
{
    area &= image.rect();
    if (area.isEmpty()) return;
    QImage const &from = sample(pattern, ground);
    for (int y = area.top(); y <= area.bottom(); ++y) {
        auto *row = reinterpret_cast<QRgb *>(image.scanLine(y));
        auto const *source = reinterpret_cast<QRgb const *>(from.constScanLine(y % kPeriod));
        for (int x = area.left(); x <= area.right();) {
            int const offset = x % kPeriod, length = std::min(area.right() + 1 - x, kWidth - offset);
            std::memcpy(row + x, source + offset, static_cast<std::size_t>(length) * sizeof(QRgb));
            x += length;
        }
    }
}

} // namespace tilewright::views
