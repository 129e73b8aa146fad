#include "views/properties/property_table.h"

#include "engine/core/json_text.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_row.h"

#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kStackedBelow = 75 * kGrid; ///< below this width labels are above their editors
constexpr int kHelpFrom = 60 * kGrid;     ///< minimum height for the help line

} // namespace

PropertyTable::PropertyTable(Document &document, QString const &accessibleName, QWidget *parent)
    : QWidget(parent), m_document(document), m_bar(new QWidget(this)), m_search(new QLineEdit(m_bar)),
      m_changedOnly(new QCheckBox(tr("Changed only"), m_bar)), m_count(new QLabel(m_bar)), m_none(new QLabel(this)),
      m_help(new QLabel(this)), m_scroll(new QScrollArea(this))
{
    setAccessibleName(accessibleName);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search %1").arg(accessibleName));
    m_changedOnly->setAccessibleName(tr("Show only changed fields of %1").arg(accessibleName));
    auto *bar = new QHBoxLayout(m_bar);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->setSpacing(kGap);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_changedOnly);
    bar->addWidget(m_count);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setWordWrap(true);
    m_none->hide();
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setFont(uiFont(TextSize::Caption));
    m_help->setAlignment(Qt::AlignLeading | Qt::AlignTop);
    m_help->setMinimumHeight(m_help->fontMetrics().lineSpacing() * 2);
    m_help->setAccessibleName(tr("Help for the field"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_bar);
    column->addWidget(m_none);
    column->addWidget(m_scroll, 1);
    column->addWidget(m_help);
    connect(m_search, &QLineEdit::textChanged, this, &PropertyTable::filter);
    connect(m_changedOnly, &QCheckBox::toggled, this, &PropertyTable::filter);
}

void PropertyTable::setSpecs(std::vector<PropertySpec> specs)
{
    bool const fields = m_list && sameFields(specs, m_specs), rows = fields && sameRows(specs, m_specs);
    m_specs = std::move(specs);
    if (!fields) {
        rebuild();
    } else if (!rows) { // the same fields of another layer: reuse the editors, because creating them is slow
        m_help->clear();
        std::size_t next = 0;
        for (auto const &name : groupNames())
            for (auto const &spec : m_specs)
                if (spec.group == name) m_rows[next++]->take(spec);
    }
    reload();
}

QStringList PropertyTable::groupNames() const
{
    QStringList names;
    for (auto const &spec : m_specs)
        if (!names.contains(spec.group)) names << spec.group;
    return names;
}

PropertyTable::~PropertyTable() { leaveRows(); }

/// An editor that is removed loses focus and signals it, but its text must not be applied.
void PropertyTable::leaveRows()
{
    for (auto *row : m_rows) {
        row->disconnect(this);
        row->editor().disconnect(this);
    }
}

void PropertyTable::rebuild()
{
    leaveRows();
    m_rows.clear();
    m_groups.clear();
    m_help->clear();
    auto *list = new QWidget;
    auto *column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, kGrid, 0);
    column->setSpacing(0);
    bool const headed = std::ranges::any_of(m_specs, [](PropertySpec const &spec) { return !spec.group.isEmpty(); });
    for (auto const &name : groupNames()) {
        Group group;
        if (headed) {
            group.head = new QToolButton(list);
            group.head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
            group.head->setAutoRaise(true);
            group.head->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
            group.head->setProperty("title", name.isEmpty() ? tr("General") : name);
            QFont font = group.head->font();
            font.setBold(true);
            group.head->setFont(font);
            column->addWidget(group.head);
        }
        group.body = new QWidget(list);
        auto *rows = new QVBoxLayout(group.body);
        rows->setContentsMargins(0, 0, 0, headed ? kGrid : 0);
        rows->setSpacing(0);
        for (auto const &spec : m_specs) {
            if (spec.group != name) continue;
            auto *row = new PropertyRow(spec, group.body);
            rows->addWidget(row);
            group.rows.push_back(row);
            m_rows.push_back(row);
            connectRow(*row);
        }
        column->addWidget(group.body);
        group.open = std::ranges::any_of(
            group.rows, [](PropertyRow const *row) { return row->spec().hasEffect; }); // fields without effect wait until they are opened
        m_groups.push_back(std::move(group));
    }
    column->addStretch();
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        if (m_groups[i].head)
            connect(m_groups[i].head, &QToolButton::clicked, this, [this, i] {
                m_groups[i].open = !m_groups[i].open;
                filter();
            });
    m_list = list;
    m_scroll->setWidget(list); // deletes the one before
    list->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    arrange();
}

void PropertyTable::connectRow(PropertyRow &row)
{
    auto &editor = row.editor();
    connect(&editor, &PropertyEditor::typed, this, [this, &row] { judge(row); });
    connect(&editor, &PropertyEditor::chosen, this, [this, &row] { commit(row); });
    connect(&editor, &PropertyEditor::finished, this, [this, &row] { commit(row); });
    connect(&editor, &PropertyEditor::reverted, this, [this, &row] {
        row.dropPending();
        emit tried(row.spec().path, nullptr);
    });
    connect(&editor, &PropertyEditor::focused, this, [this, &row] {
        ++m_visit;
        emit rowFocused(row.spec().path);
    });
    connect(&row, &PropertyRow::resetWanted, this, [this, &row] { resetRow(row); });
    connect(&row, &PropertyRow::helpWanted, this, [this, &row] { showHelp(row); });
    connect(&row, &PropertyRow::copyAllWanted, this, [this] { QGuiApplication::clipboard()->setText(valuesText()); });
    connect(
        &row, &PropertyRow::pasteWanted, this, [this] { pasteValues(QGuiApplication::clipboard()->text()); }, Qt::QueuedConnection);
}

void PropertyTable::judge(PropertyRow &row)
{
    if (!row.isPending()) {
        row.setRefusal({});
        emit tried(row.spec().path, nullptr);
        return;
    }
    auto trial = std::make_shared<project::Project>(m_document.project());
    auto const status = writeProperty(*trial, row.spec(), row.pendingText());
    row.setRefusal(status.ok() ? QString() : diagnosticSentences(status.error()));
    emit tried(row.spec().path, status.ok() ? trial : nullptr);
}

void PropertyTable::commit(PropertyRow &row)
{
    if (m_committing || !row.isPending()) return;
    m_committing = true;                  // a dialog can move the focus
    PropertySpec const spec = row.spec(); // the edit may replace the rows
    QString const text = row.pendingText();
    auto const status = m_document.edit(
        tr("Change %1").arg(spec.label), [&](project::Project &project) { return writeProperty(project, spec, text); },
        spec.path + QLatin1Char('#') + QString::number(m_visit));
    m_committing = false;
    if (!status.ok()) {
        row.setRefusal(diagnosticSentences(status.error()));
        emit tried(spec.path, nullptr);
        return;
    }
    if (auto *still = this->row(spec.path)) still->dropPending();
    emit tried(spec.path, nullptr);
    reload();
    emit applied(spec.path, text);
}

void PropertyTable::resetRow(PropertyRow &row)
{
    PropertySpec const spec = row.spec();
    if (!spec.hasDefault) return;
    auto const status =
        m_document.edit(tr("Reset %1").arg(spec.label), [&](project::Project &project) { return resetProperty(project, spec); });
    auto *still = this->row(spec.path);
    if (still && status.ok()) still->dropPending();
    if (still && !status.ok()) still->setRefusal(diagnosticSentences(status.error()));
    emit tried(spec.path, nullptr);
    reload();
    if (status.ok()) emit applied(spec.path, spec.defaultText);
}

void PropertyTable::apply(QString const &path, QString const &text)
{
    auto *found = row(path);
    if (!found) return;
    ++m_visit;
    found->editor().show(text, false);
    commit(*found);
}

void PropertyTable::reset(QString const &path)
{
    if (auto *found = row(path)) resetRow(*found);
}

void PropertyTable::reload()
{
    auto const project = m_document.snapshot();
    for (auto *row : m_rows) {
        row->setValue(readProperty(*project, row->spec()));
        QString problem;
        bool error = false;
        for (auto const &each : m_document.problems()) {
            if (QString::fromStdString(each.subject) != row->spec().path) continue;
            problem = diagnosticSentences(each);
            error = each.severity == Severity::Error;
            break; // errors come first
        }
        row->setProblem(problem, error);
    }
    filter();
}

void PropertyTable::filter()
{
    auto const words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    bool const narrowing = !words.isEmpty() || m_changedOnly->isChecked();
    int shown = 0;
    for (auto &group : m_groups) {
        bool any = false;
        for (auto *row : group.rows) {
            bool const match = row->matches(words) && (!m_changedOnly->isChecked() || row->isChanged() || row->isRefused());
            row->setVisible(match);
            any = any || match;
            shown += match;
        }
        if (group.head) group.head->setVisible(any);
        group.body->setVisible(any && (group.open || narrowing || !group.head));
        updateHead(group);
    }
    m_count->setText(shown == rowCount() ? tr("%n field(s)", nullptr, rowCount()) : tr("%1 of %2").arg(shown).arg(rowCount()));
    m_none->setText(m_changedOnly->isChecked() && words.isEmpty() ? tr("Everything has its default.") : tr("Nothing matches the search."));
    m_none->setVisible(shown == 0 && rowCount() > 0);
}

void PropertyTable::updateHead(Group &group)
{
    if (!group.head) return;
    auto const changed = std::ranges::count_if(group.rows, [](PropertyRow const *row) { return row->isChanged(); });
    QString const title = group.head->property("title").toString();
    group.head->setText(changed > 0 ? tr("%1 · %n changed", nullptr, static_cast<int>(changed)).arg(title) : title);
    group.head->setArrowType(group.body->isHidden() ? (isRightToLeft() ? Qt::LeftArrow : Qt::RightArrow) : Qt::DownArrow);
    group.head->setAccessibleName(group.head->text());
}

void PropertyTable::showHelp(PropertyRow const &row)
{
    auto const &spec = row.spec();
    QStringList parts{spec.path};
    if (!spec.help.isEmpty()) parts << spec.help;
    parts << factsText(spec);
    if (!spec.deprecated.isEmpty()) parts << tr("Deprecated: %1").arg(spec.deprecated);
    m_help->setText(parts.join(QStringLiteral(" — ")));
}

void PropertyTable::setSearchVisible(bool visible) { m_bar->setVisible(visible); }
void PropertyTable::setFilterText(QString const &text) { m_search->setText(text); }
QString PropertyTable::filterText() const { return m_search->text(); }
void PropertyTable::setChangedOnly(bool on) { m_changedOnly->setChecked(on); }
bool PropertyTable::changedOnly() const { return m_changedOnly->isChecked(); }

void PropertyTable::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void PropertyTable::showRow(QString const &path, bool takeKeyboard)
{
    auto *found = row(path);
    if (!found) return;
    if (found->isHidden()) {
        m_search->clear();
        m_changedOnly->setChecked(false);
    }
    for (auto &group : m_groups)
        if (std::ranges::find(group.rows, found) != group.rows.end()) group.open = true;
    filter();
    m_scroll->ensureWidgetVisible(found);
    if (takeKeyboard) found->editor().input()->setFocus(Qt::OtherFocusReason);
}

int PropertyTable::shownCount() const
{
    return static_cast<int>(std::ranges::count_if(m_rows, [](PropertyRow const *row) { return !row->isHidden(); }));
}

int PropertyTable::changedCount() const
{
    return static_cast<int>(std::ranges::count_if(m_rows, [](PropertyRow const *row) { return row->isChanged(); }));
}

PropertyRow *PropertyTable::row(QString const &path) const
{
    auto const it = std::ranges::find_if(m_rows, [&](PropertyRow const *row) { return row->spec().path == path; });
    return it == m_rows.end() ? nullptr : *it;
}

void PropertyTable::setHint(QString const &path, QString const &text)
{
    for (auto *each : m_rows) each->setHint(each->spec().path == path ? text : QString());
}

void PropertyTable::setHelpVisible(bool visible)
{
    m_wantsHelp = visible;
    m_help->setVisible(visible && height() >= kHelpFrom);
}

void PropertyTable::arrange()
{
    int const width = m_scroll->viewport()->width();
    int label = 0;
    for (auto const *row : m_rows) label = std::max(label, row->labelWidth());
    bool const stacked = width < kStackedBelow;
    label = std::min(label, width * 2 / 5);
    for (auto *row : m_rows) row->arrange(stacked, label);
}

void PropertyTable::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_help->setVisible(m_wantsHelp && height() >= kHelpFrom);
    arrange();
}

void PropertyTable::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
    for (auto *row : m_rows) row->restyle();
}

QString PropertyTable::valuesText() const
{
    model::OrderedJson values = model::OrderedJson::object();
    auto const project = m_document.snapshot();
    for (auto const *row : m_rows) {
        auto const value = readProperty(*project, row->spec());
        if (row->spec().hasDefault && value.exists && !value.varies) values[row->spec().label.toStdString()] = value.text.toStdString();
    }
    return QString::fromStdString(values.dump(2));
}

int PropertyTable::pasteValues(QString const &text)
{
    auto const values = jsonOrDiscarded(text.toStdString());
    if (!values.is_object()) return 0;
    int taken = 0;
    (void)m_document
        .edit(tr("Paste values"),
              [&](project::Project &project) -> Status {
                  for (auto const *row : m_rows) {
                      auto const it = values.find(row->spec().label.toStdString());
                      if (!row->spec().hasDefault || it == values.end() || !it->is_string()) continue;
                      auto trial = project; // problems unrelated to this row are ignored
                      if (!writeProperty(trial, row->spec(), QString::fromStdString(it->get<std::string>())).ok()) continue;
                      project = std::move(trial);
                      ++taken;
                  }
                  return {};
              })
        .ok();
    reload();
    return taken;
}

ExportTable PropertyTable::exportTable(QString const &name) const
{
    ExportTable table{name, {QStringLiteral("path"), QStringLiteral("value"), QStringLiteral("default"), QStringLiteral("changed")}, {}};
    auto const project = m_document.snapshot();
    for (auto const *row : m_rows) {
        if (row->isHidden()) continue;
        auto const value = readProperty(*project, row->spec());
        table.rows.push_back({row->spec().path, value.text, row->spec().hasDefault ? row->spec().defaultText : QString(),
                              row->isChanged() ? QStringLiteral("true") : QStringLiteral("false")});
    }
    return table;
}

} // namespace tilewright::views
