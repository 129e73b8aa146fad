#include "views/common/export.h"

#include "engine/core/csv_text.h"
#include "engine/core/destination.h"
#include "engine/core/safe_text.h"

#include <QCoreApplication>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QBuffer>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

namespace tilewright::views {

namespace {

QString cannotWrite(QString const &path, QString const &why)
{
    return QCoreApplication::translate("views", "%1 cannot be written: %2").arg(path, why);
}

QString csvText(QString const &text) { return QString::fromStdString(csvCell(text.toStdString())); }

QString line(QStringList const &cells, QString (*cell)(QString const &), QLatin1String between)
{
    QStringList out;
    for (auto const &text : cells) out << cell(text);
    return out.join(between) + QLatin1Char('\n');
}

QString tsvCell(QString const &text)
{
    QString plain = QString::fromStdString(spreadsheetText(text.toStdString()));
    return plain.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString markdownCell(QString const &text)
{
    QString plain = QString::fromStdString(safeText(text.toStdString()));
    return plain.replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

/// The bytes as the file of that name, whole or not at all.
QString saveBytes(QByteArray const &bytes, QString const &path)
{
    if (!checkDestination(path.toStdString()).ok())
        return cannotWrite(
            path, QCoreApplication::translate("views", "this name belongs to a folder, a link, a device or a pipe. Choose another."));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return cannotWrite(path, file.errorString());
    return {};
}

/// The characters that XML allows: Qt writes the text of labels and titles as it is.
QByteArray validXml(QByteArray const &text)
{
    QString out;
    for (QChar const c : QString::fromUtf8(text)) {
        ushort const code = c.unicode();
        bool const forbidden = (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0xfffe || code == 0xffff;
        // The symbols of control characters look like nothing else, and take the room of one character.
        if (!forbidden) out += c;
        else out += code < 0x20 ? QChar(0x2400 + code) : QChar(QChar::ReplacementCharacter);
    }
    return out.toUtf8();
}

} // namespace

QString toCsv(QList<ExportTable> const &tables)
{
    QString out;
    for (auto const &table : tables) {
        if (tables.size() > 1)
            out += (out.isEmpty() ? QString() : QStringLiteral("\n")) + csvText(QStringLiteral("# ") + table.name) + QLatin1Char('\n');
        out += line(table.columns, csvText, QLatin1String(","));
        for (auto const &row : table.rows) out += line(row, csvText, QLatin1String(","));
    }
    return out;
}

QString toTsv(ExportTable const &table)
{
    QString out = line(table.columns, tsvCell, QLatin1String("\t"));
    for (auto const &row : table.rows) out += line(row, tsvCell, QLatin1String("\t"));
    return out;
}

QString toMarkdown(ExportTable const &table)
{
    auto const wrap = [](QStringList const &cells) {
        return QStringLiteral("| ") + line(cells, markdownCell, QLatin1String(" | ")).trimmed() + QStringLiteral(" |\n");
    };
    QStringList rule;
    for (qsizetype i = 0; i < table.columns.size(); ++i) rule << QStringLiteral("---");
    QString out = wrap(table.columns) + wrap(rule);
    for (auto const &row : table.rows) out += wrap(row);
    return out;
}

QString saveText(QString const &text, QString const &path) { return saveBytes(text.toUtf8(), path); }

QString saveWidgetPicture(QWidget &widget, QString const &path, double scale)
{
    // Drawn in memory: a painter does not say that a disk was full.
    QBuffer drawn;
    drawn.open(QIODevice::WriteOnly);
    QSize const size = widget.size();
    QString const lower = path.toLower();
    if (lower.endsWith(QLatin1String(".svg"))) {
        QSvgGenerator svg;
        svg.setOutputDevice(&drawn);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(), size));
        svg.setTitle(widget.accessibleName().toHtmlEscaped()); // written as it is
        QPainter painter(&svg);
        widget.render(&painter);
        painter.end();
        return saveBytes(validXml(drawn.data()), path);
    } else if (lower.endsWith(QLatin1String(".pdf"))) {
        QPdfWriter pdf(&drawn);
        pdf.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point));
        pdf.setPageMargins({});
        pdf.setResolution(96);
        QPainter painter(&pdf);
        widget.render(&painter);
    } else {
        QImage image((QSizeF(size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(scale);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        widget.render(&painter);
        painter.end();
        if (!image.save(&drawn, "PNG")) return cannotWrite(path, QCoreApplication::translate("views", "the picture could not be encoded"));
    }
    return saveBytes(drawn.data(), path);
}

} // namespace tilewright::views
