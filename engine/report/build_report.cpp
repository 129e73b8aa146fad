#include "engine/report/build_report.h"

#include "engine/lowering/overlapped_loop.h"
#include "engine/report/bubble_shares.h"
#include "engine/report/build_report_bubbles.h"
#include "engine/report/build_report_parts.h"
#include "engine/report/build_report_run.h"

#include <algorithm>
#include <tuple>

namespace tilewright::report {

ReportBuilder::ReportBuilder(CompileFacts const &compileFacts, HostWork const &hostWork)
    : facts(compileFacts), work(hostWork), p(compileFacts.program), tiles(static_cast<std::size_t>(compileFacts.program.tiles())),
      ids(programIds(compileFacts.program))
{
}

ReportData ReportBuilder::build()
{
    d.meta = facts.meta;
    d.options = facts.options;
    std::ranges::sort(d.options, [](auto const &a, auto const &b) { return std::tie(a.scope, a.name) < std::tie(b.scope, b.name); });
    d.compilePasses = facts.compilePasses;
    using Part = void (ReportBuilder::*)();
    for (Part const part :
         {&ReportBuilder::machine, &ReportBuilder::stages, &ReportBuilder::operations, &ReportBuilder::programs,
          &ReportBuilder::programVariables, &ReportBuilder::computeSets, &ReportBuilder::exchanges, &ReportBuilder::layouts,
          &ReportBuilder::variables, &ReportBuilder::liveness, &ReportBuilder::tileMetrics, &ReportBuilder::verdicts, &ReportBuilder::code,
          &ReportBuilder::opEdges, &ReportBuilder::rollUp, &ReportBuilder::figures}) {
        (this->*part)();
        if (work.cancelled()) break; // the next part cannot use an unfinished one
    }
    return std::move(d);
}

ReportData ReportBuilder::costs()
{
    d.meta = facts.meta;
    machine();
    stages();
    operations();
    programs();
    return std::move(d);
}

void ReportBuilder::machine()
{
    auto const &machine = facts.machine;
    auto const &chip = machine.chip;
    auto &t = d.target;
    switch (machine.kind) {
    case target::MachineKind::EmulatedIpu: t.kind = "emulated_ipu"; break;
    case target::MachineKind::IpuModel: t.kind = "ipu_model"; break;
    case target::MachineKind::Cpu: t.kind = "cpu"; break;
    }
    t.architecture = chip.architecture;
    t.replicas = p.replicas;
    t.ipusPerReplica = p.ipus;
    t.ipus = p.replicas * p.ipus;
    t.tilesPerIpu = p.tilesPerIpu;
    t.ioTilesPerIpu = p.ioTilesPerIpu;
    t.bytesPerTile = chip.bytesPerTile;
    t.workerThreads = chip.workers;
    t.clockHz = chip.clockHz;
    t.syncCyclesInternal = chip.syncCycles;
    t.syncCyclesExternal = machine.externalSyncCycles(t.ipus);
    t.exchangeBytesPerCycle = chip.exchangeBytesPerCycle;
    t.streamingBytes = machine.streamingBytes * t.ipus;

    // A board has two IPUs (a C2 card, half an IPU-Machine); a C600 card has one.
    int const perBoard = chip.architecture == "ipu21" ? 1 : 2;
    for (int ipu = 0; ipu < t.ipus; ++ipu)
        d.ipus.push_back({ipu / p.ipus, ipu % p.ipus, ipu / std::max(1, machine.ipusPerBoard), ipu / perBoard, ipu});
    for (int tile = 0; tile < t.tilesPerIpu; ++tile) {
        auto const place = target::tilePlace(chip, tile);
        d.tilePlaces.push_back(
            {place.x, place.y, static_cast<int>(target::syncDelay(chip, tile)), tile >= t.tilesPerIpu - t.ioTilesPerIpu});
    }
    Bytes over = 0;
    for (Bytes bytes : facts.memory.withGaps) over = std::max(over, bytes - chip.bytesPerTile);
    d.memoryRegions.push_back({Region::NonInterleaved, 0, chip.nonInterleavedBytes, chip.elementBytes, true});
    // Interleaved elements consist of two banks.
    d.memoryRegions.push_back(
        {Region::Interleaved, chip.nonInterleavedBytes, chip.bytesPerTile - chip.nonInterleavedBytes, 2 * chip.elementBytes, false});
    d.memoryRegions.push_back({Region::Overflowed, chip.bytesPerTile, over, chip.elementBytes, false});

    target::LinkLadder const ladder(machine, t.ipus);
    for (auto const &link : ladder.links())
        d.links.push_back({"ipu", link.ipuA, link.ipuB, link.width, static_cast<std::int64_t>(link.bytesPerSecond)});
    for (int ipu = 0; ipu < t.ipus; ++ipu) d.links.push_back({"host", ipu, kNone, 1, static_cast<std::int64_t>(chip.hostBytesPerSecond)});
}

void ReportBuilder::figures()
{
    auto const &schedule = facts.schedule;
    auto const &memory = facts.memory;
    auto const clock = static_cast<double>(facts.machine.chip.clockHz);
    auto const pattern = static_cast<double>(schedule.patternCycles);
    auto const steps = static_cast<double>(std::max<std::int64_t>(1, facts.stepsPerPattern));
    auto const add = [&](std::string name, double value, std::string unit, std::string origin = "modelled") {
        d.figures.push_back({std::move(name), value, std::move(unit), std::move(origin)});
    };
    // Executions of each step in one pattern, to count flops and exchanges.
    std::map<std::pair<std::uint32_t, int>, std::int64_t> executions; // by step and IPU
    Cycles compute = 0, remote = 0, overlapped = 0, ioExchange = 0;
    auto const times = lowering::timesOf(schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const &event = schedule.events[i];
        if (event.phase == lowering::Phase::Compute) compute += times[i] * event.duration;
        if (p.step(event.step).kind == program::StepKind::RemoteCopy) remote += times[i] * event.duration;
        overlapped += times[i] * event.overlapped;
        if (lowering::isIoExchange(p, p.step(event.step))) ioExchange += times[i] * event.duration;
        if (event.phase != lowering::Phase::Sync) executions[{event.step.index, event.ipu}] += times[i];
    }
    std::map<int, std::int64_t> opExecutions; // graph-level op: executions of its most frequent step
    for (auto const &[key, n] : executions)
        for (int const op : ancestry(at(stepOp, key.first)))
            if (at(d.ops, op).level == "graph") opExecutions[op] = std::max(opExecutions[op], n);
    double flops = 0; // of one replica
    for (auto const &[op, n] : opExecutions) flops += static_cast<double>(at(d.ops, op).flops) * static_cast<double>(n);
    std::int64_t vertices = 0;
    for (auto const &set : d.computeSets) vertices += set.vertices;
    std::int64_t exchanges = 0;
    for (auto const &exchange : d.exchanges) exchanges += exchange.kind == "internal" || exchange.kind == "global";
    add("compute_sets", count(d.computeSets), "count");
    add("cycles_per_step", pattern / steps, "cycles");
    add("exchanges", static_cast<double>(exchanges), "count");
    add("flops_per_step", flops / steps, "flop");
    add("ipu_utilisation", pattern > 0 ? static_cast<double>(compute) / (pattern * p.ipus) : 0.0, "fraction");
    add("ipus", d.target.ipus, "count");
    if (!facts.layers.empty()) add("layers", static_cast<double>(facts.layers.size()), "count");
    Bytes withGaps = 0, withoutGaps = 0, totalWith = 0, totalWithout = 0;
    for (auto const &ipu : memory.ipus) {
        withGaps = std::max(withGaps, ipu.worstBytes);
        withoutGaps = std::max(withoutGaps, ipu.maxWithoutGaps);
        totalWith += ipu.totalWithGaps;
        totalWithout += ipu.totalWithoutGaps;
    }
    add("max_tile_bytes", static_cast<double>(withoutGaps), "bytes");
    add("max_tile_bytes_with_gaps", static_cast<double>(withGaps), "bytes");
    if (facts.hostCompileBytes >= 0) add("host_compile_bytes", static_cast<double>(facts.hostCompileBytes), "bytes", "measured");
    if (facts.peakHostBytes > 0) add("peak_host_bytes", static_cast<double>(facts.peakHostBytes), "bytes", "measured");
    if (!d.remoteBuffers.empty()) {
        add("remote_copy_cycles_per_step", static_cast<double>(remote) / steps, "cycles");
        add("streaming_bytes", static_cast<double>(program::streamingBytes(p)), "bytes");
    }
    if (overlapped > 0) {
        // What the overlap hides, and the exchange between IO tiles and compute tiles that it costs; a step saves the difference.
        add("overlapped_cycles_per_step", static_cast<double>(overlapped) / steps / p.ipus, "cycles");
        add("io_exchange_cycles_per_step", static_cast<double>(ioExchange) / steps / p.ipus, "cycles");
    }
    add("replicas", p.replicas, "count");
    if (facts.samplesPerPattern > 0) {
        auto const samples = static_cast<double>(facts.samplesPerPattern);
        add("samples_per_second", pattern > 0 ? samples * clock / pattern : 0.0, "1/s");
        add("samples_per_step", samples / steps, "count");
    }
    add("seconds_per_step", pattern / steps / clock, "seconds");
    add("total_bytes", static_cast<double>(totalWithout), "bytes");
    add("total_bytes_with_gaps", static_cast<double>(totalWith), "bytes");
    if (facts.validationCyclesPerStep > 0) add("validation_cycles_per_step", facts.validationCyclesPerStep, "cycles");
    for (auto const &entry : facts.entries) {
        add(entry.name + "_cycles_per_step", entry.cyclesPerStep, "cycles");
        add(entry.name + "_samples_per_step", static_cast<double>(entry.samplesPerStep), "count");
    }
    add("vertices", static_cast<double>(vertices), "count");
    if (!schedule.tasks.empty()) {
        auto const [tasks, bubbles] = pipelineRows(lowering::timelineOf(schedule), p.ipus);
        auto const shares = bubbleShares(tasks, bubbles);
        add("bubble_share", shares.all, "fraction");
        add("bubble_share_theory", shares.theory, "fraction");
    }
    std::ranges::sort(d.figures, {}, &FigureRow::name);
}

ReportData buildCompileReport(CompileFacts const &facts, HostWork const &work) { return ReportBuilder(facts, work).build(); }

ReportData buildCostReport(CompileFacts const &facts)
{
    ReportData data = ReportBuilder(facts, {}).costs();
    appendRun(data, facts, kNone, staticSchedule());
    return data;
}

} // namespace tilewright::report
