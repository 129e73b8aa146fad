#include "views/plan/metric_list.h"

#include "views/common/theme.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/session/session.h"

#include "engine/model/metrics.h"
#include "engine/model/resolve.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>

#include <algorithm>

namespace tilewright::views {

namespace {

/// Two names of Keras differ only in a capital: the words beside them say which is which.
QString textOf(QString const &metric)
{
    if (metric == QStringLiteral("accuracy") || metric == QStringLiteral("crossentropy"))
        return MetricList::tr("%1 (chosen to suit the labels)").arg(metric);
    if (metric == QStringLiteral("Accuracy")) return MetricList::tr("%1 (prediction equals label)").arg(metric);
    return metric;
}

QString helpOf(QString const &metric)
{
    if (metric == QStringLiteral("accuracy"))
        return MetricList::tr("The accuracy that suits labels and outputs: binary, categorical or sparse.");
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

namespace {

bool holds(std::vector<model::Metric> const &metrics, QString const &metric)
{
    return std::ranges::any_of(metrics, [&](model::Metric const &each) { return QString::fromStdString(each.className) == metric; });
}

/// The metric lists of the selected outputs; equal lists are shown once.
std::vector<std::vector<model::Metric>> listsOf(model::TrainingPlan const &plan, OutputChoice const &outputs)
{
    if (plan.outputMetrics.empty()) return {plan.metrics};
    std::vector<std::vector<model::Metric>> lists;
    for (int i = 0; i < outputs.names.size(); ++i)
        if (outputs.at < 0 || outputs.at == i) lists.push_back(plan.metricsOf(static_cast<std::size_t>(i), outputs.names[i].toStdString()));
    return lists;
}

void change(std::vector<model::Metric> &metrics, QString const &metric, bool on)
{
    if (!on) std::erase_if(metrics, [&](model::Metric const &each) { return QString::fromStdString(each.className) == metric; });
    else if (auto const parsed = model::parseMetric(metric.toStdString()); parsed.ok() && !holds(metrics, metric))
        metrics.push_back(*parsed);
}

model::Json jsonOf(std::vector<model::Metric> const &metrics)
{
    auto list = model::Json::array();
    for (auto const &each : metrics) list.push_back(model::metricJson(each));
    return list;
}

} // namespace

bool hasMetric(model::TrainingPlan const &plan, QString const &metric, OutputChoice const &outputs)
{
    auto const lists = listsOf(plan, outputs);
    return !lists.empty() && std::ranges::all_of(lists, [&](auto const &metrics) { return holds(metrics, metric); });
}

QString metricsWith(model::TrainingPlan const &plan, QString const &metric, bool on, OutputChoice const &outputs)
{
    if (outputs.names.isEmpty()) {
        auto metrics = plan.metrics;
        change(metrics, metric, on);
        return QString::fromStdString(jsonOf(metrics).dump());
    }
    std::vector<std::vector<model::Metric>> lists;
    auto byName = model::Json::object();
    for (int i = 0; i < outputs.names.size(); ++i) {
        auto const name = outputs.names[i].toStdString();
        lists.push_back(plan.metricsOf(static_cast<std::size_t>(i), name));
        if (outputs.at < 0 || outputs.at == i) change(lists.back(), metric, on);
        byName[name] = jsonOf(lists.back());
    }
    bool const alike = std::ranges::all_of(lists, [&](auto const &metrics) { return metrics == lists.front(); });
    return QString::fromStdString((alike ? jsonOf(lists.front()) : byName).dump());
}

MetricList::MetricList(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_outputs(new QComboBox(this)), m_list(new QListWidget(this))
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
    m_outputs->setAccessibleName(tr("Output of the model"));
    m_outputs->setToolTip(tr("Whose metrics are ticked below: those that all outputs have, or those of one."));
    m_outputs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto *head = new QHBoxLayout;
    head->addWidget(title);
    head->addWidget(m_outputs, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addLayout(head);
    column->addWidget(m_list, 1);
    connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem *item) {
        if (m_quiet) return;
        auto const &plan = m_session.document().project().training;
        QString const metric = item->data(Qt::UserRole).toString();
        auto const status = m_session.document().edit(tr("Change metrics"), [&](project::Project &project) -> Status {
            TW_ASSIGN(project,
                      project::withField(project, "training.metrics",
                                         metricsWith(plan, metric, item->checkState() == Qt::Checked, outputs()).toStdString(), nullptr));
            return {};
        });
        if (!status.ok()) m_session.raiseError(status.error());
        refresh();
    });
    connect(m_outputs, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_quiet) refresh();
    });
}

OutputChoice MetricList::outputs() const { return {m_names, m_names.size() > 1 ? m_outputs->currentIndex() - 1 : -1}; }

void MetricList::refresh()
{
    m_quiet = true;
    auto const &plan = m_session.document().project().training;
    auto const resolved = model::resolve(m_session.document().project().model);
    m_names.clear();
    if (resolved.ok())
        for (std::size_t i = 0; i < resolved->outputs.size(); ++i) m_names << QString::fromStdString(model::outputName(*resolved, i));
    // Only the model has the owners of the lists.
    m_list->setEnabled(resolved.ok() || plan.outputMetrics.empty());
    QStringList const offered = QStringList{tr("All outputs")} + m_names;
    QStringList present;
    for (int i = 0; i < m_outputs->count(); ++i) present << m_outputs->itemText(i);
    if (present != offered) {
        m_outputs->clear();
        m_outputs->addItems(offered);
    }
    m_outputs->setVisible(m_names.size() > 1);
    auto const choice = outputs();
    QStringList names = knownMetrics();
    for (auto const &metrics : listsOf(plan, choice))
        for (auto const &each : metrics)
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
        item->setText(textOf(names[i]));
        item->setData(Qt::UserRole, names[i]);
        item->setToolTip(helpOf(names[i]));
        item->setCheckState(hasMetric(plan, names[i], choice) ? Qt::Checked : Qt::Unchecked);
    }
    m_quiet = false;
}

} // namespace tilewright::views
