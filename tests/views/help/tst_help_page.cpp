#include "tests/support/test_registry.h"
#include "views/help/help_link.h"
#include "views/help/help_page.h"

#include <QTextDocument>
#include <QtTest>

using namespace tilewright::views;

class TstHelpPage : public QObject {
    Q_OBJECT
private slots:
    void aFileIsCutAtItsPageLines();
    void plainTextHasNoMarks();
    void theFirstSentenceIsTheOneBelowTheHeading();
    void linkTargetsAreFoundInOrder();
    void escapedTextReadsBackAsItWas_data();
    void escapedTextReadsBackAsItWas();
    void linksAreParsedByKind_data();
    void linksAreParsedByKind();
};

void TstHelpPage::aFileIsCutAtItsPageLines()
{
    auto const pages = parseHelpPages(QStringLiteral("for authors\n# no page\n<!-- page concept:a -->\n# A title\n\ntext\n"
                                                     "<!-- page lesson:b -->\n\n# B\n## not the title\n"));
    QCOMPARE(pages.size(), 2);
    QCOMPARE(pages[0], (HelpPage{"concept:a", "A title", "# A title\n\ntext\n"}));
    QCOMPARE(pages[1].title, QString("B"));
    QCOMPARE(pages[1].kind(), QString("lesson"));
    QCOMPARE(pages[1].name(), QString("b"));
}

void TstHelpPage::plainTextHasNoMarks()
{
    QCOMPARE(plainText("# Head\n\n- **bold** and `code` in [a link](view:x)\n\n1. one\n"), QString("Head bold and code in a link one"));
    QCOMPARE(plainText("| a | b |\n|---|---|\n| 1 | 2 |\n"), QString("a b 1 2"));
}

void TstHelpPage::theFirstSentenceIsTheOneBelowTheHeading()
{
    QCOMPARE(firstSentence("# Tile\n\nA *tile* is small. It is fast.\n"), QString("A tile is small."));
    QCOMPARE(firstSentence("# Tile\n\nNo full stop\n\nNext paragraph.\n"), QString("No full stop"));
    QCOMPARE(firstSentence("# Only a title\n"), QString());
}

void TstHelpPage::linkTargetsAreFoundInOrder() { QCOMPARE(linkTargets("see [a](x:1) and [b b](y:2/3)."), (QStringList{"x:1", "y:2/3"})); }

void TstHelpPage::escapedTextReadsBackAsItWas_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("names") << "a_b * c_d";
    QTest::newRow("pipes") << "x | y";
    QTest::newRow("brackets") << "[1, 2](not a link) <tag> #3 `tick`";
}

void TstHelpPage::escapedTextReadsBackAsItWas()
{
    QFETCH(QString, text);
    QTextDocument document;
    document.setMarkdown(escapedMarkdown(text));
    QCOMPARE(document.toPlainText(), text);
}

void TstHelpPage::linksAreParsedByKind_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("name");
    QTest::newRow("page") << "concept:tile" << int(HelpLink::Page) << "concept:tile";
    QTest::newRow("option") << "option:ipu_config.a.b" << int(HelpLink::Page) << "option:ipu_config.a.b";
    QTest::newRow("view") << "view:memory" << int(HelpLink::ShowView) << "memory";
    QTest::newRow("template") << "template:mnist-mlp" << int(HelpLink::OpenTemplate) << "mnist-mlp";
    QTest::newRow("compile") << "action:compile" << int(HelpLink::Compile) << "";
    QTest::newRow("tile") << "select:tile/12" << int(HelpLink::SelectTile) << "12";
    QTest::newRow("layer") << "select:layer/dense_1" << int(HelpLink::SelectLayer) << "dense_1";
    QTest::newRow("no tile") << "select:tile/x" << int(HelpLink::Broken) << "select:tile/x";
    QTest::newRow("no action") << "action:format" << int(HelpLink::Broken) << "action:format";
    QTest::newRow("no scheme") << "tile" << int(HelpLink::Broken) << "tile";
}

void TstHelpPage::linksAreParsedByKind()
{
    QFETCH(QString, target);
    QFETCH(int, kind);
    QFETCH(QString, name);
    auto const link = parseHelpLink(target);
    QCOMPARE(int(link.kind), kind);
    QCOMPARE(link.name, name);
}

TW_REGISTER_TEST(TstHelpPage);
#include "tst_help_page.moc"
