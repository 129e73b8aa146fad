#include "views/runs/run_actions.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/flow_layout.h"
#include "views/common/wrapped_label.h"
#include "views/runs/run_rows.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

namespace tilewright::views {

RunActions::RunActions(QWidget *parent) : QWidget(parent)
{
    m_title = new WrappedLabel(this);
    m_title->setProperty("role", "secondary");
    auto *row = new QWidget(this);
    auto *flow = new FlowLayout(row, kGap);
    flow->setSpacing(kGrid);
    m_open = button(tr("Open report"), tr("Shows the report of this run (Enter, double click)"));
    m_pin = button(tr("Pin as baseline"), tr("Compare the report shown with this run"));
    m_pin->setCheckable(true);
    m_restore = button(tr("Restore project"), tr("Restores the project as it was in this run; one undo takes it back"));
    m_delete = button(tr("Delete report…"), tr("Moves the report file of this run to the trash (Del)"));
    for (auto *one : {m_open, m_pin, m_restore, m_delete}) flow->addWidget(one);

    m_noteRow = new QWidget(this);
    auto *notes = new QHBoxLayout(m_noteRow);
    notes->setContentsMargins(0, 0, 0, 0);
    m_tags = new QLineEdit(m_noteRow);
    m_tags->setPlaceholderText(tr("Tags"));
    m_tags->setAccessibleName(tr("Tags of the chosen run"));
    m_notes = new QLineEdit(m_noteRow);
    m_notes->setPlaceholderText(tr("Notes"));
    m_notes->setAccessibleName(tr("Notes on the chosen run"));
    notes->addWidget(m_tags, 1);
    notes->addWidget(m_notes, 3);

    m_confirm = new QWidget(this);
    auto *confirm = new QHBoxLayout(m_confirm);
    confirm->setContentsMargins(0, 0, 0, 0);
    m_confirmText = new QLabel(m_confirm);
    m_confirmText->setWordWrap(true);
    m_yes = new QToolButton(m_confirm);
    m_yes->setProperty("role", "word");
    m_yes->setText(tr("Delete"));
    auto *no = new QToolButton(m_confirm);
    no->setProperty("role", "word");
    no->setText(tr("Keep"));
    confirm->addWidget(m_confirmText, 1);
    confirm->addWidget(m_yes);
    confirm->addWidget(no);
    m_confirm->hide();

    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);
    all->addWidget(m_title);
    all->addWidget(row);
    all->addWidget(m_noteRow);
    all->addWidget(m_confirm);
    connect(m_open, &QToolButton::clicked, this, &RunActions::openAsked);
    connect(m_pin, &QToolButton::clicked, this, &RunActions::baselineAsked);
    connect(m_restore, &QToolButton::clicked, this, &RunActions::restoreAsked);
    connect(m_delete, &QToolButton::clicked, this, &RunActions::askDelete);
    connect(m_yes, &QToolButton::clicked, this, [this] {
        m_confirm->hide();
        Q_EMIT deleteConfirmed(m_forGood);
    });
    connect(no, &QToolButton::clicked, m_confirm, &QWidget::hide);
    connect(m_tags, &QLineEdit::editingFinished, this, &RunActions::commitNote);
    connect(m_notes, &QLineEdit::editingFinished, this, &RunActions::commitNote);
    show(nullptr, false, false);
}

QToolButton *RunActions::button(QString const &text, QString const &tip)
{
    auto *made = new QToolButton(this);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleDescription(tip);
    made->setProperty("role", "word");
    return made;
}

void RunActions::commitNote()
{
    if (m_noteOf <= 0 || (!m_tags->isModified() && !m_notes->isModified())) return;
    m_tags->setModified(false);
    m_notes->setModified(false);
    Q_EMIT noteChanged(m_noteOf, m_tags->text().trimmed(), m_notes->text().trimmed());
}

void RunActions::forget()
{
    m_noteOf = 0;
    m_tags->clear();
    m_notes->clear();
}

void RunActions::show(RunRow const *row, bool isShown, bool isPinned)
{
    bool const hasReport = row && row->reportBytes;
    m_title->setText(!row                        ? tr("Choose a run to open, pin, restore or delete it.")
                         : row->reason.isEmpty() ? row->name()
                                                 : tr("%1 ended early: %2").arg(row->name(), row->reason));
    m_open->setEnabled(hasReport && !isShown);
    m_pin->setEnabled(hasReport);
    QSignalBlocker const quiet(m_pin);
    m_pin->setChecked(isPinned);
    m_pin->setText(isPinned ? tr("Unpin baseline") : tr("Pin as baseline"));
    m_restore->setEnabled(row && row->hasProject);
    m_delete->setEnabled(hasReport && !row->isRunning());
    // The fields belong to one run: a list that is filled anew while somebody types changes neither the text nor the run.
    qint64 const run = row ? row->id : 0;
    if (run != m_noteOf) {
        auto const was = m_noteOf;
        commitNote();
        if (m_noteOf != was) return; // handing over has shown the next run
        m_noteOf = run;
        m_tags->setText(row ? row->tags : QString());
        m_notes->setText(row ? row->notes : QString());
    } else if (row && !m_tags->isModified() && !m_notes->isModified()) {
        m_tags->setText(row->tags);
        m_notes->setText(row->notes);
    }
    m_noteRow->setVisible(run > 0);
    m_confirm->hide();
    if (hasReport) m_what = tr("the report of %1 (%2)").arg(row->name(), bytesText(*row->reportBytes));
}

void RunActions::askDelete()
{
    if (m_delete->isEnabled()) ask(tr("Move %1 to the trash? The run stays in the list.").arg(m_what), tr("Delete"), false);
}

void RunActions::askDeleteForGood()
{
    ask(tr("There is no trash for %1. Delete it for good? That cannot be undone; the run stays in the list.").arg(m_what),
        tr("Delete for good"), true);
}

void RunActions::ask(QString const &question, QString const &answer, bool forGood)
{
    m_forGood = forGood;
    m_confirmText->setText(question);
    m_yes->setText(answer);
    m_confirm->show();
}

} // namespace tilewright::views
