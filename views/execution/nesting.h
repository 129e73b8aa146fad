#pragma once

#include "engine/report/tables.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::views {

/// What a bar of the flame stands for: the model, or an operation in one of its passes (a layer runs forward, backward
/// and in the update).
struct NestedType {
    int op = report::kNone; ///< kNone: the model
    std::string pass;
    bool operator==(NestedType const &) const = default;
};

/// A stretch during which all that runs belongs to one parent.
struct NestedSpan {
    std::int64_t begin = 0, end = 0;
    int type = 0; ///< row of Nesting::types
    bool operator==(NestedSpan const &) const = default;
};

/// Model, layer and operation of every event: the tree above the steps, as a flame draws it.
class Nesting {
public:
    enum Level { Model, Layer, Operation, Levels };
    explicit Nesting(report::ReportData const &data);
    std::vector<NestedType> const &types() const { return m_types; }
    /// By level, one span for each visit of a parent: neighbouring events of it are one, whatever belongs to nobody (a
    /// barrier, a pause) does not part them. `opOfType`: operation by event type, kNone: nobody's.
    std::vector<std::vector<NestedSpan>> spans(report::EventColumns const &events, std::vector<int> const &opOfType) const;

private:
    int typeOf(int op, std::string const &pass) const;
    int climb(int op, std::string_view level) const;
    report::ReportData const &m_data;
    std::vector<NestedType> m_types;
    std::map<std::pair<int, std::string>, int> m_rows;
};

} // namespace tilewright::views
