// Codelets that change weights: optimizers, their step size, accumulated gradients.
#include "tests/engine/program/case_parts.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tests {

namespace {

/// States (weights first), gradient, rate, and a momentum, which `update` finds behind the states.
CodeletCase optimizer(Random &random, int states, std::vector<double> scalars, std::function<void(double *, double, double)> update,
                      bool momentum = false)
{
    CodeletCase c;
    auto const r = upTo(random, 9), n = upTo(random, 40);
    for (int i = 0; i < states; ++i) c.fields.push_back(out(DType::F32, 1, r, n, i == 0 ? -1 : 0.1, 1));
    c.fields.push_back(in(DType::F32, 1, r, n));
    c.fields.push_back(in(DType::F32, 1, 1, 1, 0.001, 0.1));
    if (momentum) c.fields.push_back(in(DType::F32, 1, 1, 1, 0.5, 0.9));
    c.scalars = std::move(scalars);
    c.tolerance = 2e-6;
    c.naive = [states, update, momentum](Contents &x) {
        auto const count = static_cast<std::size_t>(states);
        double s[5];
        if (momentum) s[count] = x[count + 2][0];
        for (std::size_t i = 0; i < x[0].size(); ++i) {
            for (std::size_t k = 0; k < count; ++k) s[k] = x[k][i];
            update(s, x[count][i], x[count + 1][0]);
            for (std::size_t k = 0; k < count; ++k) x[k][i] = s[k];
        }
    };
    return c;
}

CodeletCase stepSize(Random &random)
{
    CodeletCase c;
    bool const adam = random.below(2) == 1;
    c.fields = {out(DType::F32, 1, 1, 1), in(DType::I32, 1, 1, 1, 0, 5000)};
    c.scalars = {adam ? 1.0 : 0.0, 0.01, 0.001, 0.9, 0.999};
    c.tolerance = 1e-6;
    c.naive = [adam](Contents &x) {
        double const it = x[1][0];
        x[0][0] = 0.01 / (1 + 0.001 * it) * (adam ? std::sqrt(1 - std::pow(0.999, it + 1)) / (1 - std::pow(0.9, it + 1)) : 1);
    };
    return c;
}

CodeletCase running(Random &random)
{
    CodeletCase c;
    auto const n = upTo(random, 90);
    c.fields = {out(DType::F32, 1, 1, n), in(DType::F32, 1, 1, n), in(DType::I32, 1, 1, 1, 0, 20)};
    c.naive = [](Contents &x) {
        double const k = x[2][0];
        for (std::size_t i = 0; i < x[0].size(); ++i) x[0][i] = (x[0][i] * k + x[1][i]) / (k + 1);
    };
    return c;
}

} // namespace

CaseMakers optimizerCases()
{
    CaseMakers m{{"StepSize", stepSize}, {"AccumulateRunning", running}};
    m["ScaledSubtract"] = [](Random &r) { return optimizer(r, 1, {}, [](double *s, double g, double lr) { s[0] -= lr * g; }); };
    m["Update"] = [](Random &r) {
        auto c = optimizer(r, 2, {}, [](double *s, double g, double rate) {
            s[1] = 0.9 * s[1] + rate * g;
            s[0] -= s[1] / (std::sqrt(std::abs(g)) + 0.1);
        });
        c.expr = "t6 t1 | 4: mul a3 a2; axpby(0.9,1) a1 t0; abs a2; sqrt t2; add_scalar(0.1) t3; div t1 t4; sub a0 t5";
        return c;
    };
    m["Coefficient"] = [](Random &r) {
        CodeletCase c;
        c.fields = {out(DType::F32, 1, 1, 1), in(DType::I32, 1, 1, 1, 0, 5000)};
        double const beta = r.below(2) == 1 ? 0.9 : 0.999;
        c.expr = beta == 0.9 ? "1 / (1 - 0.9 ^ t)" : "1 / (1 - 0.999 ^ t)";
        c.tolerance = 1e-6;
        c.naive = [beta](Contents &x) { x[0][0] = 1 / (1 - std::pow(beta, x[1][0] + 1)); };
        return c;
    };
    m["SgdMomentum"] = [](Random &r) {
        bool const nesterov = r.below(2) == 1;
        auto const step = [nesterov](double *s, double g, double lr) {
            s[1] = s[2] * s[1] - lr * g;
            s[0] += nesterov ? s[2] * s[1] - lr * g : s[1];
        };
        return optimizer(r, 2, {nesterov ? 1.0 : 0.0}, step, true);
    };
    m["RmsProp"] = [](Random &r) {
        return optimizer(r, 2, {0.9, 1e-7}, [](double *s, double g, double lr) {
            s[1] = 0.9 * s[1] + 0.1 * g * g;
            s[0] -= lr * g / (std::sqrt(s[1]) + 1e-7);
        });
    };
    m["RmsPropFull"] = [](Random &r) {
        bool const centered = r.below(2) == 1;
        auto const step = [centered](double *s, double g, double lr) {
            s[1] = 0.9 * s[1] + 0.1 * g * g;
            double const mean = 0.9 * s[2] + 0.1 * g;
            if (centered) s[2] = mean;
            double const variance = centered ? std::max(0.0, s[1] - mean * mean) : s[1];
            s[3] = s[4] * s[3] + lr * g / std::sqrt(variance + 1e-3);
            s[0] -= s[3];
        };
        return optimizer(r, 4, {0.9, 1e-3, 1.0, centered ? 1.0 : 0.0}, step, true);
    };
    m["Adam"] = [](Random &r) {
        return optimizer(r, 3, {0.9, 0.999, 1e-7}, [](double *s, double g, double alpha) {
            s[1] = 0.9 * s[1] + 0.1 * g;
            s[2] = 0.999 * s[2] + 0.001 * g * g;
            s[0] -= alpha * s[1] / (std::sqrt(s[2]) + 1e-7);
        });
    };
    m["AdamAmsgrad"] = [](Random &r) {
        return optimizer(r, 4, {0.9, 0.999, 1e-7}, [](double *s, double g, double alpha) {
            s[1] = 0.9 * s[1] + 0.1 * g;
            s[2] = 0.999 * s[2] + 0.001 * g * g;
            s[3] = std::max(s[3], s[2]);
            s[0] -= alpha * s[1] / (std::sqrt(s[3]) + 1e-7);
        });
    };
    m["Adamax"] = [](Random &r) {
        return optimizer(r, 3, {0.9, 0.999, 1e-7}, [](double *s, double g, double alpha) {
            s[1] = 0.9 * s[1] + 0.1 * g;
            s[2] = std::max(0.999 * s[2], std::abs(g));
            s[0] -= alpha * s[1] / (s[2] + 1e-7);
        });
    };
    m["Adadelta"] = [](Random &r) {
        return optimizer(r, 3, {0.95, 1e-3}, [](double *s, double g, double lr) {
            s[1] = 0.95 * s[1] + 0.05 * g * g;
            double const x = g * std::sqrt(s[2] + 1e-3) / std::sqrt(s[1] + 1e-3);
            s[2] = 0.95 * s[2] + 0.05 * x * x;
            s[0] -= lr * x;
        });
    };
    return m;
}

} // namespace tilewright::tests
