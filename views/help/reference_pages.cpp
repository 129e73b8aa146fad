#include "engine/config/option_value.h"
#include "engine/config/options.h"
#include "engine/core/text.h"
#include "engine/model/constraints.h"
#include "engine/model/layer_spec.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/optimizers.h"
#include "engine/model/regularizers.h"
#include "engine/model/schedules.h"
#include "engine/report/insights/insights.h"
#include "engine/target/machine.h"
#include "views/diagnostics/registry_text.h"
#include "views/help/reference_pages.h"
#include "views/modeledit/layer_family.h"
#include "views/properties/property_spec.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace tilewright::views {

namespace {

/// A translation context for the free functions here.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(ReferencePages)
};

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
QString escaped(std::string_view s) { return escapedMarkdown(text(s)); }
/// A text of a registry, in the language of the window.
QString said(std::string_view s) { return escapedMarkdown(registryText(s)); }
/// A value or a name in the monospaced face; empty stays empty.
QString code(QString const &value)
{
    return value.isEmpty() ? QString()
                           : QLatin1Char('`') + QString(value).replace(QLatin1Char('|'), QStringLiteral("\\|")) + QLatin1Char('`');
}
QString code(std::string_view value) { return code(text(value)); }

QString codes(std::vector<std::string> const &values)
{
    QStringList list;
    for (auto const &value : values) list.append(code(value));
    return list.join(QStringLiteral(", "));
}

/// A list with its title, or nothing without rows.
class Markdown {
public:
    explicit Markdown(QString const &title) : m_text(QStringLiteral("# %1\n\n").arg(escapedMarkdown(title))) {}
    void paragraph(QString const &body)
    {
        if (!body.isEmpty()) m_text += body + QStringLiteral("\n\n");
    }
    void heading(QString const &title) { m_text += QStringLiteral("## %1\n\n").arg(title); }
    void fact(QString const &name, QString const &value)
    {
        if (!value.isEmpty()) m_text += QStringLiteral("- **%1:** %2\n").arg(name, value);
    }
    void item(QString const &line) { m_text += QStringLiteral("- ") + line + QLatin1Char('\n'); }
    void gap() { m_text += QLatin1Char('\n'); }
    QString const &result() const { return m_text; }

private:
    QString m_text;
};

QString numberText(double value) { return QLocale().toString(value, 'g', 12); }

QString rangeText(model::ParamInfo const &param)
{
    if (param.min && param.max) return Words::tr("from %1 to %2").arg(numberText(*param.min), numberText(*param.max));
    if (param.min) return Words::tr("at least %1").arg(numberText(*param.min));
    if (param.max) return Words::tr("at most %1").arg(numberText(*param.max));
    return {};
}

void describeParams(Markdown &page, std::vector<model::ParamInfo> const &params)
{
    if (params.empty()) {
        page.paragraph(Words::tr("It has no arguments."));
        return;
    }
    page.heading(Words::tr("Arguments"));
    for (auto const &param : params) {
        QStringList facts{registryText(model::paramTypeName(param.type))};
        facts.append(param.required ? Words::tr("required") : Words::tr("default %1").arg(code(param.defaultJson)));
        if (auto const range = rangeText(param); !range.isEmpty()) facts.append(range);
        if (!param.allowed.empty()) facts.append(Words::tr("one of %1").arg(codes(param.allowed)));
        page.item(QStringLiteral("**%1** (%2). %3").arg(escaped(param.name), facts.join(QStringLiteral(", ")), said(param.help)));
    }
    page.gap();
}

/// Collects the pages of one kind and writes their index.
class Section {
public:
    Section(QList<HelpPage> &pages, QString const &kind, QString const &indexName, QString const &indexTitle, QString const &intro)
        : m_pages(pages), m_kind(kind), m_indexId(QStringLiteral("index:") + indexName), m_indexTitle(indexTitle), m_index(indexTitle)
    {
        m_index.paragraph(intro);
    }
    void heading(QString const &title)
    {
        m_index.gap();
        m_index.heading(title);
    }
    void add(QString const &name, Markdown const &page, QString const &title, QString const &line)
    {
        m_pages.append({m_kind + QLatin1Char(':') + name, title, page.result()});
        m_index.item(QStringLiteral("[%1](%2:%3) %4").arg(escapedMarkdown(title), m_kind, name, line));
    }
    void finish() { m_pages.append({m_indexId, m_indexTitle, m_index.result()}); }

private:
    QList<HelpPage> &m_pages;
    QString m_kind, m_indexId, m_indexTitle;
    Markdown m_index;
};

void addLayers(QList<HelpPage> &pages)
{
    Section section(pages, QStringLiteral("layer"), QStringLiteral("layers"), Words::tr("Layers"),
                    Words::tr("Every layer a model can be built of, under its Keras name. Drag one from the palette onto the canvas."));
    QStringList categories;
    for (auto const &spec : model::builtinLayers())
        if (auto const category = text(spec.category); !categories.contains(category)) categories.append(category);
    for (auto const &category : categories) {
        section.heading(familyTitle(category.toStdString()));
        for (auto const &spec : model::builtinLayers()) {
            if (text(spec.category) != category) continue;
            auto const name = text(spec.className);
            Markdown page(name);
            page.paragraph(said(spec.help));
            page.fact(Words::tr("Group"), familyTitle(spec.category));
            page.fact(Words::tr("Inputs"),
                      spec.minInputs == spec.maxInputs ? QString::number(spec.minInputs) : Words::tr("%1 or more").arg(spec.minInputs));
            page.gap();
            describeParams(page, model::layerParams(spec));
            section.add(name, page, name, said(spec.help));
        }
    }
    section.finish();
}

void addLosses(QList<HelpPage> &pages)
{
    Section section(pages, QStringLiteral("loss"), QStringLiteral("losses"), Words::tr("Losses"),
                    Words::tr("What training makes smaller."));
    for (auto const &spec : model::lossSpecs()) {
        auto const name = text(spec.className);
        Markdown page(name);
        page.paragraph(said(spec.help));
        page.fact(Words::tr("Per sample"), said(spec.formula));
        page.fact(Words::tr("Also written"), codes([&] {
                      auto all = spec.aliases;
                      all.insert(all.begin(), spec.name);
                      return all;
                  }()));
        page.fact(Words::tr("Labels"),
                  spec.labels == model::LabelForm::ClassIndex ? Words::tr("one class number for each prediction")
                                                              : Words::tr("of the prediction's shape"));
        page.gap();
        describeParams(page, spec.params);
        section.add(name, page, name, said(spec.help));
    }
    section.finish();
}

void addOptimizers(QList<HelpPage> &pages)
{
    Section section(
        pages, QStringLiteral("optimizer"), QStringLiteral("optimizers"), Words::tr("Optimizers"),
        Words::tr("How weights change after each batch. The state an optimizer keeps lies beside the weights, on the same tiles."));
    for (auto const &spec : model::optimizerSpecs()) {
        auto const name = text(spec.className);
        Markdown page(name);
        page.paragraph(said(spec.help));
        page.fact(Words::tr("Update"), said(spec.formula));
        page.fact(Words::tr("Also written"), codes(spec.aliases));
        page.gap();
        describeParams(page, spec.params);
        section.add(name, page, name, said(spec.help));
    }
    section.finish();
}

void addSchedules(QList<HelpPage> &pages)
{
    Section section(
        pages, QStringLiteral("schedule"), QStringLiteral("schedules"), Words::tr("Learning-rate schedules"),
        Words::tr("What may stand in place of a number for learning_rate. The device computes the rate of each update itself."));
    for (auto const &spec : model::scheduleSpecs()) {
        auto const name = text(spec.className);
        Markdown page(name);
        page.paragraph(said(spec.help));
        page.fact(Words::tr("Rate after t updates"), said(spec.formula));
        page.fact(Words::tr("Example"), codes({R"({"class_name": ")" + spec.className + R"(", "config": )" + spec.example + "}"}));
        page.gap();
        describeParams(page, spec.params);
        section.add(name, page, name, said(spec.help));
    }
    section.finish();
}

/// Classes that an argument of a layer names.
void addArgumentClasses(Section section, std::vector<model::ClassSpec> const &specs)
{
    for (auto const &spec : specs) {
        auto const name = text(spec.className);
        Markdown page(name);
        page.paragraph(said(spec.help));
        auto names = spec.aliases;
        names.insert(names.begin(), model::snakeCase(spec.className));
        page.fact(Words::tr("Also written"), codes(names));
        page.gap();
        describeParams(page, spec.params);
        section.add(name, page, name, said(spec.help));
    }
    section.finish();
}

void addMetrics(QList<HelpPage> &pages)
{
    Section section(pages, QStringLiteral("metric"), QStringLiteral("metrics"), Words::tr("Metrics"),
                    Words::tr("What is measured beside the loss and changes nothing."));
    for (auto const &spec : model::metricSpecs()) {
        auto const name = text(spec.className);
        Markdown page(name);
        page.paragraph(said(spec.help));
        page.fact(Words::tr("Also written"), codes(spec.aliases));
        if (!spec.lossClass.empty()) page.fact(Words::tr("Mean of"), QStringLiteral("[%1](loss:%1)").arg(text(spec.lossClass)));
        page.gap();
        describeParams(page, spec.params);
        section.add(name, page, name, said(spec.help));
    }
    section.finish();
}

QString boundsText(config::OptionInfo const &option)
{
    auto const unit = option.unit.empty() ? QString() : QLatin1Char(' ') + registryText(option.unit);
    if (option.min && option.max) return Words::tr("from %1 to %2").arg(numberText(*option.min), numberText(*option.max)) + unit;
    if (option.min) return Words::tr("at least %1").arg(numberText(*option.min)) + unit;
    if (option.max) return Words::tr("at most %1").arg(numberText(*option.max)) + unit;
    return unit.trimmed();
}

QString optionPageName(config::OptionInfo const &option)
{
    return option.category == config::OptionCategory::IpuConfig ? QStringLiteral("ipu_config.") + text(option.path) : text(option.path);
}

void addOptions(QList<HelpPage> &pages, config::OptionCategory category, QString const &indexName, QString const &title,
                QString const &intro)
{
    Section section(pages, QStringLiteral("option"), indexName, title, intro);
    for (auto const &option : config::optionsOf(category)) {
        auto const name = optionPageName(option);
        Markdown page(text(option.path));
        page.paragraph(escapedMarkdown(optionHelp(option)));
        if (option.effect == config::Effect::NotYet)
            page.paragraph(Words::tr("**This version keeps, saves and checks the option, but nothing reads it yet.**"));
        if (option.deprecated) page.paragraph(Words::tr("**Deprecated.** %1").arg(said(option.deprecatedMessage)));
        page.fact(Words::tr("Written as"), code(config::placeOf(option)));
        page.fact(Words::tr("Type"), said(config::toText(option.type)));
        auto const defaultText = text(config::toText(option.defaultValue));
        page.fact(Words::tr("Default"), defaultText.isEmpty() ? Words::tr("empty") : code(defaultText));
        page.fact(Words::tr("Values"), codes(option.allowed));
        page.fact(Words::tr("Range"), boundsText(option));
        page.fact(Words::tr("Changes the executable"),
                  option.inExecutableHash ? Words::tr("yes: the next run compiles again")
                                          : Words::tr("no: a compiled executable stays valid"));
        auto const remark = option.effect == config::Effect::NotYet ? Words::tr("(no effect yet)")
            : option.effect == config::Effect::Cannot               ? Words::tr("(not on an emulator)")
                                                                    : QString();
        section.add(name, page, text(option.path), remark);
    }
    section.finish();
}

void addMachines(QList<HelpPage> &pages)
{
    Section section(pages, QStringLiteral("machine"), QStringLiteral("machines"), Words::tr("Machines"),
                    Words::tr("What a project can be compiled for. Add options in one word: `gc200:tiles=8`, `pod16:ipus=4`."));
    for (auto const &info : target::builtinMachines()) {
        auto const name = text(info.name);
        Markdown page(name);
        page.paragraph(said(info.title));
        if (info.machine.isEmulated()) {
            auto const &chip = info.machine.chip;
            page.fact(Words::tr("IPUs"), QString::number(info.machine.ipus));
            page.fact(Words::tr("Tiles of one IPU"), QLocale().toString(chip.tiles));
            page.fact(Words::tr("Memory of one tile"),
                      Words::tr("%1 bytes").arg(QLocale().toString(static_cast<qlonglong>(chip.bytesPerTile))));
            page.fact(Words::tr("Room for code in a tile"),
                      Words::tr("%1 bytes").arg(QLocale().toString(static_cast<qlonglong>(chip.nonInterleavedBytes))));
            page.fact(Words::tr("Clock"), Words::tr("%1 MHz").arg(QLocale().toString(static_cast<qlonglong>(chip.clockHz / 1'000'000))));
            page.fact(Words::tr("Workers of one tile"), QString::number(chip.workers));
            page.fact(Words::tr("Exchange of one tile"), Words::tr("%1 bytes in a cycle, each way").arg(chip.exchangeBytesPerCycle));
            page.fact(Words::tr("Architecture"), code(chip.architecture));
        } else {
            page.paragraph(Words::tr("Plain Keras on this computer: nothing is emulated, so there are no cycles and no tiles to look at."));
        }
        section.add(name, page, name, said(info.title));
    }
    section.finish();
}

void addRules(QList<HelpPage> &pages)
{
    Section section(pages, QStringLiteral("rule"), QStringLiteral("rules"), Words::tr("Insight rules"),
                    Words::tr("What the [Insights](view:insights) view looks for in every report, and when it speaks."));
    for (auto const &rule : report::builtinInsightRules()) {
        auto const name = text(rule.name);
        Markdown page(name);
        page.paragraph(said(rule.help));
        page.fact(Words::tr("Version of the rule"), QString::number(rule.version));
        section.add(name, page, name, said(rule.help));
    }
    section.finish();
}

} // namespace

QList<HelpPage> referencePages()
{
    QList<HelpPage> pages;
    addLayers(pages);
    addLosses(pages);
    addOptimizers(pages);
    addSchedules(pages);
    addArgumentClasses(
        Section(pages, QStringLiteral("regularizer"), QStringLiteral("regularizers"), Words::tr("Regularizers"),
                Words::tr("Penalties that weights and outputs of a layer add to the loss: arguments like kernel_regularizer. "
                          "Runs also report their sum, regularization_loss.")),
        model::regularizerSpecs());
    addArgumentClasses(
        Section(pages, QStringLiteral("constraint"), QStringLiteral("constraints"), Words::tr("Constraints"),
                Words::tr("Rules that weights of a layer keep, applied after each update: arguments like kernel_constraint.")),
        model::constraintSpecs());
    addMetrics(pages);
    addOptions(pages, config::OptionCategory::IpuConfig, QStringLiteral("ipuconfig"), Words::tr("IPUConfig options"),
               Words::tr("The options of a Keras-for-IPU configuration. Change them in [IPU configuration](view:config)."));
    addOptions(pages, config::OptionCategory::Flag, QStringLiteral("flags"), Words::tr("Flags"),
               Words::tr("Items of the environment variable `TF_POPLAR_FLAGS`."));
    addOptions(pages, config::OptionCategory::Engine, QStringLiteral("engineoptions"), Words::tr("Engine options"),
               Words::tr("Keys of `POPLAR_ENGINE_OPTIONS` and of `compilation_poplar_options`."));
    addOptions(pages, config::OptionCategory::Target, QStringLiteral("targetoptions"), Words::tr("Target options"),
               Words::tr("Keys of `POPLAR_TARGET_OPTIONS`."));
    addOptions(pages, config::OptionCategory::Runtime, QStringLiteral("runtimeoptions"), Words::tr("Runtime options"),
               Words::tr("Keys of `POPLAR_RUNTIME_OPTIONS`."));
    addMachines(pages);
    addRules(pages);
    return pages;
}

} // namespace tilewright::views
