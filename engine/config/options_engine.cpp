#include "engine/config/option_tables.h"

/// Section 5 of the reference ipu_config.md: keys of POPLAR_ENGINE_OPTIONS, POPLAR_TARGET_OPTIONS and
/// POPLAR_RUNTIME_OPTIONS. Where the reference gives no default, the value here is this program's own.
namespace tilewright::config {

namespace {

std::vector<OptionInfo> engineTable()
{
    using namespace detail;
    auto outside = [](OptionInfo option) { // of the executable's hash
        option.inExecutableHash = false;
        return option;
    };
    std::vector<OptionInfo> table{
        boolOption(
            "autoReport.all", false,
            "Turns on outputGraphProfile, outputExecutionProfile and outputArchive. A compile or a training then writes a report without "
            "--report."),
        pathOption("autoReport.directory", ".",
                   "Folder of the reports. Each compile or training gets tf_report__DATE__TIME__PID/MODEL in it, with profile.twreport and "
                   "framework.json."),
        boolOption("autoReport.outputGraphProfile", false, "Writes profile.twreport with the compile result: graph, memory, program."),
        boolOption("autoReport.outputExecutionProfile", false, "Writes profile.twreport with the compile result and the training."),
        boolOption("autoReport.outputSerializedGraph", false, "Writes the scheduled graph as graph.txt."),
        boolOption("autoReport.outputLoweredVars", false, "Adds the lowered variables to the report."),
        boolOption("autoReport.outputArchive", false, "Writes the executable as archive.ipu_bin."),
        boolOption("autoReport.outputDebugInfo", false, "Adds names and origins to the report."),
        intOption("autoReport.executionProfileProgramRunCount", 2, 1, std::nullopt, "runs", "Number of recorded runs of a program."),
        boolOption("debug.instrument", false, "Inserts cycle counters."),
        boolOption("debug.instrumentCompute", false, "Inserts cycle counters around compute sets."),
        boolOption("debug.instrumentExternalExchange", false, "Inserts cycle counters around transfers off the chip."),
        boolOption("debug.instrumentControlFlow", false, "Inserts cycle counters around control flow."),
        enumOption("debug.computeInstrumentationLevel", "tile", {"vertex", "tile", "ipu", "device"},
                   "Granularity of the counters around compute sets."),
        boolOption("debug.retainDebugInformation", false, "Keeps names in the executable."),
        boolOption("debug.allowOutOfMemory", true,
                   "Compiles a program that does not fit, with a memory report; it cannot run. If off, the compile fails without one."),
        intOption("debug.branchRecordTile", -1, -1, std::nullopt, "tile", "Tile that records the branches taken; -1: the last tile."),
        enumOption("target.deterministicWorkers", "portable", {"portable", "true", "false"},
                   "Reproducible random numbers: over runs (true), or also over machines (portable)."),
        boolOption("target.syncReplicasIndependently", false, "Replicas synchronise with the host independently of each other."),
        boolOption("target.saveOutputVertexGraph", false, "Saves the vertex graph."),
        boolOption("target.extendedMemory", false, "Larger memory addressing."),
        enumOption("exchange.streamBufferOverlap", "any", {"none", "hostRearrangeOnly", "any"},
                   "Host stream buffers that may share memory."),
        boolOption("exchange.enablePrefetch", true, "Fetches remote and stream data ahead."),
        outside(intOption("opt.maxCompilationThreads", -1, -1, std::nullopt, "threads",
                          "Threads of a compile; -1: all. TF_POPLAR_FLAGS --max_compilation_threads takes precedence.")),
        boolOption("opt.enableInlining", true, "Inlines functions that are called once."),
        enumOption("opt.internalExchangeOptimisationTarget", "cycles", {"cycles", "memory", "balanced"},
                   "Goal when optimising exchanges on the chip."),
        intOption("opt.maxCopyMergeSize", 0, 0, std::nullopt, "bytes", "Size limit of merged copies; 0: no limit."),
        intOption("opt.maxComputeSetsPerLoweredCopy", 0, 0, std::nullopt, "compute sets", "Limit of compute sets per copy; 0: no limit."),
        textOption("streamCallbacks.multiThreadMode", "", "How host callbacks use threads. Empty: the program decides."),
        textOption("streamCallbacks.numWorkerThreads", "auto", "Threads of host callbacks: a number or auto."),
        textOption("streamCallbacks.maxLookahead", "unlimited", "Buffers that host callbacks may fill in advance: a number or unlimited."),
        textOption("profiler.format", "", "Format of the report. Empty: the current one; older ones are deprecated."),
        textOption("profiler.blocks.filter", "", "Light-weight profiling: the profiled blocks, as a regular expression."),
        textOption("profiler.programs.filter", "", "Light-weight profiling: the profiled programs, as a regular expression."),
        intOption("profiler.blocks.tile", -1, -1, std::nullopt, "tile",
                  "Light-weight profiling: the profiled tile; -1: chosen by the program."),
        intOption("profiler.blocks.bufferSize", 0, 0, std::nullopt, "bytes",
                  "Light-weight profiling: size of the buffer on the device; 0: chosen by the program."),
        boolOption("profiler.blocks.implicitFlush", false, "Light-weight profiling: reads the buffer out automatically when it is full."),
    };
    for (auto &option : table)
        if (option.path.starts_with("autoReport.")) option.inExecutableHash = false; // reports do not change what is compiled
    return table;
}

std::vector<OptionInfo> targetTable()
{
    using namespace detail;
    return {
        enumOption("ipuLinkTopology", "mesh", {"mesh", "torus", "line"},
                   "Topology of the IPU links; line for C600 cards when compiling without a device."),
    };
}

std::vector<OptionInfo> runtimeTable()
{
    using namespace detail;
    auto timeout =
        intOption("target.hostSyncTimeout", 300, 1, std::nullopt, "s", "Time the device waits for a slow host before the run fails.");
    timeout.inExecutableHash = false;
    return {timeout};
}

} // namespace

std::span<OptionInfo const> engineOptions()
{
    static auto const kTable = detail::finishTable(engineTable(), OptionCategory::Engine);
    return kTable;
}

std::span<OptionInfo const> targetOptions()
{
    static auto const kTable = detail::finishTable(targetTable(), OptionCategory::Target);
    return kTable;
}

std::span<OptionInfo const> runtimeOptions()
{
    static auto const kTable = detail::finishTable(runtimeTable(), OptionCategory::Runtime);
    return kTable;
}

} // namespace tilewright::config
