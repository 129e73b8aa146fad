#pragma once

#include "views/properties/property_value.h"

#include <QPointer>
#include <QWidget>

class QGridLayout;
class QLabel;
class QToolButton;

namespace tilewright::views {

class ElidedLabel;
class FieldNote;
class PropertyEditor;

/// One field: change mark, label, editor, unit and note, reset, and problems below it; a refusal and the what-if lie over the rows below
/// while somebody types. It holds the displayed value and the typed one; the table applies it.
class PropertyRow : public QWidget {
    Q_OBJECT
public:
    PropertyRow(PropertySpec spec, QWidget *parent);
    ~PropertyRow() override;
    PropertySpec const &spec() const { return m_spec; }
    /// Switches to the same field of another object; drops typed text. Requires: sameFields().
    void take(PropertySpec spec);
    PropertyEditor &editor() const { return *m_editor; }
    bool isChanged() const { return m_changed; }
    /// Typed text that differs from the displayed value.
    bool isPending() const;
    bool isRefused() const;
    QString pendingText() const;

    /// Shows the project's value. A refused text stays until the value changes or it is dropped.
    void setValue(PropertyValue const &value);
    /// Restores the displayed value.
    void dropPending();
    /// Marks the typed text as refused; empty: accepted.
    void setRefusal(QString const &why);
    /// A problem of the applied value, found by the project's checks.
    void setProblem(QString const &text, bool error);
    void setHint(QString const &text); ///< what-if, while somebody types
    QString message() const;
    QString hint() const;

    int labelWidth() const;
    /// Label above the editor (narrow), or left of it in a column of `labelWidth` pixels.
    void arrange(bool stacked, int labelWidth);
    bool matches(QStringList const &words) const;
    void restyle();
signals:
    void resetWanted();
    void helpWanted();
    void copyAllWanted();
    void pasteWanted();

protected:
    void enterEvent(QEnterEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void updateMessage();
    void describe();
    PropertySpec m_spec;
    PropertyValue m_value;
    QString m_base; ///< the editor's text for m_value
    QString m_refusal, m_problem, m_hint;
    bool m_changed = false, m_shownOnce = false, m_problemIsError = false;
    int m_arranged = -1;
    QGridLayout *m_grid;
    QWidget *m_dot;
    QWidget *m_field; ///< holds the editor and, with enough width, the note
    ElidedLabel *m_label, *m_note;
    PropertyEditor *m_editor;
    QToolButton *m_reset;
    QLabel *m_message;
    QPointer<FieldNote> m_fieldNote; ///< a child of the page
};

} // namespace tilewright::views
