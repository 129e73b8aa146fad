#include "engine/data/formats.h"

#include "engine/core/text.h"
#include "engine/data/csv.h"
#include "engine/data/idx.h"
#include "engine/data/npy.h"
#include "engine/data/windows.h"

#include <algorithm>
#include <vector>

namespace tilewright::data {

namespace {

namespace fs = std::filesystem;

bool isFile(fs::path const &path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

bool isFolder(fs::path const &path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::string lowerExtension(fs::path const &path)
{
    auto text = path.extension().string();
    for (auto &c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

Message describeRecords(Dataset const &dataset, Message const &kind, fs::path const &path)
{
    auto const name = path.filename().string();
    if (dataset.testX.empty()) return Message::of("%1 %2: %3 training samples.", kind, name, dataset.x.count());
    return Message::of("%1 %2: %3 training and %4 test samples.", kind, name, dataset.x.count(), dataset.testX.count());
}

/// "mnist" of /data/mnist/ and of /data/mnist.npz.
std::string shortName(fs::path const &path)
{
    auto const name = path.filename().empty() ? path.parent_path().filename() : path.filename();
    return isFolder(path) ? name.string() : name.stem().string();
}

/// The first of `names` that is a file in the folder; empty when none is.
fs::path firstFile(fs::path const &folder, std::span<std::string const> names)
{
    for (auto const &name : names)
        if (isFile(folder / name)) return folder / name;
    return {};
}

using Reader = Result<DataArray> (*)(fs::path const &, JobContext const &);

/// One of the four arrays of a folder: the file the spec names, which then must exist, or one of the usual
/// names. Leaves `to` absent when there is neither.
Status readPart(fs::path const &folder, std::string const &wanted, std::span<std::string const> usual, Reader read, JobContext const &job,
                DataArray &to)
{
    auto const path = wanted.empty() ? firstFile(folder, usual) : folder / wanted;
    if (path.empty()) return {};
    TW_ASSIGN(to, read(path, job));
    return {};
}

/// Arrays for the inputs or outputs of a model by name, beside those that no name is given for. Without these the first takes their place.
template <typename Read> Status addNamed(std::map<std::string, std::string> const &named, DataArray &samples, Read const &read)
{
    for (auto const &[name, place] : named) {
        TW_ASSIGN(DataArray other, read(place));
        other.input = name;
        if (samples.empty()) samples = std::move(other);
        else samples.beside.push_back(std::move(other));
    }
    return {};
}

/// All that the spec names beside x, y, test_x and test_y.
template <typename Read> Status addNamed(DataSourceSpec const &spec, Dataset &dataset, Read const &read)
{
    TW_TRY(addNamed(spec.labels, dataset.y, read));
    if (!dataset.testX.empty() || !spec.testInputs.empty()) {
        TW_TRY(addNamed(spec.testInputs, dataset.testX, read));
        TW_TRY(addNamed(spec.testLabels, dataset.testY, read));
    }
    if (!spec.sampleWeight.empty() && !dataset.y.empty())
        TW_TRY(addNamed({{std::string(kSampleWeights), spec.sampleWeight}}, dataset.y, read));
    return {};
}

struct UsualNames {
    std::vector<std::string> x, y, testX, testY;
};

UsualNames idxNames()
{
    auto const variants = [](std::string const &stem, std::string const &rank) {
        std::vector<std::string> all;
        for (auto const *const joint : {"-", "."})
            for (auto const *const ending : {"", ".gz"}) all.push_back(stem + joint + "idx" + rank + "-ubyte" + ending);
        return all;
    };
    return {variants("train-images", "3"), variants("train-labels", "1"), variants("t10k-images", "3"), variants("t10k-labels", "1")};
}

UsualNames npyNames() { return {{"x_train.npy", "x.npy"}, {"y_train.npy", "y.npy"}, {"x_test.npy"}, {"y_test.npy"}}; }

/// A folder of files, or one file of samples whose companions the spec names beside it.
Result<Dataset> openFiles(DataSourceSpec const &spec, fs::path const &path, UsualNames const &usual, Reader read, Message const &kind,
                          JobContext const &job)
{
    Dataset dataset;
    bool const folder = isFolder(path);
    auto const place = folder ? path : path.parent_path();
    if (folder) {
        TW_TRY(readPart(place, spec.x, usual.x, read, job, dataset.x));
    } else {
        TW_ASSIGN(dataset.x, read(path, job));
    }
    auto const readNamed = [&](std::string const &file) { return read(place / file, job); };
    TW_TRY(addNamed(spec.inputs, dataset.x, readNamed));
    if (dataset.x.empty())
        return dataError("data.missing", path.string(), Message::of("the folder has no file of training samples (%1)", usual.x.front()),
                         Message::of("Name the files in data.x, data.y, data.test_x and data.test_y."));
    std::span<std::string const> const none;
    TW_TRY(readPart(place, spec.y, folder ? usual.y : none, read, job, dataset.y));
    TW_TRY(readPart(place, spec.testX, folder ? usual.testX : none, read, job, dataset.testX));
    TW_TRY(readPart(place, spec.testY, folder ? usual.testY : none, read, job, dataset.testY));
    TW_TRY(addNamed(spec, dataset, readNamed));
    dataset.name = shortName(path);
    dataset.describe = describeRecords(dataset, kind, path);
    return dataset;
}

bool looksLikeIdx(fs::path const &path)
{
    if (isFolder(path)) return !firstFile(path, idxNames().x).empty();
    auto const name = path.filename().string();
    return name.find("-ubyte") != std::string::npos || name.ends_with(".idx") || name.ends_with(".idx.gz");
}

Result<Dataset> openNpz(DataSourceSpec const &spec, fs::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const archive, openSource(path));
    TW_ASSIGN(auto const names, npzNames(archive));
    auto const has = [&](std::string const &name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    Dataset dataset;
    auto const part = [&](std::string const &wanted, std::vector<std::string> const &usual, DataArray &to) -> Status {
        auto name = wanted;
        for (std::size_t i = 0; name.empty() && i < usual.size(); ++i)
            if (has(usual[i])) name = usual[i];
        if (name.empty()) return {};
        TW_ASSIGN(to, parseNpzArray(archive, name, job));
        return {};
    };
    auto const readNamed = [&](std::string const &name) { return parseNpzArray(archive, name, job); };
    TW_TRY(part(spec.x, {"x_train", "x"}, dataset.x));
    TW_TRY(addNamed(spec.inputs, dataset.x, readNamed));
    if (dataset.x.empty())
        return dataError("data.npz.name", path.string(), Message::of("the archive has no array named x_train or x"),
                         Message::of("It holds: %1. Name the samples in data.x.", arrayNamesText(names)));
    TW_TRY(part(spec.y, {"y_train", "y"}, dataset.y));
    TW_TRY(part(spec.testX, {"x_test"}, dataset.testX));
    TW_TRY(part(spec.testY, {"y_test"}, dataset.testY));
    TW_TRY(addNamed(spec, dataset, readNamed));
    dataset.name = shortName(path);
    dataset.describe = describeRecords(dataset, Message::of("NumPy archive"), path);
    return dataset;
}

Result<Dataset> openNpy(DataSourceSpec const &spec, fs::path const &path, JobContext const &job)
{
    auto named = spec;
    if (named.y.empty() && !isFolder(path)) { // x_train.npy has its labels in y_train.npy
        auto companion = path.filename().string();
        auto const at = companion.find_first_of("xX");
        if (at != std::string::npos) companion[at] = companion[at] == 'x' ? 'y' : 'Y';
        if (at != std::string::npos && isFile(path.parent_path() / companion)) named.y = companion;
    }
    return openFiles(named, path, npyNames(), readNpy, "NumPy array", job);
}

Result<Dataset> openCsv(DataSourceSpec const &spec, fs::path const &path, JobContext const &job)
{
    CsvOptions options;
    options.labelColumn = spec.labelColumn;
    options.weightColumn = spec.sampleWeight;
    options.labelIsFeature = spec.window > 0; // the past of what is to be forecast
    options.skipDamaged = spec.damaged == "skip";
    TW_ASSIGN(auto train, readCsv(path, options, job));
    Dataset dataset;
    dataset.x = std::move(train.features);
    dataset.y = std::move(train.labels);
    if (!train.weights.empty() && !dataset.y.empty()) {
        train.weights.input = std::string(kSampleWeights);
        dataset.y.beside.push_back(std::move(train.weights));
    }
    if (!spec.testX.empty()) {
        TW_ASSIGN(auto test, readCsv(path.parent_path() / spec.testX, options, job));
        dataset.testX = std::move(test.features);
        dataset.testY = std::move(test.labels);
    }
    if (spec.window > 0) {
        Windows const windows{spec.window, spec.stride > 0 ? spec.stride : 1, spec.horizon};
        TW_TRY(cutWindows(windows, dataset.x, dataset.y));
        if (!dataset.testX.empty()) TW_TRY(cutWindows(windows, dataset.testX, dataset.testY));
    }
    dataset.name = shortName(path);
    dataset.describe = describeRecords(dataset, Message::of("Table"), path);
    if (spec.window > 0) dataset.describe += " " + Message::of("A sample is %1 rows.", spec.window);
    return dataset;
}

} // namespace

DataFormat idxFormat()
{
    return {"idx", "IDX files as of MNIST, plain or gzip: a folder with the four usual files, or one file with labels in data.y.",
            looksLikeIdx, [](DataSourceSpec const &spec, fs::path const &path, JobContext const &job) {
                return openFiles(spec, path, idxNames(), readIdx, Message::of("IDX files of"), job);
            }};
}

DataFormat npzFormat()
{
    return {"npz", "A NumPy archive with x_train, y_train, x_test, y_test, or x and y. data.inputs names the arrays of further inputs.",
            [](fs::path const &path) { return lowerExtension(path) == ".npz"; }, openNpz};
}

DataFormat npyFormat()
{
    return {
        "npy", "NumPy files: x_train.npy, y_train.npy, x_test.npy, y_test.npy, or x.npy and y.npy.",
        [](fs::path const &path) { return lowerExtension(path) == ".npy" || (isFolder(path) && !firstFile(path, npyNames().x).empty()); },
        openNpy};
}

DataFormat csvFormat()
{
    return {"csv",
            "A table of numbers, one record per line; data.label_column names the labels. With data.window, a sample is that many rows.",
            [](fs::path const &path) {
                auto const ending = lowerExtension(path);
                return ending == ".csv" || ending == ".tsv" || ending == ".txt" || ending == ".data";
            },
            openCsv};
}

} // namespace tilewright::data
