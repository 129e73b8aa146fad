#pragma once

#include "engine/config/options.h"
#include "engine/model/param.h"
#include "engine/project/project.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

// What a field of a project is, for people: made from the engine's registries, never listed by hand where a
// registry knows it. Values are texts in the form that project::withField reads.
namespace tilewright::views {

enum class EditorKind {
    Check,
    Integer,
    Decimal,
    Numbers,    ///< `entries` whole numbers, or pairs of them
    Choice,     ///< one of `choices`
    OpenChoice, ///< one of `choices`, or what a person types
    Text,
    Path,
    Structure ///< a list, shape or dictionary, typed as JSON or as Python writes it
};

struct FieldChoice {
    QString value; ///< text of the field
    QString shown;
    bool operator==(FieldChoice const &) const = default;
};

struct PropertySpec {
    QString path;          ///< "training.batch_size", "ipu_config.io_tiles.num_io_tiles", …
    QStringList alsoPaths; ///< further fields that the same editor sets (several layers selected)
    QString label;
    EditorKind kind = EditorKind::Text;
    QString typeText; ///< "a whole number, 1 to 64", translated
    QString unit;     ///< "tiles", or ""
    QList<FieldChoice> choices;
    std::optional<double> min, max;
    int entries = 0;        ///< of Numbers
    bool pairs = false;     ///< of Numbers: [before, after] for each
    bool nullable = false;  ///< "null" is a value; an empty number field means it
    bool hasDefault = true; ///< false: required
    QString defaultText;
    QString help;
    QString note;          ///< short, beside the editor: "no effect yet"
    bool hasEffect = true; ///< false: it is only kept
    QString deprecated;    ///< why; "" = it is not
    QString group;         ///< heading
    QString placeholder;
    /// How a value is shown where that is not its text ("GlorotUniform" for a whole initializer).
    std::function<QString(QString const &text)> shown = {};
    /// Other ways to read and write than project::field and withField.
    std::function<Result<std::string>(project::Project const &)> read = {};
    std::function<Status(project::Project &, std::string const &text)> write = {};

    QStringList paths() const { return QStringList{path} + alsoPaths; }
};

/// True when rows made for `a` serve `b` too.
bool sameRows(std::vector<PropertySpec> const &a, std::vector<PropertySpec> const &b);
/// True when they differ in nothing but whose fields they are: rows made for `a` can take `b`.
bool sameFields(std::vector<PropertySpec> const &a, std::vector<PropertySpec> const &b);

/// An argument of a layer, loss, optimizer, metric or plan; `path` is its full name.
PropertySpec specOf(model::ParamInfo const &param, QString const &path, QString const &group = {});
/// An option of IpuConfig or an engine option.
PropertySpec specOf(config::OptionInfo const &option);
/// Its help and notes in the language of the window.
QString optionHelp(config::OptionInfo const &option);

/// All arguments of the layer and its stage; its name when `named`. Empty for a class that nobody knows.
std::vector<PropertySpec> layerSpecs(model::Layer const &layer, bool named);
/// What several layers have in common: same argument of the same type, each row setting all of them.
std::vector<PropertySpec> commonLayerSpecs(std::vector<model::Layer const *> const &layers);

/// A field of the plan ("batch_size", "optimizer.learning_rate"); kind Text when there is none such.
PropertySpec trainingSpec(model::TrainingPlan const &plan, QString const &name);

/// "a whole number, 1 to 64": what would be right.
QString typeTextOf(PropertySpec const &spec);
/// Type, range, unit and default in one line.
QString factsText(PropertySpec const &spec);

/// Equal as values: JSON texts by what they hold ("1.0" is not "1"), others literally.
bool sameValue(QString const &a, QString const &b);
/// The value of a Json as a field's text: a string bare, all else as JSON.
QString fieldText(model::Json const &value);

} // namespace tilewright::views
