#include "views/properties/numbers_editor.h"

#include "engine/core/json_text.h"

#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/properties/number_edit.h"

#include <QGridLayout>
#include <QHBoxLayout>

#include <algorithm>

namespace tilewright::views {

namespace {

QString axisText(int axis, int axes)
{
    if (axes == 2) return axis == 0 ? Words::tr("rows") : Words::tr("columns");
    if (axes == 3) return axis == 0 ? Words::tr("depth") : axis == 1 ? Words::tr("rows") : Words::tr("columns");
    return axes > 1 ? Words::tr("entry %1").arg(axis + 1) : QString();
}

} // namespace

NumbersEditor::NumbersEditor(PropertySpec const &spec, QWidget *parent)
    : PropertyEditor(parent), m_pairs(spec.pairs), m_nullable(spec.nullable)
{
    // Pairs one below another: a row of six fields would be too narrow for the digits.
    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(kGrid);
    int const columns = m_pairs ? 2 : std::max(1, spec.entries);
    for (int i = 0; i < spec.entries * (m_pairs ? 2 : 1); ++i) {
        auto *field = new NumberEdit(true, spec.min, spec.max, this);
        field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        field->setMinimumSize(0, fieldHeight());
        QString const axis = axisText(m_pairs ? i / 2 : i, spec.entries);
        QString const name = !m_pairs ? axis : i % 2 == 0 ? Words::tr("before, %1").arg(axis) : Words::tr("after, %1").arg(axis);
        field->setAccessibleName(name.isEmpty() ? spec.label : QStringLiteral("%1: %2").arg(spec.label, name));
        field->setToolTip(name);
        adopt(field);
        layout()->removeWidget(field);
        grid->addWidget(field, i / columns, i % columns);
        connect(field, &NumberEdit::edited, this, &PropertyEditor::typed);
        connect(field, &NumberEdit::stepped, this, &PropertyEditor::chosen);
        m_fields.push_back(field);
    }
    static_cast<QHBoxLayout *>(layout())->addLayout(grid, 1);
    if (!m_fields.empty()) setFocusProxy(m_fields.front());
}

QWidget *NumbersEditor::input() const { return m_fields.front(); }

QString NumbersEditor::text() const
{
    QStringList entries;
    for (auto const *field : m_fields) entries << field->engineText();
    bool const none = std::ranges::all_of(entries, &QString::isEmpty);
    if (none && m_varies) return {};
    if (none && m_nullable) return QStringLiteral("null");
    if (!m_strange.isEmpty() && entries.front() == m_strange) return m_strange;
    if (!m_pairs) return QLatin1Char('[') + entries.join(QStringLiteral(", ")) + QLatin1Char(']');
    QStringList pairs;
    for (int i = 0; i + 1 < entries.size(); i += 2) pairs << QStringLiteral("[%1, %2]").arg(entries[i], entries[i + 1]);
    return QLatin1Char('[') + pairs.join(QStringLiteral(", ")) + QLatin1Char(']');
}

void NumbersEditor::show(QString const &text, bool varies)
{
    m_varies = varies;
    m_strange.clear();
    std::vector<QString> shown(m_fields.size());
    auto const json = jsonOrDiscarded(text.toStdString());
    auto const number = [](auto const &value) {
        return value.is_number_integer() ? QString::number(value.template get<qint64>()) : QString();
    };
    if (!varies && json.is_number_integer()) std::ranges::fill(shown, number(json));
    else if (!varies && json.is_array()) {
        std::vector<QString> flat;
        for (auto const &entry : json) {
            if (entry.is_array())
                for (auto const &half : entry) flat.push_back(number(half));
            else flat.insert(flat.end(), m_pairs ? 2 : 1, number(entry));
        }
        if (flat.size() == shown.size() && std::ranges::none_of(flat, &QString::isEmpty)) shown = flat;
        else m_strange = text;
    } else if (!varies && !(m_nullable && json.is_null())) m_strange = text;
    if (!m_strange.isEmpty()) shown.front() = m_strange; // the engine reports the error
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        m_fields[i]->setPlaceholder(varies ? Words::tr("varies") : m_nullable ? Words::tr("none") : QString());
        m_fields[i]->setEngineText(shown[i]);
    }
}

} // namespace tilewright::views
