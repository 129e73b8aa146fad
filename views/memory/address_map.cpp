#include "views/memory/address_map.h"

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr double kFoldFrom = 0.04; ///< gaps above this share of all addresses are folded
}

std::vector<AddressBlock> addressBlocks(std::vector<report::LoweredVariable> const &items, ClassLives const &lives)
{
    std::vector<AddressBlock> blocks;
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto const &item = items[i];
        if (item.bytes <= 0) continue;
        if (lives.isAlways(item.livenessClass)) {
            blocks.push_back({static_cast<int>(i), 0, std::max(1, lives.steps()), item.offset, item.bytes});
            continue;
        }
        for (auto const &[first, end] : lives.of(item.livenessClass))
            blocks.push_back({static_cast<int>(i), first, end, item.offset, item.bytes});
    }
    return blocks;
}

std::vector<AddressGap> addressGaps(std::vector<report::LoweredVariable> const &items, Bytes end)
{
    std::vector<AddressGap> gaps;
    Bytes top = 0;
    for (auto const &item : items) { // sorted by offset
        if (item.offset > top) gaps.push_back({top, item.offset - top, item.gapReason});
        top = std::max(top, item.offset + item.bytes);
    }
    if (end > top) gaps.push_back({top, end - top, report::GapReason::None});
    return gaps;
}

AddressAxis::AddressAxis(std::vector<AddressGap> const &gaps, Bytes end, double height, double foldedHeight, bool toScale)
    : m_end(end), m_height(height)
{
    Bytes at = 0, shown = 0;
    for (auto const &gap : gaps) {
        bool const fold = !toScale && static_cast<double>(gap.bytes) > kFoldFrom * static_cast<double>(end);
        if (!fold || gap.offset >= end) continue;
        if (gap.offset > at) m_pieces.push_back({at, gap.offset, 0, 0, false});
        m_pieces.push_back({gap.offset, std::min(end, gap.offset + gap.bytes), 0, 0, true});
        at = m_pieces.back().to;
    }
    if (end > at) m_pieces.push_back({at, end, 0, 0, false});
    int folded = 0;
    for (auto const &piece : m_pieces) {
        if (piece.folded) ++folded;
        else shown += piece.to - piece.from;
    }
    double const foldHeight = shown == 0 && folded > 0 ? height / folded : std::min(foldedHeight, folded > 0 ? height / 3 / folded : 0);
    double const perByte = shown > 0 ? (height - foldHeight * folded) / static_cast<double>(shown) : 0;
    double y = 0;
    for (auto &piece : m_pieces) {
        piece.top = y;
        y += piece.folded ? foldHeight : perByte * static_cast<double>(piece.to - piece.from);
        piece.bottom = y;
    }
}

double AddressAxis::yOf(Bytes address) const
{
    for (auto const &piece : m_pieces)
        if (address < piece.to || &piece == &m_pieces.back()) {
            double const share =
                static_cast<double>(std::clamp(address, piece.from, piece.to) - piece.from) / static_cast<double>(piece.to - piece.from);
            return piece.top + share * (piece.bottom - piece.top);
        }
    return 0;
}

Bytes AddressAxis::addressAt(double y) const
{
    for (auto const &piece : m_pieces)
        if (y < piece.bottom || &piece == &m_pieces.back()) {
            double const share = piece.bottom > piece.top ? std::clamp((y - piece.top) / (piece.bottom - piece.top), 0.0, 1.0) : 0;
            return std::min(m_end - 1, piece.from + static_cast<Bytes>(share * static_cast<double>(piece.to - piece.from)));
        }
    return 0;
}

bool AddressAxis::isFolded(Bytes address) const
{
    return std::any_of(m_pieces.begin(), m_pieces.end(),
                       [&](auto const &piece) { return piece.folded && address >= piece.from && address < piece.to; });
}

int itemAt(std::vector<report::LoweredVariable> const &items, ClassLives const &lives, int step, Bytes address)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto const &item = items[i];
        if (item.offset > address) break;
        if (address < item.offset + item.bytes && lives.isLive(item.livenessClass, step)) return static_cast<int>(i);
    }
    return -1;
}

} // namespace tilewright::views
