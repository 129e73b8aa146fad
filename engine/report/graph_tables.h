#pragma once

#include "engine/core/types.h"
#include "engine/report/table_basics.h"

#include <cstdint>
#include <string>

// Origin of program parts: contexts, stages, operations.
namespace tilewright::report {

struct DebugContextRow {
    int parent = kNone;
    std::string level; ///< keras, graph, library, lowered
    std::string name;
    std::string file; ///< empty = none
    int line = kNone;
    std::string detail = "{}"; ///< JSON
    bool operator==(DebugContextRow const &) const = default;
};

struct StageRow {
    std::string name;
    int indexInReplica = 0; ///< the IPU of the replica it runs on
    bool operator==(StageRow const &) const = default;
};

/// `OpRow::kind` of operations outside layers: loop control, infeed, collectives. They may have any level and no parent.
inline constexpr char kSyntheticKind[] = "synthetic";

struct OpRow {
    int parent = kNone;
    std::string level; ///< keras, graph, library, compute_set
    std::string name, kind;
    std::string pass = "other"; ///< forward, recompute, backward, update, other
    int stage = kNone, context = kNone;
    std::int64_t flops = 0;
    Bytes codeExclusive = 0, codeShared = 0;
    /// Code of all kinds (vertex, exchange, control, shared code) on all tiles, including children: exclusive code plus shared code divided
    /// by its number of users. The sum over operations without parent is all code.
    double codeAttributed = 0;
    Bytes variableBytes = 0, vertexStateBytes = 0;
    Cycles cyclesEstimated = 0, cyclesIdeal = 0;
    std::string plan = "{}"; ///< JSON: the planner's choice and alternatives
    bool operator==(OpRow const &) const = default;
};

struct OpEdgeRow {
    int fromOp = 0, toOp = 0, variable = kNone; ///< kNone is stored as -1
    bool operator==(OpEdgeRow const &) const = default;
};

struct OpProgramRow {
    int op = 0, program = 0;
    bool operator==(OpProgramRow const &) const = default;
};

} // namespace tilewright::report
