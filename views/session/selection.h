#pragma once

#include "views/reports/report_ptr.h"
#include "views/session/moment.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::views {

class JobRunner;

enum class SelectionKind {
    None,
    Layer,
    Op,
    ComputeSet,
    Program,
    Variable,
    VertexType,
    Tile,
    Ipu,
    Stage,
    TimeRange,
    LivenessStep,
    Run,
    Option,
    Insight
};

/// The user's selection: one typed value shared by all views. Ids refer to the displayed report; layers and options are stored by name, so
/// they outlive it.
struct Selected {
    SelectionKind kind = SelectionKind::None;
    std::vector<int> ids;            ///< rows of the report's table; tiles are numbered over the tiles of replica 0
    QString name;                    ///< layer name (several: one per line), option path
    std::int64_t begin = 0, end = 0; ///< TimeRange: cycles of the pattern shown
    Moment at;                       ///< of a thing picked in time: Back returns to it, too
    bool operator==(Selected const &) const = default;
};

/// Everything in a report that belongs to a selection: a flag per row of each table (empty: nothing of that kind). It connects a layer with
/// its tiles and its cycles.
struct Lineage {
    std::vector<char> ops, computeSets, programs, variables, vertexTypes, tiles, ipus, stages, steps; ///< steps: liveness steps
    std::vector<QString> layers;                                                                      ///< names of Keras layers
    std::vector<char> eventTypes;
    std::int64_t begin = 0, end = 0; ///< cycles; begin == end: no range
    bool empty() const;
    static bool has(std::vector<char> const &flags, int id)
    {
        return id >= 0 && id < static_cast<int>(flags.size()) && flags[static_cast<std::size_t>(id)];
    }
    static int count(std::vector<char> const &flags);
};

class ReportSnapshot;
/// Maps a selection through op, op_program, program_variable, per-tile vectors and liveness.
Lineage lineageOf(ReportSnapshot const &report, Selected const &selected);

/// The selection of the window, with back and forward. A job computes the lineage in a report from a file: changed() is emitted at once,
/// lineageChanged() when lineage() belongs to the new selection (at once if nothing must be read). The base class of views reports both as
/// one event.
class Selection : public QObject {
    Q_OBJECT
public:
    /// Without `jobs` everything is computed synchronously.
    explicit Selection(JobRunner *jobs = nullptr, QObject *parent = nullptr);
    Selected const &current() const { return m_current; }
    /// The lineage of the selection in the displayed report, computed once per selection and report; empty while isTracing().
    Lineage const &lineage() const { return *m_lineage; }
    bool isTracing() const { return m_tracing; }
    /// `from`: the selecting view. It receives the change too and may ignore it.
    void select(Selected selected, QObject *from = nullptr);
    void selectLayer(QString const &name, QObject *from = nullptr);
    void selectIds(SelectionKind kind, std::vector<int> ids, QObject *from = nullptr);
    void clear() { select({}); }
    void forget(); ///< also clears the history, for another project
    QObject *origin() const { return m_origin; }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < static_cast<int>(m_history.size()); }
    void back();
    void forward();
    /// "Layer dense", "Tile 1307", "3 variables".
    QString text() const;
    /// Another report: what is selected by its rows or its cycles is selected no more, here and in the history.
    void setReport(ReportPtr report);
    /// The report of the current run has more data: the lineage stays valid.
    void growReport(ReportPtr report);
    /// The same report, read again or further: ids stay valid.
    void updateReport(ReportPtr report);
signals:
    void changed();
    void lineageChanged();

private:
    void tell(); ///< announces a new selection or report
    void forgetRows();
    JobRunner *m_jobs = nullptr;
    Selected m_current;
    QObject *m_origin = nullptr;
    std::vector<Selected> m_history;
    int m_at = -1;
    ReportPtr m_report;
    std::shared_ptr<Lineage const> m_lineage;
    bool m_tracing = false;
    int m_generation = 0; ///< of m_current and m_report: results of jobs for older ones are dropped
};

} // namespace tilewright::views
