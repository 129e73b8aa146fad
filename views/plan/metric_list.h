#pragma once

#include "engine/project/project.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QListWidget;

namespace tilewright::views {

class Session;

/// What can be ticked: the words that shapes decide, then the registry's classes.
QStringList knownMetrics();
/// The outputs of a model by name, and which of them is meant; -1: all of them. Without names: of a plan without metrics by output.
struct OutputChoice {
    QStringList names;
    int at = -1;
};
/// Of all outputs: that each has a metric of this class.
bool hasMetric(model::TrainingPlan const &plan, QString const &metric, OutputChoice const &outputs = {});
/// The plan's metrics with one more or one less, as the field's text, of the outputs that are meant; all others stay, with their
/// arguments. Lists that come to be alike are one for all.
QString metricsWith(model::TrainingPlan const &plan, QString const &metric, bool on, OutputChoice const &outputs = {});

/// The metrics as a list to tick, of all outputs or of one. Those of the plan that the registry does not list stand there too.
class MetricList : public QWidget {
    Q_OBJECT
public:
    MetricList(Session &session, QWidget *parent);
    void refresh();

private:
    OutputChoice outputs() const;

    Session &m_session;
    QStringList m_names; ///< of the outputs; none: the model does not say
    QComboBox *m_outputs;
    QListWidget *m_list;
    bool m_quiet = false;
};

} // namespace tilewright::views
