#include "tests/random_models/project_draw.h"

#include "engine/core/files.h"
#include "engine/data/batcher.h"
#include "engine/data/npy.h"
#include "engine/model/layer_spec.h"
#include "engine/model/recomputation.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"
#include "tests/random_models/argument_draw.h"
#include "tests/random_models/model_draw.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::random_models {

using model::Json;

namespace {

/// What of a project stands before its model is drawn.
struct Outline {
    ModelWishes wishes;
    int replicas = 1;
    std::int64_t batch = 1, accumulation = 1;
    model::LossSpec const *loss = nullptr;
};

/// Whether predictions that are not positive make the loss no number.
bool takesLogarithm(model::LossSpec const &loss) { return loss.formula.find("log(p") != std::string::npos; }

Outline drawOutline(Draw &draw, std::uint64_t seed)
{
    Outline outline;
    // Three layer classes and a loss by number: few seeds meet all.
    auto const &classes = model::builtinLayers();
    for (std::uint64_t i = 0; i < 3; ++i) outline.wishes.classes.push_back(classes[(3 * seed + i) % classes.size()].className);
    outline.loss = &model::lossSpecs()[seed % model::lossSpecs().size()];
    outline.wishes.needsClasses = outline.loss->labels == model::LabelForm::ClassIndex;
    outline.wishes.positive = takesLogarithm(*outline.loss);
    outline.wishes.furtherLayers = static_cast<int>(draw.between(0, 4));
    outline.replicas = draw.chance(0.2) ? draw.of({2, 2, 4}) : 1;
    outline.wishes.stages = draw.chance(0.2) ? static_cast<int>(draw.between(2, 4)) : 1;
    outline.wishes.replicated = outline.replicas > 1;
    outline.wishes.policy = draw.of(
        {std::string("float32"), std::string("float32"), std::string("float32"), std::string("float16"), std::string("mixed_float16")});
    outline.batch = draw.chance(0.25) ? 1 : draw.between(2, 9);
    outline.accumulation = draw.chance(0.3) ? draw.between(2, 4) : 1;
    return outline;
}

/// A registry's class with arguments, as JSON that its parser takes.
/// `compared`: the shape of the output that a loss or metric compares.
template <typename Spec> Json drawClass(Draw &draw, Spec const &spec, Shape const &compared = {1, 1})
{
    return Json{{"class_name", spec.className},
                {"config", drawConfig(draw, spec.params, {.className = spec.className, .inputs = {compared}})}};
}

model::Loss drawLoss(Draw &draw, model::LossSpec const &spec, Shape const &output)
{
    for (int attempt = 0; attempt < 10; ++attempt) {
        auto json = drawClass(draw, spec, output);
        if (json["config"].value("reduction", "auto") == "none") continue; // Keras trains with a scalar
        if (auto loss = model::parseLoss(json); loss.ok()) return *loss;
    }
    return *model::parseLoss(Json(spec.className));
}

void drawOptimizer(Draw &draw, model::TrainingPlan &plan, std::uint64_t seed)
{
    auto const &spec = model::optimizerSpecs()[seed % model::optimizerSpecs().size()];
    plan.optimizer = *model::parseOptimizer(Json(spec.className));
    for (int attempt = 0; attempt < 10; ++attempt)
        if (auto optimizer = model::parseOptimizer(drawClass(draw, spec)); optimizer.ok() && model::checkOptimizer(*optimizer).ok()) {
            plan.optimizer = *optimizer;
            return;
        }
}

/// Metrics of each output, such as take the labels that its loss takes.
void drawMetrics(Draw &draw, model::TrainingPlan &plan, model::ResolvedModel const &resolved, std::uint64_t seed)
{
    for (std::size_t output = 0; output < plan.losses.size(); ++output) {
        auto const &loss = plan.losses[output];
        auto const &shape = resolved.calls[resolved.outputs[output]].shape;
        bool const numbers = model::findLossSpec(loss.className)->labels == model::LabelForm::ClassIndex;
        std::vector<model::MetricSpec const *> specs;
        for (auto const &spec : model::metricSpecs())
            if (spec.labels == model::MetricLabels::Any || (spec.labels == model::MetricLabels::ClassNumbers) == numbers)
                specs.push_back(&spec);
        std::vector<model::Metric> metrics, weighted;
        auto const addTo = [&](std::vector<model::Metric> &list, Json const &json) {
            auto metric = model::parseMetric(json);
            if (metric.ok() && std::ranges::find(list, metric->displayName, &model::Metric::displayName) == list.end())
                list.push_back(*metric);
        };
        auto const add = [&](Json const &json) { addTo(metrics, json); };
        if (draw.chance(0.3)) addTo(weighted, drawClass(draw, *draw.of(specs), shape));
        // Two by number, so that few seeds meet all, although one loss in fifteen takes class numbers.
        for (std::uint64_t i = 0; i < 2; ++i) add(drawClass(draw, *specs[(2 * seed + i) % specs.size()], shape));
        if (draw.chance(0.3)) add(Json("accuracy"));
        if (plan.losses.size() == 1) {
            plan.metrics = std::move(metrics);
            plan.weightedMetrics.all = std::move(weighted);
        } else {
            plan.outputMetrics.push_back({"", std::move(metrics)});
            plan.weightedMetrics.each.push_back({"", std::move(weighted)});
        }
    }
}

/// A line of ipu_config, where it applies.
void drawOptions(Draw &draw, project::Project &project, Outline const &outline)
{
    auto const set = [&](char const *path, std::string const &text) { (void)project.config.setFromText(path, text); };
    bool const half = outline.wishes.policy != "float32";
    for (char const *path : {"matmuls.poplar_options", "convolutions.poplar_options"}) {
        Json options = Json::object();
        if (draw.chance(0.4))
            options["availableMemoryProportion"] =
                draw.of({std::string("0.0001"), std::string("0.001"), std::string("0.003"), std::string("0.01"), std::string("0.03"),
                         std::string("0.08"), std::string("0.9")});
        if (half && draw.chance(0.4)) options["partialsType"] = "half";
        if (!options.empty()) set(path, options.dump());
    }
    if (draw.chance(0.15)) set("allow_recompute", "true");
    auto const &plan = project.training; // more often with what acts with it
    if (!plan.recomputationCheckpoints.empty() || plan.recurrentCheckpoints > 0) set("allow_recompute", plan.seed % 4 ? "true" : "false");
    if (draw.chance(0.1)) set("matmuls.clear_pass_type", "true");
    if (half && draw.chance(0.3)) set("floating_point_behaviour.esr", draw.of({std::string("ON"), std::string("REPLICA_IDENTICAL_ONLY")}));
    if (draw.chance(0.5))
        set("scheduling.algorithm", draw.of({std::string("CLUSTERING"), std::string("POST_ORDER"), std::string("SHORTEST_PATH")}));
}

/// How samples reach the tiles.
void drawFeeds(Draw &draw, project::Project &project, int tiles)
{
    auto const set = [&](char const *path, std::string const &text) { (void)project.config.setFromText(path, text); };
    if (draw.chance(0.3)) {
        set("io_tiles.num_io_tiles", std::to_string(draw.between(1, std::max(1, tiles / 4))));
        set("io_tiles.place_ops_on_io_tiles", "true");
    }
    if (draw.chance(0.2)) project.data.convert = "device";
    if (draw.chance(0.2)) project.training.deviceSeed = draw.between(0, 1000);
    project.training.identicalReplicaSeeds = draw.chance(0.1);
}

/// Writes the samples that are held out into a file of their own, which the project names instead of a split.
Status writeOwnValidation(project::Project &project, std::vector<data::NamedArray> &arrays, std::int64_t training,
                          std::filesystem::path const &folder, std::string const &name)
{
    std::vector<data::NamedArray> held;
    for (auto &[array, samples] : arrays) {
        held.push_back({array, samples.slice(training, samples.count() - training)});
        samples = samples.slice(0, training);
    }
    project.data.validationSplit = 0;
    project.data.validationPath = name + "-validation.npz";
    return data::writeNpz(folder / project.data.validationPath, held, false, {}, Sync::No);
}

/// What is computed or moved together.
void drawMovement(Draw &draw, project::Project &project)
{
    auto const set = [&](char const *path, std::string const &text) { (void)project.config.setFromText(path, text); };
    auto const limit = [&] { return draw.of({std::string("64"), std::string("1000"), std::string("100000")}); };
    if (draw.chance(0.3)) set("optimizations.combine_matmuls", "true");
    if (draw.chance(0.3)) set("optimizations.combine_embedding_lookups", "true");
    for (char const *path : {"optimizations.maximum_cross_replica_sum_buffer_size", "optimizations.maximum_all_gather_buffer_size",
                             "optimizations.maximum_inter_ipu_copies_buffer_size"})
        if (draw.chance(0.3)) set(path, limit());
    if (draw.chance(0.2)) set("slices.poplar_options", R"({"availableMemoryProportion": "0.0001"})");
    if (draw.chance(0.2)) set("pooling.poplar_options", R"({"poolUseIntrospectiveMapping": "false"})");
    if (draw.chance(0.3)) set("optimizations.merge_infeed_io_copies", "false");
    if (draw.chance(0.4)) set("norms.use_stable_statistics", "true");
}

/// The magnitudes as bytes; zeros stay zero.
data::DataArray asBytes(data::DataArray const &samples)
{
    std::vector<std::uint32_t> every(static_cast<std::size_t>(samples.count()));
    std::iota(every.begin(), every.end(), 0u);
    std::vector<float> values(static_cast<std::size_t>(elementCount(samples.shape)));
    data::gatherBatch(samples, every, 255.0f, values.data());
    std::vector<std::uint8_t> bytes;
    for (float const value : values) bytes.push_back(static_cast<std::uint8_t>(std::abs(value)));
    return data::makeArray(samples.shape, std::move(bytes));
}

/// Samples in [-1, 1), some of whose steps are zero.
data::DataArray drawSamples(Draw &draw, std::int64_t count, Shape const &sample)
{
    Shape shape{count};
    shape.insert(shape.end(), sample.begin(), sample.end());
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    for (auto &value : values) value = static_cast<float>(draw.real(-1, 1));
    if (sample.size() > 1) {
        std::size_t const step = static_cast<std::size_t>(elementCount(sample) / sample[0]);
        for (std::size_t i = 0; i < values.size(); i += step)
            if (draw.chance(0.2)) std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(i), step, 0.0f);
    }
    return data::makeArray(std::move(shape), std::move(values));
}
data::DataArray drawNumbers(Draw &draw, std::int64_t count, Shape const &sample, std::int64_t bound)
{
    Shape shape{count};
    shape.insert(shape.end(), sample.begin(), sample.end());
    std::vector<std::int32_t> values(static_cast<std::size_t>(elementCount(shape)));
    for (auto &value : values) value = static_cast<std::int32_t>(draw.between(0, bound - 1));
    return data::makeArray(std::move(shape), std::move(values));
}
/// Labels from 0 to 1, mostly 0 or 1 for half of the models; none is near 0 if the loss divides by them.
data::DataArray drawLabels(Draw &draw, std::int64_t count, Shape const &sample, bool divides)
{
    Shape shape{count};
    shape.insert(shape.end(), sample.begin(), sample.end());
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    bool const whole = !divides && draw.chance(0.5);
    for (auto &value : values) value = whole ? static_cast<float>(draw.between(0, 1)) : static_cast<float>(draw.real(divides ? 0.2 : 0, 1));
    return data::makeArray(std::move(shape), std::move(values));
}

Shape sampleOf(Shape const &shape) { return {shape.begin() + 1, shape.end()}; }

/// The arrays of all inputs and labels; the project names them.
std::vector<data::NamedArray> drawArrays(Draw &draw, project::Project &project, model::ResolvedModel const &resolved, std::int64_t count)
{
    std::vector<data::NamedArray> arrays;
    auto const bound = indexBound(project.model);
    for (std::size_t i = 0; i < resolved.inputs.size(); ++i) {
        auto const &call = resolved.calls[resolved.inputs[i]];
        auto const name = "x" + std::to_string(i);
        auto const sample = sampleOf(call.shape);
        arrays.push_back({name, call.dtype == DType::I32 ? drawNumbers(draw, count, sample, bound) : drawSamples(draw, count, sample)});
        if (project.data.convert == "device" && call.dtype != DType::I32) arrays.back().array = asBytes(arrays.back().array);
        if (i == 0) project.data.x = name;
        else project.data.inputs[resolved.layerOf(resolved.inputs[i]).layer.name] = name;
    }
    for (std::size_t i = 0; i < resolved.outputs.size(); ++i) {
        auto const &shape = resolved.calls[resolved.outputs[i]].shape;
        auto const &loss = project.training.lossOf(i);
        auto const sample = sampleOf(model::labelShape(loss, shape));
        bool const numbers = model::findLossSpec(loss.className)->labels == model::LabelForm::ClassIndex;
        auto const name = "y" + std::to_string(i);
        arrays.push_back({name,
                          numbers ? drawNumbers(draw, count, sample, shape.back())
                                  : drawLabels(draw, count, sample, loss.className == "MeanAbsolutePercentageError")});
        if (i == 0) project.data.y = name;
        else project.data.labels[model::outputName(resolved, i)] = name;
    }
    if (draw.chance(0.1)) {
        std::vector<float> weights(static_cast<std::size_t>(count));
        for (auto &weight : weights) weight = static_cast<float>(draw.real(0.25, 2));
        arrays.push_back({"weights", data::makeArray(Shape{count}, std::move(weights))});
        project.data.sampleWeight = "weights";
    }
    return arrays;
}

/// Checkpoints by layer and along time, and a mode that the schedule has.
void drawRecomputation(Draw &draw, model::TrainingPlan &plan, model::ResolvedModel const &resolved)
{
    if (draw.chance(0.3))
        for (auto const &layer : resolved.layers)
            if (draw.chance(0.4)) plan.recomputationCheckpoints.push_back(layer.layer.name);
    std::int64_t steps = 0; // that the loops of all recurrent layers can be cut alike
    for (std::size_t i = 0; i < resolved.calls.size(); ++i) steps = std::gcd(steps, model::recurrentSteps(resolved, i));
    if (steps > 1 && draw.chance(0.5)) {
        auto parts = draw.between(2, static_cast<int>(std::min<std::int64_t>(steps, 8)));
        while (steps % parts != 0) --parts;
        plan.recurrentCheckpoints = parts - 1;
    }
    if (!draw.chance(0.5)) return;
    if (plan.pipelineSchedule != "sequential" && draw.chance(0.5)) plan.recomputationMode = "recompute_then_backpropagate";
    else if (plan.pipelineSchedule != "interleaved") plan.recomputationMode = "recompute_and_backpropagate_interleaved";
}

void drawPlan(Draw &draw, project::Project &project, Outline const &outline, model::ResolvedModel const &resolved, std::uint64_t seed)
{
    auto &plan = project.training;
    auto const outputShape = [&](std::size_t i) -> Shape const & { return resolved.calls[resolved.outputs[i]].shape; };
    plan.losses = {drawLoss(draw, *outline.loss, outputShape(0))};
    for (std::size_t i = 1; i < resolved.outputs.size(); ++i) {
        auto const &spec = draw.of(model::lossSpecs());
        bool const fits =
            !takesLogarithm(spec) && (spec.labels != model::LabelForm::ClassIndex || resolved.calls[resolved.outputs[i]].shape.back() > 1);
        plan.losses.push_back(drawLoss(draw, fits ? spec : *model::findLossSpec("MeanSquaredError"), outputShape(i)));
    }
    if (resolved.outputs.size() > 1 && draw.chance(0.4))
        for (std::size_t i = 0; i < resolved.outputs.size(); ++i) plan.lossWeights.push_back(draw.real(0.1, 2));
    drawOptimizer(draw, plan, seed);
    drawMetrics(draw, plan, resolved, seed);
    plan.batchSize = outline.batch;
    plan.epochs = 2;
    plan.gradientAccumulationSteps = outline.accumulation;
    plan.gradientAccumulationReduction = draw.of({std::string("sum"), std::string("mean"), std::string("running_mean")});
    bool const sharded = resolved.pipelined() && Draw(deriveSeed(seed, 8)).chance(0.3); // apart, so that other draws keep their seeds
    if (sharded) plan.placement = "sharded";
    if (resolved.pipelined()) {
        plan.pipelineSchedule = draw.of({std::string("grouped"), std::string("interleaved"), std::string("sequential")});
        plan.gradientAccumulationSteps = model::pipelineDepthMultiple(plan.pipelineSchedule, resolved.stages(), true) * draw.between(1, 2);
        if (plan.pipelineSchedule != "interleaved" && draw.chance(0.4))
            plan.deviceMapping.assign(static_cast<std::size_t>(resolved.stages()), 0);
    }
    if (sharded) plan.gradientAccumulationSteps = outline.accumulation;
    plan.stepsPerExecution = plan.gradientAccumulationSteps * draw.between(1, 2);
    plan.replicas = outline.replicas;
    plan.seed = static_cast<std::int64_t>(seed);
    plan.shuffle = draw.chance(0.7);
    auto const &shape = resolved.calls[resolved.outputs[0]].shape;
    if (resolved.outputs.size() == 1 && outline.loss->labels == model::LabelForm::ClassIndex && shape.size() == 2 && draw.chance(0.3))
        for (std::int64_t i = 0; i < shape.back(); ++i) plan.classWeights.push_back(draw.real(0.5, 2));
    plan.validationExecutable = draw.of({std::string("own"), std::string("shared")});
    Draw homes(deriveSeed(seed, 7)); // apart, so that other draws keep their seeds
    plan.offloadWeightUpdateVariables = homes.chance(0.25);
    plan.replicatedOptimizerStateSharding = plan.offloadWeightUpdateVariables && homes.chance(0.5);
    plan.offloadGradientAccumulationBuffers = homes.chance(0.15);
    plan.offloadWeights = homes.chance(0.15);
    Draw later(deriveSeed(seed, 9)); // the same
    plan.offloadWeights = plan.offloadWeights || (plan.replicas > 1 && later.chance(0.4));
    plan.replicatedWeightSharding = plan.offloadWeights && later.chance(0.7);
    plan.offloadActivations = resolved.pipelined() && !sharded && later.chance(0.3);
    plan.accumulateOutfeed = (plan.gradientAccumulationSteps > 1 || (resolved.pipelined() && !sharded)) && later.chance(0.3);
    if (!plan.accumulateOutfeed && later.chance(0.2)) plan.outfeedMode = "last";
    drawRecomputation(later, plan, resolved);
}

std::vector<std::string> wordsOf(project::Project const &p)
{
    std::vector<std::string> words;
    for (auto const &layer : p.model.layers) {
        words.push_back("layer " + layer.className);
        if (layer.calls.size() > 1) words.push_back("shared layer");
        if (layer.config.contains("dtype")) words.push_back("dtype " + layer.config["dtype"].get<std::string>());
    }
    for (auto const &loss : p.training.losses) words.push_back("loss " + loss.className);
    for (auto const &metric : p.training.metrics) words.push_back("metric " + metric.className);
    for (auto const &output : p.training.outputMetrics)
        for (auto const &metric : output.metrics) words.push_back("metric " + metric.className);
    words.push_back("optimizer " + p.training.optimizer.className);
    auto const note = [&](bool holds, char const *word) {
        if (holds) words.emplace_back(word);
    };
    auto const &plan = p.training;
    note(plan.batchSize == 1, "batch 1");
    note(plan.replicas > 1, "replicas");
    note(!plan.deviceMapping.empty(), "device mapping");
    note(plan.gradientAccumulationSteps > 1, "accumulation");
    note(p.config.boolean("allow_recompute"), "recomputation");
    note(p.config.dict("matmuls.poplar_options").contains("partialsType"), "half partials");
    note(p.config.dict("matmuls.poplar_options").contains("availableMemoryProportion"), "memory proportion");
    bool const ioTiles =
        p.config.integer("io_tiles.num_io_tiles") > 0 && std::max(plan.stepsPerExecution, plan.gradientAccumulationSteps) > 1;
    bool const staged = std::ranges::any_of(p.model.layers, [](model::Layer const &layer) { return layer.stage > 0; });
    note(p.config.boolean("optimizations.combine_matmuls"), "combined products");
    note(p.config.boolean("optimizations.combine_embedding_lookups"), "combined look-ups");
    note(plan.replicas > 1 && p.config.integer("optimizations.maximum_cross_replica_sum_buffer_size") > 0, "limited sums");
    note(!p.config.boolean("optimizations.merge_infeed_io_copies"), "separate feeds");
    note(p.config.boolean("norms.use_stable_statistics"), "stable statistics");
    note(ioTiles && !staged, "IO tiles");
    note(ioTiles && staged && !plan.isSharded(), "IO tiles of a pipeline");
    note(p.data.convert == "device", "conversion on the device");
    note(plan.optimizer.hasSchedule(), "rate schedule");
    note(p.data.validates() && plan.validationExecutable == "own", "own validation");
    note(p.data.validates() && plan.validationExecutable == "shared", "shared validation");
    note(!p.data.validationPath.empty(), "validation file");
    note(plan.deviceSeed.has_value(), "seed of the device");
    note(plan.identicalReplicaSeeds && plan.replicas > 1, "identical replica seeds");
    note(plan.offloadWeightUpdateVariables, "remote state");
    note(plan.replicatedOptimizerStateSharding && plan.replicas > 1, "state shards");
    note(plan.offloadGradientAccumulationBuffers && plan.gradientAccumulationSteps > 1, "remote sums");
    note(plan.offloadWeights, "remote weights");
    note(plan.replicatedWeightSharding && plan.replicas > 1, "weight shards");
    note(plan.offloadActivations && plan.pipelineSchedule != "sequential", "remote activations");
    note(plan.accumulateOutfeed, "accumulated outputs");
    note(plan.outfeedMode == "last", "last outputs");
    bool const again = p.config.boolean("allow_recompute");
    note(again && !plan.recomputationCheckpoints.empty(), "recomputation checkpoints");
    note(again && plan.recurrentCheckpoints > 0, "checkpoints along time");
    note(p.model.inputs.size() > 1, "several inputs");
    note(p.model.outputs.size() > 1, "several outputs");
    note(p.model.kind == model::ModelKind::Sequential, "Sequential");
    if (staged) words.push_back(plan.isSharded() ? "sharded layers" : "schedule " + plan.pipelineSchedule);
    return words;
}

} // namespace

std::vector<std::string> wordsToDraw()
{
    std::vector<std::string> words{"batch 1",
                                   "replicas",
                                   "device mapping",
                                   "accumulation",
                                   "recomputation",
                                   "half partials",
                                   "memory proportion",
                                   "rate schedule",
                                   "own validation",
                                   "shared validation",
                                   "several inputs",
                                   "several outputs",
                                   "Sequential",
                                   "shared layer",
                                   "sharded layers",
                                   "schedule grouped",
                                   "schedule interleaved",
                                   "schedule sequential",
                                   "dtype float32",
                                   "dtype float16",
                                   "dtype mixed_float16",
                                   "remote state",
                                   "state shards",
                                   "remote sums",
                                   "remote weights",
                                   "weight shards",
                                   "remote activations",
                                   "accumulated outputs",
                                   "last outputs",
                                   "recomputation checkpoints",
                                   "checkpoints along time",
                                   "IO tiles",
                                   "IO tiles of a pipeline",
                                   "combined products",
                                   "combined look-ups",
                                   "limited sums",
                                   "separate feeds",
                                   "stable statistics",
                                   "conversion on the device",
                                   "validation file",
                                   "seed of the device",
                                   "identical replica seeds"};
    for (auto const &spec : model::builtinLayers()) words.push_back("layer " + spec.className);
    for (auto const &spec : model::lossSpecs()) words.push_back("loss " + spec.className);
    for (auto const &spec : model::optimizerSpecs()) words.push_back("optimizer " + spec.className);
    for (auto const &spec : model::metricSpecs()) words.push_back("metric " + spec.className);
    return words;
}

Result<DrawnProject> drawProject(std::uint64_t seed, std::filesystem::path const &folder, std::string const &name)
{
    Draw draw(seed);
    auto outline = drawOutline(draw, seed);
    DrawnProject drawn;
    auto &p = drawn.project;
    p.title = name;
    p.model = drawModel(draw, outline.wishes);
    TW_ASSIGN(auto const resolved, model::resolve(p.model));
    drawPlan(draw, p, outline, resolved, seed);
    drawOptions(draw, p, outline);
    int const ipus = resolved.pipelined() ? model::ipusOf(model::stageIpus(p.training.deviceMapping, resolved.stages())) : 1;
    int const tiles = static_cast<int>(draw.of({4, 4, 6, 8, 8, 13, 16, 24, 64}));
    p.target = "gc200:tiles=" + std::to_string(tiles);
    Draw further(seed ^ 0x6665656473ull); // draws that came later have a stream of their own: the others stay as they are
    drawFeeds(further, p, tiles);
    Draw movement(seed ^ 0x6d6f766573ull);
    drawMovement(movement, p);
    if (ipus * outline.replicas > 1) p.target += ",ipus=" + std::to_string(ipus * outline.replicas);
    // Two executions of an epoch, and a quarter more to validate with.
    auto const train = p.training.batchSize * outline.replicas * p.training.stepsPerExecution * 2;
    bool const validates = draw.chance(0.5);
    auto const count =
        validates ? train + p.training.batchSize * outline.replicas * std::max<std::int64_t>(1, p.training.stepsPerExecution) : train;
    if (validates) p.data.validationSplit = static_cast<double>(count - train) / static_cast<double>(count);
    p.data.path = name + ".npz";
    p.data.format = "npz";
    auto arrays = drawArrays(draw, p, resolved, count);
    if (validates && further.chance(0.3)) TW_TRY(writeOwnValidation(p, arrays, train, folder, name));
    TW_TRY(data::writeNpz(folder / p.data.path, arrays, false, {}, Sync::No));
    TW_ASSIGN(p, project::projectFromParts(project::projectParts(p), nullptr)); // layers in the order of a file
    drawn.drawn = wordsOf(p);
    return drawn;
}

Status writeTwin(project::Project const &project, std::filesystem::path const &file)
{
    TW_ASSIGN(auto const text, project::field(project, ""));
    return writeFileAtomically(file, std::string_view(text), Sync::No);
}

} // namespace tilewright::random_models
