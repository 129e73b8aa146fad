#include "views/properties/property_value.h"

#include "engine/config/option_value.h"
#include "views/diagnostics/diagnostic_text.h"

namespace tilewright::views {

namespace {

constexpr std::string_view kEngine = "engine_options.";

config::OptionInfo const *engineOption(std::string_view path)
{
    if (!path.starts_with(kEngine)) return nullptr;
    return config::findOption(config::engineOptions(), path.substr(kEngine.size()));
}

Result<std::string> readField(project::Project const &project, PropertySpec const &spec, QString const &path)
{
    if (spec.read) return spec.read(project);
    auto const name = path.toStdString();
    if (auto const *option = engineOption(name)) {
        auto const it = project.engineOptions.find(option->path);
        return it == project.engineOptions.end() ? config::toText(option->defaultValue) : it->second;
    }
    return project::field(project, name);
}

Status writeField(project::Project &project, PropertySpec const &spec, QString const &path, std::string const &text, DiagnosticSink *sink)
{
    if (spec.write) return spec.write(project, text);
    auto const name = path.toStdString();
    if (auto const *option = engineOption(name)) {
        TW_ASSIGN(auto const value, config::parseValue(*option, text));
        // Does not store the default: a project contains only values that differ.
        if (value == option->defaultValue) project.engineOptions.erase(option->path);
        else project.engineOptions[option->path] = config::toText(value);
        return {};
    }
    TW_ASSIGN(project, project::withField(project, name, text, sink));
    return {};
}

} // namespace

PropertyValue readProperty(project::Project const &project, PropertySpec const &spec)
{
    PropertyValue value;
    bool first = true;
    for (auto const &path : spec.paths()) {
        auto const text = readField(project, spec, path);
        if (!text.ok()) {
            value.exists = false;
            continue;
        }
        auto const shown = QString::fromStdString(*text);
        if (first) value.text = shown;
        else if (!sameValue(shown, value.text)) value.varies = true;
        first = false;
    }
    return value;
}

Status writeProperty(project::Project &project, PropertySpec const &spec, QString const &text, DiagnosticSink *sink)
{
    for (auto const &path : spec.paths()) TW_TRY(writeField(project, spec, path, text.toStdString(), sink));
    return {};
}

Status resetProperty(project::Project &project, PropertySpec const &spec)
{
    constexpr std::string_view kConfig = "ipu_config.";
    for (auto const &path : spec.paths()) {
        auto const name = path.toStdString();
        if (auto const *option = engineOption(name)) project.engineOptions.erase(option->path);
        else if (!spec.write && name.starts_with(kConfig)) TW_TRY(project.config.reset(name.substr(kConfig.size())));
        else TW_TRY(writeField(project, spec, path, spec.defaultText.toStdString(), nullptr));
    }
    return {};
}

bool isChanged(PropertySpec const &spec, PropertyValue const &value)
{
    return spec.hasDefault && value.exists && (value.varies || !sameValue(value.text, spec.defaultText));
}

} // namespace tilewright::views
