#pragma once

#include "views/properties/property_editor.h"

#include <vector>

namespace tilewright::views {

class NumberEdit;

/// A fixed number of whole numbers with a field each: strides of two axes, or amounts before and after each of three. Returns "[2, 1]" or
/// "[[0, 1], [1, 1]]"; with all fields empty "null", if null is valid.
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
    QString m_strange; ///< a value of another form, shown in the first field
};

} // namespace tilewright::views
