#pragma once

#include "views/insights/insight_list.h"
#include "views/subjects/links.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;

namespace tilewright::views {

class Session;

/// One insight: title, sentence, figures, changes and buttons. Arrows, Enter, A and S work on the focused card.
class InsightCard : public QFrame {
    Q_OBJECT
public:
    InsightCard(Session &session, QObject *origin, report::InsightRow const &insight, report::ReportData const &tables,
                InsightItem const &item, QWidget *parent = nullptr);
    InsightItem const &item() const { return m_item; }
    QString titleText() const;
    QString messageText() const;
    void setCurrent(bool current);
    /// Marks it as related to the selection of another view.
    void setRelated(bool related);
    /// Shows or hides the gain that the rule estimates.
    void showBound(bool shown);
    /// The effect of applying it; "" hides the line. `possible`: enables the button.
    void setAction(QString const &text, bool possible);
    /// A button for each change that was tried; empty: none.
    void setRemedies(QStringList const &titles);
    void startSuppressing();
Q_SIGNALS:
    void picked();
    void moved(int by); ///< arrows: -1, +1; Home, End: ∓1000
    void evidenceAsked();
    void applyAsked();
    void remedyAsked(int index);            ///< of setRemedies()
    void suppressed(QString const &reason); ///< "": shows it again
protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QToolButton *button(QString const &text, QString const &tip, QString const &iconName);
    InsightItem m_item;
    QLabel *m_title = nullptr, *m_message = nullptr, *m_action = nullptr;
    QToolButton *m_apply = nullptr, *m_evidence = nullptr, *m_suppress = nullptr;
    QWidget *m_remedies = nullptr;
    QStringList m_details, m_remedyTitles;
    LinkLabel *m_subject = nullptr;
    QString m_subjectText, m_bound;
    QStringList m_boundTips;
    Destination m_destination;
    QWidget *m_reasonRow = nullptr;
    QLineEdit *m_reason = nullptr;
    bool m_current = false, m_related = false, m_hasAction = false;
};

} // namespace tilewright::views
