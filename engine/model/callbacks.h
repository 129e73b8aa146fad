#pragma once

#include "engine/core/result.h"
#include "engine/model/param.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// A callback of a training, with all its arguments: Keras's class and their names.
struct Callback : Configured {
    bool operator==(Callback const &) const = default;
};

struct CallbackSpec {
    std::string className;
    std::vector<ParamInfo> params; ///< in Keras's order
    std::string help;
    std::string file; ///< extension of the file that it writes; "/": a folder; empty: none
};
std::vector<CallbackSpec> const &callbackSpecs();
CallbackSpec const *findCallbackSpec(std::string_view className);

/// A class name or {"class_name", "config"}. Errors: model.unknown-callback, model.unsupported (other callbacks of Keras),
/// model.bad-argument (also a file that is not a path below the project's folder), model.unknown-argument, model.missing-argument.
Result<Callback> parseCallback(Json const &value);
/// One or a list of them; null: none.
Result<std::vector<Callback>> parseCallbacks(Json const &value);
/// A list, with arguments in Keras's order.
OrderedJson callbacksJson(std::vector<Callback> const &callbacks);

/// Whether a larger value of the monitored quantity is better: the argument `mode`, and for "auto" Keras's rule, "acc" in the name.
bool largerIsBetter(Callback const &callback);

/// Micro-batches of "batch" or "5"; 0 for "epoch".
std::int64_t batchesOf(std::string const &frequency);

/// A value of a file name's pattern.
struct PatternValue {
    std::string name;
    double value = 0;
    bool whole = false; ///< an integer
};
/// Replaces {name} and Python's {name:02d}, {name:.2f}, {name:.4g}, {name:e}. Error: model.bad-argument, naming the place.
Result<std::string> formatPattern(std::string_view pattern, std::vector<PatternValue> const &values, std::string const &subject);

} // namespace tilewright::model
