#include "views/common/link_html.h"

#include "views/common/theme.h"

#include <QLabel>
#include <QRegularExpression>
#include <QStringList>

namespace tilewright::views {

namespace {

// Style of the words. The arrow after them has its attributes in another order, so that it is not matched.
QLatin1String const kPlain("style=\"text-decoration:none;");
QLatin1String const kMarked("style=\"text-decoration:underline;");

/// A long word may break before a capital, so that the arrow stays at the end of its words. A unit stays whole and beside its number.
QString breakable(QString const &text)
{
    constexpr qsizetype kLong = 20;
    static QRegularExpression const unit(QStringLiteral("(?<=\\d) (?=(?:[KMGT]i)?B\\b|[mµn]?s\\b|[kMG]?Hz\\b|%)"));
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
    return words.join(QLatin1Char(' ')).replace(unit, QStringLiteral("\u00A0"));
}

} // namespace

QString linkHtml(QString const &href, QString const &text, bool hovered)
{
    return QStringLiteral("<a href=\"%1\" %2 color:%3\">%4</a>\u00A0<a href=\"%1\" style=\"color:%5; text-decoration:none\">→</a>")
        .arg(href.toHtmlEscaped(), hovered ? QString(kMarked) : QString(kPlain), theme()[Token::Text].name(),
             breakable(text).toHtmlEscaped(), theme()[Token::SecondaryText].name());
}

void underlineOnHover(QLabel &label)
{
    QObject::connect(&label, &QLabel::linkHovered, &label, [&label](QString const &href) {
        QString html = label.text();
        if (href.isEmpty()) html.replace(kMarked, kPlain);
        else html.replace(kPlain, kMarked);
        if (html != label.text()) label.setText(html);
    });
}

} // namespace tilewright::views
