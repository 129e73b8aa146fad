#pragma once

#include "engine/project/project.h"

#include <QStringList>
#include <QWidget>

class QListWidget;

namespace tilewright::views {

class Session;

/// What can be ticked: the words that shapes decide, then the registry's classes.
QStringList knownMetrics();
bool hasMetric(model::TrainingPlan const &plan, QString const &metric);
/// The plan's metrics with one more or one less, as the field's text; the others keep their arguments.
QString metricsWith(model::TrainingPlan const &plan, QString const &metric, bool on);

/// The metrics as a list to tick. Those of the plan that the registry does not list stand there too.
class MetricList : public QWidget {
    Q_OBJECT
public:
    MetricList(Session &session, QWidget *parent);
    void refresh();
private:
    Session &m_session;
    QListWidget *m_list;
    bool m_quiet = false;
};

} // namespace tilewright::views
