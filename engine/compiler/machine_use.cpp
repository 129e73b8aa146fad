// The machine of a project, and its use by replicas and stages.
#include "engine/compiler/compile.h"
#include "engine/config/selection_order.h"
#include "engine/model/stages.h"

#include <algorithm>

namespace tilewright::compiler {

std::string_view toText(RunKind kind)
{
    switch (kind) {
    case RunKind::Train: return "train";
    case RunKind::Evaluate: return "evaluate";
    case RunKind::Predict: return "predict";
    case RunKind::Initialise: return "initialise";
    case RunKind::WeightsIn: return "weights_in";
    case RunKind::WeightsOut: return "weights_out";
    }
    return "train";
}

double CompileOutcome::emulatedSecondsPerStep() const { return entry()->cyclesPerStep() / static_cast<double>(machine.chip.clockHz); }

double CompileOutcome::samplesPerSecond() const
{
    double const perStep = emulatedSecondsPerStep();
    return perStep > 0 ? static_cast<double>(entry()->batchSize * executable->replicas) / perStep : 0;
}

Result<target::Machine> effectiveMachine(project::Project const &p, config::EnvironmentOptions const &environment)
{
    TW_ASSIGN(auto machine, project::machineOf(p));
    auto const &flags = environment.flags;
    if (!machine.isEmulated() || (!flags.boolean("use_ipu_model") && machine.kind != target::MachineKind::IpuModel)) return machine;
    machine.kind = target::MachineKind::IpuModel;
    // The software model has the chip its version names, with as many tiles as it is told.
    auto const &modelVersion = p.config.text("ipu_model.version");
    if (modelVersion != machine.chip.architecture && (modelVersion == "ipu1" || modelVersion == "ipu2")) {
        TW_ASSIGN(auto const chip, target::parseMachine(modelVersion));
        int const tiles = machine.chip.tiles;
        machine.chip = chip.chip;
        machine.chip.tiles = std::min(tiles, machine.chip.tiles);
    }
    std::int64_t tiles = p.config.integer("ipu_model.tiles_per_ipu");
    if (tiles <= 0) tiles = flags.integer("ipu_model_tiles");
    if (tiles > 0) machine.chip.tiles = static_cast<int>(std::min<std::int64_t>(tiles, machine.chip.tiles));
    return machine;
}

Result<Distribution> distribute(project::Project const &p, model::ResolvedModel const &model, target::Machine const &machine)
{
    Distribution d;
    TW_TRY(model::checkDeviceMapping(p.training.deviceMapping, model.stages(), p.training.pipelineSchedule, false));
    d.stageIpus = model::stageIpus(p.training.deviceMapping, model.stages());
    d.ipusPerReplica = model::ipusOf(d.stageIpus);
    if (!machine.isEmulated()) return Distribution{};
    TW_ASSIGN(auto const order, config::parseSelectionOrder(p.config.text("selection_order")));
    TW_ASSIGN(auto const slots, config::selectionSlots(order, d.ipusPerReplica));
    for (int &ipu : d.stageIpus) ipu = slots[static_cast<std::size_t>(ipu)];
    int const wanted = static_cast<int>(p.training.replicas);
    int const needed = d.ipusPerReplica * std::max(1, wanted);
    auto const &selected = p.config.list("auto_select_ipus");
    auto const need = wanted > 1 ? Message::of("%1 IPU(s) per replica and %2 replicas", d.ipusPerReplica, wanted)
                                 : Message::of("%1 IPU(s) per replica", d.ipusPerReplica);
    if (machine.ipus < needed && !selected.empty())
        return makeError(ErrorKind::Invalid, "config.too-few-ipus", "ipu_config.auto_select_ipus",
                         Message::of("the model needs %1, but ipu_config.auto_select_ipus selects %2.", need, selected.front()),
                         Message::of("Set ipu_config.auto_select_ipus to %1 or more.", std::to_string(needed)));
    if (machine.ipus < needed)
        return makeError(
            ErrorKind::Invalid, "runtime.too-few-ipus", "system.target",
            Message::of("the model needs %1, but %2 has %3.", need, machine.name, machine.ipus),
            Message::of("Choose a target with at least %1 IPUs, such as '%2:ipus=%1'.", std::to_string(needed), machine.chip.name));
    // As on the real stack: a device with more IPUs than the model needs holds replicas.
    d.replicas = wanted > 1 ? wanted : machine.ipus / d.ipusPerReplica;
    return d;
}

} // namespace tilewright::compiler
