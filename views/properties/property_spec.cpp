#include "views/properties/property_spec.h"

#include "engine/core/json_text.h"
#include "views/common/words.h"
#include "views/diagnostics/registry_text.h"

#include "engine/config/option_value.h"
#include "engine/model/activations.h"
#include "engine/model/constraints.h"
#include "engine/model/initializers.h"
#include "engine/model/layer_spec.h"
#include "engine/model/losses.h"
#include "engine/model/optimizers.h"
#include "engine/model/regularizers.h"
#include "engine/model/schedules.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>

namespace tilewright::views {

namespace {

/// "28 × 28" of "[null,28,28]", as the canvas writes it; other texts unchanged.
QString shapeOfSample(QString const &text)
{
    auto const document = QJsonDocument::fromJson(text.toUtf8());
    if (!document.isArray() || document.array().isEmpty()) return text;
    QStringList extents;
    auto const array = document.array();
    for (qsizetype i = 1; i < array.size(); ++i)
        extents << (array[i].isNull() ? QStringLiteral("?") : QString::number(array[i].toInteger()));
    return extents.join(QStringLiteral(" × "));
}

/// Turns "28 × 28", "28x28", "28, 28", "(None, 28, 28)" and "[null, 28, 28]" into "[null,28,28]". Returns any other text unchanged.
QString batchShape(QString const &typed)
{
    static QRegularExpression const brackets(QStringLiteral("^\\s*([\\[(]?)(.*?)[\\])]?\\s*$")), between(QStringLiteral("[\\s,;x×*]+"));
    auto const inside = brackets.match(typed);
    auto words = inside.captured(2).split(between, Qt::SkipEmptyParts);
    auto const isOpen = [](QString const &word) {
        return word == QLatin1String("?") || word.compare(QLatin1String("none"), Qt::CaseInsensitive) == 0 || word == QLatin1String("null");
    };
    // In brackets, as in Keras, the batch comes first.
    if (!inside.captured(1).isEmpty() && !words.isEmpty() && isOpen(words.front())) words.removeFirst();
    if (words.isEmpty()) return typed;
    QStringList extents{QStringLiteral("null")};
    for (auto const &word : words) {
        bool whole = false;
        qlonglong const extent = word.toLongLong(&whole);
        if (!whole && !isOpen(word)) return typed;
        extents << (whole ? QString::number(extent) : QStringLiteral("null"));
    }
    return u'[' + extents.join(u',') + u']';
}

QString text(std::string_view value) { return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size())); }

QList<FieldChoice> choicesOf(std::vector<std::string> const &values)
{
    QList<FieldChoice> choices;
    for (auto const &value : values) choices.push_back({text(value), text(value)});
    return choices;
}

/// "GlorotUniform" for a class with default arguments, otherwise the complete value. `parse`: parseInitializer or one of its kind.
template <auto parse> QString classShown(QString const &value)
{
    auto const json = jsonOrDiscarded(value.toStdString());
    if (!json.is_object()) return value;
    auto const whole = parse(json, {});
    if (!whole.ok()) return value;
    auto const plain = parse(model::Json(whole->className), {});
    return plain.ok() && *plain == *whole ? text(whole->className) : value;
}

/// One of these classes, or a typed one with its arguments.
template <auto parse, typename Specs> void setClassChoice(PropertySpec &spec, Specs const &classes)
{
    spec.kind = EditorKind::OpenChoice;
    for (auto const &each : classes) spec.choices.push_back({text(each.className), text(each.className)});
    spec.shown = classShown<parse>;
}

void setKind(PropertySpec &spec, model::ParamInfo const &param)
{
    using model::ParamType;
    switch (param.type) {
    case ParamType::Bool: spec.kind = EditorKind::Check; break;
    case ParamType::Int: spec.kind = EditorKind::Integer; break;
    case ParamType::Float: spec.kind = EditorKind::Decimal; break;
    case ParamType::Rate: // the field accepts any text: a schedule is written in its project form
        spec.kind = EditorKind::Decimal;
        spec.help += QStringLiteral(". ")
            + Words::tr("A schedule is written as %1; the help lists them.")
                  .arg(QStringLiteral("{\"class_name\": \"%1\", \"config\": %2}")
                           .arg(text(model::scheduleSpecs().front().className), text(model::scheduleSpecs().front().example)));
        break;
    case ParamType::Text: spec.kind = EditorKind::Text; break;
    case ParamType::Enum:
        spec.kind = EditorKind::Choice;
        spec.choices = choicesOf(param.allowed);
        break;
    case ParamType::Layer:
        spec.kind = EditorKind::Structure;
        spec.placeholder = QStringLiteral("{\"class_name\": \"Dense\", \"config\": {\"units\": 64}}");
        break;
    case ParamType::IntList:
        if (param.length > 0 && !param.orInteger) {
            spec.kind = EditorKind::Numbers;
            spec.entries = param.length;
            spec.pairs = param.pairs;
            break;
        }
        [[fallthrough]];
    case ParamType::FloatList:
        spec.kind = EditorKind::Structure;
        spec.placeholder = QStringLiteral("[1, 2]");
        break;
    case ParamType::Shape:
        spec.kind = EditorKind::Structure;
        spec.placeholder = QStringLiteral("28 × 28");
        spec.typeText = Words::tr("extents of one sample, like 28 × 28; ? for an open one");
        spec.shown = shapeOfSample;
        spec.stored = batchShape;
        break;
    case ParamType::DType:
        spec.kind = EditorKind::OpenChoice;
        spec.choices = choicesOf({"float32", "float16", "mixed_float16", "int32", "uint8", "bool"});
        break;
    case ParamType::Initializer: setClassChoice<model::parseInitializer>(spec, model::initializerSpecs()); break;
    case ParamType::Activation:
        spec.kind = EditorKind::Choice;
        spec.choices = choicesOf(model::activationNames());
        break;
    case ParamType::Regularizer:
        setClassChoice<model::parseRegularizer>(spec, model::regularizerSpecs());
        spec.choices.prepend({QStringLiteral("null"), Words::tr("none")});
        break;
    case ParamType::Constraint:
        setClassChoice<model::parseConstraint>(spec, model::constraintSpecs());
        spec.choices.prepend({QStringLiteral("null"), Words::tr("none")});
        break;
    }
    if (param.nullable && spec.kind == EditorKind::Choice && param.type == ParamType::Enum)
        spec.choices.prepend({QStringLiteral("null"), Words::tr("none")});
}

QString numberRange(PropertySpec const &spec)
{
    QLocale const locale;
    auto const show = [&](double value) { return locale.toString(value, 'g', 12); };
    if (spec.min && spec.max) return Words::tr(", %1 to %2").arg(show(*spec.min), show(*spec.max));
    if (spec.min) return Words::tr(", at least %1").arg(show(*spec.min));
    if (spec.max) return Words::tr(", at most %1").arg(show(*spec.max));
    return {};
}

} // namespace

bool sameRows(std::vector<PropertySpec> const &a, std::vector<PropertySpec> const &b)
{
    return sameFields(a, b) && std::ranges::equal(a, b, {}, &PropertySpec::paths, &PropertySpec::paths);
}

bool sameFields(std::vector<PropertySpec> const &a, std::vector<PropertySpec> const &b)
{
    return std::ranges::equal(a, b, [](PropertySpec const &x, PropertySpec const &y) {
        return x.label == y.label && x.kind == y.kind && x.choices == y.choices && x.entries == y.entries && x.pairs == y.pairs
            && x.min == y.min && x.max == y.max && x.nullable == y.nullable && x.hasDefault == y.hasDefault
            && x.defaultText == y.defaultText && x.note == y.note && x.group == y.group && x.help == y.help;
    });
}

QString fieldText(model::Json const &value)
{
    return value.is_string() ? text(value.get<std::string>()) : text(model::pythonText(model::OrderedJson(value)));
}

bool sameValue(QString const &a, QString const &b)
{
    if (a == b) return true;
    auto const left = jsonOrDiscarded(a.toStdString());
    auto const right = jsonOrDiscarded(b.toStdString());
    return !left.is_discarded() && !right.is_discarded() && left.type() == right.type() && left == right;
}

QString typeTextOf(PropertySpec const &spec)
{
    QString type;
    switch (spec.kind) {
    case EditorKind::Check: type = Words::tr("yes or no"); break;
    case EditorKind::Integer: type = Words::tr("a whole number") + numberRange(spec); break;
    case EditorKind::Decimal: type = Words::tr("a number") + numberRange(spec); break;
    case EditorKind::Numbers:
        type = (spec.pairs ? Words::tr("%n pair(s) of whole numbers: before and after", nullptr, spec.entries)
                           : Words::tr("%n whole number(s)", nullptr, spec.entries))
            + numberRange(spec);
        break;
    case EditorKind::Choice: {
        QStringList names;
        for (auto const &choice : spec.choices) names << choice.shown;
        type = names.size() <= 12 ? Words::tr("one of %1").arg(names.join(QStringLiteral(", ")))
                                  : Words::tr("one of %Ln name(s)", nullptr, static_cast<int>(names.size()));
        break;
    }
    case EditorKind::OpenChoice: type = Words::tr("a name, or a whole description as JSON"); break;
    case EditorKind::Text: type = Words::tr("text"); break;
    case EditorKind::Path: type = Words::tr("a file or folder"); break;
    case EditorKind::Structure: type = spec.typeText.isEmpty() ? Words::tr("a list or dictionary") : spec.typeText; break;
    }
    return spec.nullable ? Words::tr("%1, or none").arg(type) : type;
}

QString factsText(PropertySpec const &spec)
{
    QStringList parts{spec.typeText.isEmpty() ? typeTextOf(spec) : spec.typeText};
    if (!spec.unit.isEmpty()) parts << Words::tr("unit: %1").arg(spec.unit);
    if (!spec.hasDefault) parts << Words::tr("required");
    else {
        bool const none = spec.defaultText == QLatin1String("null") || spec.defaultText == QLatin1String("{}");
        QString const shown = none ? Words::tr("none") : spec.shown ? spec.shown(spec.defaultText) : spec.defaultText;
        parts << (shown.isEmpty() ? Words::tr("empty by default") : Words::tr("default: %1").arg(shown));
    }
    return parts.join(QStringLiteral(" · "));
}

PropertySpec specOf(model::ParamInfo const &param, QString const &path, QString const &group)
{
    PropertySpec spec;
    spec.path = path;
    spec.label = text(param.name);
    spec.group = group;
    spec.min = param.min;
    spec.max = param.max;
    spec.nullable = param.nullable;
    spec.hasDefault = !param.required;
    spec.help = registryText(param.help);
    setKind(spec, param);
    switch (param.type) {
    case model::ParamType::IntList:
        if (spec.kind != EditorKind::Numbers) spec.typeText = Words::tr("a list of whole numbers") + numberRange(spec);
        break;
    case model::ParamType::FloatList: spec.typeText = Words::tr("a list of numbers") + numberRange(spec); break;
    case model::ParamType::Shape: spec.typeText = Words::tr("a list of extents, the batch first; null: not fixed"); break;
    default: break;
    }
    if (spec.hasDefault) {
        auto const value = model::defaultOf(param);
        auto const canonical = model::normalizeParam(param, value, param.name);
        spec.defaultText = fieldText(canonical.ok() ? *canonical : value);
    }
    if (spec.typeText.isEmpty()) spec.typeText = typeTextOf(spec);
    return spec;
}

QString optionHelp(config::OptionInfo const &option)
{
    QString help = registryText(option.help);
    for (auto const &note : config::helpNotes(option)) help += QLatin1Char(' ') + registryText(note.text, note.value);
    return help;
}

PropertySpec specOf(config::OptionInfo const &option)
{
    using config::OptionType;
    PropertySpec spec;
    bool const ipu = option.category == config::OptionCategory::IpuConfig;
    spec.path = (ipu ? QStringLiteral("ipu_config.") : QStringLiteral("engine_options.")) + text(option.path);
    auto const dot = option.path.rfind('.');
    spec.label = text(dot == std::string::npos ? option.path : option.path.substr(dot + 1));
    spec.group = dot == std::string::npos ? QString() : text(option.path.substr(0, dot));
    spec.unit = registryText(option.unit);
    spec.min = option.min;
    spec.max = option.max;
    spec.help = optionHelp(option);
    spec.defaultText = text(config::toText(option.defaultValue));
    if (option.deprecated)
        spec.deprecated = option.deprecatedMessage.empty() ? Words::tr("deprecated") : registryText(option.deprecatedMessage);
    spec.hasEffect = option.effect == config::Effect::Active;
    if (option.effect == config::Effect::NotYet) spec.note = Words::tr("no effect yet");
    if (option.effect == config::Effect::Cannot) spec.note = Words::tr("not on an emulator");
    switch (option.type) {
    case OptionType::Bool: spec.kind = EditorKind::Check; break;
    case OptionType::Int: spec.kind = EditorKind::Integer; break;
    case OptionType::Float: spec.kind = EditorKind::Decimal; break;
    case OptionType::Text: spec.kind = option.allowed.empty() ? EditorKind::Text : EditorKind::Choice; break;
    case OptionType::Path: spec.kind = EditorKind::Path; break;
    case OptionType::Enum: spec.kind = EditorKind::Choice; break;
    case OptionType::Dict:
        spec.kind = EditorKind::Structure;
        spec.placeholder = QStringLiteral("{\"key\": \"value\"}");
        spec.typeText = Words::tr("a dictionary of texts");
        break;
    case OptionType::IntList:
        spec.kind = EditorKind::Structure;
        spec.placeholder = QStringLiteral("1, 2");
        spec.typeText = Words::tr("a whole number or a list of them") + numberRange(spec);
        break;
    }
    if (spec.kind == EditorKind::Choice)
        for (auto const &value : option.allowed) spec.choices.push_back({text(value), text(value)});
    if (spec.typeText.isEmpty()) spec.typeText = typeTextOf(spec);
    return spec;
}

std::vector<PropertySpec> layerSpecs(model::Layer const &layer, bool named)
{
    std::vector<PropertySpec> specs;
    auto const *spec = model::findLayerSpec(layer.className);
    if (!spec) return specs;
    QString const root = QStringLiteral("model.layers.") + text(layer.name) + QLatin1Char('.');
    QString const layerGroup = Words::tr("Layer"), weightGroup = Words::tr("Weights"), everyGroup = Words::tr("Every layer");
    if (named) {
        PropertySpec name;
        name.path = root + QStringLiteral("name");
        name.label = QStringLiteral("name");
        name.hasDefault = false;
        name.help = Words::tr("Name of the layer; every link to it follows.");
        name.group = layerGroup;
        name.typeText = typeTextOf(name);
        specs.push_back(std::move(name));
    }
    auto const isOwn = [&](std::string const &name) {
        return std::ranges::find(spec->params, name, &model::ParamInfo::name) != spec->params.end();
    };
    for (auto const &param : spec->params) {
        auto const &n = param.name;
        bool const start = n.ends_with("_initializer") || n.ends_with("_regularizer") || n.ends_with("_constraint");
        specs.push_back(specOf(param, root + text(n), start ? weightGroup : text(layer.className)));
    }
    for (auto const &param : model::layerParams(*spec))
        if (!isOwn(param.name)) specs.push_back(specOf(param, root + text(param.name), everyGroup));
    PropertySpec stage =
        specOf(model::ParamInfo{.name = "stage", .type = model::ParamType::Int, .defaultJson = "-1", .min = -1, .max = 4095},
               root + QStringLiteral("stage"), everyGroup);
    stage.help = Words::tr("stage, which gives the layer its IPU: of a pipeline, or sharded (training.placement); -1: none");
    specs.push_back(std::move(stage));
    std::ranges::stable_sort(specs, {}, [&](PropertySpec const &each) {
        return each.group == layerGroup ? 0 : each.group == text(layer.className) ? 1 : each.group == weightGroup ? 2 : 3;
    });
    return specs;
}

std::vector<PropertySpec> commonLayerSpecs(std::vector<model::Layer const *> const &layers)
{
    if (layers.empty()) return {};
    auto common = layerSpecs(*layers.front(), layers.size() == 1);
    for (std::size_t i = 1; i < layers.size(); ++i) {
        auto const others = layerSpecs(*layers[i], false);
        std::erase_if(common, [&](PropertySpec &spec) {
            auto const it = std::ranges::find_if(others, [&](PropertySpec const &other) {
                return other.label == spec.label && other.kind == spec.kind && other.choices == spec.choices
                    && other.entries == spec.entries && other.pairs == spec.pairs;
            });
            if (it == others.end()) return true;
            spec.alsoPaths << it->path;
            // One default for all, or none for a reset.
            if (!sameValue(spec.defaultText, it->defaultText)) spec.hasDefault = false;
            return false;
        });
    }
    return common;
}

PropertySpec trainingSpec(model::TrainingPlan const &plan, QString const &name)
{
    std::string const key = name.toStdString();
    QString const path = QStringLiteral("training.") + name;
    for (auto const &param : model::trainingFields())
        if (param.name == key) return specOf(param, path);
    auto const nested = [&](std::string_view prefix, std::vector<model::ParamInfo> const &params) -> model::ParamInfo const * {
        if (!key.starts_with(prefix)) return nullptr;
        auto const it = std::ranges::find(params, key.substr(prefix.size()), &model::ParamInfo::name);
        return it == params.end() ? nullptr : &*it;
    };
    if (auto const *optimizer = model::findOptimizerSpec(plan.optimizer.className))
        if (auto const *param = nested("optimizer.", optimizer->params)) return specOf(*param, path);
    if (plan.losses.size() == 1)
        if (auto const *loss = model::findLossSpec(plan.losses.front().className))
            if (auto const *param = nested("loss.", loss->params)) return specOf(*param, path);
    PropertySpec spec;
    spec.path = path;
    spec.label = name;
    spec.hasDefault = false;
    return spec;
}

} // namespace tilewright::views
