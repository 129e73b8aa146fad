#include "views/document/document.h"

#include "views/diagnostics/registry_text.h"
#include "views/document/autosaving.h"
#include "views/jobs/job_runner.h"

#include "engine/compiler/project_rules.h"
#include "engine/core/json_text.h"
#include "engine/model/resolve.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QFileInfo>
#include <QTimer>
#include <QUndoCommand>

#include <algorithm>
#include <atomic>
#include <utility>

namespace tilewright::views {

namespace {

/// Of all documents: no two states of a project have the same.
quint64 newRevision()
{
    static std::atomic<quint64> last{0};
    return ++last;
}

} // namespace

/// One edit. Holds the values before and after; values share their parts, so a long stack costs little.
class Document::EditCommand : public QUndoCommand {
public:
    EditCommand(Document &document, QString const &text, std::shared_ptr<project::Project const> after, QString mergeKey)
        : QUndoCommand(text), m_document(document), m_before(document.m_project), m_after(std::move(after)),
          m_revisionBefore(document.m_revision), m_mergeKey(std::move(mergeKey))
    {
    }
    void undo() override { m_document.show(m_before, m_revisionBefore); }
    void redo() override { m_document.show(m_after, m_revisionAfter); }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(QUndoCommand const *other) override
    {
        auto const &next = static_cast<EditCommand const &>(*other);
        if (next.m_mergeKey != m_mergeKey) return false;
        m_after = next.m_after;
        m_revisionAfter = next.m_revisionAfter;
        return true;
    }

private:
    Document &m_document;
    std::shared_ptr<project::Project const> m_before, m_after;
    quint64 m_revisionBefore, m_revisionAfter = newRevision();
    QString m_mergeKey;
};

/// Where nodes stand. Other changes of the layout are no undo steps: this one finds its way back through any of them.
class Document::LayoutCommand : public QUndoCommand {
public:
    using Change = std::function<std::string(std::string const &)>;
    LayoutCommand(Document &document, QString const &text, Change there, Change back)
        : QUndoCommand(text), m_document(document), m_there(std::move(there)), m_back(std::move(back))
    {
    }
    void undo() override { change(m_back); }
    void redo() override { change(m_there); }

private:
    void change(Change const &how)
    {
        m_document.setLayout(how(m_document.project().layout));
        emit m_document.layoutChanged();
    }
    Document &m_document;
    Change m_there, m_back;
};

Document::Document(JobRunner &jobs, QObject *parent)
    : QObject(parent), m_jobs(jobs), m_project(std::make_shared<project::Project const>()), m_autosave(new QTimer(this)),
      m_autosaving(std::make_shared<Autosaving>())
{
    m_autosave->setSingleShot(true);
    m_autosave->setInterval(800);
    connect(m_autosave, &QTimer::timeout, this, &Document::autosaved);
    connect(&m_stack, &QUndoStack::cleanChanged, this, &Document::stateChanged);
}

Document::~Document() { m_stack.disconnect(); }

QString Document::title() const
{
    if (!m_path.isEmpty()) return QFileInfo(m_path).completeBaseName();
    if (!m_project->title.empty()) return QString::fromStdString(m_project->title);
    return QCoreApplication::translate("views", "Untitled");
}

std::vector<Diagnostic> const &Document::problems() const
{
    if (!m_problemsKnown) {
        m_problems = projectProblems(*m_project);
        m_problems.insert(m_problems.end(), m_openWarnings.begin(), m_openWarnings.end());
        m_problemsKnown = true;
    }
    return m_problems;
}

bool Document::isModified() const { return m_open && (m_forcedModified || !m_stack.isClean()); }

Status Document::openTemplate(QString const &name)
{
    TW_ASSIGN(auto project, project::fromTemplate(name.toStdString()));
    project.title = registryText(project.title).toStdString(); // the project is this person's
    openProject(std::move(project), {}, false);                // nothing in it is this person's work yet
    return {};
}

void Document::openProject(project::Project project, QString const &path, bool modified, std::vector<store::RunRecord> unsavedRuns)
{
    m_autosave->stop();
    // Work that nobody gave up outlives the project that replaces it: the start page offers it.
    if (!m_orphan.isEmpty() && hasUnsavedWork() && !m_discarded) writeAutosaveNow();
    else if (!m_orphan.isEmpty()) discardRecovery({});
    m_discarded = false;
    m_stack.clear();
    m_path = path;
    m_orphan.clear();
    m_unsavedRuns = std::move(unsavedRuns);
    m_runningRun.reset();
    ++m_opening;
    ++m_asked;
    m_open = true;
    m_forcedModified = modified;
    m_project = std::make_shared<project::Project const>(std::move(project));
    m_revision = newRevision();
    m_openWarnings.clear();
    m_recoverable = m_foundAutosave = false;
    m_recovered.clear();
    m_onDisk.clear();
    m_problemsKnown = false;
    emit opened();
    emit changed();
    emit stateChanged();
    if (modified) scheduleAutosave();
}

void Document::close()
{
    discardRecovery(m_path);
    m_discarded = false;
    m_stack.clear();
    m_open = m_forcedModified = false;
    m_path.clear();
    m_orphan.clear();
    m_unsavedRuns.clear();
    m_runningRun.reset();
    ++m_opening;
    ++m_asked;
    m_project = std::make_shared<project::Project const>();
    m_problems.clear();
    m_openWarnings.clear();
    m_problemsKnown = true;
    m_revision = newRevision();
    emit opened();
    emit changed();
    emit stateChanged();
}

Status Document::edit(QString const &text, std::function<Status(project::Project &)> const &change, QString const &mergeKey)
{
    auto next = std::make_shared<project::Project>(*m_project);
    TW_TRY(change(*next));
    if (*next == *m_project) return {};
    m_stack.push(new EditCommand(*this, text, std::move(next), mergeKey));
    return {};
}

Status Document::setField(QString const &path, QString const &text)
{
    return edit(
        QCoreApplication::translate("views", "Set %1").arg(path),
        [&](project::Project &project) -> Status {
            TW_ASSIGN(project, project::withField(project, path.toStdString(), text.toStdString(), nullptr));
            return {};
        },
        path);
}

Status Document::setFields(QString const &title, std::vector<std::pair<QString, QString>> const &fields)
{
    return edit(title, [&](project::Project &project) -> Status {
        for (auto const &[path, text] : fields) {
            TW_ASSIGN(project, project::withField(project, path.toStdString(), text.toStdString(), nullptr));
        }
        return {};
    });
}

QString Document::field(QString const &path) const
{
    auto const value = project::field(*m_project, path.toStdString());
    return value.ok() ? QString::fromStdString(*value) : QString();
}

void Document::setLayout(std::string layout)
{
    if (layout == m_project->layout) return;
    auto next = std::make_shared<project::Project>(*m_project);
    next->layout = std::move(layout);
    replace(std::move(next));
}

void Document::editLayout(QString const &text, std::function<std::string(std::string const &)> there,
                          std::function<std::string(std::string const &)> back)
{
    if (there(m_project->layout) != m_project->layout) m_stack.push(new LayoutCommand(*this, text, std::move(there), std::move(back)));
}

void Document::setNotes(project::Notes notes)
{
    if (notes == m_project->notes) return;
    auto next = std::make_shared<project::Project>(*m_project);
    next->notes = std::move(notes);
    replace(std::move(next));
}

/// Another value that compiles to the same.
void Document::replace(std::shared_ptr<project::Project const> project)
{
    m_project = std::move(project);
    if (!m_forcedModified) {
        m_forcedModified = true; // places, groups and notes are worth a question on closing too
        emit stateChanged();
    }
    scheduleAutosave();
}

void Document::addUnsavedRun(store::RunRecord record)
{
    record.id = m_unsavedRuns.empty() ? 1 : m_unsavedRuns.back().id + 1;
    m_unsavedRuns.push_back(std::move(record));
    scheduleAutosave();
}

int Document::runsWithResults() const
{
    return static_cast<int>(std::ranges::count_if(m_unsavedRuns, [](store::RunRecord const &run) {
        if (!run.report.empty() && QFileInfo::exists(QString::fromStdString(run.report))) return true;
        auto const facts = jsonOrDiscarded(run.json);
        return facts.is_object() && facts.contains("steps") && facts["steps"].is_number() && facts["steps"] > 0;
    }));
}

void Document::setRunningRun(std::optional<store::RunRecord> record)
{
    bool const begins = record && !m_runningRun;
    m_runningRun = std::move(record);
    if (m_runningRun) m_runningRun->id = m_unsavedRuns.empty() ? 1 : m_unsavedRuns.back().id + 1;
    if (begins) autosaved();
}

std::vector<store::RunRecord> Document::takeUnsavedRuns() { return std::exchange(m_unsavedRuns, {}); }

void Document::show(std::shared_ptr<project::Project const> project, quint64 revision)
{
    // The canvas layout and the notes are no part of undo: the present ones stay.
    if (project->layout != m_project->layout || project->notes != m_project->notes) {
        auto kept = std::make_shared<project::Project>(*project);
        kept->layout = m_project->layout;
        kept->notes = m_project->notes;
        project = std::move(kept);
    }
    m_project = std::move(project);
    m_revision = revision;
    m_openWarnings.clear();
    m_problemsKnown = false;
    scheduleAutosave();
    emit changed();
    emit stateChanged();
}

bool compilesAlike(project::Project const &a, project::Project const &b)
{
    project::Project other = b;
    other.title = a.title;
    other.notes = a.notes;
    other.layout = a.layout;
    other.training.epochs = a.training.epochs;
    return a == other;
}

std::vector<Diagnostic> projectProblems(project::Project const &project)
{
    auto problems = model::modelProblems(project.model);
    for (auto &found : compiler::judge(project, {}).problems) // an error of the model is there already
        if (std::ranges::find(problems, found) == problems.end()) problems.push_back(std::move(found));
    for (auto const &ignored : project.config.ignoredSettings()) problems.push_back(ignored);
    std::stable_sort(problems.begin(), problems.end(), [](auto const &a, auto const &b) { return a.severity > b.severity; });
    return problems;
}

} // namespace tilewright::views
