#include "engine/interop/keras_files.h"

#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/data/zip.h"
#include "engine/interop/keras1.h"
#include "engine/interop/keras_training.h"
#include "engine/interop/keras_weights.h"
#include "engine/interop/operations.h"
#include "engine/interop/optimizer_state.h"
#include "engine/interop/placeholders.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

void tellNoPlan(std::string const &file, JobContext const &job)
{
    job.warn(makeWarning("import.defaults", file, Message::of("the file holds a model and no training plan."),
                         Message::of("Set training.loss, training.optimizer and training.metrics.")));
}

void takePlan(Json const &config, project::Project &project, std::string const &file, JobContext const &job)
{
    if (!takeTraining(config, project, file, job)) tellNoPlan(file, job);
}

Result<std::string> entryText(data::Source const &archive, std::vector<data::ZipEntry> const &entries, std::string_view name,
                              JobContext const &job)
{
    auto const found = std::ranges::find(entries, name, &data::ZipEntry::name);
    if (found == entries.end())
        return makeError(ErrorKind::Invalid, "import.keras", archive.name, Message::of("the archive has no %1.", std::string(name)),
                         Message::of("Write the model again with model.save()."));
    TW_ASSIGN(auto const content, data::openZipEntry(archive, *found, job));
    return std::string(reinterpret_cast<char const *>(content.bytes.get()), content.size);
}

} // namespace

Result<KerasModel> kerasModel(std::string_view text, std::string const &subject)
{
    KerasModel result;
    TW_ASSIGN(result.document, model::kerasDocument(text, subject));
    modernizeKeras(result.document);
    auto known = result.document;
    replaceOperations(known);
    holdUnknownLayers(known);
    TW_ASSIGN(result.project.model, model::modelFromKeras(known, subject));
    result.project.title = result.project.model.name;
    return result;
}

Result<Imported> readKerasJsonFile(Sniffed const &file, JobContext const &job)
{
    auto const name = file.path.string();
    TW_ASSIGN(auto read, kerasModel(file.text, name));
    tellNoPlan(name, job);
    return Imported{std::move(read.project), {}};
}

Result<Imported> readKerasHdf5(Sniffed const &file, JobContext const &job)
{
    auto const name = file.path.string();
    TW_ASSIGN(auto contents, readHdf5(file.path, job));
    auto const config = contents.text("", "model_config");
    if (config.empty()) {
        bool const weights = !contents.texts("", "layer_names").empty();
        return makeError(ErrorKind::Invalid, weights ? "import.weights-only" : "import.kind", name,
                         weights ? Message::of("the file holds weights and no model (save_weights).")
                                 : Message::of("the HDF5 file holds no Keras model."),
                         weights ? Message::of("Import a file of model.save(), which holds both.")
                                 : Message::of("Write the model with model.save(), or data with numpy.savez()."));
    }
    TW_ASSIGN(auto read, kerasModel(config, name));
    auto const training = jsonOrDiscarded(contents.text("", "training_config"));
    takePlan(training, read.project, name, job);
    if (contents.text("", "backend") == "theano" || contents.text("model_weights", "backend") == "theano")
        job.warn(makeWarning("import.theano", name,
                             Message::of("the model was trained with Theano, which flips the kernels of convolutions."),
                             Message::of("Save it again under the TensorFlow backend.")));
    Imported imported{std::move(read.project), {}};
    bool const old = contents.text("", "keras_version").empty() || contents.text("", "keras_version").starts_with("1.");
    imported.optimizer = takeOptimizer(contents, optimizerClass(training));
    TW_ASSIGN(imported.layers, layersInHdf5(std::move(contents), "model_weights", name));
    if (old)
        for (auto &layer : imported.layers) layer.order = LayerArrays::Order::Keras1;
    return imported;
}

Result<Imported> readKerasArchive(Sniffed const &file, JobContext const &job)
{
    auto const name = file.path.string();
    TW_ASSIGN(auto const archive, data::openSource(file.path));
    TW_ASSIGN(auto const entries, data::readZipDirectory(archive));
    TW_ASSIGN(auto const config, entryText(archive, entries, "config.json", job));
    TW_ASSIGN(auto read, kerasModel(config, name + ":config.json"));
    auto const compile = read.document.find("compile_config");
    takePlan(compile == read.document.end() ? Json() : *compile, read.project, name, job);
    Imported imported{std::move(read.project), {}};
    auto const weights = std::ranges::find(entries, "model.weights.h5", &data::ZipEntry::name);
    if (weights == entries.end()) return imported;
    TW_ASSIGN(auto const image, data::openZipEntry(archive, *weights, job));
    TW_ASSIGN(auto contents, readHdf5(image.all(), name + ":model.weights.h5", job));
    imported.optimizer = takeOptimizer(contents, compile == read.document.end() ? std::string() : optimizerClass(*compile));
    auto const inner = read.document.find("config");
    TW_ASSIGN(imported.layers, layersInKerasArchive(std::move(contents), inner == read.document.end() ? Json::object() : *inner, name));
    return imported;
}

} // namespace tilewright::interop
