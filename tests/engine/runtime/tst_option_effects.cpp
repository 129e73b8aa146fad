#include "engine/compiler/settings.h"
#include "engine/config/option_tables.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/movement_witnesses.h"
#include "tests/support/test_registry.h"

#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::config;
using namespace tilewright::tests;

/// Every option that claims an effect shows one: a table of witnesses beside the tables of options.
class TstOptionEffects : public QObject, protected MovementWitnesses {
    Q_OBJECT
    using Witness = std::function<bool()>;
    /// Of each part of a report that autoReport requests, in the engine options and in compilation_poplar_options.
    void addAutoReports(std::map<std::string, Witness> &all) const
    {
        auto const add = [&](std::string const &option, std::function<bool(std::string const &names)> const &shows) {
            all["engine.autoReport." + option] = [this, option, shows] { return shows(autoReportOf(option, false)); };
            all["ipu_config.compilation_poplar_options.autoReport." + option] = [this, option, shows] {
                return shows(autoReportOf(option, true));
            };
        };
        auto const has = [](std::string const &names, char const *name) { return names.find(name) != std::string::npos; };
        add("all", [has](std::string const &names) { return has(names, "/profile.twreport") && has(names, "/archive.ipu_bin"); });
        add("outputGraphProfile", [has](std::string const &names) { return has(names, "/profile.twreport"); });
        add("outputExecutionProfile", [has](std::string const &names) { return has(names, "/profile.twreport"); });
        add("outputSerializedGraph", [has](std::string const &names) { return has(names, "/graph.txt"); });
        add("outputArchive", [has](std::string const &names) { return has(names, "/archive.ipu_bin"); });
        // Every one of them is in the folder that the option names.
        all["engine.autoReport.directory"] = [this] { return autoReportOf("outputArchive", false).starts_with("tf_report__20"); };
        all["ipu_config.compilation_poplar_options.autoReport.directory"] = [this] {
            return autoReportOf("outputArchive", true).starts_with("tf_report__20");
        };
    }
    std::map<std::string, Witness> witnesses() const
    {
        auto all = ownWitnesses();
        addAutoReports(all);
        all.merge(movementWitnesses());
        return all;
    }
    std::map<std::string, Witness> ownWitnesses() const
    {
        auto const plans = [this](Fields fields) {
            std::string text;
            auto const outcome = compiled(mnist("gc200:tiles=16", std::move(fields)));
            for (auto const &op : outcome.executable->program.ops) text += op.plan;
            return text;
        };
        // The mean over a batch of 12 is a quotient; fast math makes it a product.
        auto const quotients = [this](Fields fields) {
            fields.emplace_back("training.batch_size", "12");
            auto const text = graph::print(compiled(small("gc200:tiles=8", std::move(fields))).entry()->graph);
            return text.find("= div(") != std::string::npos;
        };
        auto const lookAhead = [this](std::string const &path, std::string const &value) {
            Fields const fields{{"ipu_config.scheduling.algorithm", "LOOK_AHEAD"}, {"ipu_config." + path, value}};
            return graph::print(compiled(mnist("gc200:tiles=8", fields)).entry()->graph);
        };
        return {
            {"ipu_config.optimizations.math.fast",
             [quotients] { return quotients({}) && !quotients(option("optimizations.math.fast", "true")); }},
            {"ipu_config.optimizations.enable_fast_math",
             [quotients] { return quotients({}) && !quotients(option("optimizations.enable_fast_math", "true")); }},
            {"ipu_config.auto_select_ipus",
             [this] {
                 return compiled(small("pod4", option("auto_select_ipus", "2"))).executable->replicas == 2
                     && compiled(small("pod4")).executable->replicas == 4;
             }},
            {"ipu_config.experimental.multi_replica_distribution.process_count",
             [this] {
                 auto const path = "experimental.multi_replica_distribution.process_count";
                 return attachText(small("gc200:tiles=8,ipus=2", option(path, "2"))) == "workers.count"
                     && attachText(small("gc200:tiles=8,ipus=2", option(path, "1"))) != "workers.count";
             }},
            {"ipu_config.select_ipus",
             [this] {
                 return attachText(small("pod4:tiles=8", option("select_ipus", "2"))).find("(device 2, IPU 2)") != std::string::npos
                     && attachText(small("pod4:tiles=8", option("select_ipus", "5"))).find("(device 5, IPUs 2-3)") != std::string::npos;
             }},
            {"ipu_config.matmuls.poplar_options.availableMemoryProportion",
             // Planned each alone, and jointly.
             [this] {
                 auto const bytes = [this](char const *target, char const *batch, char const *alone, char const *share) {
                     return compiled(mnist(target,
                                           {{"training.batch_size", batch},
                                            {"ipu_config.matmuls.clear_pass_type", alone},
                                            {"ipu_config.matmuls.poplar_options.availableMemoryProportion", share}}))
                         .executable->memory.ipus.front()
                         .worstBytes;
                 };
                 return bytes("gc200:tiles=64", "512", "true", "0.1") < bytes("gc200:tiles=64", "512", "true", "0.6")
                     && bytes("gc200:tiles=8", "256", "false", "0.2") < bytes("gc200:tiles=8", "256", "false", "0.6");
             }},
            {"ipu_config.convolutions.poplar_options.availableMemoryProportion",
             [this] {
                 auto const plansOf = [this](char const *share) {
                     auto p = project::withField(project::fromTemplate("mnist-cnn").value(),
                                                 "ipu_config.convolutions.poplar_options.availableMemoryProportion", share, nullptr)
                                  .value();
                     p = project::withField(p, "system.target", "gc200:tiles=64", nullptr).value();
                     std::string text;
                     auto const outcome = compiled(p);
                     for (auto const &op : outcome.executable->program.ops)
                         if (op.kind == "conv") text += op.plan;
                     return text;
                 };
                 return plansOf("0.01") != plansOf("0.6");
             }},
            {"ipu_config.matmuls.poplar_options.partialsType",
             [this] {
                 auto const cycles = [this](char const *type) {
                     return compiled(halfModel("mixed_float16", {{"ipu_config.matmuls.poplar_options.partialsType", type}}))
                         .entry()
                         ->cyclesPerStep();
                 };
                 return cycles("half") != cycles("float");
             }},
            {"ipu_config.convolutions.poplar_options.partialsType",
             [this] {
                 auto const cycles = [this](char const *type) {
                     auto p = project::fromTemplate("mnist-cnn").value();
                     for (auto const &layer : {"conv2d", "conv2d_1"})
                         p = project::withField(p, std::string("model.layers.") + layer + ".dtype", "mixed_float16", nullptr).value();
                     p = project::withField(p, "system.target", "gc200:tiles=64", nullptr).value();
                     p = project::withField(p, "ipu_config.convolutions.poplar_options.partialsType", type, nullptr).value();
                     return compiled(p).entry()->cyclesPerStep();
                 };
                 return cycles("half") != cycles("float");
             }},
            {"ipu_config.norms.use_stable_statistics", // a second pass over the elements
             [this] {
                 auto const cycles = [this](char const *stable) { return compiled(withNorm(0, stable)).entry()->cyclesPerStep(); };
                 return cycles("true") > cycles("false");
             }},
            {"ipu_config.norms.experimental.distributed_batch_norm_replica_group_size", // sums of statistics; the rest in
                                                                                        // tst_distributed_norms
             [this] {
                 auto const exchanges = [this](char const *group) {
                     auto p = small(
                         "gc200:tiles=8,ipus=2",
                         {{"training.replicas", "2"}, {"ipu_config.norms.experimental.distributed_batch_norm_replica_group_size", group}});
                     p.model.layers.insert(p.model.layers.end() - 1, model::makeLayer("BatchNormalization", "norm", {}));
                     return compiled(p).executable->program.exchanges.size();
                 };
                 return exchanges("2") > exchanges("1");
             }},
            {"ipu_config.floating_point_behaviour.inv",
             [this] {
                 return trapOf(diverging("inv", "true")).find("invalid operation") != std::string::npos
                     && trapOf(diverging("inv", "false")).empty();
             }},
            {"ipu_config.floating_point_behaviour.oflo",
             [this] {
                 return trapOf(diverging("oflo", "true")).find("overflow") != std::string::npos
                     && trapOf(diverging("oflo", "false")).empty();
             }},
            {"ipu_config.floating_point_behaviour.nanoo",
             [this] {
                 return trapOf(divergingHalf("nanoo", "true")).find("float16 overflow") != std::string::npos
                     && trapOf(divergingHalf("nanoo", "false")).empty();
             }},
            {"ipu_config.floating_point_behaviour.div0",
             [this] {
                 return trapOf(withoutVariance("true")).find("division by zero") != std::string::npos
                     && trapOf(withoutVariance("false")).empty();
             }},
            {"ipu_config.floating_point_behaviour.esr",
             [this] {
                 auto const p = [](char const *esr) {
                     return halfModel("float16", {{"training.optimizer", "SGD"}, {"ipu_config.floating_point_behaviour.esr", esr}});
                 };
                 auto r = requestIn(m_folder);
                 r.steps = 2;
                 return trained(p("ON"), r).weightsHash != trained(p("OFF"), r).weightsHash;
             }},
            {"ipu_config.floating_point_behaviour.set_all",
             [this] {
                 auto const p = [](char const *all) {
                     return halfModel("float16", {{"training.optimizer", "SGD"}, {"ipu_config.floating_point_behaviour.set_all", all}});
                 };
                 auto r = requestIn(m_folder);
                 r.steps = 2;
                 return trained(p("true"), r).weightsHash != trained(p("false"), r).weightsHash;
             }},
            {"ipu_config.optimizations.minimum_remote_tensor_size",
             [this] {
                 auto const remote = [this](char const *least) {
                     return program::streamingBytes(
                         compiled(mnist("gc200:tiles=16",
                                        smallModel({{"training.optimizer", "adam"},
                                                    {"training.offload_weight_update_variables", "true"},
                                                    {"ipu_config.optimizations.minimum_remote_tensor_size", least}})))
                             .executable->program);
                 };
                 return remote("4096") < remote("128");
             }},
            {"ipu_config.allow_recompute",
             [this] {
                 auto const bytes = [this](char const *again) {
                     return compiled(mnist("gc200:tiles=64,ipus=4",
                                           inStages("0012",
                                                    {{"model.layers.dense.units", "2048"},
                                                     {"training.gradient_accumulation_steps", "12"},
                                                     {"training.steps_per_execution", "12"},
                                                     {"ipu_config.allow_recompute", again}})))
                         .executable->memory.ipus.front()
                         .worstBytes;
                 };
                 return bytes("true") < bytes("false");
             }},
            {"ipu_config.matmuls.clear_pass_type", [plans] { return plans({}) != plans(option("matmuls.clear_pass_type", "true")); }},
            {"ipu_config.scheduling.algorithm",
             [this] {
                 std::set<std::string> graphs;
                 for (auto const *word : {"CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"})
                     graphs.insert(graph::print(compiled(mnist("gc200:tiles=8", option("scheduling.algorithm", word))).entry()->graph));
                 return graphs.size() > 1;
             }},
            {"ipu_config.scheduling.maximum_scheduler_lookahead_depth",
             [lookAhead] {
                 return lookAhead("scheduling.maximum_scheduler_lookahead_depth", "1")
                     != lookAhead("scheduling.maximum_scheduler_lookahead_depth", "5");
             }},
            {"ipu_config.scheduling.maximum_scheduler_search_space_size",
             [lookAhead] {
                 return lookAhead("scheduling.maximum_scheduler_search_space_size", "1")
                     != lookAhead("scheduling.maximum_scheduler_search_space_size", "64");
             }},
            {"ipu_config.ipu_model.compile_ipu_code",
             [this] {
                 auto const bytes = [this](std::string const &target, char const *value) {
                     return compiled(small(target, option("ipu_model.compile_ipu_code", value))).executable->memory.byKind;
                 };
                 return bytes("gc200:tiles=8,model=1", "true") != bytes("gc200:tiles=8,model=1", "false")
                     && bytes("gc200:tiles=8", "true") == bytes("gc200:tiles=8", "false");
             }},
            {"ipu_config.ipu_model.tiles_per_ipu",
             [this] { return compiled(small("gc200:tiles=16,model=1", option("ipu_model.tiles_per_ipu", "8"))).machine.chip.tiles == 8; }},
            {"ipu_config.ipu_model.version",
             [this] {
                 return compiled(small("gc200:tiles=16,model=1", option("ipu_model.version", "ipu1"))).machine.chip.architecture == "ipu1";
             }},
            {"ipu_config.io_tiles.num_io_tiles",
             [this] {
                 auto const last = [this](char const *tiles) {
                     int most = 0;
                     auto const kept = compiled(small("gc200:tiles=16", option("io_tiles.num_io_tiles", tiles)));
                     for (auto const &variable : kept.executable->program.variables)
                         most = std::max(most, variable.layout.on.begin + variable.layout.on.count);
                     return most;
                 };
                 return last("0") == 16 && last("4") == 12;
             }},
            {"ipu_config.io_tiles.place_ops_on_io_tiles",
             [this] {
                 auto const cycles = [this](char const *placed) {
                     return compiled(small("gc200:tiles=16",
                                           {{"ipu_config.io_tiles.num_io_tiles", "4"},
                                            {"ipu_config.io_tiles.place_ops_on_io_tiles", placed},
                                            {"training.steps_per_execution", "4"}}))
                         .entry()
                         ->cyclesPerStep();
                 };
                 return cycles("true") < cycles("false");
             }},
            {"ipu_config.io_tiles.available_memory_proportion",
             [this] {
                 auto const tiles = [this](char const *share) {
                     return compiled(small("gc200:tiles=16",
                                           {{"ipu_config.io_tiles.num_io_tiles", "4"},
                                            {"ipu_config.io_tiles.place_ops_on_io_tiles", "true"},
                                            {"ipu_config.io_tiles.available_memory_proportion", share},
                                            {"training.steps_per_execution", "4"}}))
                         .executable->program.ioTilesPerIpu;
                 };
                 return tiles("0.9") == 4 && tiles("0.01") == 0; // too little room: they compute
             }},
            {"ipu_config.optimizations.prefetch_data_streams",
             [this] {
                 auto const buffers = [this](char const *value) {
                     auto const p = small("gc200:tiles=8", option("optimizations.prefetch_data_streams", value));
                     auto r = request();
                     r.forReport = true;
                     auto const outcome = compiler::compile(p, r, {});
                     auto const file = m_folder.path() / (std::string("prefetch-") + value + ".twreport");
                     if (!outcome.ok() || !runtime::writeCompileReport(file, p, *outcome).ok()) return std::int64_t{-1};
                     auto const read = readReport(file);
                     return read.ok() && !read->streams.empty() ? static_cast<std::int64_t>(read->streams.front().buffering) : -2;
                 };
                 return buffers("true") == 3 && buffers("false") == 1;
             }},
            {"ipu_config.optimizations.enable_graph_outlining",
             [this] {
                 auto const code = [this](char const *value) {
                     auto p = small("gc200", option("optimizations.enable_graph_outlining", value));
                     for (int i = 0; i < 4; ++i)
                         p.model.layers.insert(p.model.layers.end() - 1,
                                               model::makeLayer("Dense", "wide" + std::to_string(i), {{"units", 256}}));
                     return compiled(p).executable->memory.byKind[static_cast<std::size_t>(MemoryCategory::InternalExchangeCode)];
                 };
                 return code("true") < code("false");
             }},
            {"ipu_config.device_connection.type",
             [this] {
                 return attachText(
                            small("gc200:tiles=8",
                                  {{"ipu_config.device_connection.type", "NEVER"}, {"ipu_config.device_connection.version", "ipu2"}}))
                     == "device.never";
             }},
            {"ipu_config.device_connection.version",
             [this] {
                 auto const compiledFor = [this](char const *version) {
                     return refusal(
                         small("gc200:tiles=8",
                               {{"ipu_config.device_connection.type", "NEVER"}, {"ipu_config.device_connection.version", version}}));
                 };
                 return compiledFor("ipu2").empty() && compiledFor("ipu21") == "config.conflict";
             }},
            {"flag.use_synthetic_data",
             [this] {
                 auto const p = small("gc200:tiles=8");
                 return compiled(p, "--use_synthetic_data").entry()->cyclesPerStep() < compiled(p).entry()->cyclesPerStep();
             }},
            {"flag.synthetic_data_categories",
             [this] {
                 auto const p = small("gc200:tiles=8");
                 auto const all = compiled(p, "--use_synthetic_data").entry()->cyclesPerStep();
                 auto const infeed = compiled(p, "--synthetic_data_categories=infeed").entry()->cyclesPerStep();
                 return all < infeed && infeed < compiled(p).entry()->cyclesPerStep();
             }},
            {"flag.synthetic_data_initializer",
             [this] {
                 return lossesWith("--synthetic_data_categories=infeed")
                     != lossesWith("--synthetic_data_categories=infeed --synthetic_data_initializer=0.5");
             }},
            {"flag.use_ipu_model",
             [this] { return compiled(small("gc200:tiles=8"), "--use_ipu_model").machine.kind == target::MachineKind::IpuModel; }},
            {"flag.ipu_model_tiles",
             [this] { return compiled(small("gc200:tiles=16"), "--use_ipu_model --ipu_model_tiles=8").machine.chip.tiles == 8; }},
            {"flag.executable_cache_path",
             [this] {
                 auto const folder = m_folder.path() / "flagged";
                 auto r = request("--executable_cache_path=" + folder.string());
                 r.useCache = true;
                 r.cacheFolder.reset();
                 return compiler::compile(small("gc200:tiles=8"), r, {}).ok() && !std::filesystem::is_empty(folder);
             }},
            {"ipu_config.selection_order",
             [this] {
                 auto const ipus = [this](char const *order) {
                     auto const p = mnist("gc200:tiles=16,ipus=4",
                                          inStages("0123",
                                                   {{"training.gradient_accumulation_steps", "8"},
                                                    {"training.steps_per_execution", "8"},
                                                    {"ipu_config.selection_order", order}}));
                     return compiled(p).entry()->stageIpus;
                 };
                 return ipus("ZIGZAG") == std::vector{0, 1, 2, 3} && ipus("SNAKE") == std::vector{0, 1, 3, 2}
                 && ipus("HOOF") == std::vector{0, 2, 3, 1};
             }},
            {"ipu_config.serialization_output_folder",
             [this] {
                 auto const folder = m_folder.path() / "serialized";
                 compiled(small("gc200:tiles=8", option("serialization_output_folder", folder.string())));
                 auto const names = namesIn(folder);
                 return names.find(".ipu_bin ") != std::string::npos && names.find(".json ") != std::string::npos;
             }},
            {"flag.max_compilation_threads",
             [this] {
                 return logWith("--max_compilation_threads=1", small("gc200:tiles=8")).find("compiling with 1 threads")
                     != std::string::npos;
             }},
            {"engine.opt.maxCompilationThreads",
             [this] {
                 auto const p = mnist("gc200:tiles=8", smallModel({{"engine_options.opt.maxCompilationThreads", "1"}}));
                 return logWith({}, p).find("compiling with 1 threads") != std::string::npos;
             }},
            {"ipu_config.compilation_poplar_options.opt.maxCompilationThreads",
             [this] {
                 auto const p = small("gc200:tiles=8", option("compilation_poplar_options", R"({"opt.maxCompilationThreads": "1"})"));
                 return logWith({}, p).find("compiling with 1 threads") != std::string::npos;
             }},
            {"engine.debug.allowOutOfMemory",
             [this] {
                 Fields const large{{"model.layers.dense.units", "4096"}};
                 auto without = large;
                 without.emplace_back("engine_options.debug.allowOutOfMemory", "false");
                 return !refusesOutOfMemory(large) && refusesOutOfMemory(without);
             }},
            {"ipu_config.compilation_poplar_options.debug.allowOutOfMemory",
             [this] {
                 return refusesOutOfMemory({{"model.layers.dense.units", "4096"},
                                            {"ipu_config.compilation_poplar_options", R"({"debug.allowOutOfMemory": "false"})"}});
             }},
            {"flag.dump_schedule_as_dot",
             [this] {
                 auto r = request("--dump_schedule_as_dot");
                 r.environment.xla.dumpTo = (m_folder.path() / "schedule").string();
                 r.environment.xla.asText = true;
                 return compiler::compile(small("gc200:tiles=8"), r, {}).ok()
                     && namesIn(r.environment.xla.dumpTo).find(".train.schedule.dot ") != std::string::npos;
             }},
            {"flag.tensor_map_file_path",
             [this] {
                 auto const folder = m_folder.path() / "maps";
                 compiled(small("gc200:tiles=8"), "--tensor_map_file_path=" + folder.string());
                 return namesIn(folder).find(".tensor_map.json ") != std::string::npos;
             }},
            {"flag.log_cycle_count",
             [this] {
                 return logWith("--log_cycle_count=3", small("gc200:tiles=8")).find("cycle count of tile 3: ") != std::string::npos
                     && logWith({}, small("gc200:tiles=8")).find("cycle count") == std::string::npos;
             }},
            {"flag.null_data_feed",
             [this] {
                 auto const p = small("gc200:tiles=8");
                 return lossesWith("--null_data_feed") != lossesWith({})
                     && compiled(p, "--null_data_feed").entry()->cyclesPerStep() == compiled(p).entry()->cyclesPerStep();
             }},
            {"flag.use_on_demand",
             [this] { return errorWhileTaken("--use_on_demand --on_demand_device_timeout=7", {}).code == "device.timeout"; }},
            {"flag.on_demand_device_timeout",
             [this] {
                 auto const error = errorWhileTaken("--on_demand_device_timeout=7", option("device_connection.type", "ON_DEMAND"));
                 return error.code == "device.timeout" && error.message.find("7 ms") != std::string::npos;
             }},
        };
    }

private slots:
    void whatClaimsAnEffectHasOne()
    {
        // Seen elsewhere: the help is printed by the program (tst_cli_commands); how often a waiting process looks is
        // in the registry's tests, where nothing hangs on a clock.
        std::set<std::string> const elsewhere{"flag.help", "flag.on_demand_device_poll_time"};
        auto const shown = witnesses();
        std::set<std::string> claimed;
        for (auto const category :
             {OptionCategory::IpuConfig, OptionCategory::Flag, OptionCategory::Engine, OptionCategory::Target, OptionCategory::Runtime})
            for (auto const &one : optionsOf(category)) {
                if (one.effect != Effect::Active) continue;
                std::string const name = std::string(toText(category)) + "." + one.path;
                if (one.type != OptionType::Dict) claimed.insert(name);
                else
                    for (auto const &key : detail::activeDictKeys(one.path)) claimed.insert(name + "." + key);
            }
        for (auto const &name : elsewhere) QVERIFY2(claimed.erase(name) == 1, name.c_str());
        for (auto const &name : claimed) {
            QVERIFY2(shown.contains(name), (name + " claims an effect that nothing shows").c_str());
            qInfo("%s", name.c_str());
            QVERIFY2(shown.at(name)(), (name + " has no effect").c_str());
        }
        for (auto const &[name, witness] : shown) QVERIFY2(claimed.contains(name), (name + " has an effect and does not say so").c_str());
    }
    void devicesOfAPowerOfTwo()
    {
        auto const refused = [](std::string const &path, std::string const &value) {
            auto const changed = project::withField(small("pod16"), "ipu_config." + path, value, nullptr);
            return changed.ok() ? std::string() : changed.error().code;
        };
        QCOMPARE(refused("auto_select_ipus", "3"), std::string("config.device-size"));
        QCOMPARE(refused("auto_select_ipus", "[1,3]"), std::string("config.device-size"));
        QCOMPARE(refused("auto_select_ipus", "[1,2]"), std::string());
        QCOMPARE(refused("select_ipus", "[0,1]"), std::string());
        QCOMPARE(refused("auto_select_ipus", "4"), std::string());
        // Files of other origin may hold them: a compile refuses what setting would have.
        auto p = small("pod16");
        QVERIFY(p.config.fromJsonText(R"({"auto_select_ipus": 3})", nullptr).ok());
        QCOMPARE(refusal(p), std::string("config.device-size"));
        p = small("pod4", option("select_ipus", "99"));
        QCOMPARE(refusal(p), std::string("device.id"));
        p = small("pod4", {{"ipu_config.select_ipus", "1"}, {"ipu_config.auto_select_ipus", "1"}});
        QCOMPARE(refusal(p), std::string("config.conflict"));
    }
    void logicalDevicesRunSideBySide()
    {
        auto const p = small("pod4:tiles=8", option("auto_select_ipus", "[1,2]"));
        auto const first = compiler::onDevice(p, 0), second = compiler::onDevice(p, 1), third = compiler::onDevice(p, 2);
        QVERIFY(first.ok() && second.ok());
        QCOMPARE(third.error().code, std::string("device.none"));
        QCOMPARE(third.error().subject, std::string("/device:IPU:2"));
        QCOMPARE(compiled(*first).executable->replicas, 1);
        QCOMPARE(compiled(*second).executable->replicas, 2);
        // One is held while the other one trains.
        auto r = requestIn(m_folder);
        r.device = 1;
        auto const held = runtime::attachDevice(*second, r, project::machineOf(*second).value(), {});
        QVERIFY(held.ok());
        QVERIFY2(held->describe().find("/device:IPU:1: 2 IPUs") != std::string::npos, held->describe().c_str());
        auto const run = attachText(*first);
        QVERIFY2(run.find("/device:IPU:0: 1 IPU ") != std::string::npos, run.c_str());
        // A process that holds a device makes it busy for all others.
        QCOMPARE(attachText(small("pod4:tiles=8", option("auto_select_ipus", "4"))), std::string("device.busy"));
        auto const tooMany = compiler::onDevice(small("pod4:tiles=8", option("auto_select_ipus", "[1,4]")), 0);
        QCOMPARE(tooMany.error().code, std::string("config.no-such-device"));
    }
    void unknownEngineOptionsAreRefused()
    {
        auto const set = project::withField(small("gc200"), "engine_options.debug.instrumen", "true", nullptr);
        QCOMPARE(set.error().code, std::string("config.unknown-option"));
        QCOMPARE(set.error().subject, std::string("engine_options.debug.instrumen"));
        QVERIFY(set.error().remedy.find("debug.instrument") != std::string::npos);
        auto parts = project::projectParts(small("gc200"));
        parts["engine_options"] = R"({"debug.instrumen": "true"})";
        DiagnosticSink sink;
        auto const read = project::projectFromParts(parts, &sink);
        QVERIFY(read.ok());
        QVERIFY(!sink.all().empty());
        QCOMPARE(refusal(*read), std::string("config.unknown-option"));
        auto const mended = project::withField(*read, "engine_options.debug.instrumen", "", nullptr);
        QVERIFY(mended.ok() && mended->engineOptions.empty());
    }
};

TW_REGISTER_TEST(TstOptionEffects);
#include "tst_option_effects.moc"
