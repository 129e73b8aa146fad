#pragma once

#include "views/advice/setting_fixes.h"

#include <QWidget>

namespace tilewright::views {

class Session;

/// Problems of settings, worst first, with a button per fix. Hidden without problems.
class ProblemList : public QWidget {
    Q_OBJECT
public:
    ProblemList(Session &session, QWidget *parent);
    void setProblems(std::vector<Diagnostic> const &problems);
    /// `problems` with further fixes beyond settingFixes, which a view provides (for data, for instance).
    void setProblems(std::vector<Diagnostic> const &problems, std::vector<std::vector<SettingFix>> const &moreFixes);
    std::vector<Diagnostic> const &problems() const { return m_problems; }
signals:
    void fieldWanted(QString const &path); ///< the user wants to see the field
protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();
    Session &m_session;
    std::vector<Diagnostic> m_problems;
    std::vector<std::vector<SettingFix>> m_fixes;
    QWidget *m_body = nullptr;
    bool m_all = false; ///< whether all are shown, not only the first ones
};

} // namespace tilewright::views
