#include "engine/kernels/optimizer_math.h"

#include "engine/core/rate_schedule.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <array>

namespace tilewright::kernels {

namespace {

/// Elements of an update that are worth a task: divisions and roots make it slower than an addition.
constexpr std::int64_t kUpdatePerTask = kElementsPerTask / 2;

/// The `Slots` state tensors (weights first) of an optimizer node, its gradient and its rate.
template <std::size_t Slots> struct UpdateOperands {
    std::array<float const *, Slots> from;
    std::array<float *, Slots> to;
    float const *g;
    float const *rate;
    Pieces pieces;
};

/// Inputs: the states in order, gradient, rate (one element); outputs: the states.
template <std::size_t Slots> Result<UpdateOperands<Slots>> updateOperands(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, Slots + 2, Slots));
    TW_TRY(requireF32(args));
    UpdateOperands<Slots> u;
    std::int64_t const n = args.inputs[0].elements();
    for (std::size_t i = 0; i < Slots; ++i) {
        TW_TRY(requireElements(args, args.inputs[i], n));
        TW_TRY(requireElements(args, args.outputs[i], n));
        u.from[i] = args.inputs[i].f32();
        u.to[i] = args.outputs[i].f32();
    }
    TW_TRY(requireElements(args, args.inputs[Slots], n));
    TW_TRY(requireElements(args, args.inputs[Slots + 1], 1));
    u.g = args.inputs[Slots].f32();
    u.rate = args.inputs[Slots + 1].f32();
    u.pieces = {n, kUpdatePerTask};
    return u;
}

template <std::size_t Slots, typename Loop> Prepared bindLoop(UpdateOperands<Slots> const &u, Loop loop)
{
    return [u, loop](RunContext &ctx) {
        float const rate = *u.rate;
        parallelFor(ctx, u.pieces.tasks(), [&](std::size_t task) { loop(u, u.pieces.begin(task), u.pieces.end(task), rate); });
    };
}

// Outputs take the storage of their inputs, element by element: iterations are independent.

void rmspropLoop(UpdateOperands<2> const &u, std::int64_t begin, std::int64_t end, float lr, RmspropCoefficients c)
{
    float const *w = u.from[0], *s = u.from[1], *g = u.g;
    float *wOut = u.to[0], *sOut = u.to[1];
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i) {
        auto const next = rmspropUpdate({w[i], s[i]}, g[i], lr, c);
        wOut[i] = next.w;
        sOut[i] = next.s;
    }
}

template <bool Nesterov>
void momentumLoop(UpdateOperands<2> const &u, std::int64_t begin, std::int64_t end, float lr, float momentum)
{
    float const *w = u.from[0], *m = u.from[1], *g = u.g;
    float *wOut = u.to[0], *mOut = u.to[1];
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i) {
        auto const next = momentumUpdate({w[i], m[i]}, g[i], lr, momentum, Nesterov);
        wOut[i] = next.w;
        mOut[i] = next.m;
    }
}

struct FullOperands {
    float const *w, *s, *mg, *mom, *g, *rate;
    float *wOut, *sOut, *mgOut, *momOut;
    Pieces pieces;
};

template <bool Centered, bool Momentum>
void rmspropFullLoop(FullOperands const &u, std::int64_t begin, std::int64_t end, float lr, RmspropCoefficients c)
{
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i) {
        RmspropFullState const state{u.w[i], u.s[i], Centered ? u.mg[i] : 0.0f, Momentum ? u.mom[i] : 0.0f};
        auto const next = rmspropFullUpdate(state, u.g[i], lr, c, Centered, Momentum);
        u.wOut[i] = next.w;
        u.sOut[i] = next.s;
        if (Centered) u.mgOut[i] = next.mg;
        if (Momentum) u.momOut[i] = next.mom;
    }
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
    TW_ASSIGN(auto const u, updateOperands<2>(args));
    auto const momentum = static_cast<float>(args.node.attrs.real("momentum"));
    bool const nesterov = args.node.attrs.flag("nesterov");
    return bindLoop(u, [=](UpdateOperands<2> const &o, std::int64_t begin, std::int64_t end, float lr) {
        if (nesterov) momentumLoop<true>(o, begin, end, lr, momentum);
        else momentumLoop<false>(o, begin, end, lr, momentum);
    });
}

Result<Prepared> prepareRmsprop(PrepareArgs const &args)
{
    TW_ASSIGN(auto const u, updateOperands<2>(args));
    auto const c = rmspropCoefficients(args.node.attrs.real("rho"), args.node.attrs.real("epsilon"));
    return bindLoop(u, [c](UpdateOperands<2> const &o, std::int64_t begin, std::int64_t end, float lr) {
        rmspropLoop(o, begin, end, lr, c);
    });
}

// Operands: w, s, [mg], [mom], g, lr; the two optional states may both be there, or only the one in use.
Result<Prepared> prepareRmspropFull(PrepareArgs const &args)
{
    auto const &attrs = args.node.attrs;
    bool const centered = attrs.flag("centered");
    bool const withMomentum = attrs.real("momentum") > 0;
    std::size_t const states = args.outputs.size();
    std::size_t const needed = 2u + (centered ? 1 : 0) + (withMomentum ? 1 : 0);
    if (states != 4 && states != needed)
        return unsupported(args.node, "has " + std::to_string(states) + " states instead of " + std::to_string(needed) + " or 4.");
    TW_TRY(requireCounts(args, states + 2, states));
    TW_TRY(requireF32(args));
    std::int64_t const n = args.inputs[0].elements();
    for (std::size_t i = 0; i <= states; ++i) TW_TRY(requireElements(args, args.inputs[i], n));
    for (auto const &output : args.outputs) TW_TRY(requireElements(args, output, n));
    TW_TRY(requireElements(args, args.inputs[states + 1], 1));
    std::size_t const mgAt = 2;
    std::size_t const momAt = states == 4 || centered ? 3 : 2;
    FullOperands u{};
    u.w = args.inputs[0].f32();
    u.s = args.inputs[1].f32();
    u.wOut = args.outputs[0].f32();
    u.sOut = args.outputs[1].f32();
    if (centered) {
        u.mg = args.inputs[mgAt].f32();
        u.mgOut = args.outputs[mgAt].f32();
    }
    if (withMomentum) {
        u.mom = args.inputs[momAt].f32();
        u.momOut = args.outputs[momAt].f32();
    }
    u.g = args.inputs[states].f32();
    u.rate = args.inputs[states + 1].f32();
    u.pieces = {n, kUpdatePerTask};
    // A state that is not in use passes through.
    std::vector<std::pair<float const *, float *>> idle;
    if (states == 4) {
        for (auto const &[used, at] : {std::pair{centered, mgAt}, std::pair{withMomentum, momAt}})
            if (!used && args.inputs[at].data != args.outputs[at].data)
                idle.emplace_back(args.inputs[at].f32(), args.outputs[at].f32());
    }
    auto const c = rmspropCoefficients(attrs.real("rho"), attrs.real("epsilon"), attrs.real("momentum"));
    return Prepared([=](RunContext &ctx) {
        float const lr = *u.rate;
        parallelFor(ctx, u.pieces.tasks(), [&](std::size_t task) {
            auto const begin = u.pieces.begin(task), end = u.pieces.end(task);
            if (centered && withMomentum) rmspropFullLoop<true, true>(u, begin, end, lr, c);
            else if (centered) rmspropFullLoop<true, false>(u, begin, end, lr, c);
            else if (withMomentum) rmspropFullLoop<false, true>(u, begin, end, lr, c);
            else rmspropFullLoop<false, false>(u, begin, end, lr, c);
            for (auto const &[from, to] : idle) std::copy(from + begin, from + end, to + begin);
        });
    });
}

Result<Prepared> prepareAdam(PrepareArgs const &args)
{
    TW_ASSIGN(auto const u, updateOperands<3>(args));
    auto const &attrs = args.node.attrs;
    auto const c = adamCoefficients(attrs.real("beta1"), attrs.real("beta2"), attrs.real("epsilon"));
    return bindLoop(u, [c](UpdateOperands<3> const &o, std::int64_t begin, std::int64_t end, float alpha) {
        float const *w = o.from[0], *m = o.from[1], *v = o.from[2], *g = o.g;
        float *wOut = o.to[0], *mOut = o.to[1], *vOut = o.to[2];
#pragma GCC ivdep
        for (std::int64_t i = begin; i < end; ++i) {
            auto const next = adamUpdate({w[i], m[i], v[i]}, g[i], alpha, c);
            wOut[i] = next.w;
            mOut[i] = next.m;
            vOut[i] = next.v;
        }
    });
}

Result<Prepared> prepareAmsgrad(PrepareArgs const &args)
{
    TW_ASSIGN(auto const u, updateOperands<4>(args));
    auto const &attrs = args.node.attrs;
    auto const c = adamCoefficients(attrs.real("beta1"), attrs.real("beta2"), attrs.real("epsilon"));
    return bindLoop(u, [c](UpdateOperands<4> const &o, std::int64_t begin, std::int64_t end, float alpha) {
        float const *w = o.from[0], *m = o.from[1], *v = o.from[2], *vhat = o.from[3], *g = o.g;
        float *wOut = o.to[0], *mOut = o.to[1], *vOut = o.to[2], *vhatOut = o.to[3];
#pragma GCC ivdep
        for (std::int64_t i = begin; i < end; ++i) {
            auto const next = amsgradUpdate({w[i], m[i], v[i], vhat[i]}, g[i], alpha, c);
            wOut[i] = next.w;
            mOut[i] = next.m;
            vOut[i] = next.v;
            vhatOut[i] = next.vhat;
        }
    });
}

Result<Prepared> prepareAdamax(PrepareArgs const &args)
{
    TW_ASSIGN(auto const u, updateOperands<3>(args));
    auto const &attrs = args.node.attrs;
    auto const c = adamCoefficients(attrs.real("beta1"), attrs.real("beta2"), attrs.real("epsilon"));
    return bindLoop(u, [c](UpdateOperands<3> const &o, std::int64_t begin, std::int64_t end, float alpha) {
        float const *w = o.from[0], *m = o.from[1], *v = o.from[2], *g = o.g;
        float *wOut = o.to[0], *mOut = o.to[1], *vOut = o.to[2];
#pragma GCC ivdep
        for (std::int64_t i = begin; i < end; ++i) {
            auto const next = adamaxUpdate({w[i], m[i], v[i]}, g[i], alpha, c);
            wOut[i] = next.w;
            mOut[i] = next.m;
            vOut[i] = next.u;
        }
    });
}

Result<Prepared> prepareAdadelta(PrepareArgs const &args)
{
    TW_ASSIGN(auto const u, updateOperands<3>(args));
    auto const c = rmspropCoefficients(args.node.attrs.real("rho"), args.node.attrs.real("epsilon"));
    return bindLoop(u, [c](UpdateOperands<3> const &o, std::int64_t begin, std::int64_t end, float lr) {
        float const *w = o.from[0], *a = o.from[1], *d = o.from[2], *g = o.g;
        float *wOut = o.to[0], *aOut = o.to[1], *dOut = o.to[2];
#pragma GCC ivdep
        for (std::int64_t i = begin; i < end; ++i) {
            auto const next = adadeltaUpdate({w[i], a[i], d[i]}, g[i], lr, c);
            wOut[i] = next.w;
            aOut[i] = next.a;
            dOut[i] = next.d;
        }
    });
}

Result<Prepared> prepareStepSize(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    TW_TRY(requireElements(args, args.inputs[0], 1));
    TW_TRY(requireElements(args, args.outputs[0], 1));
    auto const &attrs = args.node.attrs;
    auto const kind = parseStepKind(attrs.text("kind", "constant"));
    if (!kind) return unsupported(args.node, "unknown kind '" + attrs.text("kind") + "'.", "Use constant, adam or adamax.");
    double const lr = attrs.real("learning_rate"), decay = attrs.real("decay");
    double const beta1 = attrs.real("beta1"), beta2 = attrs.real("beta2");
    auto const schedule = attrs.reals("schedule");
    auto const *iterations = args.inputs[0].i32();
    auto *out = args.outputs[0].f32();
    return Prepared([=](RunContext &) { *out = stepSize(*iterations, *kind, schedule.empty() ? lr : scheduledRate(schedule, *iterations), decay, beta1, beta2); });
}

} // namespace tilewright::kernels
