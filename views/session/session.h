#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"
#include "engine/device/registry.h"
#include "engine/project/project.h"
#include "views/reports/report_ptr.h"
#include "views/session/run_list.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QTimer;

namespace tilewright::views {

enum class FileKind;

class Console;
class Document;
class JobRunner;
class Playhead;
class ReportSnapshot;
class RunController;
class Selection;

/// Memory use of the worst tile of one IPU, as shares of a tile's memory.
struct IpuFit {
    double need = 0;   ///< live at the same time, at the peak
    double placed = 0; ///< up to the highest used address, gaps included; decides
    bool fits = true;
};

/// An estimate of fit per IPU before compiling.
struct FitEstimate {
    struct Ipu {
        Bytes weights = 0, optimizer = 0, activations = 0, code = 0, limit = 0;
    };
    std::vector<Ipu> ipus;     ///< of a replica, one for each stage
    std::vector<IpuFit> tiles; ///< of all IPUs, including replicas; empty: unknown
    quint64 revision = 0;      ///< the document's revision of the estimate
    bool known = false;
    bool fits = true;
    double worstShare = 0; ///< of a tile, estimated
    QString why;           ///< reason if unknown
};

/// What a growing report has more of.
enum class Growth {
    Rows,   ///< counts, series, events, log
    Figures ///< also figures of the run: its first ones, or the final ones of a run that has ended
};

/// The door to the engine: the open project, its run, the displayed report and the selection. One per window, on the GUI thread.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override;

    Document &document() { return *m_document; }
    JobRunner &jobs() { return *m_jobs; }
    RunController &runs() { return *m_runs; }
    RunList &runList() { return *m_runList; }
    RunList const &runList() const { return *m_runList; }
    Selection &selection() { return *m_selection; }
    Playhead &playhead() { return *m_playhead; }
    Console &console() { return *m_console; }

    /// The displayed report, or none.
    ReportPtr report() const { return m_report; }
    /// The report that the one on show is compared with, or none: the pinned one, else the report that was on show before.
    ReportPtr baseline() const { return m_baseline; }
    /// Whether a person chose the baseline. A pin holds until it is removed or another project is opened.
    bool isBaselinePinned() const { return m_pinned; }
    void openReport(QString const &path); ///< in the background; emits reportReplaced when its head is read and when it is whole
    void showReport(ReportPtr report);
    enum class Pin { Automatic, Pinned };
    void setBaseline(ReportPtr baseline, Pin pin = Pin::Automatic);
    void pinBaseline(QString const &path); ///< in the background; baselineChanged once it is read
    void closeReport();
    /// Whether the project has changed since the displayed report was made.
    bool reportIsStale() const;
    void markReportMade(QString const &path, quint64 revision); ///< by a run or compile of this session, of that revision
    /// The error of the last openReport, also if its head is displayed; empty code: none.
    Diagnostic const &reportError() const { return m_reportError; }

    /// Opens a project, a twin, a Keras model or a report. The content decides what a file is. Data are offered (dataFound), and
    /// any other file is named in an error (errorRaised): the open project stays as it is. `done` is called when a project is
    /// on show or was refused, and for other files once their kind is known.
    void openPath(
        QString const &path, std::function<void()> done = [] {});
    /// Called before openPath() replaces the open project, once the new one has been read. Returns false to keep the open one.
    void setReplaceGate(std::function<bool()> mayReplace) { m_mayReplace = std::move(mayReplace); }
    /// Makes a file or folder the data of the project, as one undo step. `format` is a name of data::dataFormats().
    Status useAsData(QString const &path, QString const &format);

    void reloadRuns(); ///< reads the records of runs, for runList()
    /// Moves runs made before the project had a file into that file: entries, reports and the checkpoint.
    void keepUnsavedRuns();
    /// For a project that is closed without saving: removes its runs and their reports.
    void discardUnsavedRuns();

    /// Devices of all processes, refreshed twice a second while watched.
    device::RegistryView const &devices() const { return m_devices; }
    void watchDevices(bool on);

    FitEstimate const &estimate() const { return m_estimate; }
    /// The same for another project (previews of edits).
    static FitEstimate estimateFit(project::Project const &project, JobContext const &job);

    void raiseError(Diagnostic const &error);
signals:
    /// Another report is displayed, or none, or one that so far was read in part or is damaged.
    void reportReplaced();
    /// The displayed report has more rows, written by its run. The results of its compile are the same.
    void reportGrown(tilewright::views::Growth growth);
    /// reportIsStale() has another answer: the project was edited, or is again as it was compiled. No row of the report changed.
    void reportStaleChanged();
    void baselineChanged();
    void devicesChanged();
    void estimateChanged();
    void errorRaised(Diagnostic const &error);
    void dataFound(QString const &path, QString const &format); ///< a file of data was opened beside a project
    void viewRequested(QString const &viewId);                  ///< the window brings that view to the front
    void helpRequested(QString const &page);

private:
    void refreshEstimate();
    void openFile(QString const &path, FileKind kind, std::function<void()> done);
    void followReport();
    void growReport(ReportPtr report, qint64 took);
    void checkStale();
    void readBaseline(QString const &path, std::function<Pin()> pin);
    void takeRuns(std::vector<Run> runs);
    void lookForDamage();
    bool isSameReport(ReportSnapshot const &one, ReportSnapshot const &other) const;
    void removeMovedReports();
    void showLastRun();
    std::unique_ptr<JobRunner> m_jobs;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Console> m_console;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<RunController> m_runs;
    std::unique_ptr<RunList> m_runList;
    std::unique_ptr<Playhead> m_playhead;
    ReportPtr m_report, m_baseline;
    bool m_pinned = false; ///< m_baseline
    Diagnostic m_reportError;
    QString m_damaged; ///< the report whose damage was told
    struct MadeOf {
        quint64 revision = 0;                            ///< the document's
        std::shared_ptr<project::Project const> project; ///< instead, if it was no state of the document
    };
    QHash<QString, MadeOf> m_madeOf; ///< by path of a report of this session
    struct Staleness {
        QString path;
        quint64 revision = 0;
        bool stale = false;
    };
    mutable std::optional<Staleness> m_staleness;                                                  ///< of a report from an earlier session
    mutable std::optional<std::pair<QString, std::shared_ptr<project::Project const>>> m_compiled; ///< the project of that report's run
    bool m_wasStale = false, m_checksStale = false;                                                ///< told last; a check is due
    std::map<QString, QString> m_movedReports; ///< from the cache to the project's folder; the old files are removed when unused
    device::RegistryView m_devices;
    FitEstimate m_estimate;
    QTimer *m_deviceTimer = nullptr, *m_followTimer = nullptr;
    int m_watchers = 0;
    bool m_following = false;
    QElapsedTimer m_followed;    ///< since the current run's report was last followed
    qint64 m_followPause = 0;    ///< minimum time until the next follow, in ms
    bool m_wantsLastRun = false; ///< the list of runs of a newly opened project is being read
    std::function<bool()> m_mayReplace;
};

} // namespace tilewright::views
