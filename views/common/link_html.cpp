#include "views/common/link_html.h"

#include "views/common/theme.h"
#include "views/common/unbroken.h"

#include <QGuiApplication>
#include <QLabel>
#include <QPalette>
#include <QStringList>

namespace tilewright::views {

namespace {

QLatin1String const kPlain("style=\"text-decoration:none;");
QLatin1String const kMarked("style=\"text-decoration:underline;");

/// A long word may break before a capital, so that it stays within its column.
QString breakable(QString const &text)
{
    constexpr qsizetype kLong = 20;
    QStringList words = text.split(QLatin1Char(' '));
    for (auto &word : words) {
        if (word.size() <= kLong) continue;
        QString out;
        for (qsizetype i = 0; i < word.size(); ++i) {
            if (i > 0 && word[i].isUpper() && word[i - 1].isLower()) out += QChar(0x200B);
            out += word[i];
        }
        word = out;
    }
    return unbroken(words.join(QLatin1Char(' ')));
}

} // namespace

QString linkHtml(QString const &href, QString const &text, bool hovered)
{
    // High contrast has few colours: a line shows the link there.
    bool const marked = hovered || theme().kind == ThemeKind::HighContrast;
    return QStringLiteral("<a href=\"%1\" %2 color:%3\">%4</a>")
        .arg(href.toHtmlEscaped(), marked ? QString(kMarked) : QString(kPlain), QGuiApplication::palette().color(QPalette::Link).name(),
             breakable(text).toHtmlEscaped());
}

void underlineOnHover(QLabel &label)
{
    QObject::connect(&label, &QLabel::linkHovered, &label, [&label](QString const &href) {
        QString html = label.text();
        if (href.isEmpty() && theme().kind != ThemeKind::HighContrast) html.replace(kMarked, kPlain);
        else html.replace(kPlain, kMarked);
        if (html != label.text()) label.setText(html);
    });
}

} // namespace tilewright::views
