#pragma once

#include "engine/data/npy.h"
#include "engine/model/model.h"
#include "tests/engine/runtime/session_tools.h"

/// A model whose predictions are its inputs: losses and metrics can be computed by hand.
namespace tilewright::tests {

/// Samples x with labels y and sample weights, for a model of one weight 1. Nothing learns unless a rate is given.
inline project::Project identityModel(SessionFolder const &folder, std::vector<float> const &x, std::vector<float> const &y,
                                      std::vector<float> const &weights, std::string const &target, Fields const &fields)
{
    auto const n = static_cast<std::int64_t>(x.size());
    std::vector<data::NamedArray> const arrays{
        {"x", data::makeArray({n, 1}, x)}, {"y", data::makeArray({n, 1}, y)}, {"w", data::makeArray({n}, weights)}};
    if (!data::writeNpz(folder.path() / "set.npz", arrays, false, {}).ok()) qFatal("no data");
    Fields all{{"data.path", (folder.path() / "set.npz").string()},
               {"data.limit", "0"},
               {"training.loss", "mae"},
               {"training.metrics", "[]"},
               {"training.shuffle", "false"},
               {"training.optimizer", "sgd"},
               {"training.optimizer.learning_rate", "0"}};
    all.insert(all.end(), fields.begin(), fields.end());
    auto p = mnist(target, all);
    p.model = model::Model{};
    p.model.layers = {model::makeInput("in", {1}),
                      model::makeLayer("Dense", "d", {{"units", 1}, {"use_bias", false}, {"kernel_initializer", "ones"}})};
    return p;
}

} // namespace tilewright::tests
