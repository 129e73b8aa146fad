#pragma once

#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// Sessions of tests: the tutorial's model with few data, and a folder of their own for cache and devices.
namespace tilewright::tests {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Keeps emulated devices and executables of a test away from the user's and from other tests.
class SessionFolder {
public:
    SessionFolder() { qputenv("TILEWRIGHT_RUN_DIR", (m_dir.path() + "/run").toUtf8()); }
    std::filesystem::path cache() const { return m_dir.path().toStdString() + "/cache"; }
    std::filesystem::path path() const { return m_dir.path().toStdString(); }

private:
    QTemporaryDir m_dir;
};

/// `mnist-mlp` on 256 digits, with fields set from text. Stops the test when a field is refused.
inline project::Project mnist(std::string const &target, Fields const &fields = {})
{
    auto p = project::fromTemplate("mnist-mlp").value();
    auto const set = [&](std::string const &path, std::string const &value) {
        auto changed = project::withField(p, path, value, nullptr);
        if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
        p = std::move(changed).value();
    };
    set("system.target", target);
    set("data.limit", "256");
    set("training.epochs", "1");
    for (auto const &[path, value] : fields) set(path, value);
    return p;
}

/// A model small enough for tile mode in every test: 784 - 32 - 16 - 10.
inline Fields smallModel(Fields more = {})
{
    Fields all{{"model.layers.dense.units", "32"}, {"model.layers.dense_1.units", "16"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// The small model with float16 in every layer: weights too ("float16"), or computing only ("mixed_float16").
inline project::Project halfModel(char const *policy, Fields more = {})
{
    Fields fields;
    for (auto const *layer : {"flatten_input", "flatten", "dense", "dense_1", "dense_2"})
        if (std::string(layer) != "flatten_input" || std::string(policy) == "float16")
            fields.emplace_back(std::string("model.layers.") + layer + ".dtype", policy);
    fields.insert(fields.end(), more.begin(), more.end());
    return mnist("gc200:tiles=16", smallModel(fields));
}

/// Assigns the model's four layers to these pipeline stages: "0011" cuts it in two after its first dense layer.
inline Fields inStages(std::string const &stages, Fields more = {})
{
    static char const *const kLayers[] = {"flatten", "dense", "dense_1", "dense_2"};
    Fields all;
    for (std::size_t i = 0; i < 4; ++i) all.emplace_back("model.layers." + std::string(kLayers[i]) + ".stage", stages.substr(i, 1));
    all.insert(all.end(), more.begin(), more.end());
    return all;
}
inline Fields twoStages(Fields more = {}) { return inStages("0011", std::move(more)); }

inline runtime::RunRequest requestIn(SessionFolder const &folder, runtime::Mode mode = runtime::Mode::Fused, int threads = 1)
{
    runtime::RunRequest request;
    request.mode = mode;
    request.threads = threads;
    request.compile.cacheFolder = folder.cache();
    return request;
}

/// Trains; stops the test when the session fails. The losses of every step are appended to `losses`.
inline runtime::TrainOutcome trained(project::Project const &p, runtime::RunRequest request, std::vector<double> *losses = nullptr)
{
    runtime::RunObserver observer;
    if (losses) {
        request.every = 1;
        observer.step = [losses](std::int64_t, double loss, auto const &) { losses->push_back(loss); };
    }
    auto outcome = runtime::train(p, request, observer, {});
    if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
    return std::move(outcome).value();
}

inline std::vector<float> floatsOf(runtime::StateTensor const &tensor)
{
    std::vector<float> values(tensor.bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(float));
    return values;
}

/// Largest difference of two states' f32 tensors, relative to the largest magnitude of the tensor; 1 when they
/// do not hold the same tensors.
inline double stateDifference(runtime::TrainingState const &a, runtime::TrainingState const &b)
{
    double worst = 0;
    for (auto const &tensor : a.tensors) {
        if (tensor.dtype != DType::F32) continue;
        auto const *other = b.find(tensor.name);
        if (!other || other->shape != tensor.shape) return 1;
        auto const x = floatsOf(tensor), y = floatsOf(*other);
        double scale = 0, difference = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            scale = std::max(scale, std::abs(static_cast<double>(x[i])));
            difference = std::max(difference, std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
        }
        worst = std::max(worst, scale > 0 ? difference / scale : difference);
    }
    return worst;
}

/// The same tensors with the same bytes, bit for bit.
inline bool sameBytes(runtime::TrainingState const &a, runtime::TrainingState const &b) { return a.tensors == b.tensors; }

/// The same, without what no variable holds (runtime/run_state.h).
inline bool sameVariables(runtime::TrainingState a, runtime::TrainingState b)
{
    auto const isOfRun = [](runtime::StateTensor const &tensor) { return tensor.name.starts_with('@'); };
    std::erase_if(a.tensors, isOfRun);
    std::erase_if(b.tensors, isOfRun);
    return sameBytes(a, b);
}

} // namespace tilewright::tests
