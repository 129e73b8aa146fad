#pragma once

#include "engine/core/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

using Json = nlohmann::json;                ///< values: sorted keys, so that equal values print equally
using OrderedJson = nlohmann::ordered_json; ///< text output: keys in Keras's order

enum class ParamType {
    Bool,
    Int,
    Float,
    Text,
    Enum, ///< one of `allowed`
    IntList,
    FloatList,
    Shape,       ///< list of extents with the batch first; null: not fixed
    DType,       ///< a type name or a Keras policy
    Initializer, ///< {"class_name", "config"}, see initializers.h
    Activation,  ///< a name of activations.h, or {"class_name", "config"} of a layer that is one function
    Layer,       ///< {"class_name", "config"} of a layer inside this one
    Regularizer, ///< null, or {"class_name", "config"}, see regularizers.h
    Constraint,  ///< null, or {"class_name", "config"}, see constraints.h
    Rate         ///< a number, or a schedule by class_name and config, see schedules.h
};
std::string_view paramTypeName(ParamType type);

/// One argument of a layer, loss, optimizer, metric, initializer or training plan, for property editors, help and command line.
struct ParamInfo {
    std::string name = {};
    ParamType type = ParamType::Text;
    std::string defaultJson = "null";      ///< JSON text; ignored when required
    std::vector<std::string> allowed = {}; ///< words of an Enum; classes of a Layer argument, empty: any
    std::optional<double> min = {};
    std::optional<double> max = {};
    std::string help = {};
    bool required = false;
    bool nullable = false;  ///< null is a valid value
    bool orInteger = false; ///< of a list: a bare number stays one
    bool pairs = false;     ///< of an IntList: entries are pairs [before, after]; a bare integer stands for an equal pair
    int length =
        0; ///< of an IntList: number of entries; a bare integer stands for equal ones. 0: any number; -1: any, and a bare integer is a list
};

/// A class name and its arguments: Keras's form for everything except layers. The accessors return 0, false or "" for a key that is absent
/// or of another type. Normalising adds every argument.
struct Configured {
    std::string className;
    Json config = Json::object();

    bool flag(std::string_view key) const;
    std::int64_t integer(std::string_view key) const;
    double number(std::string_view key) const;
    std::string text(std::string_view key) const;
    std::vector<std::int64_t> integers(std::string_view key) const;
    std::vector<double> reals(std::string_view key) const; ///< a bare number: a list of one
    bool isNull(std::string_view key) const;               ///< absent or null
    bool operator==(Configured const &) const = default;
};

/// The value in canonical form (an integral float becomes an Int, an alias its name, …). Errors: model.bad-argument, model.unsupported;
/// their subject is `subject`.
Result<Json> normalizeParam(ParamInfo const &param, Json const &value, std::string const &subject);

/// All arguments with defaults. Errors: as above, model.unknown-argument (with the nearest name), model.missing-argument. `tolerated`: keys
/// of other Keras versions, dropped if equal.
Result<Json> normalizeConfig(std::span<ParamInfo const> params, Json const &config, std::string const &subject,
                             Json const &tolerated = Json::object());

/// The arguments of `config` in the order of `params`, then all other keys.
OrderedJson orderedConfig(std::span<ParamInfo const> params, Json const &config);

/// Parses a typed value: JSON, a bare word, or Python's True, False, None. The result needs normalizeParam.
Json valueFromText(ParamInfo const &param, std::string_view text);

/// "did you mean 'units'?", or the list of existing names.
Message suggestion(std::string_view name, std::span<std::string const> candidates);

/// Errors: "model.json" and "json.limit", as in core/json_text.h.
Result<Json> parseJson(std::string_view text, std::string const &subject);

/// One line with ", " and ": " and ASCII escapes, as Python's json module writes it.
std::string pythonText(OrderedJson const &value);

/// "LeakyReLU" -> "leaky_re_lu": Keras's rule for names of classes.
std::string snakeCase(std::string_view className);

/// The default value of a ParamInfo.
Json defaultOf(ParamInfo const &param);

} // namespace tilewright::model
