#pragma once

#include <QFrame>

class QLabel;

namespace tilewright::views {

/// A short text that lies over the page below a field while somebody types in it, so that the fields below stay where they are. Above the
/// field if the page ends below it.
class FieldNote : public QFrame {
    Q_OBJECT
public:
    explicit FieldNote(QWidget &field);
    void setTexts(QString const &bad, QString const &hint);
    void restyle();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    bool isWanted() const;
    QWidget &m_field;
    QLabel *m_bad = nullptr, *m_hint = nullptr;
};

} // namespace tilewright::views
