#pragma once

#include "engine/core/home.h"
#include "engine/program/layout.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::program {

using VarId = Id<struct ProgramVarTag>;
using ComputeSetId = Id<struct ComputeSetTag>;
using ExchangeId = Id<struct ExchangeTag>;
using StreamId = Id<struct StreamTag>;
using StepId = Id<struct StepTag>;

/// Category of a tensor's bytes in the memory report.
enum class Category : std::uint8_t { Variable, Constant, Output, ExchangeBuffer, Rearrangement };
std::string_view toText(Category category);

/// Storage on tiles, or in streaming memory. Bytes on a tile = sizeOf(dtype) x elements of the tile's block; none of a variable in
/// streaming memory, whose layout is that of its copies on the tiles. There, a dimension of slots stands for that many tensors.
struct Variable {
    std::string name;
    std::string role; ///< term of the report: weight, optimizer_state, activation, …
    DType dtype = DType::F32;
    Shape shape; ///< of its tensor
    Layout layout;
    Category category = Category::Variable;
    bool alwaysLive = false;  ///< survives from one run of the program to the next
    bool interleaved = false; ///< requires interleaved memory (128-bit loads)
    int op = -1;              ///< index into Program::ops
    Home home = Home::Tiles;
    bool operator==(Variable const &) const = default;
};

enum class Access : std::uint8_t {
    Read,
    Write, ///< writes every element, reads nothing
    Update,
    Regroup ///< row-major bytes (Transfer::rowMajor) are reordered into the layout, in place
};

/// Stochastic rounding of a vertex's float16 stores: the numbers of the graph node and of the stored value. The node's results have their
/// own numbers, so that both modes draw the same bits; values of the tiles only, such as partial sums, have later numbers.
struct StoredRounding {
    static constexpr std::int32_t kResults = 16; ///< numbers from here on are not results of the node
    std::int32_t node = -1;                      ///< -1: round to nearest
    std::int32_t number = 0;
    bool onEveryReplica = false; ///< all replicas draw the same bits
    bool byTile = false;         ///< an addend: other tiles store the same elements with other bits
    bool operator==(StoredRounding const &) const = default;
};

struct Field {
    VarId var;
    Access access = Access::Read;
    std::int32_t slice = -1; ///< one index of the block's outermost dimension (Layout::order); -1 = the whole block
    StoredRounding rounding = {};
    bool operator==(Field const &) const = default;
};

/// One vertex on every tile that holds a block of fields[lead]. Its fields are blocks of the same tile. `codelet`: index into
/// Program::codelets. `scalars` and `expr`: its constant state.
struct VertexFamily {
    int codelet = 0;
    int lead = 0;
    std::vector<Field> fields;
    std::vector<double> scalars;
    std::string expr; ///< elementwise expression of a map vertex
    bool operator==(VertexFamily const &) const = default;
};

/// The sum of a graph node that is complete after a compute set or an exchange: number of the node, and the variable of the sum.
struct FinishedSums {
    std::int32_t node = -1; ///< -1: no sum stored as float16
    VarId var;
    bool operator==(FinishedSums const &) const = default;
};

struct ComputeSet {
    std::string name;
    int op = -1;
    std::vector<VertexFamily> families;
    FinishedSums finished = {};
    bool operator==(ComputeSet const &) const = default;
};

/// `count` elements with strides `src` and `dst` in row-major element numbers of the two tensors (in a Piece: of the blocks).
struct Loop {
    std::int64_t count, src, dst;
    bool operator==(Loop const &) const = default;
};
inline constexpr int kMaxLoops = 2 * kMaxDims;

/// A transfer between two variables. Without loops: every element to the same element in another layout. With loops: the elements of a
/// nest, outermost first, from src0 to dst0: reshape, transpose, slice, join, strided access. Every copy, and every overlapping block,
/// receives its elements. With addends (or slots) on both sides: all of them, each from its counterpart; `dstPart` >= 0 writes one of them,
/// `srcPart` >= 0 reads one.
struct Transfer {
    VarId src, dst;
    std::int64_t src0 = 0, dst0 = 0;
    std::vector<Loop> loops;
    std::int32_t srcPart = -1, dstPart = -1;
    bool rowMajor = false; ///< writes row-major into blocks of another order: a vertex regroups them before they are read
    bool operator==(Transfer const &) const = default;
};

/// One step of a ring collective over replicas: every tile sends chunk (replica + chunk) mod R of its block of `src` to the same tile of
/// replica (replica + 1) mod R. The chunk is written to `dst` (whole: the message buffer) or, with `inChunk`, to its position in the
/// source.
struct RingTransfer {
    VarId src, dst;
    int chunk = 0;
    bool inChunk = false;
    bool operator==(RingTransfer const &) const = default;
};

struct Exchange {
    std::string name;
    int op = -1;
    std::vector<Transfer> transfers;
    std::vector<RingTransfer> ring;
    FinishedSums finished = {};
    bool operator==(Exchange const &) const = default;
};

/// Data from outside the tiles. Of the host: `to device` fills the variable from the queue's next element, `from device` appends it. With
/// `remote`: between a variable on the tiles and its remote buffer in streaming memory; `to device` loads, `from device` stores.
struct Stream {
    std::string name;
    VarId var;
    bool toDevice = true;
    int queueIndex = 0;     ///< number of the tensor in the infeed or outfeed
    bool synthetic = false; ///< nothing crosses the host link: the device generates or drops the data
    VarId remote;           ///< variable in streaming memory; invalid: the other end is the host
    VarId counter;          ///< of a remote variable with slots: a number on a tile; the copy uses the slot counter mod slots
    bool continues = false; ///< goes on with the host's transfer in the step before it, without handshakes of its own
    bool operator==(Stream const &) const = default;
};

enum class StepKind : std::uint8_t {
    Sequence, ///< children in order
    Repeat,   ///< children, `count` times
    Parallel, ///< children in parallel: tasks on different IPUs (one slot of a pipeline) and lanes beside them, or lanes (Step::lane)
    Call,     ///< one child, shared with other calls
    If,       ///< children [then, else]: `then` if the predicate is nonzero
    While,    ///< children [test, body]: the test, then the body while the predicate is nonzero, at most `count` times
    Execute,
    Exchange,
    GlobalExchange,
    StreamCopy,  ///< between host and tiles
    RemoteCopy,  ///< between streaming memory and tiles
    SyncExternal ///< barrier of all IPUs
};
std::string_view toText(StepKind kind);
/// Whether the step only controls its children. Other steps are leaves.
bool isControl(StepKind kind);

struct Step {
    StepKind kind = StepKind::Sequence;
    std::string name;
    std::vector<StepId> children;
    std::int64_t count = 1;
    ComputeSetId computeSet;
    ExchangeId exchange;
    StreamId stream;
    VarId predicate; ///< of If and While: a scalar on every tile
    int op = -1;
    int slot = -1;         ///< of a pipeline's schedule, for Parallel
    int ipu = -1;          ///< of the replica: where a stage task runs
    int microBatch = -1;   ///< of a stage task; in the repeated part, of the first round
    int stage = -1;        ///< of a stage task
    std::string pass;      ///< of a stage task
    TileSet lane{0, 0, 0}; ///< of a lane: the tiles that its steps use; no tiles: not a lane
    bool isLane() const { return lane.count > 0; }
    bool operator==(Step const &) const = default;
};

/// Kind of the keras-level op of a body with several callers. It is beside the layers, because it belongs to all of them.
inline constexpr std::string_view kFunctionOp = "Function";

/// Origin of program parts: Keras layer, graph node, library operation. Parents come first.
struct Op {
    std::string name;
    std::string kind;  ///< layer class, op name, library routine
    std::string level; ///< keras, graph, library
    int parent = -1;
    std::string pass = "other";
    int stage = 0;
    std::int64_t flops = 0;
    Cycles estimatedCycles = 0; ///< of its plan
    Cycles idealCycles = 0;     ///< arithmetic at the machine's peak
    std::string plan;           ///< JSON: chosen and next best plans with their cost terms
    bool operator==(Op const &) const = default;
};

/// The lowered form of one replica: variables on tiles, and a control tree over compute sets and exchanges.
struct Program {
    std::string name;
    int ipus = 1; ///< of one replica
    int replicas = 1;
    int tilesPerIpu = 1;
    int ioTilesPerIpu = 0; ///< the last tiles of each IPU, reserved for transfers
    std::vector<Op> ops;
    std::vector<Variable> variables;
    std::vector<std::string> codelets; ///< names, see codelet.h
    std::vector<ComputeSet> computeSets;
    std::vector<Exchange> exchanges;
    std::vector<Stream> streams;
    std::vector<Step> steps;
    StepId main; ///< one execution: the device loop; with several entries, their sequence
    /// Names of the programs that the host can start separately, over the same variables: the children of `main`, in order. Empty: only
    /// `main`.
    std::vector<std::string> entries;
    bool operator==(Program const &) const = default;

    Variable const &var(VarId id) const { return variables[id.index]; }
    Step const &step(StepId id) const { return steps[id.index]; }
    int tiles() const { return ipus * tilesPerIpu; }
    std::size_t entryCount() const { return entries.empty() ? 1 : entries.size(); }
    /// The step of one execution of an entry.
    StepId root(std::size_t entry = 0) const { return entries.empty() ? main : step(main).children[entry]; }
};

/// The loop that contains a whole entry (in the first entry its body is one weight update): Repeat or While; invalid: none.
StepId outermostLoop(Program const &program, std::size_t entry = 0);

/// Whether a step runs lanes in parallel and nothing else. A slot of a pipeline runs tasks: false, even if lanes of IO tiles stand beside
/// them.
bool hasLanes(Program const &program, Step const &step);

/// The parts of a loop whose transfers overlap its compute steps (lowering/overlapped_loop.h).
struct OverlappedLoop {
    StepId fill;         ///< the streams of the next round's feeds, to the IO tiles
    StepId load, unload; ///< exchanges: feeds to the compute tiles; outputs to the IO tiles
    StepId body;
    StepId drain; ///< the streams of a round's outputs; invalid: it has none
    bool valid() const { return body.valid(); }
    /// The steps of one round on its own, without overlap.
    std::vector<StepId> round() const;
};
/// The overlapped loop that is a whole entry, instead of outermostLoop; else not valid.
OverlappedLoop overlappedLoop(Program const &program, std::size_t entry = 0);

/// Whether the cost of the first entry's pattern depends on data: an If, or a While inside it.
bool costDependsOnData(Program const &program);

/// Leaf steps in program order: loop bodies once, calls expanded.
std::vector<StepId> leafSteps(Program const &program);

/// The variables accessed by a leaf step, in order of first use.
struct VarAccess {
    VarId var;
    Access access;
};
std::vector<VarAccess> accesses(Program const &program, Step const &step);
/// The sum that is complete after a step; node -1: none.
FinishedSums finishedBy(Program const &program, Step const &step);

/// Bytes that one execution of a stream copies to or from the tiles of a replica.
Bytes bytesOf(Program const &program, Stream const &stream);

/// Bytes of a variable in the streaming memory of one replica: the whole tensor, or its shard of every block; 0 on tiles.
Bytes remoteBytes(Program const &program, Variable const &variable);
/// The layout of a replica's shard: a part of the bytes of each block, beside that block.
Layout shardLayout(Layout const &layout, int replicas);
/// The shard of replica r is chunk (r + kShardShift) mod R of each block: the chunk that a ring reduce-scatter completes on r.
constexpr int kShardShift = 1;

/// Bytes of the variables in streaming memory, of one IPU of the replica; -1: of all.
Bytes streamingBytes(Program const &program, int ipu = -1);

/// Elements that a transfer writes, per written addend or slot.
std::int64_t elementsOf(Program const &program, Transfer const &transfer);

/// Checks ids, layouts (one block per tile, every element of a stored tensor in exactly one block, halos inside their blocks), vertex
/// fields (same tiles), race freedom inside a compute set, and transfers (inside their tensors, from all addends or a named one, no element
/// written twice in an exchange, regrouped before they are read), and that only remote copies use variables in streaming memory. Error:
/// Internal with code "program.broken".
Status verify(Program const &program);

/// Text form for dumps, golden files and tests: the whole program; parts shared by several steps appear once. print.cpp describes the
/// format. Requires: every id exists, and each step has only the fields of its kind.
std::string print(Program const &program);
/// Parses the text form. All ids of the result exist; call verify() before running it. Error: Invalid "program.text" with line and column.
Result<Program> parse(std::string_view text);

} // namespace tilewright::program
