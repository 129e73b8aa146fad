#include "tests/support/test_registry.h"

#include "views/advice/setting_fixes.h"
#include "views/advice/system_layout.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_value.h"

#include "engine/config/option_value.h"
#include "engine/model/layer_spec.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/optimizers.h"
#include "engine/model/resolve.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// The editor that a type of argument is to have.
EditorKind expected(model::ParamInfo const &param)
{
    using model::ParamType;
    switch (param.type) {
    case ParamType::Bool: return EditorKind::Check;
    case ParamType::Int: return EditorKind::Integer;
    case ParamType::Float:
    case ParamType::Rate: return EditorKind::Decimal;
    case ParamType::Text: return EditorKind::Text;
    case ParamType::Enum:
    case ParamType::Activation: return EditorKind::Choice;
    case ParamType::DType:
    case ParamType::Regularizer:
    case ParamType::Constraint:
    case ParamType::Initializer: return EditorKind::OpenChoice;
    case ParamType::IntList: return param.length > 0 && !param.orInteger ? EditorKind::Numbers : EditorKind::Structure;
    case ParamType::FloatList:
    case ParamType::Shape:
    case ParamType::Layer: return EditorKind::Structure;
    }
    return EditorKind::Text;
}

bool isOfKind(QWidget *input, EditorKind kind)
{
    switch (kind) {
    case EditorKind::Check: return qobject_cast<QCheckBox *>(input);
    case EditorKind::Integer:
    case EditorKind::Decimal:
    case EditorKind::Numbers: return qobject_cast<QAbstractSpinBox *>(input);
    case EditorKind::Choice: return qobject_cast<QComboBox *>(input) && !static_cast<QComboBox *>(input)->isEditable();
    case EditorKind::OpenChoice: return qobject_cast<QComboBox *>(input) && static_cast<QComboBox *>(input)->isEditable();
    case EditorKind::Text:
    case EditorKind::Path:
    case EditorKind::Structure: return qobject_cast<QLineEdit *>(input);
    }
    return false;
}

/// The spec's editor shows the default and gives back what the engine reads as the same value.
void checkEditor(PropertySpec const &spec, EditorKind kind)
{
    QVERIFY2(spec.kind == kind, qPrintable(spec.path));
    std::unique_ptr<PropertyEditor> const editor(makeEditor(spec, nullptr));
    QVERIFY2(isOfKind(editor->input(), kind), qPrintable(spec.path));
    if (!spec.hasDefault) return;
    editor->show(spec.defaultText, false);
    QString const given = editor->text();
    QString const wanted = spec.shown && !spec.stored ? spec.shown(spec.defaultText) : spec.defaultText;
    QVERIFY2(sameValue(given, wanted) || given.toDouble() == wanted.toDouble(),
             qPrintable(spec.path + QStringLiteral(": ") + given + QStringLiteral(" for ") + wanted));
}

void checkParams(std::vector<model::ParamInfo> const &params, std::string const &owner)
{
    for (auto const &param : params) {
        auto const spec = specOf(param, QString::fromStdString(owner + "." + param.name));
        checkEditor(spec, expected(param));
        QVERIFY2(!spec.typeText.isEmpty() && !spec.label.isEmpty(), qPrintable(spec.path));
        if (param.required || (param.type == model::ParamType::Text && owner == "training"))
            continue; // names or JSON: parsers of their own
        // The default's text reads back as the default.
        auto const value = model::valueFromText(param, spec.defaultText.toStdString());
        auto const normal = model::normalizeParam(param, value, owner),
                   wanted = model::normalizeParam(param, model::defaultOf(param), owner);
        QVERIFY2(normal.ok() && wanted.ok() && *normal == *wanted, qPrintable(spec.path));
    }
}

project::Project withLayer(model::Layer layer)
{
    project::Project project;
    project.model.layers = {model::makeInput("in", {16}), std::move(layer)};
    return project;
}

} // namespace

class TstPropertySpec : public QObject {
    Q_OBJECT
private slots:
    void everyLayerClassHasEditorsWithItsDefaults()
    {
        QVERIFY(model::builtinLayers().size() >= 10);
        for (auto const &spec : model::builtinLayers()) checkParams(model::layerParams(spec), spec.className);
    }
    /// Shapes are written as on the canvas, and typed as in the line for layers; null, {} and [] are an empty field.
    void fieldsShowNoJson()
    {
        auto const lineOf = [](PropertyEditor &editor) { return qobject_cast<QLineEdit *>(editor.input()); };
        auto const *layer = model::findLayerSpec("InputLayer");
        QVERIFY(layer);
        bool found = false;
        for (auto const &param : model::layerParams(*layer)) {
            if (param.type != model::ParamType::Shape) continue;
            found = true;
            std::unique_ptr<PropertyEditor> const editor(makeEditor(specOf(param, QString::fromStdString(param.name)), nullptr));
            QString const stored = QStringLiteral("[null,28,28]");
            editor->show(stored, false);
            QCOMPARE(lineOf(*editor)->text(), QStringLiteral("28 × 28"));
            QCOMPARE(editor->text(), stored);
            for (auto const *typed : {"28 x 28", "28x28", "28, 28", "28 28", "[null, 28, 28]", "(None, 28, 28)"}) {
                lineOf(*editor)->setText(QString::fromUtf8(typed));
                QCOMPARE(editor->text(), stored);
            }
            lineOf(*editor)->setText(QStringLiteral("? × 3"));
            QCOMPARE(editor->text(), QStringLiteral("[null,null,3]"));
            lineOf(*editor)->setText(QStringLiteral("many")); // the engine says what is wrong with it
            QCOMPARE(editor->text(), QStringLiteral("many"));
        }
        QVERIFY(found);
        PropertySpec spec;
        spec.kind = EditorKind::Structure;
        std::unique_ptr<PropertyEditor> const editor(makeEditor(spec, nullptr));
        for (auto const *nothing : {"null", "{}", "[]"}) {
            editor->show(QLatin1String(nothing), false);
            QCOMPARE(lineOf(*editor)->text(), QString());
            QCOMPARE(editor->text(), QLatin1String(nothing));
        }
    }
    void everyLossOptimizerAndMetricHasEditorsWithItsDefaults()
    {
        for (auto const &spec : model::lossSpecs()) checkParams(spec.params, spec.className);
        for (auto const &spec : model::optimizerSpecs()) checkParams(spec.params, spec.className);
        for (auto const &spec : model::metricSpecs()) checkParams(spec.params, spec.className);
        checkParams(model::trainingFields(), "training");
    }
    void everyOptionHasAnEditorOfItsTypeAndItsDefault()
    {
        using config::OptionType;
        int seen = 0;
        for (auto const table : {config::ipuConfigOptions(), config::engineOptions()})
            for (auto const &option : table) {
                EditorKind kind = EditorKind::Text;
                switch (option.type) {
                case OptionType::Bool: kind = EditorKind::Check; break;
                case OptionType::Int: kind = EditorKind::Integer; break;
                case OptionType::Float: kind = EditorKind::Decimal; break;
                case OptionType::Enum: kind = EditorKind::Choice; break;
                case OptionType::Path: kind = EditorKind::Path; break;
                case OptionType::Dict:
                case OptionType::IntList: kind = EditorKind::Structure; break;
                case OptionType::Text: kind = option.allowed.empty() ? EditorKind::Text : EditorKind::Choice; break;
                }
                auto const spec = specOf(option);
                checkEditor(spec, kind);
                auto const value = config::parseValue(option, spec.defaultText.toStdString());
                QVERIFY2(value.ok() && *value == option.defaultValue, qPrintable(spec.path));
                QVERIFY2(readProperty({}, spec).text == spec.defaultText && !isChanged(spec, readProperty({}, spec)),
                         qPrintable(spec.path));
                ++seen;
            }
        QVERIFY(seen > 80);
    }
    void aNewLayerShowsNothingAsChanged()
    {
        for (auto const &spec : model::builtinLayers()) {
            auto const project = withLayer(model::makeLayer(spec.className, "subject"));
            auto const rows = layerSpecs(project.model.layers[1], true);
            QVERIFY2(!rows.empty(), spec.className.c_str());
            for (auto const &row : rows) {
                auto const value = readProperty(project, row);
                QVERIFY2(value.exists, qPrintable(row.path));
                QVERIFY2(!isChanged(row, value), qPrintable(row.path + QStringLiteral(" = ") + value.text));
            }
        }
    }
    void resetIsExact()
    {
        auto project = *project::fromTemplate("mnist-mlp");
        auto const before = project;
        auto const *option = config::IpuConfig::metadata("io_tiles.available_memory_proportion");
        auto const *engine = config::findOption(config::engineOptions(), "opt.maxCopyMergeSize");
        for (auto const &spec : {specOf(*option), specOf(*engine)}) {
            QVERIFY(writeProperty(project, spec, spec.kind == EditorKind::Decimal ? QStringLiteral("0.25") : QStringLiteral("4096")).ok());
            QVERIFY(isChanged(spec, readProperty(project, spec)));
            QVERIFY(resetProperty(project, spec).ok());
        }
        QCOMPARE(project == before, true);
        QVERIFY(project.engineOptions.empty());
    }
    void anEngineOptionAtItsDefaultIsNotKept()
    {
        project::Project project;
        auto const spec = specOf(*config::findOption(config::engineOptions(), "debug.instrument"));
        QVERIFY(writeProperty(project, spec, QStringLiteral("true")).ok());
        QCOMPARE(project.engineOptions.at("debug.instrument"), std::string("true"));
        QVERIFY(writeProperty(project, spec, QStringLiteral("false")).ok());
        QVERIFY(project.engineOptions.empty());
    }
    void junkIsRefusedWithTheEnginesReason()
    {
        auto const project = *project::fromTemplate("mnist-mlp");
        auto const batch = trainingSpec(project.training, QStringLiteral("batch_size"));
        for (char const *junk : {"0", "-3", "abc", "1e9", "", "[1]", "1.5"}) {
            auto trial = project;
            auto const status = writeProperty(trial, batch, QLatin1String(junk));
            QVERIFY2(!status.ok(), junk);
            QVERIFY2(diagnosticSentences(status.error()).contains(QStringLiteral("batch_size")), junk);
        }
    }
    void layersOfDifferentClassesShareTheirCommonFields()
    {
        project::Project project;
        project.model.layers = {model::makeInput("in", {16}), model::makeLayer("Dense", "a", {{"units", 4}}),
                                model::makeLayer("Dense", "b", {{"units", 8}}), model::makeLayer("Dropout", "c", {{"rate", 0.5}})};
        auto const &layers = project.model.layers;
        auto const two = commonLayerSpecs({&layers[1], &layers[2]});
        auto const units = std::ranges::find(two, QStringLiteral("units"), &PropertySpec::label);
        QVERIFY(units != two.end());
        QCOMPARE(units->paths(), (QStringList{QStringLiteral("model.layers.a.units"), QStringLiteral("model.layers.b.units")}));
        QVERIFY(readProperty(project, *units).varies);
        QVERIFY(writeProperty(project, *units, QStringLiteral("32")).ok());
        QVERIFY(!readProperty(project, *units).varies);
        auto const three = commonLayerSpecs({&layers[1], &layers[2], &layers[3]});
        QVERIFY(std::ranges::find(three, QStringLiteral("units"), &PropertySpec::label) == three.end());
        QVERIFY(std::ranges::find(three, QStringLiteral("trainable"), &PropertySpec::label) != three.end());
        QVERIFY(std::ranges::find(three, QStringLiteral("name"), &PropertySpec::label) == three.end());
    }
    void comparesValuesNotSpellings()
    {
        QVERIFY(sameValue(QStringLiteral("{\"a\": 1, \"b\": 2}"), QStringLiteral("{\"b\":2,\"a\":1}")));
        QVERIFY(sameValue(QStringLiteral("0.10"), QStringLiteral("0.1")));
        QVERIFY(!sameValue(QStringLiteral("abc"), QStringLiteral("abd")));
        QVERIFY(!sameValue(QStringLiteral("1"), QStringLiteral("true")));
    }
    void everyFixCuresItsProblem()
    {
        auto project = *project::fromTemplate("mnist-mlp");
        project.training.gradientAccumulationSteps = 3;
        project.training.stepsPerExecution = 4;
        auto const resolved = model::resolve(project.model);
        auto const status = model::checkTrainingPlan(project.training, *resolved);
        QVERIFY(!status.ok());
        auto const fixes = settingFixes(project, status.error(), 60000);
        QVERIFY(!fixes.empty());
        for (auto const &fix : fixes) {
            auto cured = project;
            for (auto const &[path, text] : fix.fields) cured = *project::withField(cured, path.toStdString(), text.toStdString(), nullptr);
            QVERIFY2(model::checkTrainingPlan(cured.training, *resolved).ok(), qPrintable(fix.title));
        }
    }
    void tooFewIpusAreCuredByALargerSystem()
    {
        auto project = *project::fromTemplate("mnist-mlp");
        project.training.replicas = 4;
        project.target = "gc200:tiles=8";
        auto const layout = systemLayout(project);
        QVERIFY(layout.problem.has_value());
        auto const fixes = settingFixes(project, *layout.problem, 60000);
        QVERIFY(fixes.size() >= 2);
        for (auto const &fix : fixes) {
            auto cured = project;
            for (auto const &[path, text] : fix.fields) cured = *project::withField(cured, path.toStdString(), text.toStdString(), nullptr);
            QVERIFY2(!systemLayout(cured).problem, qPrintable(fix.title));
        }
    }
    void ipusThatTheConfigurationHoldsBackAreTaken()
    {
        auto project = *project::fromTemplate("mnist-mlp");
        project.training.replicas = 4;
        project.target = "pod16";
        project = *project::withField(project, "ipu_config.auto_select_ipus", "2", nullptr);
        auto const layout = systemLayout(project);
        QVERIFY(layout.problem.has_value());
        for (auto const &fix : settingFixes(project, *layout.problem, 60000)) {
            auto cured = project;
            for (auto const &[path, text] : fix.fields) cured = *project::withField(cured, path.toStdString(), text.toStdString(), nullptr);
            QVERIFY2(!systemLayout(cured).problem, qPrintable(fix.title));
        }
    }
    void aTargetsNameReadsBack_data()
    {
        QTest::addColumn<QString>("text");
        for (char const *text : {"gc200", "pod16:ipus=4,tiles=64", "gc200:tiles=8", "bow:ipus=2,tiles=16,model=1", "cpu"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void aTargetsNameReadsBack()
    {
        QFETCH(QString, text);
        QCOMPARE(views::toText(parseTarget(text)), text);
    }
};

TW_REGISTER_TEST(TstPropertySpec);
#include "tst_property_spec.moc"
