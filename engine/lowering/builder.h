#pragma once

#include "engine/graph/expr.h"
#include "engine/graph/graph.h"
#include "engine/program/cost/reduce_cost.h"
#include "engine/program/program.h"
#include "engine/target/machine.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::lowering {

/// Compile options for lowering.
struct Options {
    double availableMemoryProportion = 0.6; ///< share of a tile for the temporaries of a product
    double convMemoryProportion = 0.6;      ///< share of a tile for the temporaries of a convolution
    double sliceMemoryProportion = 0.6;     ///< share of a tile for the temporaries of a look-up and of its gradient
    bool poolFollowsOperand = true;         ///< a pooling may stay on the tiles of its operand; else it is always spread anew
    bool clearPassType = false;             ///< plan forward, backward and update products separately
    bool productsTogether = false; ///< plan products with the same weights on one grid even if separate grids are faster: takes less code
    bool syntheticInfeed = false, syntheticOutfeed = false; ///< feeds that the device generates or drops
    std::vector<int> stageIpus;                             ///< IPU of the replica by stage; later stages use the IPU of their number
    int ioTiles = 0;                                        ///< last tiles of each IPU, reserved for transfers
    bool mergeInfeeds = true;                               ///< transfers all tensors of an infeed with one pair of handshakes
    bool feedsOnIoTiles = false;                            ///< puts the feeds of loops there (overlapped_loop.h)
    double ioMemoryProportion = 0.9;                        ///< share of the IO tiles' memory for feeds
    Bytes allReduceBytes = 0, allGatherBytes = 0;           ///< tensors up to this size together are one collective; 0: no limit
    Bytes ipuCopyBytes = 0;                                 ///< the same for copies between two IPUs
    int freeTiles = 0; ///< last tiles of each IPU that receive no data; they only take part in steps of all tiles
};

/// Tensors in their order as groups whose bytes together are at most `limit`; 0: one group. A larger tensor is alone.
class GroupsUpTo {
public:
    explicit GroupsUpTo(Bytes limit) : m_limit(limit) {}
    /// Number of the group, from 0, that the next tensor belongs to.
    std::size_t add(Bytes bytes)
    {
        if (m_groups == 0 || (m_limit > 0 && m_sum + bytes > m_limit)) m_sum = 0, ++m_groups;
        m_sum += bytes;
        return m_groups - 1;
    }

private:
    Bytes m_limit, m_sum = 0;
    std::size_t m_groups = 0;
};

/// Values of constants, loaded with the executable.
struct ConstantData {
    program::VarId var;
    std::vector<double> values; ///< one = fill
    std::string written = {};   ///< the name under which the host writes it (graph/written.h); empty: fixed
    bool operator==(ConstantData const &) const = default;
};

/// Builds a Program step by step: appends to the open sequence, places new variables, moves data.
class ProgramBuilder {
public:
    ProgramBuilder(target::Machine const &machine, int ipusPerReplica, int replicas, Options options);

    target::Machine const &machine() const { return m_machine; }
    /// The chip for planning; its tiles are the usable ones of an IPU.
    target::Chip const &chip() const { return m_machine.chip; }
    program::TileSet workTiles(int ipu) const { return {ipu * m_program.tilesPerIpu, chip().tiles, ipu}; }
    program::TileSet ioTiles(int ipu) const
    {
        return {(ipu + 1) * m_program.tilesPerIpu - m_program.ioTilesPerIpu, m_program.ioTilesPerIpu, ipu};
    }
    program::TileSet everyTile(int ipu) const { return program::tilesOf(m_program.tilesPerIpu, ipu); }
    Options const &options() const { return m_options; }
    program::Program &program() { return m_program; }
    program::Program const &program() const { return m_program; }
    std::vector<ConstantData> const &constants() const { return m_constants; }

    // -- where things come from
    int addOp(program::Op op);
    void setOp(int op) { m_op = op; }
    int op() const { return m_op; }
    program::Op &opRef(int op) { return m_program.ops[static_cast<std::size_t>(op)]; }

    // -- variables
    program::VarId addVar(std::string name, std::string role, DType dtype, Shape shape, program::Layout layout,
                          program::Category category = program::Category::Variable);
    program::VarId addConstant(std::string name, DType dtype, Shape shape, std::vector<double> values, int ipu, std::string written = {});
    program::Variable &var(program::VarId id) { return m_program.variables[id.index]; }
    program::Variable const &var(program::VarId id) const { return m_program.variables[id.index]; }
    /// Start tile for a tensor on `count` tiles. Advances, so that small tensors spread.
    int nextTiles(int ipu, std::int64_t count);
    program::Layout linear(std::int64_t rows, std::int64_t cols, DType type, int ipu);
    program::Layout wholeRows(std::int64_t rows, std::int64_t cols, int ipu);
    /// Blocks of `rowBlock` x `colBlock` elements, one a tile while there are tiles.
    program::Layout blocked(std::int64_t rows, std::int64_t rowBlock, std::int64_t cols, std::int64_t colBlock, int ipu);
    program::Layout oneTile(std::int64_t rows, std::int64_t cols, int ipu);

    // -- steps
    program::StepId beginBlock(program::StepKind kind, std::string name, std::int64_t count = 1);
    void endBlock();
    /// Adds an existing step to the open block.
    void append(program::StepId step);
    program::StepId leaf(program::Step one); ///< appends a step of the present op
    /// Opens a block without a parent (a function body); endBlock closes it.
    program::StepId beginDetached(program::StepKind kind, std::string name);
    program::Step &step(program::StepId id) { return m_program.steps[id.index]; }
    program::StepId call(program::StepId callee, std::string name);
    /// Emits one compute set, after the pending transfers.
    program::StepId execute(std::string name, std::vector<program::VertexFamily> families);
    program::VertexFamily family(std::string_view codelet, std::vector<program::Field> fields, std::vector<double> scalars = {},
                                 std::string expr = {}, int lead = 0);
    /// With Options::mergeInfeeds, what the host sends to one IPU in one step after the other is one transfer.
    void stream(std::string name, program::VarId var, bool toDevice, int queueIndex);
    /// Copies a remote buffer to a variable on the tiles (`toDevice`), or back. `counter`: Stream::counter.
    void remoteCopy(std::string name, program::VarId var, program::VarId remote, bool toDevice, program::VarId counter = {});
    program::StepId exchange(std::string name, std::vector<program::Transfer> transfers, std::vector<program::RingTransfer> ring = {},
                             bool global = false);
    void syncExternal(std::string name);
    /// Queues a transfer for the next exchange step, which execute() and flush() emit. `what`: name of the step.
    void transfer(program::Transfer transfer, std::string what);
    void flush();

    // -- data movement
    // A whole tensor from one variable to another with the same number of elements.
    program::Transfer whole(program::VarId src, program::VarId dst) const;
    /// A variable that holds `src` in `layout`: `src` itself if its layout matches, else a buffer that the pending exchange fills.
    program::VarId gather(program::VarId src, program::Layout layout, std::string const &name);
    /// Combines the addends of a variable of partial results (sums, maxima, minima or products), in several stages if there are many. The
    /// result has layout `want`, or is spread over the tiles of the partials; its type is `out` (default: that of the partials).
    program::VarId reducePartials(program::VarId partials, std::string const &name, Shape shape, std::string role,
                                  std::optional<program::Layout> want = {}, cost::ReduceOp op = cost::ReduceOp::Add,
                                  std::optional<DType> out = {});

    /// The same tiles of another IPU.
    program::Layout movedTo(program::Layout layout, int ipu) const;
    /// Copies of a row-vector, a column-vector or a scalar on the tiles of `layout`.
    program::Layout broadcastLayout(graph::Broadcast kind, program::Layout const &layout) const;

private:
    int codeletIndex(std::string_view name);

    target::Machine m_machine; ///< with the usable tiles
    Options m_options;
    program::Program m_program;
    std::vector<ConstantData> m_constants;
    std::map<std::string, program::VarId> m_constantCache;
    std::vector<program::StepId> m_open;
    std::vector<program::Transfer> m_pending;
    std::string m_pendingName;
    std::vector<std::int64_t> m_cursor; ///< next start tile, per IPU
    int m_op = -1;
};

} // namespace tilewright::lowering
