#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

class QFormLayout;

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

class ReportSnapshot;
struct RateChange;

/// Names and values of a run's settings.
using ConfigRows = QList<std::pair<QString, QString>>;
ConfigRows configRows(project::Project const &project);
ConfigRows configRows(ReportSnapshot const &report);

/// "0.001, 0.0005 from step 343"; of many rates the first and the last.
QString ratesText(std::vector<RateChange> const &rates);

/// The settings beside the curves, as selectable text.
class ConfigCard : public QWidget {
    Q_OBJECT
public:
    explicit ConfigCard(QWidget *parent = nullptr);
    void setRows(ConfigRows rows);
    ConfigRows const &rows() const { return m_rows; }

private:
    ConfigRows m_rows;
    QFormLayout *m_form = nullptr;
};

} // namespace tilewright::views
