#pragma once

#include "engine/report/tables.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace tilewright::views {

/// Meaning of a bar above the steps: an operation in one of its passes (a layer runs forward, backward and in the update).
struct NestedType {
    int op = report::kNone;
    std::string pass;
    bool operator==(NestedType const &) const = default;
};

/// A stretch in which all events belong to one parent.
struct NestedSpan {
    std::int64_t begin = 0, end = 0;
    int type = 0; ///< row of Nesting::types
    bool operator==(NestedSpan const &) const = default;
};

/// Layer and operation of every event: the tree above the steps. The model has no level: its bar would be one colour all along.
class Nesting {
public:
    enum Level { Layer, Operation, Levels };
    explicit Nesting(report::ReportData const &data);
    std::vector<NestedType> const &types() const { return m_types; }
    /// Rows of types(), by level, above an event of this operation; kNone: none.
    std::array<int, Levels> above(int op) const;
    /// By level, one span for each visit of a parent. Adjacent events of a parent are merged, across events without a parent (a barrier, a
    /// pause). `opOfType`: operation by event type, kNone: none.
    std::vector<std::vector<NestedSpan>> spans(report::EventColumns const &events, std::vector<int> const &opOfType) const;

private:
    int typeOf(int op, std::string const &pass) const;
    int climb(int op, std::string_view level) const;
    report::ReportData const &m_data;
    std::vector<NestedType> m_types;
    std::map<std::pair<int, std::string>, int> m_rows;
};

} // namespace tilewright::views
