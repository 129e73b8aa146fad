#include "engine/project/notes.h"

#include "engine/core/json_text.h"
#include "engine/core/numbers.h"

#include <nlohmann/json.hpp>

namespace tilewright::project {

using nlohmann::json;

namespace {

std::string textOf(json const &object, char const *key)
{
    auto const it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

void readRuns(json const &runs, Notes &notes)
{
    if (!runs.is_object()) return;
    for (auto const &[key, value] : runs.items()) {
        auto const run = parseInteger(key);
        if (!run || !value.is_object()) continue;
        notes.setRun(*run, {textOf(value, "tags"), textOf(value, "notes")});
    }
}

void readSuppressed(json const &suppressed, Notes &notes)
{
    if (!suppressed.is_object()) return;
    for (auto const &[key, reason] : suppressed.items())
        if (reason.is_string()) notes.setSuppressed(key, reason.get<std::string>());
}

json partOf(json const &object, char const *key) { return object.is_object() && object.contains(key) ? object[key] : json(); }

} // namespace

void Notes::setRun(std::int64_t run, RunNote note)
{
    if (note.isEmpty()) runs.erase(run);
    else runs[run] = std::move(note);
}

void Notes::setSuppressed(std::string const &key, std::string reason)
{
    if (reason.empty()) suppressed.erase(key);
    else suppressed[key] = std::move(reason);
}

std::string notesJson(Notes const &notes)
{
    json all = json::object();
    for (auto const &[run, note] : notes.runs) all["runs"][std::to_string(run)] = {{"tags", note.tags}, {"notes", note.notes}};
    for (auto const &[key, reason] : notes.suppressed) all["suppressed"][key] = reason;
    return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Notes notesFromJson(std::string const &text)
{
    Notes notes;
    json const all = jsonOrDiscarded(text);
    readRuns(partOf(all, "runs"), notes);
    readSuppressed(partOf(all, "suppressed"), notes);
    return notes;
}

Notes takeNotesOfLayout(std::string &layout)
{
    Notes notes;
    json all = jsonOrDiscarded(layout);
    if (!all.is_object() || (!all.contains("run_notes") && !all.contains("suppressed_insights"))) return notes;
    readRuns(partOf(all, "run_notes"), notes);
    readSuppressed(partOf(all, "suppressed_insights"), notes);
    all.erase("run_notes");
    all.erase("suppressed_insights");
    layout = all.dump(-1, ' ', false, json::error_handler_t::replace);
    return notes;
}

} // namespace tilewright::project
