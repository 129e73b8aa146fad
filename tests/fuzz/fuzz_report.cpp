#include "engine/store/check_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"
#include "engine/store/report_values.h"
#include "engine/store/report_writer.h"
#include "tests/engine/store/sample_report.h"
#include "tests/fuzz/damaged_database.h"

#include <nlohmann/json.hpp>

namespace {

std::string goodReport()
{
    tilewright::tests::ScratchFile const file(".twreport");
    (void)tilewright::store::writeReport(file.path(), tilewright::tests::sampleReport());
    return file.read();
}

} // namespace

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    static std::string const good = goodReport();
    static tests::ScratchFile const file(".twreport");
    tests::writeDamaged(file, good, bytes, size);
    auto const reader = store::ReportReader::open(file.path());
    if (!reader.ok()) return 0;
    (void)store::checkReport(**reader);
    (void)store::reportValues(**reader);
    for (auto const *part : {"summary", "memory", "liveness", "program", "operations", "timeline", "insights"})
        (void)store::reportPart(**reader, part);
    (void)(*reader)->query("SELECT sum(duration) FROM events(0, 0, 0, 100000)");
    (void)(*reader)->query("SELECT count(*) FROM placed(1), live_at(2, NULL)");
    return 0;
}
