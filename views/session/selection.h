#pragma once

#include "views/reports/report_ptr.h"

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
    MicroBatch,
    TimeRange,
    LivenessStep,
    Run,
    Option,
    Insight
};

/// What a person picked, somewhere: one typed selection shared by all views. Ids are those of the report on
/// show; layers and options go by name, so they outlive it.
struct Selected {
    SelectionKind kind = SelectionKind::None;
    std::vector<int> ids;            ///< rows of the report's table; tiles are numbered over the tiles of replica 0
    QString name;                    ///< layer name (several: one per line), option path
    std::int64_t begin = 0, end = 0; ///< TimeRange: cycles of the pattern shown
    bool operator==(Selected const &) const = default;
};

/// Everything of a report that belongs to a selection: a flag by row of each table (empty: nothing of that
/// kind is touched). "From a layer to its tiles to its cycles" is one look-up.
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

/// The one selection of the window, with back and forward. What belongs to it in a report that is a file is found out on a
/// job: changed() comes at once, lineageChanged() when lineage() tells of the new selection (at once where nothing has
/// to be read). Views of the base class hear of it once, when all is there.
class Selection : public QObject {
    Q_OBJECT
public:
    /// Without `jobs` everything is found out at once.
    explicit Selection(JobRunner *jobs = nullptr, QObject *parent = nullptr);
    Selected const &current() const { return m_current; }
    /// What belongs to it in the report on show, computed once per selection and report; empty while isTracing().
    Lineage const &lineage() const { return *m_lineage; }
    bool isTracing() const { return m_tracing; }
    /// `from` is the view that offers it; it hears of the change too and may ignore its own.
    void select(Selected selected, QObject *from = nullptr);
    void selectLayer(QString const &name, QObject *from = nullptr);
    void selectIds(SelectionKind kind, std::vector<int> ids, QObject *from = nullptr);
    void clear() { select({}); }
    void forget(); ///< also where one could go back to: another project
    QObject *origin() const { return m_origin; }
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < static_cast<int>(m_history.size()); }
    void back();
    void forward();
    /// "Layer dense", "Tile 1307", "3 variables".
    QString text() const;
    /// Another report: what is selected by its rows or its cycles is selected no more, here and in the history.
    void setReport(ReportPtr report);
    /// The report of a run that goes on has more of what it counts: what belongs to the selection stays.
    void growReport(ReportPtr report);
    /// The same report, read again or further: ids mean what they meant.
    void updateReport(ReportPtr report);
signals:
    void changed();
    void lineageChanged();

private:
    void tell(); ///< of a new selection or report
    void forgetRows();
    JobRunner *m_jobs = nullptr;
    Selected m_current;
    QObject *m_origin = nullptr;
    std::vector<Selected> m_history;
    int m_at = -1;
    ReportPtr m_report;
    std::shared_ptr<Lineage const> m_lineage;
    bool m_tracing = false;
    int m_generation = 0; ///< of m_current and m_report: what a job found out for an older one is dropped
};

} // namespace tilewright::views
