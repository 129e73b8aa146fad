#pragma once

#include "engine/core/message.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace tilewright {

/// A message with its pattern and arguments, for files whose readers may translate it: a string if it has no arguments and no pattern, else
/// {"pattern": "…", "arguments": […]}. An argument is {"text"}, {"whole"}, {"figure"} or {"message"}.
nlohmann::ordered_json messageToJson(Message const &message);

/// The message of messageToJson(). nullopt: another shape, more than 9 arguments of a pattern, or messages nested more than 8 deep.
std::optional<Message> messageFromJson(nlohmann::ordered_json const &json);

} // namespace tilewright
