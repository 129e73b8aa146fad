#include "engine/interop/named_weights.h"

#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/import.h"
#include "engine/interop/keras_weights.h"
#include "engine/kernels/half.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace tilewright::interop {

namespace {

/// "model_weights/dense/dense/kernel:0" is "dense/kernel".
std::string plainArrayName(std::string name)
{
    if (auto const mark = name.rfind(':'); mark != std::string::npos && mark + 2 >= name.size()) name.resize(mark);
    constexpr std::string_view kGroup = "model_weights/";
    if (name.starts_with(kGroup)) name = name.substr(kGroup.size());
    for (auto mark = name.find('/'); mark != std::string::npos; mark = name.find('/')) {
        auto const layer = name.substr(0, mark + 1);
        if (name.compare(mark + 1, layer.size(), layer) != 0) break;
        name = name.substr(mark + 1);
    }
    return name;
}

/// As float32; empty: of another type.
std::optional<std::vector<std::byte>> floatsOf(data::DataArray const &array)
{
    auto const *from = array.bytes.get();
    auto const count = static_cast<std::size_t>(array.elements());
    if (array.dtype == DType::F32) return std::vector<std::byte>(from, from + 4 * count);
    if (array.dtype != DType::F16) return {};
    std::vector<std::byte> wide(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, from + 2 * i, 2);
        float const value = kernels::halfToFloat(bits);
        std::memcpy(wide.data() + 4 * i, &value, 4);
    }
    return wide;
}

Diagnostic nothingMatches(std::string const &file, std::vector<std::string> const &names)
{
    return makeError(ErrorKind::Invalid, "import.weights", file, Message::of("no array of the file is a weight of the model."),
                     names.empty() ? Message() : Message::of("The file has %1.", data::arrayNamesText(names)));
}

/// Rows for the weights of the model, with the present values.
Result<NamedWeights> presentWeights(model::ResolvedModel const &model, runtime::TrainingState const &present)
{
    NamedWeights result;
    result.state.epoch = 0;
    for (auto const ref : model::weightOrder(model)) {
        auto const name = model::weightPath(model, ref);
        auto const &weight = model.layers[ref.layer].weights[ref.weight];
        auto const *tensor = present.find(name);
        if (!tensor || tensor->shape != weight.shape)
            return makeError(ErrorKind::Invalid, "import.weights", name, Message::of("the project's weights do not belong to its model."),
                             Message::of("Train the model again, or make the project anew."));
        result.rows.push_back({name, weight.shape, NamedWeights::Match::Missing, {}, {}});
        result.state.tensors.push_back(*tensor);
    }
    return result;
}

Result<NamedWeights> fromArchive(std::filesystem::path const &path, NamedWeights result, JobContext const &job)
{
    TW_ASSIGN(auto const arrays, data::readNpz(path, job));
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < result.rows.size(); ++i) places.emplace(result.rows[i].weight, i);
    std::vector<std::string> names;
    for (auto const &[name, array] : arrays) {
        names.push_back(name);
        auto const plain = plainArrayName(name);
        auto const found = places.find(plain);
        if (found == places.end()) {
            if (plain != "epoch" && plain != "step") result.unused.push_back(name);
            continue;
        }
        auto &row = result.rows[found->second];
        auto bytes = array.shape == row.shape ? floatsOf(array) : std::nullopt;
        row.array = name;
        row.found = array.shape;
        row.match = bytes ? NamedWeights::Match::Taken : NamedWeights::Match::OtherShape;
        if (!bytes) continue;
        auto &tensor = result.state.tensors[found->second];
        tensor.dtype = DType::F32;
        tensor.bytes = *std::move(bytes);
    }
    if (result.taken() == 0) return nothingMatches(path.string(), names);
    return result;
}

/// Layers match by name; one of other shapes is an error that names it.
Result<NamedWeights> fromHdf5(std::filesystem::path const &path, model::ResolvedModel const &model, NamedWeights result,
                              JobContext const &job)
{
    TW_ASSIGN(auto contents, readHdf5(path, job));
    auto const root = contents.texts("", "layer_names").empty() ? std::string("model_weights") : std::string();
    TW_ASSIGN(auto layers, layersInHdf5(std::move(contents), root, path.string()));
    std::vector<std::string> names;
    std::map<std::string, bool> isOfModel;
    for (auto const &layer : model.layers) {
        isOfModel[layer.layer.name] = true;
        if (!layer.layer.within.empty()) isOfModel[layer.layer.within.front().name] = true;
    }
    std::vector<LayerArrays> known;
    for (auto &layer : layers) {
        for (auto const &array : layer.arrays) names.push_back(array.path);
        if (isOfModel.contains(layer.layer)) known.push_back(std::move(layer));
        else
            for (auto const &array : layer.arrays) result.unused.push_back(array.path);
    }
    // What the file lacks keeps its present values.
    model::ResolvedModel part = model;
    for (auto &layer : part.layers) {
        auto const has = [&](std::string const &name) {
            return std::ranges::any_of(known, [&](auto const &one) { return one.layer == name && !one.arrays.empty(); });
        };
        auto const &within = layer.layer.within;
        if (!has(layer.layer.name) && (within.empty() || !has(within.front().name))) layer.weights.clear();
    }
    TW_ASSIGN(auto state, weightsFrom(std::move(known), part, path.string()));
    for (auto &tensor : state.tensors) {
        auto const row = std::ranges::find(result.rows, tensor.name, &NamedWeights::Row::weight);
        if (row == result.rows.end()) continue;
        row->match = NamedWeights::Match::Taken;
        row->array = tensor.name;
        row->found = tensor.shape;
        result.state.tensors[static_cast<std::size_t>(row - result.rows.begin())] = std::move(tensor);
    }
    if (result.taken() == 0) return nothingMatches(path.string(), names);
    return result;
}

} // namespace

std::size_t NamedWeights::taken() const { return static_cast<std::size_t>(std::ranges::count(rows, Match::Taken, &Row::match)); }

Result<NamedWeights> weightsByName(std::filesystem::path const &path, model::ResolvedModel const &model,
                                   runtime::TrainingState const &present, JobContext const &job)
{
    TW_ASSIGN(auto const file, sniff(path));
    TW_ASSIGN(auto result, presentWeights(model, present));
    if (file.head.starts_with("\x89HDF\r\n")) return fromHdf5(path, model, std::move(result), job);
    if (std::ranges::any_of(file.entries, [](auto const &name) { return name.ends_with(".npy"); }))
        return fromArchive(path, std::move(result), job);
    return makeError(ErrorKind::Invalid, "import.kind", path.string(), Message::of("this is no file of weights."),
                     Message::of("Weights are read from .npz archives and Keras .h5 files."));
}

} // namespace tilewright::interop
