#include "views/figures/run_choices.h"

#include "views/common/words.h"
#include "views/wording/labels.h"
#include "views/wording/run_costs.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace tilewright::views {

void fillRunChoices(QComboBox &runs, QComboBox &ipus, report::ReportData const &data, int run, int ipu)
{
    QSignalBlocker const quietRuns(&runs), quietIpus(&ipus);
    auto const frame = runFrame(data, run);
    runs.clear();
    for (int const known : runsWithStatistics(data)) {
        auto const &row = data.runs[static_cast<std::size_t>(known)];
        runs.addItem(row.name.empty() ? runKindLabel(row.kind) : QString::fromStdString(row.name), known);
    }
    runs.setCurrentIndex(runs.findData(frame.run));
    runs.setVisible(runs.count() > 1);
    ipus.clear();
    ipus.addItem(Words::tr("All IPUs, summed"), report::kNone);
    for (int const known : frame.ipus) ipus.addItem(Words::tr("IPU %1").arg(known), known);
    ipus.setCurrentIndex(std::max(0, ipus.findData(ipu)));
    ipus.setVisible(ipus.count() > 2);
}

} // namespace tilewright::views
