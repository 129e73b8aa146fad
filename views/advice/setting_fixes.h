#pragma once

#include "engine/project/project.h"

#include <QString>

#include <utility>
#include <vector>

namespace tilewright::views {

/// A fix for a problem: fields to set as one undo step.
struct SettingFix {
    QString title; ///< "Use 8 accumulation steps", translated
    std::vector<std::pair<QString, QString>> fields;
    bool operator==(SettingFix const &) const = default;
};

/// Fixes for a problem of plan, configuration or system, most likely first; empty if none is known. Every fix removes this problem.
std::vector<SettingFix> settingFixes(project::Project const &project, Diagnostic const &problem);

} // namespace tilewright::views
