#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/named_class.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// Initialisation of a weight: a Keras class name and all its arguments.
struct Initializer : Configured {
    bool operator==(Initializer const &) const = default;
};

struct InitializerSpec : ClassSpec {
    /// (initializer, shape of known extents, seed) -> values, row-major.
    std::function<Result<std::vector<float>>(Initializer const &, Shape const &, std::uint64_t)> values;
};

std::vector<InitializerSpec> const &initializerSpecs();

/// "glorot_uniform", "GlorotUniform", {"class_name": "GlorotUniform", "config": {"seed": null}}.
/// Errors: model.unknown-initializer, model.bad-argument, model.unknown-argument.
Result<Initializer> parseInitializer(Json const &value, std::string const &subject = "initializer");

/// Keras's bias of an LSTM: ones for the forget gate (the second quarter), the others as given. Not in the list of initializers: only the
/// argument unit_forget_bias selects it.
Initializer unitForgetBias(Initializer const &others);

/// {"class_name", "config"}. The second form has the arguments in Keras's order.
Json initializerJson(Initializer const &initializer);
OrderedJson orderedInitializer(Json const &initializer);

struct Fans {
    double in = 1;
    double out = 1;
};
/// Fan-in and fan-out. Scalar: 1; one axis n: both n; [in, out]; [k..., in, out]: each times the receptive field.
Fans fans(Shape const &shape);

/// Values of a weight of `shape`, row-major. Element i depends only on (seed, i). A non-null seed argument of the initializer replaces
/// `seed`. Errors: model.initializer-shape (Orthogonal requires at least two axes, Identity exactly two), model.too-large. Formulas: Keras
/// 2.6's initializers_v2. The constant 0.8796 is the standard deviation of a standard normal truncated at two sigma.
Result<std::vector<float>> initialize(Initializer const &initializer, Shape const &shape, std::uint64_t seed);

} // namespace tilewright::model
