#include "engine/interop/completion.h"

#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/model/keras_json.h"
#include "engine/model/outline.h"
#include "engine/model/placeholder.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

constexpr std::size_t kMostPasses = 1000; ///< through a chain of layers that fail one after the other

Diagnostic badAnswer(char const *option, Message message, Message remedy)
{
    return makeError(ErrorKind::Usage, "cli.value", option, std::move(message), std::move(remedy));
}

Result<model::Layer *> layerNamed(model::Model &model, std::string const &name)
{
    if (auto *layer = model.find(name)) return layer;
    std::vector<std::string> names;
    for (auto const &layer : model.layers) names.push_back(layer.name);
    return makeError(ErrorKind::Invalid, "model.no-layer", name, Message::of("the model has no layer named '%1'", name),
                     model::suggestion(name, names));
}

Status replace(model::Model &model, Completion::Replacement const &answer)
{
    TW_ASSIGN(auto *layer, layerNamed(model, answer.layer));
    auto config = answer.config;
    // The first layer of a Sequential model says the shape of the input.
    if (layer->config.contains("batch_input_shape") && !config.contains("batch_input_shape"))
        config["batch_input_shape"] = layer->config["batch_input_shape"];
    layer->className = answer.className;
    layer->config = std::move(config);
    for (auto &call : layer->calls) call.arguments = Json::object();
    model::normalizeLayer(*layer);
    return model::checkLayer(*layer);
}

Status setShape(model::Model &model, std::string const &name, Shape const &shape)
{
    TW_ASSIGN(auto *layer, layerNamed(model, name));
    if (!model::isPlaceholder(*layer)) model::holdPlace(*layer);
    auto facts = model::placeholderIn(layer->config);
    facts.outputs.front() = shape;
    layer->config = model::placeholderConfig(facts);
    model::normalizeLayer(*layer);
    return model::checkLayer(*layer);
}

/// The layer with this problem, if it can stay as a placeholder; else null. An open input is a question of its own; a graph that is not
/// sound has no layers to keep.
model::Layer *layerToHold(model::Model &model, Diagnostic const &problem)
{
    static std::set<std::string> const codes{
        "model.unknown-layer",       "model.unsupported",         "model.unknown-argument",   "model.shape", "model.unknown-activation",
        "model.unknown-initializer", "model.unknown-regularizer", "model.unknown-constraint", "model.mask"};
    if (problem.severity != Severity::Error || !codes.contains(problem.code)) return nullptr;
    auto *layer = model.find(problem.subject);
    // The subject may be the layer inside a wrapper.
    for (auto &each : model.layers)
        if (auto const status = layer ? Status() : model::checkLayer(each); !status.ok() && status.error() == problem) layer = &each;
    return layer && layer->className != "InputLayer" && !model::isPlaceholder(*layer) ? layer : nullptr;
}

/// Names for the arrays of a layer: "my_layer/kernel:0" is "kernel".
std::vector<model::PlaceholderWeight> weightsOf(std::string const &layer, std::vector<FileArray> const &arrays)
{
    std::vector<model::PlaceholderWeight> weights;
    std::set<std::string> names;
    for (auto const &array : arrays) {
        auto name = array.path;
        if (auto const mark = name.rfind(':'); mark != std::string::npos) name.resize(mark);
        for (auto at = name.find(layer + "/"); at != std::string::npos; at = name.find(layer + "/"))
            name = name.substr(at + layer.size() + 1);
        // A group of an archive that has the name of the class: layers/my_class_1/vars/0.
        if (name.starts_with("layers/"))
            if (auto const mark = name.find('/', 7); mark != std::string::npos) name = name.substr(mark + 1);
        std::ranges::replace(name, '/', '_');
        if (name.empty()) name = "weight";
        auto unique = name;
        for (int i = 1; !names.insert(unique).second; ++i) unique = name + "_" + std::to_string(i);
        weights.push_back({std::move(unique), array.shape});
    }
    return weights;
}

class Completer {
public:
    Completer(Imported &imported, JobContext const &job) : m_model(imported.project.model), m_layers(imported.layers), m_job(job)
    {
        for (auto &layer : m_layers) m_arrays.emplace(layer.layer, &layer);
    }

    Status run(Completion const &answers)
    {
        for (auto const &answer : answers.sizes) TW_TRY(model::closeInput(m_model, answer.input, answer.sizes));
        for (auto const &answer : answers.replacements) TW_TRY(replace(m_model, answer));
        for (auto const &answer : answers.shapes) TW_TRY(setShape(m_model, answer.layer, answer.shape));
        for (auto &layer : m_model.layers) {
            if (model::isPlaceholder(layer)) takeWeights(layer);
            if (layer.className == "GRU") takeReset(layer);
        }
        for (std::size_t pass = 0; pass < kMostPasses; ++pass) {
            m_outline = model::outlineOf(m_model);
            if (!holdFailing() && !inferShapes()) break;
        }
        tell();
        return {};
    }

private:
    bool holdFailing()
    {
        bool any = false;
        for (auto const &problem : m_outline.problems) {
            auto *const found = layerToHold(m_model, problem);
            if (!found) continue;
            auto &layer = *found;
            m_reasons[layer.name] = problem.message;
            model::holdPlace(layer);
            takeWeights(layer);
            any = true;
        }
        return any;
    }

    /// The layer's arrays in the file are the placeholder's weights. Whole numbers are no weights here.
    void takeWeights(model::Layer &layer)
    {
        auto const found = m_arrays.find(layer.name);
        if (found == m_arrays.end() || !layer.within.empty()) return;
        auto &arrays = found->second->arrays;
        auto const whole = std::erase_if(arrays, [](auto const &array) { return array.dtype != DType::F32; });
        if (whole > 0)
            m_job.warn(makeWarning("import.weights-left-out", layer.name,
                                   Message::of("%1 arrays of whole numbers of this layer were left out.", whole)));
        auto facts = model::placeholderIn(layer.config);
        facts.weights = weightsOf(layer.name, arrays);
        layer.config = model::placeholderConfig(facts);
        model::normalizeLayer(layer);
    }

    /// Early versions of Keras 2 have no reset_after, and one bias: of the matrix products together.
    void takeReset(model::Layer &layer) const
    {
        auto const found = m_arrays.find(layer.name);
        if (found == m_arrays.end() || found->second->arrays.size() != 3 || !layer.flag("reset_after")) return;
        if (found->second->arrays.back().shape == Shape{3 * layer.integer("units")}) layer.config["reset_after"] = false;
    }

    /// The extent that the weights of a layer require of its input's last axis; 0: they tell nothing.
    std::int64_t lastAxis(model::Layer const &layer) const
    {
        auto const found = m_arrays.find(layer.name);
        if (found == m_arrays.end() || found->second->arrays.empty()) return 0;
        auto const &shape = found->second->arrays.front().shape;
        static constexpr std::array rows{"Dense", "LSTM", "GRU", "SimpleRNN"};
        if (std::ranges::find(rows, layer.className) != rows.end()) return shape.size() == 2 ? shape[0] : 0;
        if (layer.className == "BatchNormalization") return shape.size() == 1 ? shape[0] : 0;
        static constexpr std::array kernels{"Conv1D", "Conv2D", "Conv3D"};
        bool const first = layer.config.value("data_format", Json()) == "channels_first";
        if (std::ranges::find(kernels, layer.className) == kernels.end() || first || layer.integer("groups") > 1 || shape.size() < 3)
            return 0;
        return shape[shape.size() - 2];
    }

    /// What the layers behind a call require of the last axis of its output. Looks through layers that leave the last axis as it is.
    std::int64_t required(std::size_t call, std::set<std::size_t> &seen, bool &flat) const
    {
        static constexpr std::array passing{"Activation", "Dropout", "ReLU",          "LeakyReLU",
                                            "ELU",        "Masking", "GaussianNoise", "GaussianDropout"};
        auto const &calls = m_outline.model.calls;
        for (std::size_t user = call + 1; user < calls.size(); ++user) {
            if (std::ranges::find(calls[user].inputs, call) == calls[user].inputs.end() || !seen.insert(user).second) continue;
            auto const &layer = m_outline.model.layerOf(user).layer;
            bool const passes = std::ranges::find(passing, layer.className) != passing.end();
            bool const open = model::isPlaceholder(layer) && calls[user].inputs.size() == 1
                && model::placeholderIn(layer.config).outputs == std::vector<Shape>{Shape()};
            flat = flat && (passes || open || layer.className == "Dense");
            auto const extent = passes || open ? required(user, seen, flat) : lastAxis(layer);
            if (extent > 0) return extent;
        }
        return 0;
    }

    /// A placeholder in front of a layer whose weights tell its input: it keeps the shape of its own input if the last axis agrees, or
    /// makes a row of numbers from a row of numbers.
    bool inferShapes()
    {
        bool any = false;
        auto const &model = m_outline.model;
        for (std::size_t i = 0; i < model.calls.size(); ++i) {
            auto const &call = model.calls[i];
            auto const &owner = model.layers[call.layer].layer;
            if (!model::isPlaceholder(owner) || call.tensor > 0 || call.node > 0 || !call.shape.empty() || call.inputs.empty()) continue;
            auto facts = model::placeholderIn(owner.config);
            auto shape = model.calls[call.inputs.front()].shape;
            if (facts.outputs.size() != 1 || !facts.outputs.front().empty() || shape.empty()) continue;
            std::set<std::size_t> seen;
            bool flat = true;
            auto const extent = required(i, seen, flat);
            if (extent == 0 || (shape.back() != extent && (shape.size() != 2 || !flat))) continue;
            shape.back() = extent;
            auto &layer = *m_model.find(owner.name);
            facts.outputs.front() = shape;
            layer.config = model::placeholderConfig(facts);
            model::normalizeLayer(layer);
            m_inferred.insert(owner.name);
            any = true;
        }
        return any;
    }

    void tell() const
    {
        for (auto const &layer : m_model.layers) {
            if (!model::isPlaceholder(layer)) continue;
            auto const facts = model::placeholderIn(layer.config);
            bool const known = std::ranges::none_of(facts.outputs, &Shape::empty);
            auto const shape = known ? toText(facts.outputs.front()) : std::string();
            auto const reason = m_reasons.find(layer.name);
            m_job.warn(makeWarning(
                "import.placeholder", layer.name,
                reason != m_reasons.end()             ? Message::of("this layer stays as a placeholder, because %1.", reason->second)
                    : m_inferred.contains(layer.name) ? Message::of(
                          "layer class %1 is not supported: it stays as a placeholder. Its output shape %2 follows from the weights "
                          "of the layers behind it.",
                          facts.className, shape)
                    : known ? Message::of("layer class %1 is not supported: it stays as a placeholder of shape %2.", facts.className, shape)
                            : Message::of("layer class %1 is not supported: it stays as a placeholder of unknown shape.", facts.className),
                known ? Message::of("To train, replace it: --replace '%1=CLASS{…}'.", layer.name)
                      : Message::of("Give its output shape: --shape '%1=[…]'. Or replace it: --replace '%1=CLASS{…}'.", layer.name)));
        }
    }

    model::Model &m_model;
    std::vector<LayerArrays> &m_layers;
    JobContext const &m_job;
    std::map<std::string, LayerArrays *> m_arrays;
    std::map<std::string, Message> m_reasons;
    std::set<std::string> m_inferred;
    model::Outline m_outline;
};

} // namespace

std::vector<OpenPlace> openPlaces(model::Model const &model)
{
    std::vector<OpenPlace> places;
    for (auto const &layer : model.layers) {
        auto const shape = layer.config.find("batch_input_shape");
        if (layer.className != "InputLayer" || shape == layer.config.end() || !shape->is_array()) continue;
        OpenPlace place{OpenPlace::Kind::Size, layer.name, layer.className, 0, {}, {}, {}};
        for (std::size_t i = 0; i < shape->size(); ++i) {
            bool const open = !(*shape)[i].is_number_integer();
            if (open && i > 0) ++place.axes;
            place.output.push_back(open ? -1 : (*shape)[i].get<std::int64_t>());
        }
        if (place.axes > 0) places.push_back(std::move(place));
    }
    auto const outline = model::outlineOf(model);
    for (auto const &layer : model.layers) {
        if (!model::isPlaceholder(layer)) continue;
        auto facts = model::placeholderIn(layer.config);
        OpenPlace place{OpenPlace::Kind::Layer, layer.name, facts.className, 0, {}, facts.outputs.front(), std::move(facts.weights)};
        auto const &calls = outline.model.calls;
        for (std::size_t i = 0; i < calls.size() && place.input.empty(); ++i)
            if (outline.model.layerOf(i).layer.name == layer.name && calls[i].tensor == 0 && !calls[i].inputs.empty())
                place.input = calls[calls[i].inputs.front()].shape;
        places.push_back(std::move(place));
    }
    return places;
}

std::optional<OpenPlace> openPlaceOf(Diagnostic const &error, std::string const &file)
{
    auto const before = file + ": ";
    if (error.code != "import.open-shape" || !error.subject.starts_with(before)) return std::nullopt;
    return OpenPlace{OpenPlace::Kind::Size, error.subject.substr(before.size()), {}, 0, {}, {}, {}};
}

Result<Imported> importCompleted(std::filesystem::path const &path, Completion const &answers, JobContext const &job)
{
    OpenSizes sizes;
    for (auto const &size : answers.sizes) sizes[size.input] = size.sizes;
    TW_ASSIGN(auto imported, importModel(path, job, sizes));
    auto rest = answers;
    std::erase_if(rest.sizes, [&](auto const &size) { return imported.closedInputs.contains(size.input); });
    TW_TRY(complete(imported, rest, job));
    return imported;
}

Result<Completion::Size> sizeFromText(std::string const &text)
{
    auto const equals = text.rfind('=');
    Completion::Size answer;
    if (equals != std::string::npos && equals > 0) {
        answer.input = text.substr(0, equals);
        for (auto const &part : splitText(text.substr(equals + 1), ',')) {
            auto const number = parseInteger(part);
            if (!number || *number < 1 || *number > 1'000'000'000) {
                answer.sizes.clear();
                break;
            }
            answer.sizes.push_back(*number);
        }
    }
    if (!answer.sizes.empty()) return answer;
    return badAnswer("--size", Message::of("'%1' is not an input and its size.", text),
                     Message::of("Write NAME=N, such as --size words=80, or a size for each open axis: --size image=224,224."));
}

Result<Completion::OutputShape> shapeFromText(std::string const &text)
{
    auto const equals = text.rfind('=');
    auto const json = equals == std::string::npos ? Json() : jsonOrDiscarded(text.substr(equals + 1));
    Completion::OutputShape answer;
    bool good = equals != std::string::npos && equals > 0 && json.is_array();
    if (good) {
        answer.layer = text.substr(0, equals);
        answer.shape.push_back(-1);
        bool const batch = !json.empty() && json.front().is_null();
        for (std::size_t i = batch ? 1 : 0; i < json.size(); ++i) {
            good = good && json[i].is_number_integer() && json[i].get<double>() >= 1 && json[i].get<double>() <= 1e9;
            if (good) answer.shape.push_back(json[i].get<std::int64_t>());
        }
    }
    if (good) return answer;
    return badAnswer("--shape", Message::of("'%1' is not a layer and the shape of its output.", text),
                     Message::of("Write LAYER=[…] with the extents of one sample, such as --shape 'lambda=[28,28,3]'."));
}

Result<Completion::Replacement> replacementFromText(std::string const &text)
{
    auto const brace = text.find('{');
    auto const head = text.substr(0, brace);
    auto const equals = head.rfind('=');
    Completion::Replacement answer;
    if (equals != std::string::npos) {
        answer.layer = head.substr(0, equals);
        answer.className = head.substr(equals + 1);
    }
    if (brace != std::string::npos) answer.config = jsonOrDiscarded(text.substr(brace));
    if (!answer.layer.empty() && !answer.className.empty() && answer.config.is_object()) return answer;
    return badAnswer(
        "--replace", Message::of("'%1' is not a layer and the class to replace it.", text),
        Message::of("Write LAYER=CLASS or LAYER=CLASS{…} with its arguments as JSON, such as --replace 'lambda=ReLU{\"max_value\": 6}'."));
}

Status complete(Imported &imported, Completion const &answers, JobContext const &job) { return Completer(imported, job).run(answers); }

} // namespace tilewright::interop
