#include "engine/interop/keras_weights.h"
#include "engine/interop/turned_axes.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/interop/json_members.h"
#include "engine/model/nested.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace tilewright::interop {

namespace {

Diagnostic unmatched(std::string subject, Message message,
                     Message remedy = Message::of("Save the model again with model.save(), or import its architecture alone as JSON."))
{
    return makeError(ErrorKind::Invalid, "import.weights", std::move(subject), std::move(message), std::move(remedy));
}

std::string shapeText(Shape const &shape)
{
    std::vector<std::string> parts;
    for (auto const extent : shape) parts.push_back(std::to_string(extent));
    return "[" + joinText(parts, ", ") + "]";
}

/// Arrays by their path, taken one at a time.
class Shelf {
public:
    explicit Shelf(std::vector<FileArray> arrays) : m_arrays(std::move(arrays))
    {
        for (std::size_t i = 0; i < m_arrays.size(); ++i) m_places.emplace(m_arrays[i].path, i);
    }
    /// Null: there is none. A path that is asked for twice (a shared array) is copied.
    FileArray const *find(std::string const &path) const
    {
        auto const found = m_places.find(path);
        return found == m_places.end() ? nullptr : &m_arrays[found->second];
    }
    /// The paths that begin with `prefix`, in order.
    std::vector<std::string> below(std::string const &prefix) const
    {
        std::vector<std::string> paths;
        for (auto at = m_places.lower_bound(prefix); at != m_places.end() && at->first.starts_with(prefix); ++at)
            paths.push_back(at->first);
        return paths;
    }

private:
    std::vector<FileArray> m_arrays;
    std::map<std::string, std::size_t> m_places;
};

/// The order of a layer's parts in `Layer.weights`; parts that are not listed follow by name.
int rankOfPart(std::string const &part)
{
    constexpr std::array order{"vars",         "forward_layer", "backward_layer", "layer",      "cell",
                               "query_dense",  "_query_dense",  "key_dense",      "_key_dense", "value_dense",
                               "_value_dense", "output_dense",  "_output_dense"};
    auto const found = std::ranges::find(order, part);
    return found == order.end() ? static_cast<int>(order.size()) : static_cast<int>(found - order.begin());
}

/// "dense_10" behind "dense_2": a name without its number, and the number.
std::pair<std::string, int> numbered(std::string const &part)
{
    auto const mark = part.rfind('_');
    auto const number = mark == std::string::npos ? std::nullopt : parseInteger(part.substr(mark + 1));
    return number && *number >= 0 && *number < 1'000'000 ? std::pair(part.substr(0, mark), static_cast<int>(*number)) : std::pair(part, -1);
}

bool isGeneratorState(std::string const &path) { return path.find("seed_generator") != std::string::npos; }

/// The member of a layer's arguments that describes a part of it, or null: "cell" and "cells" of an RNN, "layer" of a wrapper, "layers" of
/// a model.
model::Json const *partConfig(model::Json const *config, std::string const &part)
{
    static std::map<std::string, char const *> const keys{{"cell", "cell"},           {"cells", "cells"},   {"layer", "layer"},
                                                          {"forward_layer", "layer"}, {"layers", "layers"}, {"backward_layer", "layer"}};
    auto const key = keys.find(part);
    if (!config || !config->is_object() || key == keys.end()) return nullptr;
    auto const found = config->find(key->second);
    if (found == config->end()) return nullptr;
    if (!found->is_object()) return &*found; // a list
    auto const inner = found->find("config");
    return inner == found->end() ? nullptr : &*inner;
}

/// The arrays below a layer's group: its own, then those of its parts. `config`: the layer's arguments, or a list of layers; may be null.
/// Returns false if the order is not known: a list of layers of several classes that `config` does not describe.
bool collectParts(Shelf const &shelf, std::string const &group, model::Json const *config, std::vector<FileArray> &to)
{
    bool const isList = group.ends_with("/layers") || group.ends_with("/cells");
    if (isList && config && config->is_array()) {
        // Groups have the names of the classes; the list has the order.
        std::map<std::string, int> used;
        for (auto const &layer : *config) {
            auto const key = containerName(textIn(layer, "class_name"));
            auto const number = used[key]++;
            auto const inner = layer.is_object() ? layer.find("config") : layer.end();
            if (!collectParts(shelf, group + "/" + key + (number == 0 ? "" : "_" + std::to_string(number)),
                              layer.is_object() && inner != layer.end() ? &*inner : nullptr, to))
                return false;
        }
        return true;
    }
    std::map<std::tuple<int, std::string, int, std::string>, bool> parts;
    for (auto const &path : shelf.below(group + "/")) {
        auto const rest = path.substr(group.size() + 1);
        auto const part = rest.substr(0, rest.find('/'));
        if (isGeneratorState(part)) continue;
        auto const [base, number] = numbered(part);
        parts.emplace(std::tuple(rankOfPart(part), base, number, part), rest.size() > part.size());
    }
    std::set<std::string> bases;
    for (auto const &[key, isGroup] : parts) bases.insert(std::get<1>(key));
    if (bases.size() > 1 && isList) return false;
    for (auto const &[key, isGroup] : parts) {
        auto const &part = std::get<3>(key);
        auto const inner = group + "/" + part;
        if (part != "vars") {
            if (isGroup && !collectParts(shelf, inner, partConfig(config, part), to)) return false;
            continue;
        }
        for (std::size_t i = 0; auto const *array = shelf.find(inner + "/" + std::to_string(i)); ++i) to.push_back(*array);
    }
    return true;
}

/// The groups that hold the layers of a model.
constexpr std::array kLayerGroups{"layers", "_layer_checkpoint_dependencies"};

/// The arrays of the layers in `config`, which lie below `group`, one LayerArrays each; a model inside is one. Error: the order of a
/// layer's parts is not known.
Result<std::vector<LayerArrays>> collectLayers(Shelf const &shelf, std::string const &group, model::Json const &config,
                                               std::string const &file)
{
    std::vector<LayerArrays> layers;
    auto const list = config.find("layers");
    if (list == config.end() || !list->is_array()) return layers;
    struct Place {
        std::string name, byClass, className;
        model::Json const *config;
    };
    std::vector<Place> places;
    std::map<std::string, int> used;
    bool anyByClass = false;
    for (auto const &layer : *list) {
        auto const inner = layer.is_object() ? layer.find("config") : layer.end();
        if (!layer.is_object() || inner == layer.end() || !inner->is_object()) continue;
        auto const className = textIn(layer, "class_name"), key = containerName(className);
        auto const number = used[key]++;
        auto const own = textIn(*inner, "name");
        places.push_back({own.empty() ? textIn(layer, "name") : own, group + "/" + (number == 0 ? key : key + "_" + std::to_string(number)),
                          className, &*inner});
        anyByClass = anyByClass || !shelf.below(places.back().byClass + "/").empty();
    }
    for (auto const &one : places) {
        // Some versions name the groups like the layers.
        auto const place = anyByClass ? one.byClass : group + "/" + one.name;
        LayerArrays found{one.name, {}, LayerArrays::Order::LayerByLayer};
        if (model::isModelClass(one.className)) {
            for (std::string const inner : kLayerGroups) {
                TW_ASSIGN(auto parts, collectLayers(shelf, place + "/" + inner, *one.config, file));
                for (auto &part : parts) std::ranges::move(part.arrays, std::back_inserter(found.arrays));
                if (!found.arrays.empty()) break;
            }
        } else if (!collectParts(shelf, place, one.config, found.arrays)) {
            return unmatched(file + ": " + one.name, Message::of("the order of the weights in this layer's parts is not known."));
        }
        layers.push_back(std::move(found));
    }
    return layers;
}

/// One row of values after the other: [a | b] along the last axis.
FileArray joined(std::array<FileArray const *, 4> const &parts, std::size_t count)
{
    FileArray result{parts[0]->path, DType::F32, parts[0]->shape, {}};
    auto const columns = result.shape.empty() ? 1 : result.shape.back();
    auto const rows = columns > 0 ? elementCount(result.shape) / columns : 0;
    if (!result.shape.empty()) result.shape.back() = columns * static_cast<std::int64_t>(count);
    auto const bytes = static_cast<std::size_t>(4 * columns);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < count; ++i) {
            auto const *from = parts[i]->bytes.data() + static_cast<std::size_t>(row) * bytes;
            result.bytes.insert(result.bytes.end(), from, from + bytes);
        }
    return result;
}

/// Keras 1 keeps W, U and b of each gate apart. Keras 2 puts them side by side: i, f, c, o of an LSTM, z, r, h of a GRU.
std::optional<std::vector<FileArray>> joinedGates(std::vector<FileArray> const &arrays)
{
    std::string_view const gates = arrays.size() == 12 ? "ifco" : arrays.size() == 9 ? "zrh" : "";
    if (gates.empty()) return {};
    std::vector<FileArray> result;
    for (char const kind : {'W', 'U', 'b'}) {
        std::array<FileArray const *, 4> parts{};
        for (std::size_t i = 0; i < gates.size(); ++i) {
            auto const mark = std::string("_") + kind + "_" + gates[i];
            auto const found = std::ranges::find_if(
                arrays, [&](auto const &array) { return array.path.ends_with(mark) || array.path.ends_with(mark + ":0"); });
            if (found == arrays.end() || (i > 0 && found->shape != parts[0]->shape)) return {};
            parts[i] = &*found;
        }
        result.push_back(joined(parts, gates.size()));
    }
    return result;
}

/// The array with its axes in this order.
FileArray transposed(FileArray const &array, std::vector<std::size_t> const &order)
{
    FileArray result{array.path, array.dtype, {}, turnedAxes(array.bytes, 4, array.shape, order)};
    for (auto const axis : order) result.shape.push_back(array.shape[axis]);
    return result;
}

/// Kernels as Keras 1 stores them, in the order of Keras 2. Source: preprocess_weights_for_loading of Keras 2.
void turnKernel(model::Layer const &layer, std::vector<FileArray> &arrays)
{
    if (arrays.empty()) return;
    auto &kernel = arrays.front();
    auto const rank = kernel.shape.size();
    bool const first = textIn(layer.config, "data_format") == "channels_first";
    auto const turn = [&](std::vector<std::size_t> const &order) {
        if (rank == order.size()) kernel = transposed(kernel, order);
    };
    if (layer.className == "Conv2D" && first) turn({2, 3, 1, 0});
    if (layer.className == "Conv3D" && first) turn({2, 3, 4, 1, 0});
    if (layer.className == "Conv2DTranspose") turn(first ? std::vector<std::size_t>{2, 3, 0, 1} : std::vector<std::size_t>{0, 1, 3, 2});
}

/// Arrays whose names end like those of the weights, in the order of the weights; else as they are.
void orderByName(std::vector<FileArray> &arrays, std::vector<std::string> const &names)
{
    std::vector<FileArray> ordered;
    for (auto const &name : names) {
        auto const isIt = [&](FileArray const &array) { return array.path.substr(array.path.rfind('/') + 1) == name; };
        if (std::ranges::count_if(arrays, isIt) != 1) return;
        ordered.push_back(*std::ranges::find_if(arrays, isIt));
    }
    if (ordered.size() == arrays.size()) arrays = std::move(ordered);
}

/// A shape without its axes of one element.
Shape squeezed(Shape const &shape)
{
    Shape result;
    std::ranges::copy_if(shape, std::back_inserter(result), [](auto extent) { return extent != 1; });
    return result;
}

using Places = std::vector<model::WeightRef>;

model::ResolvedWeight const &weightAt(model::ResolvedModel const &model, model::WeightRef ref)
{
    return model.layers[ref.layer].weights[ref.weight];
}

/// Whether each array has the shape of the weight it stands for; `loose`: but for axes of one element (1-D convolutions of Keras 1).
bool fits(std::vector<FileArray> const &arrays, Places const &places, model::ResolvedModel const &model, bool loose)
{
    if (arrays.size() != places.size()) return false;
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto const &shape = weightAt(model, places[i]).shape;
        if (arrays[i].shape != shape && !(loose && squeezed(arrays[i].shape) == squeezed(shape))) return false;
    }
    return true;
}

/// The weights of one group: a layer, or all layers of a model inside the model.
struct Group {
    std::string name;
    Places byLayer;        ///< layer after layer
    Places trainableFirst; ///< all trainable ones, then the others
};

/// `files`: what the file holds by name. It knows a layer of a model inside by that model's name, unless it was written by us.
std::vector<Group> groupsOf(model::ResolvedModel const &model, std::map<std::string, std::vector<FileArray>> const &files)
{
    std::vector<Group> groups;
    std::map<std::string, std::size_t> places;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        auto const &layer = model.layers[l];
        if (layer.weights.empty()) continue;
        bool const alone = layer.layer.within.empty() || files.contains(layer.layer.name);
        auto const &name = alone ? layer.layer.name : layer.layer.within.front().name;
        auto const [at, isNew] = places.emplace(name, groups.size());
        if (isNew) groups.push_back({name, {}, {}});
        for (std::size_t w = 0; w < layer.weights.size(); ++w) groups[at->second].byLayer.push_back({l, w});
    }
    for (auto &group : groups) {
        group.trainableFirst = group.byLayer;
        std::ranges::stable_partition(group.trainableFirst, [&](auto ref) { return weightAt(model, ref).trainable; });
    }
    return groups;
}

/// Why the arrays are not those of the group.
Diagnostic mismatch(Group const &group, std::vector<FileArray> const &arrays, model::ResolvedModel const &model, std::string const &file)
{
    auto const subject = file + ": " + group.name;
    if (arrays.size() != group.byLayer.size())
        return unmatched(subject,
                         Message::of("the file holds %1 arrays for it and the layer has %2.", arrays.size(), group.byLayer.size()));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        auto const &weight = weightAt(model, group.trainableFirst[i]);
        if (arrays[i].shape != weight.shape)
            return unmatched(subject,
                             Message::of("the array %1 has the shape %2, and the weight %3 has %4.", arrays[i].path,
                                         shapeText(arrays[i].shape), weight.name, shapeText(weight.shape)));
    }
    return unmatched(subject, Message::of("the arrays are not those of the layer."));
}

/// A file with arrays of which no layer takes one: nothing is dropped in silence.
Status requireArrays(std::vector<LayerArrays> const &layers, std::string const &file)
{
    if (std::ranges::any_of(layers, [](auto const &layer) { return !layer.arrays.empty(); })) return {};
    return unmatched(file, Message::of("the file holds weights, but none of them belongs to a layer of the model."));
}

} // namespace

// An underscore before a capital that begins a word of lower-case letters, and between a lower-case letter and a capital.
std::string containerName(std::string const &name)
{
    auto const upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    auto const lower = [](char c) { return c >= 'a' && c <= 'z'; };
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
        bool const word = upper(name[i]) && i + 1 < name.size() && lower(name[i + 1]);
        if (i > 0 && upper(name[i]) && (word || lower(name[i - 1]))) result += '_';
        result += upper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
    }
    return result;
}

Result<std::vector<LayerArrays>> layersInHdf5(Hdf5Contents &&contents, std::string const &root, std::string const &file)
{
    auto const names = contents.texts(root, "layer_names");
    auto const below = [](std::string const &group, std::string const &name) { return group.empty() ? name : group + "/" + name; };
    if (names.empty() && !contents.arrays.empty())
        return unmatched(file, Message::of("the file has arrays but no list of layers (layer_names)."));
    std::vector<std::vector<std::string>> weights;
    for (auto const &name : names) weights.push_back(contents.texts(below(root, name), "weight_names"));
    Shelf const shelf(std::move(contents.arrays));
    std::vector<LayerArrays> layers;
    for (std::size_t i = 0; i < names.size(); ++i) {
        LayerArrays layer{names[i], {}};
        for (auto const &weight : weights[i]) {
            auto const *array = shelf.find(below(below(root, names[i]), weight));
            if (!array) return unmatched(file + ": " + names[i], Message::of("the array %1 is missing.", weight));
            if (isGeneratorState(weight)) continue;
            layer.arrays.push_back(*array);
        }
        layers.push_back(std::move(layer));
    }
    if (!shelf.below(root.empty() ? root : root + "/").empty()) TW_TRY(requireArrays(layers, file));
    return layers;
}

Result<std::vector<LayerArrays>> layersInKerasArchive(Hdf5Contents &&contents, model::Json const &config, std::string const &file)
{
    Shelf const shelf(std::move(contents.arrays));
    for (std::string const group : kLayerGroups)
        if (auto const paths = shelf.below(group + "/"); !paths.empty()) {
            TW_ASSIGN(auto layers, collectLayers(shelf, group, config, file));
            if (!std::ranges::all_of(paths, isGeneratorState)) TW_TRY(requireArrays(layers, file));
            return layers;
        }
    if (shelf.below("").empty()) return std::vector<LayerArrays>();
    return unmatched(file, Message::of("the weights in the archive have no group of layers."));
}

Result<runtime::TrainingState> weightsFrom(std::vector<LayerArrays> layers, model::ResolvedModel const &model, std::string const &file)
{
    std::map<std::string, std::vector<FileArray>> byName;
    auto const order = layers.empty() ? LayerArrays::Order::TrainableFirst : layers.front().order;
    for (auto &layer : layers) byName[layer.layer] = std::move(layer.arrays);
    std::map<std::string, runtime::StateTensor> tensors;
    for (auto const &group : groupsOf(model, byName)) {
        auto const found = byName.find(group.name);
        if (found == byName.end()) {
            std::vector<std::string> others;
            for (auto const &[name, arrays] : byName)
                if (!arrays.empty()) others.push_back(name);
            return unmatched(
                file + ": " + group.name,
                Message::of("the file has no weights of this layer; it has those of %1.", shortened(joinText(others, ", "), 200)));
        }
        auto &arrays = found->second;
        auto const &layer = model.layers[group.byLayer.front().layer].layer;
        if (order == LayerArrays::Order::Keras1) turnKernel(layer, arrays);
        if (order == LayerArrays::Order::Named) {
            std::vector<std::string> names;
            for (auto const ref : group.byLayer) names.push_back(weightAt(model, ref).name);
            orderByName(arrays, names);
        }
        bool const trainableFirst = order == LayerArrays::Order::TrainableFirst || order == LayerArrays::Order::Keras1;
        bool const loose = order == LayerArrays::Order::Keras1 && layer.className == "Conv1D";
        Places const *places = nullptr;
        if (trainableFirst && fits(arrays, group.trainableFirst, model, loose)) places = &group.trainableFirst;
        if (!places && fits(arrays, group.byLayer, model, loose)) places = &group.byLayer;
        if (!places && order == LayerArrays::Order::Keras1)
            if (auto gates = joinedGates(arrays); gates && fits(*gates, group.byLayer, model, false)) {
                arrays = std::move(*gates);
                places = &group.byLayer;
            }
        if (!places) return mismatch(group, arrays, model, file);
        for (std::size_t i = 0; i < places->size(); ++i) {
            auto const name = model::weightPath(model, (*places)[i]);
            auto &array = arrays[i];
            if (array.dtype != DType::F32) return unmatched(file + ": " + name, Message::of("the weight is an array of whole numbers."));
            tensors[name] = {name, DType::F32, weightAt(model, (*places)[i]).shape, std::move(array.bytes)};
        }
    }
    runtime::TrainingState state;
    for (auto const ref : model::weightOrder(model)) state.tensors.push_back(std::move(tensors.at(model::weightPath(model, ref))));
    return state;
}

} // namespace tilewright::interop
