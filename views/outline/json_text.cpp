#include "views/outline/json_text.h"

#include "engine/model/keras_json.h"

#include <QRegularExpression>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr std::size_t kShortLine = 72;

/// Like nlohmann's dump(2), with short values on one line: shapes and references are lists of three.
void write(model::OrderedJson const &value, int depth, std::string &text)
{
    std::string const flat = model::pythonText(value);
    bool const nested = value.is_structured() && !value.empty();
    bool const deep = nested && std::any_of(value.begin(), value.end(), [](auto const &item) { return item.is_object() && !item.empty(); });
    if (!nested || (!deep && value.is_array() && flat.size() <= kShortLine)) {
        text += flat;
        return;
    }
    std::string const indent(static_cast<std::size_t>(depth + 1) * 2, ' ');
    text += value.is_array() ? "[\n" : "{\n";
    bool first = true;
    for (auto const &[key, item] : value.items()) {
        if (!first) text += ",\n";
        first = false;
        text += indent;
        if (value.is_object()) text += model::pythonText(model::OrderedJson(key)) + ": ";
        write(item, depth + 1, text);
    }
    text += '\n' + std::string(static_cast<std::size_t>(depth) * 2, ' ') + (value.is_array() ? "]" : "}");
}

} // namespace

QString modelJsonText(model::Model const &model)
{
    std::string text;
    write(model::modelToKeras(model), 0, text);
    return QString::fromStdString(text) + u'\n';
}

TextPlace placeOfPosition(QString const &text, int position)
{
    TextPlace place;
    place.position = std::clamp(position, 0, static_cast<int>(text.size()));
    QStringView const before = QStringView(text).left(place.position);
    place.line = static_cast<int>(before.count(u'\n')) + 1;
    place.column = place.position - static_cast<int>(before.lastIndexOf(u'\n'));
    return place;
}

TextPlace placeOfByte(QString const &text, std::size_t byte)
{
    QByteArray const bytes = text.toUtf8();
    auto const before = static_cast<qsizetype>(byte > 0 ? byte - 1 : 0);
    return placeOfPosition(text, static_cast<int>(QString::fromUtf8(bytes.left(before)).size()));
}

std::optional<TextPlace> placeOfLayer(QString const &text, QString const &layer)
{
    QString const quoted = QString::fromStdString(model::pythonText(model::OrderedJson(layer.toStdString())));
    QRegularExpression const name(QStringLiteral("\"name\"\\s*:\\s*") + QRegularExpression::escape(quoted));
    auto all = name.globalMatch(text);
    while (all.hasNext()) {
        qsizetype const at = all.next().capturedStart();
        // The model has a name as well; a layer's name follows its class_name.
        qsizetype const entry = text.lastIndexOf(QStringLiteral("\"class_name\""), at);
        qsizetype const brace = entry < 0 ? -1 : text.lastIndexOf(u'{', entry);
        if (brace > 0) return placeOfPosition(text, static_cast<int>(brace));
    }
    return {};
}

std::optional<TextPlace> placeOfProblem(QString const &text, Diagnostic const &problem)
{
    static QRegularExpression const byte(QStringLiteral(" byte (\\d+)$"));
    QString const subject = QString::fromStdString(problem.subject);
    if (auto const match = byte.match(subject); match.hasMatch()) return placeOfByte(text, match.captured(1).toULongLong());
    static QRegularExpression const index(QStringLiteral("^layer (\\d+)$"));
    if (auto const match = index.match(subject); match.hasMatch()) {
        qsizetype at = text.indexOf(QStringLiteral("\"layers\""));
        for (int i = 0; at >= 0 && i <= match.captured(1).toInt(); ++i) at = text.indexOf(QStringLiteral("\"class_name\""), at + 1);
        if (at >= 0) return placeOfPosition(text, static_cast<int>(at));
    }
    return subject.isEmpty() ? std::nullopt : placeOfLayer(text, subject);
}

} // namespace tilewright::views
