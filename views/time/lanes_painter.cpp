#include "views/time/lanes_painter.h"

#include "views/common/format.h"
#include "views/time/pattern_fill.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kPatternWidth = 24;                            // narrower boxes stay plain
constexpr int kSeparatorWidth = 8, kLeastSeparatorWidth = 4; // boxes of one colour need it at smaller widths
constexpr int kMostPassed = 8;                               // maximum number of notches before a notch is considered the normal content
constexpr double kFaded = 0.78;                              // share of the ground in boxes that are not highlighted
constexpr double kPatternInk = 0.2; // share of the ground in pattern lines, so that wide and narrow boxes have the same colour

struct Rows {
    std::vector<QRgb> upper, lower, foot, mark;
    explicit Rows(int width, QRgb ground) : upper(static_cast<std::size_t>(width), ground), lower(upper), foot(upper), mark(upper) {}
    void fill(std::vector<QRgb> &row, int x0, int x1, QRgb color) { std::fill(row.begin() + x0, row.begin() + x1, color); }
};

void fitImage(QImage &image, int width, BandSettings const &settings)
{
    QSize const size(std::max(1, static_cast<int>(std::ceil(width * settings.scale))),
                     std::max(1, static_cast<int>(std::ceil(settings.height * settings.scale))));
    if (image.size() != size || !image.isDetached()) image = QImage(size, QImage::Format_RGB32);
    image.setDevicePixelRatio(settings.scale);
}

bool isPatterned(Token token) { return token == Token::InternalExchange || token == Token::GlobalExchange || token == Token::Stream; }

bool isNarrowNotch(EventStyle const &style, LaneBox const &box) { return style.thin && box.x1 - box.x0 < kNotchWidth; }

/// The box around a narrow notch: the nearest box of another kind that touches it (over other notches), the wider of both sides; -1: none.
int dominantBeside(LaneSet const &set, std::vector<LaneBox> const &boxes, std::size_t notch)
{
    auto const look = [&](int direction) -> LaneBox const * {
        auto i = static_cast<std::ptrdiff_t>(notch);
        for (int passed = 0; passed < kMostPassed; ++passed, i += direction) {
            auto const next = i + direction;
            if (next < 0 || next >= static_cast<std::ptrdiff_t>(boxes.size())) return nullptr;
            auto const &here = boxes[static_cast<std::size_t>(i)], &there = boxes[static_cast<std::size_t>(next)];
            bool const touches = direction > 0 ? there.x0 - here.x1 <= 1 : here.x0 - there.x1 <= 1; // columns are adjacent
            if (!touches || set.style(there.type).hatched) return nullptr;
            if (!set.style(there.type).thin) return &there;
        }
        return nullptr;
    };
    auto const *before = look(-1), *after = look(1);
    if (!before && !after) return -1;
    if (!before || !after) return (before ? before : after)->type;
    return (after->x1 - after->x0 > before->x1 - before->x0 ? after : before)->type;
}

struct Labelled {
    LaneBox const *box = nullptr;
    int width = 0;
};

/// The widest boxes first if there are more than labels.
std::vector<Labelled> toLabel(std::vector<LaneBox> const &boxes, int most, int least)
{
    std::vector<Labelled> wide;
    for (auto const &box : boxes)
        if (box.count == 1 && box.x1 - box.x0 >= least) wide.push_back({&box, box.x1 - box.x0});
    if (static_cast<int>(wide.size()) > most) {
        std::nth_element(wide.begin(), wide.begin() + most, wide.end(), [](auto const &a, auto const &b) { return a.width > b.width; });
        wide.resize(static_cast<std::size_t>(most));
    }
    return wide;
}

void drawCount(QPainter &painter, MergedRun const &run, int height, LabelTexts &texts)
{
    double const line = texts.metrics().height();
    if (line > height - 2) return;
    QString const text = QCoreApplication::translate("views", "%Ln event(s)", nullptr, pluralOf(run.count));
    auto const label = texts.whole(text);
    if (label.width + 2 * kGrid > run.x1 - run.x0) return;
    QRectF pill(0, 0, label.width + 2 * kGrid, line);
    pill.moveCenter(QPointF((run.x0 + run.x1) / 2.0, height / 2.0));
    QColor ground = theme()[Token::Panel];
    ground.setAlpha(215);
    painter.fillRect(pill, ground);
    painter.setPen(theme()[Token::Text]);
    texts.draw(painter, pill.adjusted(kGrid, 0, 0, 0), label);
}

} // namespace

QColor mixed(QColor const &a, QColor const &b, double share)
{
    auto const mix = [&](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

std::vector<QRgb> bandColors(LaneSet const &set, std::vector<char> const &highlight)
{
    bool const some = std::ranges::find_if(highlight, [](char c) { return c != 0; }) != highlight.end();
    std::vector<QRgb> colors;
    colors.reserve(set.styles.size());
    QColor const ground = theme()[Token::Panel];
    for (std::size_t type = 0; type < set.styles.size(); ++type) {
        auto const &style = set.styles[type];
        QColor color = style.hatched ? mixed(theme()[style.token], ground, 0.8) : theme()[style.token];
        if (some && !(type < highlight.size() && highlight[type])) color = mixed(color, ground, kFaded);
        colors.push_back(color.rgb());
    }
    return colors;
}

std::vector<LaneBox> shownStarts(LaneTimeline const &starts, ColumnGrid const &grid)
{
    auto boxes = starts.boxes(grid);
    if (static_cast<int>(boxes.size()) * 8 > grid.width()) boxes.clear(); // closer than 8 px they only make the picture grey
    return boxes;
}

std::vector<LaneBox> startsBehind(std::vector<LaneBox> const &starts, LaneSet const &set, std::vector<LaneBox> const &boxes)
{
    std::vector<LaneBox> behind;
    for (auto const &start : starts) {
        auto const after = std::ranges::upper_bound(boxes, start.x0, {}, &LaneBox::x0);
        bool const covered = after != boxes.begin() && std::prev(after)->x0 < start.x0 && start.x0 < std::prev(after)->x1
            && !set.style(std::prev(after)->type).hatched;
        if (!covered) behind.push_back(start);
    }
    return behind;
}

void paintStarts(QPainter &painter, std::vector<LaneBox> const &starts, QRect const &area)
{
    QColor line = theme()[Token::Text];
    line.setAlpha(70);
    painter.setPen(QPen(line, 1, Qt::DashLine));
    for (auto const &box : starts) painter.drawLine(area.left() + box.x0, area.top(), area.left() + box.x0, area.top() + area.height() - 1);
}

int startNamesHeight(LabelTexts const &texts) { return static_cast<int>(std::ceil(texts.metrics().height())) + 1; }

void paintStartNames(QPainter &painter, LaneTimeline const &starts, std::vector<LaneBox> const &boxes,
                     std::function<QString(std::int64_t time)> const &name, QRect const &strip, LabelTexts &texts)
{
    double free = 0; // positions before it are taken
    painter.setPen(theme()[Token::SecondaryText]);
    QColor ground = theme()[Token::Window];
    ground.setAlpha(225);
    for (auto const &box : boxes) {
        if (box.count != 1 || strip.left() + box.x0 < free) continue;
        auto const label = texts.whole(name(starts.span(box.event).begin));
        QRectF const place(strip.left() + box.x0 + kGrid, strip.top(), label.width, strip.height());
        if (place.right() > strip.left() + strip.width()) break;
        painter.fillRect(place.adjusted(-kGrid + 1, 0, kGrid, 0), ground);
        texts.draw(painter, place, label);
        free = place.right() + kGap;
    }
}

void paintBand(LaneSet const &set, int lane, ColumnGrid const &grid, std::vector<LaneBox> const &boxes, BandSettings const &settings,
               QImage &image)
{
    fitImage(image, grid.width(), settings);
    QColor const panel = theme()[Token::Panel];
    QRgb const ground = panel.rgb();
    QRgb const markColor = theme()[Token::Text].rgb();
    auto const color = [&](int type) {
        return type >= 0 && type < static_cast<int>(settings.colors->size()) ? (*settings.colors)[static_cast<std::size_t>(type)]
                                                                             : theme()[Token::Idle].rgb();
    };
    int const width = image.width();
    Rows rows(width, ground);
    auto const device = [&](int x) { return settings.scale == 1 ? x : std::min(width, static_cast<int>(x * settings.scale)); };
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        auto const &box = boxes[i];
        auto const &style = set.style(box.type);
        int const x0 = device(box.x0), x1 = device(box.x1);
        QRgb const fill = color(box.type);
        int const above = isNarrowNotch(style, box) ? dominantBeside(set, boxes, i) : -1;
        if (above >= 0) {
            for (auto *row : {&rows.upper, &rows.lower}) rows.fill(*row, x0, x1, color(above));
        } else {
            if (!style.thin) rows.fill(rows.upper, x0, x1, fill);
            rows.fill(rows.lower, x0, x1, fill);
        }
        rows.fill(rows.foot, x0, x1, fill);
        rows.fill(rows.mark, x0, x1, box.count > 1 ? markColor : fill);
        bool const alike = i > 0 && boxes[i - 1].x1 >= box.x0 && color(boxes[i - 1].type) == fill;
        if (box.count == 1 && box.x1 - box.x0 >= (alike ? kLeastSeparatorWidth : kSeparatorWidth) && above < 0)
            for (auto *row : {&rows.upper, &rows.lower, &rows.foot, &rows.mark}) (*row)[static_cast<std::size_t>(x0)] = ground;
    }
    // One pixel of ground above and below. Marks of merged events are the lowest rows of the boxes.
    int const height = image.height(), pixel = std::max(1, static_cast<int>(settings.scale));
    int const markRows = height >= 12 * pixel ? 2 * pixel : pixel, footRows = static_cast<int>(notchFoot(settings.height) * settings.scale);
    std::vector<QRgb> const empty(static_cast<std::size_t>(width), ground);
    uchar *const bits = image.bits();
    for (int y = 0; y < height; ++y) {
        auto const &row = y < pixel || y >= height - pixel ? empty
            : y >= height - pixel - markRows               ? rows.mark
            : y < height / 2                               ? rows.upper
            : y < height - pixel - footRows                ? rows.lower
                                                           : rows.foot;
        std::copy(row.begin(), row.end(), reinterpret_cast<QRgb *>(bits + y * image.bytesPerLine()));
    }

    bool const roomy = settings.height >= 12;
    if (!roomy) return;
    for (auto const &box : boxes) {
        if (box.count != 1 || box.x1 - box.x0 < kPatternWidth / 2) continue;
        auto const &style = set.style(box.type);
        bool const patterned = isPatterned(style.token) && box.x1 - box.x0 >= kPatternWidth;
        if (!style.hatched && !patterned) continue;
        int const top = style.thin ? height / 2 : pixel, left = device(box.x0) + pixel;
        QRect const area(left, top, device(box.x1) - left, height - pixel - top);
        QRgb const fill = color(box.type);
        if (style.hatched) {
            fillPattern(image, area, QBrush(mixed(theme()[style.token], panel, 0.35), Qt::FDiagPattern), fill);
        } else {
            QBrush brush = phaseBrush(style.token, true);
            brush.setColor(mixed(QColor(fill), panel, kPatternInk));
            fillPattern(image, area, brush, fill);
        }
    }
    if (!settings.texts || settings.height < settings.texts->metrics().height() + 1) return;
    auto &texts = *settings.texts;
    QPainter painter(&image);
    int const least = set.letter ? static_cast<int>(std::ceil(texts.metrics().horizontalAdvance(QLatin1Char('i')))) + 2 : kLabelWidth;
    for (auto const &[box, boxWidth] : toLabel(boxes, settings.labels, least)) {
        auto const &style = set.style(box->type);
        if (boxWidth < kLabelWidth) {         // a short label, or one letter if it has room
            double const room = boxWidth - 2; // the first column is the separator
            auto label = texts.whole(set.labelOf(lane, box->event));
            if (label.width > room) label = texts.whole(set.letter(lane, box->event));
            if (label.isEmpty() || label.width > room) continue;
            double const free = boxWidth - 1 - label.width;
            painter.setPen(textOn(QColor(color(box->type))));
            texts.draw(painter, QRectF(box->x0 + 1 + free / 2, 0, label.width, settings.height), label);
            continue;
        }
        QString const text = set.labelOf(lane, box->event);
        if (text.isEmpty() || (style.thin && settings.height < 2 * texts.metrics().height())) continue;
        QRectF const area(box->x0 + kGrid, style.thin ? settings.height / 2.0 : 0.0, boxWidth - kGrid - 2,
                          style.thin ? settings.height / 2.0 : settings.height);
        auto const label = texts.fitted(text, area.width());
        if (label.isEmpty()) continue;
        QColor const fill(color(box->type));
        if (isPatterned(style.token)) { // text needs a plain ground: the pattern begins after the label, over the whole height of the box
            double const top = style.thin ? settings.height / 2.0 : 1.0, end = std::min(area.left() + label.width + kGrid, box->x1 + 0.0);
            painter.fillRect(QRectF(box->x0 + 1, top, end - box->x0 - 1, settings.height - 1 - top), fill);
        }
        painter.setPen(textOn(fill));
        texts.draw(painter, area, label);
    }
    int counts = settings.labels / 10; // with dozens of lanes the marks alone must suffice
    if (counts == 0) return;
    for (auto const &run : mergedRuns(boxes)) {
        if (run.x1 - run.x0 < 64) continue;
        drawCount(painter, run, settings.height, texts);
        if (--counts == 0) break;
    }
}

void paintChartBand(Lane const &lane, ColumnGrid const &grid, BandSettings const &settings, QImage &image)
{
    fitImage(image, grid.width(), settings);
    QColor const panel = theme()[Token::Panel];
    image.fill(panel);
    LaneChart const &chart = *lane.chart;
    auto const up = chart.up.columns(grid), down = chart.down.columns(grid);
    auto const peakOf = [](double given, std::vector<SeriesStat> const &columns) {
        if (given > 0) return given;
        double largest = 0;
        for (auto const &stat : columns)
            if (stat.count > 0) largest = std::max(largest, stat.max);
        return largest > 0 ? largest : 1;
    };
    int const half = image.height() / 2;
    uchar *const bits = image.bits();
    auto const draw = [&](std::vector<SeriesStat> const &columns, double peak, Token token, int direction) {
        auto const reach = [&](double value) { return std::clamp(static_cast<int>(std::lround(value / peak * (half - 2))), 0, half - 1); };
        QRgb const strong = theme()[token].rgb(), pale = mixed(theme()[token], panel, 0.6).rgb();
        for (int x = 0; x < image.width(); ++x) {
            auto const &stat = columns[std::min(columns.size() - 1, static_cast<std::size_t>(x / settings.scale))];
            if (stat.count == 0) continue;
            // Nonzero values get at least a pixel: the mean solid, up to the maximum pale, the maximum a solid dot.
            int const mean = reach(stat.mean()), most = std::max(reach(stat.max), stat.max > 0 ? 1 : 0);
            for (int k = 1; k <= most; ++k) {
                int const y = half - direction * k;
                if (y < 0 || y >= image.height()) break;
                reinterpret_cast<QRgb *>(bits + y * image.bytesPerLine())[x] = k <= mean || k == most ? strong : pale;
            }
        }
    };
    draw(up, peakOf(chart.upPeak, up), chart.upToken, 1);
    draw(down, peakOf(chart.downPeak, down), chart.downToken, -1);
    QPainter painter(&image);
    painter.setPen(theme()[Token::Border]);
    painter.drawLine(QLineF(0, settings.height / 2.0, grid.width(), settings.height / 2.0));
    painter.setPen(QPen(theme()[Token::Grid], 1, Qt::DashLine));
    for (double const y : {1.5, settings.height - 1.5}) painter.drawLine(QLineF(0, y, grid.width(), y));
}

} // namespace tilewright::views
