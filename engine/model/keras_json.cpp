#include "engine/model/keras_json.h"

#include "engine/core/text.h"
#include "engine/model/layer_spec.h"
#include "engine/model/names.h"
#include "engine/model/nested.h"
#include "engine/model/resolve.h"
#include "engine/model/topology.h"

#include <algorithm>
#include <set>

namespace tilewright::model {

namespace {

/// Ours, beside Keras's own: [["encoder", "Sequential"]].
constexpr char kWithin[] = "within";

Diagnostic malformed(std::string subject, Message message, Message remedy = Message::of("give the text that Keras's to_json writes"))
{
    return makeError(ErrorKind::Invalid, "model.format", std::move(subject), std::move(message), std::move(remedy));
}

std::string textMember(Json const &object, char const *key)
{
    auto const it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Result<int> smallInteger(Json const &value, std::string const &subject)
{
    if (!value.is_number_integer() || value.get<double>() < -1.0 || value.get<double>() > 1e6)
        return malformed(subject,
                         Message::of("an index is %1, not a small integer", value.dump(-1, ' ', true, Json::error_handler_t::replace)));
    return static_cast<int>(value.get<std::int64_t>());
}

/// ["dense", 0, 0] with an optional fourth element: keyword arguments.
Result<TensorRef> refFrom(Json const &json, std::string const &subject, Json *arguments)
{
    if (!json.is_array() || json.empty() || json.size() > 4 || !json[0].is_string())
        return malformed(subject, Message::of("a reference to a layer's output is not of the form [\"layer\", 0, 0]"));
    TensorRef ref;
    ref.layer = json[0].get<std::string>();
    if (json.size() > 1) { TW_ASSIGN(ref.node, smallInteger(json[1], subject)); }
    if (json.size() > 2) { TW_ASSIGN(ref.tensor, smallInteger(json[2], subject)); }
    if (json.size() > 3 && arguments && json[3].is_object())
        for (auto const &[key, value] : json[3].items()) (*arguments)[key] = value;
    return ref;
}

/// A list of references, or a single one.
Result<std::vector<TensorRef>> refsFrom(Json const &json, std::string const &subject, Json *arguments)
{
    std::vector<TensorRef> refs;
    if (!json.is_array()) return malformed(subject, Message::of("a list of references to layers is missing"));
    if (!json.empty() && json[0].is_string()) {
        TW_ASSIGN(TensorRef ref, refFrom(json, subject, arguments));
        refs.push_back(std::move(ref));
        return refs;
    }
    for (auto const &item : json) {
        TW_ASSIGN(TensorRef ref, refFrom(item, subject, arguments));
        refs.push_back(std::move(ref));
    }
    return refs;
}

/// Inputs that Keras passes as keyword arguments become inputs like the first: MultiHeadAttention's value, key and mask. One that
/// is left out before another is what stands before it: the key is the value. What an argument of a call says by its absence is dropped.
Status takeKeywordInputs(LayerSpec const &spec, Call &call, std::string const &subject)
{
    for (auto it = call.arguments.begin(); it != call.arguments.end();) {
        bool const idle = it->is_null() || ((it.key() == "return_attention_scores" || it.key() == "use_causal_mask") && *it == false);
        it = idle ? call.arguments.erase(it) : std::next(it);
    }
    for (std::size_t i = 0; i < spec.keywordInputs.size(); ++i) {
        if (call.inputs.size() != i + 1) continue;
        auto const it = call.arguments.find(spec.keywordInputs[i]);
        bool const later = std::any_of(spec.keywordInputs.begin() + static_cast<std::ptrdiff_t>(i), spec.keywordInputs.end(),
                                       [&](std::string const &name) { return call.arguments.contains(name); });
        if (it == call.arguments.end()) {
            if (i > 0 && later) call.inputs.push_back(call.inputs.back());
            continue;
        }
        TW_ASSIGN(TensorRef ref, refFrom(*it, subject, nullptr));
        call.inputs.push_back(std::move(ref));
        call.arguments.erase(it);
    }
    return {};
}

/// Keras 3: {"class_name": "__keras_tensor__", "config": {"keras_history": ["dense", 0, 0]}}.
Json const *historyOf(Json const &json)
{
    if (!json.is_object() || textMember(json, "class_name") != "__keras_tensor__") return nullptr;
    auto const config = json.find("config");
    if (config == json.end() || !config->is_object()) return nullptr;
    auto const history = config->find("keras_history");
    return history == config->end() ? nullptr : &*history;
}

/// Every tensor in `json`, which is one or nested lists of them. Other values are refused.
Status takeTensors(Json const &json, std::string const &subject, std::vector<TensorRef> &to)
{
    if (auto const *history = historyOf(json)) {
        TW_ASSIGN(TensorRef ref, refFrom(*history, subject, nullptr));
        to.push_back(std::move(ref));
        return {};
    }
    if (!json.is_array()) return malformed(subject, Message::of("an argument of a call is neither a tensor nor a list of tensors"));
    for (auto const &item : json) TW_TRY(takeTensors(item, subject, to));
    return {};
}

bool holdsTensor(Json const &json)
{
    if (historyOf(json)) return true;
    return json.is_array() && std::ranges::any_of(json, holdsTensor);
}

/// A call as Keras 3 writes it: {"args": [tensor, …], "kwargs": {…}}. Inputs that a class takes by keyword become references, as Keras 2
/// writes them; an initial state follows the input.
Result<Call> callFromObject(Json const &json, std::string const &subject, LayerSpec const *spec)
{
    Call call;
    auto const args = json.find("args");
    if (args == json.end() || !args->is_array()) return malformed(subject, Message::of("a call in inbound_nodes has no list args"));
    for (auto const &argument : *args) {
        if (argument.is_null()) continue; // an optional tensor that was not given
        TW_TRY(takeTensors(argument, subject, call.inputs));
    }
    auto const kwargs = json.find("kwargs");
    if (kwargs == json.end() || !kwargs->is_object()) return call;
    for (auto const &[key, value] : kwargs->items()) {
        if (value.is_null() || (key == "training" && value.is_boolean())) continue;
        bool const isInput = spec && std::ranges::find(spec->keywordInputs, key) != spec->keywordInputs.end();
        if (auto const *history = historyOf(value); history && isInput) {
            call.arguments[key] = *history;
        } else if (key == "initial_state" && holdsTensor(value)) {
            TW_TRY(takeTensors(value, subject, call.inputs));
        } else {
            call.arguments[key] = holdsTensor(value) ? Json("a tensor") : value;
        }
    }
    return call;
}

Result<std::vector<Call>> callsFrom(Json const &json, std::string const &subject, LayerSpec const *spec)
{
    std::vector<Call> calls;
    if (!json.is_array()) return malformed(subject, Message::of("inbound_nodes is not a list"));
    for (auto const &item : json) {
        Call call;
        if (item.is_object()) {
            TW_ASSIGN(call, callFromObject(item, subject, spec));
        } else {
            TW_ASSIGN(call.inputs, refsFrom(item, subject, &call.arguments));
        }
        if (spec) TW_TRY(takeKeywordInputs(*spec, call, subject));
        calls.push_back(std::move(call));
    }
    return calls;
}

Status stagesFrom(Json const &json, Layer &layer)
{
    if (json.is_number_integer()) {
        TW_ASSIGN(layer.stage, smallInteger(json, layer.name));
        return {};
    }
    if (!json.is_array() || json.size() != layer.calls.size())
        return malformed(layer.name, Message::of("pipeline_stage is neither a number nor a list with one number per call"),
                         Message::of("give one stage per call of the layer"));
    for (std::size_t i = 0; i < json.size(); ++i) { TW_ASSIGN(layer.calls[i].stage, smallInteger(json[i], layer.name)); }
    return {};
}

Result<Layer> layerFrom(Json const &json, std::size_t index, bool functional)
{
    std::string const place = "layer " + std::to_string(index);
    if (!json.is_object()) return malformed(place, Message::of("a layer is not an object"));
    Layer layer;
    layer.className = textMember(json, "class_name");
    if (layer.className.empty()) return malformed(place, Message::of("a layer has no class_name"));
    if (auto const it = json.find("config"); it != json.end() && it->is_object()) layer.config = *it;
    else if (it != json.end() && it->is_array()) layer.config = Json{{"layers", *it}}; // a nested Sequential of old
    else return malformed(place, Message::of("a layer of class %1 has no config", layer.className));
    layer.name = textMember(json, "name");
    if (layer.name.empty()) layer.name = textMember(layer.config, "name");
    layer.config.erase("name");
    if (functional) {
        auto const it = json.find("inbound_nodes");
        if (it == json.end()) return malformed(layer.name.empty() ? place : layer.name, Message::of("the layer has no inbound_nodes"));
        TW_ASSIGN(layer.calls, callsFrom(*it, layer.name.empty() ? place : layer.name, findLayerSpec(layer.className)));
    }
    if (auto const it = json.find("pipeline_stage"); it != json.end()) TW_TRY(stagesFrom(*it, layer));
    if (auto const it = json.find(kWithin); it != json.end() && it->is_array())
        for (auto const &model : *it)
            if (model.is_array() && model.size() == 2 && model[0].is_string() && model[1].is_string())
                layer.within.push_back({model[0], model[1]});
    return layer;
}

OrderedJson layerConfig(Layer const &layer)
{
    OrderedJson config = OrderedJson::object();
    auto const *spec = findLayerSpec(layer.className);
    auto const copy = [&](char const *key) {
        if (layer.config.contains(key)) config[key] = OrderedJson(layer.config[key]);
    };
    if (layer.className == "InputLayer") {
        copy("batch_input_shape");
    } else {
        config["name"] = layer.name;
        copy("trainable");
        copy("batch_input_shape");
    }
    OrderedJson const rest = spec ? orderedConfig(layerParams(*spec), layer.config) : OrderedJson(layer.config);
    for (auto const &[key, value] : rest.items())
        if (!config.contains(key)) config[key] = value;
    if (layer.className == "InputLayer") config["name"] = layer.name;
    return config;
}

OrderedJson refJson(TensorRef const &ref) { return OrderedJson::array({ref.layer, ref.node, ref.tensor}); }

OrderedJson refsJson(std::vector<TensorRef> const &refs)
{
    OrderedJson list = OrderedJson::array();
    for (auto const &ref : refs) list.push_back(refJson(ref));
    return list;
}

OrderedJson callsJson(Layer const &layer)
{
    OrderedJson calls = OrderedJson::array();
    for (auto const &call : layer.calls) {
        OrderedJson node = OrderedJson::array();
        auto const *spec = findLayerSpec(layer.className);
        std::size_t const listed = spec && !spec->keywordInputs.empty() ? std::min<std::size_t>(1, call.inputs.size()) : call.inputs.size();
        for (std::size_t i = 0; i < listed; ++i) {
            OrderedJson ref = refJson(call.inputs[i]);
            // Keras hangs the keyword arguments onto the references; all on the first one is equivalent.
            OrderedJson arguments = i == 0 && call.arguments.is_object() ? OrderedJson(call.arguments) : OrderedJson::object();
            for (std::size_t k = listed; i == 0 && k < call.inputs.size() && k <= spec->keywordInputs.size(); ++k)
                arguments[spec->keywordInputs[k - 1]] = refJson(call.inputs[k]);
            ref.push_back(std::move(arguments));
            node.push_back(std::move(ref));
        }
        calls.push_back(std::move(node));
    }
    return calls;
}

void addStages(Layer const &layer, OrderedJson &entry)
{
    bool perCall = false;
    for (auto const &call : layer.calls) perCall = perCall || call.stage >= 0;
    if (!perCall) {
        if (layer.stage >= 0) entry["pipeline_stage"] = layer.stage;
        return;
    }
    OrderedJson list = OrderedJson::array();
    for (auto const &call : layer.calls) list.push_back(call.stage >= 0 ? call.stage : layer.stage);
    entry["pipeline_stage"] = std::move(list);
}

/// As Keras's loading does: layers by depth. Leaves the order alone where the graph is not sound yet.
void orderLikeKeras(Model &model)
{
    if (model.kind != ModelKind::Functional) return;
    auto const topology = topologyOf(model);
    if (!topology.ok()) return;
    std::vector<std::size_t> order = topology->layerOrder;
    order.insert(order.end(), topology->unused.begin(), topology->unused.end());
    std::vector<Layer> layers;
    for (auto const index : order) layers.push_back(std::move(model.layers[index]));
    model.layers = std::move(layers);
}

} // namespace

Result<Json> kerasDocument(std::string_view text, std::string const &subject)
{
    TW_ASSIGN(Json json, parseJson(text, subject));
    if (json.is_string()) { TW_ASSIGN(json, parseJson(json.get<std::string>(), subject)); }
    TW_TRY(checkNames(json));
    return json;
}

Result<Model> parseKerasJson(std::string_view text, std::string const &subject)
{
    TW_ASSIGN(auto const json, kerasDocument(text, subject));
    return modelFromKeras(json, subject);
}

Status closeInput(Model &model, std::string const &input, std::vector<std::int64_t> const &sizes)
{
    std::vector<std::string> open;
    for (auto &layer : model.layers) {
        auto const shape = layer.config.find("batch_input_shape");
        if (layer.className != "InputLayer" || shape == layer.config.end() || !shape->is_array()) continue;
        std::vector<std::size_t> axes;
        for (std::size_t i = 1; i < shape->size(); ++i)
            if ((*shape)[i].is_null()) axes.push_back(i);
        if (!axes.empty()) open.push_back(layer.name);
        if (layer.name != input) continue;
        if (axes.empty())
            return makeError(ErrorKind::Invalid, "model.no-open-axis", input,
                             Message::of("the input has no axis of open size: %1", shape->dump()), Message::of("leave --size out for it"));
        if (sizes.size() != 1 && sizes.size() != axes.size())
            return makeError(ErrorKind::Invalid, "model.no-open-axis", input,
                             Message::of("%1 sizes are given for the %2 open axes of %3", sizes.size(), axes.size(), shape->dump()),
                             Message::of("give one size for all of them, or one for each"));
        for (std::size_t i = 0; i < axes.size(); ++i) (*shape)[axes[i]] = sizes[sizes.size() == 1 ? 0 : i];
        return {};
    }
    return makeError(ErrorKind::Invalid, "model.no-layer", input, Message::of("no input layer is named '%1'", input),
                     open.empty() ? Message::of("every input has a size")
                                  : Message::of("inputs with open axes are %1", joinText(open, ", ")));
}

Result<Model> modelFromKeras(Json const &json, std::string const &subject)
{
    if (!json.is_object()) return malformed(subject, Message::of("the model is not a JSON object"));
    std::string const className = textMember(json, "class_name");
    Model model;
    if (className == "Sequential") model.kind = ModelKind::Sequential;
    else if (className == "Functional" || className == "Model") model.kind = ModelKind::Functional;
    else
        return malformed(subject,
                         className.empty() ? Message::of("the model has no class_name") : Message::of("class_name is '%1'", className),
                         Message::of("class_name must be Sequential, Functional or Model"));
    bool const functional = model.kind == ModelKind::Functional;
    auto const config = json.find("config");
    if (config == json.end()) return malformed(subject, Message::of("the model has no config"));
    // Keras before 2.2.3 wrote a Sequential's config as the bare list of layers.
    Json const *layers = config->is_array() && !functional ? &*config : nullptr;
    model.name = functional ? "model" : "sequential";
    if (config->is_object()) {
        if (auto const name = textMember(*config, "name"); !name.empty()) model.name = name;
        if (auto const it = config->find("layers"); it != config->end()) layers = &*it;
    }
    if (!layers || !layers->is_array()) return malformed(subject, Message::of("the model's config has no list of layers"));
    std::set<std::string> names;
    for (std::size_t i = 0; i < layers->size(); ++i) {
        TW_ASSIGN(Layer layer, layerFrom((*layers)[i], i, functional));
        if (layer.name.empty()) layer.name = uniqueLayerName(model, layer.className);
        if (!names.insert(layer.name).second)
            return makeError(ErrorKind::Invalid, "model.duplicate-name", layer.name, Message::of("two layers are named '%1'", layer.name),
                             Message::of("names of layers must differ"));
        model.layers.push_back(std::move(layer));
    }
    if (functional) {
        for (auto const &[key, refs] : {std::pair{"input_layers", &model.inputs}, std::pair{"output_layers", &model.outputs}}) {
            auto const it = config->find(key);
            if (it == config->end()) return malformed(subject, Message::of("the model's config has no %1", key));
            TW_ASSIGN(*refs, refsFrom(*it, key, nullptr));
        }
    } else if (config->is_object() && !model.layers.empty()) {
        // A Sequential that was built by feeding data says so here instead of in an input layer.
        auto const it = config->find("build_input_shape");
        Layer &first = model.layers.front();
        if (it != config->end() && it->is_array() && first.className != "InputLayer" && !first.config.contains("batch_input_shape"))
            first.config["batch_input_shape"] = *it;
    }
    TW_ASSIGN(model, unfolded(std::move(model)));
    normalizeModel(model);
    orderLikeKeras(model);
    return model;
}

OrderedJson modelToKeras(Model const &model)
{
    Model normal = model;
    normalizeModel(normal);
    bool const functional = model.kind == ModelKind::Functional;
    OrderedJson layers = OrderedJson::array();
    for (auto const &layer : normal.layers) {
        OrderedJson entry = OrderedJson::object();
        entry["class_name"] = layer.className;
        entry["config"] = layerConfig(layer);
        if (functional) {
            entry["name"] = layer.name;
            entry["inbound_nodes"] = callsJson(layer);
        }
        addStages(layer, entry);
        for (auto const &enclosing : layer.within) entry[kWithin].push_back(OrderedJson::array({enclosing.name, enclosing.className}));
        layers.push_back(std::move(entry));
    }
    OrderedJson config = OrderedJson::object();
    config["name"] = model.name;
    config["layers"] = std::move(layers);
    if (functional) {
        config["input_layers"] = refsJson(model.inputs);
        config["output_layers"] = refsJson(model.outputs);
    }
    OrderedJson result = OrderedJson::object();
    result["class_name"] = functional ? "Functional" : "Sequential";
    result["config"] = std::move(config);
    result["keras_version"] = "2.6.0";
    result["backend"] = "tensorflow";
    return result;
}

std::string printKerasJson(Model const &model) { return pythonText(modelToKeras(model)); }

} // namespace tilewright::model
