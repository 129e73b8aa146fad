#include "views/common/link_html.h"

#include "views/common/theme.h"

#include <QLabel>

namespace tilewright::views {

namespace {

// Of the words; the arrow behind them writes its style the other way round, so that it keeps none.
QLatin1String const kPlain("style=\"text-decoration:none;");
QLatin1String const kMarked("style=\"text-decoration:underline;");

/// Long names in one word may break before a capital, so that the arrow stays with the end of its words.
QString breakable(QString const &text)
{
    constexpr qsizetype kLong = 20;
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.size() > kLong && i > 0 && text[i].isUpper() && text[i - 1].isLower()) out += QChar(0x200B);
        out += text[i];
    }
    return out;
}

} // namespace

QString linkHtml(QString const &href, QString const &text, bool hovered)
{
    return QStringLiteral("<a href=\"%1\" %2 color:%3\">%4</a>\u00A0<a href=\"%1\" style=\"color:%5; text-decoration:none\">→</a>")
        .arg(href.toHtmlEscaped(), hovered ? QString(kMarked) : QString(kPlain), theme()[Token::Text].name(), breakable(text).toHtmlEscaped(), theme()[Token::SecondaryText].name());
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
