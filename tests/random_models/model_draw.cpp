#include "tests/random_models/model_draw.h"

#include "engine/model/stages.h"
#include "engine/model/topology.h"
#include "tests/random_models/argument_draw.h"

#include <algorithm>
#include <map>

namespace tilewright::random_models {

using model::Json;
using model::Layer;
using model::LayerSpec;
using model::TensorRef;

namespace {

/// Bounds of one sample and of the whole model, so that the tiles of the emulator compute it in a fraction of a second.
constexpr std::int64_t kLargestTensor = 6000, kMostParameters = 60'000;
constexpr double kMostMultiplyAdds = 1'000'000;
constexpr std::size_t kMostInputs = 3;

struct Tensor {
    TensorRef ref;
    Shape shape; ///< with the batch
    DType dtype = DType::F32;
    bool masked = false, read = false, isInput = false, further = false;
};

class ModelDraw {
public:
    ModelDraw(Draw &draw, ModelWishes const &wishes) : m_draw(draw), m_wishes(wishes)
    {
        m_model.name = "drawn";
        m_model.kind = model::ModelKind::Functional;
    }

    model::Model draw()
    {
        for (auto const &name : m_wishes.classes) place(*model::findLayerSpec(name));
        for (int i = 0; i < m_wishes.furtherLayers; ++i) {
            if (m_wishes.stages == 1 && m_draw.chance(0.1) && callAgain()) continue;
            place(m_draw.of(model::builtinLayers()));
        }
        finish();
        assignStages();
        if (m_draw.chance(0.7)) becomeSequential();
        return std::move(m_model);
    }

private:
    std::string policy()
    {
        return m_draw.chance(0.9) ? m_wishes.policy
                                  : m_draw.of({std::string("float32"), std::string("float16"), std::string("mixed_float16")});
    }
    std::string freeName(std::string_view className) const { return model::uniqueLayerName(m_model, className); }

    std::vector<std::size_t> unread() const
    {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < m_tensors.size(); ++i)
            if (!m_tensors[i].read && !m_tensors[i].further) all.push_back(i);
        return all;
    }

    /// The model with what nothing reads as its outputs.
    Result<model::ResolvedModel> resolved(model::Model &model, std::vector<TensorRef> const &extra,
                                          std::vector<std::size_t> const &taken) const
    {
        model.outputs = extra;
        for (auto const i : unread())
            if (std::ranges::find(taken, i) == taken.end()) model.outputs.push_back(m_tensors[i].ref);
        return model::resolve(model);
    }

    /// Adds a layer to the model if the whole still resolves and is small.
    bool add(LayerSpec const &spec, Json config, std::vector<std::size_t> const &inputs)
    {
        if (!config.contains("dtype")) config["dtype"] = policy();
        auto trial = m_model;
        auto layer = model::makeLayer(spec.className, freeName(spec.className), std::move(config));
        model::Call call;
        for (auto const i : inputs) call.inputs.push_back(m_tensors[i].ref);
        layer.calls = {call};
        auto const name = layer.name;
        bool const isInput = spec.maxInputs == 0;
        if (!model::checkLayer(layer).ok()) return false;
        int const outputs = model::outputsOf(layer);
        trial.layers.push_back(std::move(layer));
        if (isInput) trial.inputs.push_back({name, 0, 0});
        return keep(std::move(trial), name, 0, outputs, inputs, isInput);
    }

    bool keep(model::Model trial, std::string const &name, int node, int outputs, std::vector<std::size_t> const &inputs, bool isInput)
    {
        auto const whole = resolved(trial, {{name, node, 0}}, inputs);
        if (!whole.ok()) return false;
        if (!model::initialWeights(*whole, 1).ok()) return false; // an initializer that does not take the shape
        double multiplyAdds = 0;
        Tensor made;
        for (auto const &call : whole->calls) {
            multiplyAdds += call.multiplyAdds;
            if (elementCount(call.shape) / call.shape.front() > kLargestTensor) return false;
            if (whole->layers[call.layer].layer.name == name && call.node == node && call.tensor == 0)
                made = {{name, node, 0}, call.shape, call.dtype, call.masked, false, isInput, false};
        }
        if (multiplyAdds > kMostMultiplyAdds || whole->parameters() > kMostParameters || made.shape.empty()) return false;
        m_model = std::move(trial);
        for (auto const i : inputs) m_tensors[i].read = true;
        m_tensors.push_back(made);
        auto const *layer = m_model.find(name);
        auto const *spec = model::findLayerSpec(layer->className);
        // States may stay unread; the second direction of a Bidirectional may not: its weights would have no gradient.
        bool const stateOnly = layer->className != "Bidirectional";
        for (int i = 1; i < outputs && spec->furtherShape; ++i)
            m_tensors.push_back(
                {{name, node, i}, spec->furtherShape(*layer, made.shape, i), made.dtype, made.masked, false, false, stateOnly});
        return true;
    }

    bool addInput(Shape sample, std::string const &dtype)
    {
        Json shape = Json::array({nullptr});
        for (auto const extent : sample) shape.push_back(extent);
        return add(*model::findLayerSpec("InputLayer"), {{"batch_input_shape", shape}, {"dtype", dtype}}, {});
    }
    std::string inputType() { return m_wishes.policy == "float16" ? "float16" : "float32"; }
    std::size_t last() const { return m_tensors.size() - 1; }

    Shape drawSample()
    {
        auto const rank = m_draw.between(1, 5);
        Shape sample;
        for (int i = 0; i < rank; ++i)
            sample.push_back(rank == 1 ? drawSize(m_draw) : m_draw.between(1, rank == 2 ? 12 : rank == 3 ? 7 : rank == 4 ? 5 : 3));
        return sample;
    }

    /// A tensor to go on from: mostly one that nothing reads yet.
    std::optional<std::size_t> someTensor()
    {
        if (m_tensors.empty()) return {};
        auto const open = unread();
        if (!open.empty() && m_draw.chance(0.85)) return m_draw.of(open);
        return static_cast<std::size_t>(m_draw.between(0, std::ssize(m_tensors) - 1));
    }
    /// A tensor of another shape, so that a class that takes another rank finds one.
    std::optional<std::size_t> otherShape(bool indices)
    {
        if (indices || (m_model.inputs.size() < kMostInputs && (m_tensors.empty() || m_draw.chance(0.4)))) {
            Shape const sample = indices ? Shape{m_draw.between(1, 8)} : drawSample();
            if (addInput(sample, indices ? "int32" : inputType())) return last();
            if (indices) return {};
        }
        auto const from = someTensor();
        if (!from) return {};
        auto const &shape = m_tensors[*from].shape;
        auto const extents = drawFactors(m_draw, elementCount(shape) / shape.front(), static_cast<std::size_t>(m_draw.between(1, 4)));
        if (!add(*model::findLayerSpec("Reshape"), {{"target_shape", extents}}, {*from})) return {};
        return last();
    }
    /// An operand beside the first: of its shape or of one that shares extents with it.
    std::size_t besides(std::size_t first)
    {
        std::vector<std::size_t> same, ranks;
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            if (m_tensors[i].shape == m_tensors[first].shape) same.push_back(i);
            if (m_tensors[i].shape.size() == m_tensors[first].shape.size()) ranks.push_back(i);
        }
        if (m_draw.chance(0.3)) return m_draw.of(ranks);
        if (same.size() == 1 && m_model.inputs.size() < kMostInputs && m_draw.chance(0.5)) {
            Shape sample(m_tensors[first].shape.begin() + 1, m_tensors[first].shape.end());
            // Merges broadcast.
            if (m_draw.chance(0.3))
                for (auto &extent : sample)
                    if (m_draw.chance(0.5)) extent = 1;
            if (addInput(sample, inputType())) return last();
        }
        return m_draw.of(same);
    }

    /// One layer of the class, with what it needs in front of it.
    bool place(LayerSpec const &spec)
    {
        if (spec.maxInputs == 0) return m_model.inputs.size() < kMostInputs && addInput(drawSample(), inputType());
        for (int attempt = 0; attempt < 40; ++attempt) {
            auto const before = m_model;
            auto const tensorsBefore = m_tensors;
            auto const first = attempt < 6 && !spec.takesIndices ? someTensor() : otherShape(spec.takesIndices);
            if (first) {
                std::vector<std::size_t> inputs{*first};
                auto const most = std::min(spec.maxInputs, spec.minInputs + 2);
                bool const state = spec.category == "Recurrent";
                auto const count = state && !m_draw.chance(0.2) ? 1 : state ? spec.maxInputs : m_draw.between(spec.minInputs, most);
                ArgumentPlace argument{.className = spec.className, .replicated = m_wishes.replicated};
                argument.policy = policy();
                auto config = Json::object();
                if (state && count > 1) { // an initial state has as many features as the layer has units
                    auto const units = m_draw.between(1, 6);
                    for (int i = 1; i < count; ++i)
                        if (addInput({units}, inputType())) inputs.push_back(last());
                    config["units"] = units;
                }
                while (std::ssize(inputs) < count) inputs.push_back(besides(*first));
                for (auto const i : inputs) argument.inputs.push_back(m_tensors[i].shape);
                auto drawn = drawConfig(m_draw, spec.params, argument);
                drawn.update(config);
                drawn["dtype"] = argument.policy;
                if (m_draw.chance(0.04)) drawn["trainable"] = false;
                if (add(spec, std::move(drawn), inputs)) return true;
            }
            m_model = before;
            m_tensors = tensorsBefore;
        }
        return false;
    }

    /// Calls a layer that is there once more: shared weights.
    bool callAgain()
    {
        auto const from = someTensor();
        if (!from) return false;
        std::vector<std::string> names;
        for (auto const &layer : m_model.layers)
            if (layer.calls.size() == 1 && layer.calls[0].inputs.size() == 1) names.push_back(layer.name);
        if (names.empty()) return false;
        auto const name = m_draw.of(names);
        auto trial = m_model;
        auto *layer = trial.find(name);
        model::Call call;
        call.inputs.push_back(m_tensors[*from].ref);
        layer->calls.push_back(call);
        return keep(std::move(trial), name, 1, 1, {*from}, false);
    }

    bool withUnits(std::size_t from, std::int64_t units, std::string const &activation)
    {
        return add(*model::findLayerSpec("Dense"), {{"units", units}, {"activation", activation}}, {from});
    }
    /// The tensor as one row of features.
    std::optional<std::size_t> flat(std::size_t from)
    {
        if (m_tensors[from].masked) {
            if (!add(*model::findLayerSpec("GRU"), {{"units", m_draw.between(1, 5)}}, {from})) return {};
            return last();
        }
        if (m_tensors[from].shape.size() == 2) return from;
        if (!add(*model::findLayerSpec("Flatten"), Json::object(), {from})) return {};
        return last();
    }
    void join(std::vector<std::size_t> const &open)
    {
        std::vector<std::size_t> rows;
        for (auto const i : open)
            if (auto const row = flat(i)) rows.push_back(*row);
        if (rows.size() > 1) add(*model::findLayerSpec("Concatenate"), Json::object(), rows);
    }
    void finish()
    {
        if (m_tensors.empty()) addInput(drawSample(), inputType());
        std::size_t const outputs = m_draw.chance(0.2) ? 2 : 1;
        if (unread().size() > outputs) {
            auto open = unread();
            open.resize(open.size() - (outputs - 1));
            join(open);
        }
        auto const weights = [&] {
            auto trial = m_model;
            auto const whole = resolved(trial, {}, {});
            return whole.ok() && whole->trainableParameters() > 0;
        };
        auto const open = unread();
        for (std::size_t k = 0; k < open.size(); ++k) {
            auto i = open[k];
            auto const &tensor = m_tensors[i];
            bool const classes = k == 0 && m_wishes.needsClasses && tensor.shape.back() < 2;
            bool const large = elementCount(tensor.shape) / tensor.shape.front() > 200;
            bool const bare = tensor.isInput || tensor.dtype == DType::I32 || tensor.dtype == DType::U8;
            bool const positive = k == 0 && m_wishes.positive;
            if (!classes && !large && !bare && !positive && !(k == 0 && !weights()) && m_draw.chance(0.5)) continue;
            if (large || m_draw.chance(0.5))
                if (auto const row = flat(i)) i = *row;
            auto const activation = positive
                ? m_draw.of({std::string("softmax"), std::string("sigmoid"), std::string("softplus")})
                : m_draw.of({std::string("linear"), std::string("softmax"), std::string("sigmoid"), std::string("tanh")});
            withUnits(i, m_draw.between(m_wishes.needsClasses ? 2 : 1, 6), activation);
        }
        m_model.outputs.clear();
        for (auto const i : unread()) m_model.outputs.push_back(m_tensors[i].ref);
    }

    void assignStages()
    {
        if (m_wishes.stages < 2) return;
        std::vector<Layer *> layers;
        for (auto &layer : m_model.layers)
            if (layer.className != "InputLayer") layers.push_back(&layer);
        auto const count = std::ssize(layers);
        auto const stages = std::min<std::int64_t>(m_wishes.stages, count);
        if (stages < 2) return;
        std::vector<std::int64_t> cuts; // the first layer of each further stage
        while (std::ssize(cuts) < stages - 1) {
            auto const at = m_draw.between(1, count - 1);
            if (std::ranges::find(cuts, at) == cuts.end()) cuts.push_back(at);
        }
        for (std::int64_t i = 0; i < count; ++i)
            layers[static_cast<std::size_t>(i)]->stage =
                static_cast<int>(std::ranges::count_if(cuts, [&](std::int64_t at) { return at <= i; }));
    }

    /// A chain as Keras's Sequential.
    void becomeSequential()
    {
        if (m_model.inputs.size() != 1 || m_model.outputs.size() != 1 || m_model.outputs[0].tensor != 0) return;
        for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
            auto const &layer = m_model.layers[i];
            if (layer.calls.size() != 1 || (i == 0) != layer.calls[0].inputs.empty() || layer.calls[0].inputs.size() > 1) return;
            if (i > 0 && (layer.calls[0].inputs[0].layer != m_model.layers[i - 1].name || layer.calls[0].inputs[0].tensor != 0)) return;
            if (model::outputsOf(layer) != 1) return;
        }
        m_model.kind = model::ModelKind::Sequential;
        m_model.inputs.clear();
        m_model.outputs.clear();
        for (auto &layer : m_model.layers) layer.calls.clear();
    }

    Draw &m_draw;
    ModelWishes const &m_wishes;
    model::Model m_model;
    std::vector<Tensor> m_tensors;
};

} // namespace

model::Model drawModel(Draw &draw, ModelWishes const &wishes) { return ModelDraw(draw, wishes).draw(); }

std::int64_t indexBound(model::Model const &model)
{
    std::int64_t bound = 0;
    for (auto const &layer : model.layers)
        if (layer.className == "Embedding") bound = bound == 0 ? layer.integer("input_dim") : std::min(bound, layer.integer("input_dim"));
    return bound == 0 ? 2 : bound;
}

} // namespace tilewright::random_models
