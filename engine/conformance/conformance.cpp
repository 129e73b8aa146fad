#include "engine/conformance/conformance.h"

#include "engine/conformance/case_run.h"
#include "engine/core/ascii.h"
#include "engine/core/files.h"
#include "engine/core/internal_error.h"
#include "engine/core/parallel.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <thread>

namespace tilewright::conformance {

namespace {

namespace fs = std::filesystem;

Diagnostic pathError(fs::path const &path, Message message)
{
    return makeError(ErrorKind::Data, "conformance.path", path.string(), std::move(message),
                     Message::of("Name a case file, or a folder with cases (*.json of format keras-conformance-1)."));
}

/// All candidates: files as named, folders recursively by name.
Result<std::vector<fs::path>> candidates(fs::path const &path)
{
    std::error_code error;
    if (fs::is_regular_file(path, error)) return std::vector{path};
    if (!fs::is_directory(path, error)) return pathError(path, Message::of("no such file or folder."));
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end; !error && it != end;
         it.increment(error))
        if (it->path().extension() == ".json" && it->path().filename() != "index.json" && it->is_regular_file(error))
            files.push_back(it->path());
    if (error) return pathError(path, Message::of("the folder cannot be read: %1.", error.message()));
    std::ranges::sort(files);
    return files;
}

/// "layer/dense/basic" as a path that stays below the dump's folder whatever a case calls itself.
fs::path dumpPath(fs::path const &folder, std::string const &id)
{
    fs::path path = folder;
    for (auto part : splitText(id, '/')) {
        for (auto &c : part)
            if (!(isAsciiAlnum(c) || c == '_' || c == '-' || c == '.' || c == '=' || c == '+')) c = '_';
        if (part.find_first_not_of('.') == std::string::npos) continue;
        path /= part;
    }
    path += ".npz";
    return path;
}

Status dump(fs::path const &folder, std::string const &id, Comparison const &check, JobContext const &job)
{
    std::vector<data::NamedArray> arrays;
    for (auto const &[name, tensor] : check.computed()) {
        if (tensor.dtype == DType::I32) {
            std::vector<std::int32_t> values;
            for (double v : tensor.v) values.push_back(static_cast<std::int32_t>(v));
            arrays.push_back({name, data::makeArray(tensor.shape, std::move(values))});
        } else {
            std::vector<float> values;
            for (double v : tensor.v) values.push_back(static_cast<float>(v));
            arrays.push_back({name, data::makeArray(tensor.shape, std::move(values))});
        }
    }
    auto const path = dumpPath(folder, id);
    TW_TRY(makeOutputFolder(folder));
    TW_TRY(ensureFolder(path.parent_path()));
    return data::writeNpz(path, arrays, false, job);
}

CaseResult resultOf(CaseFile const &file, Status const &status, Comparison const &check)
{
    CaseResult result;
    result.id = file.id;
    if (!status.ok() && meansUnsupported(status.error())) {
        result.status = CaseStatus::Unsupported;
        result.reason = toText(status.error());
        return result;
    }
    if (check.hasWorst()) {
        result.maxError = check.worstError();
        result.tolerance = check.worstLimit();
    }
    if (!status.ok()) result.reason = toText(status.error());
    else if (check.failed()) result.reason = check.reason();
    else if (!check.compared()) result.reason = "the case holds nothing to compare.";
    else result.status = CaseStatus::Passed;
    return result;
}

CaseResult runCase(CaseFile const &file, ConformanceOptions const &options, target::Machine const &machine, JobContext const &job)
{
    CaseRun run{file, options.mode, machine, job};
    auto const kinds = caseKinds();
    auto const kind = std::ranges::find(kinds, std::string_view(file.kind), &CaseKind::name);
    Status status = kind == kinds.end() ? Status(notYet(Message::of("kind '%1'", file.kind)))
                                        : guarded(file.id, "the case", [&] { return kind->run(run); });
    auto result = resultOf(file, status, run.check);
    if (options.dumpDir && result.status != CaseStatus::Unsupported) {
        auto const written = dump(*options.dumpDir, file.id, run.check, job);
        if (!written.ok()) {
            result.status = CaseStatus::Failed;
            result.reason = toText(written.error());
        }
    }
    return result;
}

} // namespace

std::string_view toText(Mode mode)
{
    switch (mode) {
    case Mode::Fused: return "fused";
    case Mode::Tile: return "tile";
    case Mode::Reference: return "reference";
    }
    return "fused";
}

std::string_view toText(CaseStatus status)
{
    switch (status) {
    case CaseStatus::Passed: return "passed";
    case CaseStatus::Failed: return "failed";
    case CaseStatus::Unsupported: return "unsupported";
    }
    return "failed";
}

std::span<CaseKind const> caseKinds()
{
    static constexpr std::array kKinds{
        CaseKind{"layer", runLayerCase},
        CaseKind{"model", runLayerCase},
        CaseKind{"loss", runLossCase},
        CaseKind{"metric", runMetricCase},
        CaseKind{"optimizer", runOptimizerCase},
        CaseKind{"schedule", runScheduleCase},
        CaseKind{"training", runTrainingCase},
        CaseKind{"fit", runFitCase},
        CaseKind{"initializer", runInitializerCase},
    };
    return kKinds;
}

Tensor scalarTensor(double value) { return {DType::F32, {}, {value}}; }

Tensor vectorTensor(std::vector<double> values)
{
    Shape const shape{static_cast<std::int64_t>(values.size())};
    return {DType::F32, shape, std::move(values)};
}

Tolerance toleranceOf(Json const *tolerance)
{
    Tolerance result;
    if (!tolerance) return result;
    result.rtol = numberOr(*tolerance, "rtol", result.rtol);
    result.atol = numberOr(*tolerance, "atol", result.atol);
    return result;
}

Result<ConformanceSummary> runConformance(std::span<fs::path const> paths, ConformanceOptions const &options, JobContext const &job)
{
    ConformanceSummary summary;
    summary.mode = options.mode;
    std::string const target = !options.target.empty() ? options.target
        : options.mode == Mode::Tile                   ? std::string(kTileTarget)
                                                       : std::string("cpu");
    TW_ASSIGN(auto const machine, target::parseMachine(target));
    summary.target = machine.name;
    if (options.mode == Mode::Tile && !machine.isEmulated())
        return makeError(ErrorKind::Usage, "conformance.target", target, Message::of("the cpu target has no tiles."),
                         Message::of("Use --mode fused, or an IPU target such as %1.", std::string(kTileTarget)));

    // Files that cannot be read as a case are results too: nothing named may vanish.
    std::vector<CaseFile> files;
    std::vector<CaseResult> results;
    std::set<fs::path> seen;
    for (auto const &path : paths) {
        std::error_code error;
        bool const named = fs::is_regular_file(path, error);
        TW_ASSIGN(auto const all, candidates(path));
        std::size_t found = 0;
        for (auto const &each : all) {
            if (job.cancelled()) return cancelledError("conformance");
            if (!seen.insert(fs::weakly_canonical(each, error)).second) {
                ++found;
                continue;
            }
            auto read = readCase(each);
            CaseResult result;
            if (!read.ok()) {
                result = {each.string(), CaseStatus::Failed, {}, {}, toText(read.error())};
            } else if (read->kind.empty()) {
                if (named) return pathError(each, Message::of("this is no reference case."));
                continue;
            }
            ++found;
            files.push_back(read.ok() ? std::move(read).value() : CaseFile{each, each.string(), {}, {}});
            results.push_back(std::move(result));
        }
        if (found == 0) return pathError(path, Message::of("there are no reference cases here."));
    }
    if (files.empty()) return pathError("", Message::of("no path was given."));

    // Cases do not depend on each other: each runs on one thread, so that results never depend on their number.
    int const cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    int const threads = std::clamp(options.threads > 0 ? options.threads : cores, 1, static_cast<int>(files.size()));
    ThreadPool pool(threads);
    std::atomic<std::size_t> done{0};
    auto const caller = std::this_thread::get_id();
    pool.run(files.size(), [&](std::size_t i) {
        if (job.cancelled()) return;
        JobContext own;
        own.stop = job.stop;
        if (!files[i].kind.empty()) results[i] = runCase(files[i], options, machine, own);
        files[i].json = Json(); // parsed cases are large
        auto const count = ++done;
        if (std::this_thread::get_id() == caller) job.report("Conformance", static_cast<double>(count) / static_cast<double>(files.size()));
    });
    if (job.cancelled()) return cancelledError("conformance");
    for (auto const &result : results) {
        summary.passed += result.status == CaseStatus::Passed;
        summary.failed += result.status == CaseStatus::Failed;
        summary.unsupported += result.status == CaseStatus::Unsupported;
    }
    summary.cases = std::move(results);
    return summary;
}

nlohmann::ordered_json toJson(ConformanceSummary const &summary)
{
    nlohmann::ordered_json json{{"target", summary.target},           {"mode", std::string(toText(summary.mode))},
                                {"passed", summary.passed},           {"failed", summary.failed},
                                {"unsupported", summary.unsupported}, {"cases", nlohmann::ordered_json::array()}};
    for (auto const &result : summary.cases) {
        nlohmann::ordered_json row{{"id", result.id},
                                   {"status", std::string(toText(result.status))},
                                   {"max_error", nullptr},
                                   {"tolerance", nullptr},
                                   {"reason", result.reason}};
        if (result.maxError) row["max_error"] = *result.maxError;
        if (result.tolerance) row["tolerance"] = *result.tolerance;
        json["cases"].push_back(std::move(row));
    }
    return json;
}

} // namespace tilewright::conformance
