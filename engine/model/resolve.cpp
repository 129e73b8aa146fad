#include "engine/model/resolve.h"

#include "engine/core/random.h"
#include "engine/model/outline.h"
#include "engine/model/topology.h"

#include <algorithm>

namespace tilewright::model {

namespace {

constexpr double kMostElements = 1e12; ///< of one tensor: keeps every product below 2^63

double elementsOf(Shape const &shape)
{
    double elements = 1.0;
    for (auto const extent : shape) elements *= static_cast<double>(std::max<std::int64_t>(extent, 1));
    return elements;
}

/// The resolution of one model, going on after a broken layer so that all problems are found.
class Resolver {
public:
    explicit Resolver(Model model) : m_model(std::move(model)) { normalizeModel(m_model); }

    void run()
    {
        auto const topology = topologyOf(m_model);
        if (!topology.ok()) {
            problems.push_back(topology.error());
            for (auto const &layer : m_model.layers) // arguments can be judged without the graph
                if (auto const status = checkLayer(layer); !status.ok()) problems.push_back(status.error());
            return;
        }
        result.name = m_model.name;
        result.kind = m_model.kind;
        result.inputs = topology->inputs;
        result.outputs = topology->outputs;
        std::vector<std::size_t> place(m_model.layers.size(), 0);
        for (auto const index : topology->layerOrder) {
            place[index] = result.layers.size();
            auto const &layer = m_model.layers[index];
            result.layers.push_back({layer, findLayerSpec(layer.className), {}, {}});
            auto const status = checkLayer(layer);
            m_good.push_back(status.ok());
            if (!status.ok()) problems.push_back(status.error());
        }
        bool const pipelined = anyStage();
        for (std::size_t i = 0; i < topology->nodes.size(); ++i) {
            auto const &node = topology->nodes[i];
            ResolvedCall call;
            call.layer = place[node.layer];
            call.node = node.node;
            call.tensor = node.tensor;
            call.inputs = node.inputs;
            if (pipelined) call.stage = stageOf(m_model.layers[node.layer], node.node);
            result.calls.push_back(std::move(call));
            if (node.tensor > 0) {
                resolveFurtherOutput(result.calls.back());
                continue;
            }
            result.layers[place[node.layer]].calls.push_back(i);
            resolveCall(result.calls.back());
        }
        for (auto const index : topology->unused)
            problems.push_back(makeWarning("model.unused-layer", m_model.layers[index].name,
                                           Message::of("no output of the model depends on this layer"),
                                           Message::of("connect it towards an output or remove it")));
    }

    ResolvedModel result;
    std::vector<Diagnostic> problems;

private:
    bool anyStage() const
    {
        for (auto const &layer : m_model.layers) {
            if (layer.stage >= 0) return true;
            for (auto const &call : layer.calls)
                if (call.stage >= 0) return true;
        }
        return false;
    }

    static int stageOf(Layer const &layer, int node)
    {
        if (layer.className == "InputLayer") return 0; // inputs enter with the first stage
        auto const index = static_cast<std::size_t>(node);
        if (index < layer.calls.size() && layer.calls[index].stage >= 0) return layer.calls[index].stage;
        return layer.stage;
    }

    void fail(ResolvedCall const &call, Diagnostic diagnostic)
    {
        m_good[call.layer] = false;
        problems.push_back(std::move(diagnostic));
    }

    void resolveFurtherOutput(ResolvedCall &output)
    {
        auto const &call = result.calls[output.inputs[0]];
        auto const &owner = result.layers[output.layer];
        if (call.shape.empty() || !owner.spec || !owner.spec->furtherShape) return; // its own error is reported already
        output.shape = owner.spec->furtherShape(owner.layer, call.shape, output.tensor);
        output.dtype = call.dtype;
        output.masked = call.masked && output.shape.size() == call.shape.size(); // steps count in it too; a state has none
    }

    void resolveCall(ResolvedCall &call)
    {
        ResolvedLayer &owner = result.layers[call.layer];
        if (!m_good[call.layer]) return;
        std::vector<Shape> inputs;
        for (auto const from : call.inputs) {
            if (result.calls[from].shape.empty()) return; // its own error is reported already
            inputs.push_back(result.calls[from].shape);
        }
        auto const &spec = *owner.spec;
        int const count = static_cast<int>(inputs.size());
        if (count < spec.minInputs || count > spec.maxInputs) {
            auto const wanted =
                spec.minInputs == spec.maxInputs ? Message(std::to_string(spec.minInputs)) : Message::of("at least %1", spec.minInputs);
            fail(call,
                 layerError(owner.layer, "model.shape", Message::of("%1 takes %2 inputs but has %3", owner.layer.className, wanted, count),
                            m_model.kind == ModelKind::Sequential
                                ? Message::of("use a functional model: in a Sequential one every layer has one input")
                                : Message::of("connect %1 inputs", wanted)));
            return;
        }
        auto shape = spec.outputShape(owner.layer, inputs);
        if (!shape.ok()) return fail(call, shape.error());
        if (elementsOf(*shape) > kMostElements)
            return fail(call,
                        layerError(owner.layer, "model.too-large", Message::of("output of shape %1 is too large", toText(*shape)),
                                   Message::of("a tensor may have at most 10^12 elements")));
        resolveType(call, owner);
        if (!m_good[call.layer]) return;
        if (!resolveWeights(call, owner, inputs) || !resolveMask(call, owner)) return;
        call.multiplyAdds = spec.multiplyAdds ? spec.multiplyAdds(owner.layer, inputs, *shape) : sampleElements(*shape);
        call.shape = *std::move(shape);
    }

    bool resolveMask(ResolvedCall &call, ResolvedLayer const &owner)
    {
        auto const &spec = *owner.spec;
        std::vector<char> masked;
        for (auto const from : call.inputs) masked.push_back(result.calls[from].masked ? 1 : 0);
        bool const any = std::ranges::find(masked, char(1)) != masked.end();
        if (any && spec.masks == MaskUse::Refuses) {
            fail(call,
                 layerError(
                     owner.layer, "model.mask",
                     Message::of("its input has a mask of the steps that count, and %1 does not support masks", owner.layer.className),
                     Message::of("put a layer that takes the mask (LSTM, GRU, Attention, GlobalAveragePooling1D) before it, or make none: "
                                 "mask_zero false")));
            return false;
        }
        call.masked = spec.masksOutput ? spec.masksOutput(owner.layer, masked) : any && spec.masks == MaskUse::Passes;
        return true;
    }

    void resolveType(ResolvedCall &call, ResolvedLayer const &owner)
    {
        DType const compute = layerTypes(owner.layer).compute;
        if (call.inputs.empty()) {
            call.dtype = compute;
            return;
        }
        bool allIntegers = true;
        for (auto const from : call.inputs) allIntegers = allIntegers && !isFloating(result.calls[from].dtype);
        bool const keep = allIntegers && owner.spec->keepsIntegers;
        call.dtype = keep ? result.calls[call.inputs[0]].dtype : compute;
        if (!keep && !isFloating(compute))
            fail(call,
                 layerError(owner.layer, "model.bad-argument",
                            Message::of("dtype %1 cannot be computed with in %2", std::string(toText(compute)), owner.layer.className),
                            Message::of("use float32 or float16")));
    }

    bool resolveWeights(ResolvedCall const &call, ResolvedLayer &owner, std::vector<Shape> const &inputs)
    {
        if (!owner.spec->weights) return true;
        auto specs = owner.spec->weights(owner.layer, inputs);
        if (!specs.ok()) {
            fail(call, specs.error());
            return false;
        }
        std::vector<ResolvedWeight> weights;
        for (auto &weight : *specs) {
            if (elementsOf(weight.shape) > kMostElements) {
                fail(call,
                     layerError(owner.layer, "model.too-large",
                                Message::of("weight %1 of shape %2 is too large", weight.name, toText(weight.shape)),
                                Message::of("a tensor may have at most 10^12 elements")));
                return false;
            }
            weights.push_back({weight.name, weight.shape, layerTypes(owner.layer).variable, weight.initializer,
                               weight.trainable && owner.layer.flag("trainable"), std::move(weight.regularizer),
                               std::move(weight.constraint)});
        }
        if (call.node != firstNode(owner) && !sameShapes(weights, owner.weights)) {
            fail(call,
                 layerError(
                     owner.layer, "model.shape",
                     Message::of("the shared layer is called with inputs of shape %1, for which its weights do not fit", toText(inputs[0])),
                     Message::of("call a shared layer with equal shapes except for the batch")));
            return false;
        }
        owner.weights = std::move(weights);
        return true;
    }

    int firstNode(ResolvedLayer const &owner) const { return result.calls[owner.calls.front()].node; }

    static bool sameShapes(std::vector<ResolvedWeight> const &a, std::vector<ResolvedWeight> const &b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto const &x, auto const &y) { return x.shape == y.shape; });
    }

    Model m_model;
    std::vector<char> m_good; ///< per resolved layer: no problem found yet
};

} // namespace

std::int64_t ResolvedLayer::parameters() const
{
    std::int64_t count = 0;
    for (auto const &weight : weights) count += elementCount(weight.shape);
    return count;
}

std::int64_t ResolvedLayer::trainableParameters() const
{
    std::int64_t count = 0;
    for (auto const &weight : weights)
        if (weight.trainable) count += elementCount(weight.shape);
    return count;
}

std::string outputName(ResolvedModel const &model, std::size_t index)
{
    auto const layerOf = [&](std::size_t i) { return model.calls[model.outputs[i]].layer; };
    std::size_t before = 0;
    for (std::size_t i = 0; i < index; ++i) before += layerOf(i) == layerOf(index) ? 1 : 0;
    auto const &name = model.layerOf(model.outputs[index]).layer.name;
    return before == 0 ? name : name + "_" + std::to_string(before);
}

std::int64_t ResolvedModel::parameters() const
{
    std::int64_t count = 0;
    for (auto const &layer : layers) count += layer.parameters();
    return count;
}

std::int64_t ResolvedModel::trainableParameters() const
{
    std::int64_t count = 0;
    for (auto const &layer : layers) count += layer.trainableParameters();
    return count;
}

int ResolvedModel::stages() const
{
    int most = -1;
    for (auto const &call : calls) most = std::max(most, call.stage);
    return most + 1;
}

bool ResolvedModel::pipelined() const { return stages() > 0; }

void normalizeModel(Model &model)
{
    for (auto &layer : model.layers) normalizeLayer(layer);
    if (model.kind != ModelKind::Sequential || model.layers.empty()) return;
    Layer const &first = model.layers.front();
    if (first.className == "InputLayer" || !first.config.contains("batch_input_shape")) return;
    Json config{{"batch_input_shape", first.config["batch_input_shape"]}};
    if (first.config.contains("dtype") && first.config["dtype"].is_string()) config["dtype"] = first.config["dtype"];
    std::string name = first.name + "_input";
    while (model.find(name)) name += "_";
    model.layers.insert(model.layers.begin(), makeLayer("InputLayer", name, std::move(config)));
}

Result<ResolvedModel> resolve(Model const &model)
{
    Resolver resolver(model);
    resolver.run();
    for (auto const &problem : resolver.problems)
        if (problem.severity == Severity::Error) return problem;
    return std::move(resolver.result);
}

std::vector<Diagnostic> modelProblems(Model const &model)
{
    Resolver resolver(model);
    resolver.run();
    return std::move(resolver.problems);
}

Outline outlineOf(Model const &model)
{
    Resolver resolver(model);
    resolver.run();
    return {std::move(resolver.result), std::move(resolver.problems)};
}

Result<ResolvedModel> resolveAround(Model const &model)
{
    auto outline = outlineOf(model);
    for (auto const &problem : outline.problems)
        if (problem.severity == Severity::Error && problem.code != "model.placeholder-shape") return problem;
    return std::move(outline.model);
}

std::vector<WeightRef> weightOrder(ResolvedModel const &model)
{
    std::vector<WeightRef> order;
    for (std::size_t layer = 0; layer < model.layers.size(); ++layer)
        for (std::size_t weight = 0; weight < model.layers[layer].weights.size(); ++weight) order.push_back({layer, weight});
    return order;
}

std::string weightPath(ResolvedModel const &model, WeightRef ref)
{
    auto const &layer = model.layers[ref.layer];
    return layer.layer.name + "/" + layer.weights[ref.weight].name;
}

Result<std::vector<std::vector<float>>> initialWeights(ResolvedModel const &model, std::uint64_t seed)
{
    std::vector<std::vector<float>> values;
    auto const order = weightOrder(model);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const &weight = model.layers[order[i].layer].weights[order[i].weight];
        auto drawn = initialize(weight.initializer, weight.shape, deriveSeed(seed, i));
        if (!drawn.ok()) {
            Diagnostic error = drawn.error();
            error.subject = weightPath(model, order[i]);
            return error;
        }
        values.push_back(*std::move(drawn));
    }
    return values;
}

} // namespace tilewright::model
