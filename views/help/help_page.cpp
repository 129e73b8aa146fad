#include "views/help/help_page.h"

#include <QRegularExpression>
#include <QStringList>

namespace tilewright::views {

namespace {

QRegularExpression const &linkPattern()
{
    static QRegularExpression const pattern(QStringLiteral("\\[([^\\]]*)\\]\\(([^)\\s]*)\\)"));
    return pattern;
}

} // namespace

QList<HelpPage> parseHelpPages(QString const &text)
{
    static QRegularExpression const mark(QStringLiteral("^<!-- page (\\S+) -->\\s*$"));
    QList<HelpPage> pages;
    auto const lines = text.split(QLatin1Char('\n'));
    for (auto const &line : lines) {
        if (auto const match = mark.match(line); match.hasMatch()) {
            pages.append({match.captured(1), {}, {}});
            continue;
        }
        if (pages.isEmpty()) continue;
        auto &page = pages.last();
        if (page.title.isEmpty() && line.startsWith(QLatin1String("# "))) page.title = line.mid(2).trimmed();
        page.markdown += line + QLatin1Char('\n');
    }
    for (auto &page : pages) page.markdown = page.markdown.trimmed() + QLatin1Char('\n');
    return pages;
}

QString plainText(QString const &markdown)
{
    static QRegularExpression const headings(QStringLiteral("^#+\\s*"), QRegularExpression::MultilineOption);
    static QRegularExpression const marks(QStringLiteral("[*`|]|^\\s*[-\\d]+\\.?\\s|\\\\(?=[^A-Za-z0-9\\s])"),
                                          QRegularExpression::MultilineOption);
    static QRegularExpression const rules(QStringLiteral("\\|?\\s*:?-{3,}:?\\s*\\|?"));
    QString text = markdown;
    text.replace(linkPattern(), QStringLiteral("\\1"));
    text.remove(rules);
    text.remove(headings);
    text.remove(marks);
    return text.simplified();
}

QString firstSentence(QString const &markdown)
{
    static QRegularExpression const end(QStringLiteral("[.!?:](\\s|$)"));
    QString body;
    auto const lines = markdown.split(QLatin1Char('\n'));
    for (auto const &line : lines) {
        if (line.startsWith(QLatin1Char('#')) || line.startsWith(QLatin1Char('|'))) continue;
        if (line.trimmed().isEmpty()) {
            if (!body.isEmpty()) break;
            continue;
        }
        body += line + QLatin1Char(' ');
    }
    body = plainText(body);
    auto const at = body.indexOf(end);
    return at < 0 ? body : body.left(at + 1);
}

QStringList linkTargets(QString const &markdown)
{
    QStringList targets;
    auto matches = linkPattern().globalMatch(markdown);
    while (matches.hasNext()) targets.append(matches.next().captured(2));
    return targets;
}

QString escapedMarkdown(QString const &text)
{
    static QRegularExpression const special(QStringLiteral("([\\\\`*_{}\\[\\]<>#|])"));
    QString escaped = text;
    return escaped.replace(special, QStringLiteral("\\\\1"));
}

} // namespace tilewright::views
