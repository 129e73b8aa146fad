#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace tilewright::views {

/// Text search with results in turn: a field, "2 of 7", Enter and Shift+Enter, Escape.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QWidget *parent);
    QLineEdit &edit() { return *m_edit; }
    void start();
    void setCount(int at, int count); ///< `at` from 0; count 0: nothing found
signals:
    void wordsChanged(QString const &words);
    void stepped(int by); ///< 1, -1
    void closed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLineEdit *m_edit = nullptr;
    QLabel *m_count = nullptr;
};

} // namespace tilewright::views
