#include "engine/model/model.h"

#include "engine/core/text.h"
#include "engine/model/layer_spec.h"

#include <algorithm>

namespace tilewright::model {

namespace {

Diagnostic noLayer(Model const &model, std::string const &name)
{
    std::vector<std::string> names;
    for (auto const &layer : model.layers) names.push_back(layer.name);
    return makeError(ErrorKind::Invalid, "model.no-layer", name, Message::of("the model has no layer named '%1'", name),
                     suggestion(name, names));
}

void dropStages(Model &model)
{
    for (auto &layer : model.layers) {
        layer.stage = -1;
        for (auto &call : layer.calls) call.stage = -1;
    }
}

std::string fieldText(Json const &value) { return value.is_string() ? value.get<std::string>() : pythonText(OrderedJson(value)); }

struct FieldPath {
    std::string layer;
    std::string field;
};

/// "layers.NAME.FIELD"; a layer's name may hold dots, so the names of the model decide where it ends.
Result<FieldPath> layerPath(Model const &model, std::string_view path)
{
    std::string_view const rest = path.substr(std::string_view("layers.").size());
    FieldPath best;
    for (auto const &layer : model.layers)
        if (rest.size() > layer.name.size() && rest.starts_with(layer.name) && rest[layer.name.size()] == '.'
            && layer.name.size() >= best.layer.size())
            best = {layer.name, std::string(rest.substr(layer.name.size() + 1))};
    if (!best.field.empty()) return best;
    std::vector<std::string> const parts = splitText(rest, '.');
    if (model.find(parts[0]))
        return makeError(ErrorKind::Invalid, "model.no-field", std::string(path), Message::of("the path ends at the layer"),
                         Message::of("add an argument, like layers.%1.trainable", parts[0]));
    return noLayer(model, parts[0]);
}

std::vector<ParamInfo> fieldsOf(Layer const &layer)
{
    std::vector<ParamInfo> params;
    if (auto const *spec = findLayerSpec(layer.className)) params = layerParams(*spec);
    params.push_back({.name = "name", .type = ParamType::Text, .help = "name of the layer"});
    params.push_back({.name = "stage",
                      .type = ParamType::Int,
                      .defaultJson = "-1",
                      .min = -1,
                      .max = 4095,
                      .help = "stage, which gives the layer its IPU: of a pipeline, or sharded (training.placement); -1: none"});
    return params;
}

Result<ParamInfo> fieldNamed(Layer const &layer, std::string const &field)
{
    auto const params = fieldsOf(layer);
    std::vector<std::string> names;
    for (auto const &param : params) {
        if (param.name == field) return param;
        names.push_back(param.name);
    }
    return makeError(ErrorKind::Invalid, "model.no-field", layer.name,
                     Message::of("layer class %1 has no field named '%2'", layer.className, field), suggestion(field, names));
}

} // namespace

Layer const *Model::find(std::string_view layerName) const
{
    for (auto const &layer : layers)
        if (layer.name == layerName) return &layer;
    return nullptr;
}

Layer *Model::find(std::string_view layerName)
{
    for (auto &layer : layers)
        if (layer.name == layerName) return &layer;
    return nullptr;
}

Layer makeLayer(std::string className, std::string name, Json config)
{
    Layer layer;
    layer.className = std::move(className);
    layer.name = std::move(name);
    layer.config = std::move(config);
    normalizeLayer(layer);
    return layer;
}

Layer makeInput(std::string name, Shape const &shape, std::string const &dtype)
{
    Json extents = Json::array({nullptr});
    for (auto const extent : shape) extents.push_back(extent);
    return makeLayer("InputLayer", std::move(name), Json{{"batch_input_shape", extents}, {"dtype", dtype}});
}

std::string uniqueLayerName(Model const &model, std::string_view className)
{
    bool const input = className == "InputLayer";
    std::string const base = input ? "input" : snakeCase(className);
    for (std::size_t i = input ? 1 : 0;; ++i) {
        std::string name = i ? base + "_" + std::to_string(i) : base;
        if (!model.find(name)) return name;
    }
}

Status renameLayer(Model &model, std::string const &from, std::string const &to)
{
    Layer *layer = model.find(from);
    if (!layer) return noLayer(model, from);
    if (to.empty())
        return makeError(ErrorKind::Invalid, "model.bad-name", from, Message::of("a layer's name cannot be empty"),
                         Message::of("give a name"));
    if (from == to) return {};
    if (model.find(to))
        return makeError(ErrorKind::Invalid, "model.duplicate-name", to, Message::of("another layer has that name"),
                         Message::of("names of layers must differ"));
    layer->name = to;
    auto const follow = [&](std::vector<TensorRef> &refs) {
        for (auto &ref : refs)
            if (ref.layer == from) ref.layer = to;
    };
    for (auto &each : model.layers)
        for (auto &call : each.calls) follow(call.inputs);
    follow(model.inputs);
    follow(model.outputs);
    return {};
}

Status removeLayer(Model &model, std::string const &name)
{
    if (!model.find(name)) return noLayer(model, name);
    std::erase_if(model.layers, [&](Layer const &layer) { return layer.name == name; });
    auto const cut = [&](std::vector<TensorRef> &refs) { std::erase_if(refs, [&](TensorRef const &ref) { return ref.layer == name; }); };
    for (auto &layer : model.layers)
        for (auto &call : layer.calls) cut(call.inputs);
    cut(model.inputs);
    cut(model.outputs);
    dropStages(model);
    return {};
}

Result<std::string> modelField(Model const &model, std::string_view path)
{
    if (path == "name") return model.name;
    if (!path.starts_with("layers."))
        return makeError(ErrorKind::Invalid, "model.no-field", std::string(path), Message::of("the model has no such field"),
                         Message::of("fields are name and layers.NAME.ARGUMENT"));
    TW_ASSIGN(FieldPath const where, layerPath(model, path));
    Layer const &layer = *model.find(where.layer);
    TW_ASSIGN(ParamInfo const param, fieldNamed(layer, where.field));
    if (param.name == "name") return layer.name;
    if (param.name == "stage") return std::to_string(layer.stage);
    auto const it = layer.config.find(param.name);
    return it == layer.config.end() ? std::string("null") : fieldText(*it);
}

Result<Model> withModelField(Model const &model, std::string_view path, std::string_view text)
{
    Model changed = model;
    if (path == "name") {
        changed.name = std::string(text);
        return changed;
    }
    if (!path.starts_with("layers."))
        return makeError(ErrorKind::Invalid, "model.no-field", std::string(path), Message::of("the model has no such field"),
                         Message::of("fields are name and layers.NAME.ARGUMENT"));
    TW_ASSIGN(FieldPath const where, layerPath(model, path));
    Layer &layer = *changed.find(where.layer);
    TW_ASSIGN(ParamInfo const param, fieldNamed(layer, where.field));
    if (param.name == "name") {
        TW_TRY(renameLayer(changed, layer.name, std::string(text)));
        return changed;
    }
    Json value = valueFromText(param, text);
    TW_ASSIGN(value, normalizeParam(param, value, layer.name));
    if (param.name == "stage") {
        layer.stage = static_cast<int>(value.get<std::int64_t>());
        for (auto &call : layer.calls) call.stage = -1;
    } else {
        layer.config[param.name] = std::move(value);
    }
    TW_TRY(checkLayer(layer));
    return changed;
}

} // namespace tilewright::model
