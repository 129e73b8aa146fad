#include "engine/runtime/insight_changes.h"

#include "engine/core/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace tilewright::runtime {

using InsightJson = nlohmann::ordered_json;

namespace {

constexpr double kLeastGain = 0.005;

Proposal proposalOf(InsightJson const &alternative)
{
    Proposal wish;
    if (!alternative.is_object() || !alternative.contains("set") || !alternative["set"].is_array()) return wish;
    for (auto const &entry : alternative["set"]) { // of a file: anything may stand there
        if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string() || !entry.contains("value")) return {};
        auto const &value = entry["value"];
        wish.set.emplace_back(entry["path"].get<std::string>(),
                              value.is_string() ? value.get<std::string>()
                                                : value.dump(-1, ' ', false, InsightJson::error_handler_t::replace));
    }
    return wish;
}

double gainOf(Trial const &trial, Trial const &now, bool memory)
{
    if (memory) return now.withGaps > 0 ? 1 - static_cast<double>(trial.withGaps) / static_cast<double>(now.withGaps) : 0;
    if (!now.fits) return trial.samplesPerSecond > 0 ? 1 : 0; // the project has no speed to compare with
    return now.samplesPerSecond > 0 ? trial.samplesPerSecond / now.samplesPerSecond - 1 : 0;
}

} // namespace

std::vector<Proposal> proposalsOf(InsightJson const &action)
{
    std::vector<Proposal> all{proposalOf(action)};
    if (action.is_object() && action.contains("or") && action["or"].is_array())
        for (auto const &other : action["or"]) all.push_back(proposalOf(other));
    std::erase_if(all, [](Proposal const &one) { return one.set.empty(); });
    return all;
}

InsightJson setOf(Proposal const &proposal)
{
    auto set = InsightJson::array();
    for (auto const &[path, text] : proposal.set) {
        auto const value = orderedJsonOrDiscarded(text);
        set.push_back({{"path", path}, {"value", value.is_discarded() ? InsightJson(text) : value}});
    }
    return set;
}

Result<std::vector<std::vector<TriedChange>>> tryChanges(project::Project const &project, std::filesystem::path const &dataFolder,
                                                         std::vector<WishedChanges> const &insights,
                                                         compiler::CompileRequest const &request, JobContext const &job)
{
    auto const samples = samplesOf(project, dataFolder, job);
    TW_ASSIGN(auto const now, tryProposal(project, {}, request, job));
    std::map<std::string, std::optional<Trial>> known; // several insights propose the same
    std::size_t all = 0, done = 0;
    for (auto const &insight : insights) all += insight.changes.size();
    std::vector<std::vector<TriedChange>> tried;
    for (auto const &insight : insights) {
        auto &gains = tried.emplace_back();
        for (auto const &wish : insight.changes) {
            if (job.cancelled()) return cancelledError("insights");
            job.report("Trial compiles", static_cast<double>(done++) / static_cast<double>(all));
            auto const [place, isNew] = known.try_emplace(toText(wish));
            if (isNew)
                if (auto const proposal = settled(project, wish, samples); proposal.ok())
                    if (auto trial = tryProposal(project, *proposal, request, job); trial.ok()) place->second = std::move(*trial);
            if (!place->second || !place->second->fits) continue;
            TriedChange change{*place->second, gainOf(*place->second, now, insight.memory)};
            if (change.gain >= kLeastGain && std::ranges::find(gains, change) == gains.end()) gains.push_back(std::move(change));
        }
        std::ranges::stable_sort(gains, std::greater(), &TriedChange::gain);
    }
    return tried;
}

} // namespace tilewright::runtime
