#pragma once

#include "tests/engine/program/random_layout.h"

#include "engine/program/pieces.h"

#include <numeric>

/// Random transfers between random layouts, and the elements they move.
namespace tilewright::tests {

struct Moved {
    int srcTile;
    std::int64_t srcOffset;
    int dstTile;
    std::int64_t dstOffset;
    auto operator<=>(Moved const &) const = default;
};

/// The transfer as its loops say, one element after the other.
inline std::vector<Moved> movedElements(program::Program const &p, program::Transfer const &t)
{
    using namespace program;
    auto const &src = p.var(t.src).layout, &dst = p.var(t.dst).layout;
    struct Spot {
        int tile;
        std::int64_t offset;
    };
    using Places = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Spot>>; // by part and element
    auto const placesOf = [](Layout const &l, bool source, bool rowMajor) {
        Places places;
        Layout plain = l;
        if (rowMajor) {
            plain.order = {0, 1, 2, 3, 4, 5};
            for (auto &dim : plain.dims) dim.group = 1;
        }
        for (auto const &[tile, blocks] : contentsOf(plain)) {
            auto const &held = blocks.front();
            // Of several blocks the last that begins (without its halo) at or before the element; of several copies the first.
            auto const isRead = [&](Element const &e) {
                for (std::size_t d = 0; d < static_cast<std::size_t>(l.rank); ++d) {
                    auto const &dim = l.dims[d];
                    if (dim.kind == DimKind::Copy && e[d] != 0) return false;
                    std::int64_t owner = 0;
                    while (owner + 1 < dim.count && (owner + 1) * dim.step <= e[d]) ++owner;
                    if (held.block[d] != owner) return false;
                }
                return true;
            };
            for (std::size_t i = 0; i < held.elements.size(); ++i) {
                auto const &e = held.elements[i];
                if (!source || isRead(e)) places[{partOf(l, e), flatOf(l, e)}].push_back({tile, static_cast<std::int64_t>(i)});
            }
        }
        return places;
    };
    auto const from = placesOf(src, true, false), to = placesOf(dst, false, t.rowMajor);
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    if (dst.has(DimKind::Addend) && t.dstPart < 0)
        for (std::int64_t k = 0; k < dst.parts(); ++k) parts.emplace_back(t.srcPart >= 0 ? t.srcPart : src.partDim() < 0 ? 0 : k, k);
    else parts.emplace_back(std::max(t.srcPart, 0), std::max(t.dstPart, 0));
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs; // source, destination element
    if (t.loops.empty())
        for (std::int64_t i = 0; i < dst.indexElements(); ++i) pairs.emplace_back(i, i);
    else pairs.emplace_back(t.src0, t.dst0);
    for (auto const &loop : t.loops) {
        auto const before = pairs;
        pairs.clear();
        for (auto const &[a, b] : before)
            for (std::int64_t i = 0; i < loop.count; ++i) pairs.emplace_back(a + i * loop.src, b + i * loop.dst);
    }
    std::vector<Moved> all;
    for (auto const &[srcPart, dstPart] : parts)
        for (auto const &[a, b] : pairs) {
            auto const spots = to.find({dstPart, b});
            if (spots == to.end()) continue; // between the windows of a strided reader
            auto const source = from.at({srcPart, a}).front();
            for (auto const &spot : spots->second) all.push_back({source.tile, source.offset, spot.tile, spot.offset});
        }
    std::ranges::sort(all);
    return all;
}

/// Calls visit(source tile, destination tile, offsets, elements, whether it is the first copy) for each run.
template <typename Visit> void forEachRun(program::Program const &p, program::Transfer const &t, Visit const &visit)
{
    auto const &dst = p.var(t.dst).layout;
    auto const shifts = dst.copyShifts();
    program::Expansion(p.var(t.src).layout, dst, t).forEach([&](program::Piece const &piece) {
        for (std::size_t i = 0; i < shifts.size(); ++i)
            piece.forEachRun([&](std::int64_t a, std::int64_t b) {
                visit(piece.srcTile, dst.tileAt(piece.dstPlace + shifts[i]), a, b, piece.run, i == 0);
            });
    });
}

struct RandomTransfer {
    program::Program program;
    program::Transfer transfer;
};

/// Splits n into up to `dims` factors, in any way.
inline std::vector<std::int64_t> factors(RandomStream &random, std::int64_t n, std::size_t dims)
{
    std::vector<std::int64_t> all;
    while (all.size() + 1 < dims) {
        std::vector<std::int64_t> divisors;
        for (std::int64_t f = 1; f <= n; ++f)
            if (n % f == 0) divisors.push_back(f);
        all.push_back(divisors[random.below(divisors.size())]);
        n /= all.back();
    }
    all.push_back(n);
    return all;
}

/// Two variables of up to four dimensions and a transfer between them: twins, another shape of the same, a transpose, a box
/// into a box, or any nest of loops.
inline RandomTransfer randomTransfer(RandomStream &random, int tiles)
{
    using namespace program;
    RandomTransfer result;
    auto &p = result.program;
    p = emptyProgram(tiles, 2);
    auto &t = result.transfer;
    auto const extentsOf = [&](std::size_t dims) {
        std::vector<std::int64_t> all;
        for (std::size_t d = 0; d < dims; ++d) all.push_back(upTo(random, dims < 3 ? 14 : 6));
        return all;
    };
    LayoutTraits from, to;
    to.halo = random.below(4) == 0;
    from.halo = random.below(8) == 0;
    from.grouped = random.below(4) == 0;
    to.grouped = random.below(4) == 0;
    from.ordered = random.below(4) == 0;
    to.ordered = random.below(4) == 0;
    from.several = to.several = upTo(random, 3);
    to.copies = random.below(4) == 0;
    from.copies = random.below(4) == 0;
    to.addends = random.below(4) == 0;
    bool const oneAddend = random.below(2) == 0;
    // All addends at once come from as many addends.
    from.addends = to.addends && !oneAddend ? true : random.below(5) == 0;
    auto const dims = upTo(random, 3);
    auto const source = extentsOf(static_cast<std::size_t>(dims));
    auto const n = std::accumulate(source.begin(), source.end(), std::int64_t{1}, std::multiplies<>());
    auto target = source;
    auto const unitsOf = [](std::vector<std::int64_t> const &extents) {
        std::vector<std::int64_t> units(extents.size(), 1);
        for (std::size_t d = extents.size() - 1; d-- > 0;) units[d] = units[d + 1] * extents[d + 1];
        return units;
    };
    switch (random.below(6)) {
    case 0: break;                                                                         // twins
    case 1: target = factors(random, n, static_cast<std::size_t>(upTo(random, 3))); break; // another shape
    case 2: {                                                                              // a permutation of the dimensions
        std::vector<std::size_t> order(source.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        for (std::size_t d = 0; d < order.size(); ++d) target[d] = source[order[d]];
        auto const a = unitsOf(source), b = unitsOf(target);
        for (std::size_t d = 0; d < order.size(); ++d) t.loops.push_back({target[d], a[order[d]], b[d]});
        break;
    }
    case 3: { // a box of one into a box of the other
        for (auto &extent : target) extent += from0(random, 4);
        auto const a = unitsOf(source), b = unitsOf(target);
        for (std::size_t d = 0; d < source.size(); ++d) {
            auto const count = upTo(random, source[d]), step = count > 1 ? upTo(random, (source[d] - 1) / (count - 1)) : 1;
            t.src0 += from0(random, source[d] - 1 - (count - 1) * step) * a[d];
            t.dst0 += from0(random, target[d] - count) * b[d];
            t.loops.push_back({count, step * a[d], b[d]});
        }
        break;
    }
    case 4: { // one run through both
        target = extentsOf(static_cast<std::size_t>(upTo(random, 3)));
        auto const m = std::accumulate(target.begin(), target.end(), std::int64_t{1}, std::multiplies<>());
        auto const count = upTo(random, std::min(n, m));
        t.src0 = from0(random, n - count);
        t.dst0 = from0(random, m - count);
        t.loops = {{count, 1, 1}};
        break;
    }
    default: { // any nest: strides that reach outside the written block
        target = extentsOf(static_cast<std::size_t>(upTo(random, 3)));
        auto const m = std::accumulate(target.begin(), target.end(), std::int64_t{1}, std::multiplies<>());
        std::int64_t reach = 0, srcRoom = n - 1;
        for (auto loops = upTo(random, 4); loops > 0; --loops) {
            auto const dst = reach + upTo(random, 3);
            auto const most = (m - 1 - reach) / dst;
            if (most < 1) break;
            Loop loop{1 + upTo(random, std::min<std::int64_t>(most, 5)), 0, dst};
            loop.src = from0(random, srcRoom / (loop.count - 1));
            srcRoom -= loop.src * (loop.count - 1);
            reach += dst * (loop.count - 1);
            t.loops.insert(t.loops.begin() + static_cast<std::ptrdiff_t>(random.below(t.loops.size() + 1)), loop);
        }
        if (t.loops.empty()) t.loops = {{1, 0, 0}};
        t.src0 = from0(random, srcRoom);
        t.dst0 = from0(random, m - 1 - reach);
        break;
    }
    }
    t.src = addVariable(p, "src", randomLayout(random, source, from, tiles, 0));
    t.dst = addVariable(p, "dst", randomLayout(random, target, to, tiles, static_cast<int>(random.below(2))));
    auto const &a = p.var(t.src).layout, &b = p.var(t.dst).layout;
    bool const all = b.parts() > 1 && !oneAddend;
    if (b.parts() > 1 && oneAddend) t.dstPart = static_cast<std::int32_t>(from0(random, b.parts() - 1));
    if (a.parts() > 1 && !all) t.srcPart = static_cast<std::int32_t>(from0(random, a.parts() - 1));
    t.rowMajor = !b.isRowMajor() && random.below(2);
    Exchange exchange;
    exchange.name = "exchange";
    exchange.transfers = {t};
    p.exchanges.push_back(std::move(exchange));
    auto const step = addStep(p, StepKind::Exchange, p.main, "exchange");
    p.steps[step.index].exchange = ExchangeId(0);
    return result;
}

} // namespace tilewright::tests
