#include "engine/compiler/compile.h"
#include "engine/core/json_text.h"
#include "engine/project/project.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace tilewright;

namespace {

/// A transposed convolution over three axes in serial splits, whose layout has all the dimensions a layout may have. Its result waits for
/// the backward pass (seed 505 of the random models).
constexpr char const *kSixDimensions = R"json({
 "model": {"class_name": "Functional", "config": {"name": "drawn", "layers": [
   {"class_name": "InputLayer", "name": "input", "inbound_nodes": [[]],
    "config": {"batch_input_shape": [null, 2, 1, 2, 2], "dtype": "float32", "name": "input"}},
   {"class_name": "Conv3DTranspose", "name": "conv", "inbound_nodes": [[["input", 0, 0, {}]]], "pipeline_stage": 0,
    "config": {"name": "conv", "dtype": "mixed_float16", "filters": 96, "kernel_size": [1, 3, 1], "dilation_rate": [1, 2, 3],
               "activation": "exponential", "use_bias": false}},
   {"class_name": "Flatten", "name": "flatten", "inbound_nodes": [[["conv", 0, 0, {}]]], "pipeline_stage": 1,
    "config": {"name": "flatten", "dtype": "float16"}},
   {"class_name": "Dense", "name": "dense", "inbound_nodes": [[["flatten", 0, 0, {}]]], "pipeline_stage": 2,
    "config": {"name": "dense", "dtype": "float16", "units": 1}}],
  "input_layers": [["input", 0, 0]], "output_layers": [["dense", 0, 0]]}},
 "data": {"format": "npz", "path": "none.npz"},
 "system": {"target": "gc200:tiles=4,ipus=4"},
 "ipu_config": {"convolutions": {"poplar_options": {"availableMemoryProportion": "0.0001"}}},
 "training": {"batch_size": 5, "steps_per_execution": 3, "gradient_accumulation_steps": 3, "pipeline_schedule": "interleaved",
              "loss": "mse", "optimizer": "sgd"}})json";

} // namespace

class TstPipelineStash : public QObject {
    Q_OBJECT
private slots:
    void valueOfSixDimensionsIsStashed()
    {
        std::map<std::string, std::string> parts;
        auto const json = parseOrderedJson(kSixDimensions, "test");
        QVERIFY2(json.ok(), json.ok() ? "" : toText(json.error()).c_str());
        for (auto const &[name, value] : json->items()) parts[name] = value.dump();
        auto const project = project::projectFromParts(parts, nullptr);
        QVERIFY2(project.ok(), project.ok() ? "" : toText(project.error()).c_str());
        compiler::CompileRequest request;
        request.useCache = false;
        auto const outcome = compiler::compile(*project, request, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        auto const &program = outcome->executable->program;
        int ring = 0, plain = 0, full = 0;
        for (auto const &variable : program.variables) {
            ring += variable.name.ends_with("/ring");
            plain += variable.name.ends_with("/plain");
            full += variable.layout.rank == program::kMaxDims;
        }
        QVERIFY2(ring > 0 && plain > 0 && full > 0, qPrintable(QStringLiteral("%1 %2 %3").arg(ring).arg(plain).arg(full)));
        auto const broken = program::verify(program);
        QVERIFY2(broken.ok(), broken.ok() ? "" : toText(broken.error()).c_str());
    }
};

TW_REGISTER_TEST(TstPipelineStash);
#include "tst_pipeline_stash.moc"
