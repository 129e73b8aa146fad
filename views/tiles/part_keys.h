#pragma once

#include "engine/report/memory_tables.h"
#include "views/common/theme.h"

#include <QString>

#include <functional>
#include <vector>

namespace tilewright::views {

class ReportSnapshot;

/// Ways to break down bytes.
enum class Breakdown { None, Region, Category, Liveness, Layer, Role };
inline constexpr int kBreakdowns = 6;
QString toText(Breakdown by);   ///< translated
char const *idOf(Breakdown by); ///< for saved states
Breakdown parseBreakdown(QString const &id);

/// One kind of bytes with its place in the stack (order of the keys) and its colour.
struct PartKey {
    QString name;
    Token token = Token::Accent;
    int shade = 0;
    bool operator==(PartKey const &) const = default;
};
QColor partColor(PartKey const &key, Theme const &theme); ///< as the stacks have it
struct PartKeys {
    std::vector<PartKey> keys;
    std::function<int(report::LoweredVariable const &)> of; ///< always a valid key; self-contained
    /// Of a variable, or of compiler-made data.
    PartKey const &keyOf(int variable, report::MemoryCategory category) const;
};
/// The `mostLayers` largest layers have a key each; the others share one.
PartKeys partKeys(ReportSnapshot const &report, Breakdown by, int mostLayers = 10);
/// The key of addresses that several keys use at different times.
PartKey mixedKey();

/// Translated words for roles of variables, memory categories, regions, gap reasons.
QString roleText(std::string_view role);
QString categoryText(report::MemoryCategory category);
QString regionText(report::Region region);
QString gapText(report::GapReason reason);

} // namespace tilewright::views
