#pragma once

#include "views/properties/property_value.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QToolButton;

namespace tilewright::views {

class ElidedLabel;
class PropertyEditor;

/// One field: mark of a change, label, editor, unit and note, what-if, reset, and below it what is wrong. It
/// knows what is shown and what a person has typed since; the table applies it.
class PropertyRow : public QWidget {
    Q_OBJECT
public:
    PropertyRow(PropertySpec spec, QWidget *parent);
    PropertySpec const &spec() const { return m_spec; }
    /// Goes over to the same field of something else; what was typed is dropped. Requires: sameFields().
    void take(PropertySpec spec);
    PropertyEditor &editor() const { return *m_editor; }
    bool isChanged() const { return m_changed; }
    /// A person's text that differs from the value shown last.
    bool isPending() const;
    bool isRefused() const;
    QString pendingText() const;

    /// Shows the project's value. A refused text stays until the value itself changes or it is dropped.
    void setValue(PropertyValue const &value);
    /// Back to the value shown last.
    void dropPending();
    /// Marks what was typed as refused; empty: it is good.
    void setRefusal(QString const &why);
    /// What the project's checks say of this field as it is applied.
    void setProblem(QString const &text, bool error);
    void setHint(QString const &text); ///< what-if, beside the editor
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
    QString m_refusal, m_problem;
    bool m_changed = false, m_shownOnce = false, m_problemIsError = false;
    int m_arranged = -1;
    QGridLayout *m_grid;
    QWidget *m_dot;
    QWidget *m_field; ///< holds the editor and, where there is width, the note
    ElidedLabel *m_label, *m_note;
    QLabel *m_hint;
    PropertyEditor *m_editor;
    QToolButton *m_reset;
    QLabel *m_message;
};

} // namespace tilewright::views
