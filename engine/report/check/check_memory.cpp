#include "engine/report/check/check_parts.h"

#include "engine/report/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace tilewright::report::check {

namespace {

/// Checks invariants 1 and 2 of one tile from its layout alone.
struct LayoutFacts {
    Bytes withGaps = 0, withoutGaps = 0, overlapUnion = 0, alwaysLive = 0, notAlwaysLivePeak = 0;
    int peakStep = 0;
    std::map<std::tuple<MemoryCategory, Region, bool>, Bytes> parts;
};

LayoutFacts factsOf(TileLayout const &layout, ReportData const &data, Lifetimes const &lives)
{
    LayoutFacts facts;
    // Between two neighbouring cuts the set of items does not change.
    std::map<Bytes, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> cuts; // begins, ends
    std::vector<Bytes> change(static_cast<std::size_t>(lives.steps) + 1, 0);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        auto const &item = layout[i];
        facts.withGaps = std::max(facts.withGaps, item.offset + item.bytes);
        if (item.bytes > 0) {
            cuts[item.offset].first.push_back(i);
            cuts[item.offset + item.bytes].second.push_back(i);
        }
        if (at(data.livenessClasses, item.livenessClass).alwaysLive) {
            facts.alwaysLive += item.bytes;
            continue;
        }
        for (auto const &interval : at(lives.intervals, item.livenessClass)) {
            change[static_cast<std::size_t>(interval.firstStep)] += item.bytes;
            change[static_cast<std::size_t>(interval.endStep)] -= item.bytes;
        }
    }
    Bytes live = 0;
    for (int step = 0; step < lives.steps; ++step) {
        live += change[static_cast<std::size_t>(step)];
        if (live > facts.notAlwaysLivePeak) {
            facts.notAlwaysLivePeak = live;
            facts.peakStep = step;
        }
    }
    std::set<std::size_t> here;
    Bytes from = 0;
    for (auto const &[address, cut] : cuts) {
        Bytes const length = address - from;
        if (!here.empty()) {
            facts.withoutGaps += length;
            bool const overlapped = here.size() > 1;
            if (overlapped) facts.overlapUnion += length;
            std::set<std::pair<MemoryCategory, Region>> kinds;
            for (auto const i : here) kinds.insert({layout[i].category, layout[i].region});
            for (auto const &[category, region] : kinds) facts.parts[{category, region, overlapped}] += length;
        }
        for (auto const i : cut.second) here.erase(i);
        for (auto const i : cut.first) here.insert(i);
        from = address;
    }
    return facts;
}

std::string partName(MemoryCategory category, Region region, bool overlapped)
{
    return std::string(toText(category)) + "/" + std::string(toText(region)) + (overlapped ? "/overlapped" : "");
}

class MemoryCheck {
public:
    MemoryCheck(ReportData const &data, Violations &out) : d(data), m_out(out), m_lives(data)
    {
        m_tiles = d.target.tilesPerIpu * d.target.ipusPerReplica;
        m_layoutsKnown = !d.tileLayout.empty();
        for (int id = 0; id < d.layouts.size(); ++id) m_facts.push_back(factsOf(d.layouts.layout(id), d, m_lives));
        for (auto const &metric : d.tileMetrics) m_metrics[metric.name] = &d.tileVecs.stretch(metric.vec);
    }

    void run()
    {
        lengths();
        if (!m_lengthsRight) return; // vectors of different lengths cannot be compared tile by tile
        metrics();
        parts();
        verdicts();
        for (int id = 0; id < d.layouts.size(); ++id) {
            auto const layout = d.layouts.layout(id);
            sharing(id, layout);
            order(id, layout);
        }
        variables();
        code();
    }

private:
    void lengths() // 4
    {
        auto const check = [&](int vec, std::string const &name) {
            if (d.tileVecs.head(vec).tiles == m_tiles) return;
            m_lengthsRight = false;
            m_out.add(4, name, "the vector covers " + number(d.tileVecs.head(vec).tiles) + " tiles, the machine has " + number(m_tiles));
        };
        for (auto const &metric : d.tileMetrics) check(metric.vec, metric.name);
        for (auto const &part : d.memoryParts) check(part.vec, partName(part.category, part.region, part.overlapped));
        for (auto const &variable : d.variables)
            if (variable.bytesVec >= 0) check(variable.bytesVec, variable.name);
        if (m_layoutsKnown && sizeOf(d.tileLayout) != m_tiles) {
            m_lengthsRight = false;
            m_out.add(4, "tile_layout", number(sizeOf(d.tileLayout)) + " tiles have a layout, the machine has " + number(m_tiles));
        }
    }

    std::int64_t metric(char const *name, int tile) const
    {
        auto const it = m_metrics.find(name);
        return it == m_metrics.end() ? 0 : (*it->second)[static_cast<std::size_t>(tile)];
    }
    bool has(char const *name) const { return m_metrics.count(name) > 0; }
    static std::string tileName(int tile) { return "tile " + number(tile); }

    void metrics() // 1 and the part of 2 that needs no parts
    {
        for (int tile = 0; tile < m_tiles; ++tile) {
            if (has("with_gaps") && has("without_gaps") && metric("with_gaps", tile) < metric("without_gaps", tile))
                m_out.add(1, tileName(tile),
                          "fewer bytes with gaps (" + number(metric("with_gaps", tile)) + ") than without ("
                              + number(metric("without_gaps", tile)) + ")");
            if (has("without_gaps") && has("need") && metric("without_gaps", tile) < metric("need", tile))
                m_out.add(1, tileName(tile),
                          "uses " + number(metric("without_gaps", tile)) + " bytes but needs " + number(metric("need", tile)));
            if (has("need") && has("always_live") && metric("need", tile) < metric("always_live", tile))
                m_out.add(1, tileName(tile), "needs fewer bytes than are always live");
            if (has("with_gaps") && has("headroom") && metric("headroom", tile) != d.target.bytesPerTile - metric("with_gaps", tile))
                m_out.add(1, tileName(tile),
                          "headroom is " + number(metric("headroom", tile)) + ", not "
                              + number(d.target.bytesPerTile - metric("with_gaps", tile)));
            if (!m_layoutsKnown || at(d.tileLayout, tile) < 0) continue;
            auto const &facts = at(m_facts, at(d.tileLayout, tile));
            std::pair<char const *, std::int64_t> const expected[] = {{"with_gaps", facts.withGaps},
                                                                      {"without_gaps", facts.withoutGaps},
                                                                      {"overlap_union", facts.overlapUnion},
                                                                      {"always_live", facts.alwaysLive},
                                                                      {"not_always_live_peak", facts.notAlwaysLivePeak},
                                                                      {"peak_step", facts.peakStep},
                                                                      {"need", facts.alwaysLive + facts.notAlwaysLivePeak}};
            for (auto const &[name, value] : expected)
                if (has(name) && metric(name, tile) != value)
                    m_out.add(1, tileName(tile),
                              std::string(name) + " is " + number(metric(name, tile)) + ", the layout says " + number(value));
        }
    }

    void parts() // 2, 3
    {
        if (d.memoryParts.empty()) return;
        std::vector<Bytes> single(static_cast<std::size_t>(m_tiles), 0), overflowed(single);
        for (auto const &part : d.memoryParts) {
            auto const &values = d.tileVecs.values(part.vec);
            for (int tile = 0; tile < m_tiles; ++tile) {
                Bytes const bytes = at(values, tile);
                if (bytes < 0) m_out.add(2, tileName(tile), partName(part.category, part.region, part.overlapped) + " is negative");
                if (part.region == Region::Overflowed) at(overflowed, tile) += bytes;
                if (!part.overlapped) at(single, tile) += bytes;
                else if (has("overlap_union") && bytes > metric("overlap_union", tile))
                    m_out.add(2, tileName(tile),
                              partName(part.category, part.region, true) + " has more bytes than are used more than once");
            }
        }
        for (int tile = 0; tile < m_tiles; ++tile) {
            if (has("without_gaps") && has("overlap_union")
                && metric("without_gaps", tile) != at(single, tile) + metric("overlap_union", tile))
                m_out.add(2, tileName(tile),
                          "bytes without gaps are " + number(metric("without_gaps", tile)) + ", the parts sum to "
                              + number(at(single, tile) + metric("overlap_union", tile)));
            if (has("headroom") && (metric("headroom", tile) < 0) != (at(overflowed, tile) > 0))
                m_out.add(3, tileName(tile),
                          "headroom is " + number(metric("headroom", tile)) + " with " + number(at(overflowed, tile))
                              + " overflowed bytes");
        }
        if (!m_layoutsKnown) return;
        std::map<std::tuple<MemoryCategory, Region, bool>, ByTile<std::int64_t> const *> stored;
        for (auto const &part : d.memoryParts) stored[{part.category, part.region, part.overlapped}] = &d.tileVecs.stretch(part.vec);
        for (int tile = 0; tile < m_tiles; ++tile) {
            if (at(d.tileLayout, tile) < 0) continue;
            auto const &facts = at(m_facts, at(d.tileLayout, tile));
            std::set<std::tuple<MemoryCategory, Region, bool>> keys;
            for (auto const &[key, vec] : stored) keys.insert(key);
            for (auto const &[key, bytes] : facts.parts) keys.insert(key);
            for (auto const &key : keys) {
                auto const known = stored.find(key);
                auto const fact = facts.parts.find(key);
                Bytes const has_ = known == stored.end() ? 0 : (*known->second)[static_cast<std::size_t>(tile)];
                Bytes const wants = fact == facts.parts.end() ? 0 : fact->second;
                if (has_ != wants)
                    m_out.add(2, tileName(tile),
                              partName(std::get<0>(key), std::get<1>(key), std::get<2>(key)) + " is " + number(has_) + ", the layout says "
                                  + number(wants));
            }
        }
    }

    void verdicts() // 4: totals over all tiles follow from the tiles
    {
        if (!has("with_gaps")) return;
        for (auto const &verdict : d.verdicts) {
            int first = 0, last = m_tiles;
            if (verdict.scope == "ipu") {
                first = verdict.scopeId * d.target.tilesPerIpu;
                last = first + d.target.tilesPerIpu;
            }
            std::string const subject = "verdict " + verdict.scope + " " + number(verdict.scopeId);
            if (first < 0 || last > m_tiles || first >= last) {
                m_out.add(4, subject, "there is no such scope");
                continue;
            }
            Bytes most = 0;
            for (int tile = first; tile < last; ++tile) most = std::max(most, metric("with_gaps", tile));
            if (verdict.bytes != most)
                m_out.add(4, subject, "says " + number(verdict.bytes) + " bytes, the worst tile has " + number(most));
            if (verdict.worstTile < first || verdict.worstTile >= last || metric("with_gaps", verdict.worstTile) != most)
                m_out.add(4, subject, "tile " + number(verdict.worstTile) + " is not the worst");
            if (verdict.capacity != d.target.bytesPerTile) m_out.add(4, subject, "the capacity is not that of a tile");
            if (verdict.fits != (most <= d.target.bytesPerTile))
                m_out.add(4, subject, verdict.fits ? "fits, yet a tile is over its limit" : "does not fit, yet no tile is over its limit");
        }
    }

    void sharing(int id, TileLayout const &layout) // 5
    {
        std::vector<std::size_t> open; // items that may overlap the next one
        for (std::size_t i = 0; i < layout.size(); ++i) {
            auto const &item = layout[i];
            std::erase_if(open, [&](std::size_t j) { return layout[j].offset + layout[j].bytes <= item.offset; });
            if (item.bytes <= 0) continue;
            for (auto const j : open)
                if (layout[j].offset < item.offset + item.bytes && m_lives.share(item.livenessClass, layout[j].livenessClass))
                    m_out.add(5, "layout " + number(id),
                              "items " + number(static_cast<std::int64_t>(j)) + " and " + number(static_cast<std::int64_t>(i))
                                  + " are live at the same step and share address " + number(item.offset));
            open.push_back(i);
        }
    }

    void order(int id, TileLayout const &layout) // 6
    {
        Bytes top = 0;
        for (std::size_t i = 0; i < layout.size(); ++i) {
            auto const &item = layout[i];
            std::string const subject = "layout " + number(id) + " item " + number(static_cast<std::int64_t>(i));
            if (i > 0 && item.offset < layout[i - 1].offset) m_out.add(6, subject, "items are not sorted by offset");
            if (item.offset < 0 || item.bytes < 0) m_out.add(6, subject, "lies at a negative address or is of negative size");
            if (item.alignment < 1 || item.offset % item.alignment != 0)
                m_out.add(6, subject, "offset " + number(item.offset) + " is not aligned to " + number(item.alignment));
            bool inside = item.region == Region::Overflowed && item.offset + item.bytes > d.target.bytesPerTile;
            bool mayRun = item.region == Region::Overflowed;
            for (auto const &region : d.memoryRegions) {
                if (region.kind != item.region || item.region == Region::Overflowed) continue;
                // The regions of a damaged file can have any size, so do not add two of their numbers.
                if (region.offset >= 0 && region.bytes >= 0 && item.offset >= region.offset
                    && item.bytes <= region.bytes - (item.offset - region.offset))
                    inside = true;
                if (region.executable) mayRun = true;
            }
            if (!inside && !d.memoryRegions.empty()) m_out.add(6, subject, "lies outside the region " + std::string(toText(item.region)));
            if ((item.flags & kLoweredExecutable) && !mayRun && !d.memoryRegions.empty())
                m_out.add(6, subject, "is code in a region that cannot run it");
            bool const gap = item.offset > top;
            if (gap && item.gapReason == GapReason::None)
                m_out.add(6, subject, number(item.offset - top) + " unused bytes before it have no reason");
            if (!gap && item.gapReason != GapReason::None) m_out.add(6, subject, "a gap is explained that is not there");
            top = std::max(top, item.offset + item.bytes);
        }
    }

    void variables() // 7
    {
        if (!m_layoutsKnown) return;
        // By variable and layout; tiles of equal layouts share a sum.
        std::vector<std::map<int, Bytes>> pieces(d.variables.size());
        for (int id = 0; id < d.layouts.size(); ++id)
            for (auto const &item : d.layouts.layout(id))
                if (item.variable >= 0) at(pieces, item.variable)[id] += item.bytes;
        std::vector<std::int64_t> tilesWith(static_cast<std::size_t>(d.layouts.size()), 0);
        for (int const id : d.tileLayout)
            if (id >= 0) ++at(tilesWith, id);
        std::vector<Bytes> here(tilesWith.size());
        for (int v = 0; v < sizeOf(d.variables); ++v) {
            auto const &variable = at(d.variables, v);
            Bytes total = 0;
            for (auto const &[id, bytes] : at(pieces, v)) total += bytes * at(tilesWith, id);
            std::string const subject = "variable " + number(v) + " (" + variable.name + ")";
            if (variable.bytes != total)
                m_out.add(7, subject, "has " + number(variable.bytes) + " bytes, its pieces sum to " + number(total));
            if (variable.bytesVec < 0) continue;
            std::fill(here.begin(), here.end(), 0);
            for (auto const &[id, bytes] : at(pieces, v)) at(here, id) = bytes;
            auto const &values = d.tileVecs.values(variable.bytesVec);
            for (int tile = 0; tile < m_tiles; ++tile) {
                Bytes const placed = at(d.tileLayout, tile) < 0 ? 0 : at(here, at(d.tileLayout, tile));
                if (at(values, tile) == placed) continue;
                m_out.add(7, subject,
                          "has " + number(at(values, tile)) + " bytes on tile " + number(tile) + ", the layout says " + number(placed));
                break;
            }
        }
    }

    void code() // 8
    {
        if (!m_layoutsKnown || d.ops.empty()) return;
        std::vector<Bytes> codeOf(static_cast<std::size_t>(d.layouts.size()), 0);
        for (int id = 0; id < d.layouts.size(); ++id)
            for (auto const &item : d.layouts.layout(id))
                if (isCode(item.category)) at(codeOf, id) += item.bytes;
        Bytes total = 0;
        for (int const id : d.tileLayout)
            if (id >= 0) total += at(codeOf, id);
        double attributed = 0;
        Bytes exclusive = 0;
        for (int o = 0; o < sizeOf(d.ops); ++o) {
            auto const &op = at(d.ops, o);
            if (op.parent < 0) {
                attributed += op.codeAttributed;
                exclusive += op.codeExclusive;
            }
            double const slack = 1e-6 * std::max(1.0, op.codeAttributed);
            if (op.codeAttributed < static_cast<double>(op.codeExclusive) - slack
                || op.codeAttributed > static_cast<double>(op.codeExclusive + op.codeShared) + slack)
                m_out.add(8, "op " + number(o) + " (" + op.name + ")", "is charged with code outside what it uses");
        }
        if (std::abs(attributed - static_cast<double>(total)) > 0.5 + 1e-6 * static_cast<double>(total))
            m_out.add(8, "code",
                      "operations are charged with " + number(std::llround(attributed)) + " bytes, the tiles hold " + number(total));
        if (exclusive > total) m_out.add(8, "code", "operations own more code than there is");
    }

    ReportData const &d;
    Violations &m_out;
    Lifetimes m_lives;
    int m_tiles = 0;
    bool m_layoutsKnown = false, m_lengthsRight = true;
    std::vector<LayoutFacts> m_facts;
    std::map<std::string, ByTile<std::int64_t> const *> m_metrics;
};

} // namespace

void checkMemory(ReportData const &data, Violations &out)
{
    if (data.target.tilesPerIpu > 0) MemoryCheck(data, out).run();
}

} // namespace tilewright::report::check
