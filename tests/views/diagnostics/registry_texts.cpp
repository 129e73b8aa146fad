#include "tests/views/diagnostics/registry_texts.h"

#include "engine/config/option_value.h"
#include "engine/config/options.h"
#include "engine/data/data_source.h"
#include "engine/model/constraints.h"
#include "engine/model/layer_families.h"
#include "engine/model/layer_spec.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/optimizers.h"
#include "engine/model/regularizers.h"
#include "engine/model/schedules.h"
#include "engine/model/templates.h"
#include "engine/model/training_plan.h"
#include "engine/report/insights/insights.h"
#include "engine/target/machine.h"

#include <set>

namespace tilewright {

namespace {

class Collector {
public:
    void part(std::string name) { m_parts.push_back({std::move(name), {}}); }
    void prose(std::string const &place, std::string_view text) { add(place, text, true); }
    void word(std::string const &place, std::string_view text) { add(place, text, false); }
    void arguments(std::string const &of, std::vector<model::ParamInfo> const &params)
    {
        for (auto const &param : params) {
            prose(of + "." + param.name, param.help);
            word("type of " + of + "." + param.name, model::paramTypeName(param.type));
        }
    }
    std::vector<RegistryPart> take() { return std::move(m_parts); }

private:
    void add(std::string const &place, std::string_view text, bool prose)
    {
        if (!text.empty() && m_seen.insert(std::string(text)).second) m_parts.back().texts.push_back({place, std::string(text), prose});
    }
    std::set<std::string> m_seen;
    std::vector<RegistryPart> m_parts;
};

void addOptions(Collector &all)
{
    using config::OptionCategory;
    for (auto const category :
         {OptionCategory::IpuConfig, OptionCategory::Flag, OptionCategory::Engine, OptionCategory::Target, OptionCategory::Runtime})
        for (auto const &option : config::optionsOf(category)) {
            auto const place = config::placeOf(option);
            all.prose(place, option.help);
            for (auto const &note : config::helpNotes(option)) all.prose("note of " + place, note.text);
            all.prose("deprecation of " + place, option.deprecatedMessage);
            all.word("unit of " + place, option.unit);
            all.word("type of " + place, config::toText(option.type));
        }
}

/// Losses, optimizers and the like: class, help, formula where it has one, arguments.
template <typename Specs> void addClasses(Collector &all, Specs const &specs)
{
    for (auto const &spec : specs) {
        all.prose(spec.className, spec.help);
        if constexpr (requires { spec.formula; }) all.word("formula of " + spec.className, spec.formula);
        all.arguments(spec.className, spec.params);
    }
}

} // namespace

std::vector<RegistryPart> registryParts()
{
    Collector all;
    all.part("layers");
    for (auto const &family : model::layerFamilies()) all.word("family", family.name);
    addClasses(all, model::builtinLayers());
    addClasses(all, model::regularizerSpecs());
    addClasses(all, model::constraintSpecs());
    all.arguments("layer", model::commonLayerParams());
    all.part("training");
    addClasses(all, model::lossSpecs());
    addClasses(all, model::optimizerSpecs());
    addClasses(all, model::scheduleSpecs());
    addClasses(all, model::metricSpecs());
    all.arguments("training", model::trainingFields());
    all.part("options");
    addOptions(all);
    all.part("program");
    for (auto const &each : model::modelTemplates()) {
        all.prose("title of " + each.name, each.title);
        all.prose(each.name, each.description);
    }
    for (auto const &machine : target::builtinMachines()) all.word(machine.name, machine.title);
    for (auto const &format : data::dataFormats()) all.prose(format.name, format.help);
    for (auto const &rule : report::builtinInsightRules()) all.prose(rule.name, rule.help);
    return all.take();
}

std::vector<RegistryText> registryTexts()
{
    std::vector<RegistryText> texts;
    for (auto &part : registryParts())
        for (auto &text : part.texts) texts.push_back(std::move(text));
    return texts;
}

} // namespace tilewright
