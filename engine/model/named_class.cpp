#include "engine/model/named_class.h"

namespace tilewright::model {

Result<Configured> givenClass(Json const &value, ClassKind const &kind, std::string const &subject)
{
    Configured given;
    if (value.is_string()) {
        given.className = value.get<std::string>();
        return given;
    }
    if (!value.is_object() || !value.contains("class_name") || !value["class_name"].is_string())
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, kind.form, kind.example);
    given.className = value["class_name"].get<std::string>();
    if (value.contains("config")) given.config = value["config"];
    return given;
}

Json classJson(Configured const &configured) { return Json{{"class_name", configured.className}, {"config", configured.config}}; }

} // namespace tilewright::model
