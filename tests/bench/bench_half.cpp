// What float16 costs on the host: seconds of the same training steps in float16 and in float32, and their ratio. A small residual network
// on one and on four replicas. Usage: bench_half [THREADS] [STEPS], default 1 and 10. Minima over rounds: on a shared machine the rest is
// other processes' work. Goal: a ratio of at most 2.

#include "engine/data/npy.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace tilewright;
namespace fs = std::filesystem;

namespace {

model::Layer layer(char const *className, std::string name, model::Json config, std::vector<std::string> const &from, char const *type)
{
    config["dtype"] = type;
    auto made = model::makeLayer(className, std::move(name), std::move(config));
    auto &call = made.calls.emplace_back();
    for (auto const &input : from) call.inputs.push_back({input, 0, 0});
    return made;
}

/// Three residual blocks of 16, 32 and 64 channels over images of 32 by 32.
model::Model residualNetwork(char const *type)
{
    model::Model m;
    m.name = "residual";
    m.kind = model::ModelKind::Functional;
    m.layers.push_back(model::makeInput("images", {32, 32, 3}, type));
    auto const add = [&](char const *className, std::string const &name, model::Json config, std::vector<std::string> const &from) {
        m.layers.push_back(layer(className, name, std::move(config), from, type));
        return name;
    };
    auto const conv = [&](std::string const &name, int filters, int kernel, int stride, std::string const &from) {
        return add("Conv2D", name, {{"filters", filters}, {"kernel_size", kernel}, {"strides", stride}, {"padding", "same"}}, {from});
    };
    std::string at = add("ReLU", "first_relu", model::Json::object(),
                         {add("BatchNormalization", "first_norm", model::Json::object(), {conv("first", 16, 3, 1, "images")})});
    for (int filters : {16, 32, 64}) {
        std::string const block = "b" + std::to_string(filters) + "_";
        int const stride = filters == 16 ? 1 : 2;
        auto const a =
            add("ReLU", block + "relu", model::Json::object(),
                {add("BatchNormalization", block + "norm1", model::Json::object(), {conv(block + "conv1", filters, 3, stride, at)})});
        auto const b = add("BatchNormalization", block + "norm2", model::Json::object(), {conv(block + "conv2", filters, 3, 1, a)});
        auto const skip = stride == 1 ? at : conv(block + "skip", filters, 1, stride, at);
        at = add("ReLU", block + "out", model::Json::object(), {add("Add", block + "sum", model::Json::object(), {skip, b})});
    }
    at = add("GlobalAveragePooling2D", "mean", model::Json::object(), {at});
    m.inputs = {{"images", 0, 0}};
    m.outputs = {{add("Dense", "classes", {{"units", 10}}, {at}), 0, 0}};
    return m;
}

double seconds(char const *type, int replicas, int threads, std::int64_t steps, fs::path const &data)
{
    project::Project project;
    auto const set = [&](char const *path, std::string const &value) {
        auto changed = project::withField(project, path, value, nullptr);
        if (!changed.ok()) {
            std::fprintf(stderr, "%s\n", toText(changed.error()).c_str());
            std::exit(1);
        }
        project = std::move(changed).value();
    };
    set("system.target", "gc200:ipus=" + std::to_string(replicas));
    set("data.path", data.string());
    set("training.loss", R"({"class_name": "SparseCategoricalCrossentropy", "config": {"from_logits": true}})");
    set("training.optimizer", R"({"class_name": "SGD", "config": {"learning_rate": 0.0001, "momentum": 0.9}})");
    set("training.batch_size", "25");
    set("training.epochs", "1000");
    project.model = residualNetwork(type);
    runtime::RunRequest request;
    request.threads = threads;
    request.steps = steps;
    request.compile.useCache = false;
    double least = 1e30;
    for (int round = 0; round < 3; ++round) {
        auto const outcome = runtime::train(project, request, {}, {});
        if (!outcome.ok()) {
            std::fprintf(stderr, "%s\n", toText(outcome.error()).c_str());
            std::exit(1);
        }
        least = std::min(least, outcome->hostSeconds);
    }
    return least;
}

} // namespace

int main(int argc, char **argv)
{
    int const threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
    std::int64_t const steps = argc > 2 ? std::max(1, std::atoi(argv[2])) : 10;
    constexpr std::int64_t kSamples = 500;
    std::vector<float> x(kSamples * 32 * 32 * 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 7919) % 255) / 255;
    std::vector<std::int32_t> y(kSamples);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int32_t>(i % 10);
    auto const folder = fs::temp_directory_path() / "tilewright-bench-half";
    fs::create_directories(folder);
    setenv("TILEWRIGHT_RUN_DIR", (folder / "run").c_str(), 1);
    std::vector<data::NamedArray> const arrays{{"x", data::makeArray({kSamples, 32, 32, 3}, std::move(x))},
                                               {"y", data::makeArray({kSamples}, std::move(y))}};
    auto const file = folder / "set.npz";
    if (!data::writeNpz(file, arrays, false, {}).ok()) return 1;
    std::printf("%lld steps of a residual network, %d thread(s)\n%10s %12s %12s %8s\n", static_cast<long long>(steps), threads, "replicas",
                "float32, s", "float16, s", "ratio");
    for (int replicas : {1, 4}) {
        double const wide = seconds("float32", replicas, threads, steps, file), half = seconds("float16", replicas, threads, steps, file);
        std::printf("%10d %12.3f %12.3f %8.2f\n", replicas, wide, half, half / wide);
    }
    fs::remove_all(folder);
    return 0;
}
