#pragma once

#include "engine/core/job_context.h"
#include "engine/data/source.h"
#include "engine/data/tensor_data.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::data {

struct CsvOptions {
    enum class Header { Auto, Present, Absent };
    char delimiter = '\0';        ///< 0: the most frequent of comma, semicolon, tab, bar, blank in the first line
    Header header = Header::Auto; ///< Auto: present if a cell of the first line is not a number
    /// Name or number (from 0; -1 is the last) of the label column. "": a column named label, class, target or y, else the last. "none":
    /// every column is a feature.
    std::string labelColumn = "none";
    /// Name or number of a column with a weight for each record; "": none.
    std::string weightColumn = {};
    bool labelIsFeature = false; ///< the label column is a column of the features too
    bool skipDamaged = false;    ///< leaves lines of another length or with cells that are no numbers out; a warning counts them
};

struct CsvTable {
    std::vector<std::string> columns; ///< names of the feature columns; "column N" without a header
    std::string labelName;            ///< "" without labels
    DataArray features;               ///< f32 [records, columns]
    DataArray labels;                 ///< i32 [records] if all are whole numbers, else f32; absent without labels
    DataArray weights;                ///< f32 [records]; absent without weights
};

/// Reads a table of numbers: one record per line, decimal points, optional quotes, LF or CRLF, UTF-8 with or without byte-order mark. Skips
/// empty lines. Independent of the locale. Errors are Data and name file, record (from 0, without headers), column and byte:
/// "data.missing", "data.csv.empty", "data.csv.cells" (lines of different length), "data.csv.number", "data.csv.quote", "data.csv.column"
/// (label or weight column not found, or both the same).
Result<CsvTable> readCsv(std::filesystem::path const &path, CsvOptions const &options, JobContext const &job);
Result<CsvTable> parseCsv(Source const &source, CsvOptions const &options, JobContext const &job);

} // namespace tilewright::data
