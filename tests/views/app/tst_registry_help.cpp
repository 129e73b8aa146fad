#include "engine/config/options.h"
#include "engine/model/layer_spec.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/optimizers.h"
#include "engine/model/templates.h"
#include "engine/project/project.h"
#include "tests/support/test_registry.h"
#include "tests/views/diagnostics/registry_texts.h"
#include "translations/translations.h"
#include "views/common/theme.h"
#include "views/config/config_specs.h"
#include "views/data/data_specs.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/help/help_page.h"
#include "views/help/reference_pages.h"
#include "views/modeledit/layer_phrase.h"
#include "views/palette/palette_list.h"
#include "views/plan/metric_list.h"
#include "views/plan/plan_specs.h"
#include "views/properties/class_choice.h"
#include "views/session/session.h"

#include <QApplication>
#include <QTreeWidget>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// Texts of the engine's registries are in the window's language: all layers, arguments, options and so on. tst_language tests that an open
/// window
/// changes with the language.
class TstRegistryHelp : public QObject {
    Q_OBJECT
    QStringList m_english; ///< texts that differ in German and are long enough to be distinguished from names

    /// The English in a text that should be German.
    QString leftIn(QString const &text) const
    {
        for (auto const &each : m_english)
            if (text.contains(each)) return each;
        return {};
    }
    void isGerman(std::string const &english, QString const &shown, std::string const &place)
    {
        QString const wanted = registryText(english);
        auto const both = QStringLiteral("%1: %2").arg(QString::fromStdString(place), shown);
        QVERIFY2(!wanted.isEmpty() && wanted != QString::fromStdString(english) && shown.contains(wanted), qPrintable(both));
        QVERIFY2(leftIn(shown).isEmpty(), qPrintable(both));
    }
    void areGerman(std::vector<PropertySpec> const &specs)
    {
        for (auto const &spec : specs)
            for (auto const &text : {spec.help, spec.typeText, spec.unit, spec.note, spec.deprecated})
                QVERIFY2(leftIn(text).isEmpty(), qPrintable(spec.path + QStringLiteral(": ") + text));
    }

private slots:
    void initTestCase()
    {
        applyTheme(*qApp, ThemeKind::Light);
        installTranslation(*qApp, QStringLiteral("de"));
        for (auto const &each : registryTexts()) {
            auto const english = QString::fromStdString(each.text);
            if (each.prose && english.size() >= 16 && english.contains(QLatin1Char(' '))) m_english << english;
        }
        QVERIFY(m_english.size() > 300);
    }
    void cleanupTestCase() { installTranslation(*qApp, QStringLiteral("en")); }

    void layersAndTheirArguments()
    {
        for (auto const &spec : model::builtinLayers()) {
            model::Layer layer;
            layer.className = spec.className;
            layer.name = "layer";
            auto const rows = layerSpecs(layer, true);
            for (auto const &param : model::layerParams(spec)) {
                auto const row = std::ranges::find(rows, QString::fromStdString(param.name), &PropertySpec::label);
                QVERIFY(row != rows.end());
                isGerman(param.help, row->help, spec.className + "." + param.name);
            }
            areGerman(rows);
        }
    }
    void optionsOfEveryTable()
    {
        using config::OptionCategory;
        for (auto const category :
             {OptionCategory::IpuConfig, OptionCategory::Flag, OptionCategory::Engine, OptionCategory::Target, OptionCategory::Runtime})
            for (auto const &option : config::optionsOf(category)) {
                isGerman(option.help, specOf(option).help, config::placeOf(option));
                for (auto const &note : config::helpNotes(option))
                    QVERIFY(specOf(option).help.contains(registryText(note.text, note.value)));
                areGerman({specOf(option)});
            }
    }
    void optimizersAndLossesOfThePlan()
    {
        project::Project project;
        auto const rowOf = [](std::vector<PropertySpec> const &rows, char const *path) {
            return *std::ranges::find(rows, QLatin1String(path), &PropertySpec::path);
        };
        for (auto const &spec : model::optimizerSpecs()) {
            project.training.optimizer = *model::parseOptimizer(spec.className);
            auto const rows = planSpecs(project);
            isGerman(spec.help, rowOf(rows, "training.optimizer").help, spec.className);
            areGerman(rows);
        }
        for (auto const &spec : model::lossSpecs()) {
            project.training.losses = {*model::parseLoss(spec.className)};
            auto const rows = planSpecs(project);
            isGerman(spec.help, rowOf(rows, "training.loss").help, spec.className);
            areGerman(rows);
        }
        QCOMPARE(rateText(*model::parseOptimizer({{"class_name", "SGD"}, {"config", {{"learning_rate", 0.25}}}})), QStringLiteral("0,25"));
        model::Json const falls{{"class_name", "ExponentialDecay"},
                                {"config", {{"initial_learning_rate", 0.5}, {"decay_steps", 4}, {"decay_rate", 0.5}}}};
        QCOMPARE(rateText(*model::parseOptimizer({{"class_name", "SGD"}, {"config", {{"learning_rate", falls}}}})),
                 QStringLiteral("ExponentialDecay ab 0,5"));
        areGerman(targetSpecs(project));
        areGerman(parallelSpecs(project));
        areGerman(ipuConfigSpecs());
        areGerman(engineOptionSpecs());
        areGerman(dataSpecs(true));
    }
    void layersOfThePaletteAndOfThePhrase()
    {
        PaletteList palette;
        int seen = 0;
        for (QTreeWidgetItemIterator it(&palette); *it; ++it) {
            auto const *spec = model::findLayerSpec(PaletteList::classOf(*it).toStdString());
            if (!spec) continue;
            ++seen;
            isGerman(spec->help, (*it)->toolTip(0), spec->className);
            QCOMPARE((*it)->data(0, Qt::AccessibleDescriptionRole).toString(), registryText(spec->help));
        }
        QCOMPARE(seen, static_cast<int>(model::builtinLayers().size()));
        for (auto const *typed : {"dense", "dense u", "conv"})
            for (auto const &offer : completeLayerPhrase(QLatin1String(typed), 100))
                QVERIFY2(leftIn(offer.hint).isEmpty(), qPrintable(offer.hint));
    }
    void titlesOfNewProjects()
    {
        Session session;
        for (auto const &each : model::modelTemplates()) {
            QVERIFY(session.document().openTemplate(QString::fromStdString(each.name)).ok());
            isGerman(each.title, session.document().title(), each.name);
        }
    }
    void pagesOfTheReference()
    {
        for (auto const &page : referencePages())
            for (auto const &english : m_english)
                QVERIFY2(!page.markdown.contains(english) && !page.markdown.contains(escapedMarkdown(english)),
                         qPrintable(page.id + QStringLiteral(": ") + english));
    }
};

TW_REGISTER_TEST(TstRegistryHelp);
#include "tst_registry_help.moc"
