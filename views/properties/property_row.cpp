#include "views/properties/property_row.h"

#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/properties/field_note.h"
#include "views/properties/property_editor.h"
#include "views/widgets/elided_label.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace tilewright::views {

namespace {

/// The mark of a changed value: a dot, and words for screen readers.
class Dot : public QWidget {
public:
    explicit Dot(QWidget *parent) : QWidget(parent) { setFixedSize(3 * kGrid, 3 * kGrid); }
    bool on = false;

protected:
    void paintEvent(QPaintEvent *) override
    {
        if (!on) return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme()[Token::Accent]);
        painter.drawEllipse(QPointF(width() / 2.0, height() / 2.0), kGrid * 0.75, kGrid * 0.75);
    }
};

/// A number field is as wide as its digits need, however wide the window is.
int widestEditor(EditorKind kind)
{
    switch (kind) {
    case EditorKind::Check:
    case EditorKind::Integer:
    case EditorKind::Decimal: return 50 * kGrid;
    case EditorKind::Numbers:
    case EditorKind::Choice:
    case EditorKind::OpenChoice: return 100 * kGrid;
    case EditorKind::Text:
    case EditorKind::Path:
    case EditorKind::Structure: return 140 * kGrid;
    }
    return QWIDGETSIZE_MAX;
}

} // namespace

PropertyRow::PropertyRow(PropertySpec spec, QWidget *parent)
    : QWidget(parent), m_spec(std::move(spec)), m_grid(new QGridLayout(this)), m_dot(new Dot(this)), m_field(new QWidget(this)),
      m_label(new ElidedLabel(m_spec.label, this)), m_note(new ElidedLabel({}, this)), m_editor(makeEditor(m_spec, m_field)),
      m_reset(new QToolButton(this)), m_message(new QLabel(this)), m_fieldNote(new FieldNote(*this))
{
    m_grid->setContentsMargins(0, 1, 0, 1);
    m_grid->setHorizontalSpacing(kGrid);
    m_grid->setVerticalSpacing(1);
    auto *line = new QHBoxLayout(m_field);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kGap);
    m_editor->setMaximumWidth(widestEditor(m_spec.kind));
    line->addWidget(m_editor, 1000);
    line->addWidget(m_note);
    line->addStretch(1);
    m_label->setBuddy(m_editor->input());
    m_label->setBreaks();
    describe();

    QStringList notes;
    if (!m_spec.unit.isEmpty()) notes << m_spec.unit;
    if (!m_spec.deprecated.isEmpty()) notes << tr("deprecated");
    if (!m_spec.note.isEmpty()) notes << m_spec.note;
    m_note->setText(notes.join(QStringLiteral(" · ")));
    m_note->setVisible(!notes.isEmpty());
    m_reset->setAutoRaise(true);
    m_reset->setFocusPolicy(Qt::TabFocus);
    m_reset->setAccessibleName(tr("Reset %1 to its default").arg(m_spec.label));
    m_reset->setToolTip(tr("Back to the default"));
    m_reset->setText(QStringLiteral("↺"));
    QSizePolicy keep = m_reset->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(keep);
    m_reset->hide();
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->hide();
    connect(m_reset, &QToolButton::clicked, this, &PropertyRow::resetWanted);
    connect(m_editor, &PropertyEditor::focused, this, &PropertyRow::helpWanted);
    m_editor->input()->installEventFilter(this);
    for (auto *text : m_editor->findChildren<QLineEdit *>()) text->installEventFilter(this);
    restyle();
    arrange(false, labelWidth());
}

PropertyRow::~PropertyRow() { delete m_fieldNote; }

void PropertyRow::describe()
{
    setProperty("helpSubject", m_spec.path); // the help page for F1
    QString const facts = factsText(m_spec);
    QString tip =
        QStringLiteral("<b>%1</b><br>%2<br>%3").arg(m_spec.path.toHtmlEscaped(), m_spec.help.toHtmlEscaped(), facts.toHtmlEscaped());
    if (!m_spec.deprecated.isEmpty()) tip += QStringLiteral("<br>") + tr("Deprecated: %1").arg(m_spec.deprecated).toHtmlEscaped();
    setToolTip(tip);
    m_editor->input()->setAccessibleName(m_spec.group.isEmpty() ? m_spec.label : tr("%1, %2").arg(m_spec.label, m_spec.group));
    m_editor->input()->setAccessibleDescription(m_spec.help + QLatin1Char(' ') + facts);
}

void PropertyRow::take(PropertySpec spec)
{
    m_spec = std::move(spec);
    m_shownOnce = false;
    setRefusal({});
    setProblem({}, false);
    setHint({});
    describe();
}

void PropertyRow::arrange(bool stacked, int labelWidth)
{
    int const key = stacked ? 0 : labelWidth;
    if (key == m_arranged) return;
    m_arranged = key;
    for (QWidget *each : std::initializer_list<QWidget *>{m_dot, m_label, m_field, m_reset, m_message}) m_grid->removeWidget(each);
    auto *line = static_cast<QHBoxLayout *>(m_field->layout());
    m_grid->removeWidget(m_note);
    line->removeWidget(m_note);
    m_label->setMinimumWidth(stacked ? 0 : labelWidth);
    m_label->setMaximumWidth(stacked ? QWIDGETSIZE_MAX : labelWidth);
    m_grid->addWidget(m_dot, 0, 0);
    if (stacked) {
        m_grid->addWidget(m_label, 0, 1);
        m_grid->addWidget(m_note, 0, 2, Qt::AlignTrailing);
        m_grid->addWidget(m_reset, 0, 3);
        m_grid->addWidget(m_field, 1, 1, 1, 3);
        m_grid->setColumnStretch(1, 3);
        m_grid->setColumnStretch(2, 2);
    } else {
        m_grid->addWidget(m_label, 0, 1);
        m_grid->addWidget(m_field, 0, 2);
        line->insertWidget(1, m_note);
        m_grid->addWidget(m_reset, 0, 3);
        m_grid->setColumnStretch(1, 0);
        m_grid->setColumnStretch(2, 1);
    }
    m_grid->addWidget(m_message, 3, 1, 1, 3);
}

/// During typing, undo and redo belong to the field's text; an applied value is an undo step of the project.
bool PropertyRow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride || isPending()) return QWidget::eventFilter(watched, event);
    auto const *key = static_cast<QKeyEvent *>(event);
    if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo)) return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

int PropertyRow::labelWidth() const { return m_label->wholeWidth(); }

bool PropertyRow::isPending() const { return m_shownOnce && m_editor->text() != m_base; }
bool PropertyRow::isRefused() const { return !m_refusal.isEmpty(); }
QString PropertyRow::pendingText() const { return m_editor->text(); }

void PropertyRow::setValue(PropertyValue const &value)
{
    bool const same = m_shownOnce && value == m_value;
    m_changed = views::isChanged(m_spec, value);
    static_cast<Dot *>(m_dot)->on = m_changed;
    m_dot->update();
    m_dot->setAccessibleName(m_changed ? tr("changed") : QString());
    m_reset->setVisible(m_changed || (m_spec.hasDefault && isRefused()));
    setEnabled(value.exists);
    if (same && isPending()) return; // a person is typing
    m_value = value;
    m_editor->show(value.text, value.varies);
    m_base = m_editor->text();
    m_shownOnce = true;
    setRefusal({});
}

void PropertyRow::dropPending()
{
    m_editor->show(m_value.text, m_value.varies);
    m_base = m_editor->text();
    setRefusal({});
}

void PropertyRow::setRefusal(QString const &why)
{
    if (m_refusal == why && m_editor->isRefused() == !why.isEmpty()) return;
    m_refusal = why;
    m_editor->setRefused(!why.isEmpty());
    m_reset->setVisible(m_changed || (m_spec.hasDefault && !why.isEmpty()));
    updateMessage();
}

void PropertyRow::setProblem(QString const &text, bool error)
{
    if (m_problem == text && m_problemIsError == error) return;
    m_problem = text;
    m_problemIsError = error;
    updateMessage();
}

void PropertyRow::setHint(QString const &text)
{
    m_hint = text;
    updateMessage();
}

QString PropertyRow::message() const { return isRefused() ? tr("Not applied. %1").arg(m_refusal) : m_problem; }
QString PropertyRow::hint() const { return m_hint; }

void PropertyRow::updateMessage()
{
    QString const text = message();
    m_message->setText(m_problem);
    m_message->setAccessibleName(m_problem);
    QPalette palette = m_message->palette();
    palette.setColor(QPalette::WindowText, theme()[m_problemIsError ? Token::Bad : Token::Text]);
    m_message->setPalette(palette);
    m_message->setVisible(!m_problem.isEmpty());
    m_fieldNote->setTexts(isRefused() ? text : QString(), m_hint); // while somebody types, nothing below moves
    m_editor->input()->setAccessibleDescription(text.isEmpty() ? m_spec.help + QLatin1Char(' ') + factsText(m_spec) : text);
}

bool PropertyRow::matches(QStringList const &words) const
{
    for (auto const &word : words)
        if (!m_spec.path.contains(word, Qt::CaseInsensitive) && !m_spec.label.contains(word, Qt::CaseInsensitive)
            && !m_spec.help.contains(word, Qt::CaseInsensitive) && !m_spec.group.contains(word, Qt::CaseInsensitive)
            && !m_spec.note.contains(word, Qt::CaseInsensitive) && !m_value.text.contains(word, Qt::CaseInsensitive))
            return false;
    return true;
}

void PropertyRow::restyle()
{
    m_note->setToken(Token::SecondaryText);
    m_note->setFont(uiFont(TextSize::Caption));
    m_fieldNote->restyle();
    m_message->setFont(uiFont(TextSize::Caption));
    QIcon const reset = icon(QStringLiteral("reset"), Token::SecondaryText);
    if (!reset.isNull()) m_reset->setIcon(reset);
    m_editor->setRefused(isRefused());
    updateMessage();
}

void PropertyRow::enterEvent(QEnterEvent *event)
{
    emit helpWanted();
    QWidget::enterEvent(event);
}

void PropertyRow::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    auto *reset = menu.addAction(tr("Reset to default"), this, &PropertyRow::resetWanted);
    reset->setEnabled(m_spec.hasDefault && (m_changed || isRefused()));
    menu.addAction(tr("Copy value"), this, [this] { QGuiApplication::clipboard()->setText(m_value.text); });
    menu.addAction(tr("Copy all values"), this, &PropertyRow::copyAllWanted);
    menu.addAction(tr("Paste values"), this, &PropertyRow::pasteWanted);
    menu.addAction(tr("Copy path"), this, [this] { QGuiApplication::clipboard()->setText(m_spec.path); });
    menu.exec(event->globalPos());
}

} // namespace tilewright::views
