#pragma once

#include "views/subjects/links.h"

#include <QIcon>
#include <QList>
#include <QScrollArea>

#include <string_view>

class QVBoxLayout;

namespace tilewright::views {

/// One fact of the chosen item; `target` makes it a link.
struct DetailLine {
    QString label, text;
    Destination target;
    QString tip;
};
struct DetailSection {
    QString title;
    QList<DetailLine> lines;
};

/// Facts of the chosen item, in titled groups, with links.
class DetailsPane : public QScrollArea {
    Q_OBJECT
public:
    DetailsPane(Session &session, QObject *origin, QString const &accessibleName, QWidget *parent = nullptr);
    void show(QString const &title, QList<DetailSection> const &sections);
    void showHint(QString const &text) { show(text, {}); }

private:
    Session &m_session;
    QObject *m_origin;
    QWidget *m_page = nullptr;
    QVBoxLayout *m_column = nullptr;
};

/// A small square in the colour of the kind's phase, with its letter.
QIcon programKindIcon(std::string_view kind);

} // namespace tilewright::views
