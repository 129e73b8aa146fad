#include "engine/program/fragments.h"
#include "tests/engine/program/random_layout.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

namespace {

/// Where the elements of a variable lie, one by one: (tile, element of the block) by group and flat index.
class Places {
public:
    explicit Places(Layout const &layout)
    {
        for (auto const &placed : placements(layout)) {
            std::int64_t offset = 0;
            auto const &b = placed.box;
            for (auto g = b.g0; g < b.g1; ++g)
                for (auto r = b.r0; r < b.r1; ++r)
                    for (auto c = b.c0; c < b.c1; ++c) {
                        bool const columns = layout.kind == Groups::Columns;
                        auto const flat = r * layout.tensorCols() + (columns ? g * layout.extent[2] : 0) + c;
                        m_at[{columns ? 0 : g, flat}] = {placed.tile, offset++};
                    }
        }
    }
    std::pair<int, std::int64_t> at(std::int64_t group, std::int64_t flat) const { return m_at.at({group, flat}); }

private:
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<int, std::int64_t>> m_at;
};

struct Element {
    int srcTile;
    std::int64_t srcOffset;
    int dstTile;
    std::int64_t dstOffset;
    auto operator<=>(Element const &) const = default;
};

/// The transfer element by element, from the words that define it.
std::vector<Element> model(Program const &p, Transfer const &t)
{
    auto const &src = p.var(t.src).layout, &dst = p.var(t.dst).layout;
    Places const from(src), to(dst);
    std::vector<std::pair<std::int64_t, std::int64_t>> groups; // source, destination
    if (dst.kind == Groups::Copies) {
        for (std::int64_t g = 0; g < dst.extent[0]; ++g) groups.emplace_back(std::max(t.srcGroup, 0), g);
    } else if (dst.kind == Groups::Partials && t.dstGroup < 0) {
        for (std::int64_t g = 0; g < dst.extent[0]; ++g) groups.emplace_back(t.srcGroup >= 0 ? t.srcGroup : g, g);
    } else {
        groups.emplace_back(std::max(t.srcGroup, 0), std::max(t.dstGroup, 0));
    }
    std::vector<Element> all;
    for (auto const &[gs, gd] : groups)
        for (std::int64_t i = 0; i < t.rows; ++i)
            for (std::int64_t c = 0; c < t.cols; ++c) {
                auto const a = from.at(src.kind == Groups::Columns ? 0 : gs, t.src0 + i * t.srcStride + c);
                auto const b = to.at(dst.kind == Groups::Columns ? 0 : gd, t.dst0 + i * t.dstStride + c);
                all.push_back({a.first, a.second, b.first, b.second});
            }
    std::ranges::sort(all);
    return all;
}

std::int64_t upTo(RandomStream &random, std::int64_t limit)
{
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit)));
}

} // namespace

class TstFragments : public QObject {
    Q_OBJECT

    /// Two variables and a random transfer between them; counts what kinds came up.
    static std::pair<Program, Transfer> randomTransfer(RandomStream &random)
    {
        auto p = emptyProgram(48, 2);
        auto const rows = upTo(random, 14), cols = upTo(random, 14);
        static constexpr Groups kSources[] = {Groups::None, Groups::None, Groups::Columns, Groups::Copies, Groups::Partials};
        static constexpr Groups kTargets[] = {Groups::None, Groups::None, Groups::Columns, Groups::Copies, Groups::Partials};
        auto const groups = upTo(random, 4);
        auto const dstKind = kTargets[random.below(5)];
        // All addends at once come from as many addends.
        bool const oneGroup = random.below(2) == 1;
        auto const srcKind = dstKind == Groups::Partials && !oneGroup ? Groups::Partials : kSources[random.below(5)];
        Transfer t;
        bool const sameShape = random.below(3) == 0;
        auto const srcRows = sameShape ? rows : upTo(random, 14), srcCols = sameShape ? cols : upTo(random, 14);
        t.src = addVariable(p, "src", randomLayout(random, srcRows, srcCols, srcKind, groups, 48, 0));
        t.dst = addVariable(p, "dst", randomLayout(random, rows, cols, dstKind, groups, 48, static_cast<int>(random.below(2))));
        auto const n = srcRows * srcCols, m = rows * cols;
        switch (random.below(4)) {
        case 0: // whole, if it is one
            t.rows = std::min(srcRows, rows);
            t.cols = std::min(srcCols, cols);
            t.srcStride = srcCols;
            t.dstStride = cols;
            break;
        case 1: // a window of aligned rows
            t.rows = upTo(random, std::min(srcRows, rows));
            t.cols = upTo(random, std::min(srcCols, cols));
            t.src0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(srcRows - t.rows + 1))) * srcCols
                + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(srcCols - t.cols + 1)));
            t.dst0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(rows - t.rows + 1))) * cols
                + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(cols - t.cols + 1)));
            t.srcStride = srcCols;
            t.dstStride = cols;
            break;
        case 2: // one run through both, rows wrapping anywhere
            t.cols = upTo(random, std::min(n, m));
            t.src0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n - t.cols + 1)));
            t.dst0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(m - t.cols + 1)));
            break;
        default: // runs in any strides
            t.cols = upTo(random, std::min(n, m));
            t.rows = upTo(random, std::max<std::int64_t>(1, std::min(n, m) / t.cols));
            t.srcStride = t.rows > 1 ? static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>((n - t.cols) / (t.rows - 1) + 1))) : 0;
            t.dstStride = t.rows > 1 ? t.cols + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>((m - t.rows * t.cols) / (t.rows - 1) + 1))) : 0;
            t.src0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n - t.cols - (t.rows - 1) * t.srcStride + 1)));
            t.dst0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(m - t.cols - (t.rows - 1) * t.dstStride + 1)));
            break;
        }
        if (srcKind == Groups::Partials && (dstKind != Groups::Partials || oneGroup))
            t.srcGroup = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(groups)));
        if (dstKind == Groups::Partials && oneGroup) t.dstGroup = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(groups)));
        Exchange exchange;
        exchange.name = "exchange";
        exchange.transfers = {t};
        p.exchanges.push_back(std::move(exchange));
        auto const step = addStep(p, StepKind::Exchange, p.main, "exchange");
        p.steps[step.index].exchange = ExchangeId(0);
        return {std::move(p), t};
    }

private slots:
    void everyElementMovesExactlyOnceToItsPlace()
    {
        std::map<std::pair<int, int>, int> kinds;
        int wrapped = 0, merged = 0;
        for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
            RandomStream random(deriveSeed(17, seed));
            auto const [p, t] = randomTransfer(random);
            auto const ok = verify(p);
            QVERIFY2(ok.ok(), qPrintable(QString("seed %1: %2").arg(seed).arg(ok.ok() ? "" : QString::fromStdString(toText(ok.error())))));
            std::vector<Element> moved;
            std::size_t fragments = 0;
            forEachFragment(p, t, [&](Fragment const &f) {
                ++fragments;
                for (std::int64_t i = 0; i < f.elements; ++i) moved.push_back({f.srcTile, f.srcOffset + i, f.dstTile, f.dstOffset + i});
            });
            std::ranges::sort(moved);
            QVERIFY2(moved == model(p, t),
                     qPrintable(QString("seed %1: %2 to %3").arg(seed).arg(QString::fromStdString(toText(p.var(t.src).layout)),
                                                                            QString::fromStdString(toText(p.var(t.dst).layout)))));
            ++kinds[{static_cast<int>(p.var(t.src).layout.kind), static_cast<int>(p.var(t.dst).layout.kind)}];
            wrapped += !detail::windowOf(p, t).aligned;
            merged += fragments < moved.size();
        }
        // All pairings of kinds, aligned and wrapped, runs longer than an element.
        QVERIFY(kinds.size() >= 16);
        QVERIFY(wrapped > 500 && merged > 1000);
    }
    void rectanglesAreTheSameFragments()
    {
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            RandomStream random(deriveSeed(18, seed));
            auto const [p, t] = randomTransfer(random);
            std::int64_t elements = 0, first = 0, onlyFirst = 0;
            forEachRect(p, t, false, [&](Rect const &r) {
                elements += r.rows * r.cols;
                if (r.firstCopy) first += r.rows * r.cols;
            });
            // Copies beyond the first may be left out; they are marked as such when they are not.
            forEachRect(p, t, true, [&](Rect const &r) { onlyFirst += r.rows * r.cols; });
            auto const &dst = p.var(t.dst).layout;
            bool const all = dst.kind == Groups::Copies || (dst.kind == Groups::Partials && t.dstGroup < 0);
            QCOMPARE(elements, t.rows * t.cols * (all ? dst.extent[0] : 1));
            QCOMPARE(first, onlyFirst);
            if (dst.kind == Groups::Copies) QCOMPARE(onlyFirst, t.rows * t.cols);
        }
    }
};

TW_REGISTER_TEST(TstFragments);
#include "tst_fragments.moc"
