#pragma once

#include <QString>

namespace tilewright::views {

/// A value of a configuration in words: "RMSprop, learning rate 0.001" out of {"class_name": …, "config": {…}}, "while (loss
/// above 0.1)" out of a block of a training loop, the parts of a list; other values as they stand, without quotes.
QString plainConfigValue(QString const &json);
/// Who set an option of a report, and what it is an option of, in words; what is not known stays as it is.
QString optionSourceLabel(QString const &source);
QString optionScopeLabel(QString const &scope);

} // namespace tilewright::views
