#pragma once

#include "views/session/model_file.h"

#include <QDialog>
#include <QList>

#include <functional>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::views {
class Session;
}

namespace tilewright::app {

/// Asks for what a model file leaves open: sizes of inputs, output shapes of placeholders and layers to replace them. The answers read the
/// file again, with its weights. Until they succeed, the project on show stays as it is.
class CompletionSheet : public QDialog {
    Q_OBJECT
public:
    /// `mayReplace`: called before the completed model replaces the project on show; empty: nothing is lost.
    CompletionSheet(views::Session &session, views::OpenParts parts, std::function<bool()> mayReplace, QWidget *parent);

private:
    enum class Question { Size, Shape, Replacement };
    struct Field {
        Question question;
        QString place;
        QLineEdit *line = nullptr;
    };
    void addPlaces(QBoxLayout &column);
    QLineEdit *addField(QWidget *group, Question question, QString const &place, QString const &label, QString const &example);
    void apply();
    void refuse(Diagnostic const &problem);

    views::Session &m_session;
    views::OpenParts m_parts;
    std::function<bool()> m_mayReplace;
    QList<Field> m_fields;
    QLabel *m_problem = nullptr;
    QPushButton *m_apply = nullptr;
};

} // namespace tilewright::app
