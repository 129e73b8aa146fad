#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <map>
#include <string>

namespace tilewright::project {

struct RunNote {
    std::string tags, notes;
    bool isEmpty() const { return tags.empty() && notes.empty(); }
    bool operator==(RunNote const &) const = default;
};

/// The user's notes on a project. They affect neither compilation nor drawing.
struct Notes {
    std::map<std::int64_t, RunNote> runs;          ///< by the run's number in the history
    std::map<std::string, std::string> suppressed; ///< hidden insights by key, with the reason
    bool isEmpty() const { return runs.empty() && suppressed.empty(); }
    void setRun(std::int64_t run, RunNote note);                    ///< an empty note is removed
    void setSuppressed(std::string const &key, std::string reason); ///< an empty reason shows the insight again
    bool operator==(Notes const &) const = default;
};

/// {"runs":{"3":{"tags":…,"notes":…}},"suppressed":{KEY:REASON}}
std::string notesJson(Notes const &notes);
/// Ignores content it cannot read: a note never makes a project unreadable.
Notes notesFromJson(std::string const &text);

/// Moves notes out of the canvas layout, where earlier files kept them (keys "run_notes", "suppressed_insights").
Notes takeNotesOfLayout(std::string &layout);

} // namespace tilewright::project
