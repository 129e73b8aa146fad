#include "views/training/config_card.h"

#include "engine/config/option_value.h"
#include "engine/project/project.h"
#include "views/advice/system_layout.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_rate.h"
#include "views/wording/config_words.h"

#include <QFormLayout>
#include <QLabel>

namespace tilewright::views {

namespace {

QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

/// As the training plan names it.
QString fieldName(QString const &field)
{
    if (field == QLatin1String("gradient_accumulation_steps")) return Words::tr("Accumulation steps");
    if (field == QLatin1String("gradient_accumulation_reduction")) return Words::tr("Accumulate by");
    QString name = field;
    name.replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return QCoreApplication::translate("views", name.toUtf8().constData());
}

} // namespace

ConfigRows configRows(project::Project const &project)
{
    ConfigRows rows{{Words::tr("Target"), text(project.target)}};
    static char const *const kFields[] = {"batch_size",
                                          "epochs",
                                          "optimizer",
                                          "loss",
                                          "gradient_accumulation_steps",
                                          "steps_per_execution",
                                          "replicas",
                                          "pipeline_schedule",
                                          "loop",
                                          "validation_split",
                                          "shuffle",
                                          "seed"};
    for (auto const *field : kFields)
        if (auto const value = model::trainingField(project.training, field); value.ok() && *value != "[]")
            rows.append(
                {fieldName(QString::fromLatin1(field)),
                 std::string_view(field) == "replicas" ? QString::number(systemLayout(project).replicas) : plainConfigValue(text(*value))});
    if (!project.data.path.empty()) rows.append({Words::tr("Data"), text(project.data.path)});
    if (!project.data.validationPath.empty()) rows.append({Words::tr("Validation data"), text(project.data.validationPath)});
    for (auto const &path : project.config.changedPaths())
        if (auto const value = project.config.get(path); value.ok())
            rows.append({text(path), plainConfigValue(text(config::toText(*value)))});
    return rows;
}

ConfigRows configRows(ReportSnapshot const &report)
{
    ConfigRows rows;
    auto const &data = report.data();
    auto const target = data.meta.find("target"); // as the project named it; earlier reports do not say
    rows.append({Words::tr("Target"),
                 target != data.meta.end() ? text(target->second)
                                           : Words::tr("%1, %Ln IPU(s)", nullptr, data.target.ipus).arg(text(data.target.architecture))});
    for (auto const &option : data.options) {
        if (option.scope == "training") {
            if (option.value != "null") rows.append({fieldName(text(option.name)), plainConfigValue(text(option.value))});
        } else if (option.source != "default") {
            rows.append({text(option.name), plainConfigValue(text(option.value))});
        }
    }
    return rows;
}

QString ratesText(std::vector<RateChange> const &rates)
{
    constexpr std::size_t kNamed = 3;
    QStringList words;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (rates.size() > kNamed && i > 0 && i + 1 < rates.size()) {
            if (i == 1) words << QStringLiteral("…");
            continue;
        }
        words << (i == 0 ? numberText(rates[i].rate)
                         : Words::tr("%1 from step %2").arg(numberText(rates[i].rate), countText(rates[i].after + 1)));
    }
    return words.join(QStringLiteral(", "));
}

ConfigCard::ConfigCard(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Configuration of the run"));
    m_form = new QFormLayout(this);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(kGap);
    m_form->setVerticalSpacing(kGrid / 2);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void ConfigCard::setRows(ConfigRows rows)
{
    if (rows == m_rows) return;
    m_rows = std::move(rows);
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    for (auto const &[name, value] : m_rows) {
        auto *label = new QLabel(name, this);
        label->setProperty("role", "secondary");
        label->setFont(uiFont(TextSize::Caption));
        auto *field = new QLabel(value, this);
        field->setFont(uiFont(TextSize::Caption));
        field->setTextFormat(Qt::PlainText);
        field->setTextInteractionFlags(Qt::TextSelectableByMouse);
        field->setWordWrap(true);
        field->setAccessibleName(name);
        m_form->addRow(label, field);
    }
}

} // namespace tilewright::views
