#pragma once

#include "views/subjects/facts.h"

#include <QWidget>

#include <vector>

namespace tilewright::views {

/// Read-only facts under headings: labels left, values right, with links. Values can be selected and copied.
class FactList : public QWidget {
    Q_OBJECT
public:
    /// `origin`: the view that selects when a link is followed.
    FactList(Session &session, QObject *origin, QString const &accessibleName, QWidget *parent = nullptr);
    /// Sections without facts are left out.
    void setSections(QList<FactSection> sections);
    QList<FactSection> const &sections() const { return m_sections; }

private:
    void rebuild();
    static void fill(LinkLabel &value, Fact const &fact);
    Session &m_session;
    QObject *m_origin;
    QList<FactSection> m_sections;
    std::vector<LinkLabel *> m_values; ///< of the facts, in order
    QWidget *m_body = nullptr;
};

} // namespace tilewright::views
