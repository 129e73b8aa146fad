#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace tilewright::views {

struct RunRow;

/// Actions for the chosen run: open, pin, restore, note, delete. Only emits requests.
class RunActions : public QWidget {
    Q_OBJECT
public:
    explicit RunActions(QWidget *parent = nullptr);
    /// Null: no run is chosen. What was typed for the run before is handed over first.
    void show(RunRow const *row, bool isShown, bool isPinned);
    void forget();           ///< another project: what is typed is of none of its runs
    void askDelete();        ///< asks for confirmation before moving anything to the trash
    void askDeleteForGood(); ///< asks again if the trash refuses it
Q_SIGNALS:
    void openAsked();
    void baselineAsked(bool pin);
    void restoreAsked();
    void deleteConfirmed(bool forGood);
    void noteChanged(qint64 run, QString const &tags, QString const &notes);

private:
    void commitNote();
    QToolButton *button(QString const &text, QString const &tip);
    void ask(QString const &question, QString const &answer, bool forGood);
    QLabel *m_title = nullptr;
    QToolButton *m_open = nullptr, *m_pin = nullptr, *m_restore = nullptr, *m_delete = nullptr;
    QLineEdit *m_tags = nullptr, *m_notes = nullptr;
    QWidget *m_confirm = nullptr, *m_noteRow = nullptr;
    QLabel *m_confirmText = nullptr;
    QToolButton *m_yes = nullptr;
    QString m_what;      ///< the report that would be deleted
    qint64 m_noteOf = 0; ///< the run whose tags and notes are in the fields
    bool m_forGood = false;
};

} // namespace tilewright::views
