#include "engine/data/npy.h"

#include "engine/core/files.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/data/element_codec.h"
#include "engine/data/zip.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

// Format after NEP 1 ("A simple file format for NumPy arrays") and numpy.lib.format's documentation.

namespace tilewright::data {

namespace {

static_assert(std::endian::native == std::endian::little, "the writer stores the host's byte order as '<'");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxRank = 32; ///< NumPy's own limit
constexpr std::string_view kSuffix = ".npy";

struct Header {
    ElementType type;
    Shape shape;
    bool fortranOrder = false;
};

/// Reads the header's Python dictionary: string keys; values are a string, True/False or a tuple of
/// integers. Anything else (a list: a structured type) is refused at its byte.
class HeaderParser {
public:
    HeaderParser(Source const &source, std::string_view text, std::int64_t base) : m_source(source), m_text(text), m_base(base) {}

    Result<Header> parse()
    {
        Header header;
        std::set<std::string, std::less<>> seen;
        if (!take('{')) return expected("'{'");
        while (!take('}')) {
            TW_ASSIGN(std::string const key, string());
            if (!take(':')) return expected("':'");
            if (!seen.insert(key).second) return expected(Message::of("each key once"));
            if (key == "descr") {
                skipSpace();
                if (m_at < m_text.size() && m_text[m_at] == '[')
                    return dataError("data.npy.dtype", place(), Message::of("the array has a structured type (records with fields)"),
                                     Message::of("Save each field as an array of its own."));
                TW_ASSIGN(header.type, descr());
            } else if (key == "fortran_order") {
                if (takeWord("True")) header.fortranOrder = true;
                else if (!takeWord("False")) return expected(Message::of("True or False"));
            } else if (key == "shape") {
                TW_ASSIGN(header.shape, shape());
            } else {
                return expected(Message::of("the keys 'descr', 'fortran_order' and 'shape' only"));
            }
            if (take(',')) continue;
            if (!take('}')) return expected(Message::of("',' or '}'"));
            break;
        }
        if (seen.size() != 3) return expected(Message::of("the keys 'descr', 'fortran_order' and 'shape'"));
        skipSpace();
        if (m_at != m_text.size()) return expected(Message::of("nothing after the dictionary"));
        return header;
    }

private:
    std::string place() const { return m_source.at(m_base + static_cast<std::int64_t>(m_at)); }
    Diagnostic expected(Message const &what) const
    {
        return dataError("data.npy.header", place(), Message::of("the .npy header is damaged: expected %1", what));
    }
    void skipSpace()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t')) ++m_at;
    }
    bool take(char c)
    {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    bool takeWord(std::string_view word)
    {
        skipSpace();
        if (m_text.substr(m_at, word.size()) != word) return false;
        m_at += word.size();
        return true;
    }
    Result<std::string> string()
    {
        char const quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
        if (!quote) return expected(Message::of("a quoted name"));
        auto const end = m_text.find(quote, m_at);
        if (end == std::string_view::npos) return expected(Message::of("a closing quote"));
        std::string text(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return text;
    }
    Result<ElementType> descr()
    {
        auto const here = place();
        TW_ASSIGN(std::string const text, string());
        using Kind = ElementType::Kind;
        std::string_view rest = text;
        ElementType type;
        if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
            type.bigEndian = rest.front() == '>';
            rest.remove_prefix(1);
        }
        for (auto const bytes : {1, 2, 4, 8}) {
            type.bytes = bytes;
            auto const digit = std::to_string(bytes);
            type.kind = Kind::Bool;
            if (bytes == 1 && rest == "b1") return type;
            type.kind = Kind::Unsigned;
            if (rest == "u" + digit) return type;
            type.kind = Kind::Signed;
            if (rest == "i" + digit) return type;
            type.kind = Kind::Float;
            if (bytes > 1 && rest == "f" + digit) return type;
        }
        bool const pickled = rest.starts_with("O");
        return dataError("data.npy.dtype", here, Message::of("the element type %1 is not supported", quotedContent(text)),
                         pickled ? Message::of("Python objects are never loaded; save a numeric array.")
                                 : Message::of("Supported are bool, integers of 1 to 8 bytes and floats of 2, 4 and 8 bytes."));
    }
    Result<Shape> shape()
    {
        Shape extents;
        if (!take('(')) return expected("'('");
        while (!take(')')) {
            skipSpace();
            std::int64_t extent = -1;
            auto const *const begin = m_text.data() + m_at;
            auto const [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), extent);
            if (code != std::errc() || extent < 0) return expected(Message::of("an extent of the shape"));
            m_at += static_cast<std::size_t>(end - begin);
            if (m_at < m_text.size() && m_text[m_at] == 'L') ++m_at; // Python 2 wrote long integers so
            if (extents.size() == kMaxRank) return expected(Message::of("no more than 32 dimensions"));
            extents.push_back(extent);
            if (take(',')) continue;
            if (!take(')')) return expected(Message::of("',' or ')'"));
            break;
        }
        return extents;
    }

    Source const &m_source;
    std::string_view m_text;
    std::int64_t m_base;
    std::size_t m_at = 0;
};

std::string arrayName(std::string_view file)
{
    if (file.ends_with(kSuffix)) file.remove_suffix(kSuffix.size());
    return std::string(file);
}

Result<DataArray> readEntry(Source const &archive, ZipEntry const &entry, JobContext const &job)
{
    TW_ASSIGN(auto const content, openZipEntry(archive, entry, job));
    return parseNpy(content, job);
}

} // namespace

Result<DataArray> parseNpy(Source const &source, JobContext const &job)
{
    std::string_view const text(reinterpret_cast<char const *>(source.bytes.get()), source.size);
    if (text.substr(0, kMagic.size()) != kMagic)
        return dataError("data.npy.magic", source.at(0), Message::of("this is not an .npy file: it does not begin with \\x93NUMPY"));
    auto const truncatedHeader = [&] {
        return dataError("data.npy.truncated", source.at(static_cast<std::int64_t>(source.size)),
                         Message::of("the file ends inside the .npy header"), Message::of("Download or copy the file again."));
    };
    if (text.size() < kMagic.size() + 2) return truncatedHeader();
    auto const byteAt = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
    auto const version = byteAt(6);
    if (version < 1 || version > 3)
        return dataError("data.npy.header", source.at(6), Message::of("the .npy version %1 is not supported", version),
                         Message::of("Versions 1 to 3 are supported."));
    std::size_t const lengthBytes = version == 1 ? 2 : 4;
    std::size_t const headerAt = kMagic.size() + 2 + lengthBytes;
    if (text.size() < headerAt) return truncatedHeader();
    std::size_t headerBytes = 0;
    for (std::size_t i = 0; i < lengthBytes; ++i) headerBytes |= byteAt(kMagic.size() + 2 + i) << (8 * i);
    if (text.size() - headerAt < headerBytes) return truncatedHeader();
    TW_ASSIGN(auto const header, HeaderParser(source, text.substr(headerAt, headerBytes), static_cast<std::int64_t>(headerAt)).parse());

    auto const dataAt = static_cast<std::int64_t>(headerAt + headerBytes);
    TW_ASSIGN(auto const bytes, checkedBytes(header.shape, header.type.bytes, source.at(static_cast<std::int64_t>(headerAt))));
    auto const have = static_cast<std::int64_t>(source.size) - dataAt;
    if (have < bytes) {
        auto const records = header.shape.empty() ? 1 : header.shape.front();
        auto const record = header.fortranOrder && header.shape.size() > 1 ? 0 : have / (bytes / records);
        return dataError(
            "data.npy.truncated", source.at(dataAt + have),
            Message::of("the file ends inside record %1: the header declares %2 of %3, which is %4 bytes, but the file holds %5", record,
                        tilewright::toText(header.shape), toText(header.type), bytes, have),
            Message::of("Download or copy the file again."));
    }
    if (have > bytes)
        return dataError("data.npy.trailing", source.at(dataAt + bytes),
                         Message::of("the file continues after the %1 that its header declares", tilewright::toText(header.shape)),
                         Message::of("The header is damaged, or several arrays were saved into one file: use .npz for these."));
    TW_TRY(checkElements(header.shape, source.at(static_cast<std::int64_t>(headerAt))));
    return decodeElements(source, dataAt, header.type, header.shape, header.fortranOrder, job);
}

Result<DataArray> readNpy(std::filesystem::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const source, openSource(path));
    return parseNpy(source, job);
}

Result<std::vector<std::string>> npzNames(Source const &archive)
{
    TW_ASSIGN(auto const entries, readZipDirectory(archive));
    std::vector<std::string> names;
    for (auto const &entry : entries) names.push_back(arrayName(entry.name));
    return names;
}

std::string arrayNamesText(std::span<std::string const> names)
{
    constexpr std::size_t kShown = 12, kCharacters = 40;
    std::vector<std::string> shown;
    for (auto const &name : names.first(std::min(names.size(), kShown))) shown.push_back(shortened(safeText(name), kCharacters));
    if (names.size() > kShown) shown.push_back("and " + std::to_string(names.size() - kShown) + " more");
    return names.empty() ? "no arrays" : joinText(shown, ", ");
}

Result<std::vector<NamedArray>> parseNpz(Source const &archive, JobContext const &job)
{
    TW_ASSIGN(auto const entries, readZipDirectory(archive));
    std::vector<NamedArray> arrays;
    for (auto const &entry : entries) {
        TW_ASSIGN(auto array, readEntry(archive, entry, job));
        arrays.push_back({arrayName(entry.name), std::move(array)});
    }
    return arrays;
}

Result<std::vector<NamedArray>> readNpz(std::filesystem::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const archive, openSource(path));
    return parseNpz(archive, job);
}

Result<DataArray> parseNpzArray(Source const &archive, std::string_view name, JobContext const &job)
{
    TW_ASSIGN(auto const entries, readZipDirectory(archive));
    std::vector<std::string> names;
    for (auto const &entry : entries) {
        names.push_back(arrayName(entry.name));
        if (names.back() == name) return readEntry(archive, entry, job);
    }
    return dataError("data.npz.name", archive.fullName(), Message::of("the archive has no array named '%1'", std::string(name)),
                     Message::of("It holds: %1.", arrayNamesText(names)));
}

std::string npyHeader(DataArray const &array)
{
    char const *descr = "";
    switch (array.dtype) {
    case DType::F16: descr = "<f2"; break;
    case DType::F32: descr = "<f4"; break;
    case DType::I32: descr = "<i4"; break;
    case DType::U8: descr = "|u1"; break;
    case DType::Bool: descr = "|b1"; break;
    }
    std::string dictionary = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (";
    for (std::size_t d = 0; d < array.shape.size(); ++d) {
        dictionary += std::to_string(array.shape[d]);
        if (d + 1 < array.shape.size()) dictionary += ", ";
        else if (d == 0) dictionary += ","; // a tuple of one
    }
    dictionary += "), }";
    constexpr std::size_t kAlignment = 64;
    std::size_t const prefix = kMagic.size() + 2 + 2;
    auto const total = (prefix + dictionary.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    dictionary.append(total - prefix - dictionary.size() - 1, ' ');
    dictionary += '\n';
    std::string header(kMagic);
    header += '\x01';
    header += '\x00';
    header += static_cast<char>(dictionary.size() & 0xff);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

Status writeNpy(std::filesystem::path const &path, DataArray const &array)
{
    auto const header = npyHeader(array);
    array.makeRecords(0, array.count());
    std::string_view const data(reinterpret_cast<char const *>(array.bytes.get()), static_cast<std::size_t>(array.totalBytes()));
    std::string_view const parts[] = {header, data};
    return writeOutputFile(path, parts);
}

Status writeNpz(std::filesystem::path const &path, std::span<NamedArray const> arrays, bool deflate, JobContext const &job, Sync sync)
{
    std::vector<std::string> headers; // the parts below look into it
    headers.reserve(arrays.size());
    std::vector<ZipInput> files;
    std::set<std::string, std::less<>> names;
    for (auto const &[name, array] : arrays) {
        if (name.empty() || !names.insert(name).second || name.size() > 0xf000)
            return dataError("data.npz.name", path.string(), Message::of("the array name '%1' is empty, too long or used twice", name));
        auto const &header = headers.emplace_back(npyHeader(array));
        array.makeRecords(0, array.count());
        files.push_back({name + std::string(kSuffix),
                         {std::as_bytes(std::span(header)), {array.bytes.get(), static_cast<std::size_t>(array.totalBytes())}}});
    }
    return writeZip(path, files, {.deflate = deflate, .sync = sync}, job);
}

} // namespace tilewright::data
