// Optimizer updates in place. Fields: states (weights first), gradient, rate, momentum where there is one.
#include "engine/kernels/optimizer_loop.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/map_cost.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace tilewright::program {

namespace {

using namespace kernels;

/// Weights, slots and gradient of one share, each in its own type. `update` works on floats.
template <std::size_t States, typename Update>
void updateShare(std::byte *tile, VertexState const &s, Workers workers, Update const &update)
{
    auto const share = shareOf(s.fields[0].elements(), workers);
    if (share.begin == share.end) return;
    bool plain = true;
    for (std::size_t i = 0; i <= States; ++i) plain &= s.fields[i].dtype == DType::F32;
    std::array<float *, States + 1> fields{};
    if (plain) {
        for (std::size_t i = 0; i <= States; ++i) fields[i] = at<float>(tile, s.fields[i]) + share.begin;
        update(fields, share.end - share.begin);
        return;
    }
    std::array<std::optional<FloatShare>, States + 1> wide;
    for (std::size_t i = 0; i <= States; ++i) fields[i] = wide[i].emplace(tile, s.fields[i], share).data();
    update(fields, share.end - share.begin);
    for (std::size_t i = 0; i < States; ++i) wide[i]->store();
}

void runSgd(std::byte *tile, VertexState const &s, Workers workers)
{
    float const lr = loadScalar(tile, s.fields[2]);
    updateShare<1>(tile, s, workers, [&](auto const &fields, std::int64_t n) {
        auto const [w, g] = fields;
        for (std::int64_t i = 0; i < n; ++i) w[i] = sgdUpdate(w[i], g[i], lr);
    });
}

/// Calls update(state, gradient, rate) for each element of the share.
template <typename List, typename Update> void updateStates(std::byte *tile, VertexState const &s, Workers workers, Update const &update)
{
    float const rate = loadScalar(tile, s.fields[List::kCount + 1]);
    updateShare<List::kCount>(tile, s, workers, [&](auto const &fields, std::int64_t n) {
        std::array<float const *, List::kCount> from;
        std::array<float *, List::kCount> to;
        std::copy_n(fields.begin(), List::kCount, from.begin());
        std::copy_n(fields.begin(), List::kCount, to.begin());
        updateLoop(List(), from, to, fields[List::kCount], rate, 0, n, update);
    });
}

void runMomentum(std::byte *tile, VertexState const &s, Workers workers)
{
    float const momentum = loadScalar(tile, s.fields[4]);
    updateStates<MomentumStates>(tile, s, workers, [momentum, nesterov = s.scalars[0] != 0](MomentumState v, float g, float lr) {
        return momentumUpdate(v, g, lr, momentum, nesterov);
    });
}

void runRmsProp(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const c = rmspropCoefficients(s.scalars[0], s.scalars[1]);
    updateStates<RmspropStates>(tile, s, workers, [c](RmspropState v, float g, float lr) { return rmspropUpdate(v, g, lr, c); });
}

void runRmsPropFull(std::byte *tile, VertexState const &s, Workers workers)
{
    auto c = rmspropCoefficients(s.scalars[0], s.scalars[1]);
    bool const withMomentum = s.scalars[2] != 0, centered = s.scalars[3] != 0;
    if (withMomentum) c.momentum = loadScalar(tile, s.fields[6]);
    updateStates<RmspropFullStates<true, true>>(
        tile, s, workers, [=](RmspropFullState v, float g, float lr) { return rmspropFullUpdate(v, g, lr, c, centered, withMomentum); });
}

void runAdam(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const c = adamCoefficients(s.scalars[0], s.scalars[1], s.scalars[2]);
    updateStates<AdamStates>(tile, s, workers, [c](AdamState v, float g, float alpha) { return adamUpdate(v, g, alpha, c); });
}

void runAmsgrad(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const c = adamCoefficients(s.scalars[0], s.scalars[1], s.scalars[2]);
    updateStates<AmsgradStates>(tile, s, workers, [c](AmsgradState v, float g, float alpha) { return amsgradUpdate(v, g, alpha, c); });
}

void runAdamax(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const c = adamCoefficients(s.scalars[0], s.scalars[1], s.scalars[2]);
    updateStates<AdamaxStates>(tile, s, workers, [c](AdamaxState v, float g, float alpha) { return adamaxUpdate(v, g, alpha, c); });
}

void runAdadelta(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const c = rmspropCoefficients(s.scalars[0], s.scalars[1]);
    updateStates<AdadeltaStates>(tile, s, workers, [c](AdadeltaState v, float g, float lr) { return adadeltaUpdate(v, g, lr, c); });
}

/// An update is priced like the map of its arithmetic, with `states` and the gradient streamed at the rate of the widest type.
Cycles mapLike(VertexShape const &shape, std::span<std::string_view const> ops, int streams)
{
    auto const streamed = shape.fields.first(static_cast<std::size_t>(streams)); // without rate and momentum
    bool const wide = std::ranges::any_of(streamed, [](FieldShape const &field) { return field.dtype == DType::F32; });
    return cost::mapCycles(ops, wide ? DType::F32 : shape.fields[0].dtype, shape.fields[0].elements(), streams, true);
}

/// `states` and the gradient, then the rate, further scalars and the constants.
std::shared_ptr<CodeletDescription const> describeUpdate(char const *library, char const *title, char const *source, int states,
                                                         int constants, int more = 0)
{
    return describe({.library = library,
                     .family = "optimizer",
                     .title = title,
                     .source = source,
                     .params = {floatTypeParam(), elementsParam()},
                     .vertex = [states, constants, more](cost::Args const &a) {
                         std::int64_t const n = a.integer("n");
                         SizedVertex vertex;
                         vertex.fields.assign(static_cast<std::size_t>(states), matrixField(storageType(a.type("type")), 1, n));
                         vertex.fields.push_back(matrixField(DType::F32, 1, n)); // gradients of float16 weights are float32
                         for (int i = 0; i <= more; ++i) vertex.fields.push_back(matrixField(DType::F32, 1, 1));
                         vertex.scalars.resize(static_cast<std::size_t>(constants));
                         return vertex;
                     }});
}

template <std::size_t N> Codelet update(char const *name, char const *title, int constants, Bytes code,
                                        std::array<std::string_view, N> const &ops, int streams,
                                        void (*run)(std::byte *, VertexState const &, Workers), int more = 0)
{
    Codelet c;
    c.name = name;
    c.codeBytes = code;
    c.cycles = [ops, streams](VertexShape const &shape, target::Chip const &) { return mapLike(shape, ops, streams); };
    c.stateBytes = usualState;
    c.run = run;
    c.description = describeUpdate("", title, kMapSource, streams - 1, constants, more);
    return c;
}

} // namespace

void addOptimizerCodelets(std::vector<Codelet> &all)
{
    Codelet sgd;
    sgd.name = "ScaledSubtract";
    sgd.codeBytes = 240;
    sgd.cycles = [](VertexShape const &shape, target::Chip const &) {
        cost::ScaledAddParams p;
        p.a = p.b = p.scale = shape.fields[0].dtype;
        p.n = shape.fields[0].elements();
        p.op = cost::ScaledOp::Subtract;
        return cost::scaledAdd1DCycles(p);
    };
    sgd.stateBytes = usualState;
    sgd.run = runSgd;
    sgd.description = describeUpdate("popops::ScaledSubtractSupervisor", "weights less rate times gradient", kPopopsSource, 1, 0);
    all.push_back(std::move(sgd));
    using Ops = std::string_view;
    all.push_back(update("SgdMomentum", "update of SGD with momentum", 1, 330,
                         std::array<Ops, 4>{"multiply", "multiply", "subtract", "add"}, 3, runMomentum, 1));
    all.push_back(update("RmsProp", "update of RMSprop", 2, 420,
                         std::array<Ops, 9>{"square", "multiply", "multiply", "add", "sqrt", "add", "multiply", "divide", "subtract"}, 3,
                         runRmsProp));
    all.push_back(update("RmsPropFull", "update of RMSprop, centred or with momentum", 4, 640,
                         std::array<Ops, 15>{"square", "multiply", "multiply", "add", "multiply", "multiply", "add", "square", "subtract",
                                             "add", "sqrt", "multiply", "divide", "add", "subtract"},
                         5, runRmsPropFull, 1));
    all.push_back(update("Adam", "update of Adam", 3, 520,
                         std::array<Ops, 12>{"multiply", "multiply", "add", "square", "multiply", "multiply", "add", "sqrt", "add",
                                             "multiply", "divide", "subtract"},
                         4, runAdam));
    all.push_back(update("AdamAmsgrad", "update of Adam that keeps its largest second moment", 3, 580,
                         std::array<Ops, 13>{"multiply", "multiply", "add", "square", "multiply", "multiply", "add", "maximum", "sqrt",
                                             "add", "multiply", "divide", "subtract"},
                         5, runAmsgrad));
    all.push_back(
        update("Adamax", "update of Adamax", 3, 480,
               std::array<Ops, 10>{"multiply", "multiply", "add", "multiply", "abs", "maximum", "add", "multiply", "divide", "subtract"}, 4,
               runAdamax));
    all.push_back(update("Adadelta", "update of Adadelta", 2, 600,
                         std::array<Ops, 16>{"square", "multiply", "multiply", "add", "add", "sqrt", "add", "sqrt", "multiply", "divide",
                                             "square", "multiply", "multiply", "add", "multiply", "subtract"},
                         4, runAdadelta));
}

} // namespace tilewright::program
