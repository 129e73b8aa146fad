#pragma once

#include "engine/core/result.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace tilewright::views {

enum class FileKind {
    Project, ///< SQLite with the id of a project; also a damaged file of that name
    Report,  ///< SQLite with the id of a report; also a damaged file of that name
    Json,    ///< a twin, a Keras model or another document: the parsers tell which
    Model,   ///< a model of another program: one of the forms of engine/interop
    Data,    ///< samples or labels that a project can read
    Other    ///< nothing that the window opens
};

/// What a file is. The content decides; the name decides only for kinds without a signature (Python, ONNX, tables) and for
/// files whose content is damaged.
struct FileFacts {
    FileKind kind = FileKind::Other;
    QString dataFormat;            ///< of Data: "npz", "npy", "idx", "csv"
    std::optional<Diagnostic> why; ///< of Other: what the file is and what can be done with it
};

/// Reads the first bytes of a file, and the directory of an archive. For worker threads: the file may lie on a slow disk.
FileFacts fileFacts(QString const &path);

/// Patterns of the model files that can be opened: "*.json", "*.h5", …
QStringList modelPatterns();

/// By name and by its first bytes only: whether opening the file shows a project, a model or a report. Cheap enough for a mouse that
/// drags the file over the window.
bool looksLikeProjectOrReport(QString const &path);

} // namespace tilewright::views
