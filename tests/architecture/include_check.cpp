#include "tests/architecture/include_check.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

namespace tilewright::tests {

namespace {

namespace fs = std::filesystem;

bool isAbove(std::string const &row, std::string const &path)
{
    return path.starts_with(row) && (path.size() == row.size() || path[row.size()] == '/' || path[row.size()] == '.');
}

/// "views/*" is the row of "views/memory/x.h" but not of "views/x.h".
bool patternFits(std::string const &row, std::string const &path)
{
    auto const prefix = row.substr(0, row.size() - 1);
    return path.starts_with(prefix) && path.find('/', prefix.size()) != std::string::npos;
}

/// The row of this file's folder; for the pattern "views/*" the folder itself, e.g. "views/memory".
std::string folderOf(std::string const &row, std::string const &path)
{
    return row.ends_with("/*") ? path.substr(0, path.find('/', row.size() - 1)) : row;
}

bool allowed(std::vector<std::string> const &may, std::string const &targetRow, std::string const &targetFolder)
{
    return std::ranges::any_of(may, [&](std::string const &entry) {
        if (entry == "*" || entry == targetRow || entry == targetFolder) return true;
        return entry.ends_with("/*") && targetFolder.starts_with(entry.substr(0, entry.size() - 1));
    });
}

struct Include {
    std::string name;
    bool quoted = false;
};

std::optional<Include> includeOf(std::string const &line)
{
    auto const skip = [&](std::size_t i) { return std::min(line.find_first_not_of(" \t", i), line.size()); };
    auto i = skip(0);
    if (i >= line.size() || line[i] != '#') return {};
    i = skip(i + 1);
    if (line.compare(i, 7, "include") != 0) return {};
    i = skip(i + 7);
    if (i >= line.size() || (line[i] != '"' && line[i] != '<')) return {};
    bool const quoted = line[i] == '"';
    auto const end = line.find(quoted ? '"' : '>', i + 1);
    if (end == std::string::npos) return {};
    return Include{line.substr(i + 1, end - i - 1), quoted};
}

/// <QString>, <QtCore/QString>, <qglobal.h>, <qcustomplot.h>; not <queue>.
bool isQt(std::string const &name)
{
    if (name.size() < 2) return false;
    if (name[0] == 'Q' && ((name[1] >= 'A' && name[1] <= 'Z') || name[1] == 't')) return true;
    return name[0] == 'q' && name.ends_with(".h");
}

bool isOurs(std::string const &name)
{
    constexpr std::array kTops{"engine/", "views/", "app/", "tests/"};
    return std::ranges::any_of(kTops, [&](char const *top) { return name.starts_with(top); });
}

} // namespace

IncludeTable parseIncludeTable(std::string_view text)
{
    IncludeTable table;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        auto const colon = line.find(':');
        if (colon == std::string::npos) {
            table.problems.push_back("no row: '" + line + "'");
            continue;
        }
        auto const folder = line.substr(0, colon);
        if (table.rows.contains(folder)) table.problems.push_back(folder + " has two rows");
        auto &may = table.rows[folder];
        std::istringstream words(line.substr(colon + 1));
        for (std::string word; words >> word;) may.push_back(word);
    }
    for (auto const &[folder, may] : table.rows)
        for (auto const &other : may)
            if (!other.ends_with("*") && !table.rows.contains(other))
                table.problems.push_back(folder + " may include " + other + ", which has no row");
    return table;
}

std::string rowOf(IncludeTable const &table, std::string const &path)
{
    std::string best;
    for (auto const &[row, may] : table.rows)
        if (!row.ends_with("/*") && isAbove(row, path) && row.size() > best.size()) best = row;
    if (!best.empty()) return best;
    for (auto const &[row, may] : table.rows)
        if (row.ends_with("/*") && patternFits(row, path)) return row;
    return "";
}

std::vector<std::string> cyclesOf(IncludeTable const &table)
{
    std::map<std::string, std::set<std::string>> edges;
    for (auto const &[row, may] : table.rows) {
        auto &out = edges[row];
        if (row != "engine/core" && table.rows.contains("engine/core")) out.insert("engine/core");
        for (auto const &entry : may) {
            if (entry == "*") continue;
            if (!entry.ends_with("/*")) out.insert(entry);
            else // all rows below; the row itself is no way back to itself
                for (auto const &[other, unused] : table.rows)
                    if (other != row && other.starts_with(entry.substr(0, entry.size() - 1))) out.insert(other);
        }
    }
    enum class Mark { New, Open, Done };
    std::map<std::string, Mark> marks;
    std::vector<std::string> path, cycles;
    std::function<void(std::string const &)> const visit = [&](std::string const &row) {
        marks[row] = Mark::Open;
        path.push_back(row);
        for (auto const &next : edges[row]) {
            if (marks[next] == Mark::Open) {
                std::string text;
                for (auto it = std::ranges::find(path, next); it != path.end(); ++it) text += *it + " -> ";
                cycles.push_back(text + next);
            } else if (marks[next] == Mark::New) {
                visit(next);
            }
        }
        path.pop_back();
        marks[row] = Mark::Done;
    };
    for (auto const &[row, may] : table.rows)
        if (marks[row] == Mark::New) visit(row);
    return cycles;
}

IncludeReport checkIncludes(fs::path const &root, IncludeTable const &table)
{
    std::vector<fs::path> files;
    for (auto const *top : {"engine", "views", "app", "tests"}) {
        if (!fs::is_directory(root / top)) continue;
        for (auto const &entry : fs::recursive_directory_iterator(root / top)) {
            auto const extension = entry.path().extension();
            if (entry.is_regular_file() && (extension == ".h" || extension == ".cpp" || extension == ".hpp" || extension == ".cc"))
                files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);

    IncludeReport report;
    for (auto const &file : files) {
        ++report.files;
        auto const path = file.lexically_relative(root).generic_string();
        auto const row = rowOf(table, path);
        std::ifstream stream(file);
        int number = 0;
        auto const violate = [&](std::string const &what) {
            report.violations.push_back(path + ":" + std::to_string(number) + ": " + what);
        };
        if (row.empty()) violate("the folder has no row in the table");
        for (std::string line; std::getline(stream, line);) {
            ++number;
            auto const include = includeOf(line);
            if (!include) continue;
            if (path.starts_with("engine/") && isQt(include->name)) violate("engine includes Qt: " + include->name);
            if (!include->quoted || !isOurs(include->name)) continue;
            ++report.includes;
            if (!fs::exists(root / include->name)) violate(include->name + " does not exist");
            auto const targetRow = rowOf(table, include->name);
            if (row.empty()) continue;
            if (targetRow.empty()) {
                violate(include->name + " belongs to no row of the table");
                continue;
            }
            auto const folder = folderOf(row, path), targetFolder = folderOf(targetRow, include->name);
            if (folder == targetFolder || targetFolder == "engine/core") continue;
            if (!allowed(table.rows.at(row), targetRow, targetFolder))
                violate(folder + " may not include " + targetFolder + " (" + include->name + ")");
        }
    }
    return report;
}

} // namespace tilewright::tests
