#include "views/properties/property_editor.h"

#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/properties/number_edit.h"
#include "views/properties/numbers_editor.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

namespace tilewright::views {

void PropertyEditor::adopt(QWidget *input)
{
    if (!layout()) {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(kGrid);
    }
    layout()->addWidget(input);
    setFocusProxy(input);
    input->installEventFilter(this);
}

bool PropertyEditor::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::FocusIn: emit focused(); break;
    case QEvent::FocusOut:
        if (static_cast<QFocusEvent *>(event)->reason() != Qt::PopupFocusReason) emit finished();
        break;
    case QEvent::Wheel:
        // Closed lists of choices ignore the wheel, so that a list of fields can be scrolled.
        if (!static_cast<QWidget *>(watched)->hasFocus()) {
            event->ignore();
            return true;
        }
        break;
    case QEvent::KeyPress: {
        int const key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            emit finished();
            return !qobject_cast<QComboBox *>(watched);
        }
        if (key == Qt::Key_Escape) {
            emit reverted();
            return true;
        }
        break;
    }
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void PropertyEditor::setRefused(bool refused)
{
    m_refused = refused;
    QPalette palette;
    if (refused) {
        palette.setColor(QPalette::Text, theme()[Token::Bad]);
        palette.setColor(QPalette::ButtonText, theme()[Token::Bad]);
    }
    input()->setPalette(refused ? palette : QPalette());
    QFont font = input()->font();
    font.setUnderline(refused); // not by colour alone
    input()->setFont(font);
}

namespace {

class CheckEditor : public PropertyEditor {
public:
    explicit CheckEditor(QWidget *parent) : PropertyEditor(parent), m_box(new QCheckBox(this))
    {
        adopt(m_box);
        static_cast<QHBoxLayout *>(layout())->addStretch();
        connect(m_box, &QCheckBox::clicked, this, [this] {
            m_box->setTristate(false);
            updateWord();
            emit chosen();
        });
    }
    QString text() const override
    {
        if (m_box->checkState() == Qt::PartiallyChecked) return {};
        return m_box->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
    }
    void show(QString const &text, bool varies) override
    {
        m_box->setTristate(varies);
        m_box->setCheckState(varies                                                               ? Qt::PartiallyChecked
                                 : text.compare(QStringLiteral("true"), Qt::CaseInsensitive) == 0 ? Qt::Checked
                                                                                                  : Qt::Unchecked);
        updateWord();
    }
    QWidget *input() const override { return m_box; }

private:
    void updateWord()
    {
        auto const state = m_box->checkState();
        m_box->setText(state == Qt::PartiallyChecked ? Words::tr("varies") : state == Qt::Checked ? Words::tr("yes") : Words::tr("no"));
    }
    QCheckBox *m_box;
};

class NumberEditor : public PropertyEditor {
public:
    NumberEditor(PropertySpec const &spec, QWidget *parent)
        : PropertyEditor(parent), m_edit(new NumberEdit(spec.kind == EditorKind::Integer, spec.min, spec.max, this)),
          m_none(spec.placeholder.isEmpty() ? Words::tr("none") : spec.placeholder), m_nullable(spec.nullable)
    {
        adopt(m_edit);
        m_edit->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_edit->setMinimumSize(0, fieldHeight());
        connect(m_edit, &NumberEdit::edited, this, &PropertyEditor::typed);
        connect(m_edit, &NumberEdit::stepped, this, &PropertyEditor::chosen);
    }
    QString text() const override
    {
        QString const text = m_edit->engineText();
        return text.isEmpty() && m_nullable && !m_varies ? QStringLiteral("null") : text;
    }
    void show(QString const &text, bool varies) override
    {
        m_varies = varies;
        bool const none = varies || (m_nullable && text == QStringLiteral("null"));
        m_edit->setPlaceholder(varies ? Words::tr("varies") : m_nullable ? m_none : QString());
        m_edit->setEngineText(none ? QString() : text);
    }
    QWidget *input() const override { return m_edit; }

private:
    NumberEdit *m_edit;
    QString m_none;
    bool m_nullable, m_varies = false;
};

class ChoiceEditor : public PropertyEditor {
public:
    ChoiceEditor(PropertySpec const &spec, QWidget *parent)
        : PropertyEditor(parent), m_box(new QComboBox(this)), m_choices(spec.choices), m_shown(spec.shown),
          m_open(spec.kind == EditorKind::OpenChoice)
    {
        for (auto const &choice : m_choices) m_box->addItem(choice.shown, choice.value);
        m_box->setEditable(m_open);
        m_box->setInsertPolicy(QComboBox::NoInsert);
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(4);
        m_box->setFocusPolicy(Qt::StrongFocus);
        m_box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_box->view()->setTextElideMode(Qt::ElideMiddle);
        adopt(m_box);
        connect(m_box, &QComboBox::activated, this, [this](int index) {
            if (m_open) m_box->setEditText(m_box->itemText(index));
            emit chosen();
        });
        if (m_open)
            connect(m_box, &QComboBox::editTextChanged, this, [this] {
                if (!m_quiet) emit typed();
            });
    }
    QString text() const override
    {
        if (m_open) {
            auto const at = std::ranges::find(m_choices, m_box->currentText(), &FieldChoice::shown);
            return at == m_choices.end() ? m_box->currentText() : at->value;
        }
        return m_box->currentIndex() < 0 ? QString() : m_box->currentData().toString();
    }
    void show(QString const &text, bool varies) override
    {
        m_quiet = true;
        if (m_open) {
            m_box->lineEdit()->setPlaceholderText(varies ? Words::tr("varies") : QString());
            auto const at = std::ranges::find(m_choices, text, &FieldChoice::value);
            m_box->setEditText(varies ? QString() : at != m_choices.end() ? at->shown : m_shown ? m_shown(text) : text);
        } else {
            int const known = static_cast<int>(m_choices.size());
            while (m_box->count() > known) m_box->removeItem(known);
            m_box->setPlaceholderText(varies ? Words::tr("varies") : QString());
            int at = varies ? -1 : m_box->findData(text);
            if (at < 0 && !varies) { // a value of another program: kept and shown unchanged
                m_box->addItem(text, text);
                at = m_box->count() - 1;
            }
            m_box->setCurrentIndex(at);
        }
        m_quiet = false;
    }
    QWidget *input() const override { return m_box; }

private:
    QComboBox *m_box;
    QList<FieldChoice> m_choices;
    std::function<QString(QString const &)> m_shown;
    bool m_open, m_quiet = false;
};

class LineEditor : public PropertyEditor {
public:
    LineEditor(PropertySpec const &spec, QWidget *parent)
        : PropertyEditor(parent), m_line(new QLineEdit(this)), m_placeholder(spec.placeholder), m_shown(spec.shown), m_stored(spec.stored),
          m_nullable(spec.nullable), m_structure(spec.kind == EditorKind::Structure)
    {
        adopt(m_line);
        if (spec.kind == EditorKind::Structure) m_line->setFont(monoFont());
        connect(m_line, &QLineEdit::textEdited, this, &PropertyEditor::typed);
    }
    QString text() const override
    {
        QString const typed = m_line->text();
        if (typed.trimmed().isEmpty() && !m_nothing.isEmpty()) return m_nothing;
        return m_stored ? m_stored(typed) : typed;
    }
    void show(QString const &text, bool varies) override
    {
        m_line->setPlaceholderText(varies ? Words::tr("varies") : m_placeholder);
        bool const nothing = (m_nullable && text == QLatin1String("null"))
            || (m_structure && (text == QLatin1String("null") || text == QLatin1String("{}") || text == QLatin1String("[]")));
        m_nothing = varies ? QString() : nothing ? text : m_nullable ? QStringLiteral("null") : QString();
        QString const shown = varies || nothing ? QString() : m_shown ? m_shown(text) : text;
        if (m_line->text() != shown) {
            m_line->setText(shown);
            m_line->setCursorPosition(0);
        }
    }
    QWidget *input() const override { return m_line; }

protected:
    QLineEdit *m_line;
    QString m_placeholder;

private:
    std::function<QString(QString const &)> m_shown, m_stored;
    bool m_nullable, m_structure;
    QString m_nothing; ///< the value that an empty line means: null, {} or []; "": the empty text
};

/// A line with a button for the file dialog. Files and folders can be dropped on it.
class PathEditor : public LineEditor {
public:
    PathEditor(PropertySpec const &spec, QWidget *parent) : LineEditor(spec, parent)
    {
        auto *button = new QToolButton(this);
        button->setText(QStringLiteral("…"));
        button->setToolTip(Words::tr("Choose a file or folder"));
        button->setAccessibleName(Words::tr("Choose a file or folder for %1").arg(spec.label));
        button->setPopupMode(QToolButton::MenuButtonPopup);
        auto *folder = new QAction(Words::tr("Choose a folder…"), button);
        button->addAction(folder);
        layout()->addWidget(button);
        m_line->setAcceptDrops(false); // the whole editor accepts the drop as a path
        setAcceptDrops(true);
        connect(button, &QToolButton::clicked, this,
                [this] { take(QFileDialog::getOpenFileName(window(), Words::tr("Choose a file"), m_line->text())); });
        connect(folder, &QAction::triggered, this,
                [this] { take(QFileDialog::getExistingDirectory(window(), Words::tr("Choose a folder"), m_line->text())); });
    }

protected:
    void dragEnterEvent(QDragEnterEvent *event) override
    {
        if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile()) event->acceptProposedAction();
    }
    void dropEvent(QDropEvent *event) override
    {
        take(event->mimeData()->urls().front().toLocalFile());
        event->acceptProposedAction();
    }

private:
    void take(QString const &path)
    {
        if (path.isEmpty()) return;
        m_line->setText(QDir::cleanPath(path));
        emit chosen();
    }
};

} // namespace

PropertyEditor *makeEditor(PropertySpec const &spec, QWidget *parent)
{
    switch (spec.kind) {
    case EditorKind::Check: return new CheckEditor(parent);
    case EditorKind::Integer:
    case EditorKind::Decimal: return new NumberEditor(spec, parent);
    case EditorKind::Numbers: return new NumbersEditor(spec, parent);
    case EditorKind::Choice:
    case EditorKind::OpenChoice: return new ChoiceEditor(spec, parent);
    case EditorKind::Path: return new PathEditor(spec, parent);
    case EditorKind::Text:
    case EditorKind::Structure: return new LineEditor(spec, parent);
    }
    return new LineEditor(spec, parent);
}

} // namespace tilewright::views
