#pragma once

#include "engine/core/result.h"
#include "engine/model/param.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::model {

/// A class that the value of an argument names: of an initializer, a regularizer or a constraint.
struct ClassSpec {
    std::string className;
    std::vector<std::string> aliases; ///< as text; the snake_case name is always one
    std::vector<ParamInfo> params;
    std::string help;
};

/// The texts of errors about one kind of class.
struct ClassKind {
    Message form;                                        ///< "an initializer is a name or an object with class_name and config"
    Message example;                                     ///< "for example \"glorot_uniform\""
    std::string unknownCode;                             ///< "model.unknown-initializer"
    std::function<Message(std::string const &)> unknown; ///< by the name
};

/// The name and the arguments as given: "zeros", {"class_name": "Zeros", "config": {}}. Other keys are ignored. Error: model.bad-argument.
Result<Configured> givenClass(Json const &value, ClassKind const &kind, std::string const &subject);

/// The class of this name: its own, snake_case or an alias. Null: none.
template <typename Specs> auto const *findClass(Specs const &specs, std::string const &name)
{
    for (auto const &spec : specs)
        if (name == spec.className || name == snakeCase(spec.className) || std::ranges::find(spec.aliases, name) != spec.aliases.end())
            return &spec;
    return static_cast<decltype(specs.data())>(nullptr);
}

/// Error `unknownCode` with the nearest name.
template <typename Specs>
Diagnostic unknownClass(Specs const &specs, ClassKind const &kind, std::string const &name, std::string const &subject)
{
    std::vector<std::string> names;
    for (auto const &spec : specs) {
        names.push_back(snakeCase(spec.className));
        names.push_back(spec.className);
    }
    return makeError(ErrorKind::Invalid, kind.unknownCode, subject, kind.unknown(name), suggestion(name, names));
}

/// As Python writes it: "MaxNorm(max_value=2.0, axis=0)".
template <typename Specs> std::string classText(Specs const &specs, Configured const &configured)
{
    auto const *spec = findClass(specs, configured.className);
    auto const params = spec ? std::span<ParamInfo const>(spec->params) : std::span<ParamInfo const>();
    auto const arguments = orderedConfig(params, configured.config);
    std::string text;
    for (auto const &[key, value] : arguments.items()) text += (text.empty() ? "" : ", ") + key + "=" + pythonText(value);
    return configured.className + "(" + text + ")";
}

/// {"class_name", "config"}. The second form has the arguments in the order of `specs`, Keras's.
Json classJson(Configured const &configured);
template <typename Specs> OrderedJson orderedClass(Specs const &specs, Json const &value)
{
    OrderedJson result = OrderedJson::object();
    result["class_name"] = OrderedJson(value["class_name"]);
    for (auto const &spec : specs)
        if (value["class_name"] == spec.className && value.contains("config"))
            result["config"] = orderedConfig(spec.params, value["config"]);
    for (auto const &[key, item] : value.items())
        if (!result.contains(key)) result[key] = OrderedJson(item);
    return result;
}

} // namespace tilewright::model
