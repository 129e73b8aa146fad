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

// Description of a project field for display, made from the engine's registries wherever they have it. Values are texts in the form of
// project::withField.
namespace tilewright::views {

enum class EditorKind {
    Check,
    Integer,
    Decimal,
    Numbers,    ///< `entries` whole numbers, or pairs of them
    Choice,     ///< one of `choices`
    OpenChoice, ///< one of `choices`, or typed text
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
    QStringList alsoPaths; ///< further fields set by the same editor (several selected layers)
    QString label;
    EditorKind kind = EditorKind::Text;
    QString typeText; ///< "a whole number, 1 to 64", translated
    QString unit;     ///< "tiles", or ""
    QList<FieldChoice> choices;
    std::optional<double> min, max;
    int entries = 0;        ///< for Numbers
    bool pairs = false;     ///< for Numbers: entries are [before, after]
    bool nullable = false;  ///< "null" is valid; an empty number field means it
    bool hasDefault = true; ///< false: required
    QString defaultText;
    QString help;
    QString note;          ///< short, beside the editor: "no effect yet"
    bool hasEffect = true; ///< false: it is only stored
    QString deprecated;    ///< reason; "" = not deprecated
    QString group;         ///< heading
    QString placeholder;
    /// Display form of a value if it differs from its text ("GlorotUniform" for a whole initializer).
    std::function<QString(QString const &text)> shown = {};
    /// Value of a typed text, for fields that show another form of it.
    std::function<QString(QString const &typed)> stored = {};
    /// Replacement of project::field and withField for reading and writing.
    std::function<Result<std::string>(project::Project const &)> read = {};
    std::function<Status(project::Project &, std::string const &text)> write = {};

    QStringList paths() const { return QStringList{path} + alsoPaths; }
};

/// Whether rows made for `a` serve `b` too.
bool sameRows(std::vector<PropertySpec> const &a, std::vector<PropertySpec> const &b);
/// Whether they differ only in their owner: rows made for `a` can switch to `b`.
bool sameFields(std::vector<PropertySpec> const &a, std::vector<PropertySpec> const &b);

/// An argument of a layer, loss, optimizer, metric or plan; `path`: its full name.
PropertySpec specOf(model::ParamInfo const &param, QString const &path, QString const &group = {});
/// An option of IpuConfig or an engine option.
PropertySpec specOf(config::OptionInfo const &option);
/// Its help and notes, translated.
QString optionHelp(config::OptionInfo const &option);

/// All arguments of the layer and its stage; its name if `named`. Empty for an unknown class.
std::vector<PropertySpec> layerSpecs(model::Layer const &layer, bool named);
/// Common arguments of several layers: same name and type; each row sets all of them.
std::vector<PropertySpec> commonLayerSpecs(std::vector<model::Layer const *> const &layers);

/// A field of the plan ("batch_size", "optimizer.learning_rate"); kind Text if unknown.
PropertySpec trainingSpec(model::TrainingPlan const &plan, QString const &name);

/// The valid values: "a whole number, 1 to 64".
QString typeTextOf(PropertySpec const &spec);
/// Type, range, unit and default in one line.
QString factsText(PropertySpec const &spec);

/// Equality of values: JSON texts by content ("1.0" is not "1"), others literally.
bool sameValue(QString const &a, QString const &b);
/// The value of a Json as a field's text: a string bare, all else as JSON.
QString fieldText(model::Json const &value);

} // namespace tilewright::views
