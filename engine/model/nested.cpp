#include "engine/model/nested.h"

#include "engine/core/text.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tilewright::model {

namespace {

constexpr std::size_t kMostCalls = 100'000;

Diagnostic invalid(char const *code, std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, code, std::move(subject), std::move(message), std::move(remedy));
}

bool isModel(Layer const &layer) { return isModelClass(layer.className) && layer.config.contains("layers"); }

/// TimeDistributed over a model.
bool distributesModel(Layer const &layer)
{
    if (layer.className != "TimeDistributed") return false;
    auto const it = layer.config.find("layer");
    if (it == layer.config.end() || !it->is_object() || !it->contains("config") || !(*it)["config"].is_object()) return false;
    auto const name = it->find("class_name");
    return name != it->end() && name->is_string() && isModelClass(name->get<std::string>()) && (*it)["config"].contains("layers");
}

bool isNested(Layer const &layer) { return isModel(layer) || distributesModel(layer); }

bool isElementwiseMerge(Layer const &layer)
{
    for (auto const *name : {"Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"})
        if (layer.className == name) return true;
    return false;
}

/// Merges work on whole sequences as on steps, if the ranks of their inputs agree: a concatenation's axis moves by one.
Status mergeSequences(Layer &merge, ResolvedModel const &resolved, std::string const &wrapper)
{
    std::size_t rank = 0;
    for (auto const &call : resolved.calls) {
        if (resolved.layerOf(static_cast<std::size_t>(&call - resolved.calls.data())).layer.name != merge.name) continue;
        rank = call.shape.size();
        for (auto const from : call.inputs)
            if (resolved.calls[from].shape.size() != rank)
                return invalid(
                    "model.unsupported", wrapper,
                    Message::of("layer '%1' of the model inside merges inputs of different ranks, which cannot be applied to each step",
                                merge.name),
                    Message::of("give its inputs equal ranks (Reshape, RepeatVector)"));
    }
    if (merge.className == "Concatenate" && merge.integer("axis") > 0) merge.config["axis"] = merge.integer("axis") + 1;
    return {};
}

/// A model that is applied to each step becomes its layers, each of them applied to each step.
Status distribute(Model &model, std::string const &wrapper)
{
    bool const merges =
        std::ranges::any_of(model.layers, [](Layer const &layer) { return isElementwiseMerge(layer) || layer.className == "Concatenate"; });
    ResolvedModel resolved;
    if (merges) { TW_ASSIGN(resolved, resolve(model)); }
    for (auto &layer : model.layers) {
        if (layer.className == "InputLayer") continue;
        if (isElementwiseMerge(layer) || layer.className == "Concatenate") {
            TW_TRY(mergeSequences(layer, resolved, wrapper));
            continue;
        }
        Json config{{"layer", insideJson(layer)}};
        for (auto const *key : {"trainable", "dtype"})
            if (layer.config.contains(key)) config[key] = layer.config[key];
        layer.className = "TimeDistributed";
        layer.config = std::move(config);
    }
    return {};
}

/// A model seen from outside: layers with calls. A reference without a layer's name is the input of that number.
struct Part {
    std::vector<Layer> layers;
    std::vector<TensorRef> outputs;
    std::size_t inputs = 1;
};

TensorRef inputRef(std::size_t number) { return {"", 0, static_cast<int>(number)}; }

Part partOf(Model model)
{
    Part part;
    if (model.kind == ModelKind::Sequential) {
        TensorRef last = inputRef(0);
        for (auto &layer : model.layers) {
            if (layer.className == "InputLayer") continue;
            layer.calls = {Call{{last}, Json::object(), -1}};
            last = {layer.name, 0, 0};
            part.layers.push_back(std::move(layer));
        }
        part.outputs = {last};
        return part;
    }
    part.inputs = model.inputs.size();
    auto const outward = [&](TensorRef ref) {
        auto const it = std::ranges::find(model.inputs, ref.layer, &TensorRef::layer);
        return it == model.inputs.end() ? ref : inputRef(static_cast<std::size_t>(it - model.inputs.begin()));
    };
    for (auto const &ref : model.outputs) part.outputs.push_back(outward(ref));
    for (auto &layer : model.layers) {
        if (layer.className == "InputLayer") continue;
        for (auto &call : layer.calls)
            for (auto &ref : call.inputs) ref = outward(ref);
        part.layers.push_back(std::move(layer));
    }
    return part;
}

/// The input layer that a Sequential model's first layer brings along when that is a model.
std::optional<Layer> inputOf(Model const &first)
{
    for (auto const &layer : first.layers)
        if (layer.className == "InputLayer"
            && (first.kind == ModelKind::Sequential || (first.inputs.size() == 1 && first.inputs[0].layer == layer.name)))
            return Layer{{layer.className, layer.config}, layer.name, {}, -1};
    return std::nullopt;
}

class Unfolding {
public:
    explicit Unfolding(Model &model) : m_model(model) {}

    Result<Model> run()
    {
        // Those of the models too: a layer inside that has the name of a model is not that model.
        for (auto const &layer : m_model.layers) m_names.insert(layer.name);
        std::map<std::string, Model, std::less<>> inside;
        for (auto const &layer : m_model.layers) {
            if (!isNested(layer)) continue;
            TW_ASSIGN(auto model, modelInside(layer));
            inside.emplace(layer.name, std::move(model));
        }
        if (m_model.kind == ModelKind::Sequential) chain(inside);
        for (auto &[name, model] : inside) m_parts.emplace(name, partOf(std::move(model)));
        countCalls();
        Model result = m_model;
        result.layers.clear();
        for (auto const &layer : m_model.layers) {
            if (isNested(layer)) TW_TRY(place(layer, result.layers));
            else result.layers.push_back(layer);
        }
        for (auto &layer : result.layers)
            for (auto &call : layer.calls)
                for (auto &ref : call.inputs) { TW_ASSIGN(ref, resolved(ref, layer.name)); }
        for (auto &ref : result.outputs) { TW_ASSIGN(ref, resolved(ref, "output_layers")); }
        return result;
    }

private:
    static Result<Model> modelInside(Layer const &layer)
    {
        bool const distributed = distributesModel(layer);
        Json config = distributed ? layer.config["layer"]["config"] : layer.config;
        Json const className = distributed ? layer.config["layer"]["class_name"] : Json(layer.className);
        config["name"] = layer.name;
        TW_ASSIGN(auto model, modelFromKeras({{"class_name", className}, {"config", std::move(config)}}, layer.name));
        if (distributed) TW_TRY(distribute(model, layer.name));
        // What a frozen model holds is frozen.
        if (auto const it = layer.config.find("trainable"); it != layer.config.end() && *it == false)
            for (auto &each : model.layers)
                if (each.className != "InputLayer") each.config["trainable"] = false;
        return model;
    }

    /// A Sequential model as a functional one: each layer takes what the one before gives.
    void chain(std::map<std::string, Model, std::less<>> const &inside)
    {
        auto &layers = m_model.layers;
        if (isModel(layers.front()))
            if (auto input = inputOf(inside.at(layers.front().name))) {
                m_names.insert(input->name);
                layers.insert(layers.begin(), std::move(*input));
            }
        if (layers.front().className != "InputLayer") normalizeModel(m_model);
        if (layers.front().className != "InputLayer") return; // without a shape: the checks of the result say so
        m_model.kind = ModelKind::Functional;
        m_model.inputs = {{layers.front().name, 0, 0}};
        for (std::size_t i = 1; i < layers.size(); ++i) {
            bool const model = isModel(layers[i - 1]); // whose calls are counted from 1
            layers[i].calls = {Call{{{layers[i - 1].name, model ? 1 : 0, 0}}, Json::object(), -1}};
        }
        m_model.outputs = {{layers.back().name, isModel(layers.back()) ? 1 : 0, 0}};
    }

    /// Keras counts the calls of a nested model that begins with an input from 1, its own building being call 0 (Keras 2.6,
    /// engine/functional, _should_skip_first_node); those of a Sequential model built by its first call from 0. The lowest
    /// call that is referred to tells which.
    void countCalls()
    {
        for (auto const &layer : m_model.layers)
            if (isNested(layer)) m_countedFrom[layer.name] = isModel(layer) ? 1 : 0;
        auto const see = [&](TensorRef const &ref) {
            if (ref.node < 1 && m_parts.contains(ref.layer)) m_countedFrom[ref.layer] = 0;
        };
        for (auto const &layer : m_model.layers)
            for (auto const &call : layer.calls)
                for (auto const &ref : call.inputs) see(ref);
        for (auto const &ref : m_model.outputs) see(ref);
    }

    /// The layers of a model in the place of the one that it was. References to other models are still as they were.
    Status place(Layer const &model, std::vector<Layer> &to)
    {
        auto const &part = m_parts.at(model.name);
        for (auto const &call : model.calls) {
            if (call.inputs.size() != part.inputs)
                return invalid("model.not-connected", model.name,
                               call.inputs.size() == 1
                                   ? Message::of("a call passes one input to the model, which takes %1", part.inputs)
                                   : Message::of("a call passes %1 inputs to the model, which takes %2", call.inputs.size(), part.inputs),
                               Message::of("connect as many tensors as the model has inputs"));
            if (call.arguments.is_object())
                for (auto const &[key, value] : call.arguments.items())
                    if (!value.is_null())
                        return invalid("model.unsupported", model.name,
                                       Message::of("the call has keyword arguments (%1), which are not supported yet", key),
                                       Message::of("call the layer without keyword arguments"));
        }
        auto &names = m_renamed[model.name];
        for (auto const &layer : part.layers) {
            std::string name = layer.name;
            if (m_names.contains(name)) name = model.name + "_" + name;
            for (int i = 1; m_names.contains(name); ++i) name = model.name + "_" + layer.name + "_" + std::to_string(i);
            m_names.insert(name);
            names.emplace(layer.name, name);
            m_callsOf[name] = layer.calls.size();
        }
        for (auto const &layer : part.layers) {
            Layer placed = layer;
            placed.name = names.at(layer.name);
            placed.within.insert(placed.within.begin(), {model.name, model.className});
            placed.calls.clear();
            if (model.stage >= 0) placed.stage = model.stage;
            m_calls += model.calls.size() * layer.calls.size();
            if (m_calls > kMostCalls)
                return invalid("model.too-large", model.name,
                               Message::of("the models in the model make more than %1 calls of layers", kMostCalls),
                               Message::of("use fewer of them"));
            for (std::size_t c = 0; c < model.calls.size(); ++c)
                for (Call call : layer.calls) {
                    for (auto &ref : call.inputs) { TW_ASSIGN(ref, inCall(model, c, ref)); }
                    if (model.calls[c].stage >= 0) call.stage = model.calls[c].stage;
                    placed.calls.push_back(std::move(call));
                }
            to.push_back(std::move(placed));
        }
        m_layers.emplace(model.name, &model);
        return {};
    }

    /// What a reference inside a model is in its call c.
    Result<TensorRef> inCall(Layer const &model, std::size_t c, TensorRef const &ref) const
    {
        if (ref.layer.empty()) return model.calls[c].inputs[static_cast<std::size_t>(ref.tensor)];
        auto const &names = m_renamed.at(model.name);
        auto const it = names.find(ref.layer);
        if (it == names.end() || ref.node < 0 || ref.node >= static_cast<int>(m_callsOf.at(it->second)))
            return invalid("model.not-connected", model.name,
                           Message::of("inside the model something takes call %1 of a layer '%2' that is not there", ref.node, ref.layer),
                           Message::of("connect it to one of its layers"));
        return TensorRef{it->second, static_cast<int>(c * m_callsOf.at(it->second)) + ref.node, ref.tensor};
    }

    /// Through all models that stand between.
    Result<TensorRef> resolved(TensorRef ref, std::string const &user) const
    {
        for (std::size_t hops = 0; m_parts.contains(ref.layer); ++hops) {
            auto const &part = m_parts.at(ref.layer);
            Layer const &model = *m_layers.at(ref.layer);
            auto const c = static_cast<std::int64_t>(ref.node) - m_countedFrom.at(ref.layer);
            if (c < 0 || c >= static_cast<std::int64_t>(model.calls.size()) || ref.tensor < 0
                || ref.tensor >= static_cast<int>(part.outputs.size()))
                return invalid("model.not-connected", user,
                               Message::of("there is no output %1 of call %2 of '%3'", ref.tensor, ref.node, ref.layer),
                               Message::of("connect it to an output that exists"));
            if (hops > kMostCalls)
                return invalid("model.cycle", user, Message::of("models that only hand on their inputs feed each other"),
                               Message::of("break the cycle"));
            TW_ASSIGN(ref, inCall(model, static_cast<std::size_t>(c), part.outputs[static_cast<std::size_t>(ref.tensor)]));
        }
        return ref;
    }

    Model &m_model;
    std::map<std::string, Part, std::less<>> m_parts; ///< by the model's name, as are the next three
    std::map<std::string, Layer const *, std::less<>> m_layers;
    std::map<std::string, int, std::less<>> m_countedFrom;
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> m_renamed;
    std::map<std::string, std::size_t, std::less<>> m_callsOf; ///< inside its model, by a placed layer's name
    std::set<std::string, std::less<>> m_names;
    std::size_t m_calls = 0;
};

} // namespace

bool isModelClass(std::string_view className) { return className == "Sequential" || className == "Functional" || className == "Model"; }

Result<Model> unfolded(Model model)
{
    if (std::ranges::none_of(model.layers, isNested)) return model;
    return Unfolding(model).run();
}

} // namespace tilewright::model
