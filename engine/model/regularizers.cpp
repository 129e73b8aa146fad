#include "engine/model/regularizers.h"

namespace tilewright::model {

namespace {

constexpr char const *kOrthogonal = "OrthogonalRegularizer";

ParamInfo factorParam(std::string name, std::string fallback, std::string help)
{
    return {.name = std::move(name), .type = ParamType::Float, .defaultJson = std::move(fallback), .help = std::move(help)};
}

ClassKind const &regularizerKind()
{
    static ClassKind const kind{Message::of("a regularizer is a name or an object with class_name and config"),
                                Message::of("for example \"l2\""), "model.unknown-regularizer",
                                [](std::string const &name) { return Message::of("no regularizer is named '%1'", name); }};
    return kind;
}

/// Keras takes null for the default of a factor, and "l" for the only factor of L1 and L2.
void replaceOldForms(std::string const &className, Json &config)
{
    if (!config.is_object()) return;
    if (config.contains("l") && (className == "L1" || className == "L2")) {
        config[className == "L1" ? "l1" : "l2"] = config["l"];
        config.erase("l");
    }
    for (char const *key : {"l1", "l2"})
        if (config.contains(key) && config[key].is_null()) config.erase(key);
}

} // namespace

std::vector<ClassSpec> const &regularizerSpecs()
{
    static std::vector<ClassSpec> const specs{
        {"L1", {}, {factorParam("l1", "0.01", "factor of the sum of the absolute values")}, "l1 times the sum of the absolute values"},
        {"L2", {}, {factorParam("l2", "0.01", "factor of the sum of the squares")}, "l2 times the sum of the squares"},
        {"L1L2",
         {},
         {factorParam("l1", "0.0", "factor of the sum of the absolute values"),
          factorParam("l2", "0.0", "factor of the sum of the squares")},
         "l1 times the sum of the absolute values plus l2 times the sum of the squares"},
        {kOrthogonal,
         {"orthogonal"},
         {factorParam("factor", "0.01", "factor of the penalty"),
          {.name = "mode",
           .type = ParamType::Enum,
           .defaultJson = "\"rows\"",
           .allowed = {"rows", "columns"},
           .help = "the vectors that are to be orthogonal: rows or columns of the matrix"}},
         "factor times the mean absolute cosine of all pairs of rows or columns"},
    };
    return specs;
}

Result<Regularizer> parseRegularizer(Json const &value, std::string const &subject)
{
    TW_ASSIGN(auto given, givenClass(value, regularizerKind(), subject));
    auto const *spec = findClass(regularizerSpecs(), given.className);
    if (!spec) return unknownClass(regularizerSpecs(), regularizerKind(), given.className, subject);
    replaceOldForms(spec->className, given.config);
    if (given.className == "l1_l2" && given.config.is_object())
        for (char const *key : {"l1", "l2"})
            if (!given.config.contains(key)) given.config[key] = 0.01;
    Regularizer regularizer;
    regularizer.className = spec->className;
    TW_ASSIGN(regularizer.config, normalizeConfig(spec->params, given.config, subject));
    return regularizer;
}

bool Regularizer::isZero() const { return number("l1") == 0 && number("l2") == 0 && number("factor") == 0; }

Status checkRegularizer(Regularizer const &regularizer, Shape const &shape, std::string const &subject, std::string const &what)
{
    if (regularizer.className != kOrthogonal || shape.size() == 2) return {};
    return makeError(ErrorKind::Invalid, "model.shape", subject,
                     Message::of("argument '%1': OrthogonalRegularizer takes a matrix, and the shape is %2", what, toText(shape)),
                     Message::of("use L1, L2 or L1L2"));
}

} // namespace tilewright::model
