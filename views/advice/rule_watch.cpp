#include "views/advice/rule_watch.h"

#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/session/session.h"

#include "engine/compiler/project_rules.h"
#include "engine/model/resolve.h"
#include "engine/runtime/proposals.h"

#include <algorithm>
#include <cstdlib>

namespace tilewright::views {

namespace {

constexpr int kMostCures = 4; ///< errors that completing an edit ends one after the other

bool isError(Diagnostic const &problem) { return problem.severity == Severity::Error; }

} // namespace

std::vector<Diagnostic> ruleProblems(project::Project const &project, std::optional<std::int64_t> samples)
{
    compiler::RuleInputs inputs{compiler::RunKind::Train, samples, {}};
    // Flags that nobody can read are told by the compile.
    if (auto environment = config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, nullptr);
        environment.ok())
        inputs.environment = std::move(environment).value();
    return compiler::judge(project, inputs).problems;
}

Status completeEdit(project::Project &project, project::Project const &before, std::optional<std::int64_t> samples)
{
    auto const known = ruleProblems(before, samples);
    bool const hidden = !model::resolve(before.model).ok(); // an error of the model hides those of the plan: they were there
    for (int round = 0; round <= kMostCures; ++round) {
        auto const left = runtime::samplesAfter(before, project, samples);
        auto const problems = ruleProblems(project, left);
        auto const fresh = std::ranges::find_if(
            problems, [&](Diagnostic const &problem) { return isError(problem) && std::ranges::find(known, problem) == known.end(); });
        if (fresh == problems.end()) return {};
        auto const cures = runtime::cures(project, *fresh, left);
        if (cures.empty() || round == kMostCures) return hidden ? Status() : Status(*fresh);
        TW_ASSIGN(project, runtime::withProposal(project, cures.front()));
    }
    return {};
}

std::vector<Diagnostic> ruleProblemsAfter(project::Project const &before, project::Project const &after,
                                          std::optional<std::int64_t> samples)
{
    return ruleProblems(after, runtime::samplesAfter(before, after, samples));
}

RuleWatch &RuleWatch::of(Session &session)
{
    auto *watch = session.findChild<RuleWatch *>(QString(), Qt::FindDirectChildrenOnly);
    return watch ? *watch : *new RuleWatch(session);
}

RuleWatch::RuleWatch(Session &session) : QObject(&session), m_session(session)
{
    connect(&session.document(), &Document::changed, this, &RuleWatch::count);
    connect(&session.document(), &Document::opened, this, [this] {
        m_counted.reset(); // its folder may be another
        count();
    });
    count();
}

void RuleWatch::count()
{
    m_revision.reset();
    auto const &document = m_session.document();
    if (!document.isOpen()) {
        m_counted.reset();
        m_counts.reset();
        emit changed();
        return;
    }
    auto const spec = project::dataSource(document.project());
    if (m_counted == spec) {
        emit changed();
        return;
    }
    m_counted = spec;
    m_counts = data::countsAtOnce(spec);
    m_counting = !m_counts;
    if (m_counting)
        m_session.jobs().compute<data::DataCounts>(
            this, JobKind::ReadData, QStringLiteral("rules.count"),
            [spec, folder = document.folder()](JobContext const &job) { return data::countData(spec, folder, job); },
            [this, spec](Result<data::DataCounts> const &counts) {
                if (m_counted != spec) return;
                m_counting = false;
                if (counts.ok()) m_counts = *counts; // the Data view says what is wrong with them
                m_revision.reset();
                emit changed();
            });
    emit changed();
}

std::optional<std::int64_t> RuleWatch::samples() const
{
    return m_counts && m_counts->train > 0 ? std::optional(m_counts->train) : std::nullopt;
}

std::vector<Diagnostic> const &RuleWatch::problems() const
{
    auto const &document = m_session.document();
    if (!document.isOpen()) {
        m_problems.clear();
        m_revision.reset();
        return m_problems;
    }
    if (m_revision == document.revision()) return m_problems;
    m_revision = document.revision();
    m_problems = document.problems();
    // Before the samples are counted the document knows everything.
    if (samples())
        for (auto &problem : ruleProblems(document.project(), samples()))
            if (std::ranges::find(m_problems, problem) == m_problems.end()) m_problems.push_back(std::move(problem));
    std::ranges::stable_sort(m_problems, [](auto const &a, auto const &b) { return a.severity > b.severity; });
    return m_problems;
}

Diagnostic const *RuleWatch::firstError() const
{
    auto const &all = problems();
    auto const it =
        std::ranges::find_if(all, [](Diagnostic const &problem) { return isError(problem) && problem.kind != ErrorKind::Data; });
    return it == all.end() ? nullptr : &*it;
}

} // namespace tilewright::views
