#pragma once

#include <QObject>

class QWidget;

namespace tilewright::views {

/// What a label, a closed list of choices or an empty field says, where it has no room for all of it; else empty.
QString cutText(QWidget const &widget);

/// A filter of events: a tooltip over what is cut has its whole text, above what else it says.
class WholeTexts : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// A filter of events: plain tooltips wider than some sixty letters get several lines, as those in rich text do by themselves.
class WrappedTips : public QObject {
public:
    using QObject::QObject;
    static bool isTip(QWidget const &widget); ///< Qt's own label that shows them
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace tilewright::views
