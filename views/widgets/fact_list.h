#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <vector>

class QLabel;

namespace tilewright::views {

/// One line of facts: name, value, exact value for the tooltip, and link.
struct Fact {
    QString label;
    QString value;
    QString exact = {};
    QString link = {}; ///< argument of linkActivated; "" = none
    bool operator==(Fact const &) const = default;
};

struct FactSection {
    QString title; ///< "" = none
    QList<Fact> facts;
    bool operator==(FactSection const &) const = default;
};

/// Read-only facts under headings: labels left, values right, with links. Values can be selected and copied.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(QString const &accessibleName, QWidget *parent = nullptr);
    void setSections(QList<FactSection> const &sections);
    QList<FactSection> const &sections() const { return m_sections; }
signals:
    void linkActivated(QString const &link);

protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();
    void fill(QLabel &value, Fact const &fact);
    QList<FactSection> m_sections;
    std::vector<QLabel *> m_values; ///< of the facts, in order
    QWidget *m_body = nullptr;
};

} // namespace tilewright::views
