#include "engine/store/process_mark.h"

#include "engine/core/text.h"

#include <fstream>
#include <iterator>

#include <unistd.h>

namespace tilewright::store {

namespace {

std::string contentOf(std::string const &path)
{
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string bootId()
{
    auto id = contentOf("/proc/sys/kernel/random/boot_id");
    while (!id.empty() && id.back() == '\n') id.pop_back();
    return id.empty() ? "unknown" : id;
}

/// Field 22 of /proc/PID/stat, counted after the name in parentheses; "" if there is no such process. A process in state Z or X has ended
/// and
/// counts as gone.
std::string startTime(std::string const &pid)
{
    auto const stat = contentOf("/proc/" + pid + "/stat");
    auto const at = stat.rfind(')');
    if (at == std::string::npos || at + 2 >= stat.size()) return {};
    auto const words = splitText(std::string_view(stat).substr(at + 2), ' ');
    if (words.size() < 20 || words[0] == "Z" || words[0] == "X") return {};
    return words[19];
}

} // namespace

std::string processMark()
{
    auto const pid = std::to_string(getpid());
    return bootId() + " " + pid + " " + startTime(pid);
}

bool isAlive(std::string_view mark)
{
    auto const words = splitText(mark, ' ');
    if (words.size() != 3 || words[0] != bootId()) return false;
    for (char const c : words[1])
        if (c < '0' || c > '9') return false;
    return !words[2].empty() && startTime(words[1]) == words[2];
}

} // namespace tilewright::store
