#include "views/help/help_library.h"

#include "views/help/reference_pages.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>

namespace tilewright::views {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(HelpLibrary)
};

constexpr char const *kFiles[] = {"lessons", "concepts", "views"};

QList<HelpPage> readLanguage(QString const &language)
{
    QList<HelpPage> pages;
    for (auto const *name : kFiles) {
        QFile file(QStringLiteral(":/help/%1/%2.md").arg(language, QLatin1String(name)));
        if (file.open(QIODevice::ReadOnly)) pages += parseHelpPages(QString::fromUtf8(file.readAll()));
    }
    return pages;
}

/// The English pages in order, each in the program's language if it has been translated.
QList<HelpPage> writtenPages(QString const &language)
{
    auto pages = readLanguage(QStringLiteral("en"));
    if (language == QLatin1String("en")) return pages;
    QHash<QString, HelpPage> translated;
    auto const own = readLanguage(language);
    for (auto const &page : own) translated.insert(page.id, page);
    for (auto &page : pages)
        if (auto const it = translated.constFind(page.id); it != translated.constEnd()) page = *it;
    return pages;
}

HelpPage indexOf(QList<HelpPage> const &pages, QString const &kind, QString const &name, QString const &title, QString const &intro)
{
    QString markdown = QStringLiteral("# %1\n\n%2\n\n").arg(title, intro);
    for (auto const &page : pages)
        if (page.kind() == kind)
            markdown += QStringLiteral("- [%1](%2) %3\n").arg(page.title, page.id, escapedMarkdown(firstSentence(page.markdown)));
    return {QStringLiteral("index:") + name, title, markdown};
}

/// "index:home": the start page.
HelpPage homePage(QList<HelpPage> const &pages)
{
    QString markdown =
        QStringLiteral("# %1\n\n%2\n\n")
            .arg(
                Words::tr("Help"),
                Words::tr(
                    "Tilewright builds a neural network, compiles it onto an emulated IPU and shows where every byte and every cycle went. "
                    "All of this help is here, without a network."));
    markdown += QStringLiteral("## [%1](index:lessons)\n\n").arg(Words::tr("Lessons"));
    for (auto const &page : pages)
        if (page.kind() == QLatin1String("lesson")) markdown += QStringLiteral("- [%1](%2)\n").arg(page.title, page.id);
    markdown += QStringLiteral("\n## [%1](index:concepts)\n\n").arg(Words::tr("Concepts"));
    QStringList concepts;
    for (auto const &page : pages)
        if (page.kind() == QLatin1String("concept")) concepts.append(QStringLiteral("[%1](%2)").arg(page.title, page.id));
    markdown += concepts.join(QStringLiteral(" · ")) + QStringLiteral("\n\n");
    markdown += QStringLiteral("## [%1](index:views)\n\n").arg(Words::tr("Views"));
    QStringList views;
    for (auto const &page : pages)
        if (page.kind() == QLatin1String("viewhelp")) views.append(QStringLiteral("[%1](%2)").arg(page.title, page.id));
    markdown += views.join(QStringLiteral(" · ")) + QStringLiteral("\n\n## %1\n\n").arg(Words::tr("Reference"));
    for (auto const &page : pages)
        if (page.kind() == QLatin1String("index")) markdown += QStringLiteral("- [%1](%2)\n").arg(page.title, page.id);
    return {QStringLiteral("index:home"), Words::tr("Help"), markdown};
}

/// Some words around the first occurrence of `word`.
QString excerptAround(QString const &plain, qsizetype at)
{
    constexpr qsizetype kBefore = 40, kLength = 140;
    auto begin = std::max<qsizetype>(0, at - kBefore);
    if (begin > 0) begin = plain.indexOf(QLatin1Char(' '), begin) + 1;
    auto piece = plain.mid(begin, kLength);
    if (begin + kLength < plain.size()) piece = piece.left(piece.lastIndexOf(QLatin1Char(' '))) + QStringLiteral(" …");
    return begin > 0 ? QStringLiteral("… ") + piece : piece;
}

} // namespace

HelpLibrary::HelpLibrary(QList<HelpPage> pages) : m_pages(std::move(pages))
{
    for (int i = 0; i < m_pages.size(); ++i) {
        m_byId.insert(m_pages[i].id, i);
        m_plain.append(plainText(m_pages[i].markdown));
    }
}

HelpLibrary HelpLibrary::load(QString const &language)
{
    auto pages = writtenPages(language);
    auto const reference = referencePages();
    QList<HelpPage> all{homePage(pages + reference)};
    all += indexOf(pages, QStringLiteral("lesson"), QStringLiteral("lessons"), Words::tr("Lessons"),
                   Words::tr("Short tours with real figures. Each step has a button that brings you where it happens."));
    all += indexOf(pages, QStringLiteral("concept"), QStringLiteral("concepts"), Words::tr("Concepts"),
                   Words::tr("The words of the field, each with what it means for your model."));
    all += indexOf(pages, QStringLiteral("viewhelp"), QStringLiteral("views"), Words::tr("Views"),
                   Words::tr("What each view shows, how to read it, and its keys."));
    return HelpLibrary(all + pages + reference);
}

HelpPage const *HelpLibrary::find(QString const &id) const
{
    auto const it = m_byId.constFind(id);
    return it == m_byId.constEnd() ? nullptr : &m_pages[*it];
}

QString HelpLibrary::resolve(QString const &wanted) const
{
    if (wanted.isEmpty()) return QStringLiteral("index:home");
    if (find(wanted)) return wanted;
    auto const name = wanted.section(QLatin1Char(':'), -1);
    // "view-memory", "lesson-mnist": the ids of actions and cards cannot contain a colon.
    if (name.startsWith(QLatin1String("view-")) && find(QStringLiteral("viewhelp:") + name.mid(5)))
        return QStringLiteral("viewhelp:") + name.mid(5);
    if (name.startsWith(QLatin1String("lesson-")) && find(QStringLiteral("lesson:") + name.mid(7)))
        return QStringLiteral("lesson:") + name.mid(7);
    for (auto const *form : {"viewhelp:%1", "concept:%1", "lesson:%1", "layer:%1", "option:%1", "option:ipu_config.%1", "loss:%1",
                             "optimizer:%1", "metric:%1", "machine:%1", "rule:%1", "index:%1"})
        if (auto const id = QString::fromLatin1(form).arg(name); find(id)) return id;
    // By any spelling of the name: "Micro-batch", "micro_batch".
    auto const folded = [](QString text) {
        text.remove(QLatin1Char('-')).remove(QLatin1Char('_')).remove(QLatin1Char(' '));
        return text.toCaseFolded();
    };
    for (auto const &page : m_pages)
        if (folded(page.name()) == folded(name) || folded(page.title) == folded(name)) return page.id;
    return {};
}

QList<HelpHit> HelpLibrary::search(QString const &query) const
{
    auto const words = query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QList<HelpHit> hits;
    if (words.isEmpty()) return hits;
    for (int i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].kind() == QLatin1String("index")) continue;
        HelpHit hit{i, 0, {}};
        qsizetype first = -1;
        for (auto const &word : words) {
            int score = 0;
            auto const &title = m_pages[i].title;
            if (title.compare(word, Qt::CaseInsensitive) == 0) score += 100;
            if (title.startsWith(word, Qt::CaseInsensitive)) score += 40;
            if (title.contains(word, Qt::CaseInsensitive)) score += 30;
            if (m_pages[i].name().contains(word, Qt::CaseInsensitive)) score += 20;
            score += std::min<int>(10, static_cast<int>(m_plain[i].count(word, Qt::CaseInsensitive)));
            if (score == 0) {
                hit.score = 0;
                break;
            }
            hit.score += score;
            auto const at = m_plain[i].indexOf(word, title.size(), Qt::CaseInsensitive);
            if (at >= 0 && (first < 0 || at < first)) first = at;
        }
        if (hit.score == 0) continue;
        auto const start = std::min(m_pages[i].title.size(), m_plain[i].size());
        hit.excerpt = first < 0 ? firstSentence(m_pages[i].markdown)
                                : excerptAround(m_plain[i].mid(start).trimmed(), std::max<qsizetype>(0, first - start));
        // Written pages explain, reference pages list; among equal matches the explanation comes first.
        if (auto const kind = m_pages[i].kind(); kind == QLatin1String("concept") || kind == QLatin1String("viewhelp")) hit.score += 5;
        hits.append(hit);
    }
    std::ranges::stable_sort(hits, std::ranges::greater{}, &HelpHit::score);
    return hits;
}

QStringList HelpLibrary::idsOfKind(QString const &kind) const
{
    QStringList ids;
    for (auto const &page : m_pages)
        if (page.kind() == kind) ids.append(page.id);
    return ids;
}

} // namespace tilewright::views
