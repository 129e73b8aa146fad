#pragma once

#include "engine/core/types.h"
#include "engine/report/table_basics.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
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
    std::int64_t repeatCount = -1; ///< of `repeat`; the maximum of `repeat_while`; -1 (NULL) if it depends on data
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

/// Number of tile pairs stored per exchange; the remainder is summed in one pair (-1, -1, bytes).
inline constexpr int kExchangePairs = 4096;

/// Senders, receivers and bytes of an exchange, largest first. Copies share one list: a large model has thousands of equal exchanges.
class ExchangePairs {
public:
    using List = std::vector<ExchangePair>;
    ExchangePairs() = default;
    ExchangePairs(List pairs) : m_list(pairs.empty() ? nullptr : std::make_shared<List const>(std::move(pairs))) {}
    ExchangePairs(std::initializer_list<ExchangePair> pairs) : ExchangePairs(List(pairs)) {}

    List const &list() const
    {
        static List const none;
        return m_list ? *m_list : none;
    }
    List::const_iterator begin() const { return list().begin(); }
    List::const_iterator end() const { return list().end(); }
    bool empty() const { return !m_list; }
    std::size_t size() const { return list().size(); }
    ExchangePair const &operator[](std::size_t i) const { return list()[i]; }
    bool operator==(ExchangePairs const &other) const { return m_list == other.m_list || list() == other.list(); }
    /// Whether both are the same list object.
    bool sharesWith(ExchangePairs const &other) const { return m_list == other.m_list; }

private:
    std::shared_ptr<List const> m_list; ///< null = none
};

struct ExchangeRow {
    int program = 0;
    std::string kind = "internal"; ///< internal, global, host, remote
    Bytes bytesSent = 0, bytesReceived = 0;
    int sentVec = kNone, receivedVec = kNone, cyclesVec = kNone, codeVec = kNone;
    Bytes headerBytes = 0;
    ExchangePairs pairs; ///< the writer keeps the largest kExchangePairs and a remainder
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

/// Whether programs of this kind only contain other programs.
bool isControlKind(std::string_view programKind);
/// The phase of the cycle split for a program kind (compute, internal_exchange, global_exchange, stream, sync), or "" for kinds without
/// cycles of their own.
std::string_view phaseOfProgramKind(std::string_view programKind);

} // namespace tilewright::report
