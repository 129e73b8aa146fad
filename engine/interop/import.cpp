#include "engine/interop/import.h"

#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/core/limits.h"
#include "engine/core/text.h"
#include "engine/data/source.h"
#include "engine/data/zip.h"
#include "engine/interop/keras_files.h"
#include "engine/interop/onnx_import.h"
#include "engine/interop/optimizer_state.h"
#include "engine/interop/tensorflow_js.h"
#include "engine/model/resolve.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <utility>

namespace tilewright::interop {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kHead = 4096;

bool hasEntry(Sniffed const &file, std::string_view name) { return std::ranges::find(file.entries, name) != file.entries.end(); }

bool isLayersModel(Json const &json) { return json.is_object() && json.contains("class_name") && json.contains("config"); }

/// Some files hold the text of to_json() as one JSON string.
bool isKerasJson(Sniffed const &, Json const &json)
{
    return isLayersModel(json) || (json.is_string() && isLayersModel(jsonOrDiscarded(json.get<std::string>())));
}

bool isTensorFlowJs(Sniffed const &, Json const &json) { return json.is_object() && json.contains("modelTopology"); }

bool isHdf5(Sniffed const &file, Json const &) { return file.head.starts_with("\x89HDF\r\n"); }

bool isKerasArchive(Sniffed const &file, Json const &) { return hasEntry(file, "config.json") && hasEntry(file, "metadata.json"); }

/// A protobuf without a signature: field 1, the version of the format, then a text field or the graph.
bool isOnnx(Sniffed const &file, Json const &)
{
    auto const &head = file.head;
    bool const begins = head.size() > 3 && head[0] == 0x08 && head[1] > 0 && head[1] < 32
        && (head[2] == 0x12 || head[2] == 0x1A || head[2] == 0x3A || head[2] == 0x42);
    return begins || file.path.extension() == ".onnx";
}

bool isTorch(Sniffed const &file, Json const &)
{
    return std::ranges::any_of(file.entries, [](auto const &name) { return name.ends_with("/data.pkl"); });
}

/// A SavedModel's graph, or a frozen one: a protobuf by its name alone.
bool isTensorFlowGraph(Sniffed const &file, Json const &) { return file.path.extension() == ".pb"; }

} // namespace

std::span<ImportForm const> importForms()
{
    static std::vector<ImportForm> const all{
        {"Keras JSON (to_json)", {".json"}, isKerasJson, readKerasJsonFile},
        {"Keras .h5", {".h5", ".hdf5"}, isHdf5, readKerasHdf5},
        {"Keras .keras", {".keras"}, isKerasArchive, readKerasArchive},
        {"TensorFlow.js model.json", {".json"}, isTensorFlowJs, readTensorFlowJs},
        {"ONNX", {".onnx"}, isOnnx, readOnnxFile},
        {"PyTorch .pt", {".pt", ".pth"}, isTorch, nullptr, Message::of("Build the model in Keras, and save it with model.save().")},
        {"TensorFlow SavedModel",
         {".pb"},
         isTensorFlowGraph,
         nullptr,
         Message::of("Load the model with tf.keras.models.load_model(FOLDER), and save it with model.save(\"model.h5\").")},
    };
    return all;
}

Result<Sniffed> sniff(std::filesystem::path const &path)
{
    Sniffed file{path, std::string(kHead, '\0'), {}, {}, {}};
    TW_ASSIGN(auto const source, data::openSource(path, 0)); // mapped: a large file is not read
    file.head.assign(reinterpret_cast<char const *>(source.bytes.get()), std::min(source.size, kHead));
    if (file.head.starts_with("PK\x03\x04")) {
        if (auto const entries = data::readZipDirectory(source); entries.ok())
            for (auto const &entry : *entries) file.entries.push_back(entry.name);
        return file;
    }
    auto const first = file.head.find_first_not_of(" \t\r\n", file.head.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (first != std::string::npos && (file.head[first] == '{' || file.head[first] == '"')) { TW_ASSIGN(file.text, readJsonText(path)); }
    return file;
}

ImportForm const *formOf(Sniffed const &file)
{
    auto const json = file.text.empty() ? Json(Json::value_t::discarded) : jsonOrDiscarded(file.text);
    auto const forms = importForms();
    auto const found = std::ranges::find_if(forms, [&](auto const &form) { return form.recognises(file, json); });
    return found == forms.end() ? nullptr : &*found;
}

std::string formNames(bool readable)
{
    std::vector<std::string> names;
    for (auto const &form : importForms())
        if ((form.read != nullptr) == readable) names.emplace_back(form.name);
    return joinText(names, ", ");
}

Result<Imported> importModel(std::filesystem::path const &path, JobContext const &job,
                             std::map<std::string, std::vector<std::int64_t>> const &sizes)
{
    TW_ASSIGN(auto file, sniff(path));
    file.sizes = sizes;
    auto const *form = formOf(file);
    if (!form) {
        // A document that does not parse is damaged, not of another kind: the parser says where.
        if (!file.text.empty() || path.extension() == ".json") {
            TW_ASSIGN(auto const text, readJsonText(path));
            TW_TRY(parseJson(text, path.string()));
        }
        if (file.head.starts_with("PK\x03\x04") && file.entries.empty()) { // a damaged archive: its reader says where
            TW_ASSIGN(auto const archive, data::openSource(path, 0));
            TW_TRY(data::readZipDirectory(archive));
        }
        return makeError(ErrorKind::Invalid, "import.kind", path.string(), Message::of("files of this kind cannot be imported."),
                         Message::of("Forms that can be read: %1.", formNames(true)));
    }
    if (!form->read)
        return makeError(ErrorKind::Usage, "import.not-yet", path.string(),
                         Message::of("this is %1, which cannot be read yet.", form->name), form->remedy);
    return form->read(file, job);
}

Result<std::optional<runtime::TrainingState>> importedWeights(std::vector<LayerArrays> layers, project::Project const &project,
                                                              std::string const &file, JobContext const &job)
{
    std::optional<runtime::TrainingState> none;
    if (std::ranges::all_of(layers, [](auto const &layer) { return layer.arrays.empty(); })) return none;
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok()) {
        job.warn(makeWarning(
            "import.weights-left-out", file,
            Message::of("the weights were not taken, because the model is not complete: %1", resolved.error().message),
            Message::of("Give open sizes and shapes with `tilewright import --size` and `--shape`, or mend the model in Keras.")));
        return none;
    }
    TW_ASSIGN(auto state, weightsFrom(std::move(layers), *resolved, file));
    return std::optional(std::move(state));
}

Result<std::optional<runtime::TrainingState>> importedState(Imported &imported, std::string const &file, JobContext const &job)
{
    TW_ASSIGN(auto state, importedWeights(std::move(imported.layers), imported.project, file, job));
    if (!state) return state;
    TW_ASSIGN(auto const resolved, model::resolve(imported.project.model));
    addOptimizerState(std::move(imported.optimizer), imported.project, resolved, *state, file, job);
    return state;
}

} // namespace tilewright::interop
