#pragma once

#include "engine/core/result.h"
#include "engine/project/project.h"
#include "engine/store/project_file.h"

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QUndoStack>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QTimer;

namespace tilewright::views {

class JobRunner;

/// A project as a file holds it, before it is on show.
struct ReadProject {
    project::Project project;
    QString path;     ///< of its file; "": it was never saved
    QString autosave; ///< of one that was never saved: where it was found
    bool modified = false;
    bool recoverable = false;                  ///< beside the file lie changes that a crash left
    QString recovered;                         ///< the file of such changes, when these are they
    std::map<std::string, std::string> onDisk; ///< parts of the project's file
    std::vector<Diagnostic> warnings;
    std::vector<store::RunRecord> unsavedRuns;
};

/// The open project and its undo stack. Every change of a project goes through edit(): one undo command, one
/// changed() signal. The project itself is a value; the one on show is never altered in place.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(JobRunner &jobs, QObject *parent = nullptr);
    ~Document() override;

    bool isOpen() const { return m_open; }
    project::Project const &project() const { return *m_project; }
    std::shared_ptr<project::Project const> snapshot() const { return m_project; }
    QString path() const { return m_path; } ///< empty: never saved
    QString title() const;                  ///< of the window: the file's name or the project's title
    bool isModified() const;
    QUndoStack &undoStack() { return m_stack; }

    /// What opening, recovering or saving came to; called on this object's thread, but not once it has gone.
    using Done = std::function<void(Status const &)>;
    /// Reads a project by a job and shows it in place of the present one. The caller prevents edits of the present one meanwhile.
    /// The present one stays on an error, when another project is asked for before the end, and when `mayReplace` returns false.
    /// `mayReplace` is called once the new project has been read without an error; it may show a dialog. Empty: nothing is asked.
    void open(std::function<Result<ReadProject>()> read, Done done, std::function<bool()> mayReplace = {});
    /// Opens a file (project or JSON twin).
    void openFile(QString const &path, Done done);
    static Result<ReadProject> readFile(QString const &path); ///< for worker threads
    /// The same at once, on the caller's thread: where no window waits (a picture, a test). accessesAtOnce() counts such calls.
    Status openFile(QString const &path);
    static int accessesAtOnce();
    Status openTemplate(QString const &name);
    void openProject(project::Project project, QString const &path, bool modified, std::vector<store::RunRecord> unsavedRuns = {});
    /// Whether a file that another program has changed since is overwritten.
    enum class Overwrite { Known, Anything };
    static constexpr char const *kChangedElsewhere = "project.changed-elsewhere"; ///< code of the error when it is not
    /// Writes the file by a job that is done once begun, also when the window goes. What changes meanwhile is not in it and
    /// stays unsaved. One after the other.
    void save(QString const &path, Done done, Overwrite overwrite = Overwrite::Known);
    Status save(QString const &path); ///< the same at once, as openFile()
    void close();
    /// Where reports of the project go.
    QString reportFolder() const;
    QString freshReport() const; ///< a name there that is free; makes the folder
    /// Where relative paths of its data start: the project's folder, else the present one.
    std::filesystem::path folder() const;

    /// `change` gets a copy to alter. An error leaves everything as it was and is returned (and shown by the
    /// caller). Edits with the same non-empty `mergeKey` right after each other become one undo step.
    Status edit(QString const &text, std::function<Status(project::Project &)> const &change, QString const &mergeKey = {});
    /// One field by its path ("training.batch_size", "ipu_config.…", "model.layers.dense.units"), from text.
    Status setField(QString const &path, QString const &text);
    /// Several fields as one undo step: what an insight's action asks for.
    Status setFields(QString const &title, std::vector<std::pair<QString, QString>> const &fields);
    QString field(QString const &path) const; ///< "" when there is no such field

    /// Errors and warnings of model, plan and configuration as they stand; found when first asked for after a change.
    std::vector<Diagnostic> const &problems() const;
    /// Names a state of the project: another one with every change, that one again when it is undone. A report remembers for
    /// which it was made (views grey out stale ones). Layout and notes are no part of it.
    quint64 revision() const { return m_revision; }
    /// The canvas layout's JSON; writing it is no undo step and does not make reports stale.
    void setLayout(std::string layout);
    /// A change of it that is an undo step: nodes that were moved. `there` and `back` make the next layout of the present one.
    void editLayout(QString const &text, std::function<std::string(std::string const &)> there,
                    std::function<std::string(std::string const &)> back);
    /// Notes on runs and findings: no undo step either, and no edit, undo or restored run takes them away.
    void setNotes(project::Notes notes);

    /// Runs made while the project had no file that keeps a history, oldest first; numbered as a new file will number
    /// them. The autosave holds them; Session::keepUnsavedRuns() gives them to the file.
    std::vector<store::RunRecord> const &unsavedRuns() const { return m_unsavedRuns; }
    void addUnsavedRun(store::RunRecord record);
    /// Those of them that left a report or trained weights: what is lost with a project that is not saved.
    int runsWithResults() const;
    /// The run that goes on of a project without a history, or none. The autosave holds it at once, so that it is listed as
    /// interrupted after a crash. addUnsavedRun() takes its place when it is over.
    void setRunningRun(std::optional<store::RunRecord> record);
    std::optional<store::RunRecord> const &runningRun() const { return m_runningRun; }
    std::vector<store::RunRecord> takeUnsavedRuns();
    /// Whether the project has a file with a history of runs (a twin has none).
    bool keepsHistory() const { return !m_path.isEmpty() && !m_path.endsWith(QLatin1String(".json")); }
    /// Another one with each project that is opened.
    quint64 opening() const { return m_opening; }

    /// Left by a crash. It stays where it is, whatever is edited and saved meanwhile, until it is recovered and then saved or discarded.
    static bool hasRecovery(QString const &path);
    bool isRecoverable() const { return m_recoverable; } ///< said of the file when it was opened
    void recover(QString const &path, Done done);
    Status recover(QString const &path); ///< at once, as openFile()
    void discardRecovery(QString const &path);
    /// Unsaved projects that a crash left behind: paths of their autosaves.
    static QStringList orphanedAutosaves();
    /// What a person knows such an autosave by. Reads its file: a few at a time.
    struct Orphan {
        QString title;
        QDateTime changed;
        int runs = 0;
    };
    static Orphan orphan(QString const &autosave);
    /// When the changes were made that a crash left of a project; invalid: there are none.
    static QDateTime recoveryTime(QString const &path);
    void recoverOrphan(QString const &autosave, Done done);
    Status recoverOrphan(QString const &autosave); ///< at once, as openFile()
    void writeAutosaveNow();

signals:
    void opened();        ///< another project (or none)
    void changed();       ///< the project's value is another one
    void layoutChanged(); ///< by an undo step
    void stateChanged();  ///< path, title or modified mark
    void saved();         ///< the file at path() holds the project as it was when that was asked for
    void autosaveFailed(QString const &why);

private:
    class EditCommand;
    class LayoutCommand;
    friend class EditCommand;
    void show(std::shared_ptr<project::Project const> project, quint64 revision);
    void show(ReadProject read);
    Status showRead(Result<ReadProject> read);
    void saveNext();
    void wrote(QString const &path, std::shared_ptr<project::Project const> const &what, std::map<std::string, std::string> onDisk);
    bool ownAutosave(QString const &path) const;
    void keepFound();
    void dropRecovered();
    void replace(std::shared_ptr<project::Project const> project);
    store::ProjectDocument autosaveDocument() const;
    void scheduleAutosave();
    void autosaved();
    QString autosaveFile() const;
    bool hasAutosaveFile();
    void removeAutosave(QString const &file);
    bool hasUnsavedWork() const;

    JobRunner &m_jobs;
    std::shared_ptr<project::Project const> m_project;
    QUndoStack m_stack;
    QString m_path, m_orphan, m_recovered;       ///< the latter: the file that the project was recovered from
    std::map<std::string, std::string> m_onDisk; ///< parts of the file, as they were read or written here last
    bool m_open = false, m_forcedModified = false, m_recoverable = false, m_foundAutosave = false;
    struct Saving {
        QString path;
        std::shared_ptr<project::Project const> what;
        quint64 opening = 0; ///< that it is of
        Overwrite overwrite = Overwrite::Known;
        Done done;
    };
    std::vector<Saving> m_savings;                      ///< the first goes on
    quint64 m_revision = 0, m_opening = 0, m_asked = 0; ///< m_asked: another one with each wish for a project
    std::vector<store::RunRecord> m_unsavedRuns;
    std::optional<store::RunRecord> m_runningRun;
    mutable std::vector<Diagnostic> m_problems;
    mutable bool m_problemsKnown = true;
    std::vector<Diagnostic> m_openWarnings; ///< of the file that was read; gone with the first edit
    QTimer *m_autosave = nullptr;
    struct Autosaving;
    std::shared_ptr<Autosaving> m_autosaving; ///< shared with the job that writes
    bool m_discarded = false;                 ///< what is not saved is not wanted, unless another edit follows
};

/// Whether a report of one tells of the other: all is equal but title, notes, where the canvas has its nodes, and for how many
/// epochs it was trained.
bool compilesAlike(project::Project const &a, project::Project const &b);

/// Everything wrong with a project that can be said without data: model, plan, configuration, machine.
std::vector<Diagnostic> projectProblems(project::Project const &project);

} // namespace tilewright::views
