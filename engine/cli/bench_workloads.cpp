#include "engine/cli/bench_workloads.h"

#include "engine/core/random.h"
#include "engine/model/encoder.h"

#include <algorithm>
#include <cmath>

namespace tilewright::cli {

namespace {

constexpr std::int64_t kClasses = 10, kWalkSamples = 60000;

/// Start values as in the other frameworks: the fraction of sin(12.9898 i + 78.233 seed) 43758.5453, mapped to [-1, 1).
float startValue(std::int64_t i, double seed)
{
    // Rounded after each operation as in the other frameworks, because the fraction magnifies the difference of a fused one.
    double const volatile turned = static_cast<double>(i) * 12.9898, shift = seed * 78.233;
    double const s = std::sin(turned + shift) * 43758.5453;
    return static_cast<float>((s - std::floor(s)) * 2 - 1);
}

float glorotLimit(std::int64_t fanIn, std::int64_t fanOut)
{
    return static_cast<float>(std::sqrt(6.0 / static_cast<double>(fanIn + fanOut)));
}

Result<project::Project> projectOf(model::Model model)
{
    TW_ASSIGN(auto project, project::fromTemplate("mnist-mlp")); // with the same loss and optimizer as the other frameworks
    project.model = std::move(model);
    return project;
}

model::Layer classifier() { return model::makeLayer("Dense", "classes", model::Json{{"units", kClasses}, {"activation", "softmax"}}); }

constexpr std::int64_t kLstmSteps = 64, kLstmFeatures = 32, kLstmUnits = 128;

Result<project::Project> lstmProject()
{
    model::Model model;
    model.layers.push_back(
        model::makeLayer("LSTM", "lstm", model::Json{{"units", kLstmUnits}, {"batch_input_shape", {nullptr, kLstmSteps, kLstmFeatures}}}));
    model.layers.push_back(classifier());
    model::normalizeModel(model);
    return projectOf(std::move(model));
}

constexpr std::int64_t kTokens = 64, kWidth = 128, kHeads = 4, kInner = 512, kEncoders = 2, kTransformerBatch = 16;

/// Two encoder layers with norms after the sums, and the mean over the tokens.
Result<project::Project> transformerProject()
{
    model::Model model;
    model.kind = model::ModelKind::Functional;
    model::appendLayer(model, model::makeInput("tokens", {kTokens, kWidth}), {});
    model.inputs.push_back({"tokens", 0, 0});
    std::string x = "tokens";
    model::EncoderBlock const block{.width = kWidth, .heads = kHeads, .inner = kInner, .epsilon = 1e-5};
    for (int i = 1; i <= kEncoders; ++i) x = model::appendEncoderBlock(model, block, "encoder" + std::to_string(i) + "_", x);
    model::appendLayer(model, model::makeLayer("GlobalAveragePooling1D", "mean"), {x});
    model::appendLayer(model, classifier(), {"mean"});
    model.outputs.push_back({"classes", 0, 0});
    model::normalizeModel(model);
    return projectOf(std::move(model));
}

/// The other frameworks keep query, key and value in one matrix.
std::vector<DrawnKernel> transformerKernels()
{
    std::vector<DrawnKernel> kernels;
    for (double const base : {1.0, 11.0}) {
        for (std::int64_t part = 0; part < 3; ++part) kernels.push_back({base, kWidth, 3 * kWidth, part * kWidth, kWidth});
        kernels.push_back({base + 1, kWidth, kWidth, 0, kWidth});
        kernels.push_back({base + 2, kWidth, kInner, 0, kInner});
        kernels.push_back({base + 3, kInner, kWidth, 0, kWidth});
    }
    kernels.push_back({30, kWidth, kClasses, 0, kClasses});
    return kernels;
}

std::vector<float> drawn(DrawnKernel const &kernel, std::int64_t count)
{
    TW_CHECK(count == kernel.rows * kernel.width, "a kernel is not as large as the peers' one");
    float const limit = glorotLimit(kernel.rows, kernel.columns);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        values[static_cast<std::size_t>(i)] =
            limit * startValue(i / kernel.width * kernel.columns + kernel.first + i % kernel.width, kernel.seed);
    return values;
}

/// A matrix, or a convolution kernel, whose window elements count for the limits.
std::vector<float> drawn(Shape const &shape, int seed)
{
    auto const n = shape.size();
    auto const field = elementCount(shape) / (shape[n - 2] * shape[n - 1]);
    float const limit = glorotLimit(field * shape[n - 2], field * shape[n - 1]);
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = limit * startValue(static_cast<std::int64_t>(i), seed);
    return values;
}

std::vector<BenchWorkload> makeWorkloads()
{
    auto const fromTemplate = [](char const *name) { return [name] { return project::fromTemplate(name); }; };
    // In the other frameworks only the perceptron walks through samples; the other models repeat one batch.
    std::vector<BenchWorkload> all;
    all.push_back({.name = "mlp", .project = fromTemplate("mnist-mlp"), .sample = {28, 28}});
    all.push_back({.name = "cnn", .project = fromTemplate("mnist-cnn"), .sample = {28, 28}, .data = BenchData::SameStart});
    all.push_back(
        {.name = "lstm", .project = lstmProject, .sample = {kLstmSteps, kLstmFeatures}, .data = BenchData::SameStart, .stepsFirst = true});
    all.push_back({.name = "transformer",
                   .project = transformerProject,
                   .sample = {kTokens, kWidth},
                   .batch = kTransformerBatch,
                   .data = BenchData::SameStart,
                   .kernels = transformerKernels()});
    for (std::size_t i = 0, count = all.size(); i < count; ++i) {
        all.push_back(all[i]);
        all.back().name += "-tile";
        all.back().mode = runtime::Mode::Tile;
    }
    return all;
}

} // namespace

std::vector<BenchWorkload> const &benchWorkloads()
{
    static std::vector<BenchWorkload> const all = makeWorkloads();
    return all;
}

BenchSamples benchSamples(BenchWorkload const &workload)
{
    bool const walk = workload.data == BenchData::Walk;
    std::int64_t const n = walk ? kWalkSamples : workload.batch, size = elementCount(workload.sample);
    std::int64_t const steps = workload.stepsFirst ? workload.sample[0] : 1, row = size / steps;
    std::vector<float> x(static_cast<std::size_t>(n * size));
    std::vector<std::int32_t> y(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto const at = static_cast<std::int64_t>(i);
        std::int64_t const theirs = (at / row % steps * n + at / size) * row + at % row;
        x[i] = walk ? unitFloat(randomBits(kBenchSeed, i)) : startValue(theirs, 99);
    }
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = walk ? static_cast<std::int32_t>((randomBits(kBenchSeed + 1, i) >> 11) % kClasses)
                    : static_cast<std::int32_t>((i * 7 + 3) % kClasses);
    Shape shape = workload.sample;
    shape.insert(shape.begin(), n);
    return {data::makeArray<float>(std::move(shape), std::move(x)), data::makeArray<std::int32_t>({n}, std::move(y))};
}

std::vector<std::vector<float>> benchWeights(BenchWorkload const &workload, executable::Entry const &entry)
{
    std::vector<std::vector<float>> weights;
    std::size_t kernel = 0;
    for (auto const id : entry.weights) {
        auto const &variable = entry.graph.variable(id);
        std::int64_t const count = elementCount(variable.shape);
        // Projections of attention have a bias with two axes.
        if (variable.shape.size() < 2 || variable.name.ends_with("/bias")) {
            weights.emplace_back(static_cast<std::size_t>(count), variable.name.ends_with("/gamma") ? 1.0f : 0.0f);
            continue;
        }
        weights.push_back(workload.kernels.empty() ? drawn(variable.shape, static_cast<int>(kernel) + 1)
                                                   : drawn(workload.kernels.at(kernel), count));
        ++kernel;
    }
    return weights;
}

} // namespace tilewright::cli
