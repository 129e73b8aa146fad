#pragma once

#include "engine/graph/expr.h"
#include "engine/graph/graph.h"
#include "engine/program/program.h"
#include "engine/target/machine.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::lowering {

/// What the compiler was asked for, as far as lowering needs it.
struct Options {
    double availableMemoryProportion = 0.6; ///< of a tile, for the temporaries of a product
    double convMemoryProportion = 0.6;      ///< the same of a convolution
    bool clearPassType = false;             ///< plan forward, backward and update products each on its own
    bool productsTogether =
        false; ///< plan those of the same weights on one grid, also where grids of their own are faster: it takes less code
    bool syntheticInfeed = false, syntheticOutfeed = false; ///< feeds that the device makes or drops itself
    std::vector<int> stageIpus;                             ///< of the replica, by stage; stages behind its end: on the IPU of their number
    int freeTiles = 0; ///< of each IPU, its last: nothing is dealt to them, and they only take part in what all tiles do
};

/// Values of constants, loaded with the executable.
struct ConstantData {
    program::VarId var;
    std::vector<double> values; ///< one = fill
    bool operator==(ConstantData const &) const = default;
};

/// Builds a Program step by step: appends to the open sequence, places new variables, moves data.
class ProgramBuilder {
public:
    ProgramBuilder(target::Machine const &machine, int ipusPerReplica, int replicas, Options options);

    target::Machine const &machine() const { return m_machine; }
    /// The chip to plan for: its tiles are those of an IPU that something may be dealt to.
    target::Chip const &chip() const { return m_machine.chip; }
    program::TileSet workTiles(int ipu) const { return {ipu * m_program.tilesPerIpu, chip().tiles, ipu}; }
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
    program::VarId addConstant(std::string name, DType dtype, Shape shape, std::vector<double> values, int ipu);
    program::Variable &var(program::VarId id) { return m_program.variables[id.index]; }
    program::Variable const &var(program::VarId id) const { return m_program.variables[id.index]; }
    /// A start tile for a tensor that uses `count` tiles: moves on so that small tensors spread.
    int nextTiles(int ipu, std::int64_t count);
    program::Layout linear(std::int64_t rows, std::int64_t cols, DType type, int ipu);
    program::Layout wholeRows(std::int64_t rows, std::int64_t cols, int ipu);
    program::Layout oneTile(std::int64_t rows, std::int64_t cols, int ipu);

    // -- steps
    program::StepId beginBlock(program::StepKind kind, std::string name, std::int64_t count = 1);
    void endBlock();
    /// Adds an existing step to the open block.
    void append(program::StepId step);
    /// Opens a block that belongs to no parent yet (a function body); endBlock closes it.
    program::StepId beginDetached(program::StepKind kind, std::string name);
    program::Step &step(program::StepId id) { return m_program.steps[id.index]; }
    program::StepId call(program::StepId callee, std::string name);
    /// One compute set. Waits for pending transfers first.
    program::StepId execute(std::string name, std::vector<program::VertexFamily> families);
    program::VertexFamily family(std::string_view codelet, std::vector<program::Field> fields, std::vector<double> scalars = {},
                                 std::string expr = {}, int lead = 0);
    void stream(std::string name, program::VarId var, bool toDevice, int queueIndex);
    program::StepId exchange(std::string name, std::vector<program::Transfer> transfers, std::vector<program::RingTransfer> ring = {},
                             bool global = false);
    void syncExternal(std::string name);
    /// Queues a transfer for the next exchange step; execute() and flush() emit it. `what` names the step.
    void transfer(program::Transfer transfer, std::string what);
    void flush();

    // -- data movement
    /// Whole tensor from one variable to another of the same element count.
    program::Transfer whole(program::VarId src, program::VarId dst) const;
    /// A variable that holds `src` in `layout`: itself when it lies so already, else a buffer that the
    /// pending exchange fills.
    program::VarId gather(program::VarId src, program::Layout layout, std::string const &name);
    /// Sums (max: maximum) the groups of a Partials variable, in stages when there are many. The result
    /// lies in `want`, or spread over the tiles of the partials; it is of type `out` (default: as the partials).
    program::VarId reducePartials(program::VarId partials, std::string const &name, Shape shape, std::string role,
                                  std::optional<program::Layout> want = {}, bool maximum = false, std::optional<DType> out = {});

    /// The same tiles of another IPU.
    program::Layout movedTo(program::Layout layout, int ipu) const;
    /// Copies of a row-vector, a column-vector or a scalar on the tiles of `layout`.
    program::Layout broadcastLayout(graph::Broadcast kind, program::Layout const &layout) const;

private:
    int codeletIndex(std::string_view name);

    target::Machine m_machine; ///< with the tiles to work on
    Options m_options;
    program::Program m_program;
    std::vector<ConstantData> m_constants;
    std::map<std::string, program::VarId> m_constantCache;
    std::vector<program::StepId> m_open;
    std::vector<program::Transfer> m_pending;
    std::string m_pendingName;
    std::vector<std::int64_t> m_cursor; ///< per IPU
    int m_op = -1;
};

} // namespace tilewright::lowering
