#include "app/python/project_object.h"

#include "app/python/arrays.h"
#include "engine/model/initializers.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"
#include "engine/model/summary.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/workspace/project_store.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>

namespace tilewright::python {

namespace {

ProjectObject fromKeras(std::string const &text)
{
    ProjectObject object;
    object.project.model = orThrow(model::parseKerasJson(text));
    return object;
}

ProjectObject openFile(std::string const &path)
{
    ProjectObject object;
    object.project = orThrow(workspace::openProject(path, &object.warnings)).project;
    return object;
}

py::object weightsOf(std::string const &path)
{
    auto const open = orThrow(workspace::openProject(path, nullptr));
    auto const state = orThrow(workspace::lastCheckpoint(open));
    return state ? py::object(toNumpy(state->tensors)) : py::object(py::none());
}

void save(ProjectObject const &object, std::string const &path, std::optional<py::dict> const &weights)
{
    orThrow(workspace::createProject(path, object.project, true));
    if (!weights) return;
    auto const state = orThrow(stateFrom(*weights, orThrow(initialState(object.project))));
    if (std::string_view(path).ends_with(".json"))
        throw Failure(makeError(ErrorKind::Usage, "python.twin", path, Message::of("a project in JSON holds no weights."),
                                Message::of("Give the file the ending .tilewright.")));
    orThrow(runtime::writeLastCheckpoint(path, state));
}

py::list extents(Shape const &shape)
{
    py::list list;
    for (auto const extent : shape) list.append(extent < 0 ? py::object(py::none()) : py::object(py::int_(extent)));
    return list;
}

/// One row for each layer, in the model's order.
py::list layersOf(ProjectObject const &object)
{
    auto const resolved = orThrow(model::resolve(object.project.model));
    py::list rows;
    for (auto const &layer : resolved.layers) {
        py::list shapes, dtypes, inputs, weights;
        for (auto const call : layer.calls) {
            shapes.append(extents(resolved.calls[call].shape));
            dtypes.append(numpyName(resolved.calls[call].dtype));
            for (auto const input : resolved.calls[call].inputs) {
                auto const &from = resolved.calls[input];
                inputs.append(py::make_tuple(resolved.layers[from.layer].layer.name, from.node, from.tensor));
            }
        }
        for (auto const &weight : layer.weights) {
            py::dict row;
            row["name"] = layer.layer.name + "/" + weight.name;
            row["shape"] = extents(weight.shape);
            row["dtype"] = numpyName(weight.dtype);
            row["trainable"] = weight.trainable;
            weights.append(row);
        }
        py::dict row;
        row["name"] = layer.layer.name;
        row["class"] = layer.layer.className;
        row["output_shapes"] = shapes;
        row["output_dtypes"] = dtypes;
        row["inputs"] = inputs;
        row["weights"] = weights;
        rows.append(row);
    }
    return rows;
}

py::array initialValues(std::string const &initializer, Shape const &shape, std::uint64_t seed)
{
    auto const json = model::parseJson(initializer, "initializer");
    auto const parsed = orThrow(model::parseInitializer(json.ok() ? *json : model::Json(initializer)));
    return toNumpy(shape, orThrow(model::initialize(parsed, shape, seed)));
}

std::vector<std::string> takeWarnings(ProjectObject &object)
{
    std::vector<std::string> texts;
    for (; object.told < object.warnings.all().size(); ++object.told) texts.push_back(toText(object.warnings.all()[object.told]));
    return texts;
}

} // namespace

Result<runtime::TrainingState> initialState(project::Project const &project)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const values, model::initialWeights(resolved, static_cast<std::uint64_t>(project.training.seed)));
    runtime::TrainingState state;
    auto const order = model::weightOrder(resolved);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const &weight = resolved.layers[order[i].layer].weights[order[i].weight];
        // Python's values are float32, as Keras's are; the run rounds them to the type of its variables.
        runtime::StateTensor tensor{model::weightPath(resolved, order[i]), DType::F32, weight.shape,
                                    std::vector<std::byte>(values[i].size() * sizeof(float))};
        std::memcpy(tensor.bytes.data(), values[i].data(), tensor.bytes.size());
        state.tensors.push_back(std::move(tensor));
    }
    return state;
}

void defineProject(py::module_ &module)
{
    py::class_<ProjectObject>(module, "Project", "A model with its system, training plan and data source: what a .tilewright file holds.")
        .def_static("from_keras", &fromKeras, py::arg("text"), "A project from the JSON of a Keras model.")
        .def_static("open", &openFile, py::arg("path"), "Opens a .tilewright file or its JSON twin.")
        .def_static(
            "template",
            [](std::string const &name) {
                ProjectObject object;
                object.project = orThrow(project::fromTemplate(name));
                return object;
            },
            py::arg("name"), "A built-in project.")
        .def_static("weights_of", &weightsOf, py::arg("path"), "The weights that a .tilewright file holds, by name; None without any.")
        .def("save", &save, py::arg("path"), py::arg("weights") = std::nullopt,
             "Writes the project, replacing the file, and weights into it.")
        .def(
            "set",
            [](ProjectObject &object, std::string const &field, std::string const &text) {
                object.project = orThrow(project::withField(object.project, field, text, &object.warnings));
            },
            py::arg("field"), py::arg("text"), "Sets a field, such as training.batch_size, from its text.")
        .def(
            "get", [](ProjectObject const &object, std::string const &field) { return orThrow(project::field(object.project, field)); },
            py::arg("field") = "", "A field as text; '' is the whole project as JSON.")
        .def(
            "copy",
            [](ProjectObject const &object) {
                ProjectObject copy;
                copy.project = object.project;
                return copy;
            },
            "An independent copy.")
        .def(
            "keras_json", [](ProjectObject const &object) { return model::printKerasJson(object.project.model); },
            "The model as Keras's to_json writes it.")
        .def(
            "summary",
            [](ProjectObject const &object) { return model::summaryText(model::summarize(orThrow(model::resolve(object.project.model)))); },
            "The text of Keras's summary().")
        .def(
            "stage_summary", [](ProjectObject const &object) { return orThrow(model::stageSummary(object.project.model)); },
            "The table of the pipeline stages, one row for each call of a layer.")
        .def("layers", &layersOf, "One dict for each layer: name, class, shapes and types of its outputs, inputs and weights.")
        .def(
            "initial_weights", [](ProjectObject const &object) { return toNumpy(orThrow(initialState(object.project)).tensors); },
            "The first values of all weights, by name, from their initializers and training.seed.")
        .def("take_warnings", &takeWarnings, "The warnings since the last call, as texts.");
    module.def("initial_values", &initialValues, py::arg("initializer"), py::arg("shape"), py::arg("seed"),
               "The first values of a weight that stands alone. The initializer is a name or Keras's class_name and config, as JSON.");
}

} // namespace tilewright::python
