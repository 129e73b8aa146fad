#include "views/help/help_view.h"

#include "views/common/icons.h"
#include "views/document/document.h"
#include "views/help/help_link.h"
#include "views/help/help_style.h"
#include "views/help/hit_delegate.h"
#include "views/session/run_commands.h"
#include "views/session/selection.h"

#include "resources/resources.h"

#include <QCheckBox>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMessageBox>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QUrl>

namespace tilewright::views {

namespace {

constexpr int kMostHits = 60;

/// Folder of resources/help for the program's language; if it does not exist, the library uses English.
QString helpLanguage() { return QLocale().name().section(QLatin1Char('_'), 0, 0); }

QToolButton *barButton(QString const &iconName, QString const &name, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    button->setIconSize({kIconSize, kIconSize});
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    return button;
}

} // namespace

HelpView::HelpView(Session &session, QWidget *parent) : View(QStringLiteral("help"), session, parent)
{
    setDependsOn(false, false, false);
    m_browser = new QTextBrowser(this);
    m_browser->setOpenLinks(false);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setAccessibleName(tr("Help page"));
    m_browser->installEventFilter(this);
    m_hits = new QListWidget(this);
    m_hits->setItemDelegate(new HitDelegate(m_hits));
    m_hits->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hits->setFrameShape(QFrame::NoFrame);
    m_hits->setAccessibleName(tr("Pages found"));
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_browser);
    m_stack->addWidget(m_hits);

    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(makeBar());
    column->addWidget(m_stack, 1);
    column->addWidget(makeLessonBar());
    setBody(body);

    connect(m_browser, &QTextBrowser::anchorClicked, this, &HelpView::followLink);
    connect(m_browser, &QTextBrowser::highlighted, this,
            [this](QUrl const &link) { underlineLinks(*m_browser->document(), link.toString()); });
    connect(m_hits, &QListWidget::itemActivated, this, [this] { openHit(m_hits->currentRow()); });
    connect(m_hits, &QListWidget::itemClicked, this, [this] { openHit(m_hits->currentRow()); });
    connect(&session, &Session::helpRequested, this, &HelpView::openPage);
}

HelpView::~HelpView() = default;

QWidget *HelpView::makeBar()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(kGap, 0, kGap, 0);
    row->setSpacing(kGrid);
    bool const mirrored = isRightToLeft();
    m_back = barButton(mirrored ? QStringLiteral("forward") : QStringLiteral("back"), tr("Back (Backspace)"), bar);
    m_forward = barButton(mirrored ? QStringLiteral("back") : QStringLiteral("forward"), tr("Forward"), bar);
    m_home = barButton(QStringLiteral("home"), tr("Contents"), bar);
    m_search = new QLineEdit(bar);
    m_search->setPlaceholderText(tr("Search the help"));
    m_search->setAccessibleName(tr("Search the help"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    row->addWidget(m_back);
    row->addWidget(m_forward);
    row->addWidget(m_home);
    row->addWidget(m_search, 1);
    connect(m_back, &QToolButton::clicked, this, &HelpView::goBack);
    connect(m_forward, &QToolButton::clicked, this, &HelpView::goForward);
    connect(m_home, &QToolButton::clicked, this, [this] { openPage(QStringLiteral("index:home")); });
    connect(m_search, &QLineEdit::textChanged, this, &HelpView::showHits);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { openHit(std::max(0, m_hits->currentRow())); });
    return bar;
}

QWidget *HelpView::makeLessonBar()
{
    m_lessonBar = new QWidget(this);
    auto *row = new QHBoxLayout(m_lessonBar);
    row->setContentsMargins(kGap, 0, kGap, kGrid);
    m_previous = barButton(isRightToLeft() ? QStringLiteral("forward") : QStringLiteral("back"), tr("Previous lesson"), m_lessonBar);
    m_next = barButton(isRightToLeft() ? QStringLiteral("back") : QStringLiteral("forward"), tr("Next lesson"), m_lessonBar);
    m_done = new QCheckBox(tr("Done"), m_lessonBar);
    m_done->setAccessibleDescription(tr("Marks this lesson as done in the list of lessons"));
    row->addWidget(m_previous);
    row->addStretch(1);
    row->addWidget(m_done);
    row->addStretch(1);
    row->addWidget(m_next);
    m_lessonBar->hide();
    connect(m_previous, &QToolButton::clicked, this, [this] { nextLesson(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { nextLesson(+1); });
    connect(m_done, &QCheckBox::clicked, this, [this](bool done) { m_progress.setDone(currentPage(), done); });
    return m_lessonBar;
}

void HelpView::load()
{
    auto const language = helpLanguage();
    if (language == m_language) return;
    initResources();
    m_library = HelpLibrary::load(language);
    m_language = language;
}

void HelpView::refresh()
{
    load();
    if (m_at < 0) visit(QStringLiteral("index:home"));
}

void HelpView::restyle()
{
    if (m_at < 0) return;
    load(); // the language can have changed
    display({currentPage(), m_browser->verticalScrollBar()->value()});
}

void HelpView::openPage(QString const &wanted)
{
    load();
    auto const id = m_library.resolve(wanted);
    if (!id.isEmpty()) {
        visit(id);
        return;
    }
    if (m_at < 0) visit(QStringLiteral("index:home"));
    m_search->setText(wanted.section(QLatin1Char(':'), -1));
}

QString HelpView::currentPage() const { return m_at < 0 ? QString() : m_visited[m_at].page; }

void HelpView::visit(QString const &pageId)
{
    m_search->clear();
    if (pageId == currentPage()) {
        m_stack->setCurrentWidget(m_browser);
        return;
    }
    if (m_at >= 0) m_visited[m_at].scroll = m_browser->verticalScrollBar()->value();
    m_visited.resize(m_at + 1);
    m_visited.append({pageId, 0});
    ++m_at;
    display(m_visited[m_at]);
}

void HelpView::goBack()
{
    if (m_at <= 0) return;
    m_visited[m_at].scroll = m_browser->verticalScrollBar()->value();
    display(m_visited[--m_at]);
}

void HelpView::goForward()
{
    if (m_at + 1 >= m_visited.size()) return;
    m_visited[m_at].scroll = m_browser->verticalScrollBar()->value();
    display(m_visited[++m_at]);
}

QString HelpView::pageMarkdown(HelpPage const &page) const
{
    // The headline above already shows the title.
    auto markdown =
        page.markdown.startsWith(QLatin1String("# ")) ? page.markdown.mid(page.markdown.indexOf(QLatin1Char('\n')) + 1) : page.markdown;
    if (page.id != QLatin1String("index:lessons") && page.id != QLatin1String("index:home")) return markdown;
    for (auto const &lesson : m_progress.done())
        markdown.replace(QStringLiteral("](%1)").arg(lesson), QStringLiteral("](%1) ✓").arg(lesson));
    return markdown;
}

void HelpView::display(Visited const &place)
{
    auto const *page = m_library.find(place.page);
    if (!page) return; // saved by another version, or not in this language
    m_browser->document()->setMarkdown(pageMarkdown(*page));
    styleHelpDocument(*m_browser->document());
    m_stack->setCurrentWidget(m_browser);
    m_browser->verticalScrollBar()->setValue(place.scroll);
    setHeadline(page->id == QLatin1String("index:home") ? tr("What is this, and how do I use it?") : page->title);
    updateBars();
}

void HelpView::updateBars()
{
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_visited.size());
    auto const lessons = m_library.idsOfKind(QStringLiteral("lesson"));
    auto const at = lessons.indexOf(currentPage());
    m_lessonBar->setVisible(at >= 0);
    m_previous->setEnabled(at > 0);
    m_next->setEnabled(at >= 0 && at + 1 < lessons.size());
    m_done->setChecked(m_progress.isDone(currentPage()));
}

void HelpView::nextLesson(int direction)
{
    auto const lessons = m_library.idsOfKind(QStringLiteral("lesson"));
    auto const next = lessons.indexOf(currentPage()) + direction;
    if (next >= 0 && next < lessons.size()) visit(lessons[next]);
}

void HelpView::followLink(QUrl const &link)
{
    auto const action = parseHelpLink(link.toString());
    switch (action.kind) {
    case HelpLink::Page: openPage(action.name); break;
    case HelpLink::ShowView: emit session().viewRequested(action.name); break;
    case HelpLink::OpenTemplate: openTemplate(action.name); break;
    case HelpLink::Compile:
        emit session().viewRequested(QStringLiteral("compile"));
        perform(RunCommand::Compile, session());
        break;
    case HelpLink::Train: perform(RunCommand::Run, session()); break;
    case HelpLink::SelectTile: session().selection().selectIds(SelectionKind::Tile, {action.name.toInt()}, this); break;
    case HelpLink::SelectLayer: session().selection().selectLayer(action.name, this); break;
    case HelpLink::Broken: break;
    }
}

void HelpView::openTemplate(QString const &name)
{
    auto &document = session().document();
    if (document.isOpen() && document.isModified()
        && QMessageBox::question(this, tr("New project"),
                                 tr("“%1” has changes that are not saved. Leave them and make the lesson's project?").arg(document.title()),
                                 QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel)
            != QMessageBox::Discard)
        return;
    if (auto const made = document.openTemplate(name); !made.ok()) {
        session().raiseError(made.error());
        return;
    }
    emit session().viewRequested(QStringLiteral("canvas"));
}

void HelpView::showHits(QString const &query)
{
    m_hits->clear();
    if (query.trimmed().isEmpty()) {
        m_stack->setCurrentWidget(m_browser);
        return;
    }
    load();
    auto const hits = m_library.search(query);
    for (auto const &hit : hits) {
        if (m_hits->count() == kMostHits) break;
        auto const &page = m_library.pages()[hit.page];
        auto *item = new QListWidgetItem(page.title, m_hits);
        item->setData(HitDelegate::ExcerptRole, hit.excerpt);
        item->setData(Qt::AccessibleDescriptionRole, hit.excerpt);
        item->setData(Qt::UserRole, page.id);
    }
    if (hits.isEmpty()) {
        auto *item = new QListWidgetItem(tr("Nothing in the help has all of these words."), m_hits);
        item->setFlags(Qt::NoItemFlags);
    } else {
        m_hits->setCurrentRow(0);
    }
    m_stack->setCurrentWidget(m_hits);
}

void HelpView::openHit(int row)
{
    auto const *item = m_hits->item(row);
    if (auto const id = item ? item->data(Qt::UserRole).toString() : QString(); !id.isEmpty()) visit(id);
}

bool HelpView::eventFilter(QObject *watched, QEvent *event)
{
    // Up and Down in the search line move through the results; Escape ends the search.
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        auto const key = static_cast<QKeyEvent *>(event)->key();
        int const step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (step != 0 && m_stack->currentWidget() == m_hits) {
            m_hits->setCurrentRow(std::clamp(m_hits->currentRow() + step, 0, std::max(0, m_hits->count() - 1)));
            return true;
        }
        if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
            m_search->clear();
            return true;
        }
    }
    if (watched == m_browser && event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Backspace) {
        goBack();
        return true;
    }
    return View::eventFilter(watched, event);
}

QJsonObject HelpView::saveState() const { return {{QStringLiteral("page"), currentPage()}}; }

void HelpView::restoreState(QJsonObject const &state)
{
    auto const page = state.value(QStringLiteral("page")).toString();
    if (page.isEmpty()) return;
    load();
    if (m_library.find(page)) visit(page);
}

void HelpView::startSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

ViewDescriptor helpView()
{
    return {"help",
            QT_TRANSLATE_NOOP("views", "Help"),
            "help",
            ViewDescriptor::Right,
            QKeySequence(QStringLiteral("F1")),
            [](Session &session, QWidget *parent) -> View * { return new HelpView(session, parent); },
            false}; // interface state: not in any file
}

} // namespace tilewright::views
