#include "views/data/data_specs.h"

#include "views/common/words.h"
#include "views/diagnostics/registry_text.h"

#include "engine/data/data_source.h"
#include "engine/project/project.h"

#include <nlohmann/json.hpp>

namespace tilewright::views {

namespace {

PropertySpec field(char const *key, QString const &label, EditorKind kind, QString const &group, QString const &help)
{
    static nlohmann::json const defaults = data::toJson(data::DataSourceSpec{});
    PropertySpec spec;
    spec.path = QStringLiteral("data.") + QString::fromLatin1(key);
    spec.label = label;
    spec.kind = kind;
    spec.group = group;
    spec.help = help;
    spec.defaultText = fieldText(defaults.at(key));
    return spec;
}

} // namespace

std::vector<PropertySpec> dataSpecs(bool planSplits, bool ownValidation)
{
    QString const source = Words::tr("Source"), parts = Words::tr("Names in it"), use = Words::tr("Use");
    std::vector<PropertySpec> specs;
    auto const add = [&](PropertySpec spec) -> PropertySpec & {
        specs.push_back(std::move(spec));
        return specs.back();
    };
    auto &path = add(field(
        "path", Words::tr("File or folder"), EditorKind::Path, source,
        Words::tr(
            "IDX files, .npz, .npy, .csv, or folders of pictures; relative names start at the project's folder. Empty: embedded digits.")));
    path.placeholder = Words::tr("embedded digits");
    auto &format = add(field("format", Words::tr("Format"), EditorKind::Choice, source,
                             Words::tr("The format of the file; auto derives it from the name.")));
    format.choices = {{QStringLiteral("auto"), Words::tr("auto")}};
    for (auto const &each : data::dataFormats()) {
        QString const name = QString::fromUtf8(each.name);
        format.choices.push_back({name, name});
        format.help += QLatin1Char(' ') + name + QStringLiteral(": ") + registryText(each.help);
    }
    QString const usual = Words::tr("usual names");
    for (auto const &[key, label, help] :
         {std::tuple("x", Words::tr("Training samples"), Words::tr("File or array of the training samples.")),
          std::tuple("y", Words::tr("Training labels"), Words::tr("File or array of the training labels.")),
          std::tuple("test_x", Words::tr("Test samples"), Words::tr("File or array of the test samples.")),
          std::tuple("test_y", Words::tr("Test labels"), Words::tr("File or array of the test labels."))})
        add(field(key, label, EditorKind::Text, parts, help)).placeholder = usual;
    for (auto const &[key, label, help] :
         {std::tuple("inputs", Words::tr("Further inputs"),
                     Words::tr("Of a model with several inputs: the name of each further one with the file or array that feeds it.")),
          std::tuple("test_inputs", Words::tr("Test of further inputs"), Words::tr("The same for the test samples.")),
          std::tuple("labels", Words::tr("Labels by output"),
                     Words::tr("Of a model with several outputs: the name of each that has labels of its own, with their file or array. "
                               "The others take the training labels.")),
          std::tuple("test_labels", Words::tr("Test labels by output"), Words::tr("The same for the test samples."))})
        add(field(key, label, EditorKind::Structure, parts, help)).placeholder = QStringLiteral("{\"positions\": \"positions\"}");
    add(field("sample_weight", Words::tr("Sample weights"), EditorKind::Text, parts,
              Words::tr("File or array with a weight for each training sample: what it counts in the loss.")))
        .placeholder = Words::tr("all alike");
    add(field("label_column", Words::tr("Label column"), EditorKind::Text, parts,
              Words::tr("Of tables: name, number (-1 is the last) or none; empty guesses.")))
        .placeholder = Words::tr("guessed");
    auto &size = add(field("image_size", Words::tr("Picture size"), EditorKind::Structure, parts,
                           Words::tr("Height and width that picture files are scaled to. Empty: they all have one size.")));
    size.nullable = true;
    size.placeholder = QStringLiteral("[32, 32]");
    auto &channels = add(field("image_channels", Words::tr("Picture colours"), EditorKind::Choice, parts,
                               Words::tr("Channels of picture files. Automatic: colours if one of them has colours.")));
    channels.choices = {{QStringLiteral("0"), Words::tr("automatic")},
                        {QStringLiteral("1"), Words::tr("grey")},
                        {QStringLiteral("3"), Words::tr("red, green, blue")}};
    auto const count = [&](char const *key, QString const &label, QString const &unit, QString const &help) {
        auto &spec = add(field(key, label, EditorKind::Integer, parts, help));
        spec.min = 0;
        spec.unit = unit;
    };
    count("window", Words::tr("Window"), Words::tr("rows"),
          Words::tr("Rows of a table, or characters of a text, in a sample. 0: each row of a table is a sample."));
    count("stride", Words::tr("Step between windows"), Words::tr("rows"),
          Words::tr("Rows or characters between the starts of two samples. 0: 1 in tables, a whole window in texts."));
    count("horizon", Words::tr("Horizon"), Words::tr("rows"),
          Words::tr("The label of a window of a table is so many rows after its last one."));
    auto &damaged = add(field("damaged", Words::tr("Damaged records"), EditorKind::Choice, use,
                              Words::tr("An error names a damaged picture or row; skipped ones are left out and counted.")));
    damaged.choices = {{QStringLiteral("refuse"), Words::tr("are an error")}, {QStringLiteral("skip"), Words::tr("are skipped")}};
    auto &scale = add(field("scale", Words::tr("Scale"), EditorKind::Decimal, use,
                            Words::tr("Stored numbers times this go into the model. None: 1/255 for bytes, 1 for others.")));
    scale.nullable = true;
    scale.placeholder = Words::tr("automatic");
    auto &convert =
        add(field("convert", Words::tr("Conversion"), EditorKind::Choice, use,
                  Words::tr("Where samples stored as bytes become numbers. On the device, the stream carries a quarter of the bytes.")));
    convert.choices = {{QStringLiteral("host"), Words::tr("on the host")}, {QStringLiteral("device"), Words::tr("on the device")}};
    auto &limit = add(field("limit", Words::tr("At most"), EditorKind::Integer, use,
                            Words::tr("At most this many training, test and validation samples; 0: all.")));
    limit.min = 0;
    limit.unit = Words::tr("samples");
    auto &validation =
        add(field("validation_path", Words::tr("Validation file or folder"), EditorKind::Path, use,
                  Words::tr("Validation samples of their own, in arrays with the names of the training's. They replace the split.")));
    validation.placeholder = Words::tr("none");
    auto &split = add(field("validation_split", Words::tr("Validation split"), EditorKind::Decimal, use,
                            Words::tr("This share, the last of the training samples, is held out.")));
    split.min = 0;
    split.max = 0.999999;
    if (ownValidation) split.note = Words::tr("the validation file is used");
    else if (planSplits) split.note = Words::tr("the plan's split is used");
    add(field("shuffle", Words::tr("Shuffle"), EditorKind::Check, use, Words::tr("Whether the samples are mixed.")));
    auto &seed = add(field("seed", Words::tr("Seed"), EditorKind::Integer, use,
                           Words::tr("Of the embedded generator: another seed draws other digits.")));
    seed.min = 0;
    for (auto &spec : specs) spec.typeText = typeTextOf(spec);
    return specs;
}

std::vector<PropertySpec> dataSpecsOf(project::Project const &project)
{
    auto specs = dataSpecs(project.training.validationSplit > 0, !project.data.validationPath.empty());
    auto const &data = project.data;
    bool const inputs = project.model.inputs.size() > 1 || !data.inputs.empty() || !data.testInputs.empty();
    bool const outputs = project.model.outputs.size() > 1 || !data.labels.empty() || !data.testLabels.empty();
    std::erase_if(specs, [&](PropertySpec const &spec) {
        auto const is = [&](char const *key) { return spec.path == QLatin1String("data.") + QLatin1String(key); };
        return (!inputs && (is("inputs") || is("test_inputs"))) || (!outputs && (is("labels") || is("test_labels")));
    });
    if (data.limit == 0)
        for (auto &spec : specs)
            if (spec.path == QLatin1String("data.limit")) spec.note = Words::tr("0: all samples are used");
    return specs;
}

} // namespace tilewright::views
