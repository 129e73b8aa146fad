#include "tests/faults/cases.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace tilewright::faults {

namespace fs = std::filesystem;

namespace {

/// Few units, few samples: a run takes tens of milliseconds.
std::vector<std::string> const kSmall{
    "model.layers.dense.units=6", "model.layers.dense_1.units=4", "data.limit=48", "training.batch_size=16",
    "training.epochs=2",          "system.target=gc200:tiles=4"};

std::vector<std::string> operator+(std::vector<std::string> left, std::vector<std::string> const &right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Runs commands that must succeed without faults.
Ran need(Box const &box, std::vector<std::string> const &arguments)
{
    auto ran = box.run(arguments);
    if (ran.code == 0) return ran;
    std::string line;
    for (auto const &argument : arguments) line += " " + argument;
    throw std::runtime_error("without any fault this failed:" + line + "\n" + ran.err);
}

bool endsWith(std::string const &text, std::string_view end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// A command's text without how long it took, which two runs have in common by chance only.
std::string withoutTimes(std::string const &text)
{
    static std::regex const time(" in [0-9.,]+ (us|ms|s|min)");
    return std::regex_replace(text, time, " in a while");
}

/// The weights of checkpoint `last` as an archive; empty if there is none.
std::string weightsOf(Box const &box, std::string const &project)
{
    auto const json = box.root() / "tmp" / "weights.json", npz = box.root() / "tmp" / "weights.npz";
    auto const ran = box.run({"export", project, json.string(), "--to", "json", "--with-weights", "--quiet"});
    auto bytes = ran.code == 0 ? contentOf(npz).value_or("") : std::string();
    fs::remove(json);
    fs::remove(npz);
    return bytes;
}

/// The archives whose path is in a text.
std::vector<std::string> namedArchives(std::string const &text)
{
    std::vector<std::string> all;
    static std::regex const path("(/[^\\s'\"]+\\.npz)");
    for (std::sregex_iterator it(text.begin(), text.end(), path), end; it != end; ++it) all.push_back((*it)[1]);
    return all;
}

/// The error in the end or output of a run; empty if there is none.
std::optional<std::string> badEnd(Case const &which, Ran const &ran)
{
    if (ran.hung) return "hangs";
    if (ran.signal != 0) return "ended by signal " + std::to_string(ran.signal);
    if (ran.code == 1) return "exit code 1";
    if (ran.code < 0 || ran.code > 10) return "exit code " + std::to_string(ran.code) + " is none of the table's";
    for (auto const *word : {"terminate called", "std::bad_alloc", "bad_alloc", "basic_string", "this is a bug", "vector::"})
        if (ran.err.find(word) != std::string::npos) return std::string("stderr says '") + word + "'";
    if (ran.code == 0) return std::nullopt;
    static std::regex const sentence("(^|\n)tilewright: error: [^\n]*[a-z]+ [a-z]+ [a-z]+[^\n]*");
    static std::regex const document("\"error\": *\\{[^}]*\"message\": *\"[^\"]*[a-z]+ [a-z]+ [a-z]+");
    bool const json = std::ranges::find(which.arguments, "--json") != which.arguments.end();
    // Before it has read its arguments the program does not know that JSON is wanted.
    bool const told = std::regex_search(ran.err, sentence) || (json && std::regex_search(ran.out, document));
    if (!told) return json ? "no error in the document" : "no sentence on stderr";
    static std::regex const temporary("\\.(new|tmp)-[0-9]+");
    if (std::regex_search(ran.err, temporary)) return "stderr names a temporary file";
    return std::nullopt;
}

/// After a failure a file is not there, or whole.
std::optional<std::string> badOutput(Case const &which, Expected const &expected, Box const &box, Ran const &ran, std::string const &name)
{
    auto const content = contentOf(box.work() / name);
    if (!content) return ran.code == 0 ? std::optional("exit code 0, and " + name + " is not there") : std::nullopt;
    if (endsWith(name, ".twreport")) {
        // A run that ended early leaves a readable report of its finished part.
        auto const checked = box.run({"check-report", name});
        if (checked.code == 0) return std::nullopt;
        return "check-report of " + name + " says " + std::to_string(checked.code) + ": " + checked.out + checked.err;
    }
    // Weights are saved on the way: those of an earlier epoch are whole, too.
    if (ran.code != 0 && which.trains && endsWith(name, ".npz") && box.run({"evaluate", which.project, "--checkpoint", name}).code == 0)
        return std::nullopt;
    auto const &wanted = expected.outputs.at(name);
    if (wanted && *content != *wanted) return name + " is neither missing nor what it should be";
    if (!wanted && which.name.starts_with("new") && box.run({"get", name}).code != 0) return name + " does not open";
    return std::nullopt;
}

std::optional<std::string> leftOver(Case const &which, Expected const &expected, Box const &box, Ran const &ran)
{
    auto allowed = expected.files;
    // Where its own folder cannot be used, the cache is among the temporary files.
    for (auto const &file : expected.files)
        if (file.starts_with("cache/tilewright/")) allowed.insert("tmp/tilewright-#/" + file.substr(17));
    for (auto const &file : expected.start->files()) allowed.insert(file);
    // A report that could not be closed keeps its log, which holds its end; check-report has read both.
    for (auto const &name : which.outputs)
        if (endsWith(name, ".twreport"))
            for (auto const *suffix : {"-wal", "-shm"}) allowed.insert(withoutNumbers("work/" + name + suffix));
    for (auto const &path : namedArchives(ran.out + ran.err))
        allowed.insert(withoutNumbers(fs::path(path).lexically_relative(box.root()).string()));
    for (auto const &file : box.files())
        if (!allowed.contains(file)) return "left behind: " + file;
    return std::nullopt;
}

} // namespace

std::optional<std::string> badProject(Case const &which, Expected const &expected, Box const &box, Fault const &fault, Ran const &ran)
{
    if (which.project.empty()) return std::nullopt;
    // Not touched, nor left in the middle of a change: the old state, without asking the program.
    bool const untouched = contentOf(box.work() / which.project) == contentOf(expected.start->work() / which.project)
        && !fs::exists(box.work() / (which.project + "-wal")) && !fs::exists(box.work() / (which.project + "-journal"));
    Ran const read = untouched ? Ran{.code = 0, .out = expected.oldFields} : box.run({"get", which.project});
    if (read.code != 0) return "the project does not open: " + read.err;
    bool const isNew = read.out == expected.newFields, isOld = read.out == expected.oldFields;
    if (!isNew && !isOld) return std::string("the project holds neither its old nor its new fields");
    if (ran.code == 0 && !isNew) return std::string("exit code 0, and the project holds its old fields");
    if (!which.trains) return std::nullopt;
    auto const weights = untouched ? expected.oldWeights : weightsOf(box, which.project);
    bool const saved = weights == expected.newWeights;
    if (saved) return std::nullopt;
    auto const inAnArchive = [&] {
        for (auto const &name : which.outputs)
            if (endsWith(name, ".npz") && contentOf(box.work() / name) == expected.outputs.at(name) && expected.outputs.at(name))
                return true;
        return false;
    };
    // A project that could not be written before the training: reported, and the archive has the weights.
    if (ran.code == 0 && ran.err.find("the project keeps no weights of this run") != std::string::npos && inAnArchive())
        return std::nullopt;
    if (ran.code == 0) return std::string("exit code 0, and the project lacks the weights");
    // Epochs of one run are saved as they end: those of the first are neither old nor new, and no less whole.
    if (weights != expected.oldWeights && box.run({"evaluate", which.project}).code != 0)
        return std::string("checkpoint `last` cannot be used");
    // The last epoch was reported with all its steps, so it is finished.
    auto const lastEpoch = [](std::string const &out) {
        auto const line = out.rfind("Epoch ");
        if (line == std::string::npos || out.find("loss:", line) == std::string::npos) return std::string();
        return out.substr(line, out.find(" [", line) - line); // "Epoch 2/2", "3/3"
    };
    if (lastEpoch(ran.out).empty() || lastEpoch(ran.out) != lastEpoch(expected.ran.out)) return std::nullopt;
    if (inAnArchive()) return std::nullopt;
    for (auto const &path : namedArchives(ran.out + ran.err))
        if (contentOf(path) == std::optional(expected.newWeights) || (ran.signal != 0 && contentOf(path)))
            return std::nullopt; // those that were being saved
    // All file systems fail from some moment on, and the message says so. One that only fails to sync still accepts a file.
    if (fault.manner == Manner::Lasting && fault.kind != Kind::Sync && ran.err.find("they are lost") != std::string::npos)
        return std::nullopt;
    return std::string("finished weights are nowhere");
}

std::vector<Case> const &allCases()
{
    static std::vector<Case> const all = [] {
        std::vector<Case> cases;
        cases.push_back({.name = "new",
                         .arguments = std::vector<std::string>{"new", "mnist-mlp", "made.tilewright"} + kSmall,
                         .everyAllocation = true,
                         .outputs = {"made.tilewright"}});
        cases.push_back({.name = "new-twin",
                         .arguments = std::vector<std::string>{"new", "mnist-mlp", "made.json"} + kSmall,
                         .everyAllocation = true,
                         .outputs = {"made.json"}});
        cases.push_back({.name = "set",
                         .arguments = {"set", "fresh.tilewright", "training.batch_size=8", "model.layers.dense.units=5"},
                         .everyAllocation = true,
                         .project = "fresh.tilewright",
                         .changesProject = true});
        cases.push_back({.name = "set-twin",
                         .arguments = {"set", "twin.json", "training.batch_size=8", "model.layers.dense.units=5"},
                         .everyAllocation = true,
                         .project = "twin.json",
                         .changesProject = true});
        cases.push_back({.name = "compile",
                         .arguments = {"compile", "fresh.tilewright", "--report", "compiled.twreport"},
                         .warm = false,
                         .project = "fresh.tilewright",
                         .outputs = {"compiled.twreport"}});
        cases.push_back({.name = "train",
                         .arguments = {"train", "fresh.tilewright", "--report", "run.twreport", "--checkpoint", "weights.npz"},
                         .project = "fresh.tilewright",
                         .trains = true,
                         .outputs = {"run.twreport", "weights.npz"}});
        cases.push_back({.name = "resume",
                         .arguments = {"train", "trained.tilewright", "--resume", "last", "--epochs", "4", "--report", "run.twreport"},
                         .project = "trained.tilewright",
                         .trains = true,
                         .outputs = {"run.twreport"}});
        cases.push_back({.name = "report-summary", .arguments = {"report", "trained.twreport", "summary"}});
        cases.push_back({.name = "report-memory", .arguments = {"report", "trained.twreport", "memory", "--json"}});
        cases.push_back({.name = "report-html",
                         .arguments = {"report", "trained.twreport", "export", "--to", "html", "report.html"},
                         .outputs = {"report.html"}});
        cases.push_back({.name = "report-json",
                         .arguments = {"report", "trained.twreport", "export", "--to", "json", "report.json"},
                         .outputs = {"report.json"}});
        cases.push_back({.name = "export",
                         .arguments = {"export", "trained.tilewright", "twin-of-it.json", "--to", "json", "--with-weights"},
                         .project = "trained.tilewright",
                         .outputs = {"twin-of-it.json", "twin-of-it.npz"}});
        return cases;
    }();
    return all;
}

void prepare(Box const &cold, Box const &warm)
{
    cold.clear();
    need(cold, std::vector<std::string>{"new", "mnist-mlp", "fresh.tilewright"} + kSmall);
    need(cold, std::vector<std::string>{"new", "mnist-mlp", "twin.json"} + kSmall);
    warm.copyFrom(cold);
    need(warm, std::vector<std::string>{"new", "mnist-mlp", "trained.tilewright"} + kSmall);
    need(warm, {"train", "trained.tilewright", "--report", "trained.twreport", "--threads", "1"});
}

Expected expect(Case const &which, Box const &start, Box const &box, bool stacks)
{
    Expected expected;
    expected.start = &start;
    box.copyFrom(start);
    if (!which.project.empty()) expected.oldFields = need(box, {"get", which.project}).out;
    if (which.trains) expected.oldWeights = weightsOf(box, which.project);
    box.copyFrom(start);
    expected.ran = need(box, which.arguments);
    expected.files = box.files();
    std::map<std::string, std::optional<std::string>> first;
    for (auto const &name : which.outputs) first[name] = contentOf(box.work() / name);
    if (!which.project.empty()) expected.newFields = need(box, {"get", which.project}).out;
    if (which.trains) expected.newWeights = weightsOf(box, which.project);
    if (which.trains && expected.newWeights.empty()) throw std::runtime_error(which.name + ": no weights without any fault");

    box.copyFrom(start);
    auto const again = box.run(which.arguments, {.stacks = stacks}, expected.noted);
    if (again.code != 0) throw std::runtime_error(which.name + ": fails with the library alone\n" + again.err);
    expected.sameText = withoutTimes(again.out) == withoutTimes(expected.ran.out);
    for (auto const &[name, content] : first) {
        if (!content) throw std::runtime_error(which.name + " makes no " + name);
        expected.outputs[name] = contentOf(box.work() / name) == content ? content : std::nullopt;
    }
    return expected;
}

std::optional<std::string> tryFault(Case const &which, Expected const &expected, Box const &box, Fault const &fault, Ran &ran, Noted &noted)
{
    box.copyFrom(*expected.start);
    ran = box.run(which.arguments, fault, noted);
    if (auto bad = badEnd(which, ran)) return bad;
    if (ran.code == 0 && expected.sameText && withoutTimes(ran.out) != withoutTimes(expected.ran.out))
        return "exit code 0, and stdout is not what it should be";
    if (auto bad = badProject(which, expected, box, fault, ran)) return bad;
    for (auto const &name : which.outputs)
        if (auto bad = badOutput(which, expected, box, ran, name)) return bad;
    return leftOver(which, expected, box, ran);
}

} // namespace tilewright::faults
