#include "tests/engine/conformance/conformance_test_tools.h"
#include "tests/support/test_registry.h"

#include <algorithm>
#include <array>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::conformance;

namespace {

constexpr int kKnownCases = 436; ///< 394 and the 42 of real Keras

/// Folders whose cases must all be supported.
bool mustPass(std::string const &id)
{
    static std::vector<std::string> const prefixes{"layer/dense/",        "layer/activation/",
                                                   "layer/flatten/",      "layer/reshape/",
                                                   "layer/relu/",         "layer/leaky_relu/",
                                                   "layer/elu/",          "layer/softmax/last",
                                                   "layer/noise_infer/",  "loss/",
                                                   "optimizer/",          "layer/rnn_",
                                                   "layer/conv_lstm",     "training/mlp784",
                                                   "schedule/",           "training/schedule",
                                                   "training/accumulate", "fit/",
                                                   "initializer/",        "keras_real/activations/",
                                                   "layer/max_pooling",   "layer/average_pooling",
                                                   "layer/global_max",    "layer/global_average",
                                                   "layer/batchnorm/",    "layer/layernorm/",
                                                   "layer/groupnorm/",    "layer/instancenorm/"};
    if (id.starts_with("metric/"))
        return std::ranges::none_of(std::array{"AUC", "Mean/", "MeanIoU", "Positives", "Negatives", "Precision", "Recall", "Root",
                                               "Sensitivity", "Specificity", "Sum"},
                                    [&](char const *word) { return id.find(word) != std::string::npos; });
    if (id.starts_with("layer/merge/")) return id.find("dot") == std::string::npos;
    if (id.starts_with("training/small_")) return true;
    return std::ranges::any_of(prefixes, [&](auto const &prefix) { return id.starts_with(prefix); });
}

} // namespace

class TstConformanceShared : public QObject {
    Q_OBJECT

private slots:
    void noCaseFailsAndNoneOfTheFinishedFoldersIsMissing_data() { modeRows(); }
    void noCaseFailsAndNoneOfTheFinishedFoldersIsMissing()
    {
        QFETCH(int, mode);
        if (!QDir(kShared).exists()) {
            std::printf("skipped %d reference cases: the shared folder is not there\n", kKnownCases);
            return;
        }
        auto const run = runOn(kShared, static_cast<Mode>(mode));
        QVERIFY2(run.ok(), run.ok() ? "" : toText(run.error()).c_str());
        std::printf("%s mode: %d passed, %d failed, %d unsupported\n", std::string(toText(static_cast<Mode>(mode))).c_str(), run->passed,
                    run->failed, run->unsupported);
        int finished = 0;
        for (auto const &result : run->cases) {
            QVERIFY2(result.status != CaseStatus::Failed, (result.id + ": " + result.reason).c_str());
            if (!mustPass(result.id)) continue;
            QVERIFY2(result.status == CaseStatus::Passed, (result.id + ": " + result.reason).c_str());
            ++finished;
        }
        QVERIFY(static_cast<int>(run->cases.size()) >= kKnownCases);
        QVERIFY(finished >= 100);
    }
};

TW_REGISTER_TEST(TstConformanceShared);
#include "tst_conformance_shared.moc"
