#pragma once

#include "tests/engine/runtime/functional_models.h"
#include "tests/engine/runtime/option_runs.h"

#include <map>

/// Witnesses of options that combine computations or movements of data.
namespace tilewright::tests {

class MovementWitnesses : protected OptionRuns {
protected:
    using Witness = std::function<bool()>;

    std::map<std::string, Witness> movementWitnesses() const { return ofIpuConfig(); }

private:
    static int count(std::string const &text, std::string const &what)
    {
        int n = 0;
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
        return n;
    }
    static project::Project ofTemplate(char const *name, Fields const &fields)
    {
        auto p = project::fromTemplate(name).value();
        for (auto const &[path, value] : fields) {
            auto changed = project::withField(p, path, value, nullptr);
            if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
            p = std::move(changed).value();
        }
        return p;
    }
    /// Numbers of two inputs, looked up in one table of 1,000 rows.
    static project::Project twoLookUps(Fields const &fields)
    {
        Json lookUp = layerOf("Embedding", "look_up", {{"input_dim", 1000}, {"output_dim", 64}}, {"a"});
        lookUp["inbound_nodes"].push_back(Json::array({outputOf("b")}));
        Json join = layerOf("Concatenate", "join", Json::object(), {"look_up"});
        join["inbound_nodes"][0].push_back(Json{"look_up", 1, 0, Json::object()});
        auto p = ofTemplate("empty", {{"system.target", "gc200:tiles=16"}});
        p.model = functional({inputLayer("a", {4}, "int32"), inputLayer("b", {4}, "int32"), lookUp, join,
                              layerOf("Flatten", "flat", Json::object(), {"join"}), layerOf("Dense", "out", {{"units", 2}}, {"flat"})},
                             {"a", "b"}, {"out"});
        for (auto const &[path, value] : fields) {
            auto changed = project::withField(p, path, value, nullptr);
            if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
            p = std::move(changed).value();
        }
        return p;
    }
    compiler::CompileOutcome predicting(project::Project const &p) const
    {
        auto r = request();
        r.kind = compiler::RunKind::Predict;
        r.batch = 8;
        auto outcome = compiler::compile(p, r, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return std::move(outcome).value();
    }
    static Fields with(Fields all, std::string const &path, std::string const &value)
    {
        all.emplace_back(path, value);
        return all;
    }
    Cycles cyclesOf(std::string const &target, Fields fields) const
    {
        return compiled(small(target, std::move(fields))).entry()->cyclesPerStep();
    }
    std::size_t exchangesOf(project::Project const &p) const { return compiled(p).executable->program.exchanges.size(); }

    std::map<std::string, Witness> ofIpuConfig() const
    {
        std::string const combineMatmuls = "ipu_config.optimizations.combine_matmuls";
        std::string const combineLookUps = "ipu_config.optimizations.combine_embedding_lookups";
        std::string const merge = "ipu_config.optimizations.merge_infeed_io_copies";
        std::string const sums = "ipu_config.optimizations.maximum_cross_replica_sum_buffer_size";
        std::string const gathers = "ipu_config.optimizations.maximum_all_gather_buffer_size";
        std::string const copies = "ipu_config.optimizations.maximum_inter_ipu_copies_buffer_size";
        return {
            {combineMatmuls,
             [this, combineMatmuls] { // queries, keys and values
                 auto const products = [&](char const *value) {
                     auto const p = ofTemplate("transformer-sort", {{"system.target", "gc200:tiles=64"}, {combineMatmuls, value}});
                     return count(graph::print(compiled(p).entry()->graph), "= matmul(");
                 };
                 return products("true") < products("false");
             }},
            {combineLookUps,
             [this, combineLookUps] {
                 auto const lookUps = [&](char const *value) {
                     return count(graph::print(predicting(twoLookUps({{combineLookUps, value}})).entry()->graph), "= gather(");
                 };
                 return lookUps("false") == 2 && lookUps("true") == 1;
             }},
            {merge, // one pair of handshakes for samples and labels
             [this, merge] {
                 return cyclesOf("gc200:tiles=8", {{merge, "true"}}) < cyclesOf("gc200:tiles=8", {{merge, "false"}});
             }},
            {sums,
             [this, sums] {
                 auto const worst = [&](char const *bytes) {
                     return compiled(small("gc200:tiles=8,ipus=4", {{sums, bytes}})).executable->memory.ipus.front().worstBytes;
                 };
                 return cyclesOf("gc200:tiles=8,ipus=4", {{sums, "0"}}) < cyclesOf("gc200:tiles=8,ipus=4", {{sums, "64"}})
                     && worst("64") <= worst("0");
             }},
            {gathers,
             [this, gathers] {
                 Fields const shards{{"training.optimizer", "adam"},
                                     {"training.offload_weight_update_variables", "true"},
                                     {"training.replicated_optimizer_state_sharding", "true"}};
                 return cyclesOf("gc200:tiles=8,ipus=4", with(shards, gathers, "0"))
                     < cyclesOf("gc200:tiles=8,ipus=4", with(shards, gathers, "64"));
             }},
            {copies,
             [this, copies] { // activations and labels
                 Fields const stages =
                     inStages("0011", {{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}});
                 return exchangesOf(mnist("gc200:tiles=8,ipus=2", with(stages, copies, "0")))
                     < exchangesOf(mnist("gc200:tiles=8,ipus=2", with(stages, copies, "64")));
             }},
            {"ipu_config.slices.poplar_options.availableMemoryProportion",
             [this] {
                 auto const cycles = [&](char const *share) {
                     return compiled(ofTemplate("transformer-sort",
                                                {{"system.target", "gc200:tiles=64"},
                                                 {"ipu_config.slices.poplar_options.availableMemoryProportion", share}}))
                         .entry()
                         ->cyclesPerStep();
                 };
                 return cycles("0.6") < cycles("0.00001");
             }},
            {"ipu_config.pooling.poplar_options.poolUseIntrospectiveMapping",
             [this] {
                 auto const cycles = [&](char const *follows) {
                     return compiled(ofTemplate("mnist-cnn",
                                                {{"system.target", "gc200:tiles=64"},
                                                 {"ipu_config.pooling.poplar_options.poolUseIntrospectiveMapping", follows}}))
                         .entry()
                         ->cyclesPerStep();
                 };
                 return cycles("true") != cycles("false");
             }},
        };
    }
};

} // namespace tilewright::tests
