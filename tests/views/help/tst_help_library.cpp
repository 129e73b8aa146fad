#include "engine/config/options.h"
#include "engine/model/layer_spec.h"
#include "engine/model/templates.h"
#include "engine/report/insights/insights.h"
#include "engine/target/machine.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/help/help_library.h"
#include "views/help/help_link.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

QString sourceFolder() { return QStringLiteral(TILEWRIGHT_SOURCE_DIR); }

/// Ids of all views, as their descriptors have them.
QStringList viewIds()
{
    static QRegularExpression const descriptor(QStringLiteral("return \\{\\s*\"([a-z]+)\",\\s*QT_TRANSLATE_NOOP"));
    QStringList ids;
    QDirIterator files(sourceFolder() + "/views", {"*_view.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        auto const match = descriptor.match(QString::fromUtf8(file.readAll()));
        if (match.hasMatch()) ids.append(match.captured(1));
    }
    return ids;
}

QList<HelpPage> written(QString const &language)
{
    QList<HelpPage> pages;
    for (auto const *name : {"lessons", "concepts", "views"}) {
        QFile file(QStringLiteral(":/help/%1/%2.md").arg(language, QLatin1String(name)));
        if (!file.open(QIODevice::ReadOnly)) return {};
        pages += parseHelpPages(QString::fromUtf8(file.readAll()));
    }
    return pages;
}

} // namespace

class TstHelpLibrary : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyFileIsInTheResources();
    void everyViewHasAPage();
    void everyEntryOfTheRegistriesHasAPage();
    void pageIdsAreUniqueAndTitled_data();
    void pageIdsAreUniqueAndTitled();
    void everyLinkLeadsSomewhere_data();
    void everyLinkLeadsSomewhere();
    void germanSaysTheSameAsEnglish();
    void anUnknownLanguageIsEnglish();
    void namesOfManyKindsResolve_data();
    void namesOfManyKindsResolve();
    void searchFindsTitlesFirst();
    void searchRequiresEveryWord();

private:
    HelpLibrary m_english, m_german;
};

void TstHelpLibrary::initTestCase()
{
    initResources();
    m_english = HelpLibrary::load("en");
    m_german = HelpLibrary::load("de");
    QVERIFY(m_english.pages().size() > 100);
}

void TstHelpLibrary::everyFileIsInTheResources()
{
    QDirIterator files(sourceFolder() + "/resources", {"*.svg", "*.md"}, QDir::Files, QDirIterator::Subdirectories);
    int count = 0;
    while (files.hasNext()) {
        auto const path = QDir(sourceFolder() + "/resources").relativeFilePath(files.next());
        QVERIFY2(QFile::exists(":/" + path), qPrintable(path + " is not in tilewright.qrc"));
        ++count;
    }
    QVERIFY(count > 90);
}

void TstHelpLibrary::everyViewHasAPage()
{
    auto const ids = viewIds();
    QVERIFY(ids.size() >= 20);
    for (auto const &id : ids) QVERIFY2(m_english.find("viewhelp:" + id), qPrintable(id + " has no page in resources/help/en/views.md"));
}

void TstHelpLibrary::everyEntryOfTheRegistriesHasAPage()
{
    auto const has = [&](char const *kind, std::string const &name) {
        auto const id = QLatin1String(kind) + QString::fromStdString(name);
        auto const *page = m_english.find(id);
        return page && !page->title.isEmpty() && page->markdown.size() > page->title.size() + 10;
    };
    for (auto const &spec : model::builtinLayers()) QVERIFY2(has("layer:", spec.className), spec.className.c_str());
    for (auto const &info : target::builtinMachines()) QVERIFY2(has("machine:", info.name), info.name.c_str());
    for (auto const &rule : report::builtinInsightRules()) QVERIFY2(has("rule:", rule.name), rule.name.c_str());
    for (auto const &option : config::ipuConfigOptions()) QVERIFY2(has("option:ipu_config.", option.path), option.path.c_str());
    for (auto category :
         {config::OptionCategory::Flag, config::OptionCategory::Engine, config::OptionCategory::Target, config::OptionCategory::Runtime})
        for (auto const &option : config::optionsOf(category)) QVERIFY2(has("option:", option.path), option.path.c_str());
    auto const *dense = m_english.find("layer:Dense");
    for (auto const &param : model::findLayerSpec("Dense")->params)
        QVERIFY2(plainText(dense->markdown).contains(QString::fromStdString(param.name)), param.name.c_str());
}

void TstHelpLibrary::pageIdsAreUniqueAndTitled_data()
{
    QTest::addColumn<bool>("german");
    QTest::newRow("en") << false;
    QTest::newRow("de") << true;
}

void TstHelpLibrary::pageIdsAreUniqueAndTitled()
{
    QFETCH(bool, german);
    QSet<QString> seen;
    for (auto const &page : (german ? m_german : m_english).pages()) {
        QVERIFY2(!seen.contains(page.id), qPrintable(page.id + " is there twice"));
        QVERIFY2(!page.title.isEmpty(), qPrintable(page.id + " has no heading"));
        seen.insert(page.id);
    }
}

void TstHelpLibrary::everyLinkLeadsSomewhere_data() { pageIdsAreUniqueAndTitled_data(); }

void TstHelpLibrary::everyLinkLeadsSomewhere()
{
    QFETCH(bool, german);
    auto const &library = german ? m_german : m_english;
    auto const views = viewIds();
    int links = 0;
    for (auto const &page : library.pages()) {
        for (auto const &target : linkTargets(page.markdown)) {
            auto const link = parseHelpLink(target);
            auto const where = qUtf8Printable(page.id + " -> " + target);
            QVERIFY2(link.kind != HelpLink::Broken, where);
            if (link.kind == HelpLink::Page) QVERIFY2(library.find(target), where);
            if (link.kind == HelpLink::ShowView) QVERIFY2(views.contains(link.name), where);
            if (link.kind == HelpLink::OpenTemplate) QVERIFY2(model::findTemplate(link.name.toStdString()).ok(), where);
            ++links;
        }
    }
    QVERIFY(links > 300);
}

void TstHelpLibrary::germanSaysTheSameAsEnglish()
{
    auto const english = written("en"), german = written("de");
    QCOMPARE(german.size(), english.size());
    for (int i = 0; i < english.size(); ++i) {
        QCOMPARE(german[i].id, english[i].id);
        auto const links = linkTargets(english[i].markdown), theirs = linkTargets(german[i].markdown);
        QVERIFY2(QSet<QString>(links.begin(), links.end()) == QSet<QString>(theirs.begin(), theirs.end()),
                 qPrintable(english[i].id + " links to other pages"));
        QCOMPARE(german[i].markdown.count("\n## "), english[i].markdown.count("\n## "));
        QVERIFY2(german[i].markdown != english[i].markdown, qPrintable(english[i].id + " is not translated"));
    }
}

void TstHelpLibrary::anUnknownLanguageIsEnglish()
{
    QCOMPARE(HelpLibrary::load("tlh").find("concept:tile")->markdown, m_english.find("concept:tile")->markdown);
    QVERIFY(m_german.find("concept:tile")->markdown != m_english.find("concept:tile")->markdown);
}

void TstHelpLibrary::namesOfManyKindsResolve_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("page");
    QTest::newRow("nothing") << ""
                             << "index:home";
    QTest::newRow("id") << "concept:tile"
                        << "concept:tile";
    QTest::newRow("view") << "memory"
                          << "viewhelp:memory";
    QTest::newRow("view link") << "view:memory"
                               << "viewhelp:memory";
    QTest::newRow("of an action") << "view-memory"
                                  << "viewhelp:memory";
    QTest::newRow("of a card") << "lesson-slowest-tile"
                               << "lesson:slowest-tile";
    QTest::newRow("lessons") << "lessons"
                             << "index:lessons";
    QTest::newRow("layer") << "Dense"
                           << "layer:Dense";
    QTest::newRow("option, short") << "option:io_tiles.num_io_tiles"
                                   << "option:ipu_config.io_tiles.num_io_tiles";
    QTest::newRow("option, bare") << "ipu_config.io_tiles.num_io_tiles"
                                  << "option:ipu_config.io_tiles.num_io_tiles";
    QTest::newRow("optimizer") << "RMSprop"
                               << "optimizer:RMSprop";
    QTest::newRow("spelling") << "micro_batch"
                              << "concept:micro-batch";
    QTest::newRow("title") << "Infeed and outfeed"
                           << "concept:feeds";
    QTest::newRow("not there") << "xyzzy"
                               << "";
}

void TstHelpLibrary::namesOfManyKindsResolve()
{
    QFETCH(QString, wanted);
    QFETCH(QString, page);
    QCOMPARE(m_english.resolve(wanted), page);
}

void TstHelpLibrary::searchFindsTitlesFirst()
{
    auto const hits = m_english.search("tile");
    QVERIFY(hits.size() > 10);
    QCOMPARE(m_english.pages()[hits.first().page].id, QString("concept:tile"));
    QVERIFY(!hits.first().excerpt.isEmpty());
    for (int i = 1; i < hits.size(); ++i) QVERIFY(hits[i - 1].score >= hits[i].score);
    auto const option = m_english.search("num_io_tiles");
    QCOMPARE(m_english.pages()[option.first().page].id, QString("option:ipu_config.io_tiles.num_io_tiles"));
}

void TstHelpLibrary::searchRequiresEveryWord()
{
    auto const one = m_english.search("bubble"), both = m_english.search("bubble accumulation");
    QVERIFY(!both.isEmpty());
    QVERIFY(both.size() < m_english.search("accumulation").size());
    for (auto const &hit : both) {
        auto const text = plainText(m_english.pages()[hit.page].markdown);
        QVERIFY(text.contains("bubble", Qt::CaseInsensitive) && text.contains("accumulation", Qt::CaseInsensitive));
    }
    QVERIFY(m_english.search("bubble xyzzy").isEmpty());
    QVERIFY(m_english.search("   ").isEmpty());
    QVERIFY(!one.isEmpty());
}

TW_REGISTER_TEST(TstHelpLibrary);
#include "tst_help_library.moc"
