#include "views/runcontrol/applied_configuration.h"

#include "engine/config/option_value.h"
#include "engine/config/validate.h"
#include "views/common/words.h"
#include "views/diagnostics/console.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"

#include <algorithm>

namespace tilewright::views {

namespace {

QString const kComponent = QStringLiteral("config");

QString valueText(config::IpuConfig const &config, std::string const &path)
{
    auto const value = config.get(path);
    return value.ok() ? QString::fromStdString(config::toText(*value)) : QString();
}

} // namespace

AppliedConfiguration::AppliedConfiguration(Document &document, Console &console, QObject *parent)
    : QObject(parent), m_document(document), m_console(console)
{
    connect(&document, &Document::opened, this, [this] {
        m_applied.reset();
        emit changed();
    });
    connect(&document, &Document::changed, this, [this] {
        if (m_applied) emit changed();
    });
}

std::vector<AppliedConfiguration::Change> AppliedConfiguration::changes() const
{
    std::vector<Change> all;
    if (!m_applied || !m_document.isOpen() || m_document.project().config == *m_applied) return all;
    for (auto const &option : config::ipuConfigOptions()) {
        auto const before = m_applied->get(option.path), now = m_document.project().config.get(option.path);
        if (before.ok() && now.ok() && *before == *now) continue;
        all.push_back({QString::fromStdString(config::placeOf(config::OptionCategory::IpuConfig, option.path)),
                       valueText(*m_applied, option.path), valueText(m_document.project().config, option.path)});
    }
    return all;
}

Status AppliedConfiguration::check() const
{
    for (auto const &problem : projectProblems(m_document.project()))
        if (problem.severity == Severity::Error && problem.subject.starts_with("ipu_config")) return problem;
    return {};
}

AppliedConfiguration::Program AppliedConfiguration::begin()
{
    auto const edited = m_document.snapshot();
    if (!m_applied && check().ok()) {
        m_applied = edited->config;
        emit changed();
    }
    // With an error there is nothing to apply: the program reports it.
    if (!m_applied || edited->config == *m_applied) return {edited, m_document.revision(), {}};
    auto project = std::make_shared<project::Project>(*edited);
    project->config = *m_applied;
    auto const pending = changes();
    return {project, 0,
            makeWarning(
                "config.not-applied", pending.front().path.toStdString(),
                pending.size() == 1
                    ? Message::of("a change of the IPU configuration is not applied: the program uses the applied configuration.")
                    : Message::of("%1 changes of the IPU configuration are not applied: the program uses the applied one.", pending.size()),
                Message::of("Apply or discard the changes in the view IPU configuration."))};
}

void AppliedConfiguration::apply()
{
    if (!m_document.isOpen()) return;
    auto const &edited = m_document.project().config;
    auto const warning = m_applied ? config::reconfigureWarning(*m_applied, edited) : std::nullopt;
    if (m_applied && !warning) return;
    if (warning)
        m_console.add(2, kComponent, diagnosticLine(*warning), QString::fromStdString(warning->code),
                      QString::fromStdString(warning->subject));
    auto const told = changes();
    for (auto const &change : told)
        m_console.add(1, kComponent, Words::tr("Applied %1: %2 instead of %3.").arg(change.path, change.edited, change.applied));
    m_applied = edited;
    emit changed();
    if (warning) emit applied();
}

Status AppliedConfiguration::discard()
{
    if (!m_applied || !m_document.isOpen()) return {};
    return m_document.edit(Words::tr("Discard changes that are not applied"), [this](project::Project &project) -> Status {
        project.config = *m_applied;
        return {};
    });
}

} // namespace tilewright::views
