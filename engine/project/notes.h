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

/// What a person wrote about a project: no part of what is compiled, and of nothing that is drawn anew.
struct Notes {
    std::map<std::int64_t, RunNote> runs;          ///< by the run's number in the history
    std::map<std::string, std::string> suppressed; ///< findings nobody wants to see, by key: why
    bool isEmpty() const { return runs.empty() && suppressed.empty(); }
    void setRun(std::int64_t run, RunNote note);                    ///< an empty note goes away
    void setSuppressed(std::string const &key, std::string reason); ///< no reason: the finding is shown again
    bool operator==(Notes const &) const = default;
};

/// {"runs":{"3":{"tags":…,"notes":…}},"suppressed":{KEY:REASON}}
std::string notesJson(Notes const &notes);
/// What is not understood is left out: a note is never worth refusing a project.
Notes notesFromJson(std::string const &text);

/// Earlier files kept them in the layout of the canvas (keys "run_notes", "suppressed_insights"): takes them out of it.
Notes takeNotesOfLayout(std::string &layout);

} // namespace tilewright::project
