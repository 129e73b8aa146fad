#include "tests/random_models/model_check.h"

#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/session.h"
#include "engine/store/check_report.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace tilewright::random_models {

namespace {

CheckResult failed(std::string what) { return {End::Failed, std::move(what)}; }

/// An error by what it says of the project.
CheckResult ended(std::string const &during, Diagnostic const &error)
{
    auto const what = during + ": " + error.code + ": " + toText(error);
    switch (error.kind) {
    case ErrorKind::Invalid:
    case ErrorKind::Usage:
    case ErrorKind::Data: return {End::Refused, what};
    case ErrorKind::DoesNotFit: return {End::DoesNotFit, what};
    case ErrorKind::Numeric: return {End::NotFinite, what};
    default: return failed(what);
    }
}

constexpr char const *kSplits = "serial splits", *kMeasured = "measured rounding";

bool hasPasses(program::Program const &program)
{
    return std::ranges::any_of(program.computeSets, [](auto const &set) { return set.name.find("/split1") != std::string::npos; });
}

class Checks {
public:
    Checks(project::Project const &project, std::filesystem::path const &folder) : m_project(project), m_folder(folder) {}

    CheckResult run()
    {
        if (auto bad = twinIsEqual()) return *bad;
        if (auto bad = train()) return *bad;
        if (auto bad = threadsAgree()) return *bad;
        if (auto bad = reportIsWhole()) return *bad;
        if (auto bad = modesAgree()) return *bad;
        if (m_whole->stopped) return ended("train", *m_whole->stopped);
        if (auto bad = tilesKeepTheSchedule()) return *bad;
        if (auto bad = resumedIsEqual()) return *bad;
        std::vector<std::string> words;
        if (hasPasses(m_whole->compiled.executable->program)) words.emplace_back(kSplits);
        if (m_measured) words.emplace_back(kMeasured);
        return {.words = std::move(words)};
    }

private:
    using Bad = std::optional<CheckResult>;

    runtime::RunRequest request(int threads) const
    {
        runtime::RunRequest request;
        request.threads = threads;
        request.baseDir = m_folder;
        request.compile.cacheFolder = m_folder / "cache";
        return request;
    }
    Result<runtime::TrainOutcome> trained(runtime::RunRequest request, std::vector<double> &losses) const
    {
        runtime::RunObserver observer;
        request.every = 1;
        observer.step = [&](std::int64_t, double loss, auto const &) { losses.push_back(loss); };
        return runtime::train(m_project, request, observer, {});
    }

    Bad twinIsEqual() const
    {
        auto const again = project::projectFromParts(project::projectParts(m_project), nullptr);
        if (!again.ok()) return ended("twin", again.error());
        for (auto const &[name, text] : project::projectParts(m_project))
            if (auto const other = project::projectParts(*again).at(name); other != text) {
                auto const at = static_cast<std::size_t>(std::ranges::mismatch(text, other).in1 - text.begin());
                auto const from = at > 60 ? at - 60 : 0;
                return failed("twin: part '" + name + "' comes back as …" + other.substr(from, 120) + "… instead of …"
                              + text.substr(from, 120) + "…");
            }
        return {};
    }
    Bad train()
    {
        auto first = request(1);
        first.report = m_folder / "report.twreport";
        auto outcome = trained(first, m_losses);
        if (!outcome.ok()) return ended("train", outcome.error());
        m_whole = std::move(outcome).value();
        if (m_whole->unreported) return failed("report: " + toText(*m_whole->unreported));
        if (m_whole->stopped && m_whole->stopped->kind != ErrorKind::Numeric) return ended("train", *m_whole->stopped);
        return {};
    }
    Bad threadsAgree() const
    {
        for (int const threads : {2, 3}) {
            std::vector<double> losses;
            auto const outcome = trained(request(threads), losses);
            auto const on = "train on " + std::to_string(threads) + " threads";
            if (!outcome.ok()) return failed(on + ": " + toText(outcome.error()));
            auto const equalBits = [](double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); };
            if (!std::ranges::equal(losses, m_losses, equalBits)) return failed(on + ": other losses than on one");
            for (auto const &tensor : m_whole->state.tensors)
                if (auto const *other = outcome->state.find(tensor.name); !other || !(*other == tensor))
                    return failed(on + ": '" + tensor.name + "' differs from that of one");
            if (outcome->weightsHash != m_whole->weightsHash) return failed(on + ": another hash of the weights than on one");
        }
        return {};
    }
    Bad reportIsWhole() const
    {
        auto const reader = store::ReportReader::open(m_folder / "report.twreport");
        if (!reader.ok()) return failed("report: " + toText(reader.error()));
        auto const violations = store::checkReport(**reader);
        if (!violations.ok()) return failed("report: " + toText(violations.error()));
        if (!violations->empty())
            return failed("report: invariant " + std::to_string(violations->front().invariant) + ", " + violations->front().subject + ": "
                          + violations->front().what);
        return {};
    }
    Bad modesAgree()
    {
        auto const outcome = runtime::verify(m_project, request(2), 2, {});
        if (!outcome.ok()) return ended("verify", outcome.error());
        m_measured = std::ranges::any_of(outcome->tensors, &runtime::VerifyTensor::measured);
        if (outcome->agrees) return {};
        auto const worst =
            std::ranges::max(outcome->tensors, std::less(), [](auto const &tensor) { return tensor.maxRelativeError / tensor.tolerance; });
        return failed("verify: '" + worst.name + "' differs by " + std::to_string(worst.maxRelativeError) + ", the tolerance is "
                      + std::to_string(worst.tolerance));
    }
    Bad tilesKeepTheSchedule() const
    {
        auto onTiles = request(2);
        onTiles.mode = runtime::Mode::Tile;
        onTiles.steps = m_project.training.stepsPerExecution;
        onTiles.epochs = 1;
        std::vector<double> losses;
        auto const outcome = trained(onTiles, losses);
        if (!outcome.ok()) return failed("train on tiles: " + toText(outcome.error()));
        auto const entry = outcome->compiled.entry();
        auto const executions = outcome->steps / entry->stepsPerExecution;
        auto const scheduled = executions * entry->patternCycles * entry->patternRepeats;
        if (!outcome->stopped && !program::costDependsOnData(entry.executable().program)
            && outcome->device.measured.value_or(-1) != scheduled)
            return failed("train on tiles: " + std::to_string(outcome->device.measured.value_or(-1)) + " cycles were measured, and "
                          + std::to_string(scheduled) + " scheduled");
        auto const predicted = runtime::predict(m_project, onTiles, &m_whole->state, {});
        if (!predicted.ok()) return failed("predict on tiles: " + predicted.error().code + ": " + toText(predicted.error()));
        return {};
    }
    Bad resumedIsEqual() const
    {
        auto const file = m_folder / "checkpoint.npz";
        auto first = request(1), second = request(2);
        auto const &plan = m_project.training;
        // The last outputs of an execution are those of the interrupted one, if it ends in between.
        first.steps = plan.outfeedMode == "last" ? plan.stepsPerExecution : plan.gradientAccumulationSteps;
        std::vector<double> losses;
        auto const begun = trained(first, losses);
        if (!begun.ok()) return failed("interrupted training: " + toText(begun.error()));
        if (auto const written = runtime::writeCheckpoint(file, begun->state, {}); !written.ok())
            return failed("checkpoint: " + toText(written.error()));
        auto read = runtime::readCheckpoint(file, {});
        if (!read.ok()) return failed("checkpoint: " + toText(read.error()));
        second.resume = std::move(read).value();
        auto const ended = trained(second, losses);
        if (!ended.ok()) return failed("resumed training: " + toText(ended.error()));
        if (losses != m_losses) return failed("resumed training: other losses than in one part");
        if (ended->state.tensors.size() != m_whole->state.tensors.size()) return failed("resumed training: other tensors than in one part");
        for (auto const &tensor : m_whole->state.tensors)
            if (auto const *other = ended->state.find(tensor.name); !other || !(*other == tensor))
                return failed("resumed training: '" + tensor.name + "' differs from that of one part");
        return {};
    }

    project::Project const &m_project;
    std::filesystem::path m_folder;
    std::optional<runtime::TrainOutcome> m_whole;
    std::vector<double> m_losses;
    bool m_measured = false; ///< verify had to measure what rounding does
};

} // namespace

std::vector<std::string> wordsToCheck() { return {kSplits, kMeasured}; }

CheckResult checkProject(project::Project const &project, std::filesystem::path const &folder) { return Checks(project, folder).run(); }

} // namespace tilewright::random_models
