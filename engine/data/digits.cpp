#include "engine/data/digits.h"

#include "engine/core/parallel.h"
#include "engine/core/random.h"
#include "engine/data/digit_glyphs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>

// Only + - * / and square roots of floats, and no contraction to fused multiply-add (set in CMakeLists.txt):
// IEEE arithmetic then gives the same image everywhere.

namespace tilewright::data {

namespace {

constexpr int kSide = static_cast<int>(kDigitSide);
constexpr int kClasses = 10;
constexpr float kUnit = 2.0f;       ///< pixels per unit of a glyph: 20 of the 28 pixels
constexpr int kGrid = 4;            ///< nodes a side of the elastic field
constexpr int kSegmentsPerSpan = 5; ///< straight pieces between two points of a curve
constexpr std::size_t kMaxPoints = 512;

// How far hands differ. Chosen so that a linear classifier stays well under 95 % and the 784-256-128-10
// network of the tutorial ends above 98 % (train) and 97.5 % (test); see tests/engine/data/bench_digits.cpp.
constexpr float kRotation = 0.17f; ///< radians, standard deviation
constexpr float kShear = 0.20f;
constexpr float kShift = 1.0f;        ///< pixels
constexpr float kPointJitter = 0.34f; ///< units, each point of a stroke on its own
constexpr float kElastic = 0.60f;     ///< units, nodes of the elastic field
constexpr float kMaxNoise = 0.10f;    ///< of full ink

class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_stream(seed) {}
    std::uint64_t bits() { return m_stream.next(); }
    float uniform() { return unitFloat(m_stream.next()); }
    float between(float low, float high) { return low + (high - low) * uniform(); }
    float normal() { return normalOf(m_stream.next()); }
    /// Sum of four uniform numbers, scaled to variance 1: close to normal, bounded by ±3.5.
    static float normalOf(std::uint64_t bits)
    {
        auto const sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
        return (static_cast<float>(sum) * (1.0f / 65536.0f) - 2.0f) * 1.7320508f;
    }

private:
    RandomStream m_stream;
};

struct PenPoint {
    float x = 0, y = 0, radius = 0;
};

struct Segment {
    PenPoint from, to;
};

/// Smooth random displacement of the square: values at nodes, blended with 3t² − 2t³ between them.
class ElasticField {
public:
    ElasticField(Dice &dice, float amplitude)
    {
        for (auto &node : m_nodes) node = {amplitude * dice.normal(), amplitude * dice.normal()};
    }
    GlyphPoint at(GlyphPoint p) const
    {
        float const gx = std::clamp(p.x * 0.1f, 0.0f, 1.0f) * (kGrid - 1), gy = std::clamp(p.y * 0.1f, 0.0f, 1.0f) * (kGrid - 1);
        int const ix = std::min(static_cast<int>(gx), kGrid - 2), iy = std::min(static_cast<int>(gy), kGrid - 2);
        float const u = blend(gx - static_cast<float>(ix)), v = blend(gy - static_cast<float>(iy));
        auto const &a = node(ix, iy), &b = node(ix + 1, iy), &c = node(ix, iy + 1), &d = node(ix + 1, iy + 1);
        float const topX = a.x + u * (b.x - a.x), lowX = c.x + u * (d.x - c.x);
        float const topY = a.y + u * (b.y - a.y), lowY = c.y + u * (d.y - c.y);
        return {topX + v * (lowX - topX), topY + v * (lowY - topY)};
    }

private:
    static float blend(float t) { return t * t * (3.0f - 2.0f * t); }
    GlyphPoint const &node(int x, int y) const { return m_nodes[static_cast<std::size_t>(y * kGrid + x)]; }
    std::array<GlyphPoint, kGrid * kGrid> m_nodes;
};

Glyph const &chooseGlyph(int digit, float dice)
{
    float total = 0;
    Glyph const *last = nullptr;
    for (auto const &glyph : digitGlyphs())
        if (glyph.digit == digit) total += glyph.weight;
    float left = dice * total;
    for (auto const &glyph : digitGlyphs()) {
        if (glyph.digit != digit) continue;
        last = &glyph;
        left -= glyph.weight;
        if (left < 0) break;
    }
    return *last;
}

/// Catmull-Rom: the curve through p1 (t = 0) and p2 (t = 1), with tangents from their neighbours.
GlyphPoint curve(GlyphPoint p0, GlyphPoint p1, GlyphPoint p2, GlyphPoint p3, float t)
{
    float const t2 = t * t, t3 = t2 * t;
    float const a = 0.5f * (2.0f * t2 - t3 - t), b = 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f), c = 0.5f * (4.0f * t2 - 3.0f * t3 + t),
                d = 0.5f * (t3 - t2);
    return {a * p0.x + b * p1.x + c * p2.x + d * p3.x, a * p0.y + b * p1.y + c * p2.y + d * p3.y};
}

/// Calls add(point) along the stroke.
template <typename Add> void follow(std::span<GlyphPoint const> stroke, Add &&add)
{
    auto const n = stroke.size();
    bool const closed = n > 3 && stroke.front() == stroke.back();
    add(stroke.front());
    for (std::size_t i = 0; i + 1 < n; ++i) {
        auto const p1 = stroke[i], p2 = stroke[i + 1];
        if (p1 == p2) continue; // a corner: the neighbours below do not look across it
        auto const before = i > 0 ? stroke[i - 1] : closed ? stroke[n - 2] : p1;
        auto const after = i + 2 < n ? stroke[i + 2] : closed ? stroke[1] : p2;
        for (int k = 1; k <= kSegmentsPerSpan; ++k) add(curve(before, p1, p2, after, static_cast<float>(k) / kSegmentsPerSpan));
    }
}

/// The strokes of a glyph under this writer's hand, in pixels.
class Hand {
public:
    explicit Hand(Dice &dice) : m_field(dice, kElastic), m_jitterSeed(dice.bits())
    {
        float const t = 0.5f * kRotation * dice.normal(); // tangent of half the angle, near enough
        m_cos = (1 - t * t) / (1 + t * t);
        m_sin = 2 * t / (1 + t * t);
        m_shear = 0.10f + kShear * dice.normal();
        float const size = dice.between(0.84f, 1.08f);
        m_scaleX = kUnit * size * dice.between(0.78f, 1.12f);
        m_scaleY = kUnit * size * dice.between(0.9f, 1.08f);
        m_x = 13.5f + kShift * dice.normal();
        m_y = 13.5f + kShift * dice.normal();
        m_radius = dice.between(0.55f, 1.35f);
        m_pressure = 0.35f * dice.normal(); // thicker or thinner towards the end
    }

    std::size_t segments(Glyph const &glyph, std::span<Segment> out) const
    {
        std::size_t count = 0;
        std::vector<GlyphPoint> moved;
        for (auto const &stroke : glyph.strokes) {
            moved.clear();
            for (auto const p : stroke) moved.push_back(jittered(p));
            auto const total = static_cast<float>(moved.size() * kSegmentsPerSpan);
            bool first = true;
            float way = 0;
            PenPoint last;
            follow(moved, [&](GlyphPoint p) {
                float const along = way / total - 0.5f;
                way += 1;
                auto const next = onPaper(p, std::clamp(m_radius * (1 + m_pressure * along), 0.45f, 1.7f));
                if (!first && count < out.size()) out[count++] = {last, next};
                first = false;
                last = next;
            });
        }
        keepOnPaper(out.first(count));
        return count;
    }

private:
    GlyphPoint jittered(GlyphPoint p) const
    {
        auto const key = static_cast<std::uint64_t>(p.x * 16) << 8 | static_cast<std::uint64_t>(p.y * 16);
        float const dx = Dice::normalOf(randomBits(m_jitterSeed, 2 * key)), dy = Dice::normalOf(randomBits(m_jitterSeed, 2 * key + 1));
        return {p.x + kPointJitter * dx, p.y + kPointJitter * dy};
    }
    PenPoint onPaper(GlyphPoint p, float radius) const
    {
        auto const shift = m_field.at(p);
        float const x = (p.x + shift.x - 5) * m_scaleX, y = (p.y + shift.y - 5) * m_scaleY;
        float const slanted = x - m_shear * y;
        return {m_x + m_cos * slanted - m_sin * y, m_y + m_sin * slanted + m_cos * y, radius};
    }
    /// Shifts a digit that would leave the image back, as a person writes inside the box.
    static void keepOnPaper(std::span<Segment> segments)
    {
        float lowX = kSide, highX = 0, lowY = kSide, highY = 0;
        for (auto const &s : segments) {
            for (auto const *p : {&s.from, &s.to}) {
                lowX = std::min(lowX, p->x);
                highX = std::max(highX, p->x);
                lowY = std::min(lowY, p->y);
                highY = std::max(highY, p->y);
            }
        }
        constexpr float kLow = 1.5f, kHigh = kSide - 2.5f;
        float const dx = lowX < kLow ? kLow - lowX : highX > kHigh ? kHigh - highX : 0;
        float const dy = lowY < kLow ? kLow - lowY : highY > kHigh ? kHigh - highY : 0;
        for (auto &s : segments) {
            for (auto *p : {&s.from, &s.to}) {
                p->x += dx;
                p->y += dy;
            }
        }
    }

    ElasticField m_field;
    std::uint64_t m_jitterSeed;
    float m_cos, m_sin, m_shear, m_scaleX, m_scaleY, m_x, m_y, m_radius, m_pressure;
};

using Canvas = std::array<float, kSide * kSide>;

/// Ink of a segment: 1 inside the pen's radius, falling to 0 over `soft` pixels; overlaps keep the darker.
void drawSegment(Segment const &s, float soft, Canvas &canvas)
{
    float const reach = std::max(s.from.radius, s.to.radius) + soft;
    auto const low = [&](float a, float b) { return std::max(0, static_cast<int>(std::min(a, b) - reach)); };
    auto const high = [&](float a, float b) { return std::min(kSide - 1, static_cast<int>(std::max(a, b) + reach + 1)); };
    int const x0 = low(s.from.x, s.to.x), x1 = high(s.from.x, s.to.x);
    int const y0 = low(s.from.y, s.to.y), y1 = high(s.from.y, s.to.y);
    float const dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
    float const length2 = dx * dx + dy * dy;
    float const inverse = length2 > 1e-9f ? 1 / length2 : 0;
    float const inverseSoft = 1 / soft;
    float const radius = 0.5f * (s.from.radius + s.to.radius);
    for (int y = y0; y <= y1; ++y) {
        float const py = static_cast<float>(y) - s.from.y;
        float *const row = canvas.data() + y * kSide;
        for (int x = x0; x <= x1; ++x) {
            float const px = static_cast<float>(x) - s.from.x;
            float const t = std::min(1.0f, std::max(0.0f, (px * dx + py * dy) * inverse));
            float const ex = px - t * dx, ey = py - t * dy;
            float const ink = 0.5f + (radius - std::sqrt(ex * ex + ey * ey)) * inverseSoft;
            row[x] = std::max(row[x], std::min(1.0f, ink));
        }
    }
}

/// Mixes each pixel with the mean of its four neighbours.
void blur(Canvas &canvas, float amount)
{
    Canvas const old = canvas;
    for (int y = 1; y + 1 < kSide; ++y) {
        float const *const row = old.data() + y * kSide;
        float *const out = canvas.data() + y * kSide;
        for (int x = 1; x + 1 < kSide; ++x)
            out[x] = (1 - amount) * row[x] + 0.25f * amount * (row[x - 1] + row[x + 1] + row[x - kSide] + row[x + kSide]);
    }
}

/// Labels in blocks of ten, each a random order of the ten digits: balanced, and a prefix stays balanced.
void drawLabels(std::uint64_t seed, std::span<std::uint8_t> labels)
{
    for (std::size_t block = 0; block * kClasses < labels.size(); ++block) {
        RandomStream stream(deriveSeed(seed, block));
        std::array<std::uint8_t, kClasses> order{};
        for (std::size_t i = 0; i < kClasses; ++i) {
            auto const j = stream.below(i + 1);
            order[i] = order[j];
            order[j] = static_cast<std::uint8_t>(i);
        }
        for (std::size_t i = 0; i < kClasses && block * kClasses + i < labels.size(); ++i) labels[block * kClasses + i] = order[i];
    }
}

/// Draws the images of one part of the set.
class DigitMaker final : public RecordMaker {
public:
    DigitMaker(std::uint64_t seed, std::int64_t count, std::shared_ptr<std::byte> pixels, std::shared_ptr<std::byte const> labels)
        : m_seed(seed), m_count(count), m_pixels(std::move(pixels)), m_labels(std::move(labels)), m_states(static_cast<std::size_t>(count)),
          m_left(count)
    {
    }

    void make(std::int64_t first, std::int64_t count) override
    {
        if (m_left.load(std::memory_order_acquire) == 0) return;
        for (auto i = first; i < first + count; ++i) makeOne(i);
    }

    std::int64_t made() const override { return m_count - m_left.load(std::memory_order_acquire); }

    std::uint64_t identity() const override
    {
        constexpr std::uint64_t kVersion = 1; // of the drawing: to be raised when its pixels change
        return deriveSeed(deriveSeed(m_seed, kVersion), static_cast<std::uint64_t>(m_count));
    }

private:
    enum State : std::uint8_t { Blank, Begun, Done };

    void makeOne(std::int64_t i)
    {
        auto &state = m_states[static_cast<std::size_t>(i)];
        for (;;) {
            auto seen = state.load(std::memory_order_acquire);
            if (seen == Done) return;
            if (seen == Begun) state.wait(Begun, std::memory_order_acquire); // some microseconds
            else if (state.compare_exchange_strong(seen, Begun, std::memory_order_acquire)) break;
        }
        struct Leave {
            std::atomic<std::uint8_t> &state;
            State to = Blank; // drawing may run out of memory: the next who asks tries again
            ~Leave()
            {
                state.store(to, std::memory_order_release);
                state.notify_all();
            }
        } leave{state};
        auto *const image = reinterpret_cast<std::uint8_t *>(m_pixels.get()) + i * kSide * kSide;
        drawDigit(m_seed, static_cast<std::uint64_t>(i), std::to_integer<int>(m_labels.get()[i]),
                  std::span<std::uint8_t, 784>(image, kSide * kSide));
        leave.to = Done;
        m_left.fetch_sub(1, std::memory_order_acq_rel);
    }

    std::uint64_t m_seed;
    std::int64_t m_count;
    std::shared_ptr<std::byte> m_pixels;
    std::shared_ptr<std::byte const> m_labels;
    std::vector<std::atomic<std::uint8_t>> m_states;
    std::atomic<std::int64_t> m_left; ///< images that are not drawn
};

struct Part {
    DataArray x, y;
};

Result<Part> preparePart(std::uint64_t seed, std::int64_t count)
{
    TW_ASSIGN(auto pixels, allocateBytes(count * kSide * kSide, "digits"));
    TW_ASSIGN(auto const labels, allocateBytes(count, "digits"));
    drawLabels(deriveSeed(seed, ~std::uint64_t{0}), {reinterpret_cast<std::uint8_t *>(labels.get()), static_cast<std::size_t>(count)});
    Part part;
    part.x = DataArray{DType::U8, {count, kSide, kSide}, pixels, {}};
    part.y = DataArray{DType::U8, {count}, labels, {}};
    part.x.origin.file = part.y.origin.file = "digits";
    part.x.maker = std::make_shared<DigitMaker>(seed, count, std::move(pixels), labels);
    return part;
}

} // namespace

void drawDigit(std::uint64_t streamSeed, std::uint64_t index, int digit, std::span<std::uint8_t, 784> image)
{
    Dice dice(deriveSeed(streamSeed, index));
    auto const &glyph = chooseGlyph(digit, dice.uniform());
    Hand const hand(dice);
    std::array<Segment, kMaxPoints> segments;
    auto const count = hand.segments(glyph, segments);
    float const soft = dice.between(0.9f, 1.5f);
    float const ink = dice.between(0.78f, 1.06f), smear = dice.between(0, 0.45f);
    float noise = dice.uniform();
    noise = kMaxNoise * noise * noise; // mostly clean
    float const grain = dice.between(0, 0.25f);

    Canvas canvas{};
    for (std::size_t i = 0; i < count; ++i) drawSegment(segments[i], soft, canvas);
    blur(canvas, smear);
    std::uint64_t const noiseSeed = dice.bits();
    for (std::size_t i = 0; i < canvas.size(); i += 4) {
        auto const bits = randomBits(noiseSeed, i);
        for (std::size_t k = 0; k < 4; ++k) {
            // Two bytes of each 16 bits: a triangular number for the paper's noise, one for the ink's grain.
            auto const piece = static_cast<std::uint32_t>(bits >> (16 * k)) & 0xffff;
            float const a = static_cast<float>(piece & 0xff) * (1.0f / 255.0f), b = static_cast<float>(piece >> 8) * (1.0f / 255.0f);
            float const value = canvas[i + k] * ink * (1 - grain * a) + noise * (a + b - 0.9f);
            image[i + k] = static_cast<std::uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
        }
    }
}

Result<Dataset> digitsOnDemand(DigitOptions const &options)
{
    constexpr std::int64_t kMaxCount = 100'000'000;
    if (options.trainCount < 0 || options.testCount < 0 || options.trainCount > kMaxCount || options.testCount > kMaxCount)
        return makeError(ErrorKind::Invalid, "data.digits.count", "data", Message::of("the number of digits must be 0 to 100,000,000."));
    TW_ASSIGN(auto train, preparePart(deriveSeed(options.seed, 1), options.trainCount));
    TW_ASSIGN(auto test, preparePart(deriveSeed(options.seed, 2), options.testCount));
    Dataset dataset;
    dataset.name = "digits";
    dataset.x = std::move(train.x);
    dataset.y = std::move(train.y);
    if (options.testCount > 0) {
        dataset.testX = std::move(test.x);
        dataset.testY = std::move(test.y);
    }
    dataset.scale = 1.0 / 255;
    dataset.describe = Message::of("Embedded generator of digits that look handwritten, seed %1.", std::to_string(options.seed));
    TW_ASSIGN(dataset.contentHash, hashOf(dataset, {}));
    return dataset;
}

Result<Dataset> generateDigits(DigitOptions const &options, JobContext const &job)
{
    TW_ASSIGN(auto dataset, digitsOnDemand(options));
    int const threads = options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    ThreadPool pool(std::min(threads, 256));
    std::int64_t done = 0;
    for (auto *const array : {&dataset.x, &dataset.testX}) {
        JobContext part = job;
        part.progress = [&](std::string_view phase, double fraction) {
            auto const made = static_cast<double>(done) + fraction * static_cast<double>(array->count());
            job.report(phase, made / static_cast<double>(options.trainCount + options.testCount));
        };
        TW_TRY(makeRecords(*array, pool, part));
        done += array->count();
        array->maker.reset();
    }
    TW_ASSIGN(dataset.contentHash, hashOf(dataset, job));
    return dataset;
}

} // namespace tilewright::data
