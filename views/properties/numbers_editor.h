#pragma once

#include "views/properties/property_editor.h"

#include <vector>

namespace tilewright::views {

class NumberEdit;

/// A list of so many whole numbers, a field for each: strides of two axes, or what is added before and after each of three.
/// Gives "[2, 1]" or "[[0, 1], [1, 1]]"; with nothing in any field "null", where that is a value.
class NumbersEditor : public PropertyEditor {
    Q_OBJECT
public:
    NumbersEditor(PropertySpec const &spec, QWidget *parent);
    QString text() const override;
    void show(QString const &text, bool varies) override;
    QWidget *input() const override;
    std::vector<NumberEdit *> const &fields() const { return m_fields; }

private:
    std::vector<NumberEdit *> m_fields; ///< with pairs: before and after of the first axis, then of the second …
    bool m_pairs, m_nullable, m_varies = false;
    QString m_strange; ///< a value of another form, shown in the first field as it is
};

} // namespace tilewright::views
