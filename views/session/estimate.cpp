#include "views/session/session.h"

#include "engine/compiler/compile.h"
#include "engine/model/optimizers.h"
#include "engine/model/slot_types.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"

#include "views/diagnostics/diagnostic_text.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

// Code, control and exchange buffers of a tile. Fitted, like the unevenness, to reports of compiled dense models. Views must label the
// result as
// an estimate.
constexpr Bytes kCodePerTile = 16 * 1024;

/// Ratio of the worst tile to an even share: blocks that do not divide evenly leave less on one of few tiles.
double unevenness(int tiles) { return 1 + std::min(1.0, std::log2(std::max(1, tiles)) / std::log2(1472.0)); }

/// Bytes in use on the worst tile if each tile holds `bytes`, of which `interleaved` belong to operands of products. Those are placed in
/// interleaved memory, which begins after the executable part.
double highWater(target::Chip const &chip, double bytes, double interleaved)
{
    if (interleaved <= 0 || chip.nonInterleavedBytes >= chip.bytesPerTile) return bytes;
    double const start = static_cast<double>(chip.nonInterleavedBytes);
    return std::max(start + interleaved, bytes > start ? bytes : 0.0);
}

IpuFit shareOf(FitEstimate::Ipu const &ipu, target::Chip const &chip)
{
    double const share = unevenness(chip.tiles) / std::max(1, chip.tiles),
                 tile = static_cast<double>(std::max<Bytes>(1, chip.bytesPerTile));
    IpuFit fit;
    double const bytes = static_cast<double>(ipu.weights + ipu.optimizer + ipu.activations) * share + static_cast<double>(kCodePerTile);
    fit.need = bytes / tile;
    fit.placed = highWater(chip, bytes, static_cast<double>(ipu.weights) * share) / tile;
    fit.fits = fit.placed <= 1;
    return fit;
}

} // namespace

FitEstimate Session::estimateFit(project::Project const &project, JobContext const &job)
{
    FitEstimate estimate;
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok()) {
        estimate.why = diagnosticText(resolved.error()).message;
        return estimate;
    }
    auto const machine = project::machineOf(project);
    if (!machine.ok()) {
        estimate.why = diagnosticText(machine.error()).message;
        return estimate;
    }
    if (!machine->isEmulated()) return estimate;
    auto const &m = *resolved;
    auto const ofStage = model::stageIpus(project.training.deviceMapping, m.stages());
    int const ipus = 1 + *std::ranges::max_element(ofStage);
    estimate.ipus.resize(static_cast<std::size_t>(ipus));
    double const batch = static_cast<double>(project.training.batchSize);
    for (auto const &call : m.calls) {
        if (job.cancelled()) return {}; // the result is no longer needed
        auto &ipu = estimate.ipus[static_cast<std::size_t>(std::clamp(
            call.stage >= 0 && static_cast<std::size_t>(call.stage) < ofStage.size() ? ofStage[static_cast<std::size_t>(call.stage)] : 0, 0,
            ipus - 1))];
        double elements = 1;
        for (std::size_t i = 1; i < call.shape.size(); ++i) elements *= static_cast<double>(call.shape[i]);
        // A forward value kept for the backward pass, and its gradient during that pass.
        ipu.activations += static_cast<Bytes>(elements * batch * static_cast<double>(sizeOf(call.dtype)) * 2);
        auto const &layer = m.layers[call.layer];
        if (call.node != 0) continue;
        for (auto const &weight : layer.weights) {
            double const bytes = static_cast<double>(elementCount(weight.shape) * sizeOf(weight.dtype));
            ipu.weights += static_cast<Bytes>(weight.trainable ? bytes * 2 : bytes); // with its gradient
            auto const &optimizer = model::optimizerOf(project.training, layer.layer.name + "/" + weight.name);
            if (weight.trainable) ipu.optimizer += elementCount(weight.shape) * model::slotBytes(optimizer, weight.dtype);
        }
    }
    estimate.known = true;
    for (auto &ipu : estimate.ipus) {
        ipu.limit = machine->chip.bytesPerTile * machine->chip.tiles;
        ipu.code = kCodePerTile * machine->chip.tiles;
        estimate.worstShare = std::max(estimate.worstShare, shareOf(ipu, machine->chip).placed);
    }
    estimate.fits = estimate.worstShare <= 1;
    auto const spread = compiler::distribute(project, m, *machine);
    for (int replica = 0; spread.ok() && replica < spread->replicas; ++replica) {
        for (auto const &ipu : estimate.ipus) estimate.tiles.push_back(shareOf(ipu, machine->chip));
        // A replica has a power of two of IPUs; those beyond the stages stay empty.
        estimate.tiles.resize(static_cast<std::size_t>((replica + 1) * spread->ipusPerReplica));
    }
    return estimate;
}

} // namespace tilewright::views
