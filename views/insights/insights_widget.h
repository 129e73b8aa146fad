#pragma once

#include "views/advice/fix_trials.h"
#include "views/insights/insight_list.h"
#include "views/insights/insight_outcome.h"
#include "views/insights/insight_trials.h"
#include "views/insights/memory_panel.h"
#include "views/insights/evidence_pane.h"
#include "views/reports/report_ptr.h"
#include "views/reports/report_snapshot.h"
#include "views/session/view.h"

#include <optional>

class QCheckBox;
class QFrame;
class QLabel;
class QScrollArea;
class QSplitter;
class QToolButton;
class QVBoxLayout;

namespace tilewright::views {

class InsightCard;
class LinkLabel;

/// The insights of the report as cards, their changes and evidence, and the use of the memory.
class InsightsView : public View {
    Q_OBJECT
public:
    InsightsView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    bool isSettled() const override { return m_evidence->isSettled() && !m_trying && !m_trials->isSearching() && m_memory->isSettled(); }

protected:
    void refresh() override;
    void judge() override;
    void follow() override;
    void restyle() override { m_shown.clear(); }
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *memoryRow();
    void showMemory(); ///< of the report on show, open or folded
    void arrangeMemory();
    report::InsightRow const &rowOf(InsightItem const &item) const { return m_report->data().insights[static_cast<std::size_t>(item.row)]; }
    void showCards();
    void showCured();
    void makeCurrent(int index, bool tell);
    void moveBy(int from, int by);
    void showEvidence(int index);
    void apply(int index, TriedFix const *fix);
    void suppress(QString const &key, QString const &reason);
    void tryActions();
    void showActions();
    void showAction(int index);
    TriedFix const *offered(int index) const;
    double samplesNow() const;
    bool brings(TriedFix const &fix) const;
    void checkOutcome();
    void setNotice(QString const &text, bool offersCompile);
    QString signature() const;

    ReportPtr m_report;
    InsightList m_list;
    QList<InsightCard *> m_cards;
    int m_current = -1;
    bool m_trying = false;
    std::vector<CardTrial> m_tries; ///< by card
    FixTrials *m_trials = nullptr;
    std::optional<AppliedAction> m_applied;
    QString m_shown; ///< what the cards were made of; a change of the project alone remakes only the previews
    QLabel *m_noticeText = nullptr;
    QFrame *m_notice = nullptr;
    QToolButton *m_compile = nullptr;
    QCheckBox *m_showSuppressed = nullptr;
    QScrollArea *m_scroll = nullptr;
    QWidget *m_page = nullptr;
    QVBoxLayout *m_column = nullptr;
    QSplitter *m_splitter = nullptr;
    EvidencePane *m_evidence = nullptr;
    MemoryPanel *m_memory = nullptr;
    QWidget *m_memoryRow = nullptr;
    QToolButton *m_memoryFold = nullptr;
    LinkLabel *m_memoryText = nullptr;
    QSplitter *m_outer = nullptr;     ///< cards and their evidence, memory
    std::optional<bool> m_memoryOpen; ///< as a person wants it; else where it stands beside the cards
};

} // namespace tilewright::views
