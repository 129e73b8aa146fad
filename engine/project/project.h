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

/// Everything a user edits and saves, as one value. Each field has one path (`system.target`, `training.batch_size`, `data.path`,
/// `ipu_config.…`, `model.layers.NAME.…`, `engine_options.…`).
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

/// The parts of a stored project: name to JSON text (model in Keras form, ipu_config, system, training, data, engine_options, layout; notes
/// if there are any). projectFromParts(projectParts(p)) == p.
std::map<std::string, std::string> projectParts(Project const &project);
/// Errors name the part and the place in it. Warnings (unknown options and others) go to the sink.
Result<Project> projectFromParts(std::map<std::string, std::string> const &parts, DiagnosticSink *sink);

/// A field as text. A group of fields ("training", "model.layers.dense"), or "" for the whole project, as JSON. Error: Invalid
/// "project.no-field" with the nearest name.
Result<std::string> field(Project const &project, std::string_view path);
/// A copy with one field set from text, or with one part set from a JSON object. Warnings (an option without effect yet) go to the sink.
Result<Project> withField(Project const &project, std::string_view path, std::string_view text, DiagnosticSink *sink);

/// The project's machine: its target, with the number of IPUs from auto_select_ipus or of the device in select_ipus.
Result<target::Machine> machineOf(Project const &project);

/// Number of IPUs of the target's whole system (`pod16:ipus=4`: 16), to which device ids refer. 0: the target has no IPUs.
int systemIpus(Project const &project);

/// The data source for a run: the training plan's validation split overrides the one of the data, and validation samples of their own
/// override both.
data::DataSourceSpec dataSource(Project const &project);

/// A built-in project. Error: model.unknown-template.
Result<Project> fromTemplate(std::string_view name);

} // namespace tilewright::project
