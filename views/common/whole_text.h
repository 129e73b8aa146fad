#pragma once

#include <QObject>

class QWidget;

namespace tilewright::views {

/// The full text of a label, a closed list of choices or an empty field, if it does not fit; else empty.
QString cutText(QWidget const &widget);

/// Event filter: the tooltip of a cut text begins with the full text.
class WholeTexts : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// Event filter: wraps plain tooltips wider than about sixty letters, as Qt does for rich text.
class WrappedTips : public QObject {
public:
    using QObject::QObject;
    static bool isTip(QWidget const &widget); ///< whether it is Qt's tooltip label
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace tilewright::views
