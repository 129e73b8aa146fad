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

/// A project read from a file, before it is shown.
struct ReadProject {
    project::Project project;
    QString path;     ///< of its file; "": never saved
    QString autosave; ///< of a project that was never saved: path of its autosave
    bool modified = false;
    bool recoverable = false;                  ///< changes left by a crash are beside the file
    QString recovered;                         ///< the recovery file from which this was read
    std::map<std::string, std::string> onDisk; ///< parts of the project's file
    std::vector<Diagnostic> warnings;
    std::vector<store::RunRecord> unsavedRuns;
};

/// The open project and its undo stack. Every change goes through edit(): one undo command, one changed() signal. The project is a value;
/// the current one is never modified in place.
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

    /// Result of opening, recovering or saving. Called on this object's thread, but not after its destruction.
    using Done = std::function<void(Status const &)>;
    /// Reads a project by a job and shows it in place of the present one. The caller prevents edits of the present one meanwhile.
    /// The present one stays on an error, when another project is asked for before the end, and when `mayReplace` returns false.
    /// `mayReplace` is called once the new project has been read without an error; it may show a dialog. Empty: nothing is asked.
    void open(std::function<Result<ReadProject>()> read, Done done, std::function<bool()> mayReplace = {});
    /// Opens a file (project or JSON twin).
    void openFile(QString const &path, Done done);
    static Result<ReadProject> readFile(QString const &path); ///< for worker threads
    /// The same, synchronously on the caller's thread, for pictures and tests. accessesAtOnce() counts such calls.
    Status openFile(QString const &path);
    static int accessesAtOnce();
    Status openTemplate(QString const &name);
    void openProject(project::Project project, QString const &path, bool modified, std::vector<store::RunRecord> unsavedRuns = {});
    /// Whether to overwrite a file that another program has changed.
    enum class Overwrite { Known, Anything };
    static constexpr char const *kChangedElsewhere = "project.changed-elsewhere"; ///< code of the error when it is not
    /// Writes the file in a job that finishes once begun, even if the window closes. Later changes are not included and stay unsaved. Saves
    /// run one after the other.
    void save(QString const &path, Done done, Overwrite overwrite = Overwrite::Known);
    Status save(QString const &path); ///< the same at once, as openFile()
    void close();
    /// Folder for reports of the project.
    QString reportFolder() const;
    QString freshReport() const; ///< a free name in it; creates the folder
    /// Base of relative data paths: the project's folder, else the current one.
    std::filesystem::path folder() const;

    /// `change` receives a copy to modify. An error leaves everything unchanged and is returned (the caller shows it). Consecutive edits
    /// with the same non-empty `mergeKey` become one undo step.
    Status edit(QString const &text, std::function<Status(project::Project &)> const &change, QString const &mergeKey = {});
    /// Sets one field by its path ("training.batch_size", "ipu_config.…", "model.layers.dense.units") from text.
    Status setField(QString const &path, QString const &text);
    /// Sets several fields as one undo step, for the action of an insight.
    Status setFields(QString const &title, std::vector<std::pair<QString, QString>> const &fields);
    QString field(QString const &path) const; ///< "" for an unknown field

    /// Current errors and warnings of model, plan and configuration; computed on first use after a change.
    std::vector<Diagnostic> const &problems() const;
    /// Number of the project's state: changes with every edit, and returns with undo. A report stores its revision (views mark stale ones).
    /// Layout and notes do not affect it.
    quint64 revision() const { return m_revision; }
    /// Sets the canvas layout's JSON. Not an undo step; reports stay valid.
    void setLayout(std::string layout);
    /// Changes the layout as an undo step: moved nodes. `there` and `back` compute the next layout from the current one.
    void editLayout(QString const &text, std::function<std::string(std::string const &)> there,
                    std::function<std::string(std::string const &)> back);
    /// Notes on runs and insights. Not an undo step; edits, undo and restored runs do not remove them.
    void setNotes(project::Notes notes);

    /// Runs made before the project had a file with a history, oldest first, numbered as a new file will number them. The autosave holds
    /// them; Session::keepUnsavedRuns() moves them to the file.
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
    bool keepsRuns() const { return !m_path.isEmpty() && !m_path.endsWith(QLatin1String(".json")); }
    /// Changes with each opened project.
    quint64 opening() const { return m_opening; }

    /// A recovery file left by a crash. It stays, independent of edits and saves, until it is recovered and then saved or discarded.
    static bool hasRecovery(QString const &path);
    bool isRecoverable() const { return m_recoverable; } ///< a recovery existed when the file was opened
    void recover(QString const &path, Done done);
    Status recover(QString const &path); ///< at once, as openFile()
    void discardRecovery(QString const &path);
    /// Autosaves of projects that were never saved, left by a crash.
    static QStringList orphanedAutosaves();
    /// What a person knows such an autosave by. Reads its file: a few at a time.
    struct Orphan {
        QString title;
        QDateTime changed;
        int runs = 0;
    };
    static Orphan orphan(QString const &autosave);
    /// Time of the last change in the autosave of a crashed session; invalid without one.
    static QDateTime recoveryTime(QString const &path);
    void recoverOrphan(QString const &autosave, Done done);
    Status recoverOrphan(QString const &autosave); ///< at once, as openFile()
    void writeAutosaveNow();

signals:
    void opened();        ///< another project (or none)
    void changed();       ///< the project's value changed
    void layoutChanged(); ///< by an undo step
    void stateChanged();  ///< path, title or modified mark
    void saved();         ///< the file at path() holds the project as of the request
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
    QString m_path, m_orphan, m_recovered;       ///< m_recovered: the file from which the project was recovered
    std::map<std::string, std::string> m_onDisk; ///< parts of the file when last read or written here
    bool m_open = false, m_forcedModified = false, m_recoverable = false, m_foundAutosave = false;
    struct Saving {
        QString path;
        std::shared_ptr<project::Project const> what;
        quint64 opening = 0; ///< of its project
        Overwrite overwrite = Overwrite::Known;
        Done done;
    };
    std::vector<Saving> m_savings;                      ///< the first one is active
    quint64 m_revision = 0, m_opening = 0, m_asked = 0; ///< m_asked: changes with each request to open a project
    std::vector<store::RunRecord> m_unsavedRuns;
    std::optional<store::RunRecord> m_runningRun;
    mutable std::vector<Diagnostic> m_problems;
    mutable bool m_problemsKnown = true;
    std::vector<Diagnostic> m_openWarnings; ///< of reading the file; cleared by the first edit
    QTimer *m_autosave = nullptr;
    struct Autosaving;
    std::shared_ptr<Autosaving> m_autosaving; ///< shared with the job that writes
    bool m_discarded = false;                 ///< what is not saved is not wanted, unless another edit follows
};

/// Whether a report of one project describes the other: equal except for title, notes, canvas layout and number of epochs.
bool compilesAlike(project::Project const &a, project::Project const &b);

/// All problems of a project that can be found without data: model, plan, configuration, machine.
std::vector<Diagnostic> projectProblems(project::Project const &project);

} // namespace tilewright::views
