#include "engine/interop/keras_training.h"

#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/interop/json_members.h"
#include "engine/model/optimizers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::interop {

using model::Json;

namespace {

std::string textOf(Json const &json)
{
    return json.is_string() ? json.get<std::string>() : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "Custom>Adam" is Adam.
std::string plainClass(std::string const &name)
{
    auto const mark = name.rfind('>');
    return mark == std::string::npos ? name : name.substr(mark + 1);
}

/// {"class_name", "config"} without what only says where the class comes from; a function by its name.
Json plain(Json const &json)
{
    if (!json.is_object()) return json;
    auto const className = json.find("class_name");
    if (className == json.end() || !className->is_string()) return json;
    auto const config = json.find("config");
    if (*className == "function") return config != json.end() ? plain(*config) : Json();
    return {{"class_name", plainClass(className->get<std::string>())}, {"config", config == json.end() ? Json::object() : plain(*config)}};
}

/// Settings of newer optimizers that Tilewright lacks, at values that change nothing.
bool isIdle(std::string const &key, Json const &value)
{
    static constexpr std::array idle{"use_ema",      "ema_momentum", "ema_overwrite_frequency",     "jit_compile",
                                     "weight_decay", "foreach",      "gradient_accumulation_steps", "is_legacy_optimizer"};
    if (std::ranges::find(idle, key) == idle.end()) return false;
    return value.is_null() || value == false || value == 0 || key == "jit_compile" || key == "ema_momentum";
}

class Taker {
public:
    Taker(project::Project &project, std::string const &file, JobContext const &job) : m_project(project), m_file(file), m_job(job) {}

    bool set(std::string const &field, Json const &value)
    {
        auto changed = project::withField(m_project, "training." + field, textOf(value), nullptr);
        if (!changed.ok()) {
            warn(field, changed.error());
            return false;
        }
        m_project = *std::move(changed);
        return true;
    }

    void optimizer(Json const &given)
    {
        auto json = plain(given);
        if (!json.is_object() || !json.contains("class_name") || !json["class_name"].is_string()) return void(set("optimizer", json));
        auto &config = json["config"];
        if (!config.is_object()) config = Json::object();
        if (config.contains("lr")) {
            if (!config.contains("learning_rate")) config["learning_rate"] = config["lr"];
            config.erase("lr");
        }
        if (config.contains("learning_rate")) config["learning_rate"] = plain(config["learning_rate"]);
        auto const *spec = model::findOptimizerSpec(json["class_name"].get<std::string>());
        std::vector<std::string> dropped;
        Json kept = Json::object();
        for (auto const &[key, value] : config.items()) {
            bool const known =
                !spec || key == "name" || std::ranges::any_of(spec->params, [&](auto const &param) { return param.name == key; });
            if (known) kept[key] = value;
            else if (!isIdle(key, value)) dropped.push_back(key + "=" + shortened(textOf(value), 40));
        }
        config = std::move(kept);
        if (set("optimizer", json) && !dropped.empty())
            m_job.warn(makeWarning("import.training", m_file + ": optimizer",
                                   Message::of("these settings are not supported and were left out: %1.", joinText(dropped, ", "))));
    }

    /// `field`: metrics, or weighted_metrics.
    void metrics(Json const &given, std::string const &field)
    {
        Json list = Json::array();
        // tf.keras writes a list per output; for a single output it is the list itself.
        auto const &source = given.is_array() && given.size() == 1 && given[0].is_array() ? given[0] : given;
        if (source.is_null()) return;
        if (!source.is_array()) return void(set(field, metric(source)));
        bool const perOutput = std::ranges::any_of(source, [](Json const &one) { return one.is_array(); });
        if (perOutput) {
            for (auto const &one : source) list.push_back(one.is_array() ? metricList(one) : metric(one));
            return void(set(field, list));
        }
        // One that is not known leaves the others.
        for (auto const &one : source) {
            auto with = list;
            with.push_back(metric(one));
            auto const known = project::withField(m_project, "training." + field, with.dump(), nullptr);
            if (known.ok()) list = std::move(with);
            else warn(field, known.error());
        }
        set(field, list);
    }

private:
    static Json metricList(Json const &list)
    {
        auto to = Json::array();
        for (auto const &one : list) to.push_back(metric(one));
        return to;
    }

    /// MeanMetricWrapper stands for a function; `accuracy` is its name in the log.
    static Json metric(Json const &given)
    {
        auto json = plain(given);
        if (!json.is_object() || !json.contains("config") || !json["config"].is_object()) return json;
        auto &config = json["config"];
        if (json["class_name"] == "MeanMetricWrapper" && config.contains("fn")) {
            auto const function = plain(config["fn"]);
            if (!function.is_string()) return json;
            // The kind of accuracy follows from the loss again.
            static constexpr std::array accuracies{"binary_accuracy", "categorical_accuracy", "sparse_categorical_accuracy", "accuracy"};
            bool const isAccuracy = std::ranges::find(accuracies, function.get<std::string>()) != accuracies.end();
            if (isAccuracy && config.contains("name") && (config["name"] == "accuracy" || config["name"] == "acc")) return "accuracy";
            return function;
        }
        config.erase("dtype");
        config.erase("fn");
        return json;
    }

    void warn(std::string const &field, Diagnostic const &why) const
    {
        m_job.warn(makeWarning("import.training", m_file + ": " + field,
                               Message::of("this part of the training was not taken: %1", why.message),
                               Message::of("Set training.%1.", field)));
    }

    project::Project &m_project;
    std::string const &m_file;
    JobContext const &m_job;
};

} // namespace

bool takeTraining(Json const &config, project::Project &project, std::string const &file, JobContext const &job)
{
    if (!config.is_object()) return false;
    Taker taker(project, file, job);
    auto const member = [&](char const *key) -> Json {
        auto const found = config.find(key);
        return found == config.end() ? Json() : *found;
    };
    auto const optimizer = config.contains("optimizer_config") ? member("optimizer_config") : member("optimizer");
    if (auto const loss = member("loss"); !loss.is_null()) {
        auto clean = loss;
        if (clean.is_array() || (clean.is_object() && !clean.contains("class_name")))
            for (auto &one : clean) one = plain(one);
        else clean = plain(clean);
        if (clean.is_array() && clean.size() == 1) clean = Json(clean[0]);
        taker.set("loss", clean);
    }
    if (auto const weights = member("loss_weights"); !weights.is_null()) taker.set("loss_weights", weights);
    for (auto const *field : {"metrics", "weighted_metrics"})
        if (auto const metrics = member(field); !metrics.is_null()) taker.metrics(metrics, field);
    if (!optimizer.is_null()) taker.optimizer(optimizer);
    return !member("loss").is_null() || !optimizer.is_null();
}

std::string optimizerClass(Json const &config)
{
    if (!config.is_object()) return {};
    for (auto const *key : {"optimizer_config", "optimizer"}) {
        auto const found = config.find(key);
        auto const name = found == config.end() ? std::string() : textIn(*found, "class_name");
        auto const *spec = model::findOptimizerSpec(plainClass(name));
        if (spec) return spec->className;
    }
    return {};
}

} // namespace tilewright::interop
