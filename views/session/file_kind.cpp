#include "views/session/file_kind.h"

#include "engine/data/data_source.h"
#include "engine/data/source.h"
#include "engine/data/zip.h"
#include "engine/interop/import.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::views {

namespace {

constexpr qint64 kHead = 4096; ///< bytes that are looked at

QByteArray headOf(QString const &path)
{
    // Opening a pipe would wait for its writer.
    if (!QFileInfo(path).isFile()) return {};
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(kHead) : QByteArray();
}

bool hasSuffix(QString const &path, char const *suffix) { return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive); }

/// A project or a report: by the application id of the database, at byte 68, else by the name.
std::optional<FileKind> ownKind(QString const &path, QByteArray const &head)
{
    if (head.startsWith("SQLite format 3")) {
        QByteArray const id = head.mid(68, 4);
        if (id == "TWRP") return FileKind::Report;
        if (id == "TWPJ") return FileKind::Project;
        return hasSuffix(path, ".twreport") ? FileKind::Report : FileKind::Project; // reading it says what is wrong
    }
    QByteArray const text = (head.startsWith("\xEF\xBB\xBF") ? head.mid(3) : head).trimmed();
    if (text.startsWith('{')) return FileKind::Json;
    if (hasSuffix(path, ".twreport")) return FileKind::Report;
    if (hasSuffix(path, ".tilewright")) return FileKind::Project;
    return std::nullopt;
}

bool isText(QByteArray const &head)
{
    return std::ranges::none_of(head, [](char c) { return (c >= 0 && c < 32 && c != '\n' && c != '\r' && c != '\t') || c == 127; });
}

bool isIdx(QByteArray const &head)
{
    constexpr std::string_view kTypes("\x08\x09\x0B\x0C\x0D\x0E", 6);
    return head.size() >= 8 && head[0] == 0 && head[1] == 0 && kTypes.find(head[2]) != kTypes.npos && head[3] > 0 && head[3] <= 8;
}

bool isPython(QString const &path, QByteArray const &head)
{
    bool const interpreter = head.startsWith("#!") && head.left(head.indexOf('\n')).contains("python");
    return isText(head) && (interpreter || hasSuffix(path, ".py"));
}

bool isPicture(QByteArray const &head)
{
    static std::array<QByteArray, 8> const signatures{QByteArray("\x89PNG"), "\xFF\xD8\xFF", "GIF8", "BM", "II*", "MM", "<svg", "RIFF"};
    if (head.startsWith("BM")) return !isText(head);
    return std::ranges::any_of(signatures, [&](auto const &signature) { return head.startsWith(signature); })
        || (head.startsWith("<?xml") && head.contains("<svg"));
}

/// At least one line, of cells that are numbers but for the first line; as many in each of the lines that are whole.
bool isTable(QByteArray const &head)
{
    if (!isText(head)) return false;
    auto lines = head.split('\n');
    if (head.size() >= kHead) lines.removeLast(); // it may be cut
    int numbers = 0, cells = 0, checked = 0;
    for (qsizetype i = 0; i < lines.size() && checked < 8; ++i) {
        QByteArray const line = lines[i].trimmed();
        if (line.isEmpty() || line.startsWith('#')) continue;
        if (checked++ == 0 && lines.size() > 2) continue; // titles
        for (auto const &cell : QString::fromUtf8(line).split(QRegularExpression(QStringLiteral("[,;\t ]+")))) {
            bool ok = false;
            (void)cell.toDouble(&ok);
            numbers += ok;
            ++cells;
        }
    }
    return cells > 0 && 2 * numbers >= cells; // labels may be words
}

FileFacts data(char const *format) { return {FileKind::Data, QLatin1String(format), std::nullopt}; }

FileFacts other(Diagnostic why) { return {FileKind::Other, {}, std::move(why)}; }

/// A zip archive: arrays of NumPy, a model of Keras, or anything else.
FileFacts archiveFacts(std::string const &path)
{
    auto const source = data::openSource(path, 0); // mapped: nothing but its directory is read
    auto const entries = source.ok() ? data::readZipDirectory(*source) : Result<std::vector<data::ZipEntry>>(source.error());
    if (!entries.ok()) return other(entries.error());
    auto const has = [&](std::string_view name) { return std::ranges::any_of(*entries, [&](auto const &e) { return e.name == name; }); };
    if (has("epoch.npy") && has("step.npy"))
        return other(makeError(ErrorKind::Usage, "open.weights", path, Message::of("this archive holds trained weights."),
                               Message::of("The window cannot load weights yet: give the file to tilewright predict or train --resume.")));
    if (std::ranges::any_of(*entries, [](auto const &e) { return e.name.ends_with(".npy"); })) return data("npz");
    return other(makeError(ErrorKind::Usage, "open.archive", path, Message::of("this archive holds no NumPy arrays."),
                           Message::of("Archives of data have arrays such as x_train.npy and y_train.npy.")));
}

FileFacts folderFacts(QString const &path)
{
    std::filesystem::path const folder = path.toStdString();
    for (auto const &format : data::dataFormats())
        if (!format.generated && format.recognises(folder)) return data(format.name);
    return other(makeError(ErrorKind::Usage, "open.folder", folder.string(), Message::of("the folder holds no data with the usual names."),
                           Message::of("Data folders hold for example x_train.npy and y_train.npy, or the four files of MNIST.")));
}

/// A model of another program, or nothing.
std::optional<FileFacts> modelFacts(std::string const &path)
{
    auto const file = interop::sniff(path);
    auto const *form = file.ok() ? interop::formOf(*file) : nullptr;
    if (!form) return {};
    if (form->read) return FileFacts{FileKind::Model, {}, std::nullopt};
    return other(makeError(ErrorKind::Usage, "open.not-yet", path, Message::of("this is %1, which cannot be opened yet.", form->name),
                           form->remedy));
}

FileFacts unknownFacts(QString const &path, QByteArray const &head)
{
    std::string const file = path.toStdString();
    if (isPicture(head))
        return other(makeError(ErrorKind::Usage, "open.picture", file, Message::of("this is a picture, which cannot be opened."),
                               Message::of("Pictures that are data go into one array: write them with numpy.savez().")));
    if (isPython(path, head))
        return other(makeError(ErrorKind::Usage, "open.python", file, Message::of("this is a Python script, which cannot be opened yet."),
                               Message::of("Write its model with model.to_json() and open that file.")));
    if (head.startsWith("%PDF") || !isText(head))
        return other(makeError(ErrorKind::Usage, "open.unknown", file, Message::of("this kind of file cannot be opened."),
                               Message::of("The window opens projects, reports, models of Keras, and data as .npz, .npy, IDX or tables.")));
    return other(makeError(ErrorKind::Usage, "open.text", file, Message::of("this is a text without a table of numbers."),
                           Message::of("The window opens projects, reports, models of Keras, and data as .npz, .npy, IDX or tables.")));
}

} // namespace

FileFacts fileFacts(QString const &path)
{
    QFileInfo const file(path);
    std::string const name = path.toStdString();
    auto const unreadable = [&] {
        return other(makeError(ErrorKind::Data, "open.missing", name, Message::of("the file cannot be read."),
                               Message::of("Check that it exists and that you may read it.")));
    };
    if (!file.exists()) return unreadable();
    if (file.isDir()) return folderFacts(path);
    if (!file.isFile())
        return other(makeError(ErrorKind::Usage, "open.special", name, Message::of("this is a device or a pipe."),
                               Message::of("Name a regular file.")));
    if (!file.isReadable()) return unreadable();
    QByteArray const head = headOf(path);
    if (auto const own = ownKind(path, head)) return {*own, {}, std::nullopt};
    if (file.size() == 0)
        return other(
            makeError(ErrorKind::Usage, "open.empty", name, Message::of("the file is empty."), Message::of("Choose a file with content.")));
    if (head.startsWith("\x93NUMPY")) return data("npy");
    if (isIdx(head)) return data("idx");
    if (auto const model = modelFacts(name)) return *model;
    if (head.startsWith("PK\x03\x04")) return archiveFacts(name);
    if (head.startsWith("\x1F\x8B")) {
        // What it holds is known once it is unpacked; only IDX files may stay packed.
        auto const unpacked = data::openSource(name, 0);
        if (unpacked.ok()) {
            data::Inflater inflater(unpacked->all(), data::Inflater::Form::Gzip);
            std::array<std::byte, 64> first{};
            auto const size = inflater.read(first, {}, "");
            if (isIdx(QByteArray(reinterpret_cast<char const *>(first.data()), static_cast<qsizetype>(size)))) return data("idx");
        }
        return other(makeError(ErrorKind::Usage, "open.packed", name, Message::of("this is a compressed file."),
                               Message::of("Unpack it and open what it holds.")));
    }
    if (!isPython(path, head) && isTable(head)) return data("csv");
    return unknownFacts(path, head);
}

QStringList modelPatterns()
{
    QStringList patterns;
    for (auto const &form : interop::importForms())
        for (auto const *suffix : form.suffixes)
            if (form.read) patterns.push_back(QLatin1Char('*') + QLatin1String(suffix));
    patterns.removeDuplicates();
    return patterns;
}

bool looksLikeProjectOrReport(QString const &path)
{
    QByteArray const head = headOf(path);
    return ownKind(path, head).has_value() || head.startsWith("\x89HDF\r\n") || hasSuffix(path, ".keras");
}

} // namespace tilewright::views
