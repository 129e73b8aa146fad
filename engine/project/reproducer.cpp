#include "engine/project/reproducer.h"

#include "engine/core/files.h"
#include "engine/core/random.h"

#include <cstdio>

namespace tilewright::project {

namespace {

constexpr std::string_view kKept = "The project is kept in ";

/// A name that equal texts share.
std::string nameOf(std::string_view error, std::string_view document)
{
    std::uint64_t hash = 0;
    for (auto const text : {error, document})
        for (unsigned char const c : text) hash = mixBits(hash ^ c) + 1;
    char name[40];
    std::snprintf(name, sizeof name, "failure-%016llx.json", static_cast<unsigned long long>(hash));
    return name;
}

/// The file that holds the document; empty: no folder takes it.
std::string keep(std::string const &name, std::string const &document)
{
    for (auto const &folder : stateFolders("failures"))
        if (writeFileAtomically(folder / name, document, Sync::No).ok()) return (folder / name).string();
    return {};
}

} // namespace

Diagnostic withReproducer(Project const &project, Diagnostic error)
{
    if (error.kind != ErrorKind::Internal || error.remedy.find(kKept) != std::string::npos) return error;
    auto const document = field(project, "");
    auto const file = document.ok() ? keep(nameOf(error.message.text(), *document), *document + "\n") : std::string();
    if (file.empty()) return error;
    if (!error.remedy.empty()) error.remedy += " ";
    error.remedy += Message::of("The project is kept in %1: send this file with the report.", file);
    return error;
}

} // namespace tilewright::project
