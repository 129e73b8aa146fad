#pragma once

#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>

class QWidget;

// Pictures and tables of views. Files are in the C locale and written whole or not at all.
namespace tilewright::views {

struct ExportTable {
    QString name;
    QStringList columns;
    QList<QStringList> rows; ///< exact values in the C locale
};

/// RFC 4180 text, UTF-8. Several tables: separated by an empty line, each under a line "# NAME".
QString toCsv(QList<ExportTable> const &tables);
QString toTsv(ExportTable const &table);
QString toMarkdown(ExportTable const &table);

/// Draws the widget in its current state. The suffix determines the format: png, svg, pdf. `scale`: device pixels per pixel (png). Returns
/// an error text, or "".
QString saveWidgetPicture(QWidget &widget, QString const &path, double scale = 1.0);
QString saveText(QString const &text, QString const &path);

} // namespace tilewright::views
