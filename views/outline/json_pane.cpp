#include "views/outline/json_pane.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/outline/json_text.h"

#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/modeledit/document_edits.h"
#include "views/session/session.h"

#include "engine/model/keras_json.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextBlock>

namespace tilewright::views {

/// Colours keys, strings, numbers and words of JSON with tokens of the theme.
class JsonHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(QString const &text) override
    {
        static QRegularExpression const piece(
            QStringLiteral("(\"(?:[^\"\\\\]|\\\\.)*\")(\\s*:)?|(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|\\b(true|false|null)\\b"));
        auto all = piece.globalMatch(text);
        while (all.hasNext()) {
            auto const match = all.next();
            QTextCharFormat format;
            Token token = Token::FamilyRegularization;
            if (match.hasCaptured(2)) token = Token::Forward;
            else if (match.hasCaptured(1)) token = Token::Good;
            else if (match.hasCaptured(3)) token = Token::Text;
            format.setForeground(theme()[token]);
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
        }
    }
};

JsonPane::JsonPane(Session &session, QObject *view, QWidget *parent) : QWidget(parent), m_session(session), m_view(view)
{
    m_edit = new QPlainTextEdit(this);
    m_edit->setFont(monoFont());
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->setTabChangesFocus(true);
    m_edit->setAccessibleName(tr("Keras JSON of the model"));
    m_highlighter = new JsonHighlighter(m_edit->document());
    m_message = new QLabel(this);
    m_message->setWordWrap(true);
    m_message->setFont(uiFont(TextSize::Caption));
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_apply = new QPushButton(tr("Apply"), this);
    m_apply->setToolTip(tr("Make this the model; can be undone"));
    m_reset = new QPushButton(tr("Reset"), this);
    m_reset->setToolTip(tr("Show the model as it is"));
    auto *row = new QHBoxLayout;
    row->addWidget(m_apply);
    row->addWidget(m_reset);
    row->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_edit, 1);
    column->addWidget(m_message);
    column->addLayout(row);
    connect(m_apply, &QPushButton::clicked, this, &JsonPane::apply);
    connect(m_reset, &QPushButton::clicked, this, &JsonPane::reset);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        if (m_loading) return;
        updateButtons();
        say({}, false);
    });
    updateButtons();
}

QString JsonPane::message() const { return m_message->text(); }

void JsonPane::refresh()
{
    bool const edited = m_edit->toPlainText() != m_shown;
    QString const now = m_session.document().isOpen() ? modelJsonText(m_session.document().project().model) : QString();
    if (now == m_shown) return;
    m_shown = now;
    if (edited) {
        say(tr("The model has changed meanwhile: Apply replaces it, Reset shows it."), false);
        updateButtons();
    } else {
        reset();
    }
}

void JsonPane::reset()
{
    m_loading = true;
    int const scrolled = m_edit->document()->isEmpty() ? 0 : m_edit->cursorForPosition({0, 0}).blockNumber();
    m_edit->setPlainText(m_shown);
    QTextCursor cursor(m_edit->document()->findBlockByNumber(scrolled));
    m_edit->setTextCursor(cursor);
    m_loading = false;
    say({}, false);
    updateButtons();
    showLayer(m_layer);
}

void JsonPane::updateButtons()
{
    bool const edited = m_edit->toPlainText() != m_shown;
    m_apply->setEnabled(edited);
    m_reset->setEnabled(edited);
}

void JsonPane::say(QString const &text, bool wrong)
{
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
    QPalette colors = m_message->palette();
    colors.setColor(QPalette::WindowText, theme()[wrong ? Token::Bad : Token::SecondaryText]);
    m_message->setPalette(colors);
}

void JsonPane::apply()
{
    QString const text = m_edit->toPlainText();
    auto const model = model::parseKerasJson(text.toStdString(), "model");
    if (!model.ok()) {
        QString said = diagnosticSentences(model.error());
        if (auto const place = placeOfProblem(text, model.error())) {
            said = tr("Line %1, column %2: %3").arg(place->line).arg(place->column).arg(said);
            QTextCursor cursor(m_edit->document());
            cursor.setPosition(place->position);
            m_edit->setTextCursor(cursor);
            m_edit->centerCursor();
            m_edit->setFocus();
            QTextEdit::ExtraSelection line;
            line.cursor = cursor;
            QColor tint = theme()[Token::Bad];
            tint.setAlphaF(0.2f);
            line.format.setBackground(tint);
            line.format.setProperty(QTextFormat::FullWidthSelection, true);
            m_edit->setExtraSelections({line});
        }
        return say(said, true);
    }
    auto const outcome = editModel(
        m_session, tr("Edit JSON"),
        [&](model::Model const &) -> Result<ModelEdit> {
            return ModelEdit{*model, {}, {}};
        },
        m_view);
    if (!outcome.done()) return say(outcome.refusal, true);
    m_shown = modelJsonText(m_session.document().project().model);
    reset();
    say(tr("Applied."), false);
}

void JsonPane::showLayer(QString const &layer)
{
    m_layer = layer;
    m_edit->setExtraSelections({});
    auto const place = layer.isEmpty() ? std::nullopt : placeOfLayer(m_edit->toPlainText(), layer);
    if (!place) return;
    QTextEdit::ExtraSelection entry;
    entry.cursor = QTextCursor(m_edit->document());
    entry.cursor.setPosition(place->position);
    // From its brace to the closing one.
    QString const text = m_edit->toPlainText();
    int depth = 0;
    int end = place->position;
    for (bool quoted = false; end < text.size(); ++end) {
        QChar const c = text[end];
        if (quoted && c == u'\\') ++end;
        else if (c == u'"') quoted = !quoted;
        else if (!quoted && c == u'{') ++depth;
        else if (!quoted && c == u'}' && --depth == 0) break;
    }
    entry.cursor.setPosition(std::min(end + 1, static_cast<int>(text.size())), QTextCursor::KeepAnchor);
    QColor tint = theme()[Token::Accent];
    tint.setAlphaF(0.14f);
    entry.format.setBackground(tint);
    m_edit->setExtraSelections({entry});
    if (m_edit->hasFocus()) return; // no change under the person's cursor
    QTextCursor there(m_edit->document());
    there.setPosition(place->position);
    m_edit->setTextCursor(there);
    m_edit->centerCursor();
}

void JsonPane::restyle()
{
    m_edit->setFont(monoFont());
    m_highlighter->rehighlight();
    showLayer(m_layer);
}

} // namespace tilewright::views
