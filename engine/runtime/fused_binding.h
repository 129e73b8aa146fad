#pragma once

#include "engine/executable/executable.h"
#include "engine/kernels/kernel.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/fused_groups.h"
#include "engine/runtime/fused_storage.h"
#include "engine/runtime/fused_values.h"
#include "engine/runtime/rounding_counts.h"
#include "engine/runtime/sum_noise.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace tilewright::runtime {

struct FusedAction;
using FusedActions = std::vector<FusedAction>;

/// One node with its bound operands on every replica.
struct FusedAction {
    std::vector<kernels::Prepared> kernels;        ///< by replica
    std::shared_ptr<FusedActions> body;            ///< of a loop; of a branch for a true predicate
    std::shared_ptr<FusedActions> test, otherwise; ///< of a while; of a branch for a false predicate
    std::vector<kernels::HostTensor> predicate;    ///< of a branch or a while, by replica
    std::int64_t count = 1;
    std::function<Status(StreamHandlers const &, std::size_t replica)> special;
    std::function<Status()> meeting; ///< replaces the above: an action of all replicas together
    int only = -1;                   ///< the only replica of the action, from 0 in this executor; -1: all
    bool alone = true;               ///< replicas do not meet in it: each may pass it independently
    RoundingCounts::Node rounding;
    graph::NodeId sums;                          ///< the node, if it rounds its sums
    int ipu = 0;                                 ///< IPU of that node in the replica
    std::vector<kernels::HostTensor> sumOf;      ///< its result, by replica
    graph::NodeId updates;                       ///< the node, where it updates a weight
    std::vector<kernels::HostTensor> gradientOf; ///< by replica, the gradient that it applies
};

/// Converts the step graph into actions of fused mode, in schedule order, each bound to the memory of its operands. Every replica has its
/// own variables and values. The steps of a loop with carried values are bound one by one: each reads its slices from their stack and
/// writes its results to the place where the next step, or the stack, needs them. Nothing is copied. A value holds its memory until its
/// last reader is bound. Values that are dead where replicas meet share memory over all replicas.
class FusedBinding {
public:
    FusedBinding(executable::EntryRef const &entry, std::uint64_t seed, ThreadPool &pool, FusedPath path, RoundingCounts const &rounding,
                 Traps traps, ReplicaSeam *seam);

    /// Call once. `owner`: the binding of another entry of the executable, whose variables this one uses where both have them; it outlives
    /// this one. Null: all variables are its own. Errors: Invalid "fused.unsupported" for an operation without a host kernel, and those of
    /// the kernels.
    Status bind(FusedActions &actions, FusedBinding const *owner);

    std::size_t replicas() const { return m_replicas; } ///< of this executor
    /// Number of a replica in the run.
    int numberOf(std::size_t replica) const { return m_first + static_cast<int>(replica); }
    SumNoise &noise() { return m_noise; }
    /// The first exception of a kernel; those after it do not run.
    CaughtException const &caught() const { return m_caught; }
    /// The values that the host writes, by name; all replicas read the same one.
    std::multimap<std::string, kernels::HostTensor, std::less<>> const &written() const { return m_written; }
    kernels::HostTensor const &variable(graph::VariableId variable, std::size_t replica) const
    {
        return m_variables[replica][variable.index];
    }

private:
    using HostTensor = kernels::HostTensor;
    using ValueId = graph::ValueId;

    HostTensor own(DType dtype, Shape const &shape);
    void bindVariables(FusedBinding const *owner);
    HostTensor view(std::size_t r, ValueId from, graph::Value const &as) const;
    HostTensor bytesFor(std::size_t r, ValueId id);
    void giveStorage(graph::Node const &node);
    void release(graph::NodeId node);
    void place(std::size_t r, ValueId owner, HostTensor where);
    void addCopy(FusedActions &actions, std::size_t r, HostTensor const &from, HostTensor const &to);
    bool inTurn(ValueId id) const;

    Status bindRegion(graph::RegionId region, FusedActions &actions);
    bool bindGroup(std::span<graph::NodeId const> nodes, FusedActions &actions);
    Status bindNode(graph::NodeId id, FusedActions &actions);
    void bindAssign(graph::Node const &node, FusedAction &action);
    void bindFeed(graph::Node const &node, FusedAction &action);
    void bindAllReduce(graph::Node const &node, FusedAction &action);

    // Nodes with regions: fused_loops.cpp.
    Status bindLoop(graph::Node const &node, FusedActions &actions);
    void turnMatrices(std::vector<ValueId> const &matrices, FusedActions &actions);
    Status bindCall(graph::Node const &node, FusedActions &actions);
    Status bindIf(graph::Node const &node, FusedActions &actions);
    Status bindWhile(graph::Node const &node, FusedActions &actions);

    executable::EntryRef m_entry;
    graph::Graph const &m_graph;
    std::uint64_t m_seed;
    ThreadPool &m_pool;
    RoundingCounts const &m_rounding;
    ReplicaSeam *m_seam;
    int m_first; ///< number of the first replica
    std::size_t m_replicas;
    std::vector<std::vector<HostTensor>> m_values, m_owned; ///< [replica][value]; owned: while the value holds memory
    std::vector<std::vector<std::size_t>> m_taken;          ///< [replica][value]: number of its buffer
    std::vector<BufferBook> m_books;                        ///< [replica]; the last one: memory that all replicas use in turn
    std::vector<std::vector<Buffer>> m_shared;              ///< the same, by number of the buffer
    std::vector<std::vector<HostTensor>> m_variables;       ///< [replica][variable]
    std::vector<std::map<ValueId, HostTensor>> m_turned;    ///< [replica]: transposed copies of matrices for the current loop
    std::vector<std::map<ValueId, HostTensor>> m_placed;    ///< [replica]: destination of a value in the current step
    std::multimap<std::string, HostTensor, std::less<>> m_written;
    std::vector<Buffer> m_buffers;
    std::optional<FusedGroups> m_groups;       ///< empty: each node is evaluated alone
    std::optional<ValueLifetimes> m_lifetimes; ///< empty: values do not share memory
    int m_callerStage = -1;                    ///< of the call whose body is bound
    bool const m_perturbed;                    ///< FusedPath::Perturbed
    SumNoise m_noise;
    Traps m_traps;
    CaughtException m_caught;
};

} // namespace tilewright::runtime
