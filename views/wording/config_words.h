#pragma once

#include <QString>

namespace tilewright::views {

/// A configuration value in words: "RMSprop, learning rate 0.001" for {"class_name": …, "config": {…}}, "while (loss above 0.1)" for a
/// block of a
/// training loop, the elements of a list. Other values are unchanged, without quotes.
QString plainConfigValue(QString const &json);
/// In words: who set an option of a report, and the scope of the option. Unknown values are unchanged.
QString optionSourceLabel(QString const &source);
QString optionScopeLabel(QString const &scope);

} // namespace tilewright::views
