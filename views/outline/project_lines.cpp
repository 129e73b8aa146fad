#include "views/outline/project_lines.h"

#include "views/advice/system_layout.h"
#include "views/common/format.h"
#include "views/properties/class_choice.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

namespace tilewright::views {

namespace {

QString q(std::string const &text) { return QString::fromStdString(text); }

QString trainingText(project::Project const &project)
{
    auto const &plan = project.training;
    int const replicas = systemLayout(project).replicas;
    QStringList losses;
    for (auto const &loss : plan.losses) losses << q(loss.className);
    int const epochs = static_cast<int>(plan.epochs), microBatches = static_cast<int>(plan.gradientAccumulationSteps);
    QStringList parts{
        QCoreApplication::translate("views", "%1, learning rate %2").arg(q(plan.optimizer.className), rateText(plan.optimizer)),
        losses.join(QStringLiteral(", ")), QCoreApplication::translate("views", "batch %1").arg(plan.batchSize),
        QCoreApplication::translate("views", "%Ln epoch(s)", nullptr, epochs)};
    if (replicas > 1) parts << QCoreApplication::translate("views", "%n replica(s)", nullptr, replicas);
    if (plan.gradientAccumulationSteps > 1)
        parts << QCoreApplication::translate("views", "gradients of %n micro-batch(es)", nullptr, microBatches);
    return parts.join(QStringLiteral(" · "));
}

QString dataText(data::DataSourceSpec const &data)
{
    QString const own = data.format == "sorting" ? QCoreApplication::translate("views", "embedded sequences")
                                                 : QCoreApplication::translate("views", "embedded digits");
    QStringList parts{data.path.empty() ? own : QFileInfo(q(data.path)).fileName()};
    if (int const limit = static_cast<int>(data.limit); limit > 0)
        parts << QCoreApplication::translate("views", "%Ln sample(s) at most", nullptr, limit);
    if (!data.validationPath.empty())
        parts << QCoreApplication::translate("views", "validation from %1").arg(QFileInfo(q(data.validationPath)).fileName());
    else if (data.validationSplit > 0)
        parts << QCoreApplication::translate("views", "%1 for validation").arg(shareText(data.validationSplit));
    if (!data.shuffle) parts << QCoreApplication::translate("views", "in order");
    return parts.join(QStringLiteral(" · "));
}

} // namespace

QList<ProjectLine> projectLines(project::Project const &project)
{
    int const changed = static_cast<int>(project.config.changedPaths().size());
    int const options = static_cast<int>(project.engineOptions.size());
    QString configuration = changed == 0 ? QCoreApplication::translate("views", "defaults")
                                         : QCoreApplication::translate("views", "%n option(s) changed", nullptr, changed);
    if (options > 0) configuration += QStringLiteral(" · ") + QCoreApplication::translate("views", "%n engine option(s)", nullptr, options);
    return {{QCoreApplication::translate("views", "Training"), trainingText(project), QStringLiteral("plan"), QStringLiteral("plan")},
            {QCoreApplication::translate("views", "Data"), dataText(project.data), QStringLiteral("data"), QStringLiteral("data")},
            {QCoreApplication::translate("views", "Target"), q(project.target), QStringLiteral("config"), QStringLiteral("chip")},
            {QCoreApplication::translate("views", "Configuration"), configuration, QStringLiteral("config"), QStringLiteral("config")}};
}

} // namespace tilewright::views
