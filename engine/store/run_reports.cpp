#include "engine/store/run_reports.h"

#include "engine/core/files.h"
#include "engine/store/schema.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::store {

namespace fs = std::filesystem;

bool isReportFile(fs::path const &path)
{
    constexpr std::string_view kHead("SQLite format 3", 16); // with its zero
    constexpr std::size_t kIdOffset = 68;                    // of the application id, four bytes from the highest on
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    if (file < 0) return false;
    std::array<std::byte, kIdOffset + 4> head{};
    struct stat status {};
    bool const whole =
        ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && readAt(file, head, 0) == static_cast<std::int64_t>(head.size());
    ::close(file);
    if (!whole || !std::equal(kHead.begin(), kHead.end(), reinterpret_cast<char const *>(head.data()))) return false;
    std::int64_t id = 0;
    for (std::size_t i = 0; i < 4; ++i) id = id << 8 | std::to_integer<std::int64_t>(head[kIdOffset + i]);
    return id == kReportApplicationId;
}

std::optional<fs::path> reportOfRun(fs::path const &project, std::string const &named)
{
    if (named.empty()) return std::nullopt;
    std::error_code problem;
    auto const base = fs::absolute(project, problem).parent_path();
    auto const path = (base / named).lexically_normal(); // an absolute name stays
    // Links in the folders are followed before their place is judged.
    auto const real = [&](fs::path const &folder) {
        auto found = fs::weakly_canonical(folder, problem);
        return problem ? folder : found;
    };
    auto const folder = real(path.parent_path()), own = real(base);
    bool allowed = folder == own || (folder.parent_path() == own && folder.filename().string().ends_with("-reports"));
    if (!allowed)
        if (auto const cache = cacheFolder("reports"); cache.ok()) allowed = folder == real(*cache);
    if (!allowed || path.filename().empty()) return std::nullopt;
    if (fs::exists(fs::symlink_status(path, problem)) && !isReportFile(path)) return std::nullopt;
    return path;
}

} // namespace tilewright::store
