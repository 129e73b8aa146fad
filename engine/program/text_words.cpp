#include "engine/program/text_words.h"

#include <algorithm>
#include <array>

namespace tilewright::program {

namespace {

/// Keywords that the grammar allows where a name is expected; a name equal to one is quoted.
constexpr std::array<std::string_view, 20> kReserved{"op",        "var",  "unused", "again",  "none",      "slot",  "micro-batch",
                                                     "stage",     "pass", "of",     "runs",   "as",        "sums",  "lead",
                                                     "row-major", "ring", "host",   "remote", "streaming", "shards"};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

} // namespace

bool isPlainName(std::string_view name)
{
    if (name.empty() || !isLetter(name[0]) || name.find("->") != std::string_view::npos) return false;
    bool const word = std::ranges::all_of(
        name, [](char c) { return isLetter(c) || (c >= '0' && c <= '9') || kWordMarks.find(c) != std::string_view::npos; });
    return word && !parseStepKind(name) && std::ranges::find(kReserved, name) == kReserved.end();
}

std::optional<StepKind> parseStepKind(std::string_view name)
{
    for (int i = 0; i <= static_cast<int>(StepKind::SyncExternal); ++i)
        if (toText(static_cast<StepKind>(i)) == name) return static_cast<StepKind>(i);
    return {};
}

std::int64_t blocksInText(Layout const &layout)
{
    // Unsigned, so that invalid input cannot overflow.
    std::uint64_t n = 1;
    for (int d = 0; d < layout.rank; ++d) n *= static_cast<std::uint64_t>(layout.dim(d).count);
    return static_cast<std::int64_t>(n);
}

} // namespace tilewright::program
