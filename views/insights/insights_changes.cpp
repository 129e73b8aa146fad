// The changes that insights propose: tried by compiles, offered on the cards, applied, and their outcome.
#include "views/insights/insights_widget.h"

#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/insights/insight_action.h"
#include "views/insights/insight_card.h"
#include "views/jobs/job_runner.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

/// Every change that an insight proposes is compiled before Apply offers it; for what does not fit remedies are searched.
void InsightsView::tryActions()
{
    m_tries.assign(static_cast<std::size_t>(m_cards.size()), {});
    m_trying = false;
    auto &document = session().document();
    std::vector<AskedTrial> asked;
    bool misfit = false;
    for (int i = 0; i < m_cards.size(); ++i) {
        auto const &insight = rowOf(m_cards[i]->item());
        if (insight.rule == kMisfitRule) misfit = true;
        else if (auto all = actionAlternatives(insight); !all.empty())
            asked.push_back({i, insight.rule.starts_with("memory."), std::move(all)});
    }
    if (document.isOpen() && misfit && !session().reportIsStale()) m_trials->search();
    if (document.isOpen() && !asked.empty()) {
        m_trying = true;
        using Tries = std::vector<std::pair<int, CardTrial>>;
        session().jobs().compute<Tries>(
            this, JobKind::TryChanges, QStringLiteral("insight-trials"),
            [asked, project = document.snapshot(), folder = document.folder()](JobContext const &job) {
                return tryAlternatives(asked, *project, folder, job);
            },
            [this, shown = m_shown, revision = document.revision()](Result<Tries> const &result) {
                if (shown != m_shown || revision != session().document().revision()) return;
                m_trying = false;
                if (result.ok())
                    for (auto const &[card, trial] : *result)
                        if (static_cast<std::size_t>(card) < m_tries.size()) m_tries[static_cast<std::size_t>(card)] = trial;
                showActions();
            });
    }
    showActions();
}

/// What Apply of a card would set; null: nothing that was tried and fits.
TriedFix const *InsightsView::offered(int index) const
{
    if (!session().document().isOpen() || index < 0 || index >= m_cards.size()) return nullptr;
    if (rowOf(m_cards[index]->item()).rule == kMisfitRule)
        return m_trials->isDone() && !m_trials->fixes().empty() && !session().reportIsStale() ? &m_trials->fixes().front() : nullptr;
    auto const i = static_cast<std::size_t>(index);
    if (i >= m_tries.size() || m_tries[i].best < 0) return nullptr;
    auto const &fix = m_tries[i].fixes[static_cast<std::size_t>(m_tries[i].best)];
    return brings(fix) ? &fix : nullptr;
}

/// Whether a change that was tried makes something better than the report says it is. Of another project it says nothing.
bool InsightsView::brings(TriedFix const &fix) const
{
    if (session().reportIsStale()) return true;
    constexpr double kNoticed = 0.001;
    auto const now = measuresOf(m_report->data());
    double const samples = m_report->figure("samples_per_second").value_or(0);
    return fix.samplesPerSecond > samples * (1 + kNoticed) || fix.share < now.worstShare - kNoticed || !now.fits.value_or(true);
}

void InsightsView::showActions()
{
    for (int i = 0; i < m_cards.size(); ++i) showAction(i);
    std::vector<int> fruitless;
    for (int i = 0; i < m_cards.size(); ++i) {
        auto const k = static_cast<std::size_t>(i);
        bool const tried = k < m_tries.size() && m_tries[k].done;
        auto const *fix = tried ? offered(i) : nullptr;
        // The rule's bound gives way to what the compile found: a larger batch can bring more.
        m_cards[i]->showBound(!tried);
        if (tried && !fix) fruitless.push_back(m_cards[i]->item().row);
        for (auto &item : m_list.items)
            if (item.row == m_cards[i]->item().row)
                item.tried = fix && samplesNow() > 0 ? std::max(0.0, fix->samplesPerSecond / samplesNow() - 1) : 0;
    }
    chooseBest(m_list, m_report->data(), fruitless);
    setHeadline(insightsHeadline(m_list, m_report->data()));
}

void InsightsView::showAction(int index)
{
    auto const &insight = rowOf(m_cards[index]->item());
    auto *card = m_cards[index];
    bool const misfit = insight.rule == kMisfitRule;
    if (!misfit && insight.action.empty()) {
        // A note states; a warning that offers nothing owes a reason.
        if (insight.severity != "note")
            card->setAction(tr("No setting of the project changes this by itself. Changes of other insights can reduce it."), false);
        return;
    }
    if (!session().document().isOpen()) {
        QStringList lines;
        if (misfit)
            for (auto const &tried : storedFixes(*m_report)) lines << QStringLiteral("• ") + tried.title();
        if (lines.isEmpty())
            card->setAction(misfit ? tr("Open the project of this report: changes that make it fit are then tried and offered here.")
                                   : tr("Open the project to apply its change."),
                            false);
        else
            card->setAction(tr("Tried by compiles when the report was written; open its project to apply one:") + QLatin1Char('\n')
                                + lines.join(QLatin1Char('\n')),
                            false);
        return;
    }
    auto const *fix = offered(index);
    card->setRemedies({});
    if (misfit) {
        if (session().reportIsStale()) card->setAction(tr("The project has changed since: compile it to update the advice."), false);
        else if (m_trials->isSearching()) card->setAction(tr("Trying changes that make it fit …"), false);
        else if (!m_trials->isDone()) card->setAction({}, false);
        else if (!fix)
            card->setAction(tr("No number of tiles, share of memory, batch size or pipeline stages that was tried makes it fit."), false);
        else {
            QStringList titles;
            for (auto const &one : m_trials->fixes()) titles << one.title();
            card->setAction(tr("Each of these was tried by a compile; Apply makes the first change:"), true);
            card->setRemedies(titles);
        }
        return;
    }
    auto const &project = session().document().project();
    auto const changes = fieldChanges(fix ? fieldsOf(*fix) : actionFields(insight), project);
    auto const &trial = m_tries[static_cast<std::size_t>(index)];
    if (changes.isEmpty()) {
        card->setAction(tr("The project already has this change; compile to see its effect."), false);
    } else if (!trial.done) {
        card->setAction(proposedText(changes) + QLatin1Char('\n') + tr("Trying it …"), false);
    } else if (trial.fixes.empty()) {
        card->setAction(trial.refusal.isEmpty() ? tr("No value of this kind goes with the data and the plan as they are.")
                                                : tr("This change is refused: %1").arg(trial.refusal),
                        false);
    } else if (!fix) {
        card->setAction(tr("Tried by compiles, without a gain:") + triedLines(trial.fixes, project, samplesNow()), false);
    } else {
        QString words = proposedText(changes) + QLatin1Char('\n') + tr("Tried by a compile: %1").arg(outcomeLine(*fix, samplesNow()));
        std::vector<TriedFix> others, idle;
        for (std::size_t i = 0; i < trial.fixes.size(); ++i)
            if (static_cast<int>(i) != trial.best)
                (trial.fixes[i].fits && brings(trial.fixes[i]) ? others : idle).push_back(trial.fixes[i]);
        if (!others.empty()) words += QLatin1Char('\n') + tr("Also tried:") + triedLines(others, project, samplesNow());
        QStringList names;
        for (auto const &one : idle) names << changeInSentence(fieldChanges(fieldsOf(one), project));
        if (!names.isEmpty()) words += QLatin1Char('\n') + tr("Tried without a gain: %1.").arg(names.join(QStringLiteral("; ")));
        card->setAction(words, true);
    }
}

/// Samples a second of the project as it is; 0: the report on show is of another.
double InsightsView::samplesNow() const { return session().reportIsStale() ? 0 : m_report->figure("samples_per_second").value_or(0); }

void InsightsView::apply(int index, TriedFix const *fix)
{
    if (!fix) return;
    auto const fields = fieldsOf(*fix);
    auto const changes = fieldChanges(fields, session().document().project());
    if (changes.isEmpty()) return;
    AppliedAction applied;
    applied.title = m_cards[index]->titleText();
    applied.change = changeInSentence(changes);
    applied.report = m_report->uuid();
    applied.predictedShare = fix->share;
    auto const before = measuresOf(m_report->data());
    if (double const samples = samplesNow(); samples > 0) applied.predictedSpeed = fix->samplesPerSecond / samples;
    applied.cyclesPerStep = before.cyclesPerStep;
    applied.cyclesPerSample = before.cyclesPerSample;
    applied.worstShare = before.worstShare;
    if (auto const status = session().document().setFields(tr("Apply: %1").arg(applied.title), fields); !status.ok()) {
        session().raiseError(status.error());
        return;
    }
    m_applied = applied;
    setNotice(tr("Applied %1. Compile to see what it brings; Undo takes it back.").arg(applied.change), true);
}

void InsightsView::checkOutcome()
{
    if (!m_applied || !m_report || !m_report->isWhole() || m_report->uuid() == m_applied->report) return;
    setNotice(outcomeText(*m_applied, measuresOf(m_report->data())), false);
    m_applied.reset();
}

} // namespace tilewright::views
