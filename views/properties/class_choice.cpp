#include "views/properties/class_choice.h"

#include "views/common/words.h"
#include "views/diagnostics/registry_text.h"

#include "engine/model/optimizers.h"
#include "engine/model/schedules.h"

#include <QLocale>

namespace tilewright::views {

namespace {

QString text(std::string const &value) { return QString::fromStdString(value); }

} // namespace

PropertySpec classChoice(char const *name, QString const &label, QString const &group, QString const &help, QString const &defaultClass,
                         std::function<std::string(model::TrainingPlan const &)> const &read)
{
    PropertySpec spec;
    spec.path = QStringLiteral("training.") + QString::fromLatin1(name);
    spec.label = label;
    spec.kind = EditorKind::Choice;
    spec.group = group;
    spec.help = help;
    spec.defaultText = defaultClass;
    spec.read = [read](project::Project const &project) -> Result<std::string> { return read(project.training); };
    std::string const path = spec.path.toStdString();
    spec.write = [path](project::Project &project, std::string const &chosen) -> Status {
        TW_ASSIGN(project, project::withField(project, path, chosen, nullptr));
        return {};
    };
    return spec;
}

QString rateText(model::Optimizer const &optimizer)
{
    QString const first = QLocale().toString(model::firstRate(optimizer.rate()), 'g', 12);
    return optimizer.hasSchedule()
        ? Words::tr("%1 from %2", "a schedule and its first rate").arg(text(optimizer.rate().at("class_name").get<std::string>()), first)
        : first;
}

std::vector<PropertySpec> optimizerFields(model::TrainingPlan const &plan)
{
    std::vector<PropertySpec> specs;
    QString const group = Words::tr("Optimizer");
    auto const *present = model::findOptimizerSpec(plan.optimizer.className);
    auto optimizer = classChoice("optimizer", Words::tr("Optimizer"), group,
                                 present ? registryText(present->help) + QLatin1Char(' ') + registryText(present->formula) : QString(),
                                 QStringLiteral("RMSprop"), [](model::TrainingPlan const &each) { return each.optimizer.className; });
    for (auto const &spec : model::optimizerSpecs()) optimizer.choices.push_back({text(spec.className), text(spec.className)});
    optimizer.typeText = typeTextOf(optimizer);
    specs.push_back(optimizer);
    if (!present) return specs;
    // The arguments of an automatic loss scale follow its switch. Without it they have no effect.
    auto const automatic = model::trainingField(plan, "optimizer.automatic_loss_scaling");
    for (auto const &param : present->params) {
        if (param.name != "name") specs.push_back(specOf(param, QStringLiteral("training.optimizer.") + text(param.name), group));
        if (param.name == "automatic_loss_scaling" && automatic.ok() && *automatic == "false") break;
    }
    return specs;
}

} // namespace tilewright::views
