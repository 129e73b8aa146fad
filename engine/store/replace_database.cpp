#include "engine/store/replace_database.h"

namespace tilewright::store {

Diagnostic asStoreError(Diagnostic error)
{
    if (error.code == "file.no-room") error.code = "store.disk-full";
    if (error.code == "file.write") error.code = "store.cannot-open";
    return error;
}

Status replaceDatabase(std::filesystem::path const &path, Database const &inMemory, Sync sync)
{
    auto const replace = [&]() -> Status {
        TW_ASSIGN(auto const bytes, inMemory.serialized());
        TW_ASSIGN(auto file, FileReplacement::begin(path));
        TW_TRY(file.write(bytes));
        // SQLite would replay a dead process's journal beside the old file into the new one. At this point there is space for that.
        std::error_code ignored;
        for (auto const *suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(file.target().string() + suffix, ignored);
        return file.commit(sync);
    };
    auto const status = replace();
    return status.ok() ? status : Status(asStoreError(status.error()));
}

} // namespace tilewright::store
