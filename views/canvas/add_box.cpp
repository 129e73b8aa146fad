#include "views/canvas/add_box.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/modeledit/document_edits.h"
#include "views/modeledit/layer_phrase.h"
#include "views/modeledit/model_graph.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kMostRows = 8;

} // namespace

AddBox::AddBox(QWidget *host) : QWidget(host), m_host(host)
{
    m_edit = new QLineEdit(this);
    m_edit->setPlaceholderText(tr("Type a layer: dense 128 relu"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setAccessibleName(tr("Add layers by typing"));
    m_edit->setToolTip(tr("A layer with its arguments, like “dense 128 relu”, “dropout 0.5” or “dense 64 relu x3 > dense 10 softmax”. "
                          "Enter adds it after the selected layer."));
    m_status = new QLabel(this);
    m_status->setFont(uiFont(TextSize::Caption));
    m_status->setWordWrap(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_edit);
    column->addWidget(m_status);

    m_list = new QListWidget(host);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setAccessibleName(tr("Completions"));
    m_list->hide();
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &AddBox::updateState);
    connect(m_edit, &QLineEdit::textEdited, this, &AddBox::updateCompletions);
    connect(m_list, &QListWidget::itemClicked, this, [this] { takeCompletion(); });
}

void AddBox::setPlace(QString const &after, Shape const &input)
{
    m_after = after;
    m_input = input;
    m_edit->setPlaceholderText(after.isEmpty() ? tr("Type a layer: input 28 28")
                                               : tr("Type a layer to add after %1: dense 128 relu").arg(after));
    if (!m_edit->text().isEmpty()) updateState();
}

void AddBox::start(QString const &text)
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    if (!text.isEmpty()) {
        m_edit->setText(text);
        m_edit->setCursorPosition(static_cast<int>(text.size()));
    }
    m_edit->selectionLength() > 0 ? void() : m_edit->end(false);
    updateCompletions();
}

void AddBox::showRefusal(QString const &why) { say(why, true); }

void AddBox::done()
{
    m_edit->setText({}); // also clears the field's undo list
    m_list->hide();
    say({}, false);
}

QString AddBox::status() const { return m_status->text(); }

void AddBox::say(QString const &text, bool wrong)
{
    m_wrong = wrong;
    m_status->setText(text);
    m_status->setVisible(!text.isEmpty());
    QPalette colors = m_status->palette();
    colors.setColor(QPalette::WindowText, theme()[wrong ? Token::Bad : Token::SecondaryText]);
    m_status->setPalette(colors);
    m_edit->setAccessibleDescription(text);
}

void AddBox::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange && m_status) say(m_status->text(), m_wrong);
}

void AddBox::updateState()
{
    QString const text = m_edit->text();
    if (text.trimmed().isEmpty()) return say({}, false);
    auto const layers = parseLayerPhrase(text);
    if (!layers.ok()) {
        // During typing the signature is more useful than the message that the word is incomplete.
        bool const missing = layers.error().code == "edit.missing-argument";
        bool const typing = !text.back().isSpace() && !completeLayerPhrase(text, 1).empty();
        return missing || typing ? say(phraseSignature(text), false) : say(diagnosticSentences(layers.error()), true);
    }
    Shape shape = m_input;
    std::int64_t parameters = 0;
    for (auto const &layer : *layers) {
        LayerInfo const info = layerBehind(layer, shape);
        shape = info.shape;
        parameters += info.parameters;
    }
    QString what = QString::fromStdString(layers->front().className);
    if (layers->size() > 1) what = tr("%n layer(s)", nullptr, static_cast<int>(layers->size()));
    QString const where = m_after.isEmpty() ? tr("Enter adds %1").arg(what) : tr("Enter adds %1 after %2").arg(what, m_after);
    if (shape.empty()) return say(where, false);
    say(tr("%1: output %2, %3 parameter(s)", nullptr, pluralOf(parameters)).arg(where, shapeText(shape), countText(parameters)), false);
}

void AddBox::updateCompletions()
{
    m_list->clear();
    QString const text = m_edit->text();
    if (!text.isEmpty())
        for (auto const &completion : completeLayerPhrase(text)) {
            auto *item = new QListWidgetItem(QStringLiteral("%1   %2").arg(completion.word, completion.hint), m_list);
            item->setData(Qt::UserRole, completion.line);
            item->setToolTip(completion.hint);
        }
    // A complete word needs no completion list.
    bool const done = m_list->count() == 1 && m_list->item(0)->data(Qt::UserRole).toString().trimmed() == text.trimmed();
    if (m_list->count() == 0 || done) {
        m_list->hide();
        return;
    }
    int const rows = std::min(kMostRows, m_list->count());
    int const height = rows * m_list->sizeHintForRow(0) + 2 * m_list->frameWidth();
    QPoint const top = mapTo(m_host, QPoint(0, 0));
    m_list->setGeometry(top.x(), std::max(0, top.y() - height - 2), width(), std::min(height, std::max(0, top.y() - 2)));
    m_list->setCurrentRow(-1);
    m_list->raise();
    m_list->show();
}

void AddBox::takeCompletion()
{
    if (auto const *item = m_list->currentItem()) m_edit->setText(item->data(Qt::UserRole).toString());
    m_list->hide();
    m_edit->setFocus();
    if (m_edit->text().endsWith(u' ')) updateCompletions();
}

void AddBox::commit()
{
    m_list->hide();
    if (m_edit->text().trimmed().isEmpty()) return;
    auto const layers = parseLayerPhrase(m_edit->text());
    if (!layers.ok()) return say(diagnosticSentences(layers.error()), true);
    emit layersTyped(*layers);
}

bool AddBox::key(int key)
{
    bool const open = m_list->isVisible();
    switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        if (!open) {
            updateCompletions();
            return m_list->isVisible();
        }
        m_list->setCurrentRow(key == Qt::Key_Down ? std::min(m_list->currentRow() + 1, m_list->count() - 1)
                                                  : std::max(m_list->currentRow() - 1, -1));
        return true;
    case Qt::Key_Tab:
        if (!open) return false;
        if (m_list->currentRow() < 0) m_list->setCurrentRow(0);
        takeCompletion();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (open && m_list->currentRow() >= 0) takeCompletion();
        else commit();
        return true;
    case Qt::Key_Escape:
        if (open) m_list->hide();
        else if (!m_edit->text().isEmpty()) done();
        else emit left();
        return true;
    default: return false;
    }
}

bool AddBox::eventFilter(QObject *watched, QEvent *event)
{
    // During typing, undo belongs to the field; an added layer is an undo step of the project.
    if (event->type() == QEvent::ShortcutOverride && m_edit->text().isEmpty()) {
        auto const *pressed = static_cast<QKeyEvent *>(event);
        if (pressed->matches(QKeySequence::Undo) || pressed->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && key(static_cast<QKeyEvent *>(event)->key())) return true;
    if (event->type() == QEvent::FocusOut) m_list->hide();
    return QWidget::eventFilter(watched, event);
}

} // namespace tilewright::views
