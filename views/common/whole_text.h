#pragma once

#include <QObject>
#include <QString>

class QFontMetrics;
class QWidget;

namespace tilewright::views {

/// The full text of a label, a closed list of choices or an empty field, if it does not fit; else empty.
QString cutText(QWidget const &widget);

/// As many of the parts of a text, which " · " separates, as fit into a width: the first one always. For lines that give up their last
/// parts instead of the end of a word.
QString fittingParts(QString const &text, QFontMetrics const &metrics, int width);

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
