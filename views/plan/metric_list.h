#pragma once

#include "engine/project/project.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QListWidget;

namespace tilewright::views {

class Session;

/// The available metrics: the words resolved by shapes, then the registry's classes.
QStringList knownMetrics();
/// The names of a model's outputs, and the chosen one; -1: all. No names: a plan without metrics by output.
struct OutputChoice {
    QStringList names;
    int at = -1;
};
/// With all outputs chosen: whether each has a metric of this class.
bool hasMetric(model::TrainingPlan const &plan, QString const &metric, OutputChoice const &outputs = {});
/// The plan's metrics with one added or removed for the chosen outputs, as the field's text. Keeps all others with their arguments. Equal
/// lists of all outputs become one list.
QString metricsWith(model::TrainingPlan const &plan, QString const &metric, bool on, OutputChoice const &outputs = {});

/// The metrics as a check list, of all outputs or of one. Includes metrics of the plan outside of the registry.
class MetricList : public QWidget {
    Q_OBJECT
public:
    MetricList(Session &session, QWidget *parent);
    void refresh();

private:
    OutputChoice outputs() const;

    Session &m_session;
    QStringList m_names; ///< of the outputs; empty: unknown
    QComboBox *m_outputs;
    QListWidget *m_list;
    bool m_quiet = false;
};

} // namespace tilewright::views
