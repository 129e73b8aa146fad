#pragma once

#include "views/subjects/facts.h"

#include <QIcon>
#include <QScrollArea>

#include <string_view>

class QLabel;

namespace tilewright::views {

class FactList;

/// Facts of the chosen item below its name, on a page that scrolls.
class DetailsPane : public QScrollArea {
    Q_OBJECT
public:
    DetailsPane(Session &session, QObject *origin, QString const &accessibleName, QWidget *parent = nullptr);
    void show(QString const &title, QList<FactSection> const &sections);
    void showHint(QString const &text) { show(text, {}); }

private:
    QLabel *m_title;
    FactList *m_facts;
};

/// A small square in the colour of the kind's phase, with its letter.
QIcon programKindIcon(std::string_view kind);

} // namespace tilewright::views
