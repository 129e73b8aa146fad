#pragma once

#include "views/subjects/links.h"

#include <QList>
#include <QString>

namespace tilewright::views {

/// One line of facts: name, value, a tooltip (the exact value, a definition), and a destination, which makes the value a link.
struct Fact {
    QString label; ///< "": the value takes the whole line
    QString value;
    QString tip = {};
    Destination to = {};
    bool operator==(Fact const &) const = default;
};

struct FactSection {
    QString title; ///< "" = none
    QList<Fact> facts;
    bool operator==(FactSection const &) const = default;
};

} // namespace tilewright::views
