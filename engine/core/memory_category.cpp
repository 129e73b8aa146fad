#include "engine/core/memory_category.h"

#include <array>

namespace tilewright {

namespace {

constexpr std::array<std::string_view, kMemoryCategories> kCategoryNames{"variable",
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
constexpr std::array<std::string_view, 5> kGapReasonNames{"none", "alignment", "element", "region_end", "fragmentation"};

template <std::size_t N> std::string_view categoryName(std::array<std::string_view, N> const &names, std::size_t i)
{
    return i < N ? names[i] : std::string_view("unknown");
}

template <typename E, std::size_t N> std::optional<E> categoryOf(std::array<std::string_view, N> const &names, std::string_view text)
{
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text) return static_cast<E>(i);
    return std::nullopt;
}

} // namespace

std::string_view toText(MemoryCategory category) { return categoryName(kCategoryNames, static_cast<std::size_t>(category)); }
std::string_view toText(GapReason reason) { return categoryName(kGapReasonNames, static_cast<std::size_t>(reason)); }
std::optional<MemoryCategory> parseMemoryCategory(std::string_view text) { return categoryOf<MemoryCategory>(kCategoryNames, text); }
std::optional<GapReason> parseGapReason(std::string_view text) { return categoryOf<GapReason>(kGapReasonNames, text); }

} // namespace tilewright
