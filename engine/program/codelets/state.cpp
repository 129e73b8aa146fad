// Counters, step sizes, running means, ring collectives and pipeline stashes.
#include "engine/core/rate_schedule.h"
#include "engine/kernels/optimizer_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/map_cost.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilewright::program {

namespace {

/// Compiled C++ for a few scalar operations in one worker.
constexpr Cycles kScalarWorkCycles = 6 * 30;

void runIncrement(std::byte *tile, VertexState const &s, Workers workers)
{
    if (workers.begin == 0) *at<std::int32_t>(tile, s.fields[0]) += static_cast<std::int32_t>(s.scalars[0]);
}

void runStepSize(std::byte *tile, VertexState const &s, Workers workers)
{
    if (workers.begin != 0) return;
    auto const iterations = *at<std::int32_t>(tile, s.fields[1]);
    double rate = s.scalars.size() > 5 ? scheduledRate(s.scalars.subspan(5), iterations) : s.scalars[1];
    if (s.fields.size() > 2) // written by the host, in two parts
        rate = static_cast<double>(*at<float>(tile, s.fields[2])) + static_cast<double>(*at<float>(tile, s.fields[3]));
    float const size = kernels::stepSize(iterations, static_cast<kernels::StepKind>(static_cast<int>(s.scalars[0])), rate, s.scalars[2],
                                         s.scalars[3], s.scalars[4]);
    storeFloats(tile, s.fields[0], 0, 1, &size);
}

void runRunning(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const c = kernels::runningCoefficients(*at<std::int32_t>(tile, s.fields[2]));
    auto const share = shareOf(s.fields[0].elements(), workers);
    FloatShare acc(tile, s.fields[0], share), g(tile, s.fields[1], share);
    for (std::int64_t i = 0; i < acc.count(); ++i) acc.data()[i] = kernels::runningValue(acc.data()[i], g.data()[i], c);
    acc.store();
}

/// Adds the received chunk to chunk (replica + scalars[0]) mod R of this replica's block.
void runRingAdd(std::byte *tile, VertexState const &s, Workers workers)
{
    std::int64_t const n = s.fields[0].elements();
    std::int64_t const size = s.fields[1].elements();
    std::int64_t const r = s.replicas;
    std::int64_t const chunk = ((s.replica + static_cast<std::int64_t>(s.scalars[0])) % r + r) % r;
    std::int64_t const from = std::min(n, chunk * size), to = std::min(n, from + size);
    auto const share = shareOf(to - from, workers);
    FloatShare x(tile, s.fields[0], {from + share.begin, from + share.end}), m(tile, s.fields[1], share);
    for (std::int64_t i = 0; i < x.count(); ++i) x.data()[i] += m.data()[i];
    x.store();
}

/// The elements of this replica's shard of a block: chunk (replica + scalars[0]) mod R, of `size` elements.
Share shardOf(VertexState const &s, std::int64_t elements, std::int64_t size)
{
    std::int64_t const r = s.replicas, chunk = ((s.replica + static_cast<std::int64_t>(s.scalars[0])) % r + r) % r;
    std::int64_t const from = std::min(elements, chunk * size);
    return {from, std::min(elements, from + size)};
}

/// Fields: the shard, the block. What a shard has beyond its block is zero.
void runTakeShard(std::byte *tile, VertexState const &s, Workers workers)
{
    if (workers.begin != 0) return;
    auto const part = shardOf(s, s.fields[1].elements(), s.fields[0].elements());
    auto const size = static_cast<std::int64_t>(sizeOf(s.fields[0].dtype));
    auto const bytes = static_cast<std::size_t>((part.end - part.begin) * size);
    std::byte *const to = tile + s.fields[0].address;
    std::memcpy(to, tile + s.fields[1].address + part.begin * size, bytes);
    std::memset(to + bytes, 0, static_cast<std::size_t>(s.fields[0].elements() * size) - bytes);
}

/// Fields: the block, the shard.
void runPutShard(std::byte *tile, VertexState const &s, Workers workers)
{
    if (workers.begin != 0) return;
    auto const part = shardOf(s, s.fields[0].elements(), s.fields[1].elements());
    auto const size = static_cast<std::int64_t>(sizeOf(s.fields[0].dtype));
    std::memcpy(tile + s.fields[0].address + part.begin * size, tile + s.fields[1].address,
                static_cast<std::size_t>((part.end - part.begin) * size));
}

/// First-in-first-out buffer of one tensor. Fields: output slot, ring, counter, input. With depth 0 (a ring of one slot) the input is the
/// output.
void runFifo(std::byte *tile, VertexState const &s, Workers workers)
{
    if (workers.begin != 0) return; // advance the counter once
    auto const bytes = static_cast<std::size_t>(s.fields[0].elements() * sizeOf(s.fields[0].dtype));
    std::int32_t const depth = s.fields[1].groups;
    auto *counter = at<std::int32_t>(tile, s.fields[2]);
    std::byte *slot = tile + s.fields[1].address + static_cast<std::size_t>(*counter) * bytes;
    std::memcpy(tile + s.fields[0].address, slot, bytes);
    std::memcpy(slot, tile + s.fields[3].address, bytes);
    *counter = (*counter + 1) % depth;
}

FieldShape row(cost::Args const &a, std::int64_t n, std::int64_t groups = 1)
{
    return matrixField(storageType(a.type("type")), 1, n, groups);
}
FieldShape number(DType type = DType::I32) { return matrixField(type, 1, 1); }

Codelet make(char const *name, Bytes code, std::function<Cycles(VertexShape const &, target::Chip const &)> cycles,
             void (*run)(std::byte *, VertexState const &, Workers), char const *title, std::vector<cost::CostParam> params,
             SizedVertex (*vertex)(cost::Args const &))
{
    Codelet c;
    c.name = name;
    c.codeBytes = code;
    c.cycles = std::move(cycles);
    c.stateBytes = usualState;
    c.run = run;
    c.description = describe({.family = "state",
                              .title = title,
                              .source = "own count of a worker's instructions, maps and copies",
                              .params = std::move(params),
                              .vertex = vertex});
    return c;
}

} // namespace

void addStateCodelets(std::vector<Codelet> &all)
{
    auto const scalar = [](VertexShape const &, target::Chip const &) { return kScalarWorkCycles; };
    all.push_back(make("Increment", 60, scalar, runIncrement, "a counter goes on", {}, [](cost::Args const &) -> SizedVertex {
        return {{number()}, {1.0}};
    }));
    all.push_back(make(
        "StepSize", 420,
        [](VertexShape const &shape, target::Chip const &) { return (shape.scalars.size() > 5 ? 8 : 4) * kScalarWorkCycles; }, runStepSize,
        "step size of an optimizer's update", {cost::integerParam("schedule", "0", "numbers of the schedule of the learning rate", 0, 64)},
        [](cost::Args const &a) -> SizedVertex {
            return {{number(DType::F32), number()}, std::vector<double>(static_cast<std::size_t>(5 + a.integer("schedule")))};
        }));
    all.push_back(make(
        "AccumulateRunning", 260,
        [](VertexShape const &shape, target::Chip const &) {
            static constexpr std::array<std::string_view, 3> kOps{"multiply", "multiply", "add"};
            return kScalarWorkCycles + cost::mapCycles(kOps, shape.fields[0].dtype, shape.fields[0].elements(), 2, true);
        },
        runRunning, "running mean over micro-batches", {floatTypeParam(), elementsParam()},
        [](cost::Args const &a) -> SizedVertex {
            return {{row(a, a.integer("n")), row(a, a.integer("n")), number()}};
        }));
    all.push_back(make(
        "RingAdd", 220,
        [](VertexShape const &shape, target::Chip const &) {
            static constexpr std::array<std::string_view, 1> kOps{"add"};
            return cost::mapCycles(kOps, shape.fields[0].dtype, shape.fields[1].elements(), 2, true);
        },
        runRingAdd, "one step of a sum over replicas",
        {floatTypeParam(), elementsParam(), cost::integerParam("chunk", "", "elements received")},
        [](cost::Args const &a) -> SizedVertex {
            return {{row(a, a.integer("n")), row(a, a.integer("chunk"))}, {0.0}};
        }));
    for (bool const takes : {true, false}) {
        all.push_back(make(
            takes ? "TakeShard" : "PutShard", 140,
            [takes](VertexShape const &shape, target::Chip const &chip) {
                auto const &shard = shape.fields[takes ? 0 : 1];
                return kScalarWorkCycles + cost::memcpyCycles(shard.elements() * sizeOf(shard.dtype), 1, chip.memcpyBytesPerCycle);
            },
            takes ? runTakeShard : runPutShard, takes ? "a replica's shard of a block" : "a shard back into its block",
            {storedTypeParam(), elementsParam(), cost::integerParam("shard", "", "elements of the shard")},
            takes ? [](cost::Args const &a) -> SizedVertex { return {{row(a, a.integer("shard")), row(a, a.integer("n"))}, {0.0}}; }
                  : [](cost::Args const &a) -> SizedVertex { return {{row(a, a.integer("n")), row(a, a.integer("shard"))}, {0.0}}; }));
        all.back().knowsGroups = true;
    }
    all.push_back(make(
        "Fifo", 180,
        [](VertexShape const &shape, target::Chip const &chip) {
            auto const bytes = shape.fields[0].elements() * sizeOf(shape.fields[0].dtype);
            return kScalarWorkCycles + 2 * cost::memcpyCycles(bytes, 1, chip.memcpyBytesPerCycle);
        },
        runFifo, "first-in-first-out of a pipeline's stash",
        {storedTypeParam(), elementsParam(), cost::integerParam("depth", "2", "tensors in it", 1)},
        [](cost::Args const &a) -> SizedVertex {
            return {{row(a, a.integer("n")), row(a, a.integer("n"), a.integer("depth")), number(), row(a, a.integer("n"))}};
        }));
}

} // namespace tilewright::program
