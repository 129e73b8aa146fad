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
    Header header = Header::Auto; ///< Auto: present when a cell of the first line is no number
    /// Name or number (from 0; -1 is the last) of the label column; "" guesses: a column named label, class,
    /// target or y, else the last; "none": every column is a feature.
    std::string labelColumn = "none";
};

struct CsvTable {
    std::vector<std::string> columns; ///< names of the feature columns; "column N" without a header
    std::string labelName;            ///< "" without labels
    DataArray features;               ///< f32 [records, columns]
    DataArray labels;                 ///< i32 [records] when all are whole numbers, else f32; absent without
};

/// Reads a table of numbers: one record a line, decimal points, optional quotes, LF or CRLF, UTF-8 with or
/// without mark; empty lines are skipped. Does not depend on the locale. Errors are Data and name file, record
/// (from 0, headers not counted), column and byte: "data.missing", "data.csv.empty", "data.csv.cells" (lines of
/// different length), "data.csv.number", "data.csv.quote", "data.csv.column" (no such label column).
Result<CsvTable> readCsv(std::filesystem::path const &path, CsvOptions const &options, JobContext const &job);
Result<CsvTable> parseCsv(Source const &source, CsvOptions const &options, JobContext const &job);

} // namespace tilewright::data
