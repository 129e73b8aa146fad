#include "app/gui/command_palette.h"

#include "app/gui/main_window.h"
#include "app/gui/modes.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"

#include "engine/config/options.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>

#include <algorithm>

namespace tilewright::app {

namespace {

constexpr int kShown = 60;

} // namespace

int fuzzyScore(QString const &pattern, QString const &text)
{
    if (pattern.isEmpty()) return 1;
    QString const needle = pattern.toCaseFolded(), hay = text.toCaseFolded();
    if (qsizetype const at = hay.indexOf(needle); at >= 0) {
        bool const wordStart = at == 0 || !hay[at - 1].isLetterOrNumber();
        return 1000 + (wordStart ? 500 : 0) + (at == 0 ? 250 : 0) - static_cast<int>(std::min<qsizetype>(hay.size(), 200));
    }
    int score = 100;
    qsizetype at = -1;
    for (QChar const c : needle) {
        if (c.isSpace()) continue;
        qsizetype const next = hay.indexOf(c, at + 1);
        if (next < 0) return 0;
        if (next == at + 1) score += 10;
        if (next == 0 || !hay[next - 1].isLetterOrNumber()) score += 15;
        at = next;
    }
    return std::max(1, score - static_cast<int>(std::min<qsizetype>(hay.size(), 90)));
}

CommandPalette::CommandPalette(QString const &hint, std::vector<Entry> entries, QWidget *parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), m_entries(std::move(entries)), m_line(new QLineEdit(this)),
      m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(hint);
    m_line->setPlaceholderText(hint);
    m_line->setAccessibleName(hint);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideMiddle);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(views::kGap, views::kGap, views::kGap, views::kGap);
    all->addWidget(m_line);
    all->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemActivated, this, [this] { accept(m_list->currentRow()); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { accept(m_list->currentRow()); });
    m_line->installEventFilter(this);
    int const width = std::min(640, parent->width() - 40);
    QPoint const corner = parent->mapToGlobal(QPoint((parent->width() - width) / 2, 64));
    setGeometry(QRect(corner, QSize(width, std::min(420, parent->height() - 120))));
    filter({});
    m_line->setFocus();
}

bool CommandPalette::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_line && event->type() == QEvent::KeyPress) {
        auto const key = static_cast<QKeyEvent *>(event)->key();
        int const row = m_list->currentRow(), last = m_list->count() - 1;
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            int const by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : key == Qt::Key_PageDown ? 10 : -10;
            m_list->setCurrentRow(std::clamp(row + by, 0, std::max(0, last)));
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            accept(row);
            return true;
        }
    }
    return QDialog::eventFilter(object, event);
}

void CommandPalette::filter(QString const &text)
{
    std::vector<std::pair<int, int>> scored;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (int const score = fuzzyScore(text, m_entries[i].text); score > 0) scored.emplace_back(-score, static_cast<int>(i));
    std::size_t const shown = std::min<std::size_t>(scored.size(), kShown);
    std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(shown), scored.end());
    m_shown.clear();
    m_list->clear();
    for (std::size_t i = 0; i < shown; ++i) {
        auto const &entry = m_entries[static_cast<std::size_t>(scored[i].second)];
        m_shown.push_back(scored[i].second);
        m_list->addItem(entry.detail.isEmpty() ? entry.text : entry.text + QStringLiteral("    ") + entry.detail);
    }
    if (shown == 0) {
        auto *none = new QListWidgetItem(tr("Nothing has this in its name"), m_list);
        none->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::accept(int row)
{
    if (row < 0 || row >= static_cast<int>(m_shown.size())) return;
    auto const run = m_entries[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(row)])].run;
    close();
    run();
}

std::vector<CommandPalette::Entry> CommandPalette::commandEntries(MainWindow &window)
{
    std::vector<Entry> entries;
    for (auto const &[id, action] : window.actions()) {
        if (!action->isEnabled()) continue;
        QString text = action->text();
        text = text.section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
        if (action->property("view").isValid()) text = tr("Show %1").arg(text);
        if (id.startsWith(QLatin1String("mode."))) text = tr("Mode %1").arg(text);
        entries.push_back({text, action->shortcut().toString(QKeySequence::NativeText), [a = QPointer<QAction>(action)] {
                               if (a) a->trigger();
                           }});
    }
    for (auto const &name : window.layoutNames())
        if (!findMode(name)) entries.push_back({tr("Arrangement %1").arg(name), {}, [&window, name] { window.applyLayout(name); }});
    return entries;
}

std::vector<CommandPalette::Entry> CommandPalette::thingEntries(MainWindow &window)
{
    auto &session = window.session();
    // Everything has one place to be looked for: views and commands as well.
    std::vector<Entry> entries = commandEntries(window);
    for (auto &entry : entries) entry.detail = entry.detail.isEmpty() ? tr("command") : tr("command · %1").arg(entry.detail);
    for (auto const &layer : session.document().project().model.layers) {
        QString const name = QString::fromStdString(layer.name);
        entries.push_back({name, tr("layer"), [&session, &window, name] {
                               session.selection().selectLayer(name);
                               window.activateView(QStringLiteral("canvas"));
                           }});
    }
    if (session.document().isOpen())
        for (auto const &option : config::ipuConfigOptions()) {
            QString const path = QString::fromStdString(config::placeOf(option));
            entries.push_back({path, tr("option"), [&session, &window, path] {
                                   views::Selected selected;
                                   selected.kind = views::SelectionKind::Option;
                                   selected.name = path;
                                   session.selection().select(selected);
                                   window.activateView(QStringLiteral("config"));
                               }});
        }
    if (auto const report = session.report()) {
        auto const &d = report->data();
        auto const add = [&](auto const &rows, views::SelectionKind kind, QString const &what, char const *view) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (rows[i].name.empty()) continue;
                entries.push_back({QString::fromStdString(rows[i].name), what, [&session, &window, kind, i, view] {
                                       session.selection().selectIds(kind, {static_cast<int>(i)});
                                       window.activateView(QLatin1String(view));
                                   }});
            }
        };
        add(d.ops, views::SelectionKind::Op, tr("operation"), "operations");
        add(d.variables, views::SelectionKind::Variable, tr("variable"), "memory");
        add(d.computeSets, views::SelectionKind::ComputeSet, tr("compute set"), "program");
    }
    return entries;
}

void CommandPalette::commands(MainWindow &window) { (new CommandPalette(tr("Type a command"), commandEntries(window), &window))->show(); }

void CommandPalette::things(MainWindow &window)
{
    (new CommandPalette(tr("Name of a layer, option, operation, variable, view or command"), thingEntries(window), &window))->show();
}

} // namespace tilewright::app
