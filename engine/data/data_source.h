#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"
#include "engine/data/dataset.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::data {

/// The source of a project's data: the `data.…` fields, as a value. File names are relative to the project's folder; names in `x` … `testY`
/// are relative to `path`.
struct DataSourceSpec {
    std::string path;            ///< file or folder; empty: the embedded generator
    std::string format = "auto"; ///< a name of dataFormats(), or "auto": derived from the path
    /// Files in a folder or arrays in an archive; empty: the usual names (x_train, train-images-idx3-ubyte …).
    std::string x, y, testX, testY;
    /// Array or file of each named model input. `x`, if present, feeds the input that is not named here.
    std::map<std::string, std::string> inputs, testInputs;
    /// Array or file with the labels of each named output. `y`, if present, holds the labels of all other outputs.
    std::map<std::string, std::string> labels, testLabels;
    std::string sampleWeight;            ///< array or file with a weight for each training sample; empty: all 1
    std::string labelColumn;             ///< of tables: name, number (-1 the last), "none"; empty: guessed
    std::vector<std::int64_t> imageSize; ///< of picture files: [height, width] to scale them to; empty: they have one size
    std::int64_t imageChannels = 0;      ///< of picture files: 1 or 3; 0: 3 if one has colours
    std::string damaged = "refuse";      ///< what a damaged record of a file does: refuse (an error), or skip (it is left out and counted)
    std::int64_t window = 0;             ///< of tables and texts: number of rows or characters in a sample; 0: a table's row is a sample
    std::int64_t stride = 0;             ///< rows or characters between the starts of two samples; 0: 1 in tables, a window in texts
    std::int64_t horizon = 1;            ///< of windows of tables: the label is so many rows after the last row of the sample
    std::optional<double> scale;         ///< empty: 1/255 for uint8, 1 for other types
    std::string convert = "host";        ///< where uint8 samples become the model's numbers: on the host, or on the device
    /// File or folder of validation samples, read as `path` is: its training arrays, of the same names, are the validation samples. Empty:
    /// none. Takes precedence over `validationSplit`, as Keras's validation_data does.
    std::string validationPath;
    double validationSplit = 0; ///< fraction of the training samples, the last ones, that is held out; 0 <= v < 1
    bool shuffle = true;        ///< shuffles each epoch
    std::uint64_t seed = 1;     ///< of the embedded generator
    std::int64_t limit = 0;     ///< maximum number of training samples, of test samples and of validation samples of their own; 0: all

    /// Whether a data set has validation samples.
    bool validates() const { return validationSplit > 0 || !validationPath.empty(); }
    bool operator==(DataSourceSpec const &) const = default;
};

/// A field of the data source, for listings.
struct DataField {
    std::string name, help;
};
std::vector<DataField> dataFields();

/// Whether the samples come from a table, in which every column except the label is a value of a sample.
bool isTable(DataSourceSpec const &spec);

/// JSON object with the keys path, format, x, y, test_x, test_y, inputs, test_inputs, labels, test_labels, sample_weight, label_column,
/// image_size (null: as stored), image_channels, damaged, window, stride, horizon, scale (null: automatic), convert, validation_path,
/// validation_split, shuffle, seed, limit.
nlohmann::json toJson(DataSourceSpec const &spec);
/// Missing keys keep their default. Errors are Invalid: "data.field" (unknown key, with the nearest known one; value of a wrong type or out
/// of range), subject "data.KEY".
Result<DataSourceSpec> dataSourceFromJson(nlohmann::json const &json);
/// Checks ranges and the name of the format, as dataSourceFromJson does.
Status checkSpec(DataSourceSpec const &spec);

/// One kind of data file. To add one: a file with its functions, and a line in the list of dataFormats().
struct DataFormat {
    char const *name;
    char const *help; ///< one sentence
    /// Whether `path` (existing or not) is of this kind.
    std::function<bool(std::filesystem::path const &path)> recognises;
    /// Fills x, y, testX, testY, name and describe. openDataset does the rest.
    std::function<Result<Dataset>(DataSourceSpec const &spec, std::filesystem::path const &path, JobContext const &job)> open;
    bool generated = false; ///< embedded: reads no file; fields that name files or parts of them are refused
};

/// All formats, in the order in which "auto" tries them.
std::span<DataFormat const> dataFormats();

/// Reads or generates the data of `spec`; relative paths start at `baseDir`. Checks that samples and labels have the same number, that
/// there is at least one sample, and that test and validation samples have the shape of training samples. Errors: those of the readers,
/// "data.format", "data.shape.count", "data.shape.empty", "data.shape.test", "data.shape.validation", "data.missing", Invalid "data.field",
/// cancelled.
Result<Dataset> openDataset(DataSourceSpec const &spec, std::filesystem::path const &baseDir, JobContext const &job);

} // namespace tilewright::data
