#pragma once

#include "engine/project/project.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

/// A fix for a problem: fields to set as one undo step.
struct SettingFix {
    QString title; ///< "Use 8 accumulation steps", translated
    std::vector<std::pair<QString, QString>> fields;
    bool operator==(SettingFix const &) const = default;
};

/// Ways out of a problem of plan, configuration, system or data, the likeliest first; empty: none is clear. Every fix changes the project
/// so that this problem is gone and the rules find no other (runtime::cures). `samples`: of an epoch, where they are counted.
std::vector<SettingFix> settingFixes(project::Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples);

} // namespace tilewright::views
