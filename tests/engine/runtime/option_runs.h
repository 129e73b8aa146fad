#pragma once

#include "engine/config/environment.h"
#include "engine/device/registry.h"
#include "engine/runtime/run_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"

#include <functional>

/// Compiles and runs of tests that compare two values of an option.
namespace tilewright::tests {

using namespace tilewright::config;

class OptionRuns {
protected:
    SessionFolder m_folder;

    compiler::CompileRequest request(std::string const &flags = {}) const
    {
        auto r = requestIn(m_folder).compile;
        r.useCache = false;
        if (flags.empty()) return r;
        auto parsed = PoplarFlags::parse(flags);
        if (!parsed.ok()) qFatal("%s", toText(parsed.error()).c_str());
        r.environment.flags = *parsed;
        return r;
    }
    compiler::CompileOutcome compiled(project::Project const &p, std::string const &flags = {}) const
    {
        auto outcome = compiler::compile(p, request(flags), {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return std::move(outcome).value();
    }
    std::string refusal(project::Project const &p) const
    {
        auto const outcome = compiler::compile(p, request(), {});
        return outcome.ok() ? std::string() : outcome.error().code;
    }
    static project::Project small(std::string const &target, Fields more = {}) { return mnist(target, smallModel(std::move(more))); }
    static Fields option(std::string const &path, std::string const &value) { return {{"ipu_config." + path, value}}; }
    /// The error of a training while another process has the device. Requires: it does not train.
    Diagnostic errorWhileTaken(std::string const &flags, Fields const &fields) const
    {
        auto const registry = device::Registry::open();
        device::AttachRequest taken;
        taken.machine = *target::parseMachine("gc200:tiles=8");
        auto const held = registry->attach(taken, {});
        auto r = requestIn(m_folder);
        r.compile = request(flags);
        auto const outcome = runtime::train(small("gc200:tiles=8", fields), r, {}, {});
        return held.ok() && !outcome.ok() ? outcome.error() : Diagnostic{};
    }

    /// What training with these flags says first.
    std::string attachText(project::Project const &p) const
    {
        std::string text;
        runtime::RunObserver observer;
        observer.attached = [&](std::string const &said) { text = said; };
        auto r = requestIn(m_folder);
        r.steps = 1;
        if (auto const outcome = runtime::train(p, r, observer, {}); !outcome.ok()) return outcome.error().code;
        return text;
    }
    std::vector<double> lossesWith(std::string const &flags) const
    {
        std::vector<double> losses;
        runtime::RunObserver observer;
        observer.step = [&](std::int64_t, double loss, auto const &) { losses.push_back(loss); };
        auto r = requestIn(m_folder);
        r.compile = request(flags);
        r.steps = 2;
        r.every = 1;
        if (auto const outcome = runtime::train(small("gc200:tiles=8"), r, observer, {}); !outcome.ok())
            qFatal("%s", toText(outcome.error()).c_str());
        return losses;
    }

    static Result<report::ReportData> readReport(std::filesystem::path const &path)
    {
        TW_ASSIGN(auto const reader, store::ReportReader::open(path));
        return reader->readAll();
    }

    /// The error of a training that a trap ends; empty if it ends in another way.
    std::string trapOf(project::Project const &p, runtime::Mode mode = runtime::Mode::Fused) const
    {
        auto r = requestIn(m_folder, mode);
        r.steps = 4;
        auto const outcome = runtime::train(p, r, {}, {});
        auto const error = outcome.ok() ? outcome->stopped : std::optional(outcome.error());
        if (!error || error->code != "numeric.trap") return {};
        return error->subject + ": " + error->message;
    }
    static project::Project diverging(std::string const &trap, std::string const &value)
    {
        return small("gc200:tiles=8",
                     {{"training.optimizer", "SGD"},
                      {"training.optimizer.learning_rate", "1e30"},
                      {"ipu_config.floating_point_behaviour." + trap, value}});
    }
    /// Weights that no float16 holds.
    static project::Project divergingHalf(std::string const &trap, std::string const &value)
    {
        return halfModel("float16",
                         {{"training.optimizer", "SGD"},
                          {"training.optimizer.learning_rate", "1e20"},
                          {"ipu_config.floating_point_behaviour." + trap, value}});
    }
    /// The outputs of the first layer lie around `mean`; a normalisation follows.
    static project::Project withNorm(double mean, char const *stable)
    {
        auto p = small("gc200:tiles=8", option("norms.use_stable_statistics", stable));
        auto const dense = std::ranges::find(p.model.layers, std::string("dense"), &model::Layer::name);
        dense->config["activation"] = "linear";
        dense->config["bias_initializer"] = {{"class_name", "Constant"}, {"config", {{"value", mean}}}};
        p.model.layers.insert(dense + 1, model::makeLayer("LayerNormalization", "norm", {{"axis", -1}}));
        return p;
    }
    /// A frozen batch normalisation of variance 0 without epsilon divides by zero.
    static project::Project withoutVariance(std::string const &trap)
    {
        auto p = small("gc200:tiles=8", option("floating_point_behaviour.div0", trap));
        p.model.layers.insert(
            p.model.layers.end() - 1,
            model::makeLayer("BatchNormalization", "norm",
                             {{"trainable", false},
                              {"epsilon", 0.0},
                              {"moving_variance_initializer", {{"class_name", "Zeros"}, {"config", nlohmann::json::object()}}}}));
        return p;
    }

    /// The log lines of a training of one step.
    std::string logWith(std::string const &flags, project::Project const &p) const
    {
        std::string text;
        auto r = requestIn(m_folder);
        r.steps = 1;
        r.threads = 0;
        r.compile = request(flags);
        r.compile.log = [&](LogComponent, LogLevel, Message const &line) { text += line + "\n"; };
        if (auto const outcome = runtime::train(p, r, {}, {}); !outcome.ok()) return toText(outcome.error());
        return text;
    }
    /// Names of the files in a folder, joined.
    static std::string namesIn(std::filesystem::path const &folder)
    {
        std::string names;
        if (std::filesystem::exists(folder))
            for (auto const &file : std::filesystem::directory_iterator(folder)) names += file.path().filename().string() + " ";
        return names;
    }
    /// The names of the files that autoReport writes for a training of one step with this option set.
    std::string autoReportOf(std::string const &option, bool inConfig) const
    {
        auto const base = m_folder.path() / ("auto-" + option + (inConfig ? "-config" : ""));
        Fields fields{{"engine_options.autoReport." + option, "true"}, {"engine_options.autoReport.directory", base.string()}};
        if (inConfig)
            fields = {{"ipu_config.compilation_poplar_options",
                       R"({"autoReport.)" + option + R"(": "true", "autoReport.directory": ")" + base.string() + R"("})"}};
        auto r = requestIn(m_folder);
        r.steps = 1;
        if (auto const outcome = runtime::train(small("gc200:tiles=8", fields), r, {}, {}); !outcome.ok()) return toText(outcome.error());
        std::string names;
        for (auto const &entry : std::filesystem::recursive_directory_iterator(base))
            names += entry.path().lexically_relative(base).string() + " ";
        return names;
    }
    /// With debug.allowOutOfMemory false, a program that does not fit is an error without a report.
    bool refusesOutOfMemory(Fields const &fields) const
    {
        auto const outcome = compiler::compile(mnist("gc200:tiles=8", fields), request(), {});
        return !outcome.ok() && outcome.error().kind == ErrorKind::DoesNotFit;
    }
};

} // namespace tilewright::tests
