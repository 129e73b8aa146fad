#include "engine/core/formula.h"
#include "engine/core/random.h"
#include "engine/core/rate_schedule.h"
#include "engine/core/replica_seeds.h"
#include "engine/graph/update_expr.h"
#include "engine/reference/reference_ops.h"

#include <algorithm>
#include <array>
#include <cmath>

// Optimizers (Keras 2.6 formulas), gradient accumulation, dropout, counters.

namespace tilewright::reference {

namespace {

/// Checks `states` state tensors, a gradient of their size and a scalar, and calls update(i, rate).
template <typename Update> Status eachElement(Call const &call, std::size_t states, Update update, std::size_t more = 0)
{
    TW_TRY(expectCounts(call, states + 2 + more, states));
    auto const n = static_cast<std::int64_t>(call.in[0].v.size());
    for (std::size_t k = 0; k <= states; ++k) TW_TRY(expectElements(call, call.in[k], n));
    for (auto const &out : call.out) TW_TRY(expectElements(call, out, n));
    for (std::size_t k = states + 1; k < call.in.size(); ++k) TW_TRY(expectElements(call, call.in[k], 1));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) update(i, call.in[states + 1].v[0]);
    return {};
}

Status sgd(Call const &call)
{
    return eachElement(call, 1, [&](std::size_t i, double lr) { call.out[0].v[i] = call.round(call.in[0].v[i] - lr * call.in[1].v[i]); });
}

Status momentum(Call const &call)
{
    bool const nesterov = call.attrs().flag("nesterov");
    auto const update = [&](std::size_t i, double lr) {
        double const w = call.in[0].v[i], g = call.in[2].v[i], mu = call.in[4].v[0];
        double const m = mu * call.in[1].v[i] - lr * g;
        call.out[0].v[i] = call.round(nesterov ? w + mu * m - lr * g : w + m);
        call.out[1].v[i] = call.round(m);
    };
    return eachElement(call, 2, update, 1);
}

Status rmsprop(Call const &call)
{
    double const rho = call.attrs().real("rho"), epsilon = call.attrs().real("epsilon");
    return eachElement(call, 2, [&](std::size_t i, double lr) {
        double const g = call.in[2].v[i];
        double const s = rho * call.in[1].v[i] + (1 - rho) * g * g;
        call.out[0].v[i] = call.round(call.in[0].v[i] - lr * g / (std::sqrt(s) + epsilon));
        call.out[1].v[i] = call.round(s);
    });
}

Status rmspropFull(Call const &call)
{
    double const rho = call.attrs().real("rho"), epsilon = call.attrs().real("epsilon");
    bool const centered = call.attrs().flag("centered"), withMomentum = call.attrs().flag("momentum");
    // The mean gradient and the momentum may be left out when they are not in use.
    std::size_t const states = call.out.size();
    if (states != 4 && states != 2u + (centered ? 1 : 0) + (withMomentum ? 1 : 0))
        return badOperands(call.node, Message::of("wrong number of states."));
    std::size_t const momAt = states == 4 || centered ? 3 : 2;
    auto const update = [&](std::size_t i, double lr) {
        for (std::size_t k = 2; k < states; ++k) call.out[k].v[i] = call.in[k].v[i];
        double const g = call.in[states].v[i];
        double const s = rho * call.in[1].v[i] + (1 - rho) * g * g;
        double spread = s;
        if (centered) {
            double const mean = rho * call.in[2].v[i] + (1 - rho) * g;
            call.out[2].v[i] = call.round(mean);
            spread = std::max(s - mean * mean, 0.0);
        }
        double step = 0;
        if (withMomentum) {
            step = call.in[states + 2].v[0] * call.in[momAt].v[i] + lr * g / std::sqrt(spread + epsilon);
            call.out[momAt].v[i] = call.round(step);
        } else {
            step = lr * g / (std::sqrt(spread) + epsilon);
        }
        call.out[0].v[i] = call.round(call.in[0].v[i] - step);
        call.out[1].v[i] = call.round(s);
    };
    return eachElement(call, states, update, withMomentum ? 1 : 0);
}

Status adamLike(Call const &call, bool amsgrad)
{
    double const beta1 = call.attrs().real("beta1"), beta2 = call.attrs().real("beta2"), epsilon = call.attrs().real("epsilon");
    std::size_t const states = amsgrad ? 4 : 3;
    return eachElement(call, states, [&](std::size_t i, double alpha) {
        double const g = call.in[states].v[i];
        double const m = beta1 * call.in[1].v[i] + (1 - beta1) * g;
        double const v = beta2 * call.in[2].v[i] + (1 - beta2) * g * g;
        double largest = v;
        if (amsgrad) {
            largest = std::max(call.in[3].v[i], v);
            call.out[3].v[i] = call.round(largest);
        }
        call.out[0].v[i] = call.round(call.in[0].v[i] - alpha * m / (std::sqrt(largest) + epsilon));
        call.out[1].v[i] = call.round(m);
        call.out[2].v[i] = call.round(v);
    });
}
Status adam(Call const &call) { return adamLike(call, false); }
Status amsgrad(Call const &call) { return adamLike(call, true); }

Status adamax(Call const &call)
{
    double const beta1 = call.attrs().real("beta1"), beta2 = call.attrs().real("beta2"), epsilon = call.attrs().real("epsilon");
    return eachElement(call, 3, [&](std::size_t i, double alpha) {
        double const g = call.in[3].v[i];
        double const m = beta1 * call.in[1].v[i] + (1 - beta1) * g;
        double const u = std::max(beta2 * call.in[2].v[i], std::abs(g));
        call.out[0].v[i] = call.round(call.in[0].v[i] - alpha * m / (u + epsilon));
        call.out[1].v[i] = call.round(m);
        call.out[2].v[i] = call.round(u);
    });
}

Status adadelta(Call const &call)
{
    double const rho = call.attrs().real("rho"), epsilon = call.attrs().real("epsilon");
    return eachElement(call, 3, [&](std::size_t i, double lr) {
        double const g = call.in[3].v[i], before = call.in[2].v[i];
        double const a = rho * call.in[1].v[i] + (1 - rho) * g * g;
        double const x = std::sqrt((before + epsilon) / (a + epsilon)) * g;
        call.out[0].v[i] = call.round(call.in[0].v[i] - lr * x);
        call.out[1].v[i] = call.round(a);
        call.out[2].v[i] = call.round(rho * before + (1 - rho) * x * x);
    });
}

/// The formulas of keras.optimizers.schedules, read from the numbers of core/rate_schedule.h.
double rateOf(std::vector<double> const &n, double t)
{
    double const pi = std::acos(-1.0);
    auto const cosine = [&](double part, double alpha, double scale) {
        return (1 - alpha) * scale * (0.5 + 0.5 * std::cos(pi * part)) + alpha;
    };
    switch (static_cast<RateKind>(static_cast<int>(n[0]))) {
    case RateKind::Constant: return n[1];
    case RateKind::Exponential: {
        double const exponent = n[4] == 1 ? std::floor(t / n[2]) : t / n[2];
        return n[1] * std::exp(exponent * std::log(n[3]));
    }
    case RateKind::InverseTime: {
        double const times = n[4] == 1 ? std::floor(t / n[2]) : t / n[2];
        return n[1] / (1 + n[3] * times);
    }
    case RateKind::Polynomial: {
        double length = n[2];
        if (n[5] == 1)
            while (length < t) length += n[2];
        double const done = t > length ? length : t;
        return n[3] + (n[1] - n[3]) * std::pow((length - done) / length, n[4]);
    }
    case RateKind::Cosine: {
        if (t < n[4]) return n[1] * (1 - t / n[4]) + n[5] * (t / n[4]);
        double const part = (t - n[4]) / n[2];
        return n[5] * cosine(part > 1 ? 1 : part, n[3], 1);
    }
    case RateKind::CosineRestarts: {
        double begin = 0, length = n[2], scale = 1; // period by period
        while (t >= begin + length) {
            begin += length;
            length *= n[3];
            scale *= n[4];
        }
        return n[1] * cosine((t - begin) / length, n[5], scale);
    }
    case RateKind::Piecewise: {
        auto const boundaries = static_cast<std::size_t>(n[1]);
        std::size_t i = 0;
        while (i < boundaries && t > n[2 + i]) ++i;
        return n[2 + boundaries + i];
    }
    }
    return 0;
}

Status stepSize(Call const &call)
{
    bool const written = call.in.size() == 3;
    TW_TRY(expectCounts(call, written ? 3 : 1, 1));
    for (auto const &operand : call.in) TW_TRY(expectElements(call, operand, 1));
    TW_TRY(expectElements(call, call.out[0], 1));
    auto const kind = call.attrs().text("kind");
    if (kind != "constant" && kind != "adam" && kind != "adamax") return badOperands(call.node, Message::of("unknown kind '%1'.", kind));
    double const t = call.in[0].v[0] + 1;
    auto const schedule = call.attrs().reals("schedule");
    double const scheduled = schedule.empty() ? call.attrs().real("learning_rate") : rateOf(schedule, t - 1);
    double rate = (written ? call.in[1].v[0] + call.in[2].v[0] : scheduled) / (1 + call.attrs().real("decay") * (t - 1));
    if (kind == "adam") {
        double power1 = std::exp(t * std::log(call.attrs().real("beta1")));
        double power2 = std::exp(t * std::log(call.attrs().real("beta2")));
        rate = rate * std::sqrt(1 - power2) / (1 - power1);
    }
    if (kind == "adamax") rate = rate / (1 - std::exp(t * std::log(call.attrs().real("beta1"))));
    call.out[0].v[0] = call.round(rate);
    return {};
}

/// Intermediate results are floats.
Status update(Call const &call)
{
    TW_ASSIGN(auto const update, graph::parseUpdateExpr(call.attrs().text("expr")));
    auto const states = static_cast<std::size_t>(update.states()), operands = static_cast<std::size_t>(update.expr.operands);
    TW_TRY(expectCounts(call, operands, states));
    auto const n = static_cast<std::int64_t>(call.in[0].v.size());
    for (std::size_t k = 0; k < operands; ++k) TW_TRY(expectElements(call, call.in[k], k <= states ? n : 1));
    for (auto const &out : call.out) TW_TRY(expectElements(call, out, n));
    std::vector<double> values(operands + update.expr.instrs.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        for (std::size_t k = 0; k < operands; ++k) values[k] = call.in[k].v[k <= states ? i : 0];
        for (std::size_t k = 0; k < update.expr.instrs.size(); ++k) {
            auto const &instr = update.expr.instrs[k];
            auto const &prim = graph::info(instr.prim);
            double args[3] = {0, 0, 0};
            for (int a = 0; a < prim.arity; ++a) args[a] = values[static_cast<std::size_t>(instr.args[a])];
            values[operands + k] = roundTo(prim.formula(args[0], args[1], args[2], instr.p0, instr.p1), DType::F32, call.context.precision);
        }
        for (std::size_t s = 0; s < states; ++s) call.out[s].v[i] = call.round(values[static_cast<std::size_t>(update.results[s])], s);
    }
    return {};
}

Status coefficient(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    TW_TRY(expectElements(call, call.in[0], 1));
    TW_TRY(expectElements(call, call.out[0], 1));
    TW_ASSIGN(auto const formula, parseFormula(call.attrs().text("formula")));
    auto const value =
        valueOf(formula, [&](std::string_view name) { return name == "t" ? std::optional(call.in[0].v[0] + 1) : std::nullopt; });
    if (!value) return badOperands(call.node, Message::of("the formula is not one of t."));
    call.out[0].v[0] = call.round(*value);
    return {};
}

Status accumulate(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    auto const n = static_cast<std::int64_t>(call.out[0].v.size());
    for (auto const &input : call.in) TW_TRY(expectElements(call, input, n));
    for (std::size_t i = 0; i < call.out[0].v.size(); ++i)
        call.out[0].v[i] = call.round(call.in[0].v[i] + call.attrs().real("scale") * call.in[1].v[i]);
    return {};
}

/// What the operand held does not matter; it is there for its storage.
Status fillLike(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    TW_TRY(expectElements(call, call.in[0], static_cast<std::int64_t>(call.out[0].v.size())));
    for (auto &v : call.out[0].v) v = call.round(call.attrs().real("value"));
    return {};
}

Status accumulateRunning(Call const &call)
{
    TW_TRY(expectCounts(call, 3, 1));
    auto const n = static_cast<std::int64_t>(call.out[0].v.size());
    TW_TRY(expectElements(call, call.in[0], n));
    TW_TRY(expectElements(call, call.in[1], n));
    TW_TRY(expectElements(call, call.in[2], 1));
    double const k = call.in[2].v[0];
    for (std::size_t i = 0; i < call.out[0].v.size(); ++i)
        call.out[0].v[i] = call.round(call.in[0].v[i] * k / (k + 1) + call.in[1].v[i] / (k + 1));
    return {};
}

Status increment(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    TW_TRY(expectElements(call, call.in[0], 1));
    TW_TRY(expectElements(call, call.out[0], 1));
    call.out[0].v[0] = call.round(call.in[0].v[0] + static_cast<double>(call.attrs().integer("by")));
    return {};
}

/// What a node draws by: its stream is numbered by the node, and by what a body's caller adds to that.
Result<std::uint64_t> drawingSeed(Call const &call)
{
    TW_TRY(expectCounts(call, call.in.size() == 3 ? 3 : 2, 1));
    for (std::size_t i = 1; i < call.in.size(); ++i) TW_TRY(expectElements(call, call.in[i], 1));
    auto stream = static_cast<std::uint64_t>(call.attrs().integer("node_seed"));
    if (call.in.size() == 3) stream += static_cast<std::uint32_t>(static_cast<std::int32_t>(call.in[2].v[0]));
    auto const run = call.context.seed;
    auto const ofRun = deriveSeed(deriveSeed(runSeed(run), static_cast<std::uint64_t>(drawingReplica(run, call.context.replica))), stream);
    return deriveSeed(ofRun, static_cast<std::uint64_t>(static_cast<std::int64_t>(call.in[1].v[0])));
}

Status dropout(Call const &call)
{
    TW_ASSIGN(auto const seed, drawingSeed(call));
    TW_TRY(expectElements(call, call.out[0], static_cast<std::int64_t>(call.in[0].v.size())));
    double const rate = call.attrs().real("rate");
    if (!(rate >= 0 && rate < 1)) return badOperands(call.node, Message::of("the rate must be at least 0 and below 1."));
    for (std::size_t i = 0; i < call.out[0].v.size(); ++i) {
        bool const kept = unitFloat(randomBits(seed, i)) >= static_cast<float>(rate);
        call.out[0].v[i] = kept ? call.round(call.in[0].v[i] / (1 - rate)) : 0.0;
    }
    return {};
}

/// Twelve uniform numbers of 16 bits, from three draws of 64.
Status normal(Call const &call)
{
    TW_ASSIGN(auto const seed, drawingSeed(call));
    for (std::size_t i = 0; i < call.out[0].v.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k)
            for (int shift = 0; shift < 64; shift += 16) sum += static_cast<double>(randomBits(seed, 3 * i + k) >> shift & 0xffff);
        double const standard = (sum - 12 * 32767.5) / 65536;
        call.out[0].v[i] = call.round(call.attrs().real("mean") + call.attrs().real("stddev") * standard);
    }
    return {};
}

constexpr std::array kOps{
    RefOp{"dropout", dropout},
    RefOp{"random.normal", normal},
    RefOp{"opt.sgd", sgd},
    RefOp{"opt.momentum", momentum},
    RefOp{"opt.rmsprop", rmsprop},
    RefOp{"opt.rmsprop_full", rmspropFull},
    RefOp{"opt.adam", adam},
    RefOp{"opt.adam_amsgrad", amsgrad},
    RefOp{"opt.adamax", adamax},
    RefOp{"opt.adadelta", adadelta},
    RefOp{"opt.update", update},
    RefOp{"opt.step_size", stepSize},
    RefOp{"opt.coefficient", coefficient},
    RefOp{"accumulate", accumulate},
    RefOp{"fill_like", fillLike},
    RefOp{"accumulate_running", accumulateRunning},
    RefOp{"increment", increment},
};

} // namespace

std::span<RefOp const> updateOps() { return kOps; }

} // namespace tilewright::reference
