#pragma once

#include "views/properties/property_spec.h"

#include <QWidget>

namespace tilewright::views {

/// The widget for typing or choosing one value. It displays and returns texts in the field's form without judging them. One class per
/// EditorKind, created by makeEditor.
class PropertyEditor : public QWidget {
    Q_OBJECT
public:
    explicit PropertyEditor(QWidget *parent) : QWidget(parent) {}
    virtual QString text() const = 0;
    /// `varies`: several fields with different values; the editor shows "varies" and no value.
    virtual void show(QString const &text, bool varies) = 0;
    /// The child with the keyboard focus, named for accessibility.
    virtual QWidget *input() const = 0;
    /// Colours the field of a refused value.
    void setRefused(bool refused);
    bool isRefused() const { return m_refused; }
signals:
    void typed();    ///< the user changed the text but did not finish
    void chosen();   ///< a complete change: a click, a step, an entry of a list
    void finished(); ///< Enter, or loss of focus
    void reverted(); ///< Esc
    void focused();

protected:
    /// Makes `input` fill this widget and watches its keys and focus.
    void adopt(QWidget *input);
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool m_refused = false;
};

PropertyEditor *makeEditor(PropertySpec const &spec, QWidget *parent);

} // namespace tilewright::views
