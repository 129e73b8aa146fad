#pragma once

#include "engine/core/types.h"
#include "engine/report/table_basics.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Programs, vertices, exchanges, streams.
namespace tilewright::report {

/// Kinds: sequence, repeat, repeat_while, if, switch, switch_per_tile, call, execute, exchange,
/// global_exchange, stream_begin, stream_copy, stream_end, sync_internal, sync_external, collective,
/// write_undefined, assume_equal, set_consensus, abort, trap, other.
struct ProgramRow {
    std::string kind, name;
    int op = kNone, context = kNone;
    int computeSet = kNone;
    int callee = kNone;            ///< function of a `call`
    std::int64_t repeatCount = -1; ///< of `repeat`; of `repeat_while` at most; -1 (NULL) when it depends on data
    int stream = kNone;            ///< of `stream_*`
    int controlCodeVec = kNone;    ///< tile vec: control code bytes by tile
    Bytes codeBytes = 0;
    bool operator==(ProgramRow const &) const = default;
};

struct ProgramChildRow {
    int parent = 0, position = 0, child = 0;
    std::string label; ///< branch of if / switch
    bool operator==(ProgramChildRow const &) const = default;
};

struct FunctionRow {
    std::string name;
    int root = 0;
    bool entry = false; ///< callable by the host
    bool operator==(FunctionRow const &) const = default;
};

struct ProgramVariableRow {
    int program = 0, variable = 0;
    std::string access; ///< read, write, update (reads and writes)
    bool operator==(ProgramVariableRow const &) const = default;
};

struct VertexTypeRow {
    std::string name;
    Bytes codeBytes = 0;
    int codeVec = kNone; ///< bytes by tile where the code is present
    bool operator==(VertexTypeRow const &) const = default;
};

struct ComputeSetRow {
    std::string name;
    int op = kNone;
    std::int64_t vertices = 0;
    int cyclesVec = 0; ///< cycles by tile of the compute phase
    Cycles cyclesMax = 0;
    int activeTiles = 0;
    bool operator==(ComputeSetRow const &) const = default;
};

struct ComputeSetVertexRow {
    int computeSet = 0, vertexType = 0;
    std::int64_t count = 0;
    int countVec = 0;
    Bytes stateBytes = 0;
    bool operator==(ComputeSetVertexRow const &) const = default;
};

struct ExchangePair {
    int from = 0, to = 0; ///< global tiles; -1, -1 in the remainder
    Bytes bytes = 0;
    bool operator==(ExchangePair const &) const = default;
};

/// Of an exchange's tile pairs the largest are kept; the rest is summed in one pair (-1, -1, bytes).
inline constexpr int kExchangePairs = 4096;

struct ExchangeRow {
    int program = 0;
    std::string kind = "internal"; ///< internal, global, host, remote
    Bytes bytesSent = 0, bytesReceived = 0;
    int sentVec = kNone, receivedVec = kNone, cyclesVec = kNone, codeVec = kNone;
    Bytes headerBytes = 0;
    std::vector<ExchangePair> pairs; ///< the writer keeps the largest kExchangePairs and a remainder
    bool operator==(ExchangeRow const &) const = default;
};

struct StreamRow {
    std::string name;
    std::string direction = "to_device"; ///< to_device, from_device
    std::string memory = "host";         ///< host, remote
    Bytes bytesPerTransfer = 0;
    int buffering = 1;
    bool operator==(StreamRow const &) const = default;
};

/// Whether programs of this kind hold other programs and are no step of their own.
bool isControlKind(std::string_view programKind);
/// The phase of the cycle split that cycles of a program kind belong to (compute, internal_exchange,
/// global_exchange, stream, sync), or "" for kinds that take none of their own.
std::string_view phaseOfProgramKind(std::string_view programKind);

} // namespace tilewright::report
