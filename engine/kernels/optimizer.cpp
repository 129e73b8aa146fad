#include "engine/kernels/optimizer_loop.h"

#include "engine/core/rate_schedule.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"
#include "engine/kernels/wide_vectors.h"

#include <algorithm>
#include <numeric>

namespace tilewright::kernels {

namespace {

/// Elements of an update that are worth a task: divisions and roots make it slower than an addition.
constexpr std::int64_t kUpdatePerTask = kElementsPerTask / 2;

/// The state tensors (weights first) of an optimizer node, its gradient and its rate.
template <std::size_t States> struct UpdateOperands {
    std::array<float const *, States> from;
    std::array<float *, States> to;
    float const *g;
    float const *rate;
    Pieces pieces;
};

/// Inputs: `states` states in order, gradient, rate (one element), `more` further scalars; outputs: the states. Of these, those at `used`.
template <std::size_t States> Result<UpdateOperands<States>>
updateOperands(PrepareArgs const &args, std::size_t states, std::array<std::size_t, States> const &used, std::size_t more = 0)
{
    TW_TRY(requireCounts(args, states + 2 + more, states));
    TW_TRY(requireF32(args));
    std::int64_t const n = args.inputs[0].elements();
    for (std::size_t i = 0; i <= states; ++i) TW_TRY(requireElements(args, args.inputs[i], n));
    for (auto const &output : args.outputs) TW_TRY(requireElements(args, output, n));
    for (std::size_t i = states + 1; i < args.inputs.size(); ++i) TW_TRY(requireElements(args, args.inputs[i], 1));
    UpdateOperands<States> u;
    for (std::size_t i = 0; i < States; ++i) {
        u.from[i] = args.inputs[used[i]].f32();
        u.to[i] = args.outputs[used[i]].f32();
    }
    u.g = args.inputs[states].f32();
    u.rate = args.inputs[states + 1].f32();
    u.pieces = {n, kUpdatePerTask};
    return u;
}

/// All of the states are used.
template <std::size_t States> Result<UpdateOperands<States>> updateOperands(PrepareArgs const &args, std::size_t more = 0)
{
    std::array<std::size_t, States> all;
    std::iota(all.begin(), all.end(), std::size_t{0});
    return updateOperands<States>(args, States, all, more);
}

template <std::size_t States, typename Loop>
[[TW_WIDE_VECTORS]] void runWide(Loop const &loop, UpdateOperands<States> const &u, std::int64_t begin, std::int64_t end, float rate)
{
    loop(u, begin, end, rate);
}

/// loop(operands, begin, end, rate) over all elements, in tasks.
template <std::size_t States, typename Loop> Prepared bindLoop(UpdateOperands<States> const &u, Loop loop)
{
    return [u, loop, wide = wideVectors()](RunContext &ctx) {
        float const rate = *u.rate;
        parallelFor(ctx, u.pieces.tasks(), [&](std::size_t task) {
            if (wide) runWide(loop, u, u.pieces.begin(task), u.pieces.end(task), rate);
            else loop(u, u.pieces.begin(task), u.pieces.end(task), rate);
        });
    };
}

/// update(state, gradient, rate) of each element.
template <typename List, typename Update> Result<Prepared> bindUpdate(PrepareArgs const &args, Update update)
{
    TW_ASSIGN(auto const u, updateOperands<List::kCount>(args));
    return bindLoop(u, [update](UpdateOperands<List::kCount> const &o, std::int64_t begin, std::int64_t end, float rate) {
        updateLoop(List(), o.from, o.to, o.g, rate, begin, end, update);
    });
}

template <bool Nesterov> Result<Prepared> bindMomentum(PrepareArgs const &args)
{
    using List = MomentumStates;
    TW_ASSIGN(auto const u, updateOperands<List::kCount>(args, 1));
    return bindLoop(
        u, [given = args.inputs.back().f32()](UpdateOperands<List::kCount> const &o, std::int64_t begin, std::int64_t end, float rate) {
            float const momentum = *given;
            updateLoop(List(), o.from, o.to, o.g, rate, begin, end,
                       [momentum](MomentumState s, float g, float lr) { return momentumUpdate(s, g, lr, momentum, Nesterov); });
        });
}

// Operands: w, s, [mg], [mom], g, lr, [momentum]; the two optional states may both be there, or only the one in use.
template <bool Centered, bool Momentum> Result<Prepared> bindRmspropFull(PrepareArgs const &args)
{
    using List = RmspropFullStates<Centered, Momentum>;
    constexpr std::size_t kAll = 4;
    std::size_t const states = args.outputs.size();
    if (states != kAll && states != List::kCount)
        return unsupported(args.node, Message::of("has %1 states instead of %2 or 4.", states, List::kCount));
    std::array<std::size_t, List::kCount> used;
    std::iota(used.begin(), used.end(), std::size_t{0});
    if (Momentum && states == kAll) used.back() = 3;
    TW_ASSIGN(auto const u, updateOperands<List::kCount>(args, states, used, Momentum ? 1 : 0));
    // A state that is not in use passes through.
    std::vector<std::pair<float const *, float *>> idle;
    for (std::size_t i = 0; i < states; ++i)
        if (std::ranges::find(used, i) == used.end() && args.inputs[i].data != args.outputs[i].data)
            idle.emplace_back(args.inputs[i].f32(), args.outputs[i].f32());
    auto const &attrs = args.node.attrs;
    auto const fixed = rmspropCoefficients(attrs.real("rho"), attrs.real("epsilon"));
    float const *given = Momentum ? args.inputs.back().f32() : nullptr;
    return bindLoop(u, [fixed, given, idle](UpdateOperands<List::kCount> const &o, std::int64_t begin, std::int64_t end, float lr) {
        auto c = fixed;
        if (given) c.momentum = *given;
        updateLoop(List(), o.from, o.to, o.g, lr, begin, end,
                   [c](RmspropFullState s, float g, float rate) { return rmspropFullUpdate(s, g, rate, c, Centered, Momentum); });
        for (auto const &[from, to] : idle) std::copy(from + begin, from + end, to + begin);
    });
}

AdamCoefficients adamCoefficientsOf(PrepareArgs const &args)
{
    auto const &attrs = args.node.attrs;
    return adamCoefficients(attrs.real("beta1"), attrs.real("beta2"), attrs.real("epsilon"));
}

RmspropCoefficients rmspropCoefficientsOf(PrepareArgs const &args)
{
    return rmspropCoefficients(args.node.attrs.real("rho"), args.node.attrs.real("epsilon"));
}

} // namespace

Result<Prepared> prepareSgd(PrepareArgs const &args)
{
    TW_ASSIGN(auto const u, updateOperands<1>(args));
    return bindLoop(u, [](UpdateOperands<1> const &o, std::int64_t begin, std::int64_t end, float lr) {
        float const *w = o.from[0], *g = o.g;
        float *out = o.to[0];
#pragma GCC ivdep
        for (std::int64_t i = begin; i < end; ++i) out[i] = sgdUpdate(w[i], g[i], lr);
    });
}

Result<Prepared> prepareMomentum(PrepareArgs const &args)
{
    return args.node.attrs.flag("nesterov") ? bindMomentum<true>(args) : bindMomentum<false>(args);
}

Result<Prepared> prepareRmsprop(PrepareArgs const &args)
{
    return bindUpdate<RmspropStates>(
        args, [c = rmspropCoefficientsOf(args)](RmspropState s, float g, float lr) { return rmspropUpdate(s, g, lr, c); });
}

Result<Prepared> prepareRmspropFull(PrepareArgs const &args)
{
    bool const withMomentum = args.node.attrs.flag("momentum");
    if (args.node.attrs.flag("centered")) return withMomentum ? bindRmspropFull<true, true>(args) : bindRmspropFull<true, false>(args);
    return withMomentum ? bindRmspropFull<false, true>(args) : bindRmspropFull<false, false>(args);
}

Result<Prepared> prepareAdam(PrepareArgs const &args)
{
    return bindUpdate<AdamStates>(args,
                                  [c = adamCoefficientsOf(args)](AdamState s, float g, float alpha) { return adamUpdate(s, g, alpha, c); });
}

Result<Prepared> prepareAmsgrad(PrepareArgs const &args)
{
    return bindUpdate<AmsgradStates>(
        args, [c = adamCoefficientsOf(args)](AmsgradState s, float g, float alpha) { return amsgradUpdate(s, g, alpha, c); });
}

Result<Prepared> prepareAdamax(PrepareArgs const &args)
{
    return bindUpdate<AdamaxStates>(
        args, [c = adamCoefficientsOf(args)](AdamaxState s, float g, float alpha) { return adamaxUpdate(s, g, alpha, c); });
}

Result<Prepared> prepareAdadelta(PrepareArgs const &args)
{
    return bindUpdate<AdadeltaStates>(
        args, [c = rmspropCoefficientsOf(args)](AdadeltaState s, float g, float lr) { return adadeltaUpdate(s, g, lr, c); });
}

Result<Prepared> prepareStepSize(PrepareArgs const &args)
{
    bool const written = args.inputs.size() == 3; // the rate, and its rest
    TW_TRY(requireCounts(args, written ? 3 : 1, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    for (std::size_t i = 1; i < args.inputs.size(); ++i) {
        TW_TRY(requireType(args, args.inputs[i], DType::F32));
        TW_TRY(requireElements(args, args.inputs[i], 1));
    }
    TW_TRY(requireElements(args, args.inputs[0], 1));
    TW_TRY(requireElements(args, args.outputs[0], 1));
    auto const &attrs = args.node.attrs;
    auto const kind = parseStepKind(attrs.text("kind"));
    if (!kind)
        return unsupported(args.node, Message::of("unknown kind '%1'.", attrs.text("kind")), Message::of("Use constant, adam or adamax."));
    double const lr = attrs.real("learning_rate"), decay = attrs.real("decay");
    double const beta1 = attrs.real("beta1"), beta2 = attrs.real("beta2");
    auto const schedule = attrs.reals("schedule");
    auto const *iterations = args.inputs[0].i32();
    auto *out = args.outputs[0].f32();
    if (written) {
        auto const *rate = args.inputs[1].f32(), *rest = args.inputs[2].f32();
        return Prepared([=](RunContext &) {
            *out = stepSize(*iterations, *kind, static_cast<double>(*rate) + static_cast<double>(*rest), decay, beta1, beta2);
        });
    }
    return Prepared([=](RunContext &) {
        *out = stepSize(*iterations, *kind, schedule.empty() ? lr : scheduledRate(schedule, *iterations), decay, beta1, beta2);
    });
}

} // namespace tilewright::kernels
