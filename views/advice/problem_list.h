#pragma once

#include "views/advice/setting_fixes.h"

#include <QWidget>

namespace tilewright::views {

class Session;

/// Problems of settings, worst first, each with its ways out as buttons. Hidden while there is none.
class ProblemList : public QWidget {
    Q_OBJECT
public:
    ProblemList(Session &session, QWidget *parent);
    void setProblems(std::vector<Diagnostic> const &problems);
    /// What a view knows beyond settingFixes (data, for instance).
    void setProblems(std::vector<Diagnostic> const &problems, std::vector<std::vector<SettingFix>> const &moreFixes);
    std::vector<Diagnostic> const &problems() const { return m_problems; }
signals:
    void fieldWanted(QString const &path); ///< the person wants to see where it is set
protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();
    Session &m_session;
    std::vector<Diagnostic> m_problems;
    std::vector<std::vector<SettingFix>> m_fixes;
    QWidget *m_body = nullptr;
    bool m_all = false; ///< all are shown, not the first few
};

} // namespace tilewright::views
