#include "views/common/export.h"

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

QString csvCell(QString const &text)
{
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n'))
        && !text.contains(QLatin1Char('\r')))
        return text;
    QString quoted = text;
    quoted.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

QString line(QStringList const &cells, QString (*cell)(QString const &), QLatin1String between)
{
    QStringList out;
    for (auto const &text : cells) out << cell(text);
    return out.join(between) + QLatin1Char('\n');
}

QString tsvCell(QString const &text)
{
    QString plain = text;
    return plain.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString markdownCell(QString const &text)
{
    QString plain = tsvCell(text);
    return plain.replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

} // namespace

QString toCsv(QList<ExportTable> const &tables)
{
    QString out;
    for (auto const &table : tables) {
        if (tables.size() > 1)
            out += (out.isEmpty() ? QString() : QStringLiteral("\n")) + QStringLiteral("# ") + table.name + QLatin1Char('\n');
        out += line(table.columns, csvCell, QLatin1String(","));
        for (auto const &row : table.rows) out += line(row, csvCell, QLatin1String(","));
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

QString saveText(QString const &text, QString const &path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return cannotWrite(path, file.errorString());
    QByteArray const bytes = text.toUtf8();
    if (file.write(bytes) != bytes.size() || !file.commit()) return cannotWrite(path, file.errorString());
    return {};
}

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
        svg.setTitle(widget.accessibleName());
        QPainter painter(&svg);
        widget.render(&painter);
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
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(drawn.data()) != drawn.size() || !file.commit())
        return cannotWrite(path, file.errorString());
    return {};
}

} // namespace tilewright::views
