// Regularizers and constraints as arguments: names, forms, defaults, errors, and the summary.
#include "engine/model/constraints.h"
#include "engine/model/regularizers.h"
#include "engine/model/summary.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::model;
using namespace tilewright::tests;

namespace {

std::string penaltyText(Json const &value)
{
    auto const parsed = parseRegularizer(value);
    return parsed.ok() ? classText(regularizerSpecs(), *parsed) : parsed.error().code;
}

std::string constraintText(Json const &value)
{
    auto const parsed = parseConstraint(value);
    return parsed.ok() ? classText(constraintSpecs(), *parsed) : parsed.error().code;
}

Json classOf(char const *name, Json config = Json::object()) { return {{"class_name", name}, {"config", std::move(config)}}; }

/// The error of a Dense(3) of 8 features, or of a Conv2D with a kernel of `size`, with this argument.
Diagnostic errorOf(std::string const &className, Json config, Shape const &input)
{
    auto const resolved = resolve(sampleChain({makeLayer(className, "it", std::move(config))}, input));
    return resolved.ok() ? Diagnostic() : resolved.error();
}

} // namespace

class TstLimits : public QObject {
    Q_OBJECT
private slots:
    void everyNameAndFormIsRead()
    {
        QCOMPARE(penaltyText("l2"), std::string("L2(l2=0.01)"));
        QCOMPARE(penaltyText("L1"), std::string("L1(l1=0.01)"));
        QCOMPARE(penaltyText("l1_l2"), std::string("L1L2(l1=0.01, l2=0.01)"));
        QCOMPARE(penaltyText("L1L2"), std::string("L1L2(l1=0.0, l2=0.0)"));
        QCOMPARE(penaltyText({{"class_name", "L1L2"}}), std::string("L1L2(l1=0.0, l2=0.0)"));
        QCOMPARE(penaltyText(classOf("L2", {{"l2", nullptr}})), std::string("L2(l2=0.01)"));
        QCOMPARE(penaltyText(classOf("L1", {{"l", 0.5}})), std::string("L1(l1=0.5)"));
        QCOMPARE(
            penaltyText({{"module", "keras.regularizers"}, {"class_name", "L2"}, {"config", {{"l2", 0.5}}}, {"registered_name", nullptr}}),
            std::string("L2(l2=0.5)"));
        QCOMPARE(penaltyText("orthogonal_regularizer"), std::string("OrthogonalRegularizer(factor=0.01, mode=\"rows\")"));
        QCOMPARE(constraintText("max_norm"), std::string("MaxNorm(max_value=2.0, axis=0)"));
        QCOMPARE(constraintText("maxnorm"), std::string("MaxNorm(max_value=2.0, axis=0)"));
        QCOMPARE(constraintText(classOf("UnitNorm", {{"axis", {0, 1}}})), std::string("UnitNorm(axis=[0, 1])"));
        QCOMPARE(constraintText("NonNeg"), std::string("NonNeg()"));
        QCOMPARE(constraintText("min_max_norm"), std::string("MinMaxNorm(min_value=0.0, max_value=1.0, rate=1.0, axis=0)"));
        QCOMPARE(constraintText("radial_constraint"), std::string("RadialConstraint()"));
        for (auto const &spec : regularizerSpecs())
            QCOMPARE(*parseRegularizer(classJson(*parseRegularizer(spec.className))), *parseRegularizer(spec.className));
        for (auto const &spec : constraintSpecs())
            QCOMPARE(*parseConstraint(classJson(*parseConstraint(spec.className))), *parseConstraint(spec.className));
    }
    void wrongOnesAreNamedWithARemedy()
    {
        auto const misspelt = parseRegularizer("l3").error();
        QCOMPARE(misspelt.code, std::string("model.unknown-regularizer"));
        QVERIFY(!misspelt.remedy.empty());
        QCOMPARE(parseConstraint("max_nrom").error().code, std::string("model.unknown-constraint"));
        QVERIFY(parseConstraint("max_nrom").error().remedy.find("max_norm") != std::string::npos);
        QCOMPARE(penaltyText(classOf("L2", {{"l3", 0.1}})), std::string("model.unknown-argument"));
        QCOMPARE(penaltyText(classOf("L2", {{"l2", "much"}})), std::string("model.bad-argument"));
        QCOMPARE(penaltyText(7), std::string("model.bad-argument"));
        QCOMPARE(constraintText(classOf("MaxNorm", {{"max_value", -1}})), std::string("model.bad-argument"));
        QCOMPARE(constraintText(classOf("MinMaxNorm", {{"rate", 2}})), std::string("model.bad-argument"));

        auto const axis = errorOf("Dense", {{"units", 3}, {"kernel_constraint", classOf("MaxNorm", {{"axis", 2}})}}, {8});
        QCOMPARE(axis.code, std::string("model.shape"));
        QCOMPARE(axis.subject, std::string("it"));
        QVERIFY(toText(axis).find("kernel_constraint") != std::string::npos && toText(axis).find("from 0 to 1") != std::string::npos);
        QCOMPARE(errorOf("Dense", {{"units", 3}, {"kernel_constraint", "radial_constraint"}}, {8}).code, std::string("model.shape"));
        QCOMPARE(errorOf("Conv2D", {{"filters", 2}, {"kernel_size", {3, 2}}, {"kernel_constraint", "radial_constraint"}}, {8, 8, 1}).code,
                 std::string("model.shape"));
        QCOMPARE(errorOf("Conv2D", {{"filters", 2}, {"kernel_size", 3}, {"kernel_constraint", "radial_constraint"}}, {8, 8, 1}).code,
                 std::string());
        QCOMPARE(errorOf("Dense", {{"units", 3}, {"bias_regularizer", "orthogonal_regularizer"}}, {8}).code, std::string("model.shape"));
        QCOMPARE(errorOf("Dense", {{"units", 3}, {"kernel_regularizer", "l3"}}, {8}).code, std::string("model.unknown-regularizer"));
        QCOMPARE(errorOf("PReLU", {{"shared_axes", {2}}}, {8}).code, std::string("model.shape"));
    }
    void theSummaryNamesThem()
    {
        Json const inner{{"class_name", "Dense"}, {"config", {{"units", 2}, {"activity_regularizer", "l1"}}}};
        auto const resolved = resolve(sampleChain(
            {makeLayer("Dense", "d",
                       {{"units", 3}, {"kernel_regularizer", "l2"}, {"bias_regularizer", "L1L2"}, {"kernel_constraint", "max_norm"}}),
             makeLayer("ActivityRegularization", "penalty", {{"l1", 0.5}}), makeLayer("RepeatVector", "repeat", {{"n", 2}}),
             makeLayer("TimeDistributed", "each", {{"layer", inner}})},
            {8}));
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : toText(resolved.error()).c_str());
        auto const text = summaryText(summarize(*resolved));
        QVERIFY2(text.ends_with("Penalties in the loss:\n"
                                "  d/kernel: L2(l2=0.01)\n"
                                "  penalty/output: L1L2(l1=0.5, l2=0.0)\n"
                                "  each/layer/output: L1(l1=0.01)\n"
                                "Constraints after each update:\n"
                                "  d/kernel: MaxNorm(max_value=2.0, axis=0)\n"
                                + std::string(65, '_') + "\n"),
                 text.c_str());
    }
};

TW_REGISTER_TEST(TstLimits);
#include "tst_limits.moc"
