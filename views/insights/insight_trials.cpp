#include "views/insights/insight_trials.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/insights/insight_action.h"

#include <QElapsedTimer>

#include <algorithm>
#include <map>

namespace tilewright::views {

namespace {

constexpr qint64 kTrialMs = 20'000; ///< no further alternative is compiled after that

QList<QPair<QString, QString>> pairsOf(ChangedFields const &fields)
{
    QList<QPair<QString, QString>> pairs;
    for (auto const &[path, value] : fields) pairs.append({path, value});
    return pairs;
}

int bestOf(std::vector<TriedFix> const &fixes, bool memory)
{
    int best = -1;
    for (int i = 0; i < static_cast<int>(fixes.size()); ++i) {
        auto const &fix = fixes[static_cast<std::size_t>(i)];
        if (!fix.fits) continue;
        auto const &known = fixes[static_cast<std::size_t>(std::max(best, 0))];
        if (best < 0 || (memory ? fix.share < known.share : fix.samplesPerSecond > known.samplesPerSecond)) best = i;
    }
    return best;
}

} // namespace

ChangedFields fieldsOf(TriedFix const &fix)
{
    ChangedFields fields;
    for (auto const &[path, value] : fix.fields) fields.emplace_back(path, value);
    return fields;
}

Result<std::vector<std::pair<int, CardTrial>>> tryAlternatives(std::vector<AskedTrial> const &asked, project::Project const &project,
                                                               std::filesystem::path const &dataFolder, JobContext const &job)
{
    std::vector<std::pair<int, CardTrial>> all;
    std::map<ChangedFields, Result<std::optional<TriedFix>>> known; // several insights propose the same
    QElapsedTimer clock;
    clock.start();
    for (auto const &one : asked) {
        CardTrial trial;
        trial.done = true;
        for (auto const &fields : one.alternatives) {
            if (job.cancelled()) return cancelledError("insight-trials");
            auto found = known.find(fields);
            if (found == known.end() && clock.elapsed() > kTrialMs && &fields != &one.alternatives.front()) continue;
            if (found == known.end()) found = known.emplace(fields, tryFields(project, pairsOf(fields), dataFolder, job)).first;
            if (!found->second.ok()) trial.refusal = diagnosticLine(found->second.error());
            else if (*found->second) trial.fixes.push_back(**found->second);
        }
        trial.best = bestOf(trial.fixes, one.memory);
        all.emplace_back(one.card, std::move(trial));
    }
    return all;
}

QString outcomeLine(TriedFix const &fix, double samplesNow)
{
    QString const share = shareText(fix.share), speed = countText(static_cast<std::int64_t>(fix.samplesPerSecond));
    if (!fix.fits) return Words::tr("would not fit (%1 of a tile)").arg(share);
    if (samplesNow <= 0) return Words::tr("fits, worst tile %1; %2 samples/s (modelled)").arg(share, speed);
    double const gain = fix.samplesPerSecond / samplesNow - 1;
    return gain >= 0 ? Words::tr("fits, worst tile %1; %2 samples/s, %3 more (modelled)").arg(share, speed, shareText(gain))
                     : Words::tr("fits, worst tile %1; %2 samples/s, %3 less (modelled)").arg(share, speed, shareText(-gain));
}

QString triedLines(std::vector<TriedFix> const &fixes, project::Project const &project, double samplesNow)
{
    QString lines;
    for (auto const &fix : fixes) {
        auto const changes = fieldChanges(fieldsOf(fix), project);
        QString const between = changes.size() > 1 ? QStringLiteral("\n   ") : QStringLiteral(": ");
        lines += QStringLiteral("\n• ") + changeText(changes).replace(QLatin1Char('\n'), QStringLiteral("\n   ")) + between
            + outcomeLine(fix, samplesNow);
    }
    return lines;
}

} // namespace tilewright::views
