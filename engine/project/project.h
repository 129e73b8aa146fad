#pragma once

#include "engine/config/ipu_config.h"
#include "engine/data/data_source.h"
#include "engine/model/model.h"
#include "engine/model/training_plan.h"
#include "engine/project/notes.h"
#include "engine/target/machine.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::project {

/// What a person edits and saves, as one value. Fields have one path each (`system.target`,
/// `training.batch_size`, `data.path`, `ipu_config.…`, `model.layers.NAME.…`, `engine_options.…`).
struct Project {
    std::string title;
    model::Model model;
    config::IpuConfig config;
    std::string target = "gc200";
    model::TrainingPlan training;
    data::DataSourceSpec data;
    std::map<std::string, std::string> engineOptions; ///< as POPLAR_ENGINE_OPTIONS
    std::string layout = "{}";                        ///< canvas layout, JSON, opaque to the engine
    Notes notes;                                      ///< on runs and findings
    bool operator==(Project const &) const = default;
};

/// Parts of a stored project: name to JSON text (model in Keras form, ipu_config, system, training, data,
/// engine_options, layout; notes where there are any). projectFromParts(projectParts(p)) == p.
std::map<std::string, std::string> projectParts(Project const &project);
/// Errors name the part and the place in it. Warnings (unknown options …) go to the sink.
Result<Project> projectFromParts(std::map<std::string, std::string> const &parts, DiagnosticSink *sink);

/// A field as text; a group of fields ("training", "model.layers.dense") or "" (the whole project) as JSON. Error: Invalid
/// "project.no-field" with the nearest name.
Result<std::string> field(Project const &project, std::string_view path);
/// The project with one field set from text, or one of its parts from a JSON object; warnings (an option without effect yet) go to the
/// sink.
Result<Project> withField(Project const &project, std::string_view path, std::string_view text, DiagnosticSink *sink);

/// The machine the project names: its target, with as many IPUs as auto_select_ipus takes or as the device of
/// select_ipus has.
Result<target::Machine> machineOf(Project const &project);

/// IPUs of the whole system that the target is part of (`pod16:ipus=4`: 16): what device ids count. 0: none.
int systemIpus(Project const &project);

/// The data source as a run reads it: the plan's validation split goes before that of the data.
data::DataSourceSpec dataSource(Project const &project);

/// A built-in project. Error: model.unknown-template.
Result<Project> fromTemplate(std::string_view name);

} // namespace tilewright::project
