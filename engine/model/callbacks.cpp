#include "engine/model/callbacks.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/model/rate_expression.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace tilewright::model {

namespace {

ParamInfo monitorParam()
{
    return {.name = "monitor", .type = ParamType::Text, .defaultJson = "\"val_loss\"", .help = "name of the loss or metric, as in the log"};
}
ParamInfo verboseParam()
{
    return {.name = "verbose", .type = ParamType::Int, .defaultJson = "0", .min = 0, .max = 1, .help = "1: prints what it does"};
}
ParamInfo modeParam()
{
    return {.name = "mode",
            .type = ParamType::Enum,
            .defaultJson = "\"auto\"",
            .allowed = {"auto", "min", "max"},
            .help = "better is smaller (min) or larger (max); auto: larger if the name of the monitored value contains 'acc'"};
}
ParamInfo callbackFlag(char const *name, char const *help)
{
    return {.name = name, .type = ParamType::Bool, .defaultJson = "false", .help = help};
}
ParamInfo callbackNumber(char const *name, char const *fallback, double min, char const *help)
{
    return {.name = name, .type = ParamType::Float, .defaultJson = fallback, .min = min, .help = help};
}
ParamInfo callbackCount(char const *name, char const *fallback, char const *help)
{
    return {.name = name, .type = ParamType::Int, .defaultJson = fallback, .min = 0, .help = help};
}

std::vector<ParamInfo> earlyStoppingParams()
{
    return {monitorParam(),
            callbackNumber("min_delta", "0", 0, "smallest change that counts as an improvement"),
            callbackCount("patience", "0", "epochs without improvement after which the training ends"),
            verboseParam(),
            modeParam(),
            {.name = "baseline",
             .type = ParamType::Float,
             .help = "an improvement resets the patience only if it is better than this value; None: every improvement does",
             .nullable = true},
            callbackFlag("restore_best_weights", "ends with the weights of the best epoch instead of the last one")};
}

std::vector<ParamInfo> checkpointParams()
{
    return {{.name = "filepath",
             .type = ParamType::Text,
             .help = "an .npz file below the project's folder; {epoch} and logged names are replaced, such as {epoch:02d}-{val_loss:.2f}",
             .required = true},
            monitorParam(),
            verboseParam(),
            callbackFlag("save_best_only", "saves only if the monitored value is better than in all earlier epochs"),
            callbackFlag("save_weights_only", "saves no optimizer state"),
            modeParam(),
            {.name = "save_freq",
             .type = ParamType::Text,
             .defaultJson = "\"epoch\"",
             .help = "when it saves: epoch, or after so many micro-batches, at the end of an execution; then {batch} is replaced, too"}};
}

std::vector<ParamInfo> backupParams()
{
    return {{.name = "backup_dir",
             .type = ParamType::Text,
             .help = "a folder below the project's: a training that was interrupted continues from its last epoch",
             .required = true}};
}

std::vector<ParamInfo> tensorBoardParams()
{
    return {{.name = "log_dir", .type = ParamType::Text, .defaultJson = "\"logs\"", .help = "a folder below the project's"},
            callbackCount("histogram_freq", "0", "epochs between histograms of the weights; 0: none"),
            {.name = "update_freq",
             .type = ParamType::Text,
             .defaultJson = "\"epoch\"",
             .help = "when it writes scalars: epoch; batch or a number of micro-batches writes those within epochs, too"}};
}

std::vector<ParamInfo> plateauParams()
{
    return {
        monitorParam(),
        {.name = "factor", .type = ParamType::Float, .defaultJson = "0.1", .min = 0, .max = 0.999999, .help = "of the new learning rate"},
        callbackCount("patience", "10", "epochs without improvement after which the rate falls"),
        verboseParam(),
        modeParam(),
        callbackNumber("min_delta", "0.0001", 0, "smallest change that counts as an improvement"),
        callbackCount("cooldown", "0", "epochs after a change in which nothing counts"),
        callbackNumber("min_lr", "0", 0, "lowest learning rate")};
}

std::vector<ParamInfo> schedulerParams()
{
    return {{.name = "schedule",
             .type = ParamType::Text,
             .help = "rate of each epoch, from 0: a list, an object of epochs and rates, or an expression of epoch and lr, such as "
                     "lr * 0.9 if epoch >= 10 else lr",
             .required = true},
            verboseParam()};
}

std::vector<ParamInfo> loggerParams()
{
    return {{.name = "filename", .type = ParamType::Text, .help = "a .csv file below the project's folder", .required = true},
            {.name = "separator", .type = ParamType::Text, .defaultJson = "\",\"", .help = "between the values of a row"},
            callbackFlag("append", "continues an existing file")};
}

/// Callbacks of Keras that are not supported yet.
constexpr std::string_view kOthers[] = {"LambdaCallback", "RemoteMonitor", "ProgbarLogger", "BaseLogger", "History"};

Diagnostic badArgument(std::string const &subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, "model.bad-argument", subject, std::move(message), std::move(remedy));
}

/// A project may come from anywhere: its callbacks write only below its own folder.
Status checkFile(CallbackSpec const &spec, Callback const &callback, std::string const &subject)
{
    if (spec.file.empty()) return {};
    auto const param = std::ranges::find_if(spec.params, [](ParamInfo const &each) {
                           return each.name.starts_with("file") || each.name.ends_with("_dir");
                       })->name;
    std::string const text = callback.text(param);
    std::filesystem::path const path(text);
    bool const leaves = path.is_absolute() || std::ranges::any_of(path, [](auto const &part) { return part == ".."; });
    bool const isFolder = spec.file == "/";
    if (text.empty() || (path.filename().empty() && !isFolder) || leaves)
        return badArgument(subject + "." + param, Message::of("'%1' is not a path below the folder of the project", text),
                           Message::of("give a relative path without '..'"));
    if (isFolder) return {};
    if (path.extension() != spec.file)
        return badArgument(subject + "." + param, Message::of("'%1' does not end with %2", text, spec.file),
                           Message::of("name a %1 file", spec.file));
    // As Python's csv module, which Keras uses.
    if (spec.className == "CSVLogger") {
        std::string const separator = callback.text("separator");
        bool const blank = separator.find_first_of("\r\n\"") != std::string::npos;
        if (separator.size() != 1 || blank)
            return badArgument(subject + ".separator", Message::of("'%1' is not one character between the values of a row", separator),
                               Message::of("give a comma, a semicolon or a tab"));
    }
    return {};
}

} // namespace

std::vector<CallbackSpec> const &callbackSpecs()
{
    static std::vector<CallbackSpec> const specs{
        {"EarlyStopping", earlyStoppingParams(), "Ends the training when the monitored value no longer improves.", ""},
        {"ReduceLROnPlateau", plateauParams(), "Lowers the learning rate when the monitored value no longer improves.", ""},
        {"LearningRateScheduler", schedulerParams(), "Sets the learning rate at the begin of each epoch.", ""},
        {"ModelCheckpoint", checkpointParams(), "Saves the weights at the end of an epoch.", ".npz"},
        {"CSVLogger", loggerParams(), "Writes loss and metrics of each epoch as a row of a CSV file.", ".csv"},
        {"BackupAndRestore", backupParams(), "Continues a training that was interrupted, from the end of its last epoch.", "/"},
        {"TensorBoard", tensorBoardParams(), "Writes scalars and histograms for TensorBoard.", "/"},
        {"TerminateOnNaN", {}, "Ends the training without an error when the loss is infinite or not a number.", ""},
    };
    return specs;
}

CallbackSpec const *findCallbackSpec(std::string_view className)
{
    auto const it = std::ranges::find(callbackSpecs(), className, &CallbackSpec::className);
    return it == callbackSpecs().end() ? nullptr : &*it;
}

Result<Callback> parseCallback(Json const &value)
{
    Callback callback;
    Json config = Json::object();
    if (value.is_string()) {
        callback.className = value.get<std::string>();
    } else if (value.is_object() && value.contains("class_name") && value["class_name"].is_string()) {
        callback.className = value["class_name"].get<std::string>();
        if (value.contains("config")) config = value["config"];
    } else {
        return badArgument("training.callbacks", Message::of("a callback is a name or an object with class_name and config"),
                           Message::of("for example \"TerminateOnNaN\""));
    }
    auto const &name = callback.className;
    std::vector<std::string> names;
    for (auto const &spec : callbackSpecs()) names.push_back(spec.className);
    if (std::ranges::find(kOthers, name) != std::end(kOthers))
        return makeError(ErrorKind::Invalid, "model.unsupported", "training.callbacks",
                         Message::of("callback %1 is not supported yet", name), suggestion("", names));
    auto const *spec = findCallbackSpec(name);
    if (!spec)
        return makeError(ErrorKind::Invalid, "model.unknown-callback", "training.callbacks", Message::of("no callback is named '%1'", name),
                         suggestion(name, names));
    std::string const subject = "training.callbacks." + name;
    // A table is kept as its text.
    if (config.is_object() && config.contains("schedule") && config["schedule"].is_structured())
        config["schedule"] = pythonText(OrderedJson(config["schedule"]));
    for (char const *frequency : {"save_freq", "update_freq"})
        if (config.is_object() && config.contains(frequency) && config[frequency].is_number_integer())
            config[frequency] = std::to_string(config[frequency].get<std::int64_t>());
    TW_ASSIGN(callback.config, normalizeConfig(spec->params, config, subject));
    for (char const *frequency : {"save_freq", "update_freq"}) {
        auto const text = callback.config.contains(frequency) ? callback.text(frequency) : std::string("epoch");
        if (text != "epoch" && (batchesOf(text) <= 0 || (text == "batch" && std::string_view(frequency) == "save_freq")))
            return badArgument(subject + "." + frequency, Message::of("'%1' is no frequency", text),
                               Message::of("give \"epoch\" or a number of micro-batches from 1 on"));
    }
    if (callback.config.contains("schedule")) TW_TRY(rateOfEpoch(callback.text("schedule"), 0, 0.1, subject + ".schedule"));
    TW_TRY(checkFile(*spec, callback, subject));
    return callback;
}

Result<std::vector<Callback>> parseCallbacks(Json const &value)
{
    std::vector<Callback> callbacks;
    if (value.is_null()) return callbacks;
    Json const list = value.is_array() ? value : Json::array({value});
    for (auto const &item : list) {
        TW_ASSIGN(auto callback, parseCallback(item));
        callbacks.push_back(std::move(callback));
    }
    return callbacks;
}

OrderedJson callbacksJson(std::vector<Callback> const &callbacks)
{
    OrderedJson list = OrderedJson::array();
    for (auto const &callback : callbacks) {
        auto const *spec = findCallbackSpec(callback.className);
        OrderedJson item;
        item["class_name"] = callback.className;
        item["config"] = spec ? orderedConfig(spec->params, callback.config) : OrderedJson(callback.config);
        list.push_back(std::move(item));
    }
    return list;
}

std::int64_t batchesOf(std::string const &frequency) { return frequency == "batch" ? 1 : parseInteger(frequency).value_or(0); }

bool largerIsBetter(Callback const &callback)
{
    auto const mode = callback.text("mode");
    return mode == "max" || (mode == "auto" && callback.text("monitor").find("acc") != std::string::npos);
}

namespace {

/// A value in Python's format: [0][width][.decimals][d|f|g|e]. Nothing if the format has another form.
std::optional<std::string> formattedValue(PatternValue const &value, std::string_view format)
{
    if (format.empty()) return value.whole ? std::to_string(std::llround(value.value)) : numberText(value.value);
    char const kind = format.back();
    bool const isKind = kind == 'd' || kind == 'f' || kind == 'g' || kind == 'e';
    auto const digits = format.substr(0, format.size() - (isKind ? 1 : 0));
    auto const dot = digits.find('.');
    auto const isNumber = [](std::string_view text) {
        return text.size() <= 2 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    };
    auto const width = digits.substr(0, dot), decimals = dot == std::string_view::npos ? std::string_view() : digits.substr(dot + 1);
    if (!isNumber(width) || !isNumber(decimals) || (dot != std::string_view::npos && decimals.empty())) return {};
    if (kind == 'd' && (!value.whole || dot != std::string_view::npos)) return {};
    if (!isKind && !value.whole) return {};
    std::string const pattern = "%" + std::string(digits) + (isKind && kind != 'd' ? std::string(1, kind) : std::string("lld"));
    char text[160];
    if (isKind && kind != 'd') std::snprintf(text, sizeof text, pattern.c_str(), value.value);
    else std::snprintf(text, sizeof text, pattern.c_str(), static_cast<long long>(std::llround(value.value)));
    return std::string(text);
}

} // namespace

Result<std::string> formatPattern(std::string_view pattern, std::vector<PatternValue> const &values, std::string const &subject)
{
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        if (pattern[at] != '{') {
            text += pattern[at++];
            continue;
        }
        auto const end = pattern.find('}', at);
        std::string const place(pattern.substr(at, end == std::string_view::npos ? end : end - at + 1));
        std::vector<std::string> names;
        for (auto const &value : values) names.push_back(value.name);
        if (end == std::string_view::npos)
            return badArgument(subject, Message::of("'%1' is not closed", place), Message::of("write it like {epoch:02d}"));
        std::string_view const inner(place.data() + 1, place.size() - 2);
        auto const colon = inner.find(':');
        auto const value = std::ranges::find(values, inner.substr(0, colon), &PatternValue::name);
        if (value == values.end())
            return badArgument(subject, Message::of("nothing is logged under the name of '%1'", place), suggestion("", names));
        auto const part = formattedValue(*value, colon == std::string_view::npos ? std::string_view() : inner.substr(colon + 1));
        if (!part)
            return badArgument(subject, Message::of("'%1' has a format that is not supported", place),
                               Message::of("write it like {epoch:02d} or {val_loss:.2f}"));
        text += *part;
        at = end + 1;
    }
    return text;
}

} // namespace tilewright::model
