#include "engine/model/names.h"

#include "engine/core/limits.h"
#include "engine/core/safe_text.h"

namespace tilewright::model {

Status checkName(std::string_view name, Message const &what)
{
    auto const most = limitOf(Limit::NameBytes);
    if (static_cast<std::int64_t>(name.size()) <= most) return {};
    return makeError(ErrorKind::Invalid, "model.long-name", shortened(safeText(firstCharacters(name, 40)), 40) + "…",
                     Message::of("the name of %1 has %2 bytes; names may have %3.", what, name.size(), most),
                     limitRemedy(Limit::NameBytes));
}

Status checkNames(Json const &document)
{
    if (document.is_object()) {
        for (auto const &[key, value] : document.items()) {
            TW_TRY(checkName(key, Message::of("a field")));
            if (value.is_string() && (key == "name" || key == "class_name"))
                TW_TRY(checkName(value.get_ref<std::string const &>(),
                                 key == "name" ? Message::of("a layer, a model or a metric") : Message::of("a class")));
            else TW_TRY(checkNames(value));
        }
        return {};
    }
    if (!document.is_array()) return {};
    // ["dense", 0, 0]
    bool const isReference = document.size() > 1 && document[0].is_string() && document[1].is_number_integer();
    if (isReference) TW_TRY(checkName(document[0].get_ref<std::string const &>(), Message::of("a layer")));
    for (auto const &item : document)
        if (item.is_structured()) TW_TRY(checkNames(item));
    return {};
}

} // namespace tilewright::model
