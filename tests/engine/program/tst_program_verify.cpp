#include "tests/engine/program/random_layout.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <functional>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

namespace {

/// a -> b by an exchange; relu on b into c; c streamed out, twice.
Program sample()
{
    auto p = emptyProgram(8, 2, 2);
    p.codelets = {"Map"};
    auto const a = addVariable(p, "a", linearLayout(4, 16, DType::F32, tilesOf(8, 0), 0));
    auto const b = addVariable(p, "b", rowLayout(4, 16, tilesOf(8, 0), 3));
    auto const c = addVariable(p, "c", rowLayout(4, 16, tilesOf(8, 0), 3));
    addVariable(p, "d", rowLayout(4, 16, tilesOf(8, 1), 0)); // on the other IPU
    Layout partials = rowLayout(4, 16, tilesOf(8, 0), 0);
    partials.addOuter(cut(3, 3, 0, DimKind::Addend));
    addVariable(p, "e", partials);
    Transfer t;
    t.src = a;
    t.dst = b;
    p.exchanges.push_back({"exchange", -1, {t}, {}});
    ComputeSet set;
    set.name = "relu";
    VertexFamily family;
    family.fields = {{c, Access::Write}, {b, Access::Read}};
    family.expr = "1: relu a0";
    set.families = {family};
    p.computeSets.push_back(set);
    p.streams.push_back({"out", c, false, 0});
    auto const loop = addStep(p, StepKind::Repeat, p.main, "loop");
    p.steps[loop.index].count = 2;
    p.steps[addStep(p, StepKind::Exchange, loop).index].exchange = ExchangeId(0);
    p.steps[addStep(p, StepKind::Execute, loop).index].computeSet = ComputeSetId(0);
    p.steps[addStep(p, StepKind::StreamCopy, loop).index].stream = StreamId(0);
    return p;
}

/// Two lanes on IPU 0: one streams out a variable on tiles 0 to 3, the other one on tiles 4 to 7.
std::vector<StepId> addLanes(Program &p)
{
    auto const parallel = addStep(p, StepKind::Parallel, p.main, "lanes");
    std::vector<StepId> lanes;
    for (int i = 0; i < 2; ++i) {
        TileSet const on{4 * i, 4, 0};
        auto const var = addVariable(p, i == 0 ? "first" : "second", linearLayout(4, 16, DType::F32, on, 0));
        p.streams.push_back({i == 0 ? "first" : "second", var, false, 0});
        auto const lane = addStep(p, StepKind::Sequence, parallel, i == 0 ? "lane" : "other lane");
        p.steps[lane.index].lane = on;
        p.steps[addStep(p, StepKind::StreamCopy, lane).index].stream = StreamId(p.streams.size() - 1);
        lanes.push_back(lane);
    }
    return lanes;
}

/// A block of two tensors that the host sends to IPU 0 in one transfer.
StepId addFeeds(Program &p)
{
    auto const block = addStep(p, StepKind::Sequence, p.main, "feeds");
    for (char const *name : {"x", "y"}) {
        auto const var = addVariable(p, name, linearLayout(4, 16, DType::F32, {0, 8, 0}, 0));
        p.streams.push_back({name, var, true, static_cast<int>(p.streams.size())});
        p.steps[addStep(p, StepKind::StreamCopy, block, name).index].stream = StreamId(p.streams.size() - 1);
    }
    p.streams.back().continues = true;
    return block;
}

struct Damage {
    char const *name;
    std::function<void(Program &)> break_;
};

/// Makes the transfer four rows of sixteen.
Transfer &rowsOf(Program &p, std::int64_t src0, std::int64_t dst0, std::int64_t srcStride, std::int64_t dstStride)
{
    auto &t = p.exchanges[0].transfers[0];
    t.src0 = src0;
    t.dst0 = dst0;
    t.loops = {{4, srcStride, dstStride}, {16, 1, 1}};
    return t;
}

/// The stream's variable gets a remote buffer.
Variable *remoteOf(Program &p)
{
    auto twin = p.variables[2];
    twin.name = "remote";
    twin.home = Home::Streaming;
    p.variables.push_back(std::move(twin));
    p.streams[0].remote = VarId(p.variables.size() - 1);
    return &p.variables.back();
}

VertexFamily reluOf(std::uint32_t out, std::uint32_t in)
{
    VertexFamily family;
    family.fields = {{VarId(std::size_t{out}), Access::Write}, {VarId(std::size_t{in}), Access::Read}};
    family.expr = "1: relu a0";
    return family;
}

} // namespace

class TstProgramVerify : public QObject {
    Q_OBJECT

    static std::vector<Damage> damages()
    {
        return {
            // machines and layouts
            {"no tiles", [](Program &p) { p.tilesPerIpu = 0; }},
            {"no IPUs", [](Program &p) { p.ipus = 0; }},
            {"no replicas", [](Program &p) { p.replicas = 0; }},
            {"more tiles than there can be", [](Program &p) { p.ipus = 1 << 30; }},
            {"more tiles than the IPU has", [](Program &p) { p.variables[0].layout.on.count = 9; }},
            {"an IPU that is not there", [](Program &p) { p.variables[0].layout.on.ipu = 2; }},
            {"a negative IPU", [](Program &p) { p.variables[0].layout.on.ipu = -1; }},
            {"a negative first tile", [](Program &p) { p.variables[0].layout.first = -1; }},
            {"a set that begins on another IPU", [](Program &p) { p.variables[0].layout.on.begin = 8; }},
            {"a set of no tiles", [](Program &p) { p.variables[0].layout.on.count = 0; }},
            {"a negative stride of tiles", [](Program &p) { p.variables[0].layout.row().stride = -1; }},
            {"no rows", [](Program &p) { p.variables[0].layout.row().extent = 0; }},
            {"empty blocks", [](Program &p) { p.variables[0].layout.col().block = 0; }},
            {"steps of nothing", [](Program &p) { p.variables[0].layout.col().step = 0; }},
            {"groups of nothing", [](Program &p) { p.variables[0].layout.col().group = 0; }},
            {"two blocks on one tile", [](Program &p) { p.variables[1].layout.row().stride = 0; }},
            {"more blocks than tiles", [](Program &p) { p.variables[1].layout.col() = cut(16, 1, 1); }},
            {"a block that is missing", [](Program &p) { p.variables[1].layout.row().count = 3; }},
            {"more blocks than a number holds", [](Program &p) { p.variables[1].layout.row().count = std::int64_t{1} << 50; }},
            {"a number of elements that overflows",
             [](Program &p) {
                 for (int d = 0; d < 2; ++d) p.variables[0].layout.dim(d).extent = std::int64_t{1} << 30;
             }},
            {"too many dimensions", [](Program &p) { p.variables[0].layout.rank = 7; }},
            {"no dimensions", [](Program &p) { p.variables[0].layout.rank = 0; }},
            {"an order that names nothing", [](Program &p) { p.variables[0].layout.order[1] = 200; }},
            {"a halo larger than its block", [](Program &p) { p.variables[1].layout.row().before = 2; }},
            {"a negative halo", [](Program &p) { p.variables[1].layout.row().before = -1; }},
            {"a block of padding only", [](Program &p) { p.variables[1].layout.row() = window(4, 2, 1, 0, 5, 1); }},
            {"what is kept has gaps",
             [](Program &p) {
                 p.variables[3].alwaysLive = true;
                 p.variables[3].layout.row() = window(4, 1, 2, 0, 2, 1);
             }},
            {"a layout of another tensor",
             [](Program &p) {
                 p.variables[0].shape = {4, 15};
             }},
            {"a shape with a negative extent",
             [](Program &p) {
                 p.variables[0].shape = {-4, -16};
             }},
            {"an unknown kind of dimension", [](Program &p) { p.variables[0].layout.row().kind = static_cast<DimKind>(99); }},
            {"an unknown type", [](Program &p) { p.variables[0].dtype = static_cast<DType>(99); }},
            // compute sets
            {"a codelet that is not there", [](Program &p) { p.computeSets[0].families[0].codelet = 1; }},
            {"a negative codelet", [](Program &p) { p.computeSets[0].families[0].codelet = -1; }},
            {"a leading field that is not there", [](Program &p) { p.computeSets[0].families[0].lead = 2; }},
            {"a field of no variable", [](Program &p) { p.computeSets[0].families[0].fields[1].var = VarId(std::size_t{50}); }},
            {"a slice outside the block", [](Program &p) { p.computeSets[0].families[0].fields[1].slice = 1; }},
            {"a field without a block on the tile", [](Program &p) { p.computeSets[0].families[0].fields[1].var = VarId(std::size_t{0}); }},
            {"a field on another IPU", [](Program &p) { p.computeSets[0].families[0].fields[1].var = VarId(std::size_t{3}); }},
            {"two writers", [](Program &p) { p.computeSets[0].families.push_back(reluOf(2, 1)); }},
            {"a reader of what another vertex writes", [](Program &p) { p.computeSets[0].families.push_back(reluOf(1, 2)); }},
            {"blocks that nobody writes",
             [](Program &p) {
                 // The leading field covers fewer tiles than the written one.
                 auto const part = addVariable(p, "part", rowLayout(2, 16, tilesOf(8, 0), 3));
                 auto &family = p.computeSets[0].families[0];
                 family.fields.push_back({part, Access::Read});
                 family.lead = 2;
             }},
            // lanes
            {"lanes that share a tile",
             [](Program &p) {
                 auto const lanes = addLanes(p);
                 --p.steps[lanes[1].index].lane.begin;
             }},
            {"a lane on another IPU's tiles", [](Program &p) { p.steps[addLanes(p)[0].index].lane.ipu = 1; }},
            {"a lane beside a step that is none", [](Program &p) { p.steps[addLanes(p)[1].index].lane.count = 0; }},
            {"a lane outside a parallel step",
             [](Program &p) {
                 addLanes(p);
                 p.steps[p.steps[p.main.index].children.back().index].kind = StepKind::Sequence;
             }},
            {"a lane that uses another lane's variable",
             [](Program &p) {
                 auto const lanes = addLanes(p);
                 p.steps[addStep(p, StepKind::StreamCopy, lanes[0]).index].stream = StreamId(2);
             }},
            {"a parallel step inside a lane",
             [](Program &p) {
                 auto const lanes = addLanes(p);
                 addStep(p, StepKind::Parallel, lanes[0]);
             }},
            {"IO tiles only", [](Program &p) { p.ioTilesPerIpu = 8; }},
            {"a negative number of IO tiles", [](Program &p) { p.ioTilesPerIpu = -1; }},
            // exchanges
            {"an element size that differs", [](Program &p) { p.variables[0].dtype = DType::F16; }},
            {"a source of no variable", [](Program &p) { p.exchanges[0].transfers[0].src = VarId(); }},
            {"twins from another start", [](Program &p) { p.exchanges[0].transfers[0].src0 = 1; }},
            {"twins of another size",
             [](Program &p) {
                 p.variables[0].shape = {4, 8};
                 p.variables[0].layout.col() = cut(8, 8, 0);
             }},
            {"rows past the end of the source", [](Program &p) { rowsOf(p, 1, 0, 16, 16); }},
            {"rows past the end of the destination", [](Program &p) { rowsOf(p, 0, 1, 16, 16); }},
            {"a start before the tensor", [](Program &p) { rowsOf(p, -1, 0, 16, 16); }},
            {"no rows to move", [](Program &p) { rowsOf(p, 0, 0, 16, 16).loops[0].count = 0; }},
            {"no columns to move", [](Program &p) { rowsOf(p, 0, 0, 16, 16).loops[1].count = 0; }},
            {"a stride that overflows", [](Program &p) { rowsOf(p, 0, 0, INT64_MAX / 2, 16); }},
            {"a negative stride", [](Program &p) { rowsOf(p, 63, 0, -16, 16); }},
            {"rows that overwrite each other", [](Program &p) { rowsOf(p, 0, 0, 16, 15); }},
            {"too many loops",
             [](Program &p) {
                 rowsOf(p, 0, 0, 16, 16).loops.resize(7, {1, 0, 0});
             }},
            {"two transfers into one place",
             [](Program &p) {
                 rowsOf(p, 0, 0, 16, 16).loops[0].count = 3;
                 auto second = p.exchanges[0].transfers[0];
                 second.dst0 = 47; // the last element of the first three rows
                 second.loops = {{16, 1, 1}};
                 p.exchanges[0].transfers.push_back(second);
             }},
            {"all of it and a part again",
             [](Program &p) {
                 auto second = p.exchanges[0].transfers[0];
                 second.dst0 = 5;
                 second.loops = {{1, 0, 0}};
                 p.exchanges[0].transfers.push_back(second);
             }},
            {"elements that no block holds",
             [](Program &p) {
                 p.variables[0].layout = p.variables[1].layout;
                 p.variables[0].layout.row() = window(4, 1, 2, 0, 2, 1);
             }},
            {"an addend that is not there", [](Program &p) { p.exchanges[0].transfers[0].dstPart = 1; }},
            {"one addend in place of the sum", [](Program &p) { p.exchanges[0].transfers[0].src = VarId(std::size_t{4}); }},
            {"a tensor in place of all addends", [](Program &p) { p.exchanges[0].transfers[0].dst = VarId(std::size_t{4}); }},
            {"slots that are not named",
             [](Program &p) {
                 p.variables[4].layout.dim(0).kind = DimKind::Slot;
                 p.exchanges[0].transfers[0].dst = VarId(std::size_t{4});
             }},
            {"regrouping of what needs none", [](Program &p) { p.exchanges[0].transfers[0].rowMajor = true; }},
            {"what landed is read before it is regrouped",
             [](Program &p) {
                 p.variables[1].layout.col().group = 4;
                 p.exchanges[0].transfers[0].rowMajor = true;
             }},
            {"what never came is regrouped",
             [](Program &p) {
                 p.variables[1].layout.col().group = 4;
                 p.computeSets[0].families[0].fields[1].access = Access::Regroup;
             }},
            {"what lands in two orders",
             [](Program &p) {
                 p.variables[1].layout.col().group = 4;
                 rowsOf(p, 0, 0, 16, 16).loops[0].count = 3;
                 auto second = p.exchanges[0].transfers[0];
                 second.dst0 = 48;
                 second.loops = {{16, 1, 1}};
                 second.rowMajor = true;
                 p.exchanges[0].transfers.push_back(second);
             }},
            {"a variable sent while it is received",
             [](Program &p) {
                 auto back = p.exchanges[0].transfers[0];
                 std::swap(back.src, back.dst);
                 p.exchanges[0].transfers.push_back(back);
             }},
            {"a ring between other tiles",
             [](Program &p) {
                 p.exchanges[0].ring.push_back({VarId(std::size_t{0}), VarId(std::size_t{1}), 0, false});
             }},
            // streams and steps
            {"a stream of no variable", [](Program &p) { p.streams[0].var = VarId(); }},
            {"entries that are not the main step's children",
             [](Program &p) {
                 p.entries = {"train", "evaluate"};
             }},
            {"no main step", [](Program &p) { p.main = StepId(); }},
            {"a step that is not there", [](Program &p) { p.steps[0].children.push_back(StepId(std::size_t{70})); }},
            {"a step inside itself", [](Program &p) { p.steps[1].children.push_back(StepId(std::size_t{0})); }},
            {"an unknown kind of step", [](Program &p) { p.steps[2].kind = static_cast<StepKind>(99); }},
            {"a loop that runs less than never", [](Program &p) { p.steps[1].count = -1; }},
            {"an exchange that is not there", [](Program &p) { p.steps[2].exchange = ExchangeId(std::size_t{1}); }},
            {"a compute set that is not there", [](Program &p) { p.steps[3].computeSet = ComputeSetId(std::size_t{1}); }},
            {"an exchange with streaming memory", [](Program &p) { p.variables[0].home = Home::Streaming; }},
            {"a vertex in streaming memory", [](Program &p) { p.variables[2].home = Home::Streaming; }},
            {"a remote copy without a remote buffer", [](Program &p) { p.steps[4].kind = StepKind::RemoteCopy; }},
            {"a stream copy with a remote buffer", [](Program &p) { remoteOf(p); }},
            {"a remote copy to tiles",
             [](Program &p) {
                 remoteOf(p)->home = Home::Tiles;
                 p.steps[4].kind = StepKind::RemoteCopy;
             }},
            {"a remote copy of another size",
             [](Program &p) {
                 remoteOf(p)->layout = rowLayout(4, 8, tilesOf(8, 0), 0);
                 p.variables[5].shape = {4, 8};
                 p.steps[4].kind = StepKind::RemoteCopy;
             }},
            {"a shard that is a whole",
             [](Program &p) {
                 remoteOf(p)->home = Home::Shards;
                 p.steps[4].kind = StepKind::RemoteCopy;
             }},
            {"an output that continues a transfer", [](Program &p) { p.streams[0].continues = true; }},
            {"a stream that continues no transfer",
             [](Program &p) {
                 p.streams[0].toDevice = true;
                 p.streams[0].continues = true;
             }},
            {"a stream that continues a transfer to another IPU",
             [](Program &p) {
                 addFeeds(p);
                 p.variables.back().layout = linearLayout(4, 16, DType::F32, {8, 8, 1}, 0);
             }},
            {"a stream that continues an output",
             [](Program &p) {
                 addFeeds(p);
                 p.streams[1].toDevice = false;
             }},
            {"a stream that continues a transfer after another step",
             [](Program &p) {
                 auto const children = addFeeds(p);
                 p.steps[children.index].children.insert(p.steps[children.index].children.begin() + 1, StepId(std::size_t{3}));
             }},
            {"a stream that is not there", [](Program &p) { p.steps[4].stream = StreamId(std::size_t{1}); }},
        };
    }

private slots:
    void aSoundProgramPasses()
    {
        auto const ok = verify(sample());
        QVERIFY2(ok.ok(), ok.ok() ? "" : toText(ok.error()).c_str());
        auto withLanes = sample();
        addLanes(withLanes);
        QVERIFY(verify(withLanes).ok());
        QCOMPARE(parse(print(withLanes)).value(), withLanes);
        auto withFeeds = sample();
        addFeeds(withFeeds);
        QVERIFY(verify(withFeeds).ok());
        QCOMPARE(parse(print(withFeeds)).value(), withFeeds);
    }
    void aRemoteCopyIsSound()
    {
        auto p = sample();
        remoteOf(p);
        p.steps[4].kind = StepKind::RemoteCopy;
        auto ok = verify(p);
        QVERIFY2(ok.ok(), ok.ok() ? "" : toText(ok.error()).c_str());
        p.replicas = 2;
        p.variables.back().home = Home::Shards;
        auto &part = p.variables.emplace_back(p.variables.back());
        part.home = Home::Tiles;
        part.layout = shardLayout(part.layout, 2);
        part.shape = {part.layout.indexElements()};
        p.streams[0].var = VarId(p.variables.size() - 1);
        ok = verify(p);
        QVERIFY2(ok.ok(), ok.ok() ? "" : toText(ok.error()).c_str());
        QCOMPARE(remoteBytes(p, p.variables[5]), Bytes(4 * 16 * 4 / 2));
    }
    void eachDamageIsRefused_data()
    {
        QTest::addColumn<int>("index");
        auto const all = damages();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) QTest::newRow(all[static_cast<std::size_t>(i)].name) << i;
    }
    void eachDamageIsRefused()
    {
        QFETCH(int, index);
        auto p = sample();
        damages()[static_cast<std::size_t>(index)].break_(p);
        auto const status = verify(p);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("program.broken"));
    }
    void updatingInPlaceIsNoRace()
    {
        auto p = sample();
        auto &family = p.computeSets[0].families[0];
        family.fields = {{VarId(std::size_t{2}), Access::Update}, {VarId(std::size_t{2}), Access::Read}};
        QVERIFY(verify(p).ok());
        // Two slices of one variable are two things.
        VertexFamily first = reluOf(2, 4), second = reluOf(1, 4);
        Layout const same = rowLayout(4, 16, tilesOf(8, 0), 0);
        p.variables[1].layout = p.variables[2].layout = same;
        first.fields[1].slice = 0;
        second.fields[1].slice = 1;
        p.computeSets[0].families = {first, second};
        auto const ok = verify(p);
        QVERIFY2(ok.ok(), ok.ok() ? "" : toText(ok.error()).c_str());
        p.computeSets[0].families[0].fields = {{VarId(std::size_t{4}), Access::Update, 0}, {VarId(std::size_t{2}), Access::Read}};
        QVERIFY(verify(p).ok());
        p.computeSets[0].families[1].fields[1].slice = 0;
        QVERIFY(!verify(p).ok());
    }
    void receivedRowsAreRegroupedOnce()
    {
        auto p = sample();
        p.variables[1].layout.col().group = 4;
        p.exchanges[0].transfers[0].rowMajor = true;
        VertexFamily regroup;
        regroup.fields = {{VarId(std::size_t{1}), Access::Regroup}};
        p.computeSets.push_back({"regroup", -1, {regroup}});
        Step step;
        step.kind = StepKind::Execute;
        step.computeSet = ComputeSetId(1);
        p.steps.push_back(step);
        StepId const id(p.steps.size() - 1);
        p.steps[1].children.insert(p.steps[1].children.begin() + 1, id);
        auto const ok = verify(p);
        QVERIFY2(ok.ok(), ok.ok() ? "" : toText(ok.error()).c_str());
        QVERIFY(accesses(p, p.steps[id.index])[0].access == Access::Update);
        p.steps[1].children.insert(p.steps[1].children.begin() + 1, id);
        QVERIFY(!verify(p).ok()); // twice
    }
    void partsOfAJoinAreDisjoint()
    {
        auto p = sample();
        // Columns 0-5 and 6-15 of each row, in turn: they interleave and meet nowhere.
        auto &left = rowsOf(p, 0, 0, 16, 16);
        left.loops[1].count = 6;
        auto right = left;
        right.src0 = right.dst0 = 6;
        right.loops[1].count = 10;
        p.exchanges[0].transfers.push_back(right);
        auto const ok = verify(p);
        QVERIFY2(ok.ok(), ok.ok() ? "" : toText(ok.error()).c_str());
        QVERIFY(accesses(p, p.steps[2])[1].access == Access::Write); // together they cover it
        p.exchanges[0].transfers[1].dst0 = 5;
        QVERIFY(!verify(p).ok());
    }
    void leavesComeInTheOrderOfTheTreeWithLoopBodiesOnce()
    {
        auto const p = sample();
        QCOMPARE(leafSteps(p), (std::vector<StepId>{StepId(std::size_t{2}), StepId(std::size_t{3}), StepId(std::size_t{4})}));
    }
    void accessesFollowTheStep()
    {
        auto p = sample();
        auto const of = [&](std::size_t step) { return accesses(p, p.steps[step]); };
        auto exchange = of(2);
        QCOMPARE(exchange.size(), std::size_t(2));
        QVERIFY(exchange[0].access == Access::Read && exchange[1].access == Access::Write);
        // A part of the destination keeps the rest of it alive.
        rowsOf(p, 0, 0, 16, 16).loops[0].count = 3;
        QVERIFY(of(2)[1].access == Access::Update);
        auto rest = p.exchanges[0].transfers[0];
        rest.loops[0].count = 1;
        rest.src0 = rest.dst0 = 48;
        p.exchanges[0].transfers.push_back(rest);
        QVERIFY(verify(p).ok());
        QVERIFY(of(2)[1].access == Access::Write);
        QVERIFY(of(3)[0].access == Access::Write);
        QVERIFY(of(4)[0].access == Access::Read);
    }
    void theTextNamesEverything()
    {
        auto const text = print(sample());
        for (auto const *part :
             {"program \"test\" ipus 2 replicas 2 tiles 8", "var \"a\" f32[4, 16] activation variable", "repeat \"loop\" x2", "a -> b\n",
              "Map x4 >c <b {1: relu a0}", "addends 3/3*0, 4/1*1, 16/16*0, from 0 on 0..7"})
            QVERIFY2(text.find(part) != std::string::npos, (std::string(part) + "\n" + text).c_str());
    }
};

TW_REGISTER_TEST(TstProgramVerify);
#include "tst_program_verify.moc"
