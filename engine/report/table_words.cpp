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
constexpr std::array<std::string_view, kMemoryCategories> kCategories{"variable",
                                                                      "constant",
                                                                      "output",
                                                                      "vertex_code",
                                                                      "vertex_state",
                                                                      "vertex_fields",
                                                                      "internal_exchange_code",
                                                                      "global_exchange_code",
                                                                      "host_exchange_code",
                                                                      "global_packet_header",
                                                                      "host_packet_header",
                                                                      "exchange_buffer",
                                                                      "rearrangement",
                                                                      "control_code",
                                                                      "control_table",
                                                                      "control_id",
                                                                      "copy_descriptor",
                                                                      "vector_list_descriptor",
                                                                      "stack",
                                                                      "instrumentation",
                                                                      "shared_code"};
constexpr std::array<std::string_view, 5> kGapReasons{"none", "alignment", "element", "region_end", "fragmentation"};

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
std::string_view toText(MemoryCategory category) { return nameOf(kCategories, category); }
std::string_view toText(GapReason reason) { return nameOf(kGapReasons, reason); }
std::optional<PartState> parsePartState(std::string_view text) { return find<PartState>(kPartStates, text); }
std::optional<Region> parseRegion(std::string_view text) { return find<Region>(kRegions, text); }
std::optional<MemoryCategory> parseMemoryCategory(std::string_view text) { return find<MemoryCategory>(kCategories, text); }
std::optional<GapReason> parseGapReason(std::string_view text) { return find<GapReason>(kGapReasons, text); }

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
