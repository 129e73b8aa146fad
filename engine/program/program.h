#pragma once

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

/// What a tensor's bytes are in the memory report.
enum class Category : std::uint8_t { Variable, Constant, Output, ExchangeBuffer, Rearrangement };
std::string_view toText(Category category);

/// Storage on tiles. Bytes on a tile = sizeOf(dtype) x elements of the tile's block.
struct Variable {
    std::string name;
    std::string role; ///< word of the report: weight, optimizer_state, activation, …
    DType dtype = DType::F32;
    Shape shape; ///< of the tensor it holds
    Layout layout;
    Category category = Category::Variable;
    bool alwaysLive = false;  ///< survives from one run of the program to the next
    bool interleaved = false; ///< wants interleaved memory (128-bit loads)
    int op = -1;              ///< index into Program::ops
    bool operator==(Variable const &) const = default;
};

enum class Access : std::uint8_t {
    Read,
    Write, ///< every element, nothing read
    Update,
    Regroup ///< bytes that came row-major (Transfer::rowMajor) are put into the order of the layout, where they are
};

/// Stochastic rounding of what a vertex stores as float16: by the number of the graph's node and of what it stores. Its
/// results have their own number, so that both modes draw the same for them; what only tiles have, partial sums for
/// example, comes behind.
struct StoredRounding {
    static constexpr std::int32_t kResults = 16; ///< numbers from here on are none of the node's results
    std::int32_t node = -1;                      ///< -1: to the nearest
    std::int32_t number = 0;
    bool onEveryReplica = false; ///< all replicas draw the same
    bool byTile = false;         ///< an addend: other tiles store the same elements and draw others
    bool operator==(StoredRounding const &) const = default;
};

struct Field {
    VarId var;
    Access access = Access::Read;
    std::int32_t slice = -1; ///< one index of the block's outermost dimension (Layout::order) only; -1 = the whole block
    StoredRounding rounding = {};
    bool operator==(Field const &) const = default;
};

/// One vertex on every tile that holds a block of fields[lead]; on each, the fields are that tile's
/// blocks. `codelet` is an index into Program::codelets; `scalars` and `expr` are its constant state.
struct VertexFamily {
    int codelet = 0;
    int lead = 0;
    std::vector<Field> fields;
    std::vector<double> scalars;
    std::string expr; ///< elementwise expression of a map vertex
    bool operator==(VertexFamily const &) const = default;
};

/// What a graph's node has summed up, once a compute set or an exchange has run: by the number of the node, and where it lies.
struct FinishedSums {
    std::int32_t node = -1; ///< -1: nothing that is stored as float16
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

/// `count` elements in steps of `src` and `dst` row-major element numbers of the two tensors (in a Piece: of the blocks).
struct Loop {
    std::int64_t count, src, dst;
    bool operator==(Loop const &) const = default;
};
inline constexpr int kMaxLoops = 2 * kMaxDims;

/// What moves from one variable to another. Without loops every element to its twin: the same index space in another
/// layout. With loops those of a nest, outermost first, from element src0 to element dst0 on: reshape, transpose, slice,
/// join, strided access. Copies receive it in each copy, overlapping blocks in each block. With addends (or slots) on both
/// sides all of them, each from its twin; `dstPart` >= 0 writes one of them, `srcPart` >= 0 reads one.
struct Transfer {
    VarId src, dst;
    std::int64_t src0 = 0, dst0 = 0;
    std::vector<Loop> loops;
    std::int32_t srcPart = -1, dstPart = -1;
    bool rowMajor = false; ///< lands row-major in blocks of another order: a vertex regroups them before they are read
    bool operator==(Transfer const &) const = default;
};

/// One step of a ring collective over replicas: every tile sends chunk (replica + chunk) mod R of its block of
/// `src` to the same tile of replica (replica + 1) mod R; it lands in `dst` (whole: the message buffer) or,
/// with `inChunk`, at the same place as in the source.
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

/// Host data: `to device` fills the variable from the queue's next element, `from device` appends.
struct Stream {
    std::string name;
    VarId var;
    bool toDevice = true;
    int queueIndex = 0;     ///< which tensor of the infeed or outfeed
    bool synthetic = false; ///< nothing crosses the host's link: the device makes or drops the data
    bool operator==(Stream const &) const = default;
};

enum class StepKind : std::uint8_t {
    Sequence, ///< children in order
    Repeat,   ///< children, `count` times
    Parallel, ///< children side by side on different IPUs: one slot of a pipeline
    Call,     ///< one child, shared with other calls
    If,       ///< children [then, else]: the first where the predicate is not zero
    While,    ///< children [test, body]: the test, then the body while the predicate is not zero, at most `count` times
    Execute,
    Exchange,
    GlobalExchange,
    StreamCopy,
    SyncExternal ///< all IPUs meet
};
std::string_view toText(StepKind kind);
/// Whether the step is there for its children; else it is a leaf, which does something itself.
bool isControl(StepKind kind);

struct Step {
    StepKind kind = StepKind::Sequence;
    std::string name;
    std::vector<StepId> children;
    std::int64_t count = 1;
    ComputeSetId computeSet;
    ExchangeId exchange;
    StreamId stream;
    VarId predicate; ///< of If and While: a scalar that lies on every tile
    int op = -1;
    int slot = -1;       ///< of a pipeline's schedule, for Parallel
    int microBatch = -1; ///< of a stage task; in the repeated part that of the first round
    int stage = -1;
    std::string pass;
    bool operator==(Step const &) const = default;
};

/// Kind of the keras-level op of a body that several calls share: beside the layers, for it belongs to all of them.
inline constexpr std::string_view kFunctionOp = "Function";

/// Where things come from: Keras layer, graph node, library operation. Parents come first.
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

/// The lowered form of one replica: variables on tiles and a control tree over compute sets and exchanges.
struct Program {
    std::string name;
    int ipus = 1; ///< of one replica
    int replicas = 1;
    int tilesPerIpu = 1;
    std::vector<Op> ops;
    std::vector<Variable> variables;
    std::vector<std::string> codelets; ///< names, see codelet.h
    std::vector<ComputeSet> computeSets;
    std::vector<Exchange> exchanges;
    std::vector<Stream> streams;
    std::vector<Step> steps;
    StepId main; ///< one execution: the device loop; of several entries the sequence of them
    /// Names of the programs that the host may start, each by itself, over the same variables: the children of `main`, in order.
    /// None: `main` is the only one.
    std::vector<std::string> entries;
    bool operator==(Program const &) const = default;

    Variable const &var(VarId id) const { return variables[id.index]; }
    Step const &step(StepId id) const { return steps[id.index]; }
    int tiles() const { return ipus * tilesPerIpu; }
    std::size_t entryCount() const { return entries.empty() ? 1 : entries.size(); }
    /// What one execution of an entry runs.
    StepId root(std::size_t entry = 0) const { return entries.empty() ? main : step(main).children[entry]; }
};

/// The loop that is all of an entry (the first one's body is one weight update): Repeat or While; invalid: there is none.
StepId outermostLoop(Program const &program, std::size_t entry = 0);

/// Whether the numbers of the device decide what a pattern of the first entry costs: an If, or a While inside it.
bool costDependsOnData(Program const &program);

/// Leaf steps in the order of the program tree, loop bodies once, calls expanded.
std::vector<StepId> leafSteps(Program const &program);

/// The variables a leaf step touches, in order of first use.
struct VarAccess {
    VarId var;
    Access access;
};
std::vector<VarAccess> accesses(Program const &program, Step const &step);
/// The sums that are finished when a step has run; node -1: none.
FinishedSums finishedBy(Program const &program, Step const &step);

/// Elements of the tensor that a transfer writes, in each addend or slot it writes.
std::int64_t elementsOf(Program const &program, Transfer const &transfer);

/// Checks ids, layouts (one block on a tile, every element of a stored tensor in exactly one block, halos inside their
/// blocks), vertex fields (same tiles), race freedom inside a compute set, transfers (inside their tensors, from all addends
/// or a named one, no element written twice in an exchange, regrouped before they are read). Error: Internal with code
/// "program.broken".
Status verify(Program const &program);

/// Text for dumps, golden files and tests: everything a program holds, what several steps share once. print.cpp says how it
/// looks. Requires: every id exists, and only what a step's kind has is set.
std::string print(Program const &program);
/// The inverse. Every id of what is read exists; whether it is a program that may run, verify() says.
/// Error: Invalid "program.text" with line and column.
Result<Program> parse(std::string_view text);

} // namespace tilewright::program
