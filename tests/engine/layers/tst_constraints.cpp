// Constraints after updates, against their rules written out here as loops.
#include "tests/engine/layers/limited_models.h"
#include "tests/support/test_registry.h"

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::tests;
using model::Json;
using model::makeLayer;

namespace {

Json classOf(char const *name, Json config = Json::object()) { return {{"class_name", name}, {"config", std::move(config)}}; }

/// w times f(length) for each column of a matrix whose rows are all axes but the last.
template <typename F> RefTensor byColumns(RefTensor w, F const &f)
{
    auto const columns = static_cast<std::size_t>(w.shape.back());
    for (std::size_t c = 0; c < columns; ++c) {
        double squares = 0;
        for (std::size_t i = c; i < w.v.size(); i += columns) squares += w.v[i] * w.v[i];
        for (std::size_t i = c; i < w.v.size(); i += columns) w.v[i] *= f(std::sqrt(squares));
    }
    return w;
}

/// Keras 2.6, RadialConstraint: starts with the centre and pads with elements of the diagonal.
RefTensor radial(RefTensor const &w)
{
    auto const n = static_cast<std::size_t>(w.shape[0]), depth = static_cast<std::size_t>(w.shape[2] * w.shape[3]);
    auto result = w;
    for (std::size_t d = 0; d < depth; ++d) {
        auto const at = [&](std::size_t i) { return w.v[(i * n + i) * depth + d]; };
        std::size_t const start = n / 2;
        std::vector<std::vector<double>> kernel(n % 2 ? 1 : 2, std::vector<double>(n % 2 ? 1 : 2, at(start - 1)));
        for (std::size_t i = n % 2 ? 0 : 1; i < start; ++i) {
            for (auto &row : kernel) {
                row.insert(row.begin(), at(start + i));
                row.push_back(at(start + i));
            }
            std::vector<double> const edge(kernel.size() + 2, at(start + i));
            kernel.insert(kernel.begin(), edge);
            kernel.push_back(edge);
        }
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t c = 0; c < n; ++c) result.v[(r * n + c) * depth + d] = kernel[r][c];
    }
    return result;
}

void compare(RefTensor const &got, RefTensor const &wanted)
{
    QCOMPARE(got.shape, wanted.shape);
    for (std::size_t i = 0; i < got.v.size(); ++i)
        QVERIFY2(std::abs(got.v[i] - wanted.v[i]) <= 2e-6,
                 qPrintable(QString("element %1 is %2, not %3").arg(i).arg(got.v[i], 0, 'g', 9).arg(wanted.v[i], 0, 'g', 9)));
}

LimitedModel dense(Json constraint)
{
    return {{makeLayer("Dense", "d", {{"units", 4}, {"kernel_constraint", std::move(constraint)}})}, {5}};
}

LimitedModel conv(int size, Json constraint)
{
    return {{makeLayer("Conv2D", "d",
                       {{"filters", 3}, {"kernel_size", size}, {"padding", "same"}, {"kernel_constraint", std::move(constraint)}})},
            {6, 6, 2}};
}

} // namespace

class TstConstraints : public QObject {
    Q_OBJECT
private slots:
    void everyRuleChangesTheUpdatedWeight()
    {
        double const epsilon = 1e-7;
        auto const updated = trained(dense(nullptr)).weights.at("d/kernel");
        auto const check = [&](Json const &constraint, RefTensor const &wanted) {
            compare(trained(dense(constraint)).weights.at("d/kernel"), wanted);
            QVERIFY(wanted.v != updated.v);
        };
        check(classOf("MaxNorm", {{"max_value", 0.5}}), byColumns(updated, [&](double n) { return std::min(n, 0.5) / (epsilon + n); }));
        check(classOf("UnitNorm"), byColumns(updated, [&](double n) { return 1 / (epsilon + n); }));
        check(classOf("MinMaxNorm", {{"min_value", 0.9}, {"max_value", 1.0}, {"rate", 0.25}}),
              byColumns(updated, [&](double n) { return (0.25 * std::clamp(n, 0.9, 1.0) + 0.75 * n) / (epsilon + n); }));
        auto positive = updated;
        for (double &v : positive.v) v = std::max(v, 0.0);
        check("non_neg", positive);
        auto rows = updated;
        for (std::size_t r = 0; r < 5; ++r) {
            double squares = 0;
            for (std::size_t c = 0; c < 4; ++c) squares += updated.v[r * 4 + c] * updated.v[r * 4 + c];
            for (std::size_t c = 0; c < 4; ++c) rows.v[r * 4 + c] /= epsilon + std::sqrt(squares);
        }
        check(classOf("UnitNorm", {{"axis", -1}}), rows);
    }
    void kernelsOfConvolutionsKeepTheirRules()
    {
        for (int const size : {2, 3, 4, 5}) {
            auto const updated = trained(conv(size, nullptr)).weights.at("d/kernel");
            compare(trained(conv(size, "radial_constraint")).weights.at("d/kernel"), radial(updated));
        }
        auto const updated = trained(conv(3, nullptr)).weights.at("d/kernel");
        compare(trained(conv(3, classOf("UnitNorm", {{"axis", {0, 1, 2}}}))).weights.at("d/kernel"),
                byColumns(updated, [](double n) { return 1 / (1e-7 + n); }));
    }
    /// Not after each micro-batch: the gradients of all of them meet the weight as it was.
    void anUpdateConstrainsOnce()
    {
        auto const accumulating = [](Json constraint) {
            auto m = dense(std::move(constraint));
            m.plan.gradientAccumulationSteps = m.plan.stepsPerExecution = 4;
            return m;
        };
        auto const updated = trained(accumulating(nullptr)).weights.at("d/kernel");
        compare(trained(accumulating(classOf("UnitNorm"))).weights.at("d/kernel"),
                byColumns(updated, [](double n) { return 1 / (1e-7 + n); }));
    }
    void theNextStepReadsTheConstrainedWeight()
    {
        auto m = dense("non_neg");
        m.plan.stepsPerExecution = 2;
        auto const kernel = trained(m).weights.at("d/kernel");
        for (double const v : kernel.v) QVERIFY(v >= 0);
        // The second loss is that of the constrained weights, not of those before it.
        auto free = dense(nullptr);
        free.plan.stepsPerExecution = 2;
        QVERIFY(trained(m).loss(0) == trained(free).loss(0));
        QVERIFY(trained(m).loss(1) != trained(free).loss(1));
    }
    void aCustomLoopConstrainsWhatItUpdates()
    {
        auto m = dense(classOf("UnitNorm"));
        auto const loop = model::withTrainingField(m.plan, "loop", R"(["gradients", "apply"])");
        QVERIFY2(loop.ok(), loop.ok() ? "" : toText(loop.error()).c_str());
        auto const wanted = trained(m).weights.at("d/kernel");
        m.plan = *loop;
        compare(trained(m).weights.at("d/kernel"), wanted);
    }
    void aFrozenWeightStaysAsItIs()
    {
        auto m = dense("non_neg");
        m.model.layers[1].config["trainable"] = false;
        m.model.layers.push_back(makeLayer("Dense", "e", {{"units", 2}}));
        auto const kernel = trained(m).weights.at("d/kernel");
        QVERIFY(std::ranges::any_of(kernel.v, [](double v) { return v < 0; }));
    }
    /// An automatic loss scale skips updates whose gradients are not finite.
    void aSkippedUpdateConstrainsNothing()
    {
        auto m = conv(3, "radial_constraint");
        m.plan.optimizer.config["automatic_loss_scaling"] = true;
        auto const before = evaluated(m).weights.at("d/kernel");
        compare(trained(m, 1e30).weights.at("d/kernel"), before); // the squares of such errors are infinite
        QVERIFY(trained(m).weights.at("d/kernel").v != before.v);
    }
};

TW_REGISTER_TEST(TstConstraints);
#include "tst_constraints.moc"
