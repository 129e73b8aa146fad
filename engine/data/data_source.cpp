#include "engine/data/data_source.h"

#include "engine/core/held_out.h"
#include "engine/core/known_names.h"
#include "engine/core/text.h"
#include "engine/data/digits.h"
#include "engine/data/formats.h"
#include "engine/data/sorting.h"
#include "engine/data/source.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace tilewright::data {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Diagnostic fieldError(std::string const &key, Message message, Message remedy = {})
{
    return makeError(ErrorKind::Invalid, "data.field", "data." + key, Message::of("%1.", std::move(message)), std::move(remedy));
}

Status readText(json const &value, char const *key, std::string &to)
{
    if (!value.is_string()) return fieldError(key, Message::of("the value is not a text"));
    to = value.get<std::string>();
    return {};
}

Status readNames(json const &value, char const *key, std::map<std::string, std::string> &to)
{
    if (!value.is_object())
        return fieldError(key, Message::of("the value is not an object of input names and array names"),
                          Message::of("Give for example {\"positions\": \"positions_train\"}."));
    to.clear();
    for (auto const &[name, array] : value.items()) {
        if (name.empty() || !array.is_string() || array.get<std::string>().empty())
            return fieldError(key, Message::of("the array of input '%1' is not named", name),
                              Message::of("Give for example {\"positions\": \"positions_train\"}."));
        to[name] = array.get<std::string>();
    }
    return {};
}

Status readNumber(json const &value, char const *key, double &to)
{
    if (!value.is_number()) return fieldError(key, Message::of("the value is not a number"));
    to = value.get<double>();
    return {};
}

Status readCount(json const &value, char const *key, std::int64_t least, std::int64_t &to)
{
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (!value.is_number_integer() || value < least || value > kMost)
        return fieldError(key, Message::of("the value is not a whole number from %1 to 2^40", least));
    to = value.get<std::int64_t>();
    return {};
}

Status readSize(json const &value, char const *key, std::vector<std::int64_t> &to)
{
    to.clear();
    if (value.is_null()) return {};
    auto const isSide = [](json const &side) { return side.is_number_integer() && side >= 1 && side <= 65536; };
    if (!value.is_array() || value.size() != 2 || !isSide(value[0]) || !isSide(value[1]))
        return fieldError(key, Message::of("the value is neither null nor a height and a width"),
                          Message::of("Give for example [32, 32]."));
    to = {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
    return {};
}

/// A field of the spec with its key and how it is read.
struct Field {
    char const *key;
    char const *help;
    Status (*read)(json const &, char const *, DataSourceSpec &);
};

constexpr std::array kFields{
    Field{"path", "file or folder of the data; empty: the embedded generator",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.path); }},
    Field{"format", "kind of file; auto: derived from the path",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.format); }},
    Field{"x", "array or file of the training samples; empty: the usual name",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.x); }},
    Field{"y", "array or file of the training labels; empty: the usual name",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.y); }},
    Field{"test_x", "array or file of the test samples; empty: the usual name",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.testX); }},
    Field{"test_y", "array or file of the test labels; empty: the usual name",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.testY); }},
    Field{"inputs", "arrays of a model's inputs: an object with input names; data.x feeds the input that is not named",
          [](json const &v, char const *k, DataSourceSpec &s) { return readNames(v, k, s.inputs); }},
    Field{"test_inputs", "the same for the test samples",
          [](json const &v, char const *k, DataSourceSpec &s) { return readNames(v, k, s.testInputs); }},
    Field{"labels", "label arrays of a model's outputs: an object with output names; data.y is for the outputs that are not named",
          [](json const &v, char const *k, DataSourceSpec &s) { return readNames(v, k, s.labels); }},
    Field{"test_labels", "the same for the test samples",
          [](json const &v, char const *k, DataSourceSpec &s) { return readNames(v, k, s.testLabels); }},
    Field{"sample_weight", "array or file with a weight for each training sample, or the column of a table; empty: all 1",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.sampleWeight); }},
    Field{"label_column", "label column of a table: its name or number (-1: the last), or none; empty: guessed",
          [](json const &v, char const *k, DataSourceSpec &s) {
              if (!v.is_number_integer()) return readText(v, k, s.labelColumn);
              s.labelColumn = v.dump();
              return Status();
          }},
    Field{"image_size", "[height, width] that picture files are scaled to; null: they have one size",
          [](json const &v, char const *k, DataSourceSpec &s) { return readSize(v, k, s.imageSize); }},
    Field{"image_channels", "channels of picture files: 1 (grey), 3 (colours); 0: 3 if one of them has colours",
          [](json const &v, char const *k, DataSourceSpec &s) { return readCount(v, k, 0, s.imageChannels); }},
    Field{"damaged", "a damaged record of a file: refuse (an error names it), or skip (it is left out and counted)",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.damaged); }},
    Field{"window", "rows of a table or characters of a text in a sample; 0: each row of a table is a sample",
          [](json const &v, char const *k, DataSourceSpec &s) { return readCount(v, k, 0, s.window); }},
    Field{"stride", "rows or characters between the starts of two windows; 0: 1 in tables, a whole window in texts",
          [](json const &v, char const *k, DataSourceSpec &s) { return readCount(v, k, 0, s.stride); }},
    Field{"horizon", "the label of a window of a table is so many rows after its last row",
          [](json const &v, char const *k, DataSourceSpec &s) { return readCount(v, k, 0, s.horizon); }},
    Field{"scale", "factor for the stored numbers; null: 1/255 for uint8, else 1",
          [](json const &v, char const *k, DataSourceSpec &s) {
              s.scale.reset();
              return v.is_null() ? Status() : readNumber(v, k, s.scale.emplace());
          }},
    Field{"convert",
          "where uint8 samples become the model's numbers: host, or device (the stream then carries a quarter of the bytes of float32)",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.convert); }},
    Field{"validation_path",
          "file or folder of validation samples, in arrays named as those of data.path; empty: none; takes precedence over a split",
          [](json const &v, char const *k, DataSourceSpec &s) { return readText(v, k, s.validationPath); }},
    Field{"validation_split",
          "share of the training samples, from the end, held out for validation; training.validation_split takes precedence",
          [](json const &v, char const *k, DataSourceSpec &s) { return readNumber(v, k, s.validationSplit); }},
    Field{"shuffle", "shuffles the samples in each epoch",
          [](json const &v, char const *k, DataSourceSpec &s) {
              if (!v.is_boolean()) return Status(fieldError(k, Message::of("the value is neither true nor false")));
              s.shuffle = v.get<bool>();
              return Status();
          }},
    Field{"seed", "seed of the embedded generator",
          [](json const &v, char const *k, DataSourceSpec &s) {
              if (!v.is_number_integer() || (!v.is_number_unsigned() && v.get<std::int64_t>() < 0))
                  return Status(fieldError(k, Message::of("the value is not a whole number of at least 0")));
              s.seed = v.get<std::uint64_t>();
              return Status();
          }},
    Field{"limit",
          "at most so many training samples, before any are held out, so many test samples and so many of data.validation_path; 0: all",
          [](json const &v, char const *k, DataSourceSpec &s) {
              if (!v.is_number_integer() || v > std::int64_t{1} << 40)
                  return Status(fieldError(k, Message::of("the value is not a whole number below 2^40")));
              s.limit = v.get<std::int64_t>();
              return Status();
          }},
};

void limitTo(DataArray &array, std::int64_t limit)
{
    if (limit > 0 && array.count() > limit) array = array.slice(0, limit);
}

enum class Samples { Training, Test, Validation };

Status checkArray(DataArray const &x, Samples samples)
{
    if (x.shape.empty() || x.count() == 0)
        return dataError("data.shape.empty", x.origin.name(),
                         samples == Samples::Test           ? Message::of("there are no test samples")
                             : samples == Samples::Training ? Message::of("there are no training samples")
                                                            : Message::of("there are no validation samples"));
    if (x.sampleElements() == 0)
        return dataError("data.shape.empty", x.origin.name(),
                         samples == Samples::Test ? Message::of("a test sample has no elements: the shape is %1", toText(x.shape))
                             : samples == Samples::Training
                             ? Message::of("a training sample has no elements: the shape is %1", toText(x.shape))
                             : Message::of("a validation sample has no elements: the shape is %1", toText(x.shape)));
    if (x.count() >= std::int64_t{1} << 32)
        return dataError("data.shape.count", x.origin.name(), Message::of("there are more than 4,294,967,295 samples"));
    return {};
}

/// Holds out the last fraction, as Keras's fit does, before any shuffling.
Status splitValidation(Dataset &dataset, double fraction)
{
    if (fraction == 0) return {};
    auto const total = dataset.x.count();
    auto const kept = keptSamples(total, fraction);
    if (kept == 0 || kept == total)
        return dataError(
            "data.shape.empty", "data.validation_split",
            Message::of("a split of %1 leaves %2 of %3 samples for training", Argument::figure(numberText(fraction)), kept, total),
            Message::of("Use another fraction, or 0."));
    dataset.validationX = dataset.x.slice(kept, total - kept);
    dataset.x = dataset.x.slice(0, kept);
    if (!dataset.y.empty()) {
        dataset.validationY = dataset.y.slice(kept, total - kept);
        dataset.y = dataset.y.slice(0, kept);
    }
    return {};
}

Result<Dataset> openEmbedded(DataSourceSpec const &spec, fs::path const &, JobContext const &)
{
    DigitOptions options;
    options.seed = spec.seed;
    if (spec.limit > 0) {
        options.trainCount = std::min(options.trainCount, spec.limit);
        options.testCount = std::min(options.testCount, spec.limit);
    }
    return digitsOnDemand(options);
}

/// Fields that name parts of files, where there are no files: to pass over them would train on other data than were meant.
Status checkGenerated(DataSourceSpec const &spec, DataFormat const &format)
{
    if (!format.generated) return {};
    struct Given {
        char const *key;
        bool given;
    };
    for (auto const &field : {Given{"x", !spec.x.empty()}, Given{"y", !spec.y.empty()}, Given{"test_x", !spec.testX.empty()},
                              Given{"test_y", !spec.testY.empty()}, Given{"test_inputs", !spec.testInputs.empty()},
                              Given{"labels", !spec.labels.empty()}, Given{"test_labels", !spec.testLabels.empty()},
                              Given{"sample_weight", !spec.sampleWeight.empty()}, Given{"label_column", !spec.labelColumn.empty()}})
        if (field.given)
            return fieldError(field.key,
                              Message::of("the embedded generator '%1' makes its samples and has no files or columns to name", format.name),
                              Message::of("Set data.path to your data, or make data.%1 empty.", field.key));
    return {};
}

/// Fields that the format does not read; also what a table passes over, because its columns are no arrays.
void warnOfUnused(DataSourceSpec const &spec, DataFormat const &format, JobContext const &job)
{
    std::string_view const name(format.name);
    bool const pictures = name == "images", windows = name == "csv" || name == "characters";
    for (auto const &[key, unused] :
         {std::pair{"image_size", !pictures && !spec.imageSize.empty()}, std::pair{"image_channels", !pictures && spec.imageChannels != 0},
          std::pair{"window", !windows && spec.window != 0}, std::pair{"stride", !windows && spec.stride != 0}})
        if (unused)
            job.warn(makeWarning("data.unused", std::string("data.") + key,
                                 Message::of("data of format %1 do not use it: it is ignored.", format.name)));
    if (name != "csv") return;
    for (auto const &[key, value] : {std::pair{"x", &spec.x}, std::pair{"y", &spec.y}, std::pair{"test_y", &spec.testY}})
        if (!value->empty())
            job.warn(makeWarning("data.unused", std::string("data.") + key,
                                 Message::of("a table has columns instead of named arrays: '%1' is ignored.", *value),
                                 Message::of("Name the column of the labels in data.label_column; all others are a sample's values.")));
}

Result<DataFormat const *> formatFor(DataSourceSpec const &spec, fs::path const &path)
{
    for (auto const &format : dataFormats())
        if (spec.format == "auto" ? format.recognises(path) : spec.format == format.name) {
            if (!format.generated && path.empty())
                return fieldError("path", Message::of("data of format %1 are read from a file, but data.path is empty", spec.format),
                                  Message::of("Set data.path, or set data.format to auto for the embedded generator."));
            return &format;
        }
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return dataError("data.missing", path.string(), Message::of("the data file or folder does not exist"),
                         Message::of("Check data.path; empty uses the embedded generator."));
    return dataError("data.format", path.string(), Message::of("the format of the data cannot be recognised from the name or the content"),
                     Message::of("Set data.format, or give a folder of IDX files or of pictures, an .npz, .npy or .csv file."));
}

} // namespace

json toJson(DataSourceSpec const &spec)
{
    return json{{"path", spec.path},
                {"format", spec.format},
                {"x", spec.x},
                {"y", spec.y},
                {"test_x", spec.testX},
                {"test_y", spec.testY},
                {"inputs", spec.inputs},
                {"test_inputs", spec.testInputs},
                {"labels", spec.labels},
                {"test_labels", spec.testLabels},
                {"sample_weight", spec.sampleWeight},
                {"label_column", spec.labelColumn},
                {"image_size", spec.imageSize.empty() ? json(nullptr) : json(spec.imageSize)},
                {"image_channels", spec.imageChannels},
                {"damaged", spec.damaged},
                {"window", spec.window},
                {"stride", spec.stride},
                {"horizon", spec.horizon},
                {"scale", spec.scale ? json(*spec.scale) : json(nullptr)},
                {"convert", spec.convert},
                {"validation_path", spec.validationPath},
                {"validation_split", spec.validationSplit},
                {"shuffle", spec.shuffle},
                {"seed", spec.seed},
                {"limit", spec.limit}};
}

bool isTable(DataSourceSpec const &spec)
{
    if (spec.format != "auto") return spec.format == "csv";
    auto const csv =
        std::ranges::find(dataFormats(), std::string_view("csv"), [](DataFormat const &format) { return std::string_view(format.name); });
    return csv != dataFormats().end() && csv->recognises(spec.path);
}

std::vector<DataField> dataFields()
{
    std::vector<DataField> all;
    for (auto const &field : kFields) all.push_back({field.key, field.help});
    return all;
}

Result<DataSourceSpec> dataSourceFromJson(json const &object)
{
    if (!object.is_object())
        return makeError(ErrorKind::Invalid, "data.field", "data", Message::of("the data source is not a JSON object."));
    DataSourceSpec spec;
    for (auto const &[key, value] : object.items()) {
        auto const field = std::find_if(kFields.begin(), kFields.end(), [&k = key](Field const &f) { return k == f.key; });
        if (field == kFields.end()) {
            if (auto known = aboutKnownName("data." + key)) return *known;
            std::vector<std::string> known;
            for (auto const &f : kFields) known.emplace_back(f.key);
            auto const near = nearestName(key, known);
            return fieldError(key, Message::of("there is no such field"),
                              near.empty() ? Message::of("Fields are %1.", joinText(known, ", "))
                                           : Message::of("Did you mean '%1'?", near));
        }
        TW_TRY(field->read(value, field->key, spec));
    }
    TW_TRY(checkSpec(spec));
    return spec;
}

Status checkSpec(DataSourceSpec const &spec)
{
    if (!(spec.validationSplit >= 0 && spec.validationSplit < 1))
        return fieldError("validation_split",
                          Message::of("the fraction %1 is not in [0, 1)", Argument::figure(numberText(spec.validationSplit))));
    if (spec.limit < 0) return fieldError("limit", Message::of("the limit is negative"), Message::of("0 means all samples."));
    if (spec.scale && !std::isfinite(*spec.scale)) return fieldError("scale", Message::of("the factor is not finite"));
    if (spec.damaged != "refuse" && spec.damaged != "skip")
        return fieldError("damaged", Message::of("'%1' is neither refuse nor skip", spec.damaged));
    if (spec.imageChannels != 0 && spec.imageChannels != 1 && spec.imageChannels != 3)
        return fieldError("image_channels", Message::of("%1 is neither 0, 1 nor 3", spec.imageChannels));
    if (spec.convert != "host" && spec.convert != "device")
        return fieldError("convert", Message::of("'%1' is neither host nor device", spec.convert));
    if (spec.format == "auto") return {};
    std::vector<std::string> names{"auto"};
    for (auto const &format : dataFormats()) names.emplace_back(format.name);
    if (std::find(names.begin(), names.end(), spec.format) != names.end()) return {};
    auto const near = nearestName(spec.format, names);
    return fieldError("format", Message::of("there is no data format '%1'", spec.format),
                      near.empty() ? Message::of("Formats are %1.", joinText(names, ", ")) : Message::of("Did you mean '%1'?", near));
}

std::span<DataFormat const> dataFormats()
{
    static std::vector<DataFormat> const formats{
        {"digits", "The embedded generator of handwritten-looking digits.", [](fs::path const &path) { return path.empty(); }, openEmbedded,
         true},
        sortingFormat(),
        idxFormat(),
        npzFormat(),
        npyFormat(),
        csvFormat(),
        charactersFormat(),
        cifarFormat(),
        imagesFormat(),
    };
    return formats;
}

namespace {

/// The arrays of a file or folder, complete as the spec names them. `samples`: what its training arrays are used as.
Result<Dataset> openArrays(DataSourceSpec const &spec, fs::path const &path, Samples samples, JobContext const &job)
{
    TW_ASSIGN(auto const format, formatFor(spec, path));
    TW_TRY(checkGenerated(spec, *format));
    warnOfUnused(spec, *format, job);
    TW_ASSIGN(auto dataset, format->open(spec, path, job));
    for (auto const &[input, array] : spec.inputs)
        if (!dataset.x.hasOwn(input))
            return fieldError("inputs",
                              Message::of("data of format %1 have one array of samples: there is none for input '%2'", format->name, input),
                              Message::of("Use a NumPy archive (.npz), or a folder of IDX or NumPy files."));
    if (!spec.sampleWeight.empty()) {
        auto const &weights = dataset.y.forInput(std::string(kSampleWeights));
        if (&weights == &dataset.y)
            return fieldError("sample_weight",
                              dataset.y.empty() ? Message::of("samples without labels have no loss to weigh")
                                                : Message::of("data of format %1 have no array for weights", format->name),
                              dataset.y.empty() ? Message::of("Name the labels in data.y.")
                                                : Message::of("Use a NumPy archive (.npz), or a folder of IDX or NumPy files."));
        if (weights.sampleElements() != 1)
            return dataError("data.shape.weights", weights.origin.name(),
                             Message::of("a sample's weight must be one number, but it is %1", toText(weights.sampleShape())),
                             Message::of("Name another array in data.sample_weight."));
    }
    for (auto const &[output, array] : spec.labels) {
        if (dataset.y.empty() || !dataset.y.hasOwn(output))
            return fieldError(
                "labels", Message::of("data of format %1 have one array of labels: there is none for output '%2'", format->name, output),
                Message::of("Use a NumPy archive (.npz), or a folder of IDX or NumPy files."));
    }
    for (auto *array : {&dataset.x, &dataset.y, &dataset.testX, &dataset.testY})
        if (array->shape.empty() && !array->empty())
            return dataError("data.shape.empty", array->origin.name(),
                             Message::of("the array is a single number; its first extent must count samples"));
    for (auto const *part : {&dataset.x, &dataset.testX})
        for (auto const &other : part->beside) TW_TRY(checkArray(other, part == &dataset.x ? samples : Samples::Test));
    TW_TRY(checkArray(dataset.x, samples));
    TW_TRY(checkCounts(dataset.x, dataset.y));
    return dataset;
}

/// Test samples have the arrays and the shapes of the training samples.
Status checkTest(Dataset const &dataset)
{
    if (dataset.testX.empty()) return {};
    TW_TRY(checkArray(dataset.testX, Samples::Test));
    TW_TRY(checkCounts(dataset.testX, dataset.testY));
    if (dataset.testX.input != dataset.x.input)
        return fieldError(dataset.x.input.empty() ? "test_x" : "test_inputs",
                          dataset.x.input.empty() ? Message::of("the test samples have no array for data.x")
                                                  : Message::of("the test samples have no array for input '%1'", dataset.x.input),
                          Message::of("Name the arrays of the test samples as those of the training samples."));
    if (dataset.testX.sampleShape() != dataset.x.sampleShape())
        return dataError("data.shape.test", dataset.testX.origin.name(),
                         Message::of("test samples are %1, training samples %2 in %3", toText(dataset.testX.sampleShape()),
                                     toText(dataset.x.sampleShape()), dataset.x.origin.name()));
    for (auto const &other : dataset.y.beside)
        if (other.input != kSampleWeights && !dataset.testY.empty() && !dataset.testY.hasOwn(other.input))
            return fieldError("test_labels", Message::of("the test samples have no labels for output '%1'", other.input),
                              Message::of("Name their array in data.test_labels as in data.labels."));
    for (auto const &other : dataset.x.beside) {
        auto const &test = dataset.testX.forInput(other.input);
        if (!dataset.testX.hasOwn(other.input))
            return fieldError("test_inputs", Message::of("the test samples have no array for input '%1'", other.input),
                              Message::of("Name its array in data.test_inputs as in data.inputs."));
        if (test.sampleShape() != other.sampleShape())
            return dataError("data.shape.test", test.origin.name(),
                             Message::of("test samples of input '%1' are %2, training samples %3 in %4", other.input,
                                         toText(test.sampleShape()), toText(other.sampleShape()), other.origin.name()));
    }
    return {};
}

/// One array of validation samples or labels against that of the training.
Status checkLikeTraining(DataArray const &validation, DataArray const &training, bool labels)
{
    auto const remedy =
        Message::of("Use validation samples that were prepared as the training samples, or make data.validation_path empty.");
    if (validation.input != training.input)
        return dataError(
            "data.shape.validation", validation.origin.name(),
            Message::of("the arrays of the validation samples differ from those of the training samples in %1", training.origin.name()),
            remedy);
    if (validation.sampleShape() != training.sampleShape())
        return dataError("data.shape.validation", validation.origin.name(),
                         labels ? Message::of("validation labels are %1, training labels %2 in %3", toText(validation.sampleShape()),
                                              toText(training.sampleShape()), training.origin.name())
                                : Message::of("validation samples are %1, training samples %2 in %3", toText(validation.sampleShape()),
                                              toText(training.sampleShape()), training.origin.name()),
                         remedy);
    // One factor for both: bytes are scaled to 0 … 1, other numbers are not.
    if (labels || (validation.dtype == DType::U8) == (training.dtype == DType::U8)) return {};
    return dataError("data.type.validation", validation.origin.name(),
                     Message::of("validation samples are %1, training samples %2 in %3: both have the same scale",
                                 std::string(toText(validation.dtype)), std::string(toText(training.dtype)), training.origin.name()),
                     remedy);
}

/// Reads the samples of data.validation_path, which weigh 1 each.
Status addValidation(Dataset &dataset, DataSourceSpec const &spec, fs::path const &baseDir, JobContext const &job)
{
    fs::path const path = baseDir / spec.validationPath; // an absolute path stays
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return dataError("data.missing", path.string(), Message::of("the data file or folder does not exist"),
                         Message::of("Check data.validation_path; empty reads no validation samples."));
    auto own = spec;
    own.path = spec.validationPath;
    own.testX.clear();
    own.testY.clear();
    own.testInputs.clear();
    own.testLabels.clear();
    if (!isTable(own)) own.sampleWeight.clear(); // the column of a table is no feature
    auto const named = std::ranges::find(dataFormats(), std::string_view(spec.format), [](DataFormat const &f) { return f.name; });
    if (named != dataFormats().end() && named->generated) own.format = "auto";
    TW_ASSIGN(auto read, openArrays(own, path, Samples::Validation, job));
    std::erase_if(read.y.beside, [](DataArray const &other) { return other.input == kSampleWeights; });
    TW_TRY(checkLikeTraining(read.x, dataset.x, false));
    for (auto const &other : dataset.x.beside) TW_TRY(checkLikeTraining(read.x.forInput(other.input), other, false));
    if (read.y.empty() && !dataset.y.empty())
        return dataError("data.labels.missing", read.x.origin.name(), Message::of("the validation samples have no labels"),
                         Message::of("Name their array as that of the training labels."));
    if (!dataset.y.empty()) TW_TRY(checkLikeTraining(read.y, dataset.y, true));
    if (read.classNames != dataset.classNames)
        return dataError("data.labels.validation", read.x.origin.name(),
                         Message::of("the classes of the validation samples (%1) are not those of the training samples (%2)",
                                     joinText(read.classNames, ", "), joinText(dataset.classNames, ", ")),
                         Message::of("Use the same classes in both."));
    for (auto const &other : dataset.y.beside)
        if (other.input != kSampleWeights) TW_TRY(checkLikeTraining(read.y.forInput(other.input), other, true));
    limitTo(read.x, spec.limit);
    limitTo(read.y, spec.limit);
    dataset.describe += " " + Message::of("%1 validation samples of %2.", read.x.count(), read.name);
    dataset.validationX = std::move(read.x);
    dataset.validationY = std::move(read.y);
    return {};
}

} // namespace

Result<Dataset> openDataset(DataSourceSpec const &spec, fs::path const &baseDir, JobContext const &job)
{
    TW_TRY(checkSpec(spec));
    fs::path const path = spec.path.empty() ? fs::path() : baseDir / spec.path; // an absolute path stays
    TW_ASSIGN(auto dataset, openArrays(spec, path, Samples::Training, job));
    TW_TRY(checkTest(dataset));
    for (auto *array : {&dataset.x, &dataset.y, &dataset.testX, &dataset.testY}) limitTo(*array, spec.limit);
    if (!spec.validationPath.empty()) TW_TRY(addValidation(dataset, spec, baseDir, job));
    else TW_TRY(splitValidation(dataset, spec.validationSplit));
    dataset.scale = spec.scale.value_or(dataset.x.dtype == DType::U8 ? 1.0 / 255 : 1.0);
    TW_ASSIGN(dataset.contentHash, hashOf(dataset, job));
    for (auto const *array : {&dataset.x, &dataset.y, &dataset.testX, &dataset.testY, &dataset.validationX, &dataset.validationY}) {
        TW_TRY(requireUnchanged(array->bytes.get()));
        for (auto const &other : array->beside) TW_TRY(requireUnchanged(other.bytes.get()));
    }
    return dataset;
}

} // namespace tilewright::data
