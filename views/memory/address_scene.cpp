#include "views/memory/address_scene.h"

#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"

#include <QCoreApplication>

namespace tilewright::views {

std::shared_ptr<AddressScene const> addressScene(ReportSnapshot const &report, std::shared_ptr<TileContents const> const &contents,
                                                 int tile, Lineage const &lineage)
{
    auto scene = std::make_shared<AddressScene>();
    auto const *group = contents ? contents->of(tile) : nullptr;
    if (!group) return scene;
    auto const &d = report.data();
    auto const keys = partKeys(report, Breakdown::Role);
    scene->items = group->items;
    scene->contents = contents;
    scene->regions = d.memoryRegions;
    scene->capacity = d.target.bytesPerTile;
    for (auto const &item : group->items) {
        bool const known = item.variable >= 0 && item.variable < static_cast<int>(d.variables.size());
        scene->names.push_back(known ? QString::fromStdString(d.variables[static_cast<std::size_t>(item.variable)].name)
                                     : categoryText(item.category));
        scene->keys.push_back(keys.keys[static_cast<std::size_t>(keys.of(item))]);
        scene->marked.push_back(known && Lineage::has(lineage.variables, item.variable));
    }
    return scene;
}

QString stepText(ReportSnapshot const &report, int step)
{
    auto const &d = report.data();
    if (step < 0 || step >= static_cast<int>(d.livenessSteps.size())) return {};
    auto const &row = d.livenessSteps[static_cast<std::size_t>(step)];
    QString const name = row.program >= 0 && row.program < static_cast<int>(d.programs.size())
        ? QString::fromStdString(d.programs[static_cast<std::size_t>(row.program)].name)
        : QString();
    if (row.pass.empty() || row.pass == "other") return name;
    return QCoreApplication::translate("views", "%1 (%2)").arg(name, QCoreApplication::translate("views", row.pass.c_str()));
}

} // namespace tilewright::views
