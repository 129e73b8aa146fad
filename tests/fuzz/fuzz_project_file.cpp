#include "engine/store/project_file.h"
#include "tests/fuzz/damaged_database.h"

namespace {

/// Two checkpoints, two runs: something in every table.
std::string goodProject()
{
    using namespace tilewright::store;
    tilewright::tests::ScratchFile const file(".tilewright");
    (void)writeProjectFile(file.path(), {{{"model", "{\"layers\":[]}"}, {"training", "{\"batch_size\":16}"}, {"system", "{}"}}});
    for (auto const *name : {"last", "best"})
        (void)saveCheckpoint(file.path(), {.name = name, .epoch = 1, .step = 2, .savedUtc = "2024-01-01T00:00:00Z"},
                             {{"dense/kernel", "f32", {2, 3}, std::string(24, '\1')}, {"dense/bias", "i32", {}, std::string(4, '\0')}});
    for (int i = 0; i < 2; ++i)
        (void)addRunRecord(file.path(), {.startedUtc = "2024-01-01T00:00:00Z", .title = "a run", .kind = "train", .state = "done"});
    return file.read();
}

} // namespace

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    static std::string const good = goodProject();
    static tests::ScratchFile const file(".tilewright");
    tests::writeDamaged(file, good, bytes, size);
    (void)store::readProject(file.path());
    (void)store::listRunRecords(file.path());
    auto const checkpoints = store::listCheckpoints(file.path());
    if (!checkpoints.ok()) return 0;
    for (auto const &checkpoint : *checkpoints) (void)store::loadCheckpoint(file.path(), checkpoint.name);
    return 0;
}
