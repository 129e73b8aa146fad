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

/// One node, bound to its operands on every replica.
struct FusedAction {
    std::vector<kernels::Prepared> kernels;        ///< by replica
    std::shared_ptr<FusedActions> body;            ///< of a loop; of a branch where the predicate holds
    std::shared_ptr<FusedActions> test, otherwise; ///< of a while; of a branch where it does not
    std::vector<kernels::HostTensor> predicate;    ///< by replica, of these two
    std::int64_t count = 1;
    std::function<Status(StreamHandlers const &, std::size_t replica)> special;
    std::function<void()> meeting; ///< instead: what all replicas do together
    int only = -1;                 ///< the one replica that it is of; -1: of all
    bool alone = true;             ///< replicas do not meet in it: each may go through it, and on, by itself
    RoundingCounts::Node rounding;
    graph::NodeId sums;                     ///< the node, where it rounds what it sums up
    int ipu = 0;                            ///< of the replica, of that node
    std::vector<kernels::HostTensor> sumOf; ///< by replica, its result
};

/// The step graph as actions of fused mode, in the schedule's order, each bound to where its operands lie: every replica has
/// its own variables and values. The steps of a loop that carries values are bound one by one: each reads its slices where they
/// lie in their stack, and leaves its results where the next step, or the stack, wants them. Nothing is copied. Values have
/// their bytes until their last reader is bound; what is not needed where replicas meet has the same bytes on all of them.
class FusedBinding {
public:
    FusedBinding(executable::Executable const &executable, std::uint64_t seed, ThreadPool &pool, FusedPath path,
                 RoundingCounts const &rounding);

    /// Once. Errors: Invalid "fused.unsupported" of an operation without a host kernel, and those of the kernels.
    Status bind(FusedActions &actions);

    std::size_t replicas() const { return m_replicas; }
    SumNoise &noise() { return m_noise; }
    kernels::HostTensor const &variable(graph::VariableId variable, std::size_t replica) const
    {
        return m_variables[replica][variable.index];
    }
    /// Without data where it has no bytes.
    kernels::HostTensor const &value(graph::ValueId value, std::size_t replica) const { return m_values[replica][value.index]; }

private:
    using HostTensor = kernels::HostTensor;
    using ValueId = graph::ValueId;

    HostTensor own(DType dtype, Shape const &shape);
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

    // Regions that nodes have: fused_loops.cpp.
    Status bindLoop(graph::Node const &node, FusedActions &actions);
    void turnMatrices(std::vector<ValueId> const &matrices, FusedActions &actions);
    Status bindCall(graph::Node const &node, FusedActions &actions);
    Status bindIf(graph::Node const &node, FusedActions &actions);
    Status bindWhile(graph::Node const &node, FusedActions &actions);

    graph::Graph const &m_graph;
    std::uint64_t m_seed;
    ThreadPool &m_pool;
    RoundingCounts const &m_rounding;
    std::size_t m_replicas;
    std::vector<std::vector<HostTensor>> m_values, m_owned; ///< [replica][value]; owned: while the value has its bytes
    std::vector<std::vector<std::size_t>> m_taken;          ///< [replica][value]: the number of its buffer
    std::vector<BufferBook> m_books;                        ///< [replica]; the last: of bytes that all replicas have in turn
    std::vector<std::vector<Buffer>> m_shared;              ///< the same [number of the buffer]
    std::vector<std::vector<HostTensor>> m_variables;       ///< [replica][variable]
    std::vector<std::map<ValueId, HostTensor>> m_turned;    ///< [replica]: transposed copies of matrices that the loop at hand reads
    std::vector<std::map<ValueId, HostTensor>> m_placed;    ///< [replica]: where the step at hand leaves a value
    std::vector<Buffer> m_buffers;
    std::optional<FusedGroups> m_groups;       ///< none: each node by itself
    std::optional<ValueLifetimes> m_lifetimes; ///< none: each value for itself
    std::set<ValueId> m_kept;                  ///< these for themselves in any case
    int m_callerStage = -1;                    ///< of the call whose body is bound
    bool const m_perturbed;                    ///< FusedPath::Perturbed
    SumNoise m_noise;
};

} // namespace tilewright::runtime
