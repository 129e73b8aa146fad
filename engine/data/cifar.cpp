#include "engine/core/text.h"
#include "engine/data/formats.h"
#include "engine/data/source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace tilewright::data {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSide = 32, kPlane = kSide * kSide, kPixels = 3 * kPlane;

/// One of the two data sets: a record is its labels, one byte each, and three planes of colour.
struct Cifar {
    char const *name;
    std::int64_t labels; ///< bytes of a record before the pixels
    std::array<int, 2> classes;
    std::vector<std::string> train, test; ///< files
    std::int64_t recordBytes() const { return labels + kPixels; }
};

std::array<Cifar, 2> const &kinds()
{
    static std::array<Cifar, 2> const both{
        Cifar{"CIFAR-10",
              1,
              {10, 0},
              {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
              {"test_batch.bin"}},
        Cifar{"CIFAR-100", 2, {20, 100}, {"train.bin"}, {"test.bin"}}};
    return both;
}

bool has(fs::path const &folder, std::string const &name)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / name, ignored);
}

Cifar const *kindIn(fs::path const &folder)
{
    for (auto const &kind : kinds())
        if (std::ranges::any_of(kind.train, [&](auto const &name) { return has(folder, name); })) return &kind;
    return nullptr;
}

struct Records {
    std::vector<std::uint8_t> pixels;
    std::vector<std::int32_t> labels;
    std::vector<std::string> damaged;
};

/// `column`: which byte of a record is the label.
Status readFile(Cifar const &kind, fs::path const &path, std::int64_t column, DataSourceSpec const &spec, Records &records,
                JobContext const &job)
{
    TW_ASSIGN(auto const source, openSource(path));
    auto const each = kind.recordBytes(), size = static_cast<std::int64_t>(source.size);
    if (size % each != 0 && spec.damaged != "skip")
        return dataError("data.cifar.size", source.at(size / each * each),
                         Message::of("record %1 is cut short: %2 of its %3 bytes are there", size / each, size % each, each),
                         Message::of("Load the file again, or set data.damaged to skip."));
    if (size % each != 0) records.damaged.push_back(source.at(size / each * each));
    auto const *bytes = reinterpret_cast<std::uint8_t const *>(source.bytes.get());
    int const classes = kind.classes[static_cast<std::size_t>(column)];
    for (std::int64_t i = 0; i < size / each; ++i) {
        if (i % 1024 == 0 && job.cancelled()) return cancelledError(source.fullName());
        auto const *record = bytes + i * each;
        int const label = record[column];
        if (label >= classes) {
            if (spec.damaged != "skip")
                return dataError("data.labels.range", source.at(i * each + column),
                                 Message::of("the label %1 of record %2 is not one of the classes 0 to %3", label, i, classes - 1),
                                 Message::of("Load the file again, or set data.damaged to skip."));
            records.damaged.push_back(source.at(i * each));
            continue;
        }
        records.labels.push_back(label);
        auto const at = records.pixels.size();
        records.pixels.resize(at + kPixels);
        for (std::int64_t p = 0; p < kPlane; ++p)
            for (std::int64_t c = 0; c < 3; ++c)
                records.pixels[at + static_cast<std::size_t>(3 * p + c)] = record[kind.labels + c * kPlane + p];
    }
    return requireUnchanged(source.bytes.get());
}

Status readPart(Cifar const &kind, fs::path const &folder, std::vector<std::string> const &files, std::int64_t column,
                DataSourceSpec const &spec, JobContext const &job, DataArray &x, DataArray &y)
{
    Records records;
    for (auto const &name : files)
        if (has(folder, name)) TW_TRY(readFile(kind, folder / name, column, spec, records, job));
    if (!records.damaged.empty())
        job.warn(
            makeWarning("data.damaged", folder.string(),
                        Message::of("%1 damaged records are left out, the first at %2.", records.damaged.size(), records.damaged.front())));
    if (records.labels.empty()) return {};
    auto const count = static_cast<std::int64_t>(records.labels.size());
    x = makeArray(Shape{count, kSide, kSide, 3}, std::move(records.pixels));
    y = makeArray(Shape{count}, std::move(records.labels));
    x.origin.file = y.origin.file = folder.string();
    return {};
}

/// Names of the classes, if the file that comes with the data set is there and has one for each.
std::vector<std::string> namesIn(fs::path const &file, int classes)
{
    auto const source = openSource(file);
    if (!source.ok() || source->size > 65536) return {};
    std::vector<std::string> names;
    for (auto const &line : splitText(std::string(reinterpret_cast<char const *>(source->bytes.get()), source->size), '\n')) {
        auto const end = line.find_last_not_of(" \r\t");
        if (end != std::string::npos) names.push_back(line.substr(0, end + 1));
    }
    return static_cast<int>(names.size()) == classes ? names : std::vector<std::string>();
}

Result<Dataset> openCifar(DataSourceSpec const &spec, fs::path const &path, JobContext const &job)
{
    auto const *kind = kindIn(path);
    if (!kind)
        return dataError("data.missing", path.string(), Message::of("the folder has neither data_batch_1.bin nor train.bin"),
                         Message::of("Unpack the binary version of CIFAR-10 or CIFAR-100 there."));
    bool const fine = kind->labels == 2;
    if (!spec.y.empty() && !(fine && (spec.y == "fine" || spec.y == "coarse")))
        return makeError(ErrorKind::Invalid, "data.field", "data.y", Message::of("%1 has no labels '%2'.", std::string(kind->name), spec.y),
                         fine ? Message::of("They are coarse (20 classes) and fine (100).") : Message::of("Make it empty."));
    std::int64_t const column = fine && spec.y != "coarse" ? 1 : 0;
    Dataset dataset;
    TW_TRY(readPart(*kind, path, kind->train, column, spec, job, dataset.x, dataset.y));
    TW_TRY(readPart(*kind, path, kind->test, column, spec, job, dataset.testX, dataset.testY));
    dataset.name = kind->name;
    dataset.classNames = namesIn(path
                                     / (!fine             ? "batches.meta.txt"
                                            : column == 1 ? "fine_label_names.txt"
                                                          : "coarse_label_names.txt"),
                                 kind->classes[static_cast<std::size_t>(column)]);
    dataset.describe =
        Message::of("%1: %2 training and %3 test pictures.", std::string(kind->name), dataset.x.count(), dataset.testX.count());
    return dataset;
}

} // namespace

DataFormat cifarFormat()
{
    return {"cifar", "The folder of the binary version of CIFAR-10 or CIFAR-100; data.y chooses the fine or coarse labels of CIFAR-100.",
            [](fs::path const &path) { return kindIn(path) != nullptr; }, openCifar};
}

} // namespace tilewright::data
