#include "views/palette/palette_view.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/palette/palette_list.h"

#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/modeledit/document_edits.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace tilewright::views {

namespace {

class PaletteView : public View {
    Q_OBJECT
public:
    PaletteView(Session &session, QWidget *parent);
    void startSearch() override
    {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    }

protected:
    void refresh() override;
    void follow() override;
    void restyle() override { m_list->restyle(); }
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void add(QString const &className);
    void filter();
    QLineEdit *m_search = nullptr;
    PaletteList *m_list = nullptr;
    QLabel *m_said = nullptr;
};

PaletteView::PaletteView(Session &session, QWidget *parent) : View(QStringLiteral("palette"), session, parent)
{
    setDependsOn(false, true, false);
    auto *body = new QWidget(this);
    m_search = new QLineEdit(body);
    m_search->setPlaceholderText(tr("Search layers"));
    m_search->setAccessibleName(tr("Search layers"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list = new PaletteList(body);
    m_said = new QLabel(body);
    m_said->setWordWrap(true);
    m_said->setFont(uiFont(TextSize::Caption));
    m_said->setProperty("role", "secondary");
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    column->addWidget(m_said);
    setBody(body);
    connect(m_search, &QLineEdit::textChanged, this, &PaletteView::filter);
    connect(m_list, &PaletteList::chosen, this, &PaletteView::add);
}

void PaletteView::refresh()
{
    if (!session().document().isOpen()) {
        setHeadline({});
        setState({ViewState::Empty, tr("Open a project to build its model from layers."), {}, {}});
        return;
    }
    setState({});
    follow();
    if (m_said->text().isEmpty()) filter(); // otherwise it still shows the result of the last edit
}

void PaletteView::follow()
{
    if (!session().document().isOpen()) return;
    std::string const selected = insertionPoint(session());
    std::string const after = selected.empty() ? lastLayer(session().document().project().model) : selected;
    setHeadline(after.empty() ? tr("Adds the first layer") : tr("Adds after %1").arg(QString::fromStdString(after)));
}

void PaletteView::filter()
{
    int const shown = m_list->filter(m_search->text());
    m_said->setText(shown == m_list->classes() ? tr("%n class(es). Drag one onto the canvas.", nullptr, shown)
                        : shown == 0           ? tr("No layer fits “%1”.").arg(m_search->text())
                                               : tr("%1 of %2 classes").arg(shown).arg(m_list->classes()));
}

void PaletteView::add(QString const &className)
{
    auto const outcome = addStarterLayer(session(), className, this);
    QString const added = outcome.layers.empty() ? QString() : QString::fromStdString(outcome.layers.back());
    m_said->setText(outcome.done() ? (outcome.note.isEmpty() ? tr("Added %1.").arg(added) : outcome.note) : outcome.refusal);
}

bool PaletteView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        int const key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Down) {
            m_list->setFocus();
            if (!m_list->currentItem() || PaletteList::classOf(m_list->currentItem()).isEmpty()) m_list->filter(m_search->text());
            return true;
        }
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !PaletteList::classOf(m_list->currentItem()).isEmpty()) {
            add(PaletteList::classOf(m_list->currentItem()));
            return true;
        }
    }
    return View::eventFilter(watched, event);
}

} // namespace

ViewDescriptor paletteView()
{
    return {"palette",
            QT_TRANSLATE_NOOP("views", "Layers"),
            "layers",
            ViewDescriptor::Left,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new PaletteView(session, parent); },
            false}; // available classes, independent of the file
}

} // namespace tilewright::views

#include "palette_view.moc"
