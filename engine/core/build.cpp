#include "engine/core/build.h"

#include <cstddef>
#include <cstring>
#include <span>

#include <elf.h>
#include <link.h>

namespace tilewright {

namespace {

/// A note consists of a header, a name and a description, both padded to four bytes even if the segment is aligned to eight.
std::string buildIdIn(std::span<std::byte const> notes)
{
    auto const padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        std::memcpy(&header, notes.data(), sizeof header);
        auto const description = sizeof header + padded(header.n_namesz), end = description + padded(header.n_descsz);
        if (end > notes.size()) return {};
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof ELF_NOTE_GNU
            && std::memcmp(notes.data() + sizeof header, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            std::string text;
            for (auto const byte : notes.subspan(description, header.n_descsz)) {
                text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
                text += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
            }
            return text;
        }
        notes = notes.subspan(end);
    }
    return {};
}

/// The first object is the program; the libraries after it do not matter.
int lookIn(dl_phdr_info *program, std::size_t, void *found)
{
    for (std::size_t i = 0; i < program->dlpi_phnum; ++i) {
        auto const &part = program->dlpi_phdr[i];
        if (part.p_type != PT_NOTE) continue;
        auto const *begin = reinterpret_cast<std::byte const *>(program->dlpi_addr + part.p_vaddr);
        auto &id = *static_cast<std::string *>(found);
        if (id = buildIdIn({begin, part.p_memsz}); !id.empty()) break;
    }
    return 1;
}

} // namespace

std::string_view version() { return TILEWRIGHT_VERSION; }

std::string const &buildId()
{
    static std::string const id = [] {
        std::string text;
        ::dl_iterate_phdr(lookIn, &text);
        return text;
    }();
    return id;
}

} // namespace tilewright
