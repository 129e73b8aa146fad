#include "engine/model/initializers.h"

#include "engine/core/random.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewright::model {

namespace {

ParamInfo seedParam() { return {.name = "seed", .type = ParamType::Int, .help = "own seed; null: the training seed", .nullable = true}; }

ParamInfo floatParam(std::string name, std::string fallback, std::string help, std::optional<double> min = {})
{
    return {.name = std::move(name), .type = ParamType::Float, .defaultJson = std::move(fallback), .min = min, .help = std::move(help)};
}

constexpr char const *kUnitForgetBias = "UnitForgetBias";
constexpr double kTruncatedDeviation = 0.87962566103423978;

/// Standard normal number of element `index` from two words of its own (Box and Muller 1958).
double normalAt(std::uint64_t seed, std::uint64_t index)
{
    double const radius = std::sqrt(-2.0 * std::log(1.0 - unitDouble(randomBits(seed, 2 * index))));
    return radius * std::cos(2.0 * std::numbers::pi * unitDouble(randomBits(seed, 2 * index + 1)));
}

/// Standard normal within two sigma: drawn again, from the next stream, until it is.
double truncatedNormalAt(std::uint64_t seed, std::uint64_t index)
{
    for (std::uint64_t attempt = 0;; ++attempt) {
        double const value = normalAt(deriveSeed(seed, attempt), index);
        if (std::abs(value) <= 2.0) return value;
    }
}

template <typename F> std::vector<float> fill(Shape const &shape, F const &value)
{
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(value(i));
    return values;
}

/// A value drawn in double may round up to the excluded end of its interval: keep it inside.
std::vector<float> uniform(Shape const &shape, std::uint64_t seed, double low, double high)
{
    float const top = high > low ? std::nextafter(static_cast<float>(high), static_cast<float>(low)) : static_cast<float>(high);
    float const bottom = static_cast<float>(low);
    auto values = fill(shape, [&](std::size_t i) { return low + (high - low) * unitDouble(randomBits(seed, i)); });
    for (float &v : values) v = std::max(bottom, std::min(v, top));
    return values;
}

std::vector<float> truncatedNormal(Shape const &shape, std::uint64_t seed, double mean, double deviation)
{
    return fill(shape, [&](std::size_t i) { return mean + deviation * truncatedNormalAt(seed, i); });
}

std::vector<float> normal(Shape const &shape, std::uint64_t seed, double mean, double deviation)
{
    return fill(shape, [&](std::size_t i) { return mean + deviation * normalAt(seed, i); });
}

std::vector<float> varianceScaling(Shape const &shape, std::uint64_t seed, double scale, std::string const &mode,
                                   std::string const &distribution)
{
    Fans const fan = fans(shape);
    double const n = mode == "fan_in" ? fan.in : mode == "fan_out" ? fan.out : (fan.in + fan.out) / 2.0;
    double const variance = scale / std::max(1.0, n);
    if (distribution == "uniform") {
        double const limit = std::sqrt(3.0 * variance);
        return uniform(shape, seed, -limit, limit);
    }
    if (distribution == "untruncated_normal") return normal(shape, seed, 0.0, std::sqrt(variance));
    return truncatedNormal(shape, seed, 0.0, std::sqrt(variance) / kTruncatedDeviation);
}

/// Q of the QR decomposition of a normal matrix, columns turned so that R's diagonal is positive: uniform
/// over the orthogonal matrices (Saxe et al. 2013; sign rule Mezzadri 2007).
Result<std::vector<float>> orthogonal(Shape const &shape, std::uint64_t seed, double gain)
{
    if (shape.size() < 2)
        return makeError(ErrorKind::Invalid, "model.initializer-shape", "Orthogonal",
                         Message::of("needs a weight of two axes or more, got %1", toText(shape)), Message::of("use another initializer"));
    auto const columns = static_cast<Eigen::Index>(shape.back());
    auto const rows = columns == 0 ? 0 : static_cast<Eigen::Index>(elementCount(shape)) / columns;
    Eigen::Index const large = std::max(rows, columns);
    Eigen::Index const small = std::min(rows, columns);
    if (small == 0) return std::vector<float>{};
    if (large > 32768)
        return makeError(ErrorKind::Invalid, "model.too-large", "Orthogonal",
                         Message::of("a matrix of %1 takes too long to orthogonalise", toText(shape)),
                         Message::of("use another initializer for extents above 32768"));
    Eigen::MatrixXd matrix(large, small);
    for (Eigen::Index r = 0; r < large; ++r)
        for (Eigen::Index c = 0; c < small; ++c) matrix(r, c) = normalAt(seed, static_cast<std::uint64_t>(r * small + c));
    Eigen::HouseholderQR<Eigen::MatrixXd> const qr(matrix);
    Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(large, small);
    for (Eigen::Index c = 0; c < small; ++c)
        if (qr.matrixQR()(c, c) < 0.0) q.col(c) = -q.col(c);
    bool const turned = rows < columns;
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    for (Eigen::Index r = 0; r < rows; ++r)
        for (Eigen::Index c = 0; c < columns; ++c)
            values[static_cast<std::size_t>(r * columns + c)] = static_cast<float>(gain * (turned ? q(c, r) : q(r, c)));
    return values;
}

Result<std::vector<float>> identity(Shape const &shape, double gain)
{
    if (shape.size() != 2)
        return makeError(ErrorKind::Invalid, "model.initializer-shape", "Identity",
                         Message::of("needs a weight of two axes, got %1", toText(shape)), Message::of("use another initializer"));
    auto const columns = static_cast<std::size_t>(shape[1]);
    return fill(shape, [&](std::size_t i) { return i / columns == i % columns ? gain : 0.0; });
}

struct Scaling {
    char const *className;
    double scale;
    char const *mode;
    char const *distribution;
};
constexpr Scaling kScalings[] = {
    {"GlorotUniform", 1.0, "fan_avg", "uniform"}, {"GlorotNormal", 1.0, "fan_avg", "truncated_normal"},
    {"LecunUniform", 1.0, "fan_in", "uniform"},   {"LecunNormal", 1.0, "fan_in", "truncated_normal"},
    {"HeUniform", 2.0, "fan_in", "uniform"},      {"HeNormal", 2.0, "fan_in", "truncated_normal"},
};

} // namespace

std::vector<InitializerSpec> const &initializerSpecs()
{
    static std::vector<InitializerSpec> const specs = [] {
        ParamInfo const gain = floatParam("gain", "1.0", "factor on all values");
        ParamInfo const mean = floatParam("mean", "0.0", "mean of the normal distribution");
        ParamInfo const deviation = floatParam("stddev", "0.05", "standard deviation", 0.0);
        using Values = Result<std::vector<float>>;
        using Self = Initializer;
        using Seed = std::uint64_t;
        std::vector<InitializerSpec> list{
            {"Zeros",
             {"zero"},
             {},
             "all 0",
             [](Self const &, Shape const &shape, Seed) -> Values { return fill(shape, [](std::size_t) { return 0.0; }); }},
            {"Ones",
             {"one"},
             {},
             "all 1",
             [](Self const &, Shape const &shape, Seed) -> Values { return fill(shape, [](std::size_t) { return 1.0; }); }},
            {"Constant",
             {},
             {floatParam("value", "0", "the value of every element")},
             "all the same value",
             [](Self const &self, Shape const &shape, Seed) -> Values {
                 return fill(shape, [value = self.number("value")](std::size_t) { return value; });
             }},
            {"RandomUniform",
             {"uniform"},
             {floatParam("minval", "-0.05", "lower end, included"), floatParam("maxval", "0.05", "upper end, excluded"), seedParam()},
             "uniform between two values",
             [](Self const &self, Shape const &shape, Seed seed) -> Values {
                 return uniform(shape, seed, self.number("minval"), self.number("maxval"));
             }},
            {"RandomNormal",
             {"normal"},
             {mean, deviation, seedParam()},
             "normal distribution",
             [](Self const &self, Shape const &shape, Seed seed) -> Values {
                 return normal(shape, seed, self.number("mean"), self.number("stddev"));
             }},
            {"TruncatedNormal",
             {},
             {mean, deviation, seedParam()},
             "normal distribution, values beyond two standard deviations drawn again",
             [](Self const &self, Shape const &shape, Seed seed) -> Values {
                 return truncatedNormal(shape, seed, self.number("mean"), self.number("stddev"));
             }},
            {"VarianceScaling",
             {},
             {floatParam("scale", "1.0", "factor on the variance", 0.0),
              {.name = "mode",
               .type = ParamType::Enum,
               .defaultJson = "\"fan_in\"",
               .allowed = {"fan_in", "fan_out", "fan_avg"},
               .help = "which number of connections divides the variance"},
              {.name = "distribution",
               .type = ParamType::Enum,
               .defaultJson = "\"truncated_normal\"",
               .allowed = {"truncated_normal", "untruncated_normal", "uniform"},
               .help = "form of the distribution"},
              seedParam()},
             "variance = scale / number of connections",
             [](Self const &self, Shape const &shape, Seed seed) -> Values {
                 return varianceScaling(shape, seed, self.number("scale"), self.text("mode"), self.text("distribution"));
             }},
            {"Orthogonal",
             {},
             {gain, seedParam()},
             "a random orthogonal matrix",
             [](Self const &self, Shape const &shape, Seed seed) { return orthogonal(shape, seed, self.number("gain")); }},
            {"Identity",
             {},
             {gain},
             "the identity matrix",
             [](Self const &self, Shape const &shape, Seed) { return identity(shape, self.number("gain")); }},
        };
        for (auto const &scaling : kScalings)
            list.push_back({scaling.className,
                            {},
                            {seedParam()},
                            std::string("VarianceScaling with ") + scaling.mode + ", " + scaling.distribution
                                + (scaling.scale == 2.0 ? ", scale 2" : ""),
                            [scaling](Self const &, Shape const &shape, Seed seed) -> Values {
                                return varianceScaling(shape, seed, scaling.scale, scaling.mode, scaling.distribution);
                            }});
        return list;
    }();
    return specs;
}

Result<Initializer> parseInitializer(Json const &value, std::string const &subject)
{
    static ClassKind const kind{Message::of("an initializer is a name or an object with class_name and config"),
                                Message::of("for example \"glorot_uniform\""), "model.unknown-initializer",
                                [](std::string const &name) { return Message::of("no initializer is named '%1'", name); }};
    TW_ASSIGN(auto given, givenClass(value, kind, subject));
    auto &config = given.config;
    if (given.className == kUnitForgetBias) {
        if (!config.is_object() || !config.contains("others"))
            return makeError(ErrorKind::Invalid, "model.missing-argument", subject, Message::of("argument 'others' is missing"),
                             Message::of("give an initializer"));
        TW_ASSIGN(auto const others, parseInitializer(config["others"], subject));
        return unitForgetBias(others);
    }
    auto const *spec = findClass(initializerSpecs(), given.className);
    if (!spec) return unknownClass(initializerSpecs(), kind, given.className, subject);
    // Old files call the truncated normal distribution "normal"; others add the type of the result.
    if (spec->className == "VarianceScaling" && config.is_object() && config.contains("distribution") && config["distribution"] == "normal")
        config["distribution"] = "truncated_normal";
    if (config.is_object()) config.erase("dtype");
    Initializer initializer;
    initializer.className = spec->className;
    TW_ASSIGN(initializer.config, normalizeConfig(spec->params, config, subject));
    return initializer;
}

Initializer unitForgetBias(Initializer const &others)
{
    Initializer initializer;
    initializer.className = kUnitForgetBias;
    initializer.config["others"] = initializerJson(others);
    return initializer;
}

Json initializerJson(Initializer const &initializer) { return classJson(initializer); }

OrderedJson orderedInitializer(Json const &initializer) { return orderedClass(initializerSpecs(), initializer); }

Fans fans(Shape const &shape)
{
    if (shape.empty()) return {1.0, 1.0};
    if (shape.size() == 1) return {static_cast<double>(shape[0]), static_cast<double>(shape[0])};
    double field = 1.0;
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) field *= static_cast<double>(shape[i]);
    return {static_cast<double>(shape[shape.size() - 2]) * field, static_cast<double>(shape.back()) * field};
}

Result<std::vector<float>> initialize(Initializer const &initializer, Shape const &shape, std::uint64_t seed)
{
    double count = 1.0;
    for (auto const extent : shape) count *= static_cast<double>(std::max<std::int64_t>(extent, 0));
    if (count > 1e10)
        return makeError(ErrorKind::Invalid, "model.too-large", initializer.className,
                         Message::of("a weight of %1 is too large to initialise", toText(shape)), Message::of("make the layer smaller"));
    for (auto const extent : shape)
        if (extent < 0)
            return makeError(ErrorKind::Invalid, "model.initializer-shape", initializer.className,
                             Message::of("a weight has an unknown extent: %1", toText(shape)), "");
    if (!initializer.isNull("seed")) seed = deriveSeed(static_cast<std::uint64_t>(initializer.integer("seed")), 0);
    auto const &name = initializer.className;
    if (name == kUnitForgetBias) {
        TW_ASSIGN(auto const others, parseInitializer(initializer.config["others"], name));
        TW_ASSIGN(auto values, initialize(others, shape, seed));
        auto const quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
        std::fill(values.begin() + quarter, values.begin() + 2 * quarter, 1.0f);
        return values;
    }
    for (auto const &spec : initializerSpecs())
        if (name == spec.className) return spec.values(initializer, shape, seed);
    return makeError(ErrorKind::Invalid, "model.unknown-initializer", name, Message::of("no initializer is named '%1'", name), "");
}

} // namespace tilewright::model
