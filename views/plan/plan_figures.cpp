#include "views/plan/plan_figures.h"

#include "views/advice/system_layout.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/properties/class_choice.h"

#include "engine/core/held_out.h"
#include "engine/model/epoch_steps.h"

#include <algorithm>

namespace tilewright::views {

namespace {

bool aboutThePlan(Diagnostic const &problem) { return problem.subject.starts_with("training") || problem.code.starts_with("training."); }

} // namespace

PlanFigures planFigures(project::Project const &project, std::optional<DataCounts> const &counts)
{
    auto const &plan = project.training;
    auto const layout = systemLayout(project);
    PlanFigures out;
    out.emulated = !layout.machine || layout.machine->isEmulated();
    out.replicas = out.emulated ? layout.replicas : 1;
    out.samplesPerUpdate = plan.batchSize * plan.gradientAccumulationSteps * out.replicas;
    out.samplesAtOnce = plan.batchSize * plan.stepsPerExecution * out.replicas;
    out.data = counts;
    if (!counts) return out;
    // Plain Keras takes a smaller last batch; shapes on a device are fixed.
    auto const batches = out.emulated ? counts->train / plan.batchSize : ceilDiv(counts->train, plan.batchSize);
    out.stepsPerEpoch = batches / out.replicas;
    out.droppedBatches = batches % out.replicas;
    out.updatesPerEpoch = out.stepsPerEpoch / plan.gradientAccumulationSteps;
    out.updates = out.updatesPerEpoch * plan.epochs;
    return out;
}

PlanProblems planProblems(project::Project const &project, PlanFigures const &figures, std::vector<Diagnostic> const &known)
{
    PlanProblems out;
    auto const add = [&](Diagnostic problem, std::vector<SettingFix> fixes) {
        out.problems.push_back(std::move(problem));
        out.fixes.push_back(std::move(fixes));
    };
    for (auto const &problem : known)
        if (aboutThePlan(problem)) add(problem, {});
    auto const layout = systemLayout(project);
    if (layout.problem) add(*layout.problem, {});
    auto const &plan = project.training;
    if (!figures.data || !figures.emulated) return out;
    auto const samples = figures.data->train;
    if (samples <= 0) return out;
    if (samples % plan.batchSize != 0) {
        auto const fits = model::dividingBatch(samples, plan.batchSize);
        std::vector<SettingFix> fixes{
            {Words::tr("Use batch size %1").arg(fits), {{QStringLiteral("training.batch_size"), QString::number(fits)}}}};
        auto const whole = samples / plan.batchSize * plan.batchSize;
        // The limit counts what is held out as well.
        auto const split = plan.validationSplit > 0 ? plan.validationSplit : project.data.validationSplit;
        if (auto const limit = whole > 0 ? samplesToKeep(whole, split) : 0; limit > 0)
            fixes.push_back({Words::tr("Train on %1 sample(s)", nullptr, pluralOf(whole)).arg(countText(whole)),
                             {{QStringLiteral("data.limit"), QString::number(limit)}}});
        add(makeError(ErrorKind::Data, "data.batch", "training.batch_size",
                      Message::of("%1 samples are not a multiple of the batch size %2: the last batch would have %3 samples, and shapes on "
                                  "the device are fixed.",
                                  countText(samples).toStdString(), plan.batchSize, samples % plan.batchSize),
                      ""),
            fixes);
        return out; // the figures below follow of it
    }
    if (figures.stepsPerEpoch == 0)
        add(makeError(ErrorKind::Data, "data.replicas", "training.replicas", Message::of("There are fewer batches than replicas."),
                      Message::of("Give each replica at least one batch.")),
            {{Words::tr("Use one replica"), {{QStringLiteral("training.replicas"), QStringLiteral("1")}}}});
    else if (figures.stepsPerEpoch % plan.stepsPerExecution != 0) {
        std::vector<SettingFix> fixes;
        if (auto const steps = model::executableSteps(figures.stepsPerEpoch, plan.gradientAccumulationSteps, plan.stepsPerExecution);
            steps > 0)
            fixes.push_back({Words::tr("Use %Ln step(s) per execution", nullptr, pluralOf(steps)),
                             {{QStringLiteral("training.steps_per_execution"), QString::number(steps)}}});
        add(makeError(ErrorKind::Invalid, "training.steps-per-execution", "training.steps_per_execution",
                      Message::of("%1 does not divide the %2 steps of an epoch.", plan.stepsPerExecution,
                                  countText(figures.stepsPerEpoch).toStdString()),
                      Message::of("Choose a divisor, or data of another size.")),
            fixes);
    }
    if (figures.droppedBatches > 0)
        add(makeWarning(
                "data.replicas", "training.replicas",
                Message::of("%1 batches at the end of each epoch are dropped: they do not fill all replicas.", figures.droppedBatches)),
            {});
    return out;
}

QString planHeadline(project::Project const &project, PlanFigures const &figures)
{
    auto const &plan = project.training;
    QString const loss = plan.losses.empty() ? Words::tr("no loss")
        : plan.losses.size() > 1             ? Words::tr("%Ln loss(es)", nullptr, static_cast<int>(plan.losses.size()))
                                             : QString::fromStdString(plan.losses.front().className);
    QString text = Words::tr("%1 minimises %2").arg(QString::fromStdString(plan.optimizer.className), loss);
    QString const epochs = Words::tr("%Ln epoch(s)", nullptr, static_cast<int>(plan.epochs));
    QString const samples = Words::tr("%1 sample(s)", nullptr, pluralOf(figures.samplesPerUpdate)).arg(countText(figures.samplesPerUpdate));
    if (figures.data && figures.updatesPerEpoch > 0)
        text +=
            Words::tr(" · %1 of %2, %3 each")
                .arg(epochs,
                     Words::tr("%1 weight update(s)", nullptr, pluralOf(figures.updatesPerEpoch)).arg(countText(figures.updatesPerEpoch)),
                     samples);
    else text += Words::tr(" · %1, %2 per weight update").arg(epochs, samples);
    return text;
}

QList<FactSection> planFacts(project::Project const &project, PlanFigures const &figures)
{
    auto const &plan = project.training;
    FactSection update{Words::tr("A weight update"), {}};
    QString made = Words::tr("batch of %1").arg(countText(plan.batchSize));
    if (plan.gradientAccumulationSteps > 1) made += Words::tr(" × %1 accumulated").arg(countText(plan.gradientAccumulationSteps));
    if (figures.replicas > 1) made += Words::tr(" × %1 replicas").arg(countText(figures.replicas));
    update.facts.push_back({Words::tr("Samples"), Words::tr("%1 = %2").arg(countText(figures.samplesPerUpdate), made)});
    bool const moves = plan.optimizer.decay() > 0 || plan.optimizer.hasSchedule();
    update.facts.push_back({Words::tr("Learning rate"), rateText(plan.optimizer),
                            moves ? Words::tr("%1 at the last update")
                                        .arg(numberText(plan.optimizer.learningRateAt(std::max<std::int64_t>(0, figures.updates - 1))))
                                  : QString()});
    if (!plan.loop.empty()) {
        QStringList blocks;
        for (auto const &block : plan.loop) {
            blocks << QString::fromUtf8(toText(block.kind).data(), static_cast<qsizetype>(toText(block.kind).size()));
            if (!block.optimizer.empty()) blocks.back() += QStringLiteral(" ") + QString::fromStdString(block.optimizer.front().className);
        }
        update.facts.push_back(
            {Words::tr("Training loop"), blocks.join(QStringLiteral(" → ")), Words::tr("blocks of your own in place of fit")});
    }
    if (plan.stepsPerExecution > 1)
        update.facts.push_back(
            {Words::tr("One start"),
             Words::tr("%1 sample(s) before the host hears of the device again", nullptr, pluralOf(figures.samplesAtOnce))
                 .arg(countText(figures.samplesAtOnce))});
    QList<FactSection> sections{update};
    FactSection epoch{Words::tr("An epoch"), {}};
    if (!figures.data) {
        epoch.facts.push_back({{}, Words::tr("The data are not counted: see the Data view.")});
    } else {
        epoch.facts.push_back({Words::tr("Training samples"), countText(figures.data->train)});
        if (figures.data->validation > 0) epoch.facts.push_back({Words::tr("Validation samples"), countText(figures.data->validation)});
        else if (figures.data->test > 0) epoch.facts.push_back({Words::tr("Test samples"), countText(figures.data->test)});
        epoch.facts.push_back({Words::tr("Steps"),
                               figures.replicas > 1 ? Words::tr("%1 on each replica").arg(countText(figures.stepsPerEpoch))
                                                    : countText(figures.stepsPerEpoch)});
        epoch.facts.push_back({Words::tr("Weight updates"), countText(figures.updatesPerEpoch)});
        if (figures.droppedBatches > 0) epoch.facts.push_back({Words::tr("Dropped batches"), countText(figures.droppedBatches)});
    }
    sections << epoch;
    bool const mayEndEarly =
        std::ranges::any_of(project.training.loop, [](auto const &block) { return block.kind == model::LoopBlock::Kind::While; });
    if (figures.data)
        sections << FactSection{mayEndEarly ? Words::tr("The whole run, at most") : Words::tr("The whole run"),
                                {{Words::tr("Weight updates"), countText(figures.updates)},
                                 {Words::tr("Samples seen"), countText(figures.updates * figures.samplesPerUpdate)}}};
    return sections;
}

} // namespace tilewright::views
