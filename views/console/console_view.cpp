#include "views/console/console_view.h"

#include "views/advice/problem_log.h"
#include "views/common/theme.h"
#include "views/console/console_model.h"
#include "views/console/console_text.h"
#include "views/subjects/destination.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QShortcut>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

namespace tilewright::views {

namespace {

/// Time per turn of the event loop; the rest waits for the next.
constexpr int kPullMs = 8;
constexpr int kPullEveryMs = 33;
/// Below this width not all columns fit beside a readable message.
constexpr int kWide = 160 * kGrid;

class ConsoleView : public View {
    Q_OBJECT
public:
    ConsoleView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    void startSearch() override;
    bool isSettled() const override { return !m_timer.isActive(); }

public slots:
    void copy();

protected:
    void refresh() override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeBar();
    QMenu *makeMoreMenu();
    void fillLevels();
    void fillComponents();
    void schedule();
    void pull();
    void wrapVisible();
    void setFollowing(bool on);
    void setWrap(bool on);
    void applyFilter();
    std::vector<ConsoleLine> chosenLines() const; ///< the selected rows, or all shown rows
    void save();

    ConsoleModel m_model;
    QTimer m_timer;
    QTableView *m_table = nullptr;
    QLineEdit *m_filter = nullptr;
    QLabel *m_filterError = nullptr;
    QToolButton *m_follow = nullptr;
    QMenu *m_levels = nullptr, *m_components = nullptr;
    QAction *m_wrap = nullptr, *m_relative = nullptr;
    bool m_scrollingByProgram = false;
};

ConsoleView::ConsoleView(Session &session, QWidget *parent) : View(QStringLiteral("console"), session, parent), m_model(session.console())
{
    setDependsOn(false, false, false);
    auto *body = new QWidget(this);
    m_table = new QTableView(body);
    m_table->setModel(&m_model);
    m_table->setAccessibleName(tr("Messages"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the message gets the remaining width
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setMinimumSectionSize(kCompactRow);
    m_table->verticalHeader()->setDefaultSectionSize(kCompactRow);
    auto *header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    header->resizeSection(ConsoleModel::Time, metrics.horizontalAdvance(QStringLiteral("00:00:00.000")) + 4 * kGrid);
    header->resizeSection(ConsoleModel::Level, metrics.horizontalAdvance(levelText(2)) + 6 * kGrid);
    header->resizeSection(ConsoleModel::Component, 20 * kGrid);
    header->resizeSection(ConsoleModel::Subject, 24 * kGrid);

    m_filterError = new QLabel(body);
    m_filterError->setWordWrap(true);
    m_filterError->hide();
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(makeBar());
    column->addWidget(m_filterError);
    column->addWidget(m_table, 1);
    setBody(body);

    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ConsoleView::pull);
    connect(&session.console(), &Console::changed, this, &ConsoleView::schedule);
    connect(&ProblemLog::of(session), &ProblemLog::changed, this, &ConsoleView::schedule);
    connect(m_table, &QTableView::clicked, this, [this](QModelIndex const &index) {
        if (auto const *line = m_model.lineAt(index.row())) goToSubject(this->session(), line->subject, false, this);
    });
    connect(m_table, &QTableView::activated, this, [this](QModelIndex const &index) {
        if (auto const *line = m_model.lineAt(index.row())) goToSubject(this->session(), line->subject, true, this);
    });
    // Manual scrolling ends following; reaching the end resumes it.
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_scrollingByProgram) setFollowing(value >= m_table->verticalScrollBar()->maximum());
        wrapVisible();
    });
    connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        if (m_follow->isChecked()) m_table->scrollToBottom(); // the headline above can grow by a line
    });
    m_table->installEventFilter(this); // End
    auto *find = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_L), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, &ConsoleView::startSearch);
}

QWidget *ConsoleView::makeBar()
{
    auto *bar = new QWidget(this);
    m_filter = new QLineEdit(bar);
    m_filter->setPlaceholderText(tr("Filter: words, -not, a,b, level=error, /pattern/"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter of messages"));
    auto const menuButton = [bar](QString const &text, QString const &tip, QMenu *menu) {
        auto *button = new QToolButton(bar);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setProperty("role", "word");
        button->setMenu(menu);
        menu->setParent(button, menu->windowFlags());
        return button;
    };
    m_levels = new QMenu;
    m_components = new QMenu;
    m_follow = new QToolButton(bar);
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Stay at the newest line (End)"));
    m_follow->setCheckable(true);
    m_follow->setProperty("role", "word");
    m_follow->setChecked(true);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_filter, 1);
    row->addWidget(menuButton(tr("Levels"), tr("Which levels are shown"), m_levels));
    row->addWidget(menuButton(tr("Sources"), tr("Which components are shown"), m_components));
    row->addWidget(m_follow);
    row->addWidget(menuButton(tr("More"), tr("Copy, save, clear and layout of the messages"), makeMoreMenu()));
    connect(m_filter, &QLineEdit::textChanged, this, &ConsoleView::applyFilter);
    connect(m_follow, &QToolButton::clicked, this, &ConsoleView::setFollowing);
    connect(m_components, &QMenu::aboutToShow, this, &ConsoleView::fillComponents);
    fillLevels();
    return bar;
}

void ConsoleView::copy()
{
    QStringList text;
    for (auto const &line : chosenLines()) text.append(plainLine(line));
    QApplication::clipboard()->setText(text.join(QLatin1Char('\n')));
}

QMenu *ConsoleView::makeMoreMenu()
{
    auto *menu = new QMenu;
    auto const add = [this, menu](QString const &text, QKeySequence const &key, auto act) {
        auto *action = menu->addAction(text);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
        m_table->addAction(action);
        return action;
    };
    add(tr("Copy"), QKeySequence::Copy, [this] { copy(); });
    add(tr("Copy as JSON"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        [this] { QApplication::clipboard()->setText(toJsonLines(chosenLines())); });
    add(tr("Save…"), {}, [this] { save(); });
    add(tr("Clear"), {}, [this] { session().console().clear(); });
    menu->addSeparator();
    m_wrap = add(tr("Wrap long lines"), {}, [] {});
    m_wrap->setCheckable(true);
    connect(m_wrap, &QAction::toggled, this, &ConsoleView::setWrap);
    m_relative = add(tr("Time since the first line"), {}, [] {});
    m_relative->setCheckable(true);
    connect(m_relative, &QAction::toggled, &m_model, &ConsoleModel::setRelativeTime);
    return menu;
}

void ConsoleView::fillLevels()
{
    for (int level = 3; level >= 0; --level) {
        auto *action = m_levels->addAction(levelText(level));
        action->setCheckable(true);
        action->setChecked(m_model.isLevelShown(level));
        connect(action, &QAction::toggled, this, [this, level](bool on) {
            m_model.setLevelShown(level, on);
            schedule();
        });
    }
}

void ConsoleView::fillComponents()
{
    m_components->clear();
    for (auto const &component : m_model.components()) {
        auto *action = m_components->addAction(component.isEmpty() ? tr("(none)") : component);
        action->setCheckable(true);
        action->setChecked(m_model.isComponentShown(component));
        connect(action, &QAction::toggled, this, [this, component](bool on) {
            m_model.setComponentShown(component, on);
            schedule();
        });
    }
    if (m_components->isEmpty()) m_components->addAction(tr("Nothing has been said yet"))->setEnabled(false);
}

void ConsoleView::schedule()
{
    if (isVisible() && !m_timer.isActive()) m_timer.start(kPullEveryMs);
}

void ConsoleView::pull()
{
    m_scrollingByProgram = true;
    bool const done = m_model.pull(kPullMs);
    if (m_follow->isChecked()) m_table->scrollToBottom();
    m_scrollingByProgram = false;
    wrapVisible();
    // Current problems, in the words of the strip. Past problems are in the lines.
    auto const &problems = ProblemLog::of(session());
    setHeadline(consoleHeadline(problems.count(Severity::Error), problems.count(Severity::Warning),
                                static_cast<qint64>(session().console().lines().size()), m_model.rowCount()));
    bool const empty = session().console().lines().empty();
    setState(empty ? ViewState{ViewState::Empty, tr("Compiles, runs and edits are logged here."), {}, {}} : ViewState{});
    if (!done) m_timer.start(0);
}

void ConsoleView::refresh()
{
    // After render or show: all lines at once, in slices short enough for the event loop.
    m_timer.stop();
    pull();
}

void ConsoleView::showEvent(QShowEvent *event)
{
    View::showEvent(event);
    schedule();
}

bool ConsoleView::eventFilter(QObject *watched, QEvent *event)
{
    // In a table, End goes to the last column; here it goes to the newest line and stays there.
    if (watched == m_table && event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_End) {
        setFollowing(true);
        return true;
    }
    return View::eventFilter(watched, event);
}

void ConsoleView::resizeEvent(QResizeEvent *event)
{
    View::resizeEvent(event);
    // In narrow windows the message gets the room; the tool tip has the rest.
    m_table->setColumnHidden(ConsoleModel::Component, width() < kWide);
    m_table->setColumnHidden(ConsoleModel::Subject, width() < kWide);
    wrapVisible();
}

void ConsoleView::wrapVisible()
{
    // Computes heights only for visible rows, because a table of 10^5 wrapped rows would take seconds.
    if (!m_wrap->isChecked() || m_model.rowCount() == 0) return;
    m_scrollingByProgram = true;
    int const first = qMax(0, m_table->rowAt(0));
    int const last = m_table->rowAt(m_table->viewport()->height() - 1);
    for (int row = first; row <= (last < 0 ? m_model.rowCount() - 1 : last); ++row) m_table->resizeRowToContents(row);
    if (m_follow->isChecked()) m_table->scrollToBottom();
    m_scrollingByProgram = false;
}

void ConsoleView::setFollowing(bool on)
{
    m_follow->setChecked(on);
    if (!on) return;
    m_scrollingByProgram = true;
    m_table->scrollToBottom();
    m_scrollingByProgram = false;
}

void ConsoleView::setWrap(bool on)
{
    m_table->setWordWrap(on);
    m_table->setTextElideMode(on ? Qt::ElideNone : Qt::ElideRight);
    if (!on) m_table->verticalHeader()->setDefaultSectionSize(kCompactRow);
    if (!on)
        for (int row = 0; row < m_model.rowCount(); ++row)
            if (m_table->rowHeight(row) != kCompactRow) m_table->setRowHeight(row, kCompactRow);
    wrapVisible();
}

void ConsoleView::applyFilter()
{
    QString const error = m_model.setFilter(m_filter->text());
    m_filterError->setText(error);
    m_filterError->setVisible(!error.isEmpty());
    schedule();
}

std::vector<ConsoleLine> ConsoleView::chosenLines() const
{
    std::vector<ConsoleLine> lines;
    auto const take = [&](int row) {
        if (auto const *line = m_model.lineAt(row)) lines.push_back(*line);
    };
    auto rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (auto const &index : rows) take(index.row());
    if (rows.isEmpty())
        for (int row = 0; row < m_model.rowCount(); ++row) take(row);
    return lines;
}

void ConsoleView::save()
{
    QString const path = QFileDialog::getSaveFileName(this, tr("Save messages"), QStringLiteral("console.log"),
                                                      tr("Text (*.log *.txt);;JSON lines (*.jsonl)"));
    if (path.isEmpty()) return;
    QString text;
    if (path.endsWith(QLatin1String(".jsonl"))) {
        text = toJsonLines(chosenLines());
    } else {
        for (auto const &line : chosenLines()) text += plainLine(line) + QLatin1Char('\n');
    }
    if (QString const error = saveText(text, path); !error.isEmpty())
        emit session().errorRaised(makeError(ErrorKind::Data, "action", path.toStdString(), error.toStdString()));
}

QList<ExportTable> ConsoleView::exportTables() const
{
    ExportTable table{
        QStringLiteral("console"), {tr("Time"), tr("Level"), tr("Component"), tr("Code"), tr("Subject"), tr("Message"), tr("Times")}, {}};
    for (auto const &line : chosenLines())
        table.rows.append({line.time.toString(Qt::ISODateWithMs), levelName(line.level), line.component, line.code, line.subject, line.text,
                           QString::number(line.repeats)});
    return {table};
}

QJsonObject ConsoleView::saveState() const
{
    QJsonArray hidden;
    for (int level = 0; level < 4; ++level)
        if (!m_model.isLevelShown(level)) hidden.append(levelName(level));
    return {{QStringLiteral("wrap"), m_wrap->isChecked()},
            {QStringLiteral("relative"), m_relative->isChecked()},
            {QStringLiteral("hiddenLevels"), hidden},
            {QStringLiteral("filter"), m_filter->text()}};
}

void ConsoleView::restoreState(QJsonObject const &state)
{
    m_wrap->setChecked(state.value(QStringLiteral("wrap")).toBool());
    m_relative->setChecked(state.value(QStringLiteral("relative")).toBool());
    auto const hidden = state.value(QStringLiteral("hiddenLevels")).toArray();
    for (int level = 0; level < 4; ++level) m_model.setLevelShown(level, !hidden.contains(levelName(level)));
    m_levels->clear();
    fillLevels();
    m_filter->setText(state.value(QStringLiteral("filter")).toString());
}

void ConsoleView::startSearch()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

} // namespace

ViewDescriptor consoleView()
{
    return {"console",
            QT_TRANSLATE_NOOP("views", "Console"),
            "console",
            ViewDescriptor::Bottom,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new ConsoleView(session, parent); },
            false}; // session data: not in any file; a report has a log of its own
}

} // namespace tilewright::views

#include "console_view.moc"
