#pragma once

#include "views/properties/property_spec.h"

#include <QWidget>

namespace tilewright::views {

/// The widget in which one value is typed or chosen. It shows and gives texts of the field's form and judges
/// nothing. One kind of editor per EditorKind, made by makeEditor.
class PropertyEditor : public QWidget {
    Q_OBJECT
public:
    explicit PropertyEditor(QWidget *parent) : QWidget(parent) {}
    virtual QString text() const = 0;
    /// `varies`: several fields with different values; the editor shows "varies" and no value.
    virtual void show(QString const &text, bool varies) = 0;
    /// The child that takes the keyboard, named for assistive techniques.
    virtual QWidget *input() const = 0;
    /// Colours the field of a refused value.
    void setRefused(bool refused);
    bool isRefused() const { return m_refused; }
signals:
    void typed();    ///< text changed by a person and not yet meant to be applied
    void chosen();   ///< a whole change: a click, a step, an entry of a list
    void finished(); ///< Enter, or the keyboard went elsewhere
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
