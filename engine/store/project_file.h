#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The project as a file: NAME.tilewright, one SQLite file (application id 'TWPJ') with named JSON documents, checkpoints and the run
// history, and its readable twin NAME.json with the documents only. engine/project defines the content of the documents. Errors: those of
// engine/store/sqlite.h; store.newer-version, store.wrong-kind, project.json (Invalid).
namespace tilewright::store {

/// JSON texts by name: model, ipu_config, system, training, data, layout, notes. Other names are kept unchanged.
struct ProjectDocument {
    std::map<std::string, std::string> parts;
    bool operator==(ProjectDocument const &) const = default;
};

/// Reads the SQLite file or the JSON twin, whichever it is.
Result<ProjectDocument> readProject(std::filesystem::path const &path);
/// Writes the twin if the name ends in .json, else the SQLite file.
Status writeProject(std::filesystem::path const &path, ProjectDocument const &document);

Result<ProjectDocument> readProjectFile(std::filesystem::path const &path);
/// All or nothing: after a crash, a kill or with a full disk the old content remains. An existing project is changed in one transaction,
/// because a run may add checkpoints at the same time. Any other file is replaced by a new one (written beside it, synced, renamed).
/// Checkpoints and history stay. An autosave stays too; its writer decides whether it is outdated.
Status writeProjectFile(std::filesystem::path const &path, ProjectDocument const &document);

/// Writes a project without checkpoints and history. Replaces any existing file.
Status createProjectFile(std::filesystem::path const &path, ProjectDocument const &document);

/// {"format": "tilewright-project", "version": 1, "model": {...}, ...} with the documents in a fixed order.
Result<std::string> projectToJson(ProjectDocument const &document);
/// `subject` names the source in errors, which say line and column.
Result<ProjectDocument> projectFromJson(std::string const &text, std::string const &subject);
Result<ProjectDocument> readProjectJson(std::filesystem::path const &path);
Status writeProjectJson(std::filesystem::path const &path, ProjectDocument const &document);

/// ".NAME.tilewright.autosave" beside the project.
std::filesystem::path autosavePath(std::filesystem::path const &project);
Status writeAutosave(std::filesystem::path const &project, ProjectDocument const &document);
/// nullopt: no autosave, or not readable.
std::optional<ProjectDocument> readAutosave(std::filesystem::path const &project);
void removeAutosave(std::filesystem::path const &project);
/// Renames the autosave left by a crash (".NAME.tilewright.recovery", "….recovery-2" …), so that neither the next autosave nor a save
/// replaces it. False: no autosave exists, or it cannot be renamed.
bool setAutosaveAside(std::filesystem::path const &project);
/// The readable autosaves, including those set aside, newest first.
std::vector<std::filesystem::path> recoveries(std::filesystem::path const &project);

// ---- checkpoints -------------------------------------------------------------------------------------

struct NamedTensor {
    std::string name;
    std::string dtype; ///< f16, f32, i32, u8, bool
    std::vector<std::int64_t> shape;
    std::string bytes; ///< little-endian, row-major
    bool operator==(NamedTensor const &) const = default;
};

/// The same for bytes in other memory: saving does not copy the weights.
struct TensorView {
    std::string_view name, dtype;
    std::span<std::int64_t const> shape;
    std::string_view bytes;
};

struct CheckpointInfo {
    std::string name; ///< "last", "best", "epoch-3"
    std::int64_t epoch = 0, step = 0;
    std::string savedUtc;
    std::string json = "{}"; ///< further data (optimizer, seed, position in the data)
    std::int64_t bytes = 0;  ///< of its tensors; filled by the reader
    bool operator==(CheckpointInfo const &) const = default;
};

enum class Packing { Fast, Small }; ///< Small: compressed if that saves space

/// Adds a checkpoint or replaces the one of that name, in one transaction: if the process is killed at any moment, the project opens with
/// either the old or the new one. The new one is read back and compared first: Data "project.not-stored".
Status saveCheckpoint(std::filesystem::path const &project, CheckpointInfo const &info, std::span<TensorView const> tensors,
                      Packing packing = Packing::Small);
Status saveCheckpoint(std::filesystem::path const &project, CheckpointInfo const &info, std::vector<NamedTensor> const &tensors,
                      Packing packing = Packing::Small);
/// Whether the project holds this checkpoint, by the checksums of its tensors.
Result<bool> holdsCheckpoint(std::filesystem::path const &project, CheckpointInfo const &info, std::span<TensorView const> tensors);

/// The space for repeatedly saving a checkpoint in place of `name`: the file grows, and during a change a journal beside it keeps the
/// replaced pages.
struct CheckpointRoom {
    std::int64_t file = 0;  ///< bytes of the file now
    std::int64_t grows = 0; ///< most additional bytes
    std::int64_t journal = 0;
};
Result<CheckpointRoom> roomForCheckpoint(std::filesystem::path const &project, std::string const &name, std::int64_t bytes,
                                         std::int64_t tensors);
/// Tests whether a checkpoint of this size could be saved there now and replaced later. Changes nothing.
Status tryProject(std::filesystem::path const &project, std::int64_t bytes, std::int64_t tensors = 0, std::string const &name = "last");
struct Checkpoint {
    CheckpointInfo info;
    std::vector<NamedTensor> tensors;
};
/// Error project.no-checkpoint (Invalid) lists the existing ones.
Result<Checkpoint> loadCheckpoint(std::filesystem::path const &project, std::string const &name);
Result<std::vector<CheckpointInfo>> listCheckpoints(std::filesystem::path const &project);
/// The checkpoint's tensors without their bytes; empty if the checkpoint does not exist.
Result<std::vector<NamedTensor>> listTensors(std::filesystem::path const &project, std::string const &checkpoint);
Status removeCheckpoint(std::filesystem::path const &project, std::string const &name);

// ---- history of runs ---------------------------------------------------------------------------------

struct RunRecord {
    std::int64_t id = 0; ///< given by addRunRecord
    std::string startedUtc, title;
    std::string kind;        ///< compile, train, evaluate, predict
    std::string state;       ///< running, done, stopped, failed; listRunRecords returns interrupted if the process is gone
    std::string report;      ///< path of its report, relative to the project
    std::string json = "{}"; ///< metrics, cycles, memory, tags, notes, the project at that time
    bool operator==(RunRecord const &) const = default;
};
/// The `json` of a current run: identifies its process.
std::string runningFacts();
Result<std::int64_t> addRunRecord(std::filesystem::path const &project, RunRecord const &record);
Status updateRunRecord(std::filesystem::path const &project, RunRecord const &record);
Status removeRunRecord(std::filesystem::path const &project, std::int64_t id);
Result<std::vector<RunRecord>> listRunRecords(std::filesystem::path const &project);

} // namespace tilewright::store
