#include "engine/report/identity_tables.h"
#include "engine/report/machine_tables.h"
#include "engine/report/memory_tables.h"
#include "engine/report/program_tables.h"

#include <array>

// The words of the tables for kinds and states.
namespace tilewright::report {

namespace {

constexpr std::array<std::string_view, 5> kPartStates{"absent", "writing", "complete", "truncated", "failed"};
constexpr std::array<std::string_view, 3> kRegions{"non_interleaved", "interleaved", "overflowed"};

template <typename E, std::size_t N> std::string_view nameOf(std::array<std::string_view, N> const &names, E value)
{
    auto const i = static_cast<std::size_t>(value);
    return i < N ? names[i] : std::string_view("unknown");
}

template <typename E, std::size_t N> std::optional<E> find(std::array<std::string_view, N> const &names, std::string_view text)
{
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text) return static_cast<E>(i);
    return std::nullopt;
}

} // namespace

std::string_view toText(PartState state) { return nameOf(kPartStates, state); }
std::string_view toText(Region region) { return nameOf(kRegions, region); }
std::optional<PartState> parsePartState(std::string_view text) { return find<PartState>(kPartStates, text); }
std::optional<Region> parseRegion(std::string_view text) { return find<Region>(kRegions, text); }

bool isControlKind(std::string_view kind)
{
    return kind == "sequence" || kind == "repeat" || kind == "repeat_while" || kind == "if" || kind == "switch" || kind == "switch_per_tile"
        || kind == "call";
}

std::string_view phaseOfProgramKind(std::string_view kind)
{
    if (kind == "execute") return "compute";
    if (kind == "exchange") return "internal_exchange";
    if (kind == "global_exchange" || kind == "collective") return "global_exchange";
    if (kind == "stream_begin" || kind == "stream_copy" || kind == "stream_end") return "stream";
    if (kind == "sync_internal" || kind == "sync_external") return "sync";
    return "";
}

} // namespace tilewright::report
