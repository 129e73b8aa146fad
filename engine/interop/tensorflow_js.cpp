#include "engine/interop/tensorflow_js.h"

#include "engine/kernels/half.h"
#include "engine/core/json_text.h"
#include "engine/core/limits.h"
#include "engine/data/source.h"
#include "engine/interop/keras_files.h"
#include "engine/interop/keras_training.h"
#include "engine/interop/keras_weights.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

Diagnostic refused(
    std::string subject, Message message,
    Message remedy = Message::of("Convert the model again with tensorflowjs_converter, and keep model.json and its shards in one folder."))
{
    return makeError(ErrorKind::Invalid, "import.tfjs", std::move(subject), std::move(message), std::move(remedy));
}

/// The shards of a group, one after the other.
class Shards {
public:
    Shards(std::filesystem::path folder, Json const &paths) : m_folder(std::move(folder)), m_paths(paths) {}

    Status read(std::size_t bytes, std::vector<std::byte> &to)
    {
        while (m_held.size() - m_at < bytes) {
            if (m_next >= m_paths.size())
                return refused(m_folder.string(), Message::of("the shards hold fewer bytes than the list of weights needs."));
            auto const &path = m_paths[m_next++];
            std::filesystem::path const name = path.is_string() ? path.get<std::string>() : std::string();
            if (name.empty() || name.is_absolute() || std::ranges::any_of(name, [](auto const &part) { return part == ".."; }))
                return refused(m_folder.string(), Message::of("the path of a shard, '%1', leads out of the folder.", name.string()));
            TW_TRY(requireInside(m_folder / name));
            TW_ASSIGN(auto const shard, data::openSource(m_folder / name));
            m_held.erase(m_held.begin(), m_held.begin() + static_cast<std::ptrdiff_t>(m_at));
            m_at = 0;
            m_held.insert(m_held.end(), shard.all().begin(), shard.all().end());
        }
        to.assign(m_held.begin() + static_cast<std::ptrdiff_t>(m_at), m_held.begin() + static_cast<std::ptrdiff_t>(m_at + bytes));
        m_at += bytes;
        return {};
    }

private:
    /// A link must not lead to a file elsewhere.
    Status requireInside(std::filesystem::path const &file) const
    {
        std::error_code missing, ignored;
        auto const place = std::filesystem::canonical(file, missing);
        if (missing) return refused(file.string(), Message::of("this shard is missing."));
        auto const folder = std::filesystem::canonical(m_folder.empty() ? "." : m_folder, ignored);
        auto const [rest, unused] = std::ranges::mismatch(folder, place);
        if (rest == folder.end()) return {};
        return refused(file.string(), Message::of("the shard is a link that leads out of the folder."));
    }

    std::filesystem::path m_folder;
    Json const &m_paths;
    std::size_t m_next = 0, m_at = 0;
    std::vector<std::byte> m_held;
};

std::string textOf(Json const &json, char const *key, std::string const &otherwise)
{
    auto const found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

Result<Shape> shapeOf(Json const &entry, std::string const &subject, std::int64_t &count)
{
    Shape shape;
    count = 1;
    auto const found = entry.find("shape");
    if (found == entry.end() || !found->is_array()) return refused(subject, Message::of("the weight has no shape."));
    for (auto const &extent : *found) {
        if (!extent.is_number_integer() || extent.get<std::int64_t>() < 0
            || __builtin_mul_overflow(count, extent.get<std::int64_t>(), &count) || count > limitOf(Limit::Elements))
            return makeError(ErrorKind::Invalid, "import.too-large", subject, Message::of("this is larger than the limit allows."),
                             limitRemedy(Limit::Elements));
        shape.push_back(extent.get<std::int64_t>());
    }
    return shape;
}

/// Stored numbers as float32.
void widen(std::string const &type, double scale, double least, std::vector<std::byte> const &from, std::int64_t count,
           std::vector<std::byte> &to)
{
    to.resize(static_cast<std::size_t>(4 * count));
    for (std::int64_t i = 0; i < count; ++i) {
        auto const at = static_cast<std::size_t>(i);
        float value = 0;
        if (type == "uint8") {
            value = static_cast<float>(static_cast<double>(from[at]) * scale + least);
        } else {
            std::uint16_t bits = 0;
            std::memcpy(&bits, from.data() + 2 * at, 2);
            value = type == "float16" ? kernels::halfToFloat(bits) : static_cast<float>(static_cast<double>(bits) * scale + least);
        }
        std::memcpy(to.data() + 4 * at, &value, 4);
    }
}

Result<FileArray> arrayOf(Json const &entry, Shards &shards, std::string const &file)
{
    auto const name = textOf(entry, "name", "");
    auto const subject = file + ": " + name;
    FileArray array{name, DType::F32, {}, {}};
    std::int64_t count = 1;
    TW_ASSIGN(array.shape, shapeOf(entry, subject, count));
    auto const dtype = textOf(entry, "dtype", "float32");
    auto const quantised = entry.find("quantization");
    bool const plain = quantised == entry.end() || !quantised->is_object();
    auto const stored = plain ? dtype : textOf(*quantised, "dtype", dtype);
    static std::map<std::string, std::size_t> const sizes{{"float32", 4}, {"int32", 4},   {"uint8", 1},
                                                          {"uint16", 2},  {"float16", 2}, {"bool", 1}};
    auto const size = sizes.find(stored);
    if (size == sizes.end()) return refused(subject, Message::of("weights of type %1 cannot be read.", stored));
    std::vector<std::byte> bytes;
    TW_TRY(shards.read(size->second * static_cast<std::size_t>(count), bytes));
    if (!plain) {
        auto const number = [&](char const *key, double otherwise) {
            auto const found = quantised->find(key);
            return found != quantised->end() && found->is_number() ? found->get<double>() : otherwise;
        };
        if (stored != "uint8" && stored != "uint16" && stored != "float16")
            return refused(subject, Message::of("weights quantised to %1 cannot be read.", stored));
        widen(stored, number("scale", 1), number("min", 0), bytes, count, array.bytes);
    } else {
        if (stored == "uint8" || stored == "bool" || stored == "uint16" || stored == "float16")
            return refused(subject, Message::of("weights of type %1 cannot be read.", stored));
        array.dtype = stored == "int32" ? DType::I32 : DType::F32;
        array.bytes = std::move(bytes);
    }
    return array;
}

/// The layer whose weight this is: the longest name of a layer, or of a model inside, that begins it.
std::string layerOf(std::string const &weight, std::set<std::string> const &layers)
{
    for (auto end = weight.rfind('/'); end != std::string::npos && end > 0; end = weight.rfind('/', end - 1))
        if (layers.contains(weight.substr(0, end))) return weight.substr(0, end);
    return {};
}

Result<std::vector<LayerArrays>> layersIn(Json const &manifest, model::Model const &model, std::filesystem::path const &path)
{
    std::set<std::string> names;
    // The weights of a model inside are below its name, or below the names of its layers.
    for (auto const &layer : model.layers) {
        names.insert(layer.name);
        if (!layer.within.empty()) names.insert(layer.within.front().name);
    }
    std::vector<LayerArrays> layers;
    std::map<std::string, std::size_t> places;
    if (!manifest.is_array()) return layers;
    for (auto const &group : manifest) {
        auto const paths = group.is_object() ? group.find("paths") : group.end();
        auto const weights = group.is_object() ? group.find("weights") : group.end();
        if (!group.is_object() || paths == group.end() || weights == group.end() || !paths->is_array() || !weights->is_array())
            return refused(path.string(), Message::of("an entry of weightsManifest has no paths or no weights."));
        Shards shards(path.parent_path(), *paths);
        for (auto const &entry : *weights) {
            if (!entry.is_object()) return refused(path.string(), Message::of("an entry of weightsManifest has no paths or no weights."));
            TW_ASSIGN(auto array, arrayOf(entry, shards, path.string()));
            auto const layer = layerOf(array.path, names);
            if (layer.empty()) return refused(path.string() + ": " + array.path, Message::of("no layer of the model has this weight."));
            auto const [at, isNew] = places.emplace(layer, layers.size());
            if (isNew) layers.push_back({layer, {}, LayerArrays::Order::Named});
            layers[at->second].arrays.push_back(std::move(array));
        }
    }
    return layers;
}

} // namespace

Result<Imported> readTensorFlowJs(Sniffed const &file, JobContext const &job)
{
    auto const name = file.path.string();
    TW_ASSIGN(auto const document, parseJson(file.text, name));
    auto const &topology = document.at("modelTopology");
    if (!topology.is_object() || (!topology.contains("model_config") && !topology.contains("class_name")))
        return refused(name, Message::of("this is a graph model, which holds operations and no layers."),
                       Message::of("Convert the Keras model with --output_format=tfjs_layers_model."));
    auto const &config = topology.contains("model_config") ? topology["model_config"] : topology;
    TW_ASSIGN(auto read, kerasModel(config.dump(-1, ' ', false, Json::error_handler_t::replace), name));
    auto const training = topology.contains("training_config") ? topology["training_config"]
        : document.contains("trainingConfig")                  ? document["trainingConfig"]
                                                               : Json();
    if (!takeTraining(training, read.project, name, job))
        job.warn(makeWarning("import.defaults", name, Message::of("the file holds a model and no training plan."),
                             Message::of("Set training.loss, training.optimizer and training.metrics.")));
    Imported imported{std::move(read.project), {}};
    auto const manifest = document.find("weightsManifest");
    if (manifest == document.end()) return imported;
    TW_ASSIGN(imported.layers, layersIn(*manifest, imported.project.model, file.path));
    return imported;
}

} // namespace tilewright::interop
