#include "engine/cli/bench_projects.h"
#include "engine/cli/bench_session.h"
#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/compiler/op_compile.h"
#include "engine/core/host_work.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/data/digits.h"
#include "engine/runtime/run_report.h"

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

/// What a benchmark measured: a value per run, of which the median counts, and figures of all runs together.
struct Measured {
    struct Figure {
        std::string name;
        double value = 0;
        std::string unit;
    };
    std::vector<double> values;
    std::vector<Figure> figures;
};

struct Benchmark {
    char const *name;
    char const *unit;
    char const *help;
    int runs;
    std::function<Result<Measured>(int runs, int threads, JobContext const &)> measure;
    bool onRequest = false; ///< runs only if it is named: takes minutes or gigabytes
};

/// Requires: values.
double median(std::vector<double> values)
{
    std::ranges::sort(values);
    auto const middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double secondsOf(HostUse const &from) { return hostUse().wall - from.wall; }

/// Compiles of the tutorial's model; with a cache they all but the first hit it.
Result<Measured> measureCompile(int runs, bool cached, JobContext const &job)
{
    TW_ASSIGN(auto const project, project::fromTemplate("mnist-mlp"));
    compiler::CompileRequest request;
    request.useCache = cached;
    std::filesystem::path folder;
    if (cached) {
        std::error_code problem;
        folder = std::filesystem::temp_directory_path(problem) / ("tilewright-bench-" + std::to_string(getpid()));
        request.cacheFolder = folder;
    }
    std::vector<double> seconds;
    for (int run = cached ? -1 : 0; run < runs; ++run) {
        auto const outcome = compiler::compile(project, request, job);
        if (!outcome.ok()) return outcome.error();
        if (run >= 0) seconds.push_back(outcome->seconds);
    }
    std::error_code ignored;
    if (cached) std::filesystem::remove_all(folder, ignored);
    return Measured{seconds, {}};
}

/// Compiles of a large model, whose memory is judged too.
Result<Measured> measureLargeCompile(project::Project const &project, int runs, int threads, JobContext const &job)
{
    compiler::CompileRequest request;
    request.useCache = false;
    request.threads = threads;
    std::vector<double> seconds;
    for (int run = 0; run < runs; ++run) {
        auto const outcome = compiler::compile(project, request, job);
        if (!outcome.ok()) return outcome.error();
        if (outcome->outOfMemory) return *outcome->outOfMemory;
        seconds.push_back(outcome->seconds);
    }
    return Measured{seconds, {}};
}

/// Compiles of 1, 2, 4 and 8 layers of LSTM on one thread. Values: the largest ratio of processor time from one to the next; figures: the
/// least seconds of each over all runs.
Result<Measured> measureLstmStacks(int runs, JobContext const &job)
{
    compiler::CompileRequest request;
    request.useCache = false;
    request.threads = 1;
    constexpr int kLayers[] = {1, 2, 4, 8}, kRepeats = 3;
    std::map<int, double> least;
    Measured measured;
    for (int run = 0; run < runs; ++run) {
        double worst = 0, before = 0;
        for (int const layers : kLayers) {
            auto const project = lstmStack(layers);
            std::optional<double> seconds;
            for (int repeat = 0; repeat < kRepeats; ++repeat) {
                auto const start = hostUse();
                TW_TRY(compiler::compile(project, request, job));
                double const used = hostUse().cpu - start.cpu;
                seconds = std::min(seconds.value_or(used), used);
            }
            if (before > 0) worst = std::max(worst, *seconds / before);
            before = *seconds;
            least[layers] = run == 0 ? *seconds : std::min(least[layers], *seconds);
        }
        measured.values.push_back(worst);
    }
    for (auto const &[layers, seconds] : least)
        measured.figures.push_back({"layers_" + std::to_string(layers), std::round(seconds * 1e4) / 1e4, "s"});
    return measured;
}

/// Compiles with the report. Figures: the process's peak of resident memory, and the report's size.
Result<Measured> measureReportedCompile(project::Project const &project, int runs, int threads, JobContext const &job)
{
    compiler::CompileRequest request;
    request.useCache = false;
    request.forReport = true;
    request.threads = threads;
    std::error_code problem;
    auto const folder = std::filesystem::temp_directory_path(problem) / ("tilewright-bench-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder, problem);
    auto const path = folder / "bench.twreport";
    auto const measure = [&]() -> Result<Measured> {
        Measured measured;
        std::vector<double> writing;
        for (int run = 0; run < runs; ++run) {
            TW_ASSIGN(auto const outcome, compiler::compile(project, request, job));
            if (outcome.outOfMemory) return *outcome.outOfMemory;
            measured.values.push_back(outcome.seconds);
            auto const start = hostUse();
            ThreadPool pool(threads);
            TW_TRY(runtime::writeCompileReport(path, project, outcome, {&pool, &job}));
            writing.push_back(secondsOf(start));
        }
        measured.figures = {{"report_seconds", median(writing), "s"},
                            {"peak_rss", hostUse().peakMegabytes, "MB"},
                            {"report", static_cast<double>(std::filesystem::file_size(path, problem)) * 1e-6, "MB"}};
        return measured;
    };
    auto measured = measure();
    std::filesystem::remove_all(folder, problem);
    return measured;
}

Result<Measured> measureSteps(char const *name, std::int64_t steps, int runs, int threads, JobContext const &job)
{
    auto const &workload = *std::ranges::find(benchWorkloads(), name, &BenchWorkload::name);
    TW_ASSIGN(auto session, BenchSession::make(workload, threads, job));
    TW_TRY(session->run(workload.mode == runtime::Mode::Fused ? 10 : 1, job));
    std::vector<double> rates;
    for (int run = 0; run < runs; ++run) {
        auto const start = hostUse();
        TW_TRY(session->run(steps, job));
        rates.push_back(static_cast<double>(steps) / secondsOf(start));
    }
    return Measured{rates, {}};
}

std::vector<Benchmark> const &benchmarks()
{
    static std::vector<Benchmark> const all{
        {"compile_cold", "s", "compile of mnist-mlp without a cache", 5,
         [](int runs, int, JobContext const &job) { return measureCompile(runs, false, job); }},
        {"compile_cached", "s", "the same compile from a warm cache", 5,
         [](int runs, int, JobContext const &job) { return measureCompile(runs, true, job); }},
        {"compile_encoders", "s", "compile of 24 encoder layers as wide as BERT-base, float16, for a pipeline of 4 IPUs", 3,
         [](int runs, int threads, JobContext const &job) { return measureLargeCompile(encoderStack(24, 4), runs, threads, job); }},
        {"compile_lstm_stacks", "x", "largest growth of a compile's processor time per doubling, 1 to 8 layers of LSTM", 3,
         [](int runs, int, JobContext const &job) { return measureLstmStacks(runs, job); }},
        {"compile_64_ipus", "s", "compile and report of 64 such layers on 64 IPUs, with peak memory and bytes of the report", 1,
         [](int runs, int threads, JobContext const &job) { return measureReportedCompile(encoderStack(64, 64), runs, threads, job); },
         true},
        {"compile_dense_250", "s", "compile of 250 layers Dense(256) as one function", 3,
         [](int runs, int threads, JobContext const &job) { return measureLargeCompile(denseChain(250, true), runs, threads, job); }},
        {"train_step_fused", "steps/s", "training of mnist-mlp with host kernels", 5,
         [](int runs, int threads, JobContext const &job) { return measureSteps("mlp", 1000, runs, threads, job); }},
        {"train_step_tile", "steps/s", "training of mnist-mlp in tile mode on a gc200", 3,
         [](int runs, int threads, JobContext const &job) { return measureSteps("mlp-tile", 5, runs, threads, job); }},
        {"train_step_fused_cnn", "steps/s", "training of mnist-cnn with host kernels", 5,
         [](int runs, int threads, JobContext const &job) { return measureSteps("cnn", 100, runs, threads, job); }},
        {"train_step_fused_lstm", "steps/s", "training of an LSTM, the same as the peers', with host kernels", 5,
         [](int runs, int threads, JobContext const &job) { return measureSteps("lstm", 50, runs, threads, job); }},
        {"train_step_fused_transformer", "steps/s", "training of a transformer, the same as the peers', with host kernels", 5,
         [](int runs, int threads, JobContext const &job) { return measureSteps("transformer", 20, runs, threads, job); }},
        {"train_step_tile_cnn", "steps/s", "training of mnist-cnn in tile mode on a gc200", 3,
         [](int runs, int threads, JobContext const &job) { return measureSteps("cnn-tile", 5, runs, threads, job); }},
        {"digits_generate", "samples/s", "the embedded data set of digits", 3,
         [](int runs, int threads, JobContext const &job) -> Result<Measured> {
             std::vector<double> rates;
             for (int run = 0; run < runs; ++run) {
                 auto const start = hostUse();
                 TW_ASSIGN(auto const dataset,
                           data::generateDigits({.seed = 1, .trainCount = 20000, .testCount = 0, .threads = threads}, job));
                 rates.push_back(static_cast<double>(dataset.x.count()) / secondsOf(start));
             }
             return Measured{rates, {}};
         }},
        {"matmul_op_4096", "s", "compile of one f16 product 4096 x 4096 x 4096 for a gc200", 3,
         [](int runs, int, JobContext const &job) -> Result<Measured> {
             compiler::OpRequest request;
             request.kind = "matmul";
             request.dims = {{"m", 4096}, {"k", 4096}, {"n", 4096}};
             request.dtype = DType::F16;
             TW_ASSIGN(request.machine, target::parseMachine("gc200"));
             std::vector<double> seconds;
             for (int run = 0; run < runs; ++run) {
                 auto const start = hostUse();
                 TW_TRY(compiler::compileOp(request, job));
                 seconds.push_back(secondsOf(start));
             }
             return Measured{seconds, {}};
         }},
    };
    return all;
}

Result<int> runBenchmarks(Context &context)
{
    std::vector<std::string> names, usual;
    for (auto const &b : benchmarks()) {
        names.emplace_back(b.name);
        if (!b.onRequest) usual.emplace_back(b.name);
    }
    auto wanted = context.arguments.list("NAME");
    for (auto const &name : wanted)
        if (std::ranges::find(names, name) == names.end())
            return usageError("bench.unknown", name, Message::of("there is no benchmark '%1'.", name), suggest(name, names));
    if (wanted.empty()) wanted = usual;
    auto results = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (auto const &name : wanted) {
        auto const &b = *std::ranges::find_if(benchmarks(), [&](auto const &each) { return each.name == name; });
        int const runs = static_cast<int>(std::min<std::int64_t>(1000, context.arguments.integer("--runs", b.runs)));
        context.output.progress(b.name, static_cast<double>(results.size()) / static_cast<double>(wanted.size()));
        TW_ASSIGN(auto const measured, b.measure(runs, hostThreads(context.threads), context.job));
        auto const &values = measured.values;
        results.push_back({{"name", b.name}, {"median", median(values)}, {"unit", b.unit}, {"runs", values.size()}, {"values", values}});
        rows.push_back({b.name, numberText(std::round(median(values) * 1e5) / 1e5), b.unit, std::to_string(values.size()), b.help});
        for (auto const &figure : measured.figures) {
            results.back()["figures"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
            rows.push_back({"  " + figure.name, numberText(std::round(figure.value * 1e4) / 1e4), figure.unit, "", ""});
        }
    }
    if (context.output.json()) {
        Json document;
        document["results"] = std::move(results);
        document["threads"] = hostThreads(context.threads);
        context.output.document(std::move(document));
    } else {
        context.output.text(tableText({"Benchmark", ">Median", "Unit", ">Runs", "What"}, rows));
    }
    return 0;
}

/// Five losses from the peers' start values, in their format.
Result<int> sameStart(int threads, Output &output, JobContext const &job)
{
    for (auto workload : benchWorkloads()) {
        workload.data = BenchData::SameStart;
        TW_ASSIGN(auto session, BenchSession::make(workload, threads, job));
        auto line = workload.name;
        line.resize(std::max<std::size_t>(line.size(), 12), ' ');
        for (int step = 0; step < 5; ++step) {
            TW_ASSIGN(double const loss, session->run(1, job));
            line += " " + fixedText(loss, 6);
        }
        output.text(line + "\n");
    }
    return 0;
}

/// False when the job was cancelled first: reading itself would wait through a Ctrl-C.
bool waitForInput(JobContext const &job)
{
    constexpr int kPollMs = 200;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (!job.cancelled())
        if (std::cin.rdbuf()->in_avail() > 0 || poll(&input, 1, kPollMs) > 0) return true;
    return false;
}

/// The peer protocol: READY, then a line of JSON for each "WORKLOAD STEPS" on stdin.
Result<int> work(int threads, Output &output, JobContext const &job)
{
    auto const say = [&](Json const &line) { output.text(line.dump() + "\n"); };
    std::map<std::string, std::unique_ptr<BenchSession>> sessions;
    output.text("READY\n");
    std::string line;
    while (waitForInput(job) && std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string workload;
        std::int64_t steps = 0;
        if (!(words >> workload)) continue;
        auto const known = std::ranges::find(benchWorkloads(), workload, &BenchWorkload::name);
        if (known == benchWorkloads().end()) {
            say({{"wl", workload}, {"error", "unsupported"}});
            continue;
        }
        if (!(words >> steps) || steps < 1) {
            say({{"wl", workload}, {"error", "the number of steps is missing"}});
            continue;
        }
        auto &session = sessions[workload];
        if (!session) {
            auto made = BenchSession::make(*known, threads, job);
            if (made.ok()) {
                session = std::move(made).value();
                constexpr std::int64_t kWarmUp = 3;
                auto const warm = session->run(kWarmUp, job);
                if (!warm.ok()) return warm.error();
            } else {
                sessions.erase(workload);
                say({{"wl", workload}, {"error", toText(made.error())}});
                continue;
            }
        }
        auto const start = hostUse();
        auto const cyclesBefore = session->counters().total;
        TW_ASSIGN(double const loss, session->run(steps, job));
        auto const end = hostUse();
        auto const n = static_cast<double>(steps);
        say({{"wl", workload},
             {"steps", steps},
             {"wall_us", (end.wall - start.wall) / n * 1e6},
             {"cpu_us", (end.cpu - start.cpu) / n * 1e6},
             {"loss", loss},
             {"rss_mb", end.peakMegabytes},
             {"emulated_cycles", session->counters().total - cyclesBefore}});
    }
    return 0;
}

Result<int> bench(Context &context)
{
    auto const worker = context.arguments.integer("--worker");
    if (!worker) return runBenchmarks(context);
    int const threads = static_cast<int>(std::min<std::int64_t>(*worker, 1024));
    auto const names = context.arguments.list("NAME");
    if (names == std::vector<std::string>{"check"}) return sameStart(threads, context.output, context.job);
    if (!names.empty())
        return usageError("cli.too-many", names[0], Message::of("--worker takes its work from stdin."),
                          Message::of("Leave the names out."));
    return work(threads, context.output, context.job);
}

} // namespace

std::vector<Command> benchCommands()
{
    std::string details = "Benchmarks:";
    for (auto const &b : benchmarks())
        details += "\n  " + std::string(b.name) + ": " + b.help + " (" + b.unit + (b.onRequest ? ", on request" : "") + ")";
    details += "\n--worker reads requests of the peer protocol on stdin and answers on stdout (workloads mlp, cnn, lstm,\n"
               "transformer, each also with -tile). `bench check --worker 1` prints the first losses from the start values\n"
               "of the peers.";
    return {{.name = "bench",
             .group = "System",
             .summary = "runs benchmarks",
             .details = details,
             .example = "tilewright bench compile_cold train_step_fused --json",
             .parameters = {words("NAME", "names of benchmarks (default: all but those on request)", false),
                            integerOption("--runs", "N", 1, "runs of each"),
                            integerOption("--worker", "THREADS", 1, "answer requests on stdin instead, with so many threads")},
             .run = bench}};
}

} // namespace tilewright::cli
