#include "engine/interop/python_script.h"

#include "engine/core/ascii.h"
#include "engine/core/text.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace tilewright::interop {

namespace {

using model::Json;
using model::OrderedJson;

Diagnostic refused(std::string subject, Message why, Message remedy)
{
    return makeError(ErrorKind::Invalid, "export.python", std::move(subject), std::move(why), std::move(remedy));
}

/// A value as Python writes it.
std::string literal(Json const &value)
{
    if (value.is_null()) return "None";
    if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
    std::string text;
    if (value.is_array()) {
        for (auto const &item : value) text += (text.empty() ? "" : ", ") + literal(item);
        return "[" + text + "]";
    }
    if (value.is_object()) {
        for (auto const &[key, item] : value.items()) text += (text.empty() ? "" : ", ") + Json(key).dump() + ": " + literal(item);
        return "{" + text + "}";
    }
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// `module.Class(a=…)` of a class name with its arguments; null arguments are left out.
std::string callText(std::string const &module, Json const &value)
{
    std::string text;
    for (auto const &[key, item] : value.at("config").items())
        if (!item.is_null()) text += (text.empty() ? "" : ", ") + key + "=" + literal(item);
    return module + "." + value.at("class_name").get<std::string>() + "(" + text + ")";
}

bool isClass(Json const &value) { return value.is_object() && value.contains("class_name") && value.contains("config"); }

/// Arguments of a layer that differ from their defaults.
std::string layerArguments(model::Layer const &layer, bool first)
{
    std::string text;
    auto const add = [&](std::string const &key, std::string const &value) { text += key + "=" + value + ", "; };
    for (auto const &[key, value] : layer.config.items()) {
        if (key == "name") continue;
        if (key == "batch_input_shape") {
            if (!first) continue;
            if (value.at(0).is_null()) add("input_shape", literal(Json(std::vector<Json>(value.begin() + 1, value.end()))));
            else add(key, literal(value));
            continue;
        }
        auto fewer = layer.config;
        fewer.erase(key);
        auto const plain = model::makeLayer(layer.className, layer.name, std::move(fewer));
        if (plain.config.contains(key) && plain.config[key] == value) continue;
        auto const ends = [&](char const *suffix) { return key.ends_with(suffix) && isClass(value); };
        if (ends("_initializer")) add(key, callText("keras.initializers", value));
        else if (ends("_regularizer")) add(key, callText("keras.regularizers", value));
        else if (ends("_constraint")) add(key, callText("keras.constraints", value));
        else if (isClass(value)) {
            auto inner = value["config"];
            std::string const name = inner.value("name", "");
            inner.erase("name");
            auto const wrapped = model::makeLayer(value["class_name"].get<std::string>(), name, std::move(inner));
            add(key, "keras.layers." + wrapped.className + "(" + layerArguments(wrapped, false) + ")");
        } else add(key, literal(value));
    }
    return text + "name=" + Json(layer.name).dump();
}

std::string layerText(model::Layer const &layer, bool first)
{
    return "keras.layers." + layer.className + "(" + layerArguments(layer, first) + ")";
}

/// A name of Python for a layer's output.
std::string variableOf(std::string const &name)
{
    std::string text;
    for (char const c : name) text += isAsciiAlnum(c) ? c : '_';
    return "x_" + text;
}

/// Writes the lines of one script.
class Writer {
public:
    Writer(project::Project const &project, std::string arrays, double scale)
        : m_project(project), m_arrays(std::move(arrays)), m_scale(scale)
    {
    }

    Result<PythonScript> write()
    {
        TW_ASSIGN(m_model, model::resolve(m_project.model));
        TW_TRY(readFields());
        m_ipus = m_project.target != "cpu";
        head();
        if (m_ipus) TW_TRY(configure());
        data();
        line("tf.random.set_seed(" + literal(m_training["seed"]) + ")");
        if (m_ipus) {
            line("strategy = ipu.ipu_strategy.IPUStrategy()");
            line("with strategy.scope():");
            m_indent = "    ";
        }
        if (m_model.kind == model::ModelKind::Sequential) sequential();
        else TW_TRY(functional());
        if (m_ipus && m_model.pipelined()) TW_TRY(stages());
        TW_TRY(compile());
        if (m_ipus) options();
        fit();
        return std::move(m_script);
    }

private:
    void line(std::string const &text) { m_script.text += text.empty() ? "\n" : m_indent + text + "\n"; }
    bool differs(char const *key) const { return m_training[key] != m_plain[key]; }

    /// Reads the plan; what a script cannot express is refused by its field.
    Status readFields()
    {
        auto const parse = [](project::Project const &project, char const *part) -> Result<Json> {
            TW_ASSIGN(auto const text, project::field(project, part));
            return model::parseJson(text, part);
        };
        TW_ASSIGN(m_training, parse(m_project, "training"));
        TW_ASSIGN(m_plain, parse(project::Project{}, "training"));
        static std::set<std::string, std::less<>> const written{"loss",
                                                                "loss_weights",
                                                                "class_weight",
                                                                "optimizer",
                                                                "metrics",
                                                                "batch_size",
                                                                "epochs",
                                                                "steps_per_epoch",
                                                                "steps_per_execution",
                                                                "prefetch_depth",
                                                                "accumulate_outfeed",
                                                                "gradient_accumulation_steps",
                                                                "gradient_accumulation_reduction",
                                                                "replicas",
                                                                "pipeline_schedule",
                                                                "device_mapping",
                                                                "offload_weight_update_variables",
                                                                "offload_gradient_accumulation_buffers",
                                                                "offload_weights",
                                                                "replicated_optimizer_state_sharding",
                                                                "replicated_weight_sharding",
                                                                "offload_activations",
                                                                "recomputation_mode",
                                                                "seed",
                                                                "shuffle",
                                                                "validation_freq",
                                                                "validation_split"};
        for (auto const &[key, value] : m_training.items())
            if (!written.contains(key) && value != m_plain[key])
                return refused("training." + key, Message::of("a script for TensorFlow cannot express this field."),
                               Message::of("Set it to %1 first.", m_plain[key].dump()));
        if (!m_project.engineOptions.empty())
            return refused("engine_options", Message::of("a script cannot set options of the engine."),
                           Message::of("Remove them, and set POPLAR_ENGINE_OPTIONS when the script runs."));
        if (m_project.data.convert != "host" || !m_project.data.sampleWeight.empty() || !m_project.data.validationPath.empty())
            return refused("data",
                           Message::of("a script is not written for data with weights, with validation samples of their own, or that "
                                       "the device converts."),
                           Message::of("Reset data.sample_weight, data.validation_path and data.convert."));
        if (m_model.calls.empty() || m_model.trainableParameters() == 0)
            return refused("model", Message::of("the model has no layers with weights: a script could train nothing."),
                           Message::of("Add layers first."));
        return {};
    }

    void head()
    {
        line(kPythonHead);
        if (!m_project.title.empty()) line("# " + m_project.title);
        m_script.readsArrays = !isMnist(m_project);
        if (m_script.readsArrays) line("import os\n");
        line("import numpy as np");
        line("import tensorflow as tf");
        line("from tensorflow import keras");
        if (m_ipus) line("from tensorflow.python import ipu");
        line("");
    }

    Status configure()
    {
        auto const ipus = model::ipusOf(model::stageIpus(m_project.training.deviceMapping, std::max(1, m_model.stages())));
        TW_ASSIGN(auto const machine, project::machineOf(m_project));
        // One replica means as many as fit, as for `train`.
        auto const wanted = static_cast<int>(m_project.training.replicas);
        auto const replicas = std::max(1, wanted > 1 ? wanted : machine.ipus / ipus);
        line("config = ipu.config.IPUConfig()");
        line("config.auto_select_ipus = " + std::to_string(ipus * replicas));
        TW_ASSIGN(auto const text, project::field(m_project, "ipu_config"));
        TW_ASSIGN(auto const set, model::parseJson(text, "ipu_config"));
        TW_ASSIGN(auto const plainText, project::field(project::Project{}, "ipu_config"));
        TW_ASSIGN(auto const plain, model::parseJson(plainText, "ipu_config"));
        std::function<void(Json const &, Json const &, std::string const &)> const options = [&](Json const &group, Json const &other,
                                                                                                 std::string const &path) {
            for (auto const &[key, value] : group.items()) {
                auto const before = other.contains(key) ? other[key] : Json();
                if (value == before || path + key == "auto_select_ipus") continue;
                if (value.is_object() && before.is_object() && !before.empty()) options(value, before, path + key + ".");
                else line("config." + path + key + " = " + optionText(path + key, value));
            }
        };
        options(set, plain, "");
        line("config.configure_ipu_system()");
        line("");
        return {};
    }

    /// A value of an option: enumerations have classes of their own.
    static std::string optionText(std::string const &path, Json const &value)
    {
        static std::map<std::string, std::string, std::less<>> const classes{
            {"device_connection.type", "DeviceConnectionType"},
            {"selection_order", "SelectionOrder"},
            {"optimizations.merge_remote_buffers", "MergeRemoteBuffersBehaviour"},
            {"scheduling.algorithm", "SchedulingAlgorithm"},
            {"floating_point_behaviour.esr", "StochasticRoundingBehaviour"}};
        auto const known = classes.find(path);
        return known != classes.end() && value.is_string() ? "ipu.config." + known->second + "." + value.get<std::string>()
                                                           : literal(value);
    }

    void data()
    {
        if (!m_script.readsArrays) {
            line("# `tilewright train` reads the drawn digits; with a mnist.npz the script trains on MNIST itself.");
            line("(x_train, y_train), _ = keras.datasets.mnist.load_data()");
            line("x_train = x_train.astype(\"float32\") * np.float32(1 / 255)");
            line("");
            return;
        }
        line("arrays = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), " + Json(m_arrays).dump() + "))");
        auto const named = [&](std::vector<std::size_t> const &calls, char const *kind) {
            std::string text;
            for (auto const call : calls) {
                std::string const name = m_model.layerOf(call).layer.name, key = Json(std::string(kind) + "/" + name).dump();
                bool const scaled = kind == std::string("x") && m_scale != 1;
                text += (text.empty() ? "" : ", ") + Json(name).dump() + ": arrays[" + key + "]"
                    + (scaled ? ".astype(\"float32\") * np.float32(" + Json(m_scale).dump() + ")" : "");
            }
            return "{" + text + "}";
        };
        m_script.scale = m_scale;
        line("x_train = " + named(m_model.inputs, "x"));
        line("y_train = " + named(m_model.outputs, "y"));
        line("");
    }

    void sequential()
    {
        line("model = keras.Sequential([");
        bool first = true;
        for (auto const &layer : m_model.layers) {
            if (layer.layer.className == "InputLayer") {
                // A first layer with its shape makes the same input.
                auto const &next = m_model.layers[1].layer;
                if (!next.config.contains("batch_input_shape")) line("    " + inputText(layer.layer) + ",");
                continue;
            }
            line("    " + layerText(layer.layer, first) + ",");
            first = false;
        }
        line("], name=" + Json(m_model.name).dump() + ")");
    }

    static std::string inputText(model::Layer const &layer)
    {
        auto const &shape = layer.config.at("batch_input_shape");
        std::string text = "keras.Input(" + literal(Json(std::vector<Json>(shape.begin() + 1, shape.end())));
        if (!shape.at(0).is_null()) text += ", batch_size=" + literal(shape.at(0));
        return text + ", dtype=" + literal(layer.config.at("dtype")) + ", name=" + Json(layer.name).dump() + ")";
    }

    /// The variable of a call: its output, or a list of several.
    std::string variableOfCall(std::size_t call) const
    {
        auto const &from = m_model.calls[call];
        auto const name = variableOf(m_model.layerOf(call).layer.name);
        return from.node == 0 ? name : name + "_call_" + std::to_string(from.node);
    }

    /// The expression of a call's output.
    std::string valueOf(std::size_t call) const
    {
        auto const &from = m_model.calls[call];
        if (from.tensor != 0) return variableOfCall(from.inputs.front()) + "[" + std::to_string(from.tensor) + "]";
        bool const several = m_model.layerOf(call).layer.config.value("return_state", false);
        return variableOfCall(call) + (several ? "[0]" : "");
    }

    Status functional()
    {
        for (std::size_t i = 0; i < m_model.calls.size(); ++i) {
            auto const &call = m_model.calls[i];
            auto const &layer = m_model.layerOf(i);
            if (call.tensor != 0) continue;
            if (layer.layer.className == "InputLayer") {
                line(variableOfCall(i) + " = " + inputText(layer.layer));
                continue;
            }
            auto const node = static_cast<std::size_t>(call.node);
            if (node < layer.layer.calls.size() && !layer.layer.calls[node].arguments.empty())
                return refused(layer.layer.name, Message::of("a script is not written for the arguments of this layer's call."),
                               Message::of("Call the layer without them."));
            std::string function = layerText(layer.layer, false);
            if (layer.layer.calls.size() > 1) { // a shared layer
                auto const name = "layer_" + variableOf(layer.layer.name);
                if (call.node == 0) line(name + " = " + function);
                function = name;
            }
            line(variableOfCall(i) + " = " + function + "(" + inputsText(layer.layer, call) + ")");
        }
        auto const list = [&](std::vector<std::size_t> const &calls) {
            std::vector<std::string> names;
            for (auto const call : calls) names.push_back(valueOf(call));
            return names.size() == 1 ? names.front() : "[" + joinText(names, ", ") + "]";
        };
        line("model = keras.Model(" + list(m_model.inputs) + ", " + list(m_model.outputs) + ", name=" + Json(m_model.name).dump() + ")");
        return {};
    }

    std::string inputsText(model::Layer const &layer, model::ResolvedCall const &call) const
    {
        std::vector<std::string> all;
        for (auto const input : call.inputs) all.push_back(valueOf(input));
        if (all.size() == 1) return all.front();
        if (layer.className == "MultiHeadAttention") return joinText(all, ", ");
        static std::array const recurrent{"LSTM", "GRU", "SimpleRNN", "Bidirectional", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"};
        if (std::ranges::find(recurrent, layer.className) != recurrent.end())
            return all.front() + ", initial_state=[" + joinText(std::vector<std::string>(all.begin() + 1, all.end()), ", ") + "]";
        return "[" + joinText(all, ", ") + "]";
    }

    Status stages()
    {
        TW_ASSIGN(auto const list, model::stageAssignment(m_project.model));
        Json numbers = Json::array();
        for (auto const &entry : list) numbers.push_back(entry.stage);
        line("assignments = model.get_pipeline_stage_assignment()");
        line("for assignment, stage in zip(assignments, " + literal(numbers) + "):");
        line("    assignment.pipeline_stage = stage");
        line("model.set_pipeline_stage_assignment(assignments)");
        return {};
    }

    Status compile()
    {
        auto const &optimizer = m_training["optimizer"];
        if (!isClass(optimizer))
            return refused("training.optimizer", Message::of("a script is not written for several optimizers."),
                           Message::of("Choose one for all weights."));
        // Keras has no optimizer with exceptions for some weights.
        for (auto const &[key, value] : optimizer["config"].items())
            if (key.starts_with("exclude"))
                return refused("training.optimizer",
                               Message::of("Keras 2.6 has no optimizer %1.", optimizer["class_name"].get<std::string>()),
                               Message::of("Choose another one, for example Adam."));
        for (auto const &[key, value] : optimizer["config"].items())
            if (key.find("loss_scal") != std::string::npos && value != false && !value.is_null() && value != 1.0)
                return refused("training.optimizer." + key, Message::of("a script is not written for loss scaling."),
                               Message::of("Reset it first."));
        auto made = withoutDefaults("training.optimizer", optimizer);
        auto const &rate = optimizer["config"]["learning_rate"];
        made["config"].erase("learning_rate");
        std::string text = "keras.optimizers." + optimizer["class_name"].get<std::string>() + "("
            + (isClass(rate) ? callText("keras.optimizers.schedules", rate) : literal(rate));
        for (auto const &[key, value] : made["config"].items()) text += ", " + key + "=" + literal(value);
        line("model.compile(");
        line("    optimizer=" + text + "),");
        line("    loss=" + lossText(m_training["loss"]) + ",");
        if (differs("loss_weights")) line("    loss_weights=" + literal(m_training["loss_weights"]) + ",");
        auto const metrics = metricsText(m_training["metrics"]);
        if (metrics != "[]") line("    metrics=" + metrics + ",");
        if (differs("steps_per_execution")) line("    steps_per_execution=" + literal(m_training["steps_per_execution"]) + ",");
        line(")");
        return {};
    }

    /// A class without the arguments that have their defaults, and without its name.
    static Json withoutDefaults(char const *field, Json value)
    {
        value["config"].erase("name");
        auto const plain = project::withField(project::Project{}, field, value["class_name"].get<std::string>(), nullptr);
        if (!plain.ok()) return value;
        auto const text = project::field(*plain, field);
        auto const json = text.ok() ? model::parseJson(*text, field) : Result<Json>(text.error());
        if (!json.ok() || !isClass(*json)) return value;
        auto const &defaults = (*json)["config"];
        auto const given = value["config"];
        for (auto const &[key, item] : given.items())
            if (defaults.contains(key) && defaults[key] == item) value["config"].erase(key);
        return value;
    }

    static std::string lossText(Json const &loss)
    {
        if (isClass(loss)) return callText("keras.losses", withoutDefaults("training.loss", loss));
        std::string text;
        if (loss.is_object()) {
            for (auto const &[key, value] : loss.items()) text += (text.empty() ? "" : ", ") + Json(key).dump() + ": " + lossText(value);
            return "{" + text + "}";
        }
        if (loss.is_array()) {
            for (auto const &value : loss) text += (text.empty() ? "" : ", ") + lossText(value);
            return "[" + text + "]";
        }
        return literal(loss);
    }

    std::string metricsText(Json const &metrics)
    {
        std::string text;
        if (metrics.is_object() && !isClass(metrics)) {
            for (auto const &[key, value] : metrics.items())
                text += (text.empty() ? "" : ", ") + Json(key).dump() + ": " + metricsText(value);
            return "{" + text + "}";
        }
        for (auto const &metric : metrics) {
            if (isClass(metric) && metric["class_name"] == "SequenceAccuracy") {
                m_script.leftOut.push_back(
                    makeWarning("export.python-metric", "training.metrics",
                                Message::of("Keras has no metric SequenceAccuracy: the script does not report it.")));
                continue;
            }
            auto made = metric;
            if (isClass(metric)) made["config"].erase("dtype");
            text += (text.empty() ? "" : ", ")
                + (isClass(metric)         ? callText("keras.metrics", made)
                       : metric.is_array() ? metricsText(metric)
                                           : literal(metric));
        }
        return "[" + text + "]";
    }

    void options()
    {
        std::string text;
        auto const add = [&](std::string const &key, std::string const &value) { text += ", " + key + "=" + value; };
        if (m_model.pipelined()) {
            if (differs("device_mapping")) add("device_mapping", literal(m_training["device_mapping"]));
            if (differs("accumulate_outfeed")) add("accumulate_outfeed", literal(m_training["accumulate_outfeed"]));
            auto schedule = m_training["pipeline_schedule"].get<std::string>();
            schedule.front() = asciiUpper(schedule.front());
            add("pipeline_schedule", "ipu.pipelining_ops.PipelineSchedule." + schedule);
            if (differs("recomputation_mode"))
                add("recomputation_mode", "ipu.pipelining_ops.RecomputationMode(" + literal(m_training["recomputation_mode"]) + ")");
            for (char const *key :
                 {"offload_activations", "offload_gradient_accumulation_buffers", "replicated_weight_sharding", "offload_weights"})
                if (differs(key)) add(key, literal(m_training[key]));
        }
        for (char const *key : {"offload_weight_update_variables", "replicated_optimizer_state_sharding"})
            if (differs(key)) add(key, literal(m_training[key]));
        if (differs("gradient_accumulation_reduction"))
            add("gradient_accumulation_reduction_method", literal(m_training["gradient_accumulation_reduction"]));
        auto const steps = literal(m_training["gradient_accumulation_steps"]);
        if (m_model.pipelined()) line("model.set_pipelining_options(gradient_accumulation_steps_per_replica=" + steps + text + ")");
        else if (steps != "1" || !text.empty())
            line("model.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=" + steps + text + ")");
        if (differs("prefetch_depth")) line("model.set_infeed_queue_options(prefetch_depth=" + literal(m_training["prefetch_depth"]) + ")");
    }

    void fit()
    {
        std::string text =
            "x_train, y_train, batch_size=" + literal(m_training["batch_size"]) + ", epochs=" + literal(m_training["epochs"]);
        if (differs("steps_per_epoch")) text += ", steps_per_epoch=" + literal(m_training["steps_per_epoch"]);
        if (!m_training["shuffle"].get<bool>() || !m_project.data.shuffle) text += ", shuffle=False";
        if (differs("class_weight")) {
            std::string weights;
            for (auto const &[key, value] : m_training["class_weight"].items())
                weights += (weights.empty() ? "" : ", ") + key + ": " + literal(value);
            text += ", class_weight={" + weights + "}";
        }
        auto const source = project::dataSource(m_project);
        if (source.validationSplit > 0) {
            text += ", validation_split=" + Json(source.validationSplit).dump();
            if (differs("validation_freq")) text += ", validation_freq=" + literal(m_training["validation_freq"]);
        }
        line("model.fit(" + text + ")");
    }

    project::Project const &m_project;
    std::string m_arrays;
    double m_scale = 1;
    model::ResolvedModel m_model;
    Json m_training, m_plain; ///< the plan, and that of a new project
    bool m_ipus = true;
    std::string m_indent;
    PythonScript m_script;
};

} // namespace

bool isMnist(project::Project const &project)
{
    data::DataSourceSpec plain;
    plain.validationSplit = project.data.validationSplit;
    plain.shuffle = project.data.shuffle;
    return project.data == plain;
}

Result<PythonScript> pythonScript(project::Project const &project, std::string const &arrays, double scale)
{
    return Writer(project, arrays, scale).write();
}

} // namespace tilewright::interop
