#include "engine/core/limits.h"

#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace tilewright {

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

constexpr std::array kTable{
    // Printing and copying a document calls itself once per level: what may be allowed ends well before the stack.
    LimitInfo{Limit::JsonDepth, "json_depth", 500, 5000, "levels of nesting in a JSON document"},
    LimitInfo{Limit::JsonBytes, "json_bytes", 32 * kMiB, std::int64_t{1} << 40, "size of a JSON document"},
    LimitInfo{Limit::InflatedBytes, "inflated_bytes", 1024 * kMiB, std::int64_t{1} << 50, "bytes of a decompressed array"},
    LimitInfo{Limit::Elements, "elements", std::int64_t{1} << 32, std::int64_t{1} << 50, "elements of an array in a data file"},
    // An archive's entry has a name of at most 65,535 bytes, of which the layer's is a part.
    LimitInfo{Limit::NameBytes, "name_bytes", 1024, 32'000, "bytes of the name of a layer, a model or a project"},
};

std::array<std::atomic<std::int64_t>, kTable.size()> &values()
{
    static std::array<std::atomic<std::int64_t>, kTable.size()> all{kTable[0].standard, kTable[1].standard, kTable[2].standard,
                                                                    kTable[3].standard, kTable[4].standard};
    return all;
}

} // namespace

std::span<LimitInfo const> limitTable() { return kTable; }

std::int64_t limitOf(Limit limit) { return values()[static_cast<std::size_t>(limit)].load(std::memory_order_relaxed); }

Status setLimit(std::string_view assignment)
{
    auto const equals = std::min(assignment.find('='), assignment.size());
    auto const name = assignment.substr(0, equals);
    auto const fail = [&](Message message, Message remedy) {
        return makeError(ErrorKind::Usage, "cli.limit", "--limit", std::move(message), std::move(remedy));
    };
    auto const info = std::ranges::find_if(kTable, [name](LimitInfo const &i) { return name == i.name; });
    if (info == kTable.end()) {
        std::vector<std::string> names;
        for (auto const &i : kTable) names.emplace_back(i.name);
        auto const near = nearestName(name, names);
        return fail(Message::of("there is no limit '%1'.", shortened(safeText(name), 40)),
                    near.empty() ? Message::of("Limits are %1.", joinText(names, ", ")) : Message::of("Did you mean '%1'?", near));
    }
    auto const text = assignment.substr(std::min(equals + 1, assignment.size()));
    auto const value = parseInteger(text);
    if (!value || *value < 1 || *value > info->most)
        return fail(Message::of("'%1' is not a value of %2.", shortened(safeText(text), 40), info->name),
                    Message::of("Write %1=NUMBER, from 1 to %2.", info->name, std::to_string(info->most)));
    values()[static_cast<std::size_t>(info->limit)].store(*value, std::memory_order_relaxed);
    return {};
}

Message limitRemedy(Limit limit)
{
    return Message::of("The limit is %1=%2; read a file that you trust with `--limit %1=NUMBER`.",
                       kTable[static_cast<std::size_t>(limit)].name, std::to_string(limitOf(limit)));
}

} // namespace tilewright
