#include "views/plan/metric_list.h"

#include "views/common/theme.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/session/session.h"

#include "engine/model/metrics.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::views {

namespace {

QString helpOf(QString const &metric)
{
    if (metric == QStringLiteral("accuracy")) return MetricList::tr("The accuracy that suits labels and outputs: binary, categorical or sparse.");
    if (metric == QStringLiteral("crossentropy")) return MetricList::tr("The crossentropy that suits labels and outputs.");
    for (auto const &spec : model::metricSpecs())
        if (QString::fromStdString(spec.className) == metric) return registryText(spec.help);
    return {};
}

} // namespace

QStringList knownMetrics()
{
    QStringList names{QStringLiteral("accuracy"), QStringLiteral("crossentropy")};
    for (auto const &spec : model::metricSpecs()) names << QString::fromStdString(spec.className);
    return names;
}

bool hasMetric(model::TrainingPlan const &plan, QString const &metric)
{
    return std::ranges::any_of(plan.metrics, [&](model::Metric const &each) { return QString::fromStdString(each.className) == metric; });
}

QString metricsWith(model::TrainingPlan const &plan, QString const &metric, bool on)
{
    auto list = model::Json::array();
    for (auto const &each : plan.metrics)
        if (on || QString::fromStdString(each.className) != metric) list.push_back(model::metricJson(each));
    if (on && !hasMetric(plan, metric)) list.push_back(metric.toStdString());
    return QString::fromStdString(list.dump());
}

MetricList::MetricList(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_list(new QListWidget(this))
{
    auto *title = new QLabel(tr("&Metrics"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->setBuddy(m_list);
    m_list->setAccessibleName(tr("Metrics"));
    m_list->setAccessibleDescription(tr("Tick what is to be measured in training and validation."));
    m_list->setMinimumHeight(24 * kGrid);
    m_list->setMouseTracking(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(title);
    column->addWidget(m_list, 1);
    connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem *item) {
        if (m_quiet) return;
        auto const &plan = m_session.document().project().training;
        QString const metric = item->data(Qt::UserRole).toString();
        auto const status = m_session.document().edit(tr("Change metrics"), [&](project::Project &project) -> Status {
            TW_ASSIGN(project, project::withField(project, "training.metrics", metricsWith(plan, metric, item->checkState() == Qt::Checked).toStdString(), nullptr));
            return {};
        });
        if (!status.ok()) m_session.raiseError(status.error());
        refresh();
    });
}

void MetricList::refresh()
{
    m_quiet = true;
    auto const &plan = m_session.document().project().training;
    QStringList names = knownMetrics();
    for (auto const &each : plan.metrics)
        if (!names.contains(QString::fromStdString(each.className))) names << QString::fromStdString(each.className);
    if (m_list->count() != names.size()) {
        m_list->clear();
        for (auto const &name : names) {
            auto *item = new QListWidgetItem(name, m_list);
            item->setData(Qt::UserRole, name);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        }
    }
    for (int i = 0; i < names.size(); ++i) {
        auto *item = m_list->item(i);
        item->setText(names[i]);
        item->setData(Qt::UserRole, names[i]);
        item->setToolTip(helpOf(names[i]));
        item->setCheckState(hasMetric(plan, names[i]) ? Qt::Checked : Qt::Unchecked);
    }
    m_quiet = false;
}

} // namespace tilewright::views
